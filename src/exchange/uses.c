/* Steps by the places that they use. Inputs are only read: nobody waits for that. */
#include "exchange/uses.h"

#include "core/alloc.h"
#include "core/error.h"

enum tny_status tny_uses_init(struct tny_uses *uses, const struct tny_schedule *schedule,
                              struct tny_error *error)
{
  const size_t blocks =
      (size_t)tny_buffer_blocks(schedule->collective, TNY_OUTPUT, schedule->rank_count) +
      schedule->scratch_blocks;
  *uses = (struct tny_uses){.schedule = schedule, .places = blocks * schedule->chunk_count};
  uses->written = tny_new(uses->places, sizeof *uses->written);
  uses->read = tny_new(uses->places, sizeof *uses->read);
  return uses->written && uses->read ? TNY_OK : tny_error_memory(error);
}

void tny_uses_release(struct tny_uses *uses)
{
  tny_free(uses->written);
  tny_free(uses->read);
  tny_free(uses->readers);
  tny_free(uses->found);
}

void tny_uses_clear(struct tny_uses *uses)
{
  memset(uses->written, 0, uses->places * sizeof *uses->written);
  memset(uses->read, 0, uses->places * sizeof *uses->read);
  uses->reader_count = 0;
}

/* Room for one more element. */
static enum tny_status make_room(void **list, uint32_t count, uint32_t *room, size_t element_bytes,
                                 struct tny_error *error)
{
  if (count < *room)
    return TNY_OK;
  const uint32_t wanted = *room ? 2 * *room : 64;
  void *grown = tny_resize(*list, wanted, element_bytes);
  if (!grown)
    return tny_error_memory(error);
  *list = grown;
  *room = wanted;
  return TNY_OK;
}

static enum tny_status find(struct tny_uses *uses, uint32_t step, struct tny_error *error)
{
  void *list = uses->found;
  const enum tny_status status =
      make_room(&list, uses->found_count, &uses->found_room, sizeof *uses->found, error);
  uses->found = list;
  if (status == TNY_OK)
    uses->found[uses->found_count++] = step;
  return status;
}

static enum tny_status use_place(struct tny_uses *uses, uint32_t index, size_t place, bool writes,
                                 struct tny_error *error)
{
  enum tny_status status = TNY_OK;
  if (uses->written[place] > 0)
    status = find(uses, uses->written[place] - 1, error);
  if (status == TNY_OK && !writes) {
    void *list = uses->readers;
    status = make_room(&list, uses->reader_count, &uses->reader_room, sizeof *uses->readers, error);
    uses->readers = list;
    if (status != TNY_OK)
      return status;
    uses->readers[uses->reader_count++] = (struct tny_use){index, uses->read[place] - 1};
    uses->read[place] = uses->reader_count;
    return TNY_OK;
  }
  for (uint32_t i = uses->read[place] - 1; status == TNY_OK && i != TNY_NONE;
       i = uses->readers[i].next)
    status = find(uses, uses->readers[i].step, error);
  uses->read[place] = 0;
  uses->written[place] = index + 1;
  return status;
}

static enum tny_status use_span(struct tny_uses *uses, uint32_t index, const struct tny_span *span,
                                bool writes, struct tny_error *error)
{
  const struct tny_schedule *schedule = uses->schedule;
  const uint32_t chunk_count = schedule->chunk_count;
  const bool is_whole = span->chunk_count == 1;
  const uint32_t chunk = is_whole ? 0 : span->chunk, chunks = is_whole ? chunk_count : span->chunks;
  const uint32_t base =
      span->buffer == TNY_SCRATCH
          ? tny_buffer_blocks(schedule->collective, TNY_OUTPUT, schedule->rank_count)
          : 0;
  enum tny_status status = TNY_OK;
  for (uint32_t k = 0; span->buffer != TNY_INPUT && k < span->count; k++)
    for (uint32_t i = 0; status == TNY_OK && i < chunks; i++)
      status = use_place(uses, index, (size_t)(base + span->first + k) * chunk_count + chunk + i,
                         writes, error);
  return status;
}

enum tny_status tny_uses_add(struct tny_uses *uses, uint32_t index, const struct tny_step *step,
                             struct tny_error *error)
{
  uses->found_count = 0;
  const struct tny_span *read = tny_step_read(step), *written = tny_step_written(step);
  enum tny_status status = read ? use_span(uses, index, read, false, error) : TNY_OK;
  if (status == TNY_OK && written)
    status = use_span(uses, index, written, true, error);
  return status;
}
