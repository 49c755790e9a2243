/* Proving every registered algorithm, over many rank counts, roots and clusters. */
#ifndef TOURNEY_VERIFY_ALL_H
#define TOURNEY_VERIFY_ALL_H

#include <tourney/verify.h>

struct verify_all {
  const char *cluster; /* NULL: generated ones, for 1 to 64 ranks */
  enum tny_map map;    /* with a cluster */
  uint64_t block_bytes;
  bool quick; /* fewer rank counts and roots */
};

/* What was proved of an algorithm. */
struct verify_line {
  uint64_t schedules, steps, messages;
  uint32_t phase_link_messages; /* worst, of whole blocks */
  uint32_t in_flight;           /* most messages on a link, as the model cuts and paces */
  double buffer_share;          /* most bytes in flight over a link's port buffer */
};

/* Proves; `lines` has a place for each of tny_algorithms. Errors: TNY_BROKEN with the
   counterexample and what was planned. */
enum tny_status verify_all(const struct verify_all *wanted, struct verify_line *lines,
                           struct tny_error *error) TNY_MUST_CHECK;

#endif
