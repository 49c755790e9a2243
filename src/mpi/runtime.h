/* The runtime's parts: the world (what all ranks agreed on at start), a channel (what hangs on a
   communicator), a group (what all communicators of the same ranks share), a plan (steps and their
   requests), and the counts. Only this folder includes mpi.h. */
#ifndef TOURNEY_MPI_RUNTIME_H
#define TOURNEY_MPI_RUNTIME_H

#include <mpi.h>
#include <pthread.h>
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
  MPI_Comm comm; /* private, of the same ranks as MPI_COMM_WORLD: all plans' messages */
  MPI_Comm self; /* of this rank alone, returns its errors: to have arguments checked by the MPI */
  struct {
    bool set;
    struct tny_algorithm_choice choice; /* no algorithm with set: native */
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
  struct tny_algorithm_choice choice;
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
  struct tny_algorithm_choice choice;
  struct tny_problem problem;
  uint64_t bytes;
};

enum { TNY_SIZE_CLASSES = 32 }; /* powers of two: blocks of 2 GiB and more are native */

/* Memory for packed, in-place and scratch data. */
struct tny_staging {
  char *memory;
  uint64_t bytes;
};

/* What communicators of the same ranks in the same order share; lives while one of them does. */
struct tny_group {
  struct tny_group *next; /* in its bucket */
  uint64_t hash;
  uint64_t channel_count;
  uint32_t rank, rank_count;
  int *world_ranks; /* by rank */
  uint32_t *host_of_rank;
  struct tny_network network;
  struct tny_placement *placement;
  struct tny_model model;
  /* Below: filled on first use, by any thread that holds the lock. */
  pthread_mutex_t lock;
  struct tny_algorithm_choice chosen[TNY_COLLECTIVE_COUNT]
                                    [TNY_SIZE_CLASSES]; /* no algorithm: not yet */
  struct tny_slot *slots;
  struct tny_plan *plans;     /* that no thread runs just now */
  struct tny_staging staging; /* the largest that no thread uses just now */
};

/* What is known of a communicator's ranks without asking any of them. */
struct tny_whereabouts {
  bool is_inside;   /* all are from this MPI_COMM_WORLD */
  bool is_one_host; /* all are on the same one */
};
/* Looks the ranks up; allocates nothing. Fills world_ranks where that isn't NULL. An MPI error
   code. */
int tny_group_locate(MPI_Group members, int rank_count, struct tny_whereabouts *found,
                     int *world_ranks);
/* The group of these ranks, all from this world, with one channel more; NULL: no memory. */
struct tny_group *tny_group_get(MPI_Group members, int rank, int rank_count);
void tny_group_put(struct tny_group *group);

/* What hangs on a communicator. */
struct tny_channel {
  const char *why_native;            /* NULL: served */
  struct tny_channel *before, *next; /* this rank's channels, by number */
  int64_t number;                    /* tells its messages from other channels'; negative: none */
  MPI_Comm of;                       /* the program's communicator */
  MPI_Comm comm;                     /* where its messages go: the world's private one */
  struct tny_group *group;           /* NULL where it is native */
  uint32_t rank, rank_count;
  struct tny_verdict *verdicts; /* which plans were proved */
  int broken; /* the MPI error of a run that failed: what it left behind would meet the next one */
};

/* What a message on the private communicator is. */
enum tny_message { TNY_DATA_MESSAGE, TNY_TOKEN_MESSAGE, TNY_MESSAGE_COUNT };

/* The tag of a channel's messages of one sort. */
static inline int tny_tag(const struct tny_channel *channel, enum tny_message message)
{
  return (int)(TNY_MESSAGE_COUNT * channel->number + message);
}

/* How channels are numbered, from the greatest tag; `is_threaded`: attaches of one rank may run
   beside each other. */
void tny_numbers_open(int tag_max, uint32_t world_size, bool is_threaded);
/* What this rank proposes for a new channel: above all that its live channels have. */
int64_t tny_numbers_propose(void);
/* At the first rank of a communicator, which is `leader` in the world: the number, by the greatest
   proposal; negative where there is none left. */
int64_t tny_numbers_give(int64_t proposed, uint32_t leader);
/* Keeps a channel, in its place by its number. */
void tny_numbers_add(struct tny_channel *channel);
void tny_numbers_remove(struct tny_channel *channel);
/* Any channel that is kept, or NULL. */
struct tny_channel *tny_numbers_any(void);

/* The key under which channels hang; an MPI error code. */
int tny_channel_keyval(int *keyval);
/* The channel of a communicator, made on its first use (then collective over it). Returns an MPI
   error code; *channel is NULL where there can't be one. */
int tny_channel_get(MPI_Comm comm, struct tny_channel **channel);
/* Takes off all channels of this rank. */
void tny_channels_close(void);

/* Calls the MPI's own MPI_Comm_free or MPI_Comm_disconnect. While it lasts, the communicator is
   native: delete callbacks of the program's attributes may still use it. Where one of them refuses,
   the communicator keeps its channel. */
int tny_channel_let_go(MPI_Comm *comm, int (*native)(MPI_Comm *comm));

/* The algorithm for this collective and size: all are ranked for the size's class on its first use,
   by every rank alike. Returns an MPI error code. */
int tny_group_choose(struct tny_group *group, enum tny_collective collective, uint64_t block_bytes,
                     struct tny_algorithm_choice *choice);
/* What a call is to be run by. */
struct tny_plan_request {
  struct tny_algorithm_choice choice;
  uint32_t root;
  uint64_t block_bytes;
};
/* The plan for it, from the group's cache or made now, for this thread alone until it is put back;
   *segments is how many times it is run, each time over the next part of every block. NULL: no
   memory. */
struct tny_plan *tny_plan_get(struct tny_group *group, const struct tny_plan_request *request,
                              uint32_t *segments);
void tny_plan_put(struct tny_group *group, struct tny_plan *plan);

/* Takes staging memory of so many bytes, the group's own where that is free; `memory` is NULL where
   there is none left. To be put back, whatever it is. */
struct tny_staging tny_staging_take(struct tny_group *group, uint64_t bytes);
void tny_staging_put(struct tny_group *group, struct tny_staging staging);

/* What is planned for a call, the same at every rank: the prepared problem (borrowed from the
   group), and how it is cut and clocked. */
struct tny_plan_key {
  const struct tny_problem *problem;
  struct tny_segments run;
};
/* False: no memory. */
bool tny_plan_key(struct tny_group *group, const struct tny_plan_request *request,
                  struct tny_plan_key *key);

/* May the call's plan be run? Without TOURNEY_PROVE any may; with it, what rank 0 proved. A plan's
   first call is collective over the channel's communicator. *code is an MPI error code. */
bool tny_plan_is_proved(struct tny_channel *channel, const struct tny_plan_request *request,
                        int *code);
void tny_verdicts_free(struct tny_verdict *verdicts);

/* The problem of a group's ranks. */
struct tny_problem tny_group_problem(const struct tny_group *group,
                                     struct tny_algorithm_choice choice, uint32_t root);
void tny_plans_free(struct tny_plan *plans);
void tny_slots_free(struct tny_slot *slots);

/* Where a schedule's buffers lie in memory: of each block, `bytes` bytes from where it begins. */
struct tny_area {
  char *memory;    /* of the first block */
  uint64_t stride; /* from block to block */
};
struct tny_buffers {
  struct tny_area areas[3]; /* by enum tny_buffer; the input is only read */
  uint64_t bytes;
};
/* Part `index` of `count` of something `bytes` long, all parts within a byte of each other. */
struct tny_part {
  uint64_t offset, bytes;
};
struct tny_part tny_part_of(uint64_t bytes, uint32_t index, uint32_t count);
/* Runs the plan once; returns an MPI error code, after which no receive is open. */
int tny_execute(struct tny_plan *plan, const struct tny_channel *channel,
                const struct tny_buffers *buffers);

/* What PMIx knows of this runtime at the ranks of MPI_COMM_WORLD. */
struct tny_presence {
  uint32_t first_with;    /* the lowest rank that has the runtime */
  uint32_t first_without; /* the lowest that hasn't, or has another version; rank_count: none */
  bool is_known;          /* all the above; otherwise ranks can only be waited for */
};
/* Around the MPI's own initialisation: this rank says within it that it has the runtime. */
void tny_presence_begin(void);
void tny_presence_end(void);
/* After it: asks this process's copy of what all ranks said; no rank waits for another. */
struct tny_presence tny_presence_find(uint32_t rank_count);

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
/* The bytes of a block of so many elements; false: no such block. */
bool tny_block_size(int count, MPI_Datatype type, uint64_t *block_bytes);
/* Is there nothing in the buffers, counts and types that the MPI's own collective refuses or dies
   of? Asks it, without any communication. */
bool tny_call_is_sound(const struct tny_call *call);

/* Before a broadcast is planned: puts the bytes of the root's block in the place of this rank's
   own. Collective over the channel; returns an MPI error code. */
int tny_agree_on_size(struct tny_channel *channel, uint32_t root, uint64_t *block_bytes);

/* What one call needs to run: the plan, and the size of a block. */
struct tny_job {
  const struct tny_call *call;
  struct tny_channel *channel;
  struct tny_algorithm_choice choice; /* what serves it; no algorithm: still to be chosen */
  struct tny_plan *plan;
  uint32_t segment_count;
  uint64_t block_bytes;
  bool is_over; /* all its messages are sent and received */
  bool is_told; /* the program's error handler has had the error */
};
/* Brings the data into blocks of bytes, segment by segment, and runs the plan over them. Returns an
   MPI error code. */
int tny_perform(struct tny_job *job);

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
