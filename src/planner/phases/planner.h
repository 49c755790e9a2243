/* All-to-all in phases on any cluster, by any routes: every message gets a phase such that in none
   two messages share a directed link, hosts' ports among them, and no rank sends two or receives
   two. */
#ifndef TOURNEY_PLANNER_PHASES_PLANNER_H
#define TOURNEY_PLANNER_PHASES_PLANNER_H

#include <tourney/algorithm.h>

struct tny_phase_turn {
  uint32_t phase, peer;
};

/* Immutable once made. */
struct tny_phase_plan {
  uint32_t rank_count;
  uint32_t phase_count;
  uint32_t phases_least; /* most messages on a link, or of a rank: no fewer phases will do */
  /* Where the pattern's messages are uneven, a phase lasts as long as its longest one: the phases'
     sum, the least that phases can have, and the most bytes on a link. Units: bytes; else messages.
   */
  uint64_t bytes, bytes_least, bytes_on_link;
  uint32_t sends_most; /* of a rank */
  /* By rank and in order of phase: rank r sends sends[first_send[r]] to before
     sends[first_send[r + 1]]. */
  uint32_t *first_send, *first_receive; /* rank_count + 1 */
  struct tny_phase_turn *sends, *receives;
};

/* The problem is an all-to-all with a network; its placement may help. Owns: *plan is the caller's
   (tny_phase_plan_free). Errors: TNY_REFUSED where it is too large. Cost: some microseconds a
   message. */
enum tny_status tny_phase_plan_make(const struct tny_problem *problem, struct tny_phase_plan **plan,
                                    struct tny_error *error) TNY_MUST_CHECK;
void tny_phase_plan_free(struct tny_phase_plan *plan);

#endif
