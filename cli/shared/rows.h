/* --collective and --bytes of the commands that measure, and where they measure: in the lab or by a
   launcher. */
#ifndef TOURNEY_CLI_ROWS_H
#define TOURNEY_CLI_ROWS_H

#include <stdbool.h>

#include <tourney/cluster.h>

#define CLI_ROWS_MAX 256 /* as many as tourney-bench-ranks takes */

struct cli_rows {
  bool collectives[TNY_COLLECTIVE_COUNT];
  bool takes_uneven; /* "alltoallv" too, which is noted in: */
  bool uneven[TNY_COLLECTIVE_COUNT];
  uint64_t sizes[CLI_ROWS_MAX / (2 * TNY_COLLECTIVE_COUNT)]; /* size_count of them */
  uint32_t size_count;
};

/* May it be measured? What the runtime takes over with blocks that are alike. */
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
