/* Added to a runtime of its own, whose memory a test can let run out: at an allocation in MPI_Init
   by the environment, later by the program. Of the runtime's own allocations, in this thread. */
#include <stdlib.h>

#include "core/alloc.h"

#define EXPORTED __attribute__((visibility("default")))

void tourney_starve(uint64_t n);
int tourney_is_starved(void);

/* The n-th allocation from now fails, and all after it; 0: none does. */
EXPORTED void tourney_starve(uint64_t n)
{
  tny_alloc_fail_from(n);
}

/* Has it come to that? */
EXPORTED int tourney_is_starved(void)
{
  void *memory = tny_new(1, 1);
  tny_free(memory);
  return memory == NULL;
}

/* STARVED_FROM: the allocation, counted from before MPI_Init; STARVED_RANK: where, or "all". */
static void __attribute__((constructor)) starve_from_start(void)
{
  const char *from = getenv("STARVED_FROM"), *where = getenv("STARVED_RANK");
  const char *rank = getenv("OMPI_COMM_WORLD_RANK");
  if (!from || !where || !rank)
    return;
  if (strcmp(where, "all") == 0 || strcmp(where, rank) == 0)
    tny_alloc_fail_from(strtoul(from, NULL, 10));
}
