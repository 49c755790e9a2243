/* Reads --collective and --bytes of the commands that measure, and checks where they measure. */
#include "rows.h"

#include <string.h>

#include <tourney/collective.h>

#include "core/error.h"
#include "options.h"

bool cli_rows_is_measured(enum tny_collective collective)
{
  return tny_collective_is_served(collective) || tny_collective_reduces(collective);
}

const char *cli_form_name(enum tny_collective collective, enum cli_form form)
{
  const struct tny_collective_row *row = tny_collective_row(collective);
  const char *const names[CLI_FORMS] = {
      [CLI_FORM_ALIKE] = row->name,
      [CLI_FORM_UNEVEN] = row->uneven_name,
      [CLI_FORM_NEIGHBOURS] = row->neighbour_name,
      [CLI_FORM_UNEVEN_NEIGHBOURS] = row->uneven_neighbour_name,
  };
  return names[form];
}

/* Looks for a name among those of the forms that are taken. */
static bool find_form(const struct cli_rows *rows, const char *name,
                      enum tny_collective *collective, enum cli_form *form)
{
  for (int f = 0; f < (rows->takes_forms ? CLI_FORMS : 1); f++)
    for (int c = 0; c < TNY_COLLECTIVE_COUNT; c++) {
      const char *own = cli_form_name((enum tny_collective)c, (enum cli_form)f);
      if (!own || strcmp(own, name) != 0)
        continue;
      *collective = (enum tny_collective)c;
      *form = (enum cli_form)f;
      return true;
    }
  return false;
}

/* A barrier, which has no sizes, where forms are taken. */
static bool is_form_measured(const struct cli_rows *rows, enum tny_collective collective,
                             enum cli_form form)
{
  if (form == CLI_FORM_ALIKE)
    return cli_rows_is_measured(collective) ||
           (rows->takes_forms && tny_collective_synchronizes(collective));
  return tny_collective_row(collective)->is_uneven_served;
}

static enum tny_status add_collective(void *into, char *item, struct tny_error *error)
{
  struct cli_rows *rows = into;
  enum tny_collective collective;
  enum cli_form form;
  if (!find_form(rows, item, &collective, &form))
    return tny_collective_parse(item, &collective, error);
  if (!is_form_measured(rows, collective, form))
    return tny_error_set(
        error, TNY_BAD_INPUT, "%s isn't measured here, only %s%s", item,
        tny_collective_names(cli_rows_is_measured, ", ", rows->takes_forms ? ", " : " and ").text,
        rows->takes_forms ? ", barrier, the uneven forms (allgatherv) and those of neighbours "
                            "(neighbor_alltoall)"
                          : "");
  rows->asked[form][collective] = true;
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
  if (rows->size_count == CLI_SIZES_MAX)
    return tny_error_set(error, TNY_BAD_INPUT, "--bytes has more than %d sizes", CLI_SIZES_MAX);
  rows->sizes[rows->size_count++] = bytes;
  return TNY_OK;
}

enum tny_status cli_rows_read_sizes(void *into, const char *list, struct tny_error *error)
{
  return cli_list_parse(list, add_size, into, error);
}

void cli_rows_complete(struct cli_rows *rows, bool (*belongs)(enum tny_collective collective))
{
  for (int f = 0; f < CLI_FORMS; f++)
    for (int c = 0; c < TNY_COLLECTIVE_COUNT; c++)
      if (rows->asked[f][c])
        return;
  for (int c = 0; c < TNY_COLLECTIVE_COUNT; c++)
    rows->asked[CLI_FORM_ALIKE][c] = belongs((enum tny_collective)c);
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
