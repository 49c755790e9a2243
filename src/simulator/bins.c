#include "simulator/bins.h"

#include "core/alloc.h"
#include "core/error.h"

enum { SLOTS_MAX = 256 }; /* even */

enum tny_status tny_slots_init(struct tny_slots *slots, uint32_t link_count,
                               struct tny_error *error)
{
  *slots = (struct tny_slots){.link_count = link_count, .cycles = 1, .end = 1};
  slots->before = tny_new(link_count, sizeof *slots->before);
  slots->flits = tny_new((size_t)link_count * SLOTS_MAX, sizeof *slots->flits);
  return slots->before && slots->flits ? TNY_OK : tny_error_memory(error);
}

void tny_slots_release(struct tny_slots *slots)
{
  tny_free(slots->before);
  tny_free(slots->flits);
}

/* Each two slots become one. */
static void halve(struct tny_slots *slots)
{
  const size_t links = slots->link_count;
  for (uint32_t slot = 0; slot < SLOTS_MAX / 2; slot++)
    for (size_t link = 0; link < links; link++)
      slots->flits[slot * links + link] =
          slots->flits[2 * slot * links + link] + slots->flits[(2 * slot + 1) * links + link];
  slots->count /= 2;
  slots->cycles *= 2;
  slots->end = (slots->count + (uint64_t)1) * slots->cycles;
}

static void end_slot(struct tny_slots *slots, const uint64_t *link_flits)
{
  uint32_t *flits = slots->flits + (size_t)slots->count * slots->link_count;
  for (uint32_t link = 0; link < slots->link_count; link++) {
    flits[link] = (uint32_t)(link_flits[link] - slots->before[link]);
    slots->before[link] = link_flits[link];
  }
  slots->count++;
  slots->end += slots->cycles;
}

void tny_slots_note(struct tny_slots *slots, uint64_t cycle, const uint64_t *link_flits)
{
  while (cycle >= slots->end) {
    end_slot(slots, link_flits);
    if (slots->count == SLOTS_MAX)
      halve(slots);
  }
}

enum tny_status tny_slots_finish(struct tny_slots *slots, uint64_t cycle,
                                 const uint64_t *link_flits, struct tny_simulation *simulation,
                                 struct tny_error *error)
{
  tny_slots_note(slots, cycle, link_flits);
  if (slots->count * slots->cycles < cycle)
    end_slot(slots, link_flits); /* there is room for one: SLOTS_MAX are halved at once */
  const size_t count = slots->count, links = slots->link_count;
  simulation->slot_flits = tny_new(links * count, sizeof *simulation->slot_flits);
  if (!simulation->slot_flits)
    return tny_error_memory(error);
  simulation->slot_count = slots->count;
  simulation->slot_cycles = slots->cycles;
  for (size_t slot = 0; slot < count; slot++)
    for (size_t link = 0; link < links; link++)
      simulation->slot_flits[link * count + slot] = slots->flits[slot * links + link];
  return TNY_OK;
}
