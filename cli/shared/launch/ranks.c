/* Puts the command together that starts an MPI program of ours. */
#include "ranks.h"

#include "cli/shared/options.h"
#include "core/error.h"
#include "launch.h"
#include "words.h"

static void add_lab(struct launch_words *words, const struct launch_ranks *ranks)
{
  static char *const run[] = {"tourney", "lab", "run", NULL};
  launch_words_add_list(words, run);
  if (ranks->lab) {
    launch_words_add(words, "--name");
    launch_words_add(words, ranks->lab);
  }
  launch_words_add(words, "--mpi");
  launch_words_add(words, launch_mpi_name(ranks->mpi));
  launch_words_add_number(words, "-n", ranks->rank_count);
  launch_words_add(words, "--map");
  launch_words_add(words, cli_map_name(ranks->map));
  launch_words_add(words, "--");
}

static enum tny_status add_launcher(struct launch_words *words, const char *launcher,
                                    struct tny_error *error)
{
  wordexp_t split;
  const enum tny_status status = launch_split(launcher, &split, error);
  if (status != TNY_OK)
    return status;
  for (size_t i = 0; i < split.we_wordc; i++)
    launch_words_add(words, split.we_wordv[i]);
  if (split.we_wordc)
    wordfree(&split);
  return TNY_OK;
}

enum tny_status launch_ranks_command(struct tny_arena *arena, const struct launch_ranks *ranks,
                                     char ***command, struct tny_error *error)
{
  char name[64], program[PATH_MAX];
  struct launch_words words = {.arena = arena};
  snprintf(name, sizeof name, "%s-%s", ranks->program, launch_mpi_name(ranks->mpi));
  enum tny_status status = launch_find_helper(name, program, error);
  if (status == TNY_OK && ranks->launcher)
    status = add_launcher(&words, ranks->launcher, error);
  if (status != TNY_OK)
    return status;
  if (!ranks->local && !ranks->launcher)
    add_lab(&words, ranks);
  launch_words_add(&words, program);
  launch_words_add_list(&words, ranks->arguments);
  if (words.failed)
    return tny_error_memory(error);
  if (!ranks->local)
    return launch_prepare(arena, words.list, command, error);
  *command = words.list;
  return TNY_OK;
}
