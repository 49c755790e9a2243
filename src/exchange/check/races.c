/* Races within a rank. In the order of starts, each operation is compared with the last one that
   wrote a location and with those that have read it since; what is earlier is complete before
   these are. Only what the rank's own operations need of each other counts: an order that another
   rank brings about, by a message there and one back, doesn't.

   What uses a location is remembered here once more, apart from dependences.c: files are written
   with the help of that, and this proves them. */
#include "core/alloc.h"
#include "core/error.h"
#include "exchange/check/checks.h"
#include "exchange/check/precedence.h"

/* Operations that read a location since it was written, newest first. */
struct reader {
  uint32_t operation;
  uint32_t next; /* TNY_NONE: none */
};

struct uses {
  uint32_t writer; /* TNY_NONE: none yet */
  uint32_t reader; /* the newest, TNY_NONE: none */
};

struct races {
  const struct tny_foreign *foreign;
  struct tny_precedence before;
  struct uses *uses; /* of one rank, by location */
  struct reader *readers;
  uint32_t reader_count;
};

static enum tny_status race(const struct races *races, uint32_t earlier, uint32_t later,
                            uint64_t location, struct tny_error *error)
{
  const struct tny_foreign *foreign = races->foreign;
  return tny_foreign_fail(foreign, later, error,
                          "%s and %s both use %s, one of them writes it, and neither waits for the "
                          "other",
                          tny_foreign_words(foreign, later).text,
                          tny_foreign_words(foreign, earlier).text,
                          tny_foreign_location_words(foreign, location).text);
}

static bool is_open(const struct races *races, uint32_t earlier, uint32_t later)
{
  return earlier != TNY_NONE && earlier != later && !tny_precedes(&races->before, earlier, later);
}

static enum tny_status check_reads(struct races *races, uint32_t operation, struct tny_error *error)
{
  const struct tny_region *from = &races->foreign->operations[operation].from;
  for (uint64_t k = 0; k < tny_region_chunks(from); k++) {
    const uint64_t at = tny_region_at(from, k);
    struct uses *uses = &races->uses[at];
    if (is_open(races, uses->writer, operation))
      return race(races, uses->writer, operation, at, error);
    races->readers[races->reader_count] = (struct reader){operation, uses->reader};
    uses->reader = races->reader_count++;
  }
  return TNY_OK;
}

/* Does an operation read a location as another chunk than the k-th, which it writes there? Then
   what it leaves depends on the order in which it copies its chunks. */
static bool reads_out_of_turn(const struct races *races, const struct reader *reader,
                              uint32_t operation, uint64_t k)
{
  const struct tny_operation *at = &races->foreign->operations[operation];
  return reader->operation == operation && tny_region_at(&at->from, k) != tny_region_at(&at->to, k);
}

static enum tny_status check_writes(struct races *races, uint32_t operation,
                                    struct tny_error *error)
{
  const struct tny_region *to = &races->foreign->operations[operation].to;
  for (uint64_t k = 0; k < tny_region_chunks(to); k++) {
    const uint64_t at = tny_region_at(to, k);
    struct uses *uses = &races->uses[at];
    if (at < races->foreign->input_locations)
      return tny_foreign_fail(races->foreign, operation, error,
                              "%s writes %s; inputs are only read",
                              tny_foreign_words(races->foreign, operation).text,
                              tny_foreign_location_words(races->foreign, at).text);
    if (is_open(races, uses->writer, operation))
      return race(races, uses->writer, operation, at, error);
    for (uint32_t i = uses->reader; i != TNY_NONE; i = races->readers[i].next) {
      if (is_open(races, races->readers[i].operation, operation))
        return race(races, races->readers[i].operation, operation, at, error);
      if (reads_out_of_turn(races, &races->readers[i], operation, k))
        return tny_foreign_fail(races->foreign, operation, error,
                                "%s writes %s, which it reads itself",
                                tny_foreign_words(races->foreign, operation).text,
                                tny_foreign_location_words(races->foreign, at).text);
    }
    *uses = (struct uses){operation, TNY_NONE};
  }
  return TNY_OK;
}

static enum tny_status check_rank(struct races *races, const struct tny_event_order *order,
                                  uint32_t rank, struct tny_error *error)
{
  const struct tny_foreign *foreign = races->foreign;
  races->before = (struct tny_precedence){.rank = rank, .happens = TNY_HAPPENS_COMPLETION};
  enum tny_status status = tny_precedence_make(foreign, order, &races->before, error);
  races->reader_count = 0;
  for (uint64_t location = 0; location < tny_foreign_locations(foreign); location++)
    races->uses[location] = (struct uses){TNY_NONE, TNY_NONE};
  for (uint32_t i = order->rank_first[rank]; status == TNY_OK && i < order->rank_first[rank + 1];
       i++) {
    status = check_reads(races, order->starts[i], error);
    if (status == TNY_OK)
      status = check_writes(races, order->starts[i], error);
  }
  tny_precedence_release(&races->before);
  return status;
}

enum tny_status tny_foreign_races(const struct tny_foreign *foreign,
                                  const struct tny_event_order *order, struct tny_error *error)
{
  struct races races = {.foreign = foreign};
  const uint64_t reads = tny_foreign_reads_max(foreign);
  if (reads >= TNY_NONE)
    return tny_error_set(error, TNY_REFUSED, "%llu chunks read by one rank are too many to prove",
                         (unsigned long long)reads);
  races.uses = tny_new(tny_foreign_locations(foreign), sizeof *races.uses);
  races.readers = tny_new(reads, sizeof *races.readers);
  enum tny_status status = TNY_OK;
  if (!races.uses || !races.readers)
    status = tny_error_memory(error);
  for (uint32_t rank = 0; status == TNY_OK && rank < foreign->rank_count; rank++)
    status = check_rank(&races, order, rank, error);
  tny_free(races.uses);
  tny_free(races.readers);
  return status;
}
