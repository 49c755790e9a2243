/* How calls of an algorithm, root and size are cut and paced, kept for a group: much smaller than
   what is prepared and kept longer, so that a call whose plan is cached needs nothing else. */
#ifndef TOURNEY_MPI_CACHE_PLANNED_SIZES_H
#define TOURNEY_MPI_CACHE_PLANNED_SIZES_H

#include <tourney/model.h>

enum { TNY_PLANNED_SIZES_MAX = 256 }; /* in a list */

struct tny_planned_size {
  struct tny_planned_size *next; /* the one that was used before it */
  struct tny_algorithm_choice choice;
  uint32_t root;
  /* tny_model_size_step: of a block; of the mean of blocks that differ, else 0. */
  uint64_t step_bytes, mean_step_bytes;
  struct tny_segments run;
};

/* Looks one up by `wanted`, all of it but `run`, and brings it to the front of the list; NULL: it
   isn't there. */
const struct tny_planned_size *tny_planned_sizes_find(struct tny_planned_size **list,
                                                      const struct tny_planned_size *wanted);
/* Adds a copy at the front, in the place of the last one where the list is full. Where there is no
   memory for it, the list stays as it is. */
void tny_planned_sizes_add(struct tny_planned_size **list, const struct tny_planned_size *size);
/* Frees a list of them. */
void tny_planned_sizes_free(struct tny_planned_size *list);

#endif
