/* The ranks that gather and measure together. */
#ifndef TOURNEY_PROBE_JOB_H
#define TOURNEY_PROBE_JOB_H

#include <stdbool.h>
#include <stdint.h>

#include <mpi.h>

#include "core/text.h"

struct probe_job {
  MPI_Comm comm; /* our own, so that the measured program's communicator stays untouched */
  uint32_t rank, rank_count;
  char (*names)[MPI_MAX_PROCESSOR_NAME]; /* of each rank's host */
  bool leads;                            /* the first rank on its host */
  const char *handshake;                 /* the folder of --handshake; NULL: nobody counts for us */
};

/* Ends all ranks. */
_Noreturn void probe_give_up(const char *why);
/* Writes the lines of all ranks at rank 0; all ranks call it. */
void probe_tell(const struct probe_job *job, struct tny_text *lines);

#endif
