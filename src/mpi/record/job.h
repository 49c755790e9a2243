/* A job's record: agreed on by all ranks in MPI_Init, as rank 0's TOURNEY_RECORD has it, and
   written by rank 0 in MPI_Finalize. */
#ifndef TOURNEY_MPI_RECORD_JOB_H
#define TOURNEY_MPI_RECORD_JOB_H

#include <tourney/status.h>

#include "mpi/world.h"

/* At each rank that has a record's path, which is rank 0 alone: begins the record of this rank. */
void tny_record_job_open(void);
/* All ranks are here: they agree on whether there is a record, and read their hosts' counters.
   Collective over MPI_COMM_WORLD. */
void tny_record_job_agree(void);
/* Gathers the counters of all hosts, where there is a record that was agreed on, and at rank 0
   writes it to `path`, which is NULL elsewhere; then closes it. Collective over MPI_COMM_WORLD
   where it was agreed on. */
enum tny_status tny_record_job_write(const struct tny_world *world, const char *path,
                                     struct tny_error *error) TNY_MUST_CHECK;

#endif
