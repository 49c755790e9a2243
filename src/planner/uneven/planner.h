/* Uneven messages, cut into pieces and put into phases such that in none two pieces share a
   directed link, hosts' ports among them, and no rank sends two or receives two. */
#ifndef TOURNEY_PLANNER_UNEVEN_PLANNER_H
#define TOURNEY_PLANNER_UNEVEN_PLANNER_H

#include <tourney/algorithm.h>

struct tny_uneven_piece {
  uint32_t from, to; /* ranks */
  uint64_t offset;   /* of its first byte in its message */
  uint64_t bytes;    /* 1 or more */
};

/* Immutable once made. Units: bytes, on links that all have one rate. */
struct tny_uneven_plan {
  uint32_t rank_count;
  uint32_t phase_count;
  uint64_t bytes;       /* of all phases: each lasts as long as its longest piece */
  uint64_t bytes_least; /* on the most loaded link, or of a rank: no plan takes less */
  /* Phase f has pieces[first_piece[f]] to before pieces[first_piece[f + 1]]; the pieces of a
     message follow each other in the order of its bytes. */
  uint32_t *first_piece; /* phase_count + 1 */
  struct tny_uneven_piece *pieces;
  uint64_t *lengths; /* by phase: bytes of its longest piece */
};

/* The problem has a network and a pattern. Every rank makes the same plan. Owns: *plan is the
   caller's (tny_uneven_plan_free). Errors: TNY_REFUSED where the problem is too large. Cost: some
   tenths of a microsecond a message for 64 ranks, 3 for 256; more where no try comes near the
   bound. */
enum tny_status tny_uneven_plan_make(const struct tny_problem *problem,
                                     struct tny_uneven_plan **plan,
                                     struct tny_error *error) TNY_MUST_CHECK;
void tny_uneven_plan_free(struct tny_uneven_plan *plan);

#endif
