/* The Slurm plugin (SPANK): srun --tourney. On srun's side, once the step's hosts are known, the
   tool is asked what the ranks are to be told, so that all are told the same. On each node that is
   put into the tasks' environment, and the runtime before what they preload, where the node has it.
   A node without the plugin or without the runtime has ranks without the runtime, which those with
   it find out as they start (src/mpi). Nothing here ends a job.
   What the user chose stands in statics: Slurm's option callbacks have no other place. */
#include <slurm/spank.h>

#include <dlfcn.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ask.h"
#include "carry.h"
#include "command.h"
#include "core/alloc.h"
#include "core/arena.h"
#include "core/error.h"
#include "core/text.h"

/* The tool may wait ten seconds for Slurm's topology. */
enum { SECONDS_MAX = 15 };

SPANK_PLUGIN(tourney, 1)

/* --- the options --- */

static enum choice { UNSAID, ASKED, DECLINED } choice;
static char *options; /* of --tourney; NULL: none */

static int choose(int value, const char *text, int is_remote)
{
  (void)is_remote;
  choice = (enum choice)value;
  tny_free(options);
  options = text ? tny_copy_text(text) : NULL;
  return ESPANK_SUCCESS;
}

static struct spank_option tourney_option = {
    .name = (char *)"tourney",
    .arginfo = (char *)"OPTIONS",
    .usage =
        (char *)"run an MPI program with planned collectives; may stand alone, or with options of "
                "'tourney run', as in --tourney=explain",
    .has_arg = 2,
    .val = ASKED,
    .cb = choose};
static struct spank_option no_tourney_option = {
    .name = (char *)"no-tourney",
    .usage = (char *)"run it with the MPI's own, where the site has planned ones by default",
    .val = DECLINED,
    .cb = choose};

int slurm_spank_init(spank_t spank, int count, char **arguments)
{
  (void)count, (void)arguments;
  const spank_context_t context = spank_context();
  if (context == S_CTX_LOCAL || context == S_CTX_ALLOCATOR || context == S_CTX_REMOTE) {
    spank_option_register(spank, &tourney_option);
    spank_option_register(spank, &no_tourney_option);
  }
  return ESPANK_SUCCESS;
}

int slurm_spank_exit(spank_t spank, int count, char **arguments)
{
  (void)spank, (void)count, (void)arguments;
  tny_free(options);
  options = NULL;
  return ESPANK_SUCCESS;
}

/* --- srun's side --- */

/* Whether `tourney run` started this srun: the user has said more there. */
static bool has_runtime_already(void)
{
  const char *runtime = getenv("TOURNEY_PRELOAD"), *preload = getenv("LD_PRELOAD");
  return runtime && *runtime && preload && strstr(preload, runtime);
}

/* The step's program and its arguments, NULL behind. */
static char **take_words(spank_t spank, struct tny_arena *arena)
{
  int count = 0;
  char **words = NULL;
  if (spank_get_item(spank, S_JOB_ARGV, &count, &words) != ESPANK_SUCCESS || count < 1)
    return NULL;
  char **taken = tny_arena_take(arena, (size_t)count + 1, sizeof *taken);
  if (taken)
    memcpy(taken, words, (size_t)count * sizeof *taken);
  return taken;
}

/* Where nothing came of it and the user asked for it, what the tool says is the user's. */
static enum tny_status ask_for(const struct tny_slurm_site *site, char *const *words,
                               struct tny_arena *arena, struct tny_error *error)
{
  struct tny_slurm_answer answer = {0};
  struct tny_error cause = {0};
  char **command = tny_slurm_command(arena, site, options, words);
  if (!command)
    return tny_error_memory(error);
  enum tny_status status = tny_slurm_ask(command, SECONDS_MAX, &answer, &cause);
  if (status != TNY_OK)
    tny_error_set(error, status, "%s: %s", site->tool, cause.text);
  else if (answer.said_bytes)
    status = tny_slurm_carry(answer.said, answer.said_bytes, error);
  else if (choice == ASKED && answer.complaint[0])
    slurm_spank_log("%s", answer.complaint);
  tny_slurm_answer_release(&answer);
  return status;
}

static enum tny_status prepare(spank_t spank, int count, char **arguments, struct tny_error *error)
{
  struct tny_arena *arena = tny_arena_new();
  struct tny_slurm_site site;
  if (!arena)
    return tny_error_memory(error);
  char **moved = tny_arena_take(arena, (size_t)count + 1, sizeof *moved);
  char tool[PATH_MAX] = "tourney";
  Dl_info plugin;
  enum tny_status status =
      moved ? tny_slurm_site_read(count, arguments, moved, &site, error) : tny_error_memory(error);
  if (status == TNY_OK && !site.tool) {
    if (dladdr(plugin_name, &plugin) && plugin.dli_fname)
      tny_slurm_find_tool(plugin.dli_fname, tool);
    site.tool = tool;
  }
  if (status == TNY_OK && (choice == ASKED || site.is_default)) {
    char **words = take_words(spank, arena);
    status = words ? ask_for(&site, words, arena, error)
                   : tny_error_set(error, TNY_SYSTEM, "Slurm doesn't say what the step runs");
  }
  tny_arena_free(arena);
  return status;
}

int slurm_spank_local_user_init(spank_t spank, int count, char **arguments)
{
  struct tny_error error = {0};
  tny_slurm_carry_nothing();
  if (choice != DECLINED && !has_runtime_already() &&
      prepare(spank, count, arguments, &error) != TNY_OK)
    slurm_spank_log("tourney: warning: %s; all collectives are native", error.text);
  return ESPANK_SUCCESS;
}

/* --- a node's side --- */

/* Where this node hasn't the runtime, its ranks go without. */
static void preload(spank_t spank, char *const *environment, const char *runtime)
{
  static const char name[] = "LD_PRELOAD=";
  const char *theirs = "";
  if (access(runtime, R_OK) != 0)
    return;
  for (; *environment; environment++)
    if (strncmp(*environment, name, sizeof name - 1) == 0)
      theirs = *environment + sizeof name - 1;
  struct tny_text list = {0};
  tny_text_add(&list, "%s%s%s", runtime, *theirs ? ":" : "", theirs);
  if (!list.failed)
    spank_setenv(spank, "LD_PRELOAD", list.bytes, 1);
  tny_text_release(&list);
}

/* Puts one variable that was carried where it belongs. Returns whether there may be more. */
static bool unpack_one(spank_t spank)
{
  char **environment = NULL;
  size_t name;
  if (spank_get_item(spank, S_JOB_ENV, &environment) != ESPANK_SUCCESS)
    return false;
  const char *carried = tny_slurm_carried(environment, &name);
  char *copy = carried ? tny_copy_text(carried) : NULL;
  if (!copy)
    return false;
  char *value = strchr(copy, '=');
  *value++ = '\0';
  if (strcmp(copy + name, "TOURNEY_PRELOAD") == 0)
    preload(spank, environment, value);
  spank_setenv(spank, copy + name, value, 1);
  const bool is_removed = spank_unsetenv(spank, copy) == ESPANK_SUCCESS;
  tny_free(copy);
  return is_removed;
}

int slurm_spank_task_init(spank_t spank, int count, char **arguments)
{
  (void)count, (void)arguments;
  while (unpack_one(spank))
    ;
  return ESPANK_SUCCESS;
}
