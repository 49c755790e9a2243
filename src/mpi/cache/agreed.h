/* Plans that one rank made for all: what the ranks of a communicator agreed on, and the parts that
   this rank was handed. */
#ifndef TOURNEY_MPI_CACHE_AGREED_H
#define TOURNEY_MPI_CACHE_AGREED_H

#include "plan/parts.h"

/* What a plan is asked for by: all sizes of a step are planned alike. */
struct tny_plan_key {
  struct tny_algorithm_choice choice;
  uint32_t root;
  /* tny_model_size_step: of a block; of the mean of blocks that differ, else 0. */
  uint64_t step_bytes, mean_step_bytes;
  uint64_t counts; /* of a plan that goes by them, their id; else 0 */
};

/* A plan as this rank was handed it. All communicators of a group share it; one that agreed on it
   uses it as long as it remembers that, so that it can't be lost at one rank alone. */
struct tny_handed {
  struct tny_handed *next; /* in the list of its group, the latest first */
  struct tny_plan_key key;
  uint32_t use_count; /* communicators */
  struct tny_parts_head head;
  bool is_stored;     /* it comes out of a store */
  uint32_t bytes_max; /* of any rank's part: the same at all ranks */
  size_t byte_count;  /* of this rank's part; 0: none, as it makes its own steps */
  uint8_t bytes[];
};

/* What all ranks of a communicator agreed on for a key. Not shared by the communicators of a group,
   which threads may use in different orders at different ranks. A communicator's calls come in one
   order at all its ranks: so all have the same list in the same order, and what is forgotten is
   forgotten by all at the same call. */
struct tny_agreed {
  struct tny_agreed *next; /* the one that was used before it */
  struct tny_plan_key key;
  struct tny_handed *handed; /* what is run; used by this entry */
  const char *why_native;    /* not NULL: nothing is run by it */
  uint32_t bytes_max;        /* of any rank's part: the same at all ranks */
};

enum {
  TNY_AGREED_MAX = 256,           /* entries of a communicator */
  TNY_AGREED_BYTES_MAX = 8 << 20, /* of their parts together; the latest stays, however long */
  TNY_UNUSED_BYTES_MAX = 1 << 20, /* of a group's parts that no communicator uses just now */
};

/* --- a group's parts; the caller has the group's lock --- */

/* The latest one for the key, used once more; or NULL. */
struct tny_handed *tny_handed_take(struct tny_handed *list, const struct tny_plan_key *key);
/* Adds one that is used once, or where the list has the same plan, frees it and uses that one once
   more. Returns the one that is in the list. */
struct tny_handed *tny_handed_add(struct tny_handed **list, struct tny_handed *handed);
/* It is used once less; NULL does nothing. Of those that nobody uses, some are kept. */
void tny_handed_put(struct tny_handed **list, struct tny_handed *handed);
void tny_handed_free(struct tny_handed *list);

/* --- what a communicator agreed on --- */

/* Finds the entry of a key and brings it to the front; or NULL. */
const struct tny_agreed *tny_agreed_find(struct tny_agreed **list, const struct tny_plan_key *key);
/* Adds an entry at the front. Returns those that the list then has too many of, a list of their
   own. */
struct tny_agreed *tny_agreed_add(struct tny_agreed **list, struct tny_agreed *entry);
/* Frees a list of entries, each of which lets go of what it uses of the group's parts, whose lock
   the caller has. */
void tny_agreed_free(struct tny_agreed *list, struct tny_handed **parts);

#endif
