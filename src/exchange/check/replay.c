/* The data, chunk for chunk, in one order of the events. races.c shows that what an operation
   reads is the same in every interleaving, so one order shows it for all. */
#include "core/alloc.h"
#include "core/error.h"
#include "exchange/check/checks.h"
#include "exchange/collectives.h"

struct play {
  const struct tny_foreign *foreign;
  uint64_t locations; /* a rank */
  /* By rank and location: 1 + chunk of all ranks' inputs (rank * chunks of an input + chunk); 0:
     nobody has written it. */
  uint64_t *content;
  uint64_t *carried;       /* by messages: what is on its way */
  uint64_t *carried_first; /* by operation: where a send's chunks begin in it */
};

/* Chunks of what one rank has at the start. */
static uint64_t input_chunks(const struct tny_foreign *foreign)
{
  const struct tny_schedule *head = foreign->head;
  return (uint64_t)tny_buffer_blocks(head->collective, TNY_INPUT, head->rank_count) *
         head->chunk_count;
}

static void fill_inputs(const struct play *play)
{
  const struct tny_foreign *foreign = play->foreign;
  const struct tny_schedule *head = foreign->head;
  const uint64_t chunks = input_chunks(foreign);
  for (uint32_t rank = 0; rank < foreign->rank_count; rank++) {
    uint64_t *content = play->content + rank * play->locations + tny_foreign_input(foreign, rank);
    for (uint64_t chunk = 0; tny_exchange_has_input(head, rank) && chunk < chunks; chunk++)
      content[chunk] = 1 + rank * chunks + chunk;
  }
}

/* Copies what an operation reads; TNY_BROKEN where there is nothing. */
static enum tny_status read_region(const struct play *play, uint32_t operation, uint64_t *into,
                                   struct tny_error *error)
{
  const struct tny_operation *at = &play->foreign->operations[operation];
  const uint64_t *content = play->content + at->rank * play->locations;
  for (uint64_t k = 0; k < tny_region_chunks(&at->from); k++) {
    const uint64_t location = tny_region_at(&at->from, k);
    into[k] = content[location];
    if (into[k] == 0)
      return tny_foreign_fail(play->foreign, operation, error,
                              "%s reads %s, where nothing is written before",
                              tny_foreign_words(play->foreign, operation).text,
                              tny_foreign_location_words(play->foreign, location).text);
  }
  return TNY_OK;
}

static void write_region(const struct play *play, uint32_t operation, const uint64_t *from)
{
  const struct tny_operation *at = &play->foreign->operations[operation];
  uint64_t *content = play->content + at->rank * play->locations;
  for (uint64_t k = 0; k < tny_region_chunks(&at->to); k++)
    content[tny_region_at(&at->to, k)] = from[k];
}

static enum tny_status play_all(const struct play *play, const struct tny_event_order *order,
                                struct tny_error *error)
{
  const struct tny_foreign *foreign = play->foreign;
  enum tny_status status = TNY_OK;
  for (uint32_t i = 0; status == TNY_OK && i < 2 * foreign->operation_count; i++) {
    const uint32_t operation = order->events[i] / 2;
    const struct tny_operation *at = &foreign->operations[operation];
    if (order->events[i] % 2 == 0)
      continue;
    const uint32_t source = at->act == TNY_ACT_RECV ? at->partner : operation;
    uint64_t *carried = play->carried + play->carried_first[source];
    if (at->act != TNY_ACT_RECV)
      status = read_region(play, operation, carried, error);
    if (status == TNY_OK && at->act != TNY_ACT_SEND)
      write_region(play, operation, carried);
  }
  return status;
}

/* 1 + the input chunk that belongs in a rank's output chunk. */
static uint64_t wanted_in(const struct tny_schedule *head, uint32_t rank, uint64_t chunk)
{
  const uint32_t pieces = head->chunk_count;
  const uint32_t block = (uint32_t)(chunk / pieces);
  return 1 + tny_exchange_wanted_block(head, rank, block) * pieces + chunk % pieces;
}

/* The last operation in the order that writes a location of a rank; TNY_NONE: none. */
static uint32_t writer_of(const struct play *play, const struct tny_event_order *order,
                          uint32_t rank, uint64_t location)
{
  for (uint32_t i = order->rank_first[rank + 1]; i-- > order->rank_first[rank];) {
    const struct tny_region *to = &play->foreign->operations[order->starts[i]].to;
    for (uint64_t k = 0; k < tny_region_chunks(to); k++)
      if (tny_region_at(to, k) == location)
        return order->starts[i];
  }
  return TNY_NONE;
}

static enum tny_status wrong_chunk(const struct play *play, const struct tny_event_order *order,
                                   uint32_t rank, uint64_t location, struct tny_error *error)
{
  const struct tny_foreign *foreign = play->foreign;
  const uint64_t chunks = input_chunks(foreign);
  const uint64_t found = play->content[rank * play->locations + location];
  const uint64_t wanted = wanted_in(foreign->head, rank, location - foreign->input_locations);
  const uint32_t writer = writer_of(play, order, rank, location);
  if (writer == TNY_NONE)
    return tny_error_at(error, TNY_BROKEN, foreign->name, 0, 0,
                        "rank %u ends without input chunk %llu of rank %llu: nothing writes %s",
                        rank, (unsigned long long)((wanted - 1) % chunks),
                        (unsigned long long)((wanted - 1) / chunks),
                        tny_foreign_location_words(foreign, location).text);
  return tny_foreign_fail(
      foreign, writer, error,
      "%s leaves input chunk %llu of rank %llu in %s, where chunk %llu of rank "
      "%llu belongs",
      tny_foreign_words(foreign, writer).text, (unsigned long long)((found - 1) % chunks),
      (unsigned long long)((found - 1) / chunks),
      tny_foreign_location_words(foreign, location).text,
      (unsigned long long)((wanted - 1) % chunks), (unsigned long long)((wanted - 1) / chunks));
}

static enum tny_status check_outputs(const struct play *play, const struct tny_event_order *order,
                                     struct tny_error *error)
{
  const struct tny_foreign *foreign = play->foreign;
  const struct tny_schedule *head = foreign->head;
  for (uint32_t rank = 0; rank < foreign->rank_count; rank++) {
    const uint64_t *content = play->content + rank * play->locations + foreign->input_locations;
    if (!tny_foreign_has_output(foreign, rank))
      continue;
    for (uint64_t chunk = 0; chunk < foreign->output_locations; chunk++)
      if (tny_schedule_wants(head, (uint32_t)(chunk / head->chunk_count), rank) &&
          content[chunk] != wanted_in(head, rank, chunk))
        return wrong_chunk(play, order, rank, foreign->input_locations + chunk, error);
  }
  return TNY_OK;
}

enum tny_status tny_foreign_replay(const struct tny_foreign *foreign,
                                   const struct tny_event_order *order, struct tny_error *error)
{
  struct play play = {.foreign = foreign, .locations = tny_foreign_locations(foreign)};
  uint64_t carried = 0;
  play.carried_first = tny_new(foreign->operation_count, sizeof *play.carried_first);
  if (!play.carried_first)
    return tny_error_memory(error);
  for (uint32_t i = 0; i < foreign->operation_count; i++) {
    play.carried_first[i] = carried;
    carried += tny_region_chunks(&foreign->operations[i].from);
  }
  play.content = tny_new(foreign->rank_count * play.locations, sizeof *play.content);
  play.carried = tny_new(carried, sizeof *play.carried);
  enum tny_status status = TNY_OK;
  if (!play.content || !play.carried)
    status = tny_error_memory(error);
  if (status == TNY_OK) {
    fill_inputs(&play);
    status = play_all(&play, order, error);
  }
  if (status == TNY_OK)
    status = check_outputs(&play, order, error);
  tny_free(play.carried_first);
  tny_free(play.content);
  tny_free(play.carried);
  return status;
}
