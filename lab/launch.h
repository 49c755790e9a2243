/* What starts an MPI program on the hosts of a lab: each MPI's own launcher, run on host 0 and told
   by its command line, its environment and files in the run's folder. It starts its daemons on the
   other hosts by `tourney lab agent HOST ...`, in ssh's stead. */
#ifndef TOURNEY_LAB_LAUNCH_H
#define TOURNEY_LAB_LAUNCH_H

#include <limits.h>
#include <stdbool.h>

#include "lab/lab.h"
#include "lab/state.h"

/* A run. What is prepared before the caller forks, and the folder, which the entered process makes.
   */
struct tny_lab_launch {
  const struct tny_lab_job *job;     /* borrowed */
  const struct tny_cluster *cluster; /* borrowed */
  uint32_t rank_count;
  uint32_t *host_of_rank; /* owned */
  bool shares_hosts;      /* Some host has more ranks than one. */
  char mpirun[256];       /* the launcher */
  char tool[PATH_MAX];
  char *flat;                    /* owned; the cluster in flat form */
  char folder[TNY_LAB_PATH_MAX]; /* of this run, in the lab's tmpfs; has a link to the tool */
};

/* A command line while it grows. `failed` is sticky. */
struct tny_lab_words {
  char **list; /* NULL at its end */
  size_t count;
  bool failed;
};
void tny_lab_words_add(struct tny_lab_words *words, const char *word);
/* Adds a list that NULL ends; one that is NULL has none. */
void tny_lab_words_add_list(struct tny_lab_words *words, const char *const *list);
void tny_lab_words_add_number(struct tny_lab_words *words, const char *option, uint32_t number);

/* Sets variables of the environment, a list of names and values that NULL ends. Returns whether
   there was memory. */
bool tny_lab_environment_set(const char *const (*settings)[2]);
/* Adds the value of the ranks' LD_PRELOAD, nothing where they have none: TOURNEY_PRELOAD, `more`
   (NULL: nothing), and the caller's own. */
struct tny_text;
void tny_lab_preload_add(struct tny_text *value, const char *more);

struct tny_lab_launcher {
  /* Errors: TNY_SYSTEM where the MPI isn't installed. */
  enum tny_status (*find)(char path[256], struct tny_error *error);
  /* Ranks of a host share files in /dev/shm, whose names may be those of another run's. */
  bool has_shared_memory;
  /* Writes what the launcher reads. */
  enum tny_status (*fill_folder)(const struct tny_lab_launch *launch, struct tny_error *error);
  /* Gives the MPI its settings by the environment, so that what the user gives on the command line
     has precedence. Returns whether there was memory. */
  bool (*set_environment)(const struct tny_lab_launch *launch);
  /* Adds the launcher with its options. */
  void (*add_words)(const struct tny_lab_launch *launch, struct tny_lab_words *words);
};
extern const struct tny_lab_launcher tny_lab_launcher_openmpi; /* its mpirun */
extern const struct tny_lab_launcher tny_lab_launcher_hydra;   /* MPICH's mpiexec */

#endif
