/* Adds to a list of algorithms those by which reductions are reproducible. */
#include "reproducible.h"

#include <string.h>

#include <tourney/algorithm.h>

#include "cli/shared/options.h"
#include "core/error.h"
#include "core/text.h"

static bool is_reproducible(const struct tny_algorithm *algorithm)
{
  const struct tny_same_bits *bits = &algorithm->same_bits;
  const bool is_shared = tny_collective_shares_result(algorithm->collective);
  return bits->for_every_size && bits->for_every_placement && (bits->on_all_ranks || !is_shared);
}

static const struct tny_algorithm *find_reproducible(enum tny_collective collective)
{
  for (size_t i = 0; tny_algorithms[i]; i++)
    if (tny_algorithms[i]->collective == collective && is_reproducible(tny_algorithms[i]))
      return tny_algorithms[i];
  return NULL;
}

/* Notes which collective an item names, and refuses it where its bits vary. `item` is
   "COLLECTIVE=NAME", and was checked; it is cut in two here. */
static enum tny_status take_item(void *named, char *item, struct tny_error *error)
{
  char *name = strchr(item, '=');
  enum tny_collective collective;
  *name++ = '\0';
  const enum tny_status status = tny_collective_parse(item, &collective, error);
  if (status != TNY_OK)
    return status;
  ((bool *)named)[collective] = true;
  if (!tny_collective_reduces(collective))
    return TNY_OK;
  const struct tny_algorithm *algorithm = tny_algorithm_find(collective, name);
  if (algorithm && is_reproducible(algorithm))
    return TNY_OK;
  return tny_error_set(
      error, TNY_BAD_INPUT,
      "--reproducible: the bits of %s=%s differ with sizes or placements; those of "
      "%s=%s don't",
      item, name, item, find_reproducible(collective)->name);
}

enum tny_status launch_reproducible_list(const char *given, char **list, struct tny_error *error)
{
  bool named[TNY_COLLECTIVE_COUNT] = {false};
  struct tny_text text = {0};
  if (given && *given) {
    const enum tny_status status = cli_list_parse(given, take_item, named, error);
    if (status != TNY_OK)
      return status;
    tny_text_add(&text, "%s", given);
  }
  for (unsigned c = 0; c < TNY_COLLECTIVE_COUNT; c++) {
    const struct tny_algorithm *algorithm =
        named[c] ? NULL : find_reproducible((enum tny_collective)c);
    if (algorithm)
      tny_text_add(&text, "%s%s=%s", text.length > 0 ? "," : "",
                   tny_collective_name((enum tny_collective)c), algorithm->name);
  }
  return tny_text_take(&text, list, error);
}
