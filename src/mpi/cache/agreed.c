/* The lists of plans that were handed out. No MPI function is called here. */
#include "mpi/cache/agreed.h"

#include "core/alloc.h"
#include "mpi/cache/same.h"

static bool is_same_key(const struct tny_plan_key *one, const struct tny_plan_key *other)
{
  return tny_is_same_choice(one->choice, other->choice) && one->root == other->root &&
         one->step_bytes == other->step_bytes && one->mean_step_bytes == other->mean_step_bytes &&
         one->counts == other->counts;
}

struct tny_handed *tny_handed_take(struct tny_handed *list, const struct tny_plan_key *key)
{
  while (list && !is_same_key(&list->key, key))
    list = list->next;
  if (list)
    list->use_count++;
  return list;
}

/* Keeps few bytes of what nobody uses: the latest. */
static void drop_unused(struct tny_handed **list)
{
  size_t bytes = 0;
  for (struct tny_handed **at = list; *at;) {
    struct tny_handed *handed = *at;
    if (handed->use_count == 0)
      bytes += sizeof *handed + handed->byte_count;
    if (handed->use_count == 0 && bytes > TNY_UNUSED_BYTES_MAX) {
      *at = handed->next;
      tny_free(handed);
    } else {
      at = &handed->next;
    }
  }
}

struct tny_handed *tny_handed_add(struct tny_handed **list, struct tny_handed *handed)
{
  struct tny_handed *same = *list;
  while (same && (!is_same_key(&same->key, &handed->key) || same->head.id != handed->head.id))
    same = same->next;
  if (same) {
    tny_free(handed);
    same->use_count++;
    return same;
  }
  handed->use_count = 1;
  handed->next = *list;
  *list = handed;
  return handed;
}

void tny_handed_put(struct tny_handed **list, struct tny_handed *handed)
{
  if (!handed)
    return;
  handed->use_count--;
  drop_unused(list);
}

void tny_handed_free(struct tny_handed *list)
{
  while (list) {
    struct tny_handed *next = list->next;
    tny_free(list);
    list = next;
  }
}

const struct tny_agreed *tny_agreed_find(struct tny_agreed **list, const struct tny_plan_key *key)
{
  for (struct tny_agreed **at = list; *at; at = &(*at)->next) {
    struct tny_agreed *entry = *at;
    if (!is_same_key(&entry->key, key))
      continue;
    *at = entry->next;
    entry->next = *list;
    *list = entry;
    return entry;
  }
  return NULL;
}

struct tny_agreed *tny_agreed_add(struct tny_agreed **list, struct tny_agreed *entry)
{
  uint64_t bytes = entry->bytes_max;
  uint32_t count = 1;
  entry->next = *list;
  *list = entry;
  for (struct tny_agreed *last = entry; last->next; last = last->next) {
    bytes += last->next->bytes_max;
    if (++count > TNY_AGREED_MAX || bytes > TNY_AGREED_BYTES_MAX) {
      struct tny_agreed *dropped = last->next;
      last->next = NULL;
      return dropped;
    }
  }
  return NULL;
}

void tny_agreed_free(struct tny_agreed *list, struct tny_handed **parts)
{
  while (list) {
    struct tny_agreed *next = list->next;
    tny_handed_put(parts, list->handed);
    tny_free(list);
    list = next;
  }
}
