/* Finds conflicts link by link: on a link, each message conflicts with those of the last earlier
   phase that uses the link. */
#include "passes/conflicts.h"

#include "passes/link_uses.h"

#include "cluster/route.h"
#include "core/alloc.h"
#include "core/error.h"

static int compare(uint32_t a, uint32_t b)
{
  return (a > b) - (a < b);
}

static int compare_conflicts(const void *a, const void *b)
{
  const struct tny_conflict *x = a, *y = b;
  return x->later != y->later ? compare(x->later, y->later) : compare(x->earlier, y->earlier);
}

bool tny_conflicts_add(struct tny_conflicts *conflicts, struct tny_conflict conflict)
{
  if (conflicts->count == conflicts->room) {
    const size_t room = 2 * conflicts->room + 64;
    void *grown = tny_resize(conflicts->list, room, sizeof *conflicts->list);
    if (!grown)
      return false;
    conflicts->list = grown;
    conflicts->room = room;
  }
  conflicts->list[conflicts->count++] = conflict;
  return true;
}

/* The step of the earlier message that has to be complete before the later one is sent: its send,
   where the later message follows it through the same port all the way to the link; else its
   receive. */
static uint32_t awaited_step(const struct tny_match *match, const struct tny_network *network,
                             const struct tny_link_use *earlier, const struct tny_link_use *later)
{
  const uint32_t sender = match->rank_of[earlier->send];
  const uint32_t receivers[2] = {tny_match_step(match, earlier->send)->peer,
                                 tny_match_step(match, later->send)->peer};
  if (match->rank_of[later->send] == sender &&
      tny_route_same_until(network, sender, receivers, later->link))
    return earlier->send;
  return match->partner[earlier->send];
}

static bool pair_up(const struct tny_match *match, const struct tny_network *network,
                    const struct tny_link_uses *uses, struct tny_conflicts *conflicts)
{
  size_t before = 0, group = 0; /* where the uses of the previous phase begin, and of this one */
  for (size_t i = 0; i < uses->count; i++) {
    const struct tny_link_use *later = &uses->list[i];
    if (later->link != uses->list[group].link)
      before = group = i;
    else if (later->phase != uses->list[group].phase) {
      before = group;
      group = i;
    }
    for (size_t k = before; k < group; k++) {
      const struct tny_link_use *earlier = &uses->list[k];
      const uint32_t awaited = awaited_step(match, network, earlier, later);
      if (!tny_conflicts_add(conflicts,
                             (struct tny_conflict){later->send, awaited, earlier->phase}))
        return false;
    }
  }
  return true;
}

static void sort_each_once(struct tny_conflicts *conflicts)
{
  size_t kept = 0;
  if (conflicts->count == 0)
    return;
  qsort(conflicts->list, conflicts->count, sizeof *conflicts->list, compare_conflicts);
  for (size_t i = 1; i < conflicts->count; i++)
    if (compare_conflicts(&conflicts->list[kept], &conflicts->list[i]) != 0)
      conflicts->list[++kept] = conflicts->list[i];
  conflicts->count = kept + 1;
}

enum tny_status tny_conflicts_find(const struct tny_step_phases *phases,
                                   const struct tny_network *network,
                                   struct tny_conflicts *conflicts, struct tny_error *error)
{
  struct tny_link_uses uses;
  *conflicts = (struct tny_conflicts){0};
  enum tny_status status = tny_link_uses_find(phases, network, &uses, error);
  if (status == TNY_OK && !pair_up(phases->match, network, &uses, conflicts))
    status = tny_error_memory(error);
  tny_link_uses_release(&uses);
  if (status == TNY_OK)
    sort_each_once(conflicts);
  return status;
}

void tny_conflicts_release(struct tny_conflicts *conflicts)
{
  tny_free(conflicts->list);
  *conflicts = (struct tny_conflicts){0};
}
