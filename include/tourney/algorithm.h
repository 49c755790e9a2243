/* An algorithm: a pure function from a problem and a rank to that rank's steps. The registry lists
   them; planning emits, chunks and paces. */
#ifndef TOURNEY_ALGORITHM_H
#define TOURNEY_ALGORITHM_H

#include <tourney/schedule.h>

/* What is to be planned. Everything is borrowed. */
struct tny_problem {
  enum tny_collective collective;
  uint32_t rank_count, root;
  const uint32_t *order;    /* order[position] = rank, ranks in switch order; NULL: by rank */
  const uint32_t *position; /* the inverse of order; NULL with it */
};

/* What an algorithm promises for a problem, unchunked, a message taking one round. */
struct tny_claim {
  uint32_t rounds;
  uint32_t phases;          /* a pipelined algorithm needs C-1 more for C chunks */
  uint64_t blocks_sent_max; /* by any rank */
  /* Most messages on a directed link in a phase, on a tree of switches whose ranks stand in
     `order`; 0: no promise beyond one switch; on one switch with one rank a host it is 1 for all.
   */
  uint32_t tree_link_messages;
};

struct tny_algorithm {
  enum tny_collective collective;
  const char *name;    /* as typed on the command line */
  const char *source;  /* key in docs/papers.bib */
  const char *summary; /* one line */
  const char *needs;   /* one line, "any p" */
  enum tny_interleave interleave;
  bool pipelined; /* the next chunk may follow one phase behind: chunk c of phase f has phase f + c
                   */
  enum tny_pacing pacing;
  const char *(*refuse)(const struct tny_problem *problem); /* why not, or NULL */
  struct tny_claim (*claim)(const struct tny_problem *problem);
  void (*emit)(const struct tny_problem *problem, uint32_t rank, struct tny_builder *builder);
};

/* All algorithms, in an order a reader would want; ends with NULL. */
extern const struct tny_algorithm *const tny_algorithms[];
/* By collective and name, or NULL. */
const struct tny_algorithm *tny_algorithm_find(enum tny_collective collective, const char *name);

/* How an algorithm's steps are cut and clocked. window 0: not paced. */
struct tny_pace {
  uint32_t chunk_count;
  uint32_t window;
};

/* One rank's steps: emit, chunk, pace. Owns: *steps is the caller's (tny_steps_release). */
enum tny_status tny_plan_rank(const struct tny_algorithm *algorithm,
                              const struct tny_problem *problem, struct tny_pace pace,
                              uint32_t rank, struct tny_steps *steps,
                              struct tny_error *error) TNY_MUST_CHECK;
/* All ranks' steps. Owns: *schedule is the caller's (tny_schedule_free). */
enum tny_status tny_plan_all(const struct tny_algorithm *algorithm,
                             const struct tny_problem *problem, struct tny_pace pace,
                             struct tny_schedule **schedule,
                             struct tny_error *error) TNY_MUST_CHECK;

/* Ranks in switch order for ranks on these hosts (ranks of one host next to each other, by rank).
   order and position have rank_count places. */
enum tny_status tny_order_ranks(const struct tny_cluster *cluster, const uint32_t *host_of_rank,
                                uint32_t rank_count, uint32_t *order, uint32_t *position,
                                struct tny_error *error) TNY_MUST_CHECK;

#endif
