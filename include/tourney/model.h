/* How a plan is cut, paced and chosen for a cluster and a size. */
#ifndef TOURNEY_MODEL_H
#define TOURNEY_MODEL_H

#include <tourney/algorithm.h>
#include <tourney/machine.h>

/* What choosing and pacing know of a cluster. */
struct tny_model {
  uint32_t rank_count;
  uint64_t link_bps; /* the slowest link's rate */
  struct tny_machine machine;
  uint64_t step_ns; /* from a send to its receive, without the bytes: the route and the software */
  uint64_t software_ns;    /* of that, without the route */
  bool has_trunks;         /* some route crosses more than one switch */
  bool shares_hosts;       /* there are ranks on one host, as far as rank 0's shows */
  uint64_t crowding_bytes; /* shorter blocks of all pairs of ranks fit a port's buffer: */
  uint64_t buffer_bytes;   /* that of the port that has the least, */
  uint32_t crowd;          /* over which so many ranks may send at once */
};

/* The model of ranks on a cluster; of the machine that is taken where none was measured
   (tny_machine_default) where `machine` is NULL. Cost: one route a rank. */
struct tny_model tny_model_make(const struct tny_network *network, uint32_t rank_count,
                                const struct tny_machine *machine);

/* The model for which the shortest planned block is least: that of some three ranks next to each
   other on a cluster like this. */
struct tny_model tny_model_least(const struct tny_model *model);

/* The most messages of a plan whose links are limited: each rank keeps all of them in memory while
   it plans. */
#define TNY_LIMITED_MESSAGES_MAX ((uint64_t)1 << 16)

/* The chunk budget: the bytes that a chunk of every rank may have if one of each is in flight. It
   is the least, over the links, of the port buffer divided by the most blocks that share the link
   at once (of one phase; of all where pairs are paced by credits or there are no phases). The
   problem is a prepared one, here and below. Cost: O(links) where the algorithm's promise holds for
   this cluster, else that of all ranks' steps and routes. */
enum tny_status tny_model_chunk_budget(const struct tny_algorithm *algorithm,
                                       const struct tny_problem *problem,
                                       const struct tny_network *network,
                                       uint64_t *chunk_budget_bytes,
                                       struct tny_error *error) TNY_MUST_CHECK;
/* Sizes are planned in steps, eight an octave, and of 2 MiB each above 16 MiB: the greatest size of
   the step of `block_bytes`, no more than an eighth above it. Blocks of up to 16 bytes, and powers
   of two, are their own. */
uint64_t tny_model_size_step(uint64_t block_bytes);
/* Chunks and window for blocks of `block_bytes`, the same for all sizes of a step: as wide as keeps
   a link busy, and such that the bytes in flight stay under half of every port buffer while ranks
   keep step (of chains, under six sevenths, with what is on long wires besides; but for chunks of
   1 KiB, the shortest). Where more than all of a buffer might be in flight when they don't, what is
   in flight over links is limited too, or limited alone where ranks are idle in some phases. */
struct tny_pace tny_model_pace(const struct tny_model *model, const struct tny_algorithm *algorithm,
                               const struct tny_problem *problem, uint64_t chunk_budget_bytes,
                               uint64_t block_bytes);

/* The memory that a rank takes for a plan, beside the program's own buffers. */
struct tny_footprint {
  uint32_t segment_count;  /* the plan is run so many times, each over the next part of all blocks;
                             as often for all sizes of a step */
  uint64_t scratch_bytes;  /* always: for what the algorithm keeps between its steps */
  uint64_t in_place_bytes; /* more, where the program gives MPI_IN_PLACE */
  uint64_t packed_bytes;   /* more, at most, where its datatypes have to be packed */
  bool is_too_large; /* more scratch space than tny_model_scratch_max and the call's buffers */
};
/* Known from what all ranks know alike, before anything is planned. The scratch space is bounded:
   by tny_model_scratch_max, or where segments would become so short that latency counts, by the
   shortest that don't. The problem is a prepared one. */
struct tny_footprint tny_model_footprint(const struct tny_model *model,
                                         const struct tny_algorithm *algorithm,
                                         const struct tny_problem *problem,
                                         const struct tny_pace *pace, uint64_t block_bytes);
/* Bytes of scratch space on a rank that are no reason not to choose a plan. */
extern const uint64_t tny_model_scratch_max;

/* How the runtime runs a call: the plan of this pace, `count` times, each time over the next part
   of every block (tny_model_footprint). */
struct tny_segments {
  struct tny_pace pace;
  uint32_t count;
  uint64_t chunk_budget_bytes; /* as tny_model_chunk_budget says; 0: not known here */
};
/* Of a pace for whole blocks, that of each segment: as many pieces as a message has, or several
   times as many. */
struct tny_pace tny_segment_pace(const struct tny_algorithm *algorithm, struct tny_pace whole,
                                 uint32_t segment_count);
/* The same for all sizes of a step: what tny_model_pace and tny_model_footprint say of its
   greatest. The arguments are those of tny_model_pace. */
struct tny_segments tny_model_segments(const struct tny_model *model,
                                       const struct tny_algorithm *algorithm,
                                       const struct tny_problem *problem,
                                       uint64_t chunk_budget_bytes, uint64_t block_bytes);
/* Blocks, the longest of which has bytes. */
struct tny_sizes {
  uint64_t longest_bytes;
  uint64_t mean_bytes; /* where they differ, as all ranks know; 0: all are as long */
};
/* The same, also of blocks that differ and are passed on from rank to rank, or combined on their
   way. Of blocks alike all ranks begin at once, each with its own. Of others a rank whose own is
   short soon waits for the first piece of what it is to pass on, and all behind it wait with it: so
   pieces are no longer than a quarter of a mean block, if that is a frame, within limits. As many
   bytes are in flight. Where ranks have windows, links aren't limited. */
struct tny_segments tny_model_segments_for(const struct tny_model *model,
                                           const struct tny_algorithm *algorithm,
                                           const struct tny_problem *problem,
                                           uint64_t chunk_budget_bytes, struct tny_sizes sizes);
/* The same where one rank finds it, and then its own steps, without looking at all ranks' steps or
   at the whole cluster: no planner has to prepare the problem, no messages have to be counted, and
   no link is limited. Else false: one rank had better plan for all. Allocates nothing; the problem
   isn't a prepared one. Every rank gets the same answer. */
bool tny_model_segments_alone(const struct tny_model *model, const struct tny_algorithm *algorithm,
                              const struct tny_problem *problem, struct tny_sizes sizes,
                              struct tny_segments *run);

/* What a link has to do with a schedule: messages in all, and outstanding, which is sent and not
   yet received, at one moment. */
struct tny_budget {
  uint32_t messages;
  uint32_t in_step;  /* outstanding while ranks keep step */
  uint32_t at_worst; /* outstanding in any interleaving, at most: tny_verify_in_flight isn't more */
};
/* Fills an entry of `budgets` for each link. In step, the messages of `window` phases in a row are
   on the way; 0: of all phases. The schedule must be free of deadlock. Cost: that of sorting its
   messages by link. */
enum tny_status tny_model_budgets(const struct tny_schedule *schedule,
                                  const struct tny_network *network, uint32_t window,
                                  struct tny_budget *budgets,
                                  struct tny_error *error) TNY_MUST_CHECK;

/* The shortest block that is planned; with the guard, that is tried beside native. UINT64_MAX for
   ranks too few. */
uint64_t tny_model_bytes_min(const struct tny_model *model, enum tny_collective collective,
                             bool has_guard);
/* The same of an all-to-all whose blocks are messages of their own, uneven or of a neighbourhood,
   where no rank sends or gets more than so many. */
uint64_t tny_model_sparse_bytes_min(const struct tny_model *model, uint32_t messages_most,
                                    bool has_guard);
/* Why a shorter one isn't. */
extern const char tny_model_short_blocks[];

/* How long an algorithm would take, as its plan tells; or some of its phases, or what it promises,
   where the plan has too many steps to be looked at. Whole numbers only: every rank predicts the
   same. */
struct tny_prediction {
  uint64_t ns; /* phase by phase, each as long as its fullest link, and a step for each round */
  uint64_t message_bytes_max;   /* in one message, chunk by chunk */
  uint64_t inter_zone_messages; /* from zone to zone, before chunks are cut */
  bool is_estimate;             /* not from all steps */
};
struct tny_candidate {
  struct tny_algorithm_choice choice;
  const char *why_not; /* a literal: it wasn't predicted, because ...; NULL: it was */
  struct tny_prediction prediction;
  uint64_t inter_zone_key, ranked_ns; /* private to the ranking */
  uint32_t position;                  /* in the list of all algorithms */
};
/* All algorithms of a collective, the best first, those that weren't predicted last. */
struct tny_ranking {
  uint32_t count;
  struct tny_candidate *list;
};
/* How much work ranking may be. */
struct tny_ranking_limits {
  uint32_t planner_ranks; /* planners that look at every message get no more than so many have; of
                             a pattern, no more messages */
  uint64_t steps;         /* of all ranks; what has more is estimated */
  bool takes_patterns;    /* of a pattern, only algorithms that plan just its blocks */
};
/* What the runtime takes: some milliseconds of work for 16 ranks, well under a second for 4,000. */
enum { TNY_PLANNER_RANKS = 128 };
extern const struct tny_ranking_limits tny_model_limits;
/* Sizes are ranked in classes, so that few have to be: the size that stands for `block_bytes`. */
uint64_t tny_model_size_class(uint64_t block_bytes);
/* Ranks the algorithms for a problem (not prepared, with a network) and a size. The default
   algorithm stays in front of those that are less than 3 % faster, of a broadcast with a rank a
   host 20 %. Of those that take at most twice the least time, the one with the fewest messages
   between zones comes first. Owns: tny_ranking_free, also after a failure. */
enum tny_status tny_model_rank(const struct tny_model *model, const struct tny_problem *problem,
                               struct tny_ranking_limits limits, uint64_t block_bytes,
                               struct tny_ranking *ranking, struct tny_error *error) TNY_MUST_CHECK;
void tny_ranking_free(struct tny_ranking *ranking);

/* The default algorithm of a collective: the one that is planned where nothing is known of others.
   */
const struct tny_algorithm *tny_model_default_algorithm(enum tny_collective collective);

#endif
