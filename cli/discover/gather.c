/* The ranks started, their lines taken in. */
#include "gather.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/shared/clock.h"
#include "cli/shared/launch/child.h"
#include "cli/shared/launch/ranks.h"
#include "core/arena.h"
#include "core/error.h"

/* On a terminal one line that changes, else one at the beginning. */
static bool show_progress(struct discover_gathering *gathering, const char *line)
{
  unsigned done, count;
  int what = 0;
  if (sscanf(line, "plan %lf", &gathering->seconds) == 1) {
    if (!gathering->progress.terminal)
      fprintf(stderr, "measuring: about %.0f seconds\n", gathering->seconds);
    gathering->begun = clock_seconds();
    return true;
  }
  if (sscanf(line, "progress %u %u %n", &done, &count, &what) != 2 || !what)
    return false;
  progress_show(&gathering->progress, "measuring: about %.0f seconds; %.0f gone, %s %u of %u",
                gathering->seconds, clock_seconds() - gathering->begun, line + what, done + 1,
                count);
  return true;
}

static bool take_output(void *context, const char *line)
{
  struct discover_gathering *gathering = context;
  bool known;
  if (gathering->network->started && show_progress(gathering, line))
    return true;
  progress_clear(&gathering->progress);
  if (discover_network_read(gathering->network, line, &known, gathering->error) != TNY_OK)
    return false;
  if (!known)
    fprintf(stderr, "%s\n", line);
  return true;
}

static void take_errors(void *context, const char *line)
{
  struct discover_gathering *gathering = context;
  progress_clear(&gathering->progress);
  fprintf(stderr, "%s\n", line);
}

static enum tny_status run(struct discover_gathering *gathering, char *const *command)
{
  const struct launch_listener listener = {
      .context = gathering, .output = take_output, .errors = take_errors};
  struct launch_end end = {.cause = LAUNCH_FAILED};
  const enum tny_status status =
      launch_child_run(command, gathering->blocked, &listener, &end, gathering->error);
  progress_clear(&gathering->progress);
  gathering->interrupted = end.cause == LAUNCH_INTERRUPTED;
  if (status != TNY_OK || gathering->interrupted)
    return status;
  if (gathering->error->status != TNY_OK)
    return gathering->error->status;
  if (end.cause != LAUNCH_EXITED || !gathering->network->done)
    return tny_error_set(gathering->error, TNY_SYSTEM, "the ranks failed (exit code %d)",
                         end.exit_code);
  return TNY_OK;
}

enum tny_status discover_gather(struct discover_gathering *gathering, struct tny_error *error)
{
  char **command = NULL;
  gathering->error = error;
  gathering->progress = progress_begin();
  struct tny_arena *arena = tny_arena_new();
  const struct launch_ranks ranks = {.program = "tourney-discover-ranks",
                                     .mpi = gathering->mpi,
                                     .launcher = gathering->launcher,
                                     .lab = gathering->lab ? gathering->lab->name : NULL,
                                     .rank_count =
                                         gathering->lab ? gathering->lab->cluster->host_count : 0};
  enum tny_status status =
      arena ? launch_ranks_command(arena, &ranks, &command, error) : tny_error_memory(error);
  if (status == TNY_OK)
    status = run(gathering, command);
  tny_arena_free(arena);
  return status;
}
