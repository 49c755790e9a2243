/* What is kept is found again by an algorithm as it was chosen, a root, and a pace. */
#ifndef TOURNEY_MPI_CACHE_SAME_H
#define TOURNEY_MPI_CACHE_SAME_H

#include <tourney/algorithm.h>

static inline bool tny_is_same_choice(struct tny_algorithm_choice one,
                                      struct tny_algorithm_choice other)
{
  return one.algorithm == other.algorithm && one.parameter == other.parameter;
}

static inline bool tny_is_same_pace(struct tny_pace one, struct tny_pace other)
{
  return one.chunk_count == other.chunk_count && one.window == other.window &&
         one.limit_message_bytes == other.limit_message_bytes;
}

#endif
