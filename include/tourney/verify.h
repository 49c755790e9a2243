/* Is a schedule right? Four checks, each with proof or a counterexample that a person can read. */
#ifndef TOURNEY_VERIFY_H
#define TOURNEY_VERIFY_H

#include <tourney/algorithm.h>

/* What was found of how a reduction's results are combined. Two results have the same bits,
   whatever the operation rounds, where their trees of combination are the same: the same operands,
   on the same sides, in the same order. */
struct tny_bits_found {
  bool in_rank_order; /* for every associative operation, else for those that commute */
  bool on_all_ranks;  /* where all ranks get the same result, all get the same tree */
  bool in_all_chunks; /* the chunks of a block have the same tree */
};

/* What was found on the way. */
struct tny_report {
  uint64_t steps, messages, tokens;
  uint32_t rounds; /* longest chain of messages, one port each way; tokens free, but in a barrier */
  uint64_t blocks_sent_max;      /* most blocks sent by a rank, rounded up to whole blocks */
  uint64_t blocks_received_max;  /* and received */
  uint64_t unphased;             /* messages without a phase */
  uint32_t phases;               /* 1 + the highest of any step, 0: none has one */
  uint32_t phase_link_messages;  /* most messages on a directed link in one phase */
  uint32_t phase_link;           /* such a link, TNY_NONE: none */
  uint32_t phase_trunk_messages; /* the same of links between switches only */
  uint32_t phase_trunk;
  struct tny_bits_found bits; /* of a reduction, by tny_verify_schedule */
};

/* Data: every rank ends with exactly the right blocks, of an all-to-all with the wanted ones;
   nothing is read before it is there, nothing is overwritten while in use. Of a reduction, every
   result combines each contribution exactly once, and in rank order unless the schedule commutes.
   Of a barrier, which has no data: no rank ends before every rank has begun, by happens-before; the
   counterexample names two ranks.
   Progress: no deadlock
   under rendezvous, for every interleaving and any window; and both ends of a message are of the
   same phase. Errors: TNY_BROKEN with the counterexample (rank, step, block). `report` may be NULL.
   tny_verify_schedule is both at once, in less time. */
enum tny_status tny_verify_data(const struct tny_schedule *schedule,
                                struct tny_error *error) TNY_MUST_CHECK;
enum tny_status tny_verify_progress(const struct tny_schedule *schedule, struct tny_report *report,
                                    struct tny_error *error) TNY_MUST_CHECK;
enum tny_status tny_verify_schedule(const struct tny_schedule *schedule, struct tny_report *report,
                                    struct tny_error *error) TNY_MUST_CHECK;
/* In place: the data where a rank's input lies in its output, one memory, as MPI_IN_PLACE has it:
   in an all-gather or gather as the rank's own block, else from the output's beginning on, of a
   reduce-scatter beyond its end. A copy of an input block to where it lies leaves it as it is; what
   is read there after another write is what was written. Progress is the same in place. Errors: as
   above; TNY_REFUSED for a broadcast or scatter. */
enum tny_status tny_verify_in_place(const struct tny_schedule *schedule,
                                    struct tny_error *error) TNY_MUST_CHECK;
/* As the runtime runs it: data and progress, and in place an all-gather or gather that keeps each
   rank's input (tny_steps_keep_input). All else it runs in place from a copy of the input, which is
   an input of its own. */
enum tny_status tny_verify_as_run(const struct tny_schedule *schedule,
                                  struct tny_error *error) TNY_MUST_CHECK;
/* Same bits: two schedules of one reduction, which may be cut in chunks and placed on the cluster
   in different ways, combine each result of each rank alike. Each is to be right by itself
   (tny_verify_data). Errors: TNY_BROKEN with the first result that differs; TNY_REFUSED where they
   aren't of the same problem. */
enum tny_status tny_verify_same_bits(const struct tny_schedule *one,
                                     const struct tny_schedule *other,
                                     struct tny_error *error) TNY_MUST_CHECK;
/* Renamed: step for step, `schedule` is `proved` with its ranks called otherwise, and with them the
   blocks that are theirs; the root is the root, in other collectives rank 0 keeps its name. Then
   what tny_verify_schedule says of `proved`, and its report, hold for `schedule` too. Links don't:
   they hang on where ranks sit; nor does the order of the ranks in a reduction: one is a renaming
   only where it commutes, and then its bits are other ones. Errors: TNY_REFUSED with what differs
   first; then there is nothing to be said. Cost: O(steps), a fraction of the proof. */
enum tny_status tny_verify_renamed(const struct tny_schedule *proved,
                                   const struct tny_schedule *schedule,
                                   struct tny_error *error) TNY_MUST_CHECK;
/* What is proved of links assumes two things of the network. Every message goes by the one route
   that the network has from host to host. And links are queues: of two messages that a rank
   sends one after the other, the send of the first complete before the second starts, the first
   stays in front on the links that their routes share from the sender on; so the messages of a
   pair cross each link in the order in which they are sent. MPI promises an order of receiving
   alone, and where routes adapt or a pair has several connections, the second assumption doesn't
   hold: then only the messages that tny_verify_separated finds received before are apart for
   certain. What is counted is messages and their data: tokens, headers and acknowledgements
   aren't. The network has to place every rank of the schedule, else all of these are TNY_REFUSED
   (tny_network_check).

   Links: fills the report's phase figures. With `limit` > 0, a phase that puts more than `limit`
   messages on a directed link (hosts' ports are links: the one-port rule) is TNY_BROKEN. */
enum tny_status tny_verify_links(const struct tny_schedule *schedule,
                                 const struct tny_network *network, uint32_t limit,
                                 struct tny_report *report, struct tny_error *error) TNY_MUST_CHECK;
/* Separated: of any two messages of different phases on a directed link, the one of the earlier
   phase is past the link before the other may start, in every interleaving. It is past where it is
   received before, or where the other one's sender sent it: the same way, and its send complete
   before the other starts, so that it stays in front. Errors: TNY_BROKEN with the two messages and
   the link; TNY_REFUSED where a message has no phase. */
enum tny_status tny_verify_separated(const struct tny_schedule *schedule,
                                     const struct tny_network *network,
                                     struct tny_error *error) TNY_MUST_CHECK;
/* Bytes each link carries in the whole schedule; `load_bytes` has link_count entries. */
enum tny_status tny_verify_load(const struct tny_schedule *schedule,
                                const struct tny_network *network, uint64_t block_bytes,
                                uint64_t *load_bytes, struct tny_error *error) TNY_MUST_CHECK;
/* The most messages that can be sent and not yet received at one moment over each link, over every
   interleaving: exact (the largest antichain of messages under happens-before, by Dilworth's
   theorem and bipartite matching). `in_flight` has link_count entries. Errors: TNY_REFUSED where a
   link carries more than `message_limit` messages (then nothing is computed). */
enum tny_status tny_verify_in_flight(const struct tny_schedule *schedule,
                                     const struct tny_network *network, uint32_t message_limit,
                                     uint32_t *in_flight, struct tny_error *error) TNY_MUST_CHECK;
/* The same of the wanted links only (by link), whatever they carry; the entries of the others stay
   as they are. Errors: TNY_REFUSED where the tables would take too much memory. */
enum tny_status tny_verify_in_flight_on(const struct tny_schedule *schedule,
                                        const struct tny_network *network, const bool *wanted,
                                        uint32_t *in_flight,
                                        struct tny_error *error) TNY_MUST_CHECK;
/* Bits: results have the same bits where the algorithm claims it, by what was found of one
   schedule. That those of schedules of other sizes and placements are the same,
   tny_verify_same_bits says. Errors: TNY_BROKEN. */
enum tny_status tny_verify_bits_claim(const struct tny_bits_found *bits,
                                      const struct tny_same_bits *claimed,
                                      struct tny_error *error) TNY_MUST_CHECK;
/* Claim: rounds, blocks and phases are what the algorithm says, and where it claims phases every
   message has one; for an unchunked, unpaced schedule and the report of tny_verify_progress. */
enum tny_status tny_verify_claim(const struct tny_report *report, const struct tny_claim *claim,
                                 struct tny_error *error) TNY_MUST_CHECK;

#endif
