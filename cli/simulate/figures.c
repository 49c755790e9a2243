/* Figures of what came out of a simulation, for whatever prints or draws them. */
#include <math.h>

#include "core/alloc.h"
#include "core/error.h"
#include "simulated.h"

double simulate_us(const struct simulated *simulated, double cycles)
{
  return cycles * simulated->network.cycle_ns / 1e3;
}

double simulate_bound_cycles(const struct simulated *simulated)
{
  return simulated->bound.seconds * 1e9 / simulated->network.cycle_ns;
}

static int compare_cycles(const void *first, const void *second)
{
  const uint64_t *a = first, *b = second;
  return (*a > *b) - (*a < *b);
}

enum tny_status simulate_phases(const struct simulated *simulated, struct simulate_phases *phases,
                                struct tny_error *error)
{
  const struct tny_simulation *simulation = simulated->simulation;
  *phases = (struct simulate_phases){0};
  uint64_t *cycles = tny_new(simulation->phase_count, sizeof *cycles);
  if (!cycles)
    return tny_error_memory(error);
  for (uint32_t phase = 0; phase < simulation->phase_count; phase++)
    if (simulation->phase_end[phase] > 0)
      cycles[phases->count++] = simulation->phase_end[phase] - simulation->phase_begin[phase];
  if (phases->count > 0) {
    qsort(cycles, phases->count, sizeof *cycles, compare_cycles);
    phases->shortest = cycles[0];
    phases->median = cycles[phases->count / 2];
    phases->longest = cycles[phases->count - 1];
  }
  tny_free(cycles);
  return TNY_OK;
}

double simulate_flit_cycles(const struct simulated *simulated, uint32_t link)
{
  const double flit_ns = 8e9 * simulated->hosts.flit_bytes /
                         (double)simulated->plan.mapping.cluster->links[link].bandwidth_bps;
  return floor(flit_ns / simulated->network.cycle_ns + 0.5);
}

double simulate_use_percent(const struct simulated *simulated, uint32_t link)
{
  const struct tny_simulation *simulation = simulated->simulation;
  if (simulation->cycles == 0)
    return 0;
  return 100 * (double)simulation->link_flits[link] * simulate_flit_cycles(simulated, link) /
         (double)simulation->cycles;
}

struct used_link {
  double percent;
  uint32_t link;
};

static int compare_use(const void *first, const void *second)
{
  const struct used_link *a = first, *b = second;
  if (a->percent != b->percent)
    return a->percent > b->percent ? -1 : 1;
  return (a->link > b->link) - (a->link < b->link);
}

enum tny_status simulate_fullest(const struct simulated *simulated, uint32_t **links,
                                 struct tny_error *error)
{
  const uint32_t count = simulated->plan.mapping.cluster->link_count;
  struct used_link *used = tny_new(count, sizeof *used);
  *links = tny_new(count, sizeof **links);
  if (!used || !*links) {
    tny_free(used);
    tny_free(*links);
    return tny_error_memory(error);
  }
  for (uint32_t link = 0; link < count; link++)
    used[link] = (struct used_link){simulate_use_percent(simulated, link), link};
  qsort(used, count, sizeof *used, compare_use);
  for (uint32_t i = 0; i < count; i++)
    (*links)[i] = used[i].link;
  tny_free(used);
  return TNY_OK;
}

void simulate_title(const struct simulated *simulated, struct tny_text *text)
{
  const struct tny_schedule *schedule = simulated->schedule;
  if (!schedule)
    schedule = tny_foreign_about(simulated->file.foreign).head;
  if (schedule)
    tny_text_add(text, "%s %s", tny_collective_name(schedule->collective), schedule->algorithm);
  else
    tny_text_add(text, "%s", simulated->options->file);
}
