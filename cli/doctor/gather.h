/* Gathers facts: starts the ranks, in the lab or by a launcher, and reads what they say; in the lab
   it also counts what the ports drop. */
#ifndef TOURNEY_DOCTOR_GATHER_H
#define TOURNEY_DOCTOR_GATHER_H

#include "cli/shared/launch/which_mpi.h"
#include "cli/shared/progress.h"
#include "cli/shared/signals.h"
#include "core/text.h"
#include "facts.h"
#include "lab/lab.h"

struct doctor_gathering {
  /* What is asked for. Exactly one of `local`, `launcher` and `lab`. */
  bool local, no_traffic;
  enum launch_mpi mpi;
  const char *launcher;
  struct tny_lab *lab;
  enum tny_map map;
  uint32_t ranks; /* in the lab */
  struct doctor_facts *facts;
  const struct signals_blocked *blocked;

  /* What comes of it. */
  struct tny_text lines; /* of all facts, as a file may have them */
  int exit_code;         /* of what was started */
  bool interrupted;

  /* private */
  struct progress progress;
  char handshake[64];              /* the folder where the ranks wait for us to count; "" without */
  struct tny_lab_count *counts[4]; /* at each mark */
  double seconds, begun;
  struct tny_error *error;
};

/* Fills in the facts. Errors: also where the ranks failed; not where it was interrupted. Owns:
   gathering->lines (tny_text_release). */
enum tny_status doctor_gather(struct doctor_gathering *gathering,
                              struct tny_error *error) TNY_MUST_CHECK;

#endif
