/* In list order, each step is held against the last one that wrote a location and those that read
   it since: what is earlier still comes before these. */
#include "exchange/dependences.h"

#include "core/alloc.h"
#include "core/error.h"
#include "exchange/list.h"
#include "schedule/steps.h"

enum tny_status tny_dependences_init(struct tny_dependences *dependences,
                                     const struct tny_schedule *schedule, struct tny_error *error)
{
  const size_t blocks =
      (size_t)tny_buffer_blocks(schedule->collective, TNY_OUTPUT, schedule->rank_count) +
      schedule->scratch_blocks;
  *dependences =
      (struct tny_dependences){.schedule = schedule, .locations = blocks * schedule->chunk_count};
  dependences->written = tny_new(dependences->locations, sizeof *dependences->written);
  dependences->read = tny_new(dependences->locations, sizeof *dependences->read);
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

static enum tny_status add_found(struct tny_dependences *dependences, uint32_t step,
                                 struct tny_error *error)
{
  uint32_t *found = tny_list_reserve(dependences->found, dependences->found_count,
                                     &dependences->found_room, sizeof *found);
  if (!found)
    return tny_error_memory(error);
  dependences->found = found;
  found[dependences->found_count++] = step;
  return TNY_OK;
}

static enum tny_status add_reader(struct tny_dependences *dependences, uint32_t step,
                                  size_t location, struct tny_error *error)
{
  struct tny_location_reader *readers = tny_list_reserve(
      dependences->readers, dependences->reader_count, &dependences->reader_room, sizeof *readers);
  if (!readers)
    return tny_error_memory(error);
  dependences->readers = readers;
  readers[dependences->reader_count++] =
      (struct tny_location_reader){step, dependences->read[location] - 1};
  dependences->read[location] = dependences->reader_count;
  return TNY_OK;
}

static enum tny_status read_location(struct tny_dependences *dependences, uint32_t step,
                                     size_t location, struct tny_error *error)
{
  const uint32_t writer = dependences->written[location];
  const enum tny_status status = writer > 0 ? add_found(dependences, writer - 1, error) : TNY_OK;
  return status == TNY_OK ? add_reader(dependences, step, location, error) : status;
}

static enum tny_status write_location(struct tny_dependences *dependences, uint32_t step,
                                      size_t location, struct tny_error *error)
{
  const uint32_t writer = dependences->written[location];
  enum tny_status status = writer > 0 ? add_found(dependences, writer - 1, error) : TNY_OK;
  for (uint32_t i = dependences->read[location] - 1; status == TNY_OK && i != TNY_NONE;
       i = dependences->readers[i].next)
    status = add_found(dependences, dependences->readers[i].step, error);
  dependences->read[location] = 0;
  dependences->written[location] = step + 1;
  return status;
}

static enum tny_status use_span(struct tny_dependences *dependences, uint32_t step,
                                const struct tny_span *span, bool writes, struct tny_error *error)
{
  const struct tny_schedule *schedule = dependences->schedule;
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
      const size_t location = (size_t)(base + span->first + k) * chunk_count + chunk + i;
      status = writes ? write_location(dependences, step, location, error)
                      : read_location(dependences, step, location, error);
    }
  return status;
}

enum tny_status tny_dependences_add(struct tny_dependences *dependences, uint32_t index,
                                    const struct tny_step *step, struct tny_error *error)
{
  dependences->found_count = 0;
  if (tny_step_is_token(step->kind))
    return TNY_OK;
  enum tny_status status = use_span(dependences, index, &step->span, step->kind == TNY_RECV, error);
  if (status == TNY_OK && step->kind == TNY_COPY)
    status = use_span(dependences, index, &step->target, true, error);
  return status;
}
