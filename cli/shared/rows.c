/* Reads --collective and --bytes of the commands that measure, and checks where they measure. */
#include "rows.h"

#include <tourney/collective.h>

#include "core/error.h"
#include "options.h"

bool cli_rows_is_measured(enum tny_collective collective)
{
  return tny_collective_is_served(collective) || tny_collective_reduces(collective);
}

static enum tny_status add_collective(void *into, char *item, struct tny_error *error)
{
  struct cli_rows *rows = into;
  enum tny_collective collective;
  bool is_uneven = false;
  const enum tny_status status =
      rows->takes_uneven ? tny_collective_parse_form(item, &collective, &is_uneven, error)
                         : tny_collective_parse(item, &collective, error);
  if (status != TNY_OK)
    return status;
  if (is_uneven ? !tny_collective_row(collective)->is_uneven_served
                : !cli_rows_is_measured(collective))
    return tny_error_set(
        error, TNY_BAD_INPUT, "%s isn't measured here, only %s%s", item,
        tny_collective_names(cli_rows_is_measured, ", ", rows->takes_uneven ? ", " : " and ").text,
        rows->takes_uneven ? " and the uneven forms" : "");
  (is_uneven ? rows->uneven : rows->collectives)[collective] = true;
  return TNY_OK;
}

enum tny_status cli_rows_read_collectives(void *into, const char *list, struct tny_error *error)
{
  return cli_list_parse(list, add_collective, into, error);
}

static enum tny_status add_size(void *into, char *item, struct tny_error *error)
{
  struct cli_rows *rows = into;
  uint64_t bytes;
  const enum tny_status status = cli_bytes_parse(item, INT32_MAX, &bytes, error);
  if (status != TNY_OK)
    return status;
  const uint32_t most = sizeof rows->sizes / sizeof *rows->sizes;
  if (rows->size_count == most)
    return tny_error_set(error, TNY_BAD_INPUT, "--bytes has more than %u sizes", most);
  rows->sizes[rows->size_count++] = bytes;
  return TNY_OK;
}

enum tny_status cli_rows_read_sizes(void *into, const char *list, struct tny_error *error)
{
  return cli_list_parse(list, add_size, into, error);
}

void cli_rows_complete(struct cli_rows *rows, bool (*belongs)(enum tny_collective collective))
{
  for (int c = 0; c < TNY_COLLECTIVE_COUNT; c++)
    if (rows->collectives[c] || rows->uneven[c])
      return;
  for (int c = 0; c < TNY_COLLECTIVE_COUNT; c++)
    rows->collectives[c] = belongs((enum tny_collective)c);
}

enum tny_status cli_place_check(const struct cli_place *place, struct tny_error *error)
{
  if (place->launcher && place->lab)
    return tny_error_set(error, TNY_BAD_INPUT, "--launcher and --lab: choose one");
  if (place->launcher && place->ranks_given)
    return tny_error_set(error, TNY_BAD_INPUT,
                         "--ranks and --map are for the lab; tell the launcher, as in --launcher "
                         "'mpirun -n 16'");
  return TNY_OK;
}
