/* Reads --collective and --bytes of the commands that measure, and checks where they measure. */
#include "rows.h"

#include <tourney/collective.h>

#include "core/error.h"
#include "options.h"

static enum tny_status add_collective(void *into, char *item, struct tny_error *error)
{
  struct cli_rows *rows = into;
  enum tny_collective collective;
  bool is_uneven = false;
  const enum tny_status status =
      rows->takes_all ? tny_collective_parse_form(item, &collective, &is_uneven, error)
                      : tny_collective_parse(item, &collective, error);
  if (status != TNY_OK)
    return status;
  const struct tny_collective_row *row = tny_collective_row(collective);
  const bool is_measured = row->is_served || (rows->takes_all && row->reduces);
  if (is_uneven ? !row->is_uneven_served : !is_measured)
    return tny_error_set(
        error, TNY_BAD_INPUT, "%s isn't measured here, only %s%s", item,
        tny_collective_names(tny_collective_is_served, ", ", rows->takes_all ? ", " : " and ").text,
        rows->takes_all ? ", reductions and the uneven forms" : "");
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

void cli_rows_complete(struct cli_rows *rows)
{
  for (int c = 0; c < TNY_COLLECTIVE_COUNT; c++)
    if (rows->collectives[c] || rows->uneven[c])
      return;
  for (int c = 0; c < TNY_COLLECTIVE_COUNT; c++)
    rows->collectives[c] = tny_collective_is_served((enum tny_collective)c);
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
