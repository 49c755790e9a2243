/* A list of a few hundred entries, the most recently used first. */
#include "mpi/cache/planned_sizes.h"

#include "core/alloc.h"
#include "mpi/cache/same.h"

static bool is_same(const struct tny_planned_size *one, const struct tny_planned_size *other)
{
  return tny_is_same_choice(one->choice, other->choice) && one->root == other->root &&
         one->step_bytes == other->step_bytes && one->mean_step_bytes == other->mean_step_bytes;
}

/* Takes *at out of its list and puts it at the front. */
static struct tny_planned_size *bring_forward(struct tny_planned_size **list,
                                              struct tny_planned_size **at)
{
  struct tny_planned_size *size = *at;
  *at = size->next;
  size->next = *list;
  *list = size;
  return size;
}

const struct tny_planned_size *tny_planned_sizes_find(struct tny_planned_size **list,
                                                      const struct tny_planned_size *wanted)
{
  for (struct tny_planned_size **at = list; *at; at = &(*at)->next)
    if (is_same(*at, wanted))
      return bring_forward(list, at);
  return NULL;
}

void tny_planned_sizes_add(struct tny_planned_size **list, const struct tny_planned_size *size)
{
  struct tny_planned_size **at = list;
  uint32_t count = 0;
  while (*at && ++count < TNY_PLANNED_SIZES_MAX)
    at = &(*at)->next;
  if (!*at)
    *at = tny_new(1, sizeof **at);
  if (!*at)
    return;
  struct tny_planned_size *added = bring_forward(list, at), *next = added->next;
  *added = *size;
  added->next = next;
}

void tny_planned_sizes_free(struct tny_planned_size *list)
{
  while (list) {
    struct tny_planned_size *next = list->next;
    tny_free(list);
    list = next;
  }
}
