/* Each user is compared with the last one that wrote a location and those that have read it since:
   what is earlier still comes before these. */
#include "exchange/dependences.h"

#include "core/alloc.h"
#include "core/error.h"
#include "exchange/list.h"
#include "schedule/steps.h"

enum tny_status tny_dependences_init(struct tny_dependences *dependences, uint64_t locations,
                                     struct tny_error *error)
{
  *dependences = (struct tny_dependences){.locations = locations};
  dependences->written = tny_new(locations, sizeof *dependences->written);
  dependences->read = tny_new(locations, sizeof *dependences->read);
  return dependences->written && dependences->read ? TNY_OK : tny_error_memory(error);
}

void tny_dependences_release(struct tny_dependences *dependences)
{
  tny_free(dependences->written);
  tny_free(dependences->read);
  tny_free(dependences->readers);
  tny_free(dependences->found);
}

void tny_dependences_clear(struct tny_dependences *dependences)
{
  memset(dependences->written, 0, dependences->locations * sizeof *dependences->written);
  memset(dependences->read, 0, dependences->locations * sizeof *dependences->read);
  dependences->reader_count = 0;
}

static enum tny_status add_found(struct tny_dependences *dependences, uint32_t user,
                                 struct tny_error *error)
{
  uint32_t *found = tny_list_reserve(dependences->found, dependences->found_count,
                                     &dependences->found_room, sizeof *found);
  if (!found)
    return tny_error_memory(error);
  dependences->found = found;
  found[dependences->found_count++] = user;
  return TNY_OK;
}

static enum tny_status add_writer(struct tny_dependences *dependences, uint64_t location,
                                  struct tny_error *error)
{
  const uint32_t writer = dependences->written[location];
  return writer > 0 ? add_found(dependences, writer - 1, error) : TNY_OK;
}

enum tny_status tny_dependences_read(struct tny_dependences *dependences, uint32_t user,
                                     uint64_t location, struct tny_error *error)
{
  const enum tny_status status = add_writer(dependences, location, error);
  if (status != TNY_OK)
    return status;
  struct tny_location_reader *readers = tny_list_reserve(
      dependences->readers, dependences->reader_count, &dependences->reader_room, sizeof *readers);
  if (!readers)
    return tny_error_memory(error);
  dependences->readers = readers;
  readers[dependences->reader_count++] =
      (struct tny_location_reader){user, dependences->read[location] - 1};
  dependences->read[location] = dependences->reader_count;
  return TNY_OK;
}

enum tny_status tny_dependences_write(struct tny_dependences *dependences, uint32_t user,
                                      uint64_t location, struct tny_error *error)
{
  enum tny_status status = add_writer(dependences, location, error);
  for (uint32_t i = dependences->read[location] - 1; status == TNY_OK && i != TNY_NONE;
       i = dependences->readers[i].next)
    status = add_found(dependences, dependences->readers[i].user, error);
  dependences->read[location] = 0;
  dependences->written[location] = user + 1;
  return status;
}

uint64_t tny_dependences_locations(const struct tny_schedule *schedule)
{
  const uint64_t blocks =
      (uint64_t)tny_buffer_blocks(schedule->collective, TNY_OUTPUT, schedule->rank_count) +
      schedule->scratch_blocks;
  return blocks * schedule->chunk_count;
}

/* A span, as a step uses it. */
struct use {
  uint32_t step;
  const struct tny_span *span;
  bool writes;
};

static enum tny_status use_span(struct tny_dependences *dependences,
                                const struct tny_schedule *schedule, struct use use,
                                struct tny_error *error)
{
  const struct tny_span *span = use.span;
  const uint32_t chunk_count = schedule->chunk_count;
  const bool is_whole = span->chunk_count == 1;
  const uint32_t chunk = is_whole ? 0 : span->chunk, chunks = is_whole ? chunk_count : span->chunks;
  const uint32_t base =
      span->buffer == TNY_SCRATCH
          ? tny_buffer_blocks(schedule->collective, TNY_OUTPUT, schedule->rank_count)
          : 0;
  enum tny_status status = TNY_OK;
  for (uint32_t k = 0; span->buffer != TNY_INPUT && k < span->count; k++)
    for (uint32_t i = 0; status == TNY_OK && i < chunks; i++) {
      const uint64_t location = (uint64_t)(base + span->first + k) * chunk_count + chunk + i;
      status = use.writes ? tny_dependences_write(dependences, use.step, location, error)
                          : tny_dependences_read(dependences, use.step, location, error);
    }
  return status;
}

enum tny_status tny_dependences_find(struct tny_dependences *dependences,
                                     const struct tny_schedule *schedule, uint32_t step,
                                     const struct tny_step *used, struct tny_error *error)
{
  dependences->found_count = 0;
  const struct tny_span *read = tny_step_read(used), *written = tny_step_written(used);
  const struct use reading = {step, read, false}, writing = {step, written, true};
  enum tny_status status = read ? use_span(dependences, schedule, reading, error) : TNY_OK;
  if (status == TNY_OK && written)
    status = use_span(dependences, schedule, writing, error);
  return status;
}
