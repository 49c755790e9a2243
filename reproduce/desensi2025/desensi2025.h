/* What the entries for Bine trees share: all-reduces by two butterflies, for which the authors'
   tracer counts the bytes that go from group to group, and jobs whose ranks fill groups. */
#ifndef TOURNEY_REPRODUCE_DESENSI2025_H
#define TOURNEY_REPRODUCE_DESENSI2025_H

#include "reproduce/shared/entry.h"
#include "reproduce/shared/sends.h"

/* The all-gathers of both for 2^k ranks; their reduce-scatters are these turned round, and an
   all-reduce is one after the other. So what is saved is the same of all three. */
struct tny_bine_butterflies {
  struct tny_sends bine;     /* our schedule */
  struct tny_sends binomial; /* the authors' baseline: rank r with r xor 2^s, in step s of the
                                   reduce-scatter with p / 2^(s+1) blocks */
  uint32_t *group_of_rank;   /* room for that of a job */
};
/* Owns: tny_bine_close, also after a failure. */
enum tny_status tny_bine_open(struct tny_bine_butterflies *butterflies, uint32_t rank_count,
                              struct tny_error *error) TNY_MUST_CHECK;
void tny_bine_close(struct tny_bine_butterflies *butterflies);
/* By how many per cent fewer blocks go between groups by Bine, where ranks fill groups one after
   the other: a group ends before each of these ranks, which rise. */
double tny_bine_reduction(struct tny_bine_butterflies *butterflies, const uint32_t *ends,
                          uint32_t end_count);
/* Draws where groups end: `end_count` different ranks of 1 to rank_count-1, evenly, in rising
   order. */
void tny_bine_draw_ends(uint32_t rank_count, uint32_t end_count, uint64_t *random, uint32_t *ends);

/* Plans all ranks' steps, on one switch with so many hosts. Owns: *schedule is the caller's,
   tny_schedule_free; NULL after a failure. */
enum tny_status tny_bine_plan(enum tny_collective collective, const char *algorithm,
                              uint32_t rank_count, struct tny_schedule **schedule,
                              struct tny_error *error) TNY_MUST_CHECK;

/* The entries. */
extern const struct tny_reproduction tny_bine_distances, tny_bine_small_jobs, tny_bine_jobs,
    tny_bine_dragonfly;

#endif
