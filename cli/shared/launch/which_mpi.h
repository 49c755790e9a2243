/* The MPIs that there is a runtime for, and which of them a command uses. */
#ifndef TOURNEY_LAUNCH_WHICH_MPI_H
#define TOURNEY_LAUNCH_WHICH_MPI_H

#include <stdbool.h>

#include <tourney/status.h>

enum launch_mpi { LAUNCH_OPENMPI, LAUNCH_MPICH, LAUNCH_MPI_COUNT };

/* "openmpi", as the user names it and as our files are called. */
const char *launch_mpi_name(enum launch_mpi mpi);
/* "Open MPI" */
const char *launch_mpi_title(enum launch_mpi mpi);
/* Errors: a name of none. */
enum tny_status launch_mpi_parse(const char *name, enum launch_mpi *mpi,
                                 struct tny_error *error) TNY_MUST_CHECK;

/* The same for a table of options: `mpi` is an enum launch_mpi. */
enum tny_status launch_mpi_take(void *mpi, const char *name, struct tny_error *error);

/* What a command uses, as far as its words and the files behind them tell. */
enum launch_found {
  LAUNCH_FOUND,   /* one that there is a runtime for */
  LAUNCH_UNKNOWN, /* none was seen */
  LAUNCH_OTHER,   /* a third MPI */
  LAUNCH_STATIC   /* a program with the MPI's functions in itself, which nothing can stand before */
};
struct launch_uses {
  enum launch_found found;
  enum launch_mpi mpi; /* where it is found */
  char where[256];     /* the program, script or module by which */
  char library[128];   /* of a third one, and whose that is */
  char launcher[256];  /* an MPI's own launcher among the words; empty: none was seen */
};
/* Is the command a run in the lab? */
bool launch_is_lab_run(char *const *words);
/* Looks at the launcher's name, at every word of the command that is a program, and from there into
   scripts, at Python's mpi4py and at the libraries that programs need, by the dynamic loader. A
   program's libraries go before its launcher's name, and --mpi of `tourney lab run` before all. */
void launch_mpi_recognise(char *const *words, struct launch_uses *uses);

#endif
