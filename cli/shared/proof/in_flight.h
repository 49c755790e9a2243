/* What can be in flight over each link, sent and not yet received: counted exactly where that takes
   little time, else bounded from above. */
#ifndef TOURNEY_IN_FLIGHT_H
#define TOURNEY_IN_FLIGHT_H

#include <tourney/model.h>

/* What to look at; borrowed. */
struct in_flight_subject {
  const struct tny_schedule *schedule; /* proved */
  const struct tny_network *network;
  uint32_t window;        /* of the ranks, as in tny_model_budgets */
  uint64_t message_bytes; /* the longest message */
};

/* What was found, by link. */
struct in_flight {
  const struct tny_cluster *cluster; /* borrowed */
  uint64_t message_bytes;            /* the longest message */
  struct tny_budget *budgets;
  uint32_t *messages; /* the most that can be sent and not yet received ... */
  bool *is_exact;     /* ... exactly, or at most */
};

/* Counts on all links of a small schedule; of a large one only on those whose bound exceeds their
   buffer; of a very large one on none. Owns: in_flight_release,
   also after a failure. */
enum tny_status in_flight_find(const struct in_flight_subject *subject, struct in_flight *in_flight,
                               struct tny_error *error) TNY_MUST_CHECK;
void in_flight_release(struct in_flight *in_flight);

/* The most bytes in flight over a link, if all messages are as long as the longest. */
uint64_t in_flight_bytes(const struct in_flight *in_flight, uint32_t link);
/* Are they more than its port buffer takes? */
bool in_flight_overflows(const struct in_flight *in_flight, uint32_t link);

#endif
