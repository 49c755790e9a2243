/* The schedule: pure data, independent of message sizes. What plans it, proves it, runs it and
   prints it lives elsewhere. Sizes are in blocks and chunks; who executes maps spans to bytes.

   Semantics. A rank's steps form two queues, each in list order: receives (recv, token in) are
   posted from the one; send, token out, copy and reduce start from the other. The head of a queue
   starts when every step it waits for (`after`) is complete. A recv is complete when its data lies
   in the buffer, a send when its buffer may be overwritten, a copy or reduce at once. What these
   read and what they write have no location in common. A reduce combines its span with its target,
   location by location, and leaves the result in the target; its kind says on which side the span
   stands.
   The operation is associative; who runs the schedule knows it. The k-th send from a to b matches
   the k-th recv at b from a; tokens match tokens likewise. */
#ifndef TOURNEY_SCHEDULE_H
#define TOURNEY_SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <tourney/cluster.h>
#include <tourney/step.h>

/* One rank's steps. */
struct tny_steps {
  uint32_t count;
  struct tny_step *steps;
  uint32_t after_total;
  uint32_t *after;
};

/* All ranks' steps. */
struct tny_schedule {
  enum tny_collective collective;
  uint32_t rank_count, root;
  uint32_t chunk_count;    /* every span is whole or a piece of this many */
  uint32_t scratch_blocks; /* a rank */
  char algorithm[64];
  struct tny_steps *ranks; /* rank_count, owned */
  /* Pairwise: which blocks have to arrive, a bit for each sender and receiver, at
     sender * rank_count + receiver; NULL: all have to. Owned. */
  uint8_t *wanted;
  /* Of a reduction: it serves operations that commute, and combines contributions in any order.
     Else it combines them in rank order, and serves every associative operation. */
  bool commutes;
};

void tny_steps_release(struct tny_steps *steps);
enum tny_status tny_schedule_new(enum tny_collective collective, uint32_t rank_count, uint32_t root,
                                 const char *algorithm, struct tny_schedule **schedule,
                                 struct tny_error *error) TNY_MUST_CHECK;
void tny_schedule_free(struct tny_schedule *schedule);
/* Gives a pairwise schedule a matrix of wanted blocks, all of them unwanted. Errors: TNY_REFUSED
   for other collectives and for more than TNY_WANTED_RANKS_MAX ranks. */
#define TNY_WANTED_RANKS_MAX 32768
enum tny_status tny_schedule_want_none(struct tny_schedule *schedule,
                                       struct tny_error *error) TNY_MUST_CHECK;
/* The block from `sender` to `receiver` has to arrive: notes it in the matrix. */
static inline void tny_schedule_want(struct tny_schedule *schedule, uint32_t sender,
                                     uint32_t receiver)
{
  const size_t bit = (size_t)sender * schedule->rank_count + receiver;
  schedule->wanted[bit / 8] |= (uint8_t)(1u << bit % 8);
}
static inline bool tny_schedule_wants(const struct tny_schedule *schedule, uint32_t sender,
                                      uint32_t receiver)
{
  const size_t bit = (size_t)sender * schedule->rank_count + receiver;
  return !schedule->wanted || schedule->wanted[bit / 8] >> bit % 8 & 1;
}

/* In place (MPI_IN_PLACE), the input of an all-gather's rank is its own block of the output. Does
   nothing but copies of the input write that block? Then it holds the input at all times, and what
   is proved of the rank's steps with an input elsewhere holds in place too. Cost: O(steps). */
bool tny_steps_keep_input(const struct tny_steps *steps, uint32_t rank);
/* Is it an all-gather of which that is so at every rank? Then it runs in place. */
bool tny_schedule_keeps_input(const struct tny_schedule *schedule);

/* Builder: appends steps to one rank's list; fails stickily, ask once with tny_builder_finish. */
struct tny_builder {
  struct tny_steps steps;
  uint32_t step_room, after_room;
  struct tny_error error;
};
void tny_builder_init(struct tny_builder *builder);
/* Each returns the new step's index. */
uint32_t tny_builder_send(struct tny_builder *builder, uint32_t peer, struct tny_span span,
                          uint32_t phase);
uint32_t tny_builder_recv(struct tny_builder *builder, uint32_t peer, struct tny_span span,
                          uint32_t phase);
uint32_t tny_builder_copy(struct tny_builder *builder, struct tny_span from, struct tny_span to);
/* into = from op into, and into = into op from. */
uint32_t tny_builder_reduce_left(struct tny_builder *builder, struct tny_span from,
                                 struct tny_span into);
uint32_t tny_builder_reduce_right(struct tny_builder *builder, struct tny_span from,
                                  struct tny_span into);
uint32_t tny_builder_token_out(struct tny_builder *builder, uint32_t peer, uint32_t phase);
uint32_t tny_builder_token_in(struct tny_builder *builder, uint32_t peer, uint32_t phase);
/* The last appended step waits for `earlier`. */
void tny_builder_after(struct tny_builder *builder, uint32_t earlier);
/* Hands the steps over (Owns: caller's, tny_steps_release) or the first error; the builder is empty
 * after. */
enum tny_status tny_builder_finish(struct tny_builder *builder, struct tny_steps *steps,
                                   struct tny_error *error) TNY_MUST_CHECK;

/* Whole blocks: a shorthand for spans. */
static inline struct tny_span tny_span_blocks(enum tny_buffer buffer, uint32_t first,
                                              uint32_t count)
{
  return (struct tny_span){buffer, first, count, 0, 1, 1};
}

/* What a message of a barrier carries. */
static inline struct tny_span tny_span_nothing(void)
{
  return tny_span_blocks(TNY_INPUT, 0, 0);
}

/* How many pieces of chunk_count a span covers, of all its blocks. */
static inline uint64_t tny_span_pieces(const struct tny_span *span, uint32_t chunk_count)
{
  return (uint64_t)span->count * (span->chunk_count == 1 ? chunk_count : span->chunks);
}

/* The first chunks are a byte longer where the block doesn't divide. */
static inline uint64_t tny_span_bytes(const struct tny_span *span, uint64_t block_bytes)
{
  const uint64_t longer = block_bytes % span->chunk_count;
  const uint64_t end = span->chunk + (uint64_t)span->chunks;
  const uint64_t extra =
      (end < longer ? end : longer) - (span->chunk < longer ? span->chunk : longer);
  return span->count * (span->chunks * (block_bytes / span->chunk_count) + extra);
}

/* Passes: schedule to schedule, one rank at a time, so that a rank plans only itself. Each reads
   `in` and makes a new `out` (Owns: caller's). */

/* Cuts every whole span in chunk_count pieces; a piece waits for the same piece of what its step
   waited for. `run` consecutive phases form a run, whose steps are listed for chunk 0, then for
   chunk 1, ...; then comes the next run. So 1 lists all chunks of a phase before the next phase
   (ring, shift), the number of all phases lists all phases for a chunk before the next chunk
   (shuffle), and what lies between is a group shuffle. Run r begins with phase r*run*C.
   TNY_RUN_PIPELINED lists all phases chunk by chunk, where a chunk follows one phase behind the one
   before: phase f of chunk c is f + c (chain). A step without phase is in the run of the step
   before it, but for what a rank that sends combines behind its last message. Errors: TNY_REFUSED
   where a span is a piece already, or where a phase of an earlier run comes after one of a later
   run. */
#define TNY_RUN_PIPELINED 0
enum tny_status tny_pass_chunk(const struct tny_steps *in, uint32_t chunk_count, uint32_t run,
                               struct tny_steps *out, struct tny_error *error) TNY_MUST_CHECK;

enum tny_pacing {
  TNY_PACE_NONE,
  TNY_PACE_RECEIVES, /* the t-th send of a rank waits for its (t-window)-th receive, or for the last
                        one of an earlier phase than its own where that comes first */
  TNY_PACE_CREDITS,  /* the t-th send to a peer waits for a token that the peer returns on receive
                        t-window */
  TNY_PACE_CREDIT_BATCHES, /* the same with a token for each half window of messages: less is sent
                              against the stream, and as little is in flight */
  TNY_PACE_LINKS, /* by windows of the links alone (tny_pass_limit_links), which is not one rank's
                        matter; with a window of a rank all the same, as TNY_PACE_RECEIVES */
};
static inline bool tny_pacing_is_by_credits(enum tny_pacing pacing)
{
  return pacing == TNY_PACE_CREDITS || pacing == TNY_PACE_CREDIT_BATCHES;
}
/* window >= 1. */
enum tny_status tny_pass_pace(const struct tny_steps *in, enum tny_pacing pacing, uint32_t window,
                              struct tny_steps *out, struct tny_error *error) TNY_MUST_CHECK;

/* A rank's steps of a schedule that moves each block as it is. */
struct tny_reversed {
  enum tny_collective collective;
  uint32_t rank_count, root, rank;
  uint32_t phases, scratch_blocks; /* of the schedule */
  uint32_t piece_count;            /* that it cuts a block in */
  /* Not 0: block b of n is combined in scratch blocks b, b + n, b + 2n, ... alone. n counts the
     schedule's blocks, unless all its messages lie in its scratch space, and its own scratch blocks
     behind them, and is rounded up to a multiple of this. */
  uint32_t places_multiple;
};
/* Turns them round in time: who sent a block receives what is combined from those that got it. So a
   broadcast becomes a reduce, an all-gather a reduce-scatter, a scatter a gather, with as many
   messages and phases. Contributions are combined in any order (commutes). *scratch_blocks: what
   this rank needs. Errors: TNY_REFUSED where a block is received that nobody wants, or more than
   once; or where too much scratch space would be needed. */
enum tny_status tny_pass_reverse(const struct tny_steps *in, const struct tny_reversed *of,
                                 struct tny_steps *out, uint32_t *scratch_blocks,
                                 struct tny_error *error) TNY_MUST_CHECK;

/* How a block is shared out by the first and put together by the second of two schedules. */
struct tny_joined {
  uint32_t part_count;    /* parts of the block: as many as the second's output has blocks */
  uint32_t part;          /* that this rank gets from the first; 0 where it gets none */
  uint32_t pieces_a_part; /* that both cut a part in */
  uint32_t phases;        /* of the first */
};
/* Has the second follow the first, at each rank as soon as it can: a reduce-scatter, or a reduce,
   and an all-gather, or a broadcast from the same root, are an all-reduce. Nothing but a rank's
   part is written into the first's output, and the second sends it on from there. Scratch space is
   the same for both. */
enum tny_status tny_pass_join(const struct tny_steps *first, const struct tny_steps *second,
                              const struct tny_joined *of, struct tny_steps *out,
                              struct tny_error *error) TNY_MUST_CHECK;

/* The text form; reading what was written gives the same schedule. Owns: *text by tny_text_free. */
enum tny_status tny_schedule_write(const struct tny_schedule *schedule, char **text,
                                   struct tny_error *error) TNY_MUST_CHECK;
/* `name` is what errors call the text (a file's name). Memory: in proportion to the text's length,
   at most 1 MiB and 128 bytes a character. What `chunks` and `scratch` add to the blocks that so
   many ranks have, for whoever proves or runs the schedule, is at most 2,097,152 chunks over all
   ranks and 64 a character; else the text is TNY_BAD_INPUT. */
enum tny_status tny_schedule_read(const char *text, const char *name,
                                  struct tny_schedule **schedule,
                                  struct tny_error *error) TNY_MUST_CHECK;

#endif
