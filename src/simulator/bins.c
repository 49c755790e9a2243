/* The histogram of the flits on each link. */
#include "simulator/bins.h"

#include "core/alloc.h"
#include "core/error.h"

enum { BINS_MAX = 256 }; /* even */

enum tny_status tny_bins_init(struct tny_bins *bins, uint32_t link_count, struct tny_error *error)
{
  *bins = (struct tny_bins){.link_count = link_count, .cycles = 1, .end = 1};
  bins->before = tny_new(link_count, sizeof *bins->before);
  bins->flits = tny_new((size_t)link_count * BINS_MAX, sizeof *bins->flits);
  return bins->before && bins->flits ? TNY_OK : tny_error_memory(error);
}

void tny_bins_release(struct tny_bins *bins)
{
  tny_free(bins->before);
  tny_free(bins->flits);
}

/* Merges each two bins. */
static void merge_pairs(struct tny_bins *bins)
{
  const size_t links = bins->link_count;
  for (uint32_t bin = 0; bin < BINS_MAX / 2; bin++)
    for (size_t link = 0; link < links; link++)
      bins->flits[bin * links + link] =
          bins->flits[2 * bin * links + link] + bins->flits[(2 * bin + 1) * links + link];
  bins->count /= 2;
  bins->cycles *= 2;
  bins->end = (bins->count + (uint64_t)1) * bins->cycles;
}

static void end_bin(struct tny_bins *bins, const uint64_t *link_flits)
{
  uint32_t *flits = bins->flits + (size_t)bins->count * bins->link_count;
  for (uint32_t link = 0; link < bins->link_count; link++) {
    flits[link] = (uint32_t)(link_flits[link] - bins->before[link]);
    bins->before[link] = link_flits[link];
  }
  bins->count++;
  bins->end += bins->cycles;
}

void tny_bins_note(struct tny_bins *bins, uint64_t cycle, const uint64_t *link_flits)
{
  while (cycle >= bins->end) {
    end_bin(bins, link_flits);
    if (bins->count == BINS_MAX)
      merge_pairs(bins);
  }
}

enum tny_status tny_bins_finish(struct tny_bins *bins, uint64_t cycle, const uint64_t *link_flits,
                                struct tny_simulation *simulation, struct tny_error *error)
{
  tny_bins_note(bins, cycle, link_flits);
  if (bins->count * bins->cycles < cycle)
    end_bin(bins, link_flits); /* there is room for one: BINS_MAX are merged at once */
  const size_t count = bins->count, links = bins->link_count;
  simulation->bin_flits = tny_new(links * count, sizeof *simulation->bin_flits);
  if (!simulation->bin_flits)
    return tny_error_memory(error);
  simulation->bin_count = bins->count;
  simulation->bin_cycles = bins->cycles;
  for (size_t bin = 0; bin < count; bin++)
    for (size_t link = 0; link < links; link++)
      simulation->bin_flits[link * count + bin] = bins->flits[bin * links + link];
  return TNY_OK;
}
