/* --collective and --bytes of the commands that measure, and where they measure: in the lab or by a
   launcher. */
#ifndef TOURNEY_CLI_ROWS_H
#define TOURNEY_CLI_ROWS_H

#include <stdbool.h>

#include <tourney/cluster.h>

#define CLI_ROWS_MAX 256 /* as many as tourney-bench-ranks takes */
#define CLI_SIZES_MAX 16 /* There are rows for so many of 16 collectives, in all their forms. */

/* The forms in which collectives are measured: of blocks that are alike, of others, and both among
   neighbours. */
enum cli_form {
  CLI_FORM_ALIKE,
  CLI_FORM_UNEVEN,
  CLI_FORM_NEIGHBOURS,
  CLI_FORM_UNEVEN_NEIGHBOURS,
  CLI_FORMS
};
/* Its name, as it is typed; NULL: there is no such form. */
const char *cli_form_name(enum tny_collective collective, enum cli_form form);
static inline bool cli_form_is_uneven(enum cli_form form)
{
  return form == CLI_FORM_UNEVEN || form == CLI_FORM_UNEVEN_NEIGHBOURS;
}
static inline bool cli_form_has_neighbours(enum cli_form form)
{
  return form == CLI_FORM_NEIGHBOURS || form == CLI_FORM_UNEVEN_NEIGHBOURS;
}

struct cli_rows {
  bool asked[CLI_FORMS][TNY_COLLECTIVE_COUNT];
  bool takes_forms; /* all of them, not only blocks that are alike */
  uint64_t sizes[CLI_SIZES_MAX];
  uint32_t size_count;
};

/* May it be measured with blocks that are alike? Then the runtime takes it over. */
bool cli_rows_is_measured(enum tny_collective collective);
/* For the table of options: `into` is a struct cli_rows. */
enum tny_status cli_rows_read_collectives(void *into, const char *list, struct tny_error *error);
enum tny_status cli_rows_read_sizes(void *into, const char *list, struct tny_error *error);
/* Those that belong, where none was named. */
void cli_rows_complete(struct cli_rows *rows, bool (*belongs)(enum tny_collective collective));

/* As given; NULL: not. */
struct cli_place {
  const char *launcher, *lab;
  bool ranks_given; /* --ranks or --map, which are for the lab */
};
/* Errors: what is for the lab, given with a launcher. */
enum tny_status cli_place_check(const struct cli_place *place,
                                struct tny_error *error) TNY_MUST_CHECK;

#endif
