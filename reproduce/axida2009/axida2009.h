/* What the entries for Axida, Viet and Yoshinaga's broadcasts share: their cluster, and a broadcast
   on it. */
#ifndef TOURNEY_REPRODUCE_AXIDA2009_H
#define TOURNEY_REPRODUCE_AXIDA2009_H

#include "reproduce/shared/entry.h"
#include "reproduce/shared/experiment.h"

/* A message of the paper: 500 Kbit (6). */
enum { TNY_AXIDA_MESSAGE_BYTES = 62500 };

/* One broadcast on the paper's cluster. */
struct tny_axida_run {
  uint32_t nodes;
  const char *algorithm;
  uint32_t messages;     /* into which the data are cut, where the algorithm cuts them */
  uint64_t bytes;        /* of the data */
  uint32_t flit_bytes;   /* A message is a whole number of flits. */
  uint32_t delay_cycles; /* of a message, from host to host, at least 2 */
  bool is_one_partner;   /* the paper's assumption 3; otherwise ranks wait for data alone */
  bool has_input_queues; /* of the switch; otherwise different pairs don't block each other */
  const struct tny_simulate_watch *watch;
};
/* Simulates it. Its time is in units of the time that the data take on a link (the paper's t). */
enum tny_status tny_axida_time(const struct tny_axida_run *run, double *times,
                               struct tny_error *error) TNY_MUST_CHECK;

/* The entries. */
extern const struct tny_reproduction tny_axida_table_1, tny_axida_table_2, tny_axida_figure_7,
    tny_axida_figure_8;

#endif
