/* A program's answer, within a time limit. */
#ifndef TOURNEY_SLURM_ASK_H
#define TOURNEY_SLURM_ASK_H

#include <stddef.h>

#include <tourney/status.h>

/* What a program wrote. */
struct tny_slurm_answer {
  char *said; /* on standard output, a zero behind; NULL where it wasn't started */
  size_t said_bytes;
  char complaint[400]; /* the first line on standard error; empty: none */
};

/* Runs a command, with signals as a shell's child has them, to its end or for `seconds`, after
   which it is killed. Owns: tny_slurm_answer_release, also after an error.
   Errors: it can't be started, takes too long, or fails; the text says which. */
enum tny_status tny_slurm_ask(char *const *command, int seconds, struct tny_slurm_answer *answer,
                              struct tny_error *error) TNY_MUST_CHECK;
void tny_slurm_answer_release(struct tny_slurm_answer *answer);

#endif
