/* The two clusters of Jeannot and Steffenel, and what their figures compare: Open MPI's all-to-all,
   which hands all messages to the network at once, and LG. */
#ifndef TOURNEY_REPRODUCE_JEANNOT2007_H
#define TOURNEY_REPRODUCE_JEANNOT2007_H

#include "reproduce/shared/entry.h"
#include "reproduce/shared/experiment.h"

enum tny_jeannot_method { TNY_JEANNOT_DIRECT, TNY_JEANNOT_LG };

struct tny_jeannot_run {
  enum tny_jeannot_method method;
  uint32_t n1, n2;         /* nodes of the clusters */
  uint64_t bytes;          /* m */
  bool has_shared_buffers; /* of the switches: their queues never block each other */
  const struct tny_simulate_watch *watch;
};
struct tny_jeannot_result {
  double seconds;
  uint64_t wide_messages; /* over the backbone, both ways */
  double wide_blocks;     /* the data that crossed it, in blocks of m */
};
enum tny_status tny_jeannot_simulate(const struct tny_jeannot_run *run,
                                     struct tny_jeannot_result *result,
                                     struct tny_error *error) TNY_MUST_CHECK;

/* The entries. */
extern const struct tny_reproduction tny_jeannot_messages, tny_jeannot_figure_4,
    tny_jeannot_figure_5, tny_jeannot_figure_6;

#endif
