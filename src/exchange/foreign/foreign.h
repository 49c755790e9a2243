/* A schedule of another tool: operations, and what each needs before it starts. Unlike our own
   schedules it has no queues: an operation starts as soon as all it needs has happened. Readers
   fill it; the checks work on it alone, and name lines of the file. */
#ifndef TOURNEY_EXCHANGE_FOREIGN_FOREIGN_H
#define TOURNEY_EXCHANGE_FOREIGN_FOREIGN_H

#include <tourney/exchange.h>

#include "exchange/collectives.h"

/* Locations of all ranks together; as many as data can be proved for. */
#define TNY_FOREIGN_LOCATIONS_MAX ((uint64_t)1 << 27)

enum tny_act { TNY_ACT_SEND, TNY_ACT_RECV, TNY_ACT_LOCAL };

/* Locations of a rank's buffers: `runs` times `run` of them, `stride` apart; runs 0: none. A
   location holds one chunk. They are numbered: first those of the input, then those of the output,
   then those of the scratch. */
struct tny_region {
  uint64_t first;
  uint32_t runs, run, stride;
};

struct tny_operation {
  enum tny_act act;
  uint32_t rank, peer; /* local: peer is TNY_NONE */
  uint32_t channel;    /* GOAL: the tag; only ends on the same channel can meet */
  uint32_t processor;  /* GOAL: cpu */
  uint32_t phase;      /* TNY_NONE: none */
  unsigned line;
  uint64_t bytes;             /* GOAL: of a message; local: its ns */
  struct tny_region from, to; /* what a send or local reads, what a receive or local writes */
  uint32_t need_first, need_count;
  /* Found by tny_foreign_match: the other end; of a send, the one before on the same connection,
     and TNY_NONE for the first. */
  uint32_t partner, previous;
};

/* An operation starts after another is complete, or after it has started. */
struct tny_need {
  uint32_t operation;
  bool started;
  bool by_queue; /* our form has it by the order of a queue */
};

struct tny_edge {
  uint32_t operation;
  struct tny_need need;
};

struct tny_foreign {
  enum tny_form form;
  char *name; /* of the file */
  uint32_t rank_count;
  struct tny_operation *operations; /* each rank's together, in the file's order */
  uint32_t *first, *end;            /* by rank */
  struct tny_need *needs;
  struct tny_edge *edges; /* while it is read: needs, by when they were read */
  uint32_t operation_count, operation_room, edge_count, edge_room;
  /* Data; head NULL: not known. */
  struct tny_schedule *head;
  uint64_t block_bytes; /* 0: not known */
  uint64_t input_locations, output_locations, scratch_locations;
  bool in_place;
};

/* Owns: the caller's, tny_foreign_free. */
enum tny_status tny_foreign_new(enum tny_form form, const char *name, struct tny_foreign **foreign,
                                struct tny_error *error) TNY_MUST_CHECK;
/* Says how many ranks there are. */
enum tny_status tny_foreign_set_ranks(struct tny_foreign *foreign, uint32_t rank_count,
                                      struct tny_error *error) TNY_MUST_CHECK;
/* The operation's index is operation_count - 1 after. */
enum tny_status tny_foreign_add(struct tny_foreign *foreign, const struct tny_operation *operation,
                                struct tny_error *error) TNY_MUST_CHECK;
enum tny_status tny_foreign_need(struct tny_foreign *foreign, struct tny_edge edge,
                                 struct tny_error *error) TNY_MUST_CHECK;
/* Sorts the needs by operation; nothing may be added after. */
enum tny_status tny_foreign_finish(struct tny_foreign *foreign,
                                   struct tny_error *error) TNY_MUST_CHECK;

static inline uint64_t tny_foreign_locations(const struct tny_foreign *foreign)
{
  return foreign->input_locations + foreign->output_locations + foreign->scratch_locations;
}

/* A buffer's first location. */
static inline uint64_t tny_foreign_buffer_first(const struct tny_foreign *foreign,
                                                enum tny_buffer buffer)
{
  return (buffer >= TNY_OUTPUT ? foreign->input_locations : 0) +
         (buffer >= TNY_SCRATCH ? foreign->output_locations : 0);
}

/* The first location of a rank's input: in place, it lies in the output. */
static inline uint64_t tny_foreign_input(const struct tny_foreign *foreign, uint32_t rank)
{
  if (!foreign->in_place)
    return 0;
  const uint32_t block = tny_exchange_in_place_block(foreign->head->collective, rank);
  return foreign->input_locations + (uint64_t)block * foreign->head->chunk_count;
}

/* Has the rank an output of its own? In MSCCL every rank has one. */
static inline bool tny_foreign_has_output(const struct tny_foreign *foreign, uint32_t rank)
{
  return foreign->form == TNY_FORM_MSCCL || tny_exchange_has_output(foreign->head, rank);
}

static inline uint64_t tny_region_chunks(const struct tny_region *region)
{
  return (uint64_t)region->runs * region->run;
}

/* The k-th location, k < tny_region_chunks. */
static inline uint64_t tny_region_at(const struct tny_region *region, uint64_t k)
{
  return region->first + k / region->run * region->stride + k % region->run;
}

/* The buffer that a location is in; *location is counted from the buffer's first one after. */
enum tny_buffer tny_foreign_buffer_of(const struct tny_foreign *foreign, uint64_t *location);

/* The most chunks that a rank's operations read, counted as often as they do. */
uint64_t tny_foreign_reads_max(const struct tny_foreign *foreign);

struct tny_foreign_words {
  char text[96];
};
/* "rank 0's send to 1 (line 7)" */
struct tny_foreign_words tny_foreign_words(const struct tny_foreign *foreign, uint32_t operation);
/* "output chunk 3" */
struct tny_foreign_words tny_foreign_location_words(const struct tny_foreign *foreign,
                                                    uint64_t location);

/* These two record an error with the line of an operation: TNY_BROKEN, and TNY_REFUSED. */
enum tny_status tny_foreign_fail(const struct tny_foreign *foreign, uint32_t operation,
                                 struct tny_error *error, const char *format, ...) TNY_PRINTF(4, 5);
enum tny_status tny_foreign_refuse(const struct tny_foreign *foreign, uint32_t operation,
                                   struct tny_error *error, const char *format, ...)
    TNY_PRINTF(4, 5);

#endif
