/* The lab: a cluster of network namespaces on this machine. Every host and every switch of a
   cluster file is a namespace, and every cable a veth pair whose rate and buffer the kernel limits
   at both ends. One process, the keeper, holds all of it: when it dies, everything is gone. Nothing
   here prints.
   Threads: the caller must have only one (a user namespace can't be entered otherwise). */
#ifndef TOURNEY_LAB_LAB_H
#define TOURNEY_LAB_LAB_H

#include <stddef.h>
#include <sys/types.h>

#include <tourney/cluster.h>

#define TNY_LAB_NAME_MAX 32

/* What a lab takes of the machine. The memory is the kernel's, roughly. */
struct tny_lab_needs {
  uint64_t namespaces, cables, routes, memory_bytes;
};
void tny_lab_needs_of(const struct tny_cluster *cluster, struct tny_lab_needs *needs);

/* How far a lab is while it is brought up: first its namespaces are made, then its cables, and then
   each node is given its addresses, routes, rates and buffers. */
struct tny_lab_progress {
  const char *what; /* "namespaces", "cables", "nodes" */
  uint32_t done, count;
};

struct tny_lab_options {
  const char *name;       /* NULL: $TOURNEY_LAB, else "lab" */
  uint64_t buffer_bytes;  /* of every port; 0: as the cluster's links say */
  const char *congestion; /* TCP congestion control; NULL: cubic */
  /* Is called with the progress now and then; may be NULL. */
  void (*tell)(void *context, const struct tny_lab_progress *progress);
  void *context;
};

/* A lab that is up. For reading only. */
struct tny_lab {
  char name[TNY_LAB_NAME_MAX + 1];
  char directory[160];         /* its state; what is mounted below it only processes inside see */
  struct tny_cluster *cluster; /* owned; its buffers are the lab's */
  char congestion[32];
  pid_t keeper; /* as seen outside the lab */
  double up_seconds;
  bool inside;   /* the caller itself runs in this lab */
  int measuring; /* private: the file of tny_lab_measure_alone, or -1 */
};

/* Brings a cluster up. Errors: TNY_REFUSED where a lab of that name is up or the cluster asks what
   a lab can't do, TNY_SYSTEM where this machine lacks a tool, a permission or memory. After an
   error nothing is left behind. A signal that would end the caller is blocked until what was begun
   is undone, and the call fails; after success such signals stay blocked, so that the caller can
   say what is up before it ends. Cost: about 10 ms a node. */
enum tny_status tny_lab_up(const struct tny_cluster *cluster, const struct tny_lab_options *options,
                           struct tny_error *error) TNY_MUST_CHECK;
/* Ends a lab with every process in it, or clears what a killed one left behind. name: as in
   tny_lab_options. Errors: TNY_REFUSED where there is none. */
enum tny_status tny_lab_down(const char *name, struct tny_error *error) TNY_MUST_CHECK;
/* Finds a lab that is up. Owns: *lab is the caller's, tny_lab_close. Errors: TNY_REFUSED where
   there is none, TNY_SYSTEM where its folder isn't this user's alone. */
enum tny_status tny_lab_open(const char *name, struct tny_lab **lab,
                             struct tny_error *error) TNY_MUST_CHECK;
void tny_lab_close(struct tny_lab *lab);
/* Keeps others from measuring in this lab at the same time, until it is closed or the caller ends.
   Errors: TNY_REFUSED, with who does already. */
enum tny_status tny_lab_measure_alone(struct tny_lab *lab, struct tny_error *error) TNY_MUST_CHECK;
/* Gives the hosts another congestion control, for connections that begin from now on; the lab's own
   name of it stays lab->congestion. Errors: TNY_REFUSED where the kernel has none of that name. */
enum tny_status tny_lab_change_congestion(const struct tny_lab *lab, const char *congestion,
                                          struct tny_error *error) TNY_MUST_CHECK;
/* Names of this user's labs, up or left behind. Owns: *names (NULL at its end) is the caller's,
   tny_lab_list_free. */
enum tny_status tny_lab_list(char ***names, struct tny_error *error) TNY_MUST_CHECK;
void tny_lab_list_free(char **names);

/* How a command in the lab ended. */
struct tny_lab_end {
  int exit_code;    /* the command's, or 128 + the signal that ended it */
  bool interrupted; /* the caller was sent SIGINT, SIGTERM, SIGHUP or SIGQUIT meanwhile */
  bool timed_out;
};

/* Runs a command on a host or switch, in the caller's folder, and waits; signals are passed on.
   argv: NULL at its end. */
enum tny_status tny_lab_exec(const struct tny_lab *lab, const char *node, char *const *argv,
                             struct tny_lab_end *end, struct tny_error *error) TNY_MUST_CHECK;
/* Becomes a command on another node; only for callers inside a lab. Returns only with an error. */
enum tny_status tny_lab_become(const char *node, char *const *argv,
                               struct tny_error *error) TNY_MUST_CHECK;

/* The MPIs whose programs a lab can start. */
enum tny_lab_mpi { TNY_LAB_OPENMPI, TNY_LAB_MPICH };

/* An MPI program to run. Everything is borrowed. */
struct tny_lab_job {
  enum tny_lab_mpi mpi;        /* that the program uses */
  char *const *argv;           /* the program and its arguments, NULL at the end */
  const char *const *mpi_args; /* more arguments for the launcher, NULL at the end; or NULL */
  uint32_t rank_count;         /* 0: one rank a host */
  enum tny_map map;
  double timeout_seconds; /* 0: none */
  const char *tool;       /* the program tourney; NULL: the one that runs */
  const char *yield;      /* MPICH: the library that has ranks yield, to preload; NULL: none */
  /* Gets what the ranks print to standard output as it comes; NULL: it goes to the caller's. */
  void (*output)(void *context, const char *bytes, size_t count);
  void *context;
};

/* Runs an MPI program, rank r on the host that tny_map_ranks gives it, by its MPI's launcher on
   host 0, and waits. A signal or the timeout ends every rank; when this returns, no process of the
   job is left. The environment: variables that begin with TOURNEY_ reach every rank,
   TOURNEY_CLUSTER is the lab's cluster in flat form unless set, and TOURNEY_PRELOAD, with the
   caller's own LD_PRELOAD behind it, becomes the ranks' LD_PRELOAD. Errors: TNY_REFUSED for more
   than TNY_RANKS_PER_HOST_MAX ranks a host and for a TOURNEY_PRELOAD that LD_PRELOAD can't take,
   TNY_SYSTEM where the MPI isn't installed. */
enum tny_status tny_lab_run(const struct tny_lab *lab, const struct tny_lab_job *job,
                            struct tny_lab_end *end, struct tny_error *error) TNY_MUST_CHECK;

/* Whether an mpirun or mpiexec is another MPI's than Open MPI: by its path, else by its --version.
   */
bool tny_lab_is_other_mpi(const char *mpirun);

/* What the relay has done for a link since the lab came up. A packet of several frames that their
   sender left to its port to cut counts as one. How late a packet was is the time between when it
   was due and when it was sent. */
struct tny_lab_relay_count {
  uint64_t relayed; /* whether the link passes through the relay: 0 or 1 */
  uint64_t packets, bytes, dropped_packets;
  uint64_t late_sum_ns, late_max_ns;
};

/* What a link has carried since the lab came up. */
struct tny_lab_count {
  uint64_t sent_bytes, sent_packets, dropped_packets; /* at its port */
  struct tny_lab_relay_count relay;
};
/* counts has an element for each of the cluster's links. */
enum tny_status tny_lab_count_links(const struct tny_lab *lab, struct tny_lab_count *counts,
                                    struct tny_error *error) TNY_MUST_CHECK;

#endif
