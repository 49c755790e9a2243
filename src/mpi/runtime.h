/* The runtime's parts: the world (what all ranks agreed on at start), a channel (what hangs on a
   communicator), a plan (steps and their requests), and the counts. Only this folder includes
   mpi.h. */
#ifndef TOURNEY_MPI_RUNTIME_H
#define TOURNEY_MPI_RUNTIME_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include <tourney/model.h>

/* What all ranks of MPI_COMM_WORLD agreed on in MPI_Init. */
struct tny_world {
  const char *why_native; /* NULL: planned collectives may be used */
  struct tny_cluster *cluster;
  struct tny_routes *routes;
  uint32_t rank_count;
  uint32_t *host_of_rank;
  bool threads_multiple;                    /* some rank was given MPI_THREAD_MULTIPLE */
  bool explain;                             /* at rank 0 only */
  bool prove;                               /* each plan before it is first run */
  uint64_t bytes_min[TNY_COLLECTIVE_COUNT]; /* shorter blocks are native on every communicator */
  int keyval;                               /* of the channel that hangs on a communicator */
  struct {
    bool set;
    struct tny_named named; /* no algorithm with set: native */
  } forced[TNY_COLLECTIVE_COUNT];
};

/* Collective over MPI_COMM_WORLD, right after MPI_Init; never fails: at worst all goes native. */
void tny_world_open(void);
void tny_world_close(void);
/* NULL before tny_world_open: nothing is served. */
const struct tny_world *tny_world_get(void);

/* A plan for one algorithm, root and number of chunks, with room for its requests. */
struct tny_plan {
  struct tny_plan *next; /* most recently used first */
  struct tny_named named;
  uint32_t root, chunk_count, window, held_bytes; /* the last three: its pace */
  struct tny_steps steps;
  uint32_t scratch_blocks;
  bool keeps_input; /* an all-gather: it may run in place */
  /* The two queues of the schedule's semantics, as step indices: receives, and all that starts. */
  uint32_t *posted, *started;
  uint32_t posted_count, started_count;
  MPI_Request *requests; /* by step */
};

/* What is found once for an algorithm and root: the prepared problem, and the slot bytes. */
struct tny_slot {
  struct tny_slot *next;
  struct tny_named named;
  struct tny_problem problem;
  uint64_t bytes;
};

enum { TNY_SIZE_CLASSES = 32 }; /* powers of two: blocks of 2 GiB and more are native */

/* What hangs on a communicator. */
struct tny_channel {
  const char *why_native; /* NULL: served */
  MPI_Comm comm;          /* private, the same ranks */
  uint32_t rank, rank_count;
  uint32_t *host_of_rank;
  struct tny_network network;
  struct tny_placement *placement;
  struct tny_model model;
  struct tny_named chosen[TNY_COLLECTIVE_COUNT][TNY_SIZE_CLASSES]; /* no algorithm: not yet */
  struct tny_slot *slots;
  struct tny_plan *plans;
  struct tny_verdict *verdicts; /* which plans were proved */
  int broken; /* the MPI error of a run that failed: what it left behind would meet the next one */
  char *staging; /* for packed, in-place and scratch data; grows, never shrinks */
  size_t staging_bytes;
};

/* The key under which channels hang; an MPI error code. */
int tny_channel_keyval(int *keyval);
/* The channel of a communicator, made on its first use (then collective over it). Returns an MPI
   error code; *channel is NULL where there can't be one. */
int tny_channel_get(MPI_Comm comm, struct tny_channel **channel);
/* Room in the channel's staging memory; NULL where there is none left. Earlier pointers into it
 * die. */
char *tny_channel_stage(struct tny_channel *channel, uint64_t bytes);

/* The algorithm for this collective and size: all are ranked for the size's class on its first use,
   by every rank alike. Returns an MPI error code. */
int tny_channel_choose(struct tny_channel *channel, enum tny_collective collective,
                       uint64_t block_bytes, struct tny_named *named);
/* The plan for this collective and size, from the channel's cache or made now; *segments is how
   many times it is run, each time over the next part of every block. */
struct tny_plan *tny_plan_get(struct tny_channel *channel, struct tny_named named, uint32_t root,
                              uint64_t block_bytes, uint32_t *segments);
/* What is planned for a call, the same at every rank: the prepared problem (borrowed from the
   channel), and how it is cut and clocked. */
struct tny_plan_key {
  const struct tny_problem *problem;
  struct tny_segments run;
};
/* False: no memory. */
bool tny_plan_key(struct tny_channel *channel, struct tny_named named, uint32_t root,
                  uint64_t block_bytes, struct tny_plan_key *key);

/* What a call is to be run by. */
struct tny_wish {
  struct tny_named named;
  uint32_t root;
  uint64_t block_bytes;
};
/* May the call's plan be run? Without TOURNEY_PROVE any may; with it, what rank 0 proved. A plan's
   first call is collective over `comm`, the channel's communicator. *code is an MPI error code. */
bool tny_plan_is_proved(struct tny_channel *channel, const struct tny_wish *wish, MPI_Comm comm,
                        int *code);
void tny_verdicts_free(struct tny_verdict *verdicts);

/* The problem of a channel's ranks. */
struct tny_problem tny_channel_problem(const struct tny_channel *channel, struct tny_named named,
                                       uint32_t root);
void tny_plans_free(struct tny_plan *plans);
void tny_slots_free(struct tny_slot *slots);

/* Where a schedule's buffers lie in memory. */
struct tny_buffers {
  const char *input;
  char *output, *scratch;
  uint64_t block_bytes;
  uint32_t segment, segment_count;
};
/* Runs the plan once; returns an MPI error code, after which no receive is open. */
int tny_execute(struct tny_plan *plan, MPI_Comm comm, const struct tny_buffers *buffers);

/* A call of one of the served collectives; broadcast uses the receive side only. */
struct tny_call {
  enum tny_collective collective;
  const void *send;
  int send_count;
  MPI_Datatype send_type;
  void *receive;
  int receive_count;
  MPI_Datatype receive_type;
  int root; /* 0 where there is none */
  MPI_Comm comm;
};
/* True: served, *code is what the MPI function returns. False: the caller calls native. Counts
 * both. */
bool tny_serve(const struct tny_call *call, int *code);

/* Counts a call where it is to be explained; algorithm NULL: native, because of `why`. All texts
 * are literals or outlive the run. */
void tny_count_call(const char *collective, uint64_t bytes, const char *algorithm, const char *why);
/* The table of counts, on standard error. */
void tny_explain_print(void);
/* "tourney: ..." on standard error, for the one rank that warns. */
void tny_explain_warn(const char *format, ...) TNY_PRINTF(1, 2);

#endif
