/* Where our own files lie, what the runtime is told, and how each launcher passes it on to the
   ranks. */
#include "launch.h"

#include <errno.h>
#include <unistd.h>

#include "core/arena.h"
#include "core/error.h"
#include "core/text.h"
#include "lab/lab.h"
#include "programs.h"
#include "words.h"

/* What the ranks need of the environment, besides LD_PRELOAD. */
static const char *const passed_on[] = {
    "TOURNEY",       "TOURNEY_CLUSTER", "TOURNEY_ALGORITHM", "TOURNEY_EXPLAIN", "TOURNEY_MAP",
    "TOURNEY_PROVE", "TOURNEY_PROFILE", "TOURNEY_GUARD",     "TOURNEY_LEARN",   "TOURNEY_RECORD",
    "TOURNEY_STORE", "TOURNEY_WAIT",    "TOURNEY_MARK",      "TOURNEY_ORIGIN"};
#define PASSED_ON_COUNT (sizeof passed_on / sizeof *passed_on)

const char *launch_variable(size_t index)
{
  return index < PASSED_ON_COUNT ? passed_on[index] : NULL;
}

enum tny_status launch_find_self(char path[PATH_MAX], struct tny_error *error)
{
  const ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 1);
  if (length <= 0)
    return tny_error_set(error, TNY_SYSTEM, "can't tell where this tool lies: /proc/self/exe: %s",
                         strerror(errno));
  path[length] = '\0';
  return TNY_OK;
}

/* Looks for a file beside the tool, then in each of the folders relative to the tool's own. */
static enum tny_status find_file(const char *name, const char *const folders[], char path[PATH_MAX],
                                 struct tny_error *error)
{
  char self[PATH_MAX];
  const enum tny_status status = launch_find_self(self, error);
  if (status != TNY_OK)
    return status;
  *strrchr(self, '/') = '\0';
  for (size_t i = 0; folders[i]; i++) {
    char candidate[2 * PATH_MAX];
    snprintf(candidate, sizeof candidate, "%s/%s/%s", self, folders[i], name);
    if (realpath(candidate, path))
      return TNY_OK;
  }
  return tny_error_set(error, TNY_SYSTEM,
                       "%s isn't beside the tool in %s, nor in its %s: build or install all of "
                       "Tourney, not the tool alone",
                       name, self, folders[1]);
}

enum tny_status launch_find_helper(const char *name, char path[PATH_MAX], struct tny_error *error)
{
  static const char *const folders[] = {".", "../libexec", "../libexec/tourney", NULL};
  return find_file(name, folders, path, error);
}

/* LD_PRELOAD is a list: a path with one of its separators would be taken for several. */
enum tny_status launch_find_library(const char *name, char path[PATH_MAX], struct tny_error *error)
{
  static const char *const folders[] = {".", "../lib/tourney", "../lib", NULL};
  const enum tny_status status = find_file(name, folders, path, error);
  if (status == TNY_OK && strpbrk(path, " \t\n:"))
    return tny_error_set(error, TNY_SYSTEM,
                         "'%s' can't be preloaded: LD_PRELOAD takes no path with a space, a tab, "
                         "a line end or a colon; put Tourney into another folder",
                         path);
  return status;
}

static enum tny_status export_variable(const char *name, const char *value, struct tny_error *error)
{
  if (value && setenv(name, value, 1))
    return tny_error_memory(error);
  return TNY_OK;
}

enum tny_status launch_export(const struct launch_settings *settings, struct tny_error *error)
{
  char name[64], runtime[PATH_MAX];
  snprintf(name, sizeof name, "libtourney_%s.so", launch_mpi_name(settings->mpi));
  enum tny_status status = launch_find_library(name, runtime, error);
  if (status == TNY_OK)
    status = export_variable("TOURNEY_PRELOAD", runtime, error);
  if (status == TNY_OK)
    status = export_variable("TOURNEY_CLUSTER", settings->cluster, error);
  if (status == TNY_OK)
    status = export_variable("TOURNEY_ORIGIN", settings->origin, error);
  if (status == TNY_OK)
    status = export_variable("TOURNEY_ALGORITHM", settings->algorithms, error);
  if (status == TNY_OK)
    status = export_variable("TOURNEY_PROFILE", settings->profile, error);
  if (status == TNY_OK)
    status = export_variable("TOURNEY_EXPLAIN", settings->explain ? "1" : NULL, error);
  if (status == TNY_OK)
    status = export_variable("TOURNEY_PROVE", settings->prove ? "1" : NULL, error);
  if (status == TNY_OK)
    status = export_variable("TOURNEY_GUARD", settings->no_guard ? "0" : NULL, error);
  if (status == TNY_OK)
    status = export_variable("TOURNEY_LEARN", settings->learn, error);
  if (status == TNY_OK)
    status = export_variable("TOURNEY_RECORD", settings->record, error);
  if (status == TNY_OK)
    status = export_variable("TOURNEY_STORE", settings->store, error);
  if (status == TNY_OK)
    status = export_variable("OMPI_MCA_coll_tuned_use_dynamic_rules",
                             settings->forces_natives ? "1" : NULL, error);
  return status;
}

/* "LD_PRELOAD=runtime:theirs" */
static char *preload_word(struct tny_arena *arena, const char *theirs)
{
  const char *runtime = getenv("TOURNEY_PRELOAD");
  struct tny_text text = {0};
  tny_text_add(&text, "LD_PRELOAD=%s", runtime ? runtime : "");
  if (theirs && *theirs)
    tny_text_add(&text, ":%s", theirs);
  char *word = text.failed ? NULL : tny_arena_copy_text(arena, text.bytes);
  tny_text_release(&text);
  return word;
}

/* Where Open MPI's own -x would replace what we preload: the same, with the runtime in front. */
static char *keep_preload(struct tny_arena *arena, const char *before, char *word)
{
  static const char name[] = "LD_PRELOAD";
  const size_t length = sizeof name - 1;
  if (strcmp(before, "-x") || strncmp(word, name, length))
    return word;
  if (word[length] == '=')
    return preload_word(arena, word + length + 1);
  return word[length] ? word : preload_word(arena, getenv(name));
}

/* Open MPI's mpirun: -x for each variable, for every program of the command (they stand between
   colons, and each has a -x list of its own). */
static char **insert_exports(struct tny_arena *arena, char *const *words)
{
  size_t count = 0, programs = 1;
  for (; words[count]; count++)
    programs += !strcmp(words[count], ":");
  char **command = tny_arena_take(arena, count + 1 + programs * 2 * (PASSED_ON_COUNT + 1), //
                                  sizeof *command);
  char *preload = preload_word(arena, getenv("LD_PRELOAD"));
  if (!command || !preload)
    return NULL;
  size_t to = 0;
  for (size_t i = 0; i < count; i++) {
    command[to] = i ? keep_preload(arena, words[i - 1], words[i]) : words[i];
    if (!command[to++])
      return NULL;
    if (i && strcmp(words[i], ":"))
      continue;
    command[to++] = (char *)"-x";
    command[to++] = preload;
    for (size_t v = 0; v < PASSED_ON_COUNT; v++) {
      if (!getenv(passed_on[v]))
        continue;
      command[to++] = (char *)"-x";
      command[to++] = (char *)passed_on[v];
    }
  }
  return command;
}

static bool is_one_of(const char *name, const char *const *names)
{
  while (*names && strcmp(name, *names))
    names++;
  return *names != NULL;
}

static enum tny_status check_program(const char *word, bool is_mpirun, struct tny_error *error)
{
  char found[PATH_MAX];
  if (launch_find_program(word, found))
    return TNY_OK;
  if (is_mpirun)
    return tny_error_set(error, TNY_SYSTEM,
                         "can't find %s: install Open MPI or MPICH (on Debian: apt install "
                         "openmpi-bin, or mpich)",
                         word);
  return tny_error_set(error, TNY_SYSTEM, "can't find the program %s", word);
}

/* Hydra hands its environment on to all ranks. What is preloaded is no business of its own, so it
   gets that as an option, which is of all programs of the command. */
static char **insert_preload(struct tny_arena *arena, char *const *words)
{
  struct launch_words command = {.arena = arena};
  char *preload = preload_word(arena, getenv("LD_PRELOAD"));
  launch_words_add(&command, words[0]);
  launch_words_add(&command, "-genv");
  launch_words_add(&command, "LD_PRELOAD");
  launch_words_add(&command, preload ? strchr(preload, '=') + 1 : "");
  launch_words_add_list(&command, words + 1);
  return preload && !command.failed ? command.list : NULL;
}

/* This tool, as the program to start: by its own path where it was named without one. */
static enum tny_status prepare_self(struct tny_arena *arena, char *const *words, char ***command,
                                    struct tny_error *error)
{
  char self[PATH_MAX];
  const enum tny_status status = launch_find_self(self, error);
  if (status != TNY_OK)
    return status;
  size_t count = 0;
  while (words[count])
    count++;
  *command = tny_arena_take(arena, count + 1, sizeof **command);
  char *program = strchr(words[0], '/') ? words[0] : tny_arena_copy_text(arena, self);
  if (!*command || !program)
    return tny_error_memory(error);
  memcpy(*command, words, count * sizeof *words);
  (*command)[0] = program;
  return TNY_OK;
}

enum tny_status launch_prepare(struct tny_arena *arena, char *const *words, char ***command,
                               struct tny_error *error)
{
  static const char *const mpiruns[] = {
      "mpirun",       "mpiexec",       "orterun",       "mpirun.openmpi", "mpiexec.openmpi",
      "mpirun.mpich", "mpiexec.mpich", "mpiexec.hydra", "mpirun.hydra",   NULL};
  const char *slash = strrchr(words[0], '/');
  const char *name = slash ? slash + 1 : words[0];
  const bool is_mpirun = is_one_of(name, mpiruns);
  if (!strcmp(name, "tourney"))
    return prepare_self(arena, words, command, error);
  const enum tny_status status = check_program(words[0], is_mpirun, error);
  if (status != TNY_OK)
    return status;
  if (is_mpirun) {
    char found[PATH_MAX];
    const bool is_hydra = launch_find_program(words[0], found) && tny_lab_is_other_mpi(found);
    *command = is_hydra ? insert_preload(arena, words) : insert_exports(arena, words);
    return *command ? TNY_OK : tny_error_memory(error);
  }
  *command = (char **)words;
  const char *preload = preload_word(arena, getenv("LD_PRELOAD"));
  return export_variable("LD_PRELOAD", preload ? strchr(preload, '=') + 1 : NULL, error);
}
