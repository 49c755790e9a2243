/* The ranks started, their lines taken in, the lab's ports counted at their marks. */
#include "gather.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <unistd.h>

#include "cli/shared/clock.h"
#include "cli/shared/launch/child.h"
#include "cli/shared/launch/ranks.h"
#include "cli/shared/launch/words.h"
#include "core/alloc.h"
#include "core/arena.h"
#include "core/error.h"

/* When the ports are counted: around each exchange. */
static const char *const marks[] = {"planned-begin", "planned-end", "native-begin", "native-end"};
#define MARK_COUNT (sizeof marks / sizeof *marks)

static enum tny_status make_command(const struct doctor_gathering *gathering,
                                    struct tny_arena *arena, char ***command)
{
  struct launch_words words = {.arena = arena};
  if (gathering->local)
    launch_words_add(&words, "--local");
  if (gathering->no_traffic)
    launch_words_add(&words, "--no-traffic");
  if (gathering->handshake[0]) {
    launch_words_add(&words, "--handshake");
    launch_words_add(&words, gathering->handshake);
  }
  if (words.failed)
    return tny_error_memory(gathering->error);
  const struct launch_ranks ranks = {.program = "tourney-doctor-ranks",
                                     .mpi = gathering->mpi,
                                     .arguments = words.list,
                                     .local = gathering->local,
                                     .launcher = gathering->launcher,
                                     .lab = gathering->lab ? gathering->lab->name : NULL,
                                     .rank_count = gathering->ranks,
                                     .map = gathering->map};
  return launch_ranks_command(arena, &ranks, command, gathering->error);
}

/* --- the lab's ports --- */

static bool begin_handshake(struct doctor_gathering *gathering)
{
  snprintf(gathering->handshake, sizeof gathering->handshake, "/tmp/tourney-doctor-XXXXXX");
  if (mkdtemp(gathering->handshake))
    return true;
  tny_error_set(gathering->error, TNY_SYSTEM, "can't make a folder in /tmp: %s", strerror(errno));
  gathering->handshake[0] = '\0';
  return false;
}

static void end_handshake(struct doctor_gathering *gathering)
{
  for (size_t i = 0; gathering->handshake[0] && i < MARK_COUNT; i++) {
    char path[128];
    snprintf(path, sizeof path, "%s/%s", gathering->handshake, marks[i]);
    unlink(path);
  }
  if (gathering->handshake[0])
    rmdir(gathering->handshake);
}

/* The ranks wait at a mark until there is a file of its name. */
static bool count_at(struct doctor_gathering *gathering, const char *mark)
{
  size_t m = 0;
  while (m < MARK_COUNT && strcmp(mark, marks[m]))
    m++;
  if (m == MARK_COUNT || !gathering->handshake[0])
    return true;
  char path[128];
  const uint32_t links = gathering->facts->cluster->link_count;
  struct tny_lab_count **counts = &gathering->counts[m];
  *counts = tny_new(links, sizeof **counts);
  if (!*counts)
    return tny_error_memory(gathering->error) == TNY_OK;
  if (tny_lab_count_links(gathering->lab, *counts, gathering->error) != TNY_OK)
    return false;
  snprintf(path, sizeof path, "%s/%s", gathering->handshake, mark);
  const int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
  if (file < 0)
    return tny_error_set(gathering->error, TNY_SYSTEM, "can't write %s: %s", path,
                         strerror(errno)) == TNY_OK;
  close(file);
  return true;
}

static bool take_fact(struct doctor_gathering *gathering, const char *line)
{
  bool known;
  if (doctor_facts_read(gathering->facts, line, &known, gathering->error) != TNY_OK)
    return false;
  if (known)
    tny_text_add(&gathering->lines, "%s\n", line);
  else
    fprintf(stderr, "%s\n", line);
  return true;
}

/* Ports that dropped something. */
static bool tell_ports(struct doctor_gathering *gathering)
{
  struct tny_lab_count *const *counts = gathering->counts;
  char line[96];
  for (size_t m = 0; m < MARK_COUNT; m++)
    if (!counts[m])
      return true;
  for (uint32_t l = 0; l < gathering->facts->cluster->link_count; l++) {
    const uint64_t planned = counts[1][l].dropped_packets - counts[0][l].dropped_packets;
    const uint64_t native = counts[3][l].dropped_packets - counts[2][l].dropped_packets;
    snprintf(line, sizeof line, "port %" PRIu32 " %" PRIu64 " %" PRIu64, l, planned, native);
    if ((planned || native) && !take_fact(gathering, line))
      return false;
  }
  return true;
}

/* --- lines --- */

/* What the ranks are at: on a terminal one line that changes, else one at the beginning. */
static void show_progress(struct doctor_gathering *gathering, const char *line)
{
  char what[32];
  unsigned done, count;
  if (sscanf(line, "plan %lf", &gathering->seconds) == 1) {
    if (!gathering->progress.terminal)
      fprintf(stderr, "measuring: about %.0f seconds\n", gathering->seconds);
    gathering->begun = clock_seconds();
  } else if (sscanf(line, "progress %31s %u %u", what, &done, &count) == 3) {
    progress_show(&gathering->progress, "measuring: about %.0f seconds; %.0f gone, round %u of %u",
                  gathering->seconds, clock_seconds() - gathering->begun, done, count);
  }
}

static bool take_output(void *context, const char *line)
{
  struct doctor_gathering *gathering = context;
  if (!strncmp(line, "mark ", 5))
    return count_at(gathering, line + 5);
  if (!strncmp(line, "plan ", 5) || !strncmp(line, "progress ", 9)) {
    show_progress(gathering, line);
    return true;
  }
  progress_clear(&gathering->progress);
  return take_fact(gathering, line);
}

static void take_errors(void *context, const char *line)
{
  struct doctor_gathering *gathering = context;
  progress_clear(&gathering->progress);
  fprintf(stderr, "%s\n", line);
}

static enum tny_status run(struct doctor_gathering *gathering, char *const *command)
{
  const struct launch_listener listener = {
      .context = gathering, .output = take_output, .errors = take_errors};
  struct launch_end end = {.cause = LAUNCH_FAILED};
  enum tny_status status =
      launch_child_run(command, gathering->blocked, &listener, &end, gathering->error);
  progress_clear(&gathering->progress);
  gathering->interrupted = end.cause == LAUNCH_INTERRUPTED;
  gathering->exit_code = end.exit_code;
  if (status != TNY_OK || gathering->interrupted)
    return status;
  if (gathering->error->status != TNY_OK)
    return gathering->error->status;
  if (end.cause != LAUNCH_EXITED || !gathering->facts->done)
    return tny_error_set(gathering->error, TNY_SYSTEM, "the ranks failed (exit code %d)",
                         end.exit_code);
  return tell_ports(gathering) ? TNY_OK : gathering->error->status;
}

enum tny_status doctor_gather(struct doctor_gathering *gathering, struct tny_error *error)
{
  char **command = NULL;
  gathering->error = error;
  gathering->progress = progress_begin();
  struct tny_arena *arena = tny_arena_new();
  enum tny_status status = arena ? TNY_OK : tny_error_memory(error);
  if (status == TNY_OK && gathering->lab && !gathering->no_traffic && !begin_handshake(gathering))
    status = error->status;
  if (status == TNY_OK)
    status = make_command(gathering, arena, &command);
  if (status == TNY_OK)
    status = run(gathering, command);
  end_handshake(gathering);
  for (size_t m = 0; m < MARK_COUNT; m++)
    tny_free(gathering->counts[m]);
  tny_arena_free(arena);
  return status;
}
