/* Starting MPI programs with the runtime preloaded: what `tourney run` and `tourney bench` share.
   The runtime is told by environment variables: TOURNEY_CLUSTER, TOURNEY_ALGORITHM,
   TOURNEY_PROFILE, TOURNEY_EXPLAIN; `tourney lab run` and launchers are told what to preload by
   TOURNEY_PRELOAD. */
#ifndef TOURNEY_LAUNCH_H
#define TOURNEY_LAUNCH_H

#include <limits.h>
#include <stdbool.h>
#include <wordexp.h>

#include <tourney/cluster.h>

#include "which_mpi.h"

struct tny_arena;

/* Opens a cluster and says how to hand it to the runtime: a generator's text as it is, the absolute
   path of a file in the flat form, the flat form itself for any other file.
   Owns: *cluster is the caller's (tny_cluster_free), and so is *value (tny_text_free).
   Errors: also where the flat form is too long for an environment variable. */
enum tny_status launch_open_cluster(const char *text, struct tny_cluster **cluster, char **value,
                                    struct tny_error *error) TNY_MUST_CHECK;

/* The flat form of a cluster, to be handed over by the environment; `name` is what an error calls
   its file. Owns: tny_text_free. Errors: TNY_REFUSED where it is too long for that. */
enum tny_status launch_cluster_value(const struct tny_cluster *cluster, const char *name,
                                     char **value, struct tny_error *error) TNY_MUST_CHECK;

/* Checks "alltoall=shuffle,bcast=native" against the registry; `option` is what errors call it. */
enum tny_status launch_check_algorithms(const char *option, const char *list,
                                        struct tny_error *error) TNY_MUST_CHECK;
/* Checks TOURNEY_ALGORITHM of the environment, where it is set. */
enum tny_status launch_check_exported(struct tny_error *error) TNY_MUST_CHECK;
/* Writes the names that a collective can have, "native, ring, ..."; Owns: tny_text_free. */
enum tny_status launch_list_algorithms(enum tny_collective collective, char **names,
                                       struct tny_error *error) TNY_MUST_CHECK;

/* The absolute path of a folder of stored plans. Owns: tny_text_free. Errors: where it is none. */
enum tny_status launch_open_store(const char *folder, char **value,
                                  struct tny_error *error) TNY_MUST_CHECK;

/* What the runtime is told; NULL and false: nothing, so that what the user exported stays. */
struct launch_settings {
  enum launch_mpi mpi;
  const char *cluster; /* a value of launch_open_cluster */
  const char *origin;  /* where it is from; without a cluster, why there is none */
  const char *algorithms;
  const char *profile; /* of profile_file_flatten */
  const char *learn;   /* a file */
  const char *record;  /* a file */
  const char *store;   /* a value of launch_open_store */
  bool explain, prove, no_guard;
  bool forces_natives; /* the MPI's own algorithms are to be forced, which Open MPI must allow as it
                          starts; by itself that changes nothing */
};
/* Sets the variables, and TOURNEY_PRELOAD to the runtime's path. Errors: also where LD_PRELOAD
   couldn't take that path. */
enum tny_status launch_export(const struct launch_settings *settings,
                              struct tny_error *error) TNY_MUST_CHECK;

/* What the ranks need of the environment besides LD_PRELOAD, one after the other from index 0; NULL
   behind the last. Some of them may be unset. */
const char *launch_variable(size_t index);

/* The path of a library of ours. Errors: also where LD_PRELOAD couldn't take that path. */
enum tny_status launch_find_library(const char *name, char path[PATH_MAX],
                                    struct tny_error *error) TNY_MUST_CHECK;
/* The path of a program of ours that isn't on PATH: beside the tool, or in ../libexec. */
enum tny_status launch_find_helper(const char *name, char path[PATH_MAX],
                                   struct tny_error *error) TNY_MUST_CHECK;
/* The path of this tool. */
enum tny_status launch_find_self(char path[PATH_MAX], struct tny_error *error) TNY_MUST_CHECK;

/* Which MPI ranks of ours are to be of: *mpi as it is, if it was given, else the one that the
   launcher (NULL: in the lab) is of, as far as that is to be seen. */
enum tny_status launch_choose_mpi(const char *launcher, bool given, enum launch_mpi *mpi,
                                  struct tny_error *error) TNY_MUST_CHECK;

/* Splits the value of --launcher into words, with quotes and variables as in a shell, but without
   command substitution. NULL has none. Owns: *words is the caller's (wordfree) where it has some.
 */
enum tny_status launch_split(const char *launcher, wordexp_t *words,
                             struct tny_error *error) TNY_MUST_CHECK;

/* The command to execute for the words the user gave, after launch_export. Open MPI's mpirun gets
   -x for what the ranks need, Hydra gets -genv for what is preloaded, this tool passes it on by
   itself, and any other program gets LD_PRELOAD by its environment. Owns: `arena`. Errors: also
   where the program can't be found. */
enum tny_status launch_prepare(struct tny_arena *arena, char *const *words, char ***command,
                               struct tny_error *error) TNY_MUST_CHECK;

#endif
