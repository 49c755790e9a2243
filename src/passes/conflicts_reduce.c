/* The transitive reduction of conflicts: those are taken out whose order follows from the schedule
   and the other conflicts.

   The nodes of the precedence graph are events: 2 * id (the step starts) and 2 * id + 1 (it is
   complete). It has an edge where a step waits for another, where a step stands behind another in
   its queue, from a send to its receive, and for each conflict. The graph has no cycle. So every
   conflict that a longer path replaces may be taken out, all of them at once. A path from a step of
   phase f to one of phase g stays in the phases from f to g, so the search backwards from `later`
   ends there. */
#include "core/alloc.h"
#include "core/error.h"
#include "passes/conflicts.h"

struct search {
  const struct tny_step_phases *phases;
  const struct tny_conflicts *conflicts;
  size_t *first;      /* by id: its first conflict as `later`; step_count + 1 */
  uint32_t *seen;     /* by event: 1 + the last `later` whose search has reached it */
  uint32_t *source;   /* by id: 1 + the last `later` that has it for an `earlier` */
  size_t *conflict;   /* by id: the index of the conflict between these two */
  bool *is_redundant; /* by conflict */
  uint32_t *stack, height;
  uint32_t later, least_phase;
};

/* Marks an event from which a path leads to `later` that isn't just one conflict. */
static void reach(struct search *search, uint32_t event)
{
  const uint32_t id = event / 2;
  if (event % 2 && search->source[id] == search->later + 1)
    search->is_redundant[search->conflict[id]] = true;
  if (search->seen[event] == search->later + 1 || search->phases->phase[id] < search->least_phase)
    return;
  search->seen[event] = search->later + 1;
  search->stack[search->height++] = event;
}

/* Reaches the predecessors of the start of a step, but not by a conflict. */
static void step_back_from_start(struct search *search, uint32_t id)
{
  const struct tny_match *match = search->phases->match;
  const uint32_t previous = match->previous[id];
  /* A copy that stands before the step is complete as soon as it has started. */
  if (previous != TNY_NONE)
    reach(search, 2 * previous + (match->partner[previous] == TNY_NONE));
  const uint32_t after_count = tny_match_step(match, id)->after_count;
  for (uint32_t i = 0; i < after_count; i++)
    reach(search, 2 * tny_match_after(match, id, i) + 1);
}

static void step_back_from_completion(struct search *search, uint32_t id)
{
  const struct tny_match *match = search->phases->match;
  reach(search, 2 * id);
  if (tny_step_receives(tny_match_step(match, id)->kind))
    reach(search, 2 * match->partner[id]);
}

static void step_back(struct search *search, uint32_t event)
{
  const uint32_t id = event / 2;
  if (event % 2) {
    step_back_from_completion(search, id);
    return;
  }
  step_back_from_start(search, id);
  for (size_t i = search->first[id]; i < search->first[id + 1]; i++)
    reach(search, 2 * search->conflicts->list[i].earlier + 1);
}

/* Marks the conflicts of `later` that a longer path replaces. */
static void search_back(struct search *search, uint32_t later)
{
  const size_t first = search->first[later], end = search->first[later + 1];
  const struct tny_conflict *list = search->conflicts->list;
  search->later = later;
  search->least_phase = TNY_NONE;
  for (size_t i = first; i < end; i++) {
    search->source[list[i].earlier] = later + 1;
    search->conflict[list[i].earlier] = i;
    if (search->phases->phase[list[i].earlier] < search->least_phase)
      search->least_phase = search->phases->phase[list[i].earlier];
  }
  step_back_from_start(search, later);
  for (size_t i = first; i < end; i++)
    step_back_from_completion(search, list[i].earlier);
  while (search->height > 0)
    step_back(search, search->stack[--search->height]);
}

static bool take_tables(struct search *search)
{
  const size_t steps = search->phases->match->step_count;
  search->first = tny_new(steps + 1, sizeof *search->first);
  search->seen = tny_new(2 * steps, sizeof *search->seen);
  search->source = tny_new(steps, sizeof *search->source);
  search->conflict = tny_new(steps, sizeof *search->conflict);
  search->is_redundant = tny_new(search->conflicts->count, sizeof *search->is_redundant);
  search->stack = tny_new(2 * steps, sizeof *search->stack);
  return search->first && search->seen && search->source && search->conflict &&
         search->is_redundant && search->stack;
}

static void find_firsts(struct search *search)
{
  const struct tny_conflicts *conflicts = search->conflicts;
  size_t i = 0;
  for (uint32_t id = 0; id <= search->phases->match->step_count; id++) {
    while (i < conflicts->count && conflicts->list[i].later < id)
      i++;
    search->first[id] = i;
  }
}

enum tny_status tny_conflicts_reduce(const struct tny_step_phases *phases,
                                     struct tny_conflicts *conflicts, struct tny_error *error)
{
  struct search search = {.phases = phases, .conflicts = conflicts};
  const bool has_tables = take_tables(&search);
  if (has_tables) {
    find_firsts(&search);
    for (uint32_t id = 0; id < phases->match->step_count; id++)
      if (search.first[id] < search.first[id + 1])
        search_back(&search, id);
    size_t kept = 0;
    for (size_t i = 0; i < conflicts->count; i++)
      if (!search.is_redundant[i])
        conflicts->list[kept++] = conflicts->list[i];
    conflicts->count = kept;
  }
  tny_free(search.first);
  tny_free(search.seen);
  tny_free(search.source);
  tny_free(search.conflict);
  tny_free(search.is_redundant);
  tny_free(search.stack);
  return has_tables ? TNY_OK : tny_error_memory(error);
}
