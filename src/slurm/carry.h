/* How srun's side hands variables over to the nodes': in srun's own environment, by names that
   reach the tasks under srun --export=NONE too, and that mean nothing on a node without the
   plugin. */
#ifndef TOURNEY_SLURM_CARRY_H
#define TOURNEY_SLURM_CARRY_H

#include <stddef.h>

#include <tourney/status.h>

/* Removes what is in this process's environment of another step's. */
void tny_slurm_carry_nothing(void);
/* Adds each NAME=VALUE of `bytes`, which have a zero behind each. Errors: no memory. */
enum tny_status tny_slurm_carry(const char *bytes, size_t count,
                                struct tny_error *error) TNY_MUST_CHECK;

/* The first NAME=VALUE of an environment that was handed over, by the name that it is carried by;
   NULL: none. Its own name begins `*name` characters on. */
const char *tny_slurm_carried(char *const *environment, size_t *name);

#endif
