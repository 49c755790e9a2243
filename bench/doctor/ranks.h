/* The parts of tourney-doctor-ranks, which ranks.c puts in order. Every function here that takes a
   job is to be called by all its ranks alike. */
#ifndef TOURNEY_DOCTOR_RANKS_H
#define TOURNEY_DOCTOR_RANKS_H

#include <stdbool.h>
#include <stdint.h>

#include <mpi.h>

#include "core/text.h"
#include "plan.h"

struct doctor_job {
  MPI_Comm comm; /* our own, so that the measured program's communicator stays untouched */
  uint32_t rank, rank_count;
  char (*names)[MPI_MAX_PROCESSOR_NAME]; /* of each rank's host */
  bool leads;                            /* the first rank on its host */
  const char *meeting;                   /* the folder of --meet; NULL: nobody counts for us */
};

/* Writes the lines of all ranks at rank 0. */
void doctor_tell(const struct doctor_job *job, struct tny_text *lines);

/* Measures what the cluster of TOURNEY_CLUSTER says; rank 0 prints it. */
void doctor_measure_network(const struct doctor_job *job);
/* Makes this program's own collectives native, where the runtime is loaded. */
void doctor_stay_native(void);
/* Runs a planned and a native all-to-all; counts what was lost meanwhile. */
void doctor_measure_exchange(const struct doctor_job *job, uint64_t block_bytes);
#endif
