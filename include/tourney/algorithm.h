/* An algorithm: a pure function from a problem and a rank to that rank's steps. The registry lists
   them; planning emits, chunks and paces. */
#ifndef TOURNEY_ALGORITHM_H
#define TOURNEY_ALGORITHM_H

#include <tourney/pattern.h>

/* Where ranks sit, as algorithms see it; every rank computes it alike. Immutable once made. */
struct tny_placement {
  uint32_t rank_count;
  /* order[position] = rank: switch by switch, depth first, and host by host; and its inverse. */
  const uint32_t *order, *position;
  /* Switches and hosts are runs of positions: the i-th has those from first[i] to before
     first[i + 1]. Only those with ranks are counted. */
  uint32_t switch_count, host_count;
  const uint32_t *switch_first; /* switch_count + 1 */
  const uint32_t *host_first;   /* host_count + 1 */
  /* Zones too (tny_cluster_zones), of whole switches; one of all where the order of the switches
     tears one apart. */
  uint32_t zone_count;
  const uint32_t *zone_first; /* zone_count + 1 */
  /* Where the cluster is a ring, torus or mesh and every host has the same number of ranks: the
     shape, and rank_at[node * ranks_a_node + i], nodes numbered as in struct tny_shape. Else
     grid.dimension_count is 0 and rank_at NULL. */
  struct tny_shape grid;
  uint32_t ranks_a_node;
  const uint32_t *rank_at;
  const uint32_t *node_of; /* by rank */
};

/* Owns: *placement is the caller's (tny_placement_free); it borrows nothing.
   Cost: O(hosts + ranks). */
enum tny_status tny_placement_make(const struct tny_cluster *cluster, const uint32_t *host_of_rank,
                                   uint32_t rank_count, struct tny_placement **placement,
                                   struct tny_error *error) TNY_MUST_CHECK;
void tny_placement_free(struct tny_placement *placement);

/* What is to be planned. Everything is borrowed. */
struct tny_problem {
  enum tny_collective collective;
  uint32_t rank_count, root;
  const struct tny_placement *placement; /* NULL: one switch, ranks by number */
  uint32_t parameter;                    /* of the algorithm ("bruck:4"); 0: its standard */
  uint32_t piece_count; /* of a block, for algorithms that cut it themselves (TNY_CUT_OWN); 0: 1 */
  const struct tny_network *network; /* for planners: the cluster, its routes, the ranks' hosts */
  const struct tny_pattern *pattern; /* of an all-to-all; NULL: every rank has a block for all */
  const void *prepared;              /* by the algorithm, where it is a planner */
};

/* What an algorithm promises for a problem, unchunked, a message taking one round; TNY_CUT_OWN: in
   the problem's pieces. */
struct tny_claim {
  uint32_t rounds;          /* 0: no promise */
  uint32_t phases;          /* 0: not phased. A pipelined algorithm needs C-1 more for C chunks */
  uint64_t blocks_sent_max; /* by any rank, rounded up */
  bool blocks_are_at_most;  /* it may be that no rank sends as many */
  uint64_t blocks_received_max; /* by any rank, at most; 0: no promise */
  uint32_t scratch_blocks;      /* that a rank needs beside input and output */
  /* Most messages on a directed link in a phase; 0: no promise. */
  uint32_t port_messages; /* a host's own link, one rank a host; so every link of a single switch */
  uint32_t tree_link_messages; /* any link of any tree of switches, however many ranks a host */
  uint32_t grid_link_messages; /* any link of the ring or torus it needs, one rank a host */
  uint32_t link_messages;      /* any link of the problem's own cluster, as its planner counts */
};

/* What a rank sends at most by a claim: blocks, or where messages carry none, messages: no more in
   a phase than its port has at most. */
static inline uint64_t tny_claim_sent_max(const struct tny_claim *claim)
{
  return claim->blocks_sent_max > 0 ? claim->blocks_sent_max
                                    : (uint64_t)claim->port_messages * claim->phases;
}

/* How blocks are cut in chunks, and how the chunks follow each other. */
enum tny_cut {
  TNY_CUT_BY_PHASE,  /* all chunks of a phase, then the next phase */
  TNY_CUT_BY_CHUNK,  /* all phases for a chunk, then the next chunk */
  TNY_CUT_BY_GROUP,  /* by chunk within each group of `parameter` phases */
  TNY_CUT_PIPELINED, /* the next chunk follows one phase behind */
  TNY_CUT_NEVER,     /* messages stay whole */
  TNY_CUT_OWN,       /* emit cuts them, in the problem's piece_count */
};

/* What may follow an algorithm's name behind a colon: a whole number, or some of them with dots
   between, as in 2.2.1.1. These share a parameter, a byte each, the first in the lowest; one left
   out is that of the standard. */
struct tny_parameter {
  const char *name;         /* "radix"; NULL: the algorithm takes none */
  uint32_t standard, least; /* least: of each number */
  uint32_t numbers;         /* with dots between: 2 to 4; 0: just one number, of any size */
};
/* The parameter all of whose numbers are this one. */
uint32_t tny_parameter_all(const struct tny_parameter *parameter, uint32_t number);

/* Of a reduction: which results have the same bits, whatever the operation rounds. */
struct tny_same_bits {
  bool on_all_ranks;        /* all ranks get the same */
  bool for_every_size;      /* an element's don't depend on how blocks are cut */
  bool for_every_placement; /* nor on where ranks sit */
};

struct tny_algorithm {
  enum tny_collective collective;
  const char *name;    /* as typed on the command line */
  const char *source;  /* key in docs/papers.bib */
  const char *summary; /* one line */
  const char *needs;   /* one line, "any p" */
  struct tny_parameter parameter;
  enum tny_cut cut;
  enum tny_pacing pacing;
  /* TNY_CUT_OWN: the pieces that it takes where `wanted` are asked for; NULL: as wanted. */
  uint32_t (*pieces)(const struct tny_problem *problem, uint32_t wanted);
  /* TNY_CUT_OWN, of blocks that may differ much: a message of the longest block holds so many
     pieces, and one of a shorter block as many as come to as many bytes; 0: each holds one. */
  uint32_t pieces_a_message;
  /* Why not, or NULL; the others below are called only for problems that aren't refused. */
  const char *(*refuse)(const struct tny_problem *problem);
  /* A planner looks at the whole cluster, once, and makes what its claim and every rank's steps
     follow from; they find it in problem->prepared. NULL: no planner, and nothing to release. */
  enum tny_status (*prepare)(const struct tny_problem *problem, void **prepared,
                             struct tny_error *error);
  void (*release)(void *prepared);
  /* The planner looks at every message by itself: the square of the ranks, or more. */
  bool plans_messages;
  /* It plans just the blocks of the problem's pattern. Else it plans all, and the pass
     tny_pass_subset leaves the others out; where blocks are forwarded, all travel, the others
     without bytes. */
  bool takes_patterns;
  /* It plans by the pattern's bytes, and refuses a problem without one. */
  bool plans_bytes;
  bool commutes; /* of a reduction: it needs an operation that commutes */
  struct tny_same_bits same_bits;
  /* Each of its spans is of a single block of the input or output, at any rank of any problem: then
     a message's bytes are those of one block, and blocks may differ in size. A reduce-scatter, as
     what mirrors an all-gather, has them in scratch space too, each of one input block. */
  bool single_blocks;
  /* Of an all-gather: each rank gets all blocks from one other, and passes on to one other. So of
     blocks that differ there is a stream of bytes on each link, and no phase that lasts as long as
     its longest block. */
  bool is_ring;
  /* It's planned where its name is asked for, and never chosen by itself: whether what is predicted
     of it holds on a network hasn't been measured. */
  bool by_name_only;
  /* For which problems that is so of it and of what mirrors it; NULL: for none, unless they are by
     name only as such. */
  bool (*is_by_name_only)(const struct tny_problem *problem);
  /* It is this one turned round in time (tny_pass_reverse), and an all-reduce then this one as it
     is; it has none of the functions here, nor those above. NULL: it isn't. */
  const struct tny_algorithm *mirrors;
  /* Its messages hold several blocks. */
  bool joins_blocks;
  /* All its messages lie in its scratch space; copies bring blocks there and to the output. */
  bool lies_in_scratch;
  /* Of an all-gather that only an all-reduce is made of: which part of the block a rank has for its
     own, where that isn't the one of its number. NULL: it is. */
  uint32_t (*part)(const struct tny_problem *problem, uint32_t rank);
  /* A rank may hold many blocks before it sends one on: what mirrors it has scratch space for all
     of them, as it has where messages hold several. */
  bool holds_blocks;
  struct tny_claim (*claim)(const struct tny_problem *problem); /* ask tny_algorithm_claim */
  void (*emit)(const struct tny_problem *problem, uint32_t rank, struct tny_builder *builder);
  /* Where every rank sends at most one block a phase: whom a rank sends to in one of them, counted
     from 0; TNY_NONE: nobody. It says the same as `emit`, but some phases can be looked at without
     planning all. NULL: there is no short way to tell. Cost: O(1). */
  uint32_t (*peer)(const struct tny_problem *problem, uint32_t rank, uint32_t phase);
  /* The claim's phases, where they are sooner told than all of it, of one without scratch space:
     each rank of a mirror asks for them. NULL: they aren't. */
  uint32_t (*phases)(const struct tny_problem *problem);
};

/* Whose functions an algorithm has: its own, or those of what it mirrors. */
static inline const struct tny_algorithm *
tny_algorithm_origin(const struct tny_algorithm *algorithm)
{
  return algorithm->mirrors ? algorithm->mirrors : algorithm;
}

/* May blocks differ in size? */
static inline bool tny_algorithm_takes_uneven(const struct tny_algorithm *algorithm)
{
  return tny_collective_uneven_name(algorithm->collective) &&
         tny_algorithm_origin(algorithm)->single_blocks;
}

/* All algorithms, in an order a reader would want; ends with NULL. */
extern const struct tny_algorithm *const tny_algorithms[];
/* By collective and name, which ends before a colon; or NULL. */
const struct tny_algorithm *tny_algorithm_find(enum tny_collective collective, const char *name);

/* An algorithm with its parameter, as a user chooses it. */
struct tny_algorithm_choice {
  const struct tny_algorithm *algorithm; /* NULL: the MPI's own */
  uint32_t parameter; /* 0: it takes none; of the MPI's own: which, 0: as it chooses */
};
/* Is it what the MPI does by itself? */
static inline bool tny_choice_is_native(const struct tny_algorithm_choice *choice)
{
  return !choice->algorithm && choice->parameter == 0;
}
/* One of the MPI's own algorithms, by its number there, with messages cut into segments of so many
   bytes; 0: uncut. Numbers go up to 255, segments are whole KiB: native for any other. */
static inline struct tny_algorithm_choice tny_choice_of_native(uint32_t number,
                                                               uint32_t segment_bytes)
{
  const bool fits = number <= UINT8_MAX && segment_bytes % 1024 == 0;
  const uint32_t parameter = segment_bytes / 1024 << 8 | number;
  return (struct tny_algorithm_choice){.parameter = fits && number ? parameter : 0};
}
static inline uint32_t tny_native_number(uint32_t parameter)
{
  return parameter & UINT8_MAX;
}
static inline uint32_t tny_native_segment_bytes(uint32_t parameter)
{
  return (parameter >> 8) * 1024;
}
/* "ring", "bruck:4", "hierarchical-bruck:2.2.1.1": `text` has room for so many characters. */
#define TNY_ALGORITHM_CHOICE_CHARS 64
void tny_algorithm_choice_write(const struct tny_algorithm_choice *choice, char *text);
/* Reads "ring" or "bruck:4". Errors: TNY_BAD_INPUT where there is no such algorithm, or no such
   parameter. */
enum tny_status tny_algorithm_parse(enum tny_collective collective, const char *text,
                                    struct tny_algorithm_choice *choice,
                                    struct tny_error *error) TNY_MUST_CHECK;

/* Why the algorithm can't plan this, a literal; NULL: it can. */
const char *tny_algorithm_refusal(const struct tny_algorithm *algorithm,
                                  const struct tny_problem *problem);
/* Says so where the algorithm refuses the problem. Errors: TNY_REFUSED with its reason. */
enum tny_status tny_algorithm_check(const struct tny_algorithm *algorithm,
                                    const struct tny_problem *problem,
                                    struct tny_error *error) TNY_MUST_CHECK;

/* The parts that a block is cut in, whatever it is cut in beside: as many as ranks where an
   all-reduce is an all-gather, turned round and as it is; else 1. */
uint32_t tny_algorithm_parts(const struct tny_algorithm *algorithm, uint32_t rank_count);

/* What it promises for a prepared problem with its parameter and pieces settled. */
struct tny_claim tny_algorithm_claim(const struct tny_algorithm *algorithm,
                                     const struct tny_problem *problem);

/* How an algorithm's steps are cut and paced. */
struct tny_pace {
  uint32_t chunk_count;
  uint32_t window; /* of the algorithm's own pacing; 0: not paced */
  /* Not 0: what is in flight over each link of the problem's network is limited as well, to as many
     messages as its port buffer takes where a message counts for this many bytes
     (tny_pass_limit_links). Hosts' ports aren't limited where ranks are paced and each message
     would need a token for them. To know what else is on a link, a rank then plans all ranks. */
  uint32_t limit_message_bytes;
};

/* Prepares a problem for one algorithm: checks it, and has a planner look at the cluster. What is
   planned from a prepared problem isn't prepared again. Owns: tny_problem_release, which may also
   be called after a failure; it borrows what `problem` does. Errors: TNY_REFUSED with the
   algorithm's reason. */
enum tny_status tny_problem_prepare(const struct tny_algorithm *algorithm,
                                    const struct tny_problem *problem, struct tny_problem *prepared,
                                    struct tny_error *error) TNY_MUST_CHECK;
void tny_problem_release(const struct tny_algorithm *algorithm, struct tny_problem *prepared);
/* A prepared problem as `emit` and `claim` get it for that many chunks: the parameter settled, and
   the pieces where the algorithm cuts them itself. Without a planner, any problem is prepared. */
struct tny_problem tny_plan_problem(const struct tny_algorithm *algorithm,
                                    const struct tny_problem *problem, uint32_t chunk_count);
/* One rank's steps: emit, chunk, pace. Owns: *steps is the caller's (tny_steps_release). */
enum tny_status tny_plan_rank(const struct tny_algorithm *algorithm,
                              const struct tny_problem *problem, struct tny_pace pace,
                              uint32_t rank, struct tny_steps *steps,
                              struct tny_error *error) TNY_MUST_CHECK;
/* All ranks' steps, of the pattern's blocks where the problem has one. Owns: *schedule is the
   caller's (tny_schedule_free). */
enum tny_status tny_plan_all(const struct tny_algorithm *algorithm,
                             const struct tny_problem *problem, struct tny_pace pace,
                             struct tny_schedule **schedule,
                             struct tny_error *error) TNY_MUST_CHECK;

#endif
