/* Puts the command together that starts an MPI program of ours. */
#include "ranks.h"

#include <inttypes.h>

#include "cli/shared/options.h"
#include "core/arena.h"
#include "core/error.h"
#include "launch.h"

#define WORDS_MAX 16 /* of our own, besides the launcher's and the program's */

/* A list of words in the arena; NULL at its end. */
struct words {
  struct tny_arena *arena;
  char **list;
  size_t count;
  bool failed;
};

static void add_word(struct words *words, const char *word)
{
  char *copy = tny_arena_copy_text(words->arena, word);
  words->failed |= !copy;
  words->list[words->count++] = copy;
}

static void add_lab(struct words *words, const struct launch_ranks *ranks)
{
  char number[16];
  snprintf(number, sizeof number, "%" PRIu32, ranks->rank_count);
  const char *const list[] = {
      "tourney", "lab", "run", "-n", number, "--map", cli_map_name(ranks->map), "--"};
  for (size_t i = 0; i < sizeof list / sizeof *list; i++)
    add_word(words, list[i]);
}

static enum tny_status put_together(struct tny_arena *arena, const struct launch_ranks *ranks,
                                    const wordexp_t *launcher, char ***command,
                                    struct tny_error *error)
{
  char program[PATH_MAX];
  size_t count = 0;
  const enum tny_status status = launch_find_helper(ranks->program, program, error);
  if (status != TNY_OK)
    return status;
  while (ranks->arguments[count])
    count++;
  struct words words = {.arena = arena};
  words.list = tny_arena_take(arena, launcher->we_wordc + count + WORDS_MAX, sizeof *words.list);
  if (!words.list)
    return tny_error_memory(error);
  for (size_t i = 0; i < launcher->we_wordc; i++)
    add_word(&words, launcher->we_wordv[i]);
  if (!ranks->launcher)
    add_lab(&words, ranks);
  add_word(&words, program);
  for (size_t i = 0; i < count; i++)
    add_word(&words, ranks->arguments[i]);
  return words.failed ? tny_error_memory(error) : launch_prepare(arena, words.list, command, error);
}

enum tny_status launch_ranks_command(struct tny_arena *arena, const struct launch_ranks *ranks,
                                     char ***command, struct tny_error *error)
{
  wordexp_t launcher;
  enum tny_status status = launch_split(ranks->launcher, &launcher, error);
  if (status != TNY_OK)
    return status;
  status = put_together(arena, ranks, &launcher, command, error);
  if (launcher.we_wordc)
    wordfree(&launcher);
  return status;
}
