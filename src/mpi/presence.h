/* Which ranks have the runtime. */
#ifndef TOURNEY_MPI_PRESENCE_H
#define TOURNEY_MPI_PRESENCE_H

#include <stdbool.h>
#include <stdint.h>

/* What the launcher knows of this runtime at the ranks of MPI_COMM_WORLD. */
struct tny_presence {
  uint32_t first_with;    /* the lowest rank that has the runtime */
  uint32_t first_without; /* the lowest that hasn't, or has another version; rank_count: none */
  bool is_known;          /* all the above, alike at all ranks that have the runtime */
};
/* Around the MPI's own initialisation: this rank says within it that it has the runtime. */
void tny_presence_begin(void);
void tny_presence_end(void);
/* After it: what all ranks said. No rank waits for one without the runtime. */
struct tny_presence tny_presence_find(uint32_t rank_count);

#endif
