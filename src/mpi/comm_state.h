/* What the runtime keeps of a communicator of the program, as an attribute of it. */
#ifndef TOURNEY_MPI_COMM_STATE_H
#define TOURNEY_MPI_COMM_STATE_H

#include <mpi.h>

#include "mpi/cache/agreed.h"
#include "mpi/context/ids.h"
#include "mpi/forced.h"
#include "mpi/group.h"
#include "mpi/guard/sizing.h"
#include "mpi/guard/table.h"

struct tny_edges;

struct tny_comm_state {
  const char *why_native;     /* NULL: served */
  struct tny_context context; /* tells its messages from those of others */
  MPI_Comm of;                /* the program's communicator */
  MPI_Comm comm;              /* where its messages go: the world's private one */
  struct tny_group *group;    /* NULL where it is native */
  uint32_t rank, rank_count;
  struct tny_guard_table guard;    /* by what each class of calls is served */
  struct tny_sizing sizing;        /* in which uneven calls its ranks agree on sizes */
  struct tny_agreed *agreed;       /* on which plans all its ranks did */
  struct tny_forced_comms *forced; /* NULL: none is wanted */
  /* A communicator's neighbourhood has a state of its own, which shares its tags. */
  union {
    struct tny_comm_state *neighbours; /* of a communicator's: NULL until it is made */
    struct tny_comm_state *whole;      /* of a neighbourhood's: its communicator's */
  };
  struct tny_edges *edges; /* of a neighbourhood's; owned */
  struct tny_pattern
      *counts; /* at rank 0: room for those of a call; owned, NULL: none was needed */
  int broken;  /* the MPI error of a run that failed: what it left behind would meet the next one */
  bool is_of_neighbours;
  bool repeats; /* this rank's next uneven call is one that the others are in already */
};

/* That making a communicator's state takes, where no other thread makes one. */
enum { TNY_COMM_STATE_COLLECTIVES = 2 };

/* The key of the attribute; an MPI error code. */
int tny_comm_state_keyval(int *keyval);
/* The state of a communicator, made on its first use (then collective over it). Returns an MPI
   error code; *state is NULL where there can't be one. */
int tny_comm_state_get(MPI_Comm comm, struct tny_comm_state **state);
/* The state that it has, or NULL; asks nobody. Returns an MPI error code, of which the
   communicator's error handler has been told. */
int tny_comm_state_find(MPI_Comm comm, struct tny_comm_state **state);
/* Why a communicator of these ranks is native, as every rank of it finds alike without asking; left
   as it is where it may be served. Returns an MPI error code. */
int tny_comm_find_common_reason(MPI_Comm comm, MPI_Group members, int rank_count, const char **why);
/* Counts an uneven call on a communicator that has no state, and says how many there were. Asks
   nobody: all ranks count alike. Returns an MPI error code, of which the communicator's error
   handler has been told: then the call isn't counted, and isn't to be made; so a rank that makes it
   again counts as the others do. */
int tny_comm_count_uneven(MPI_Comm comm, uint32_t *count);
/* As if the last one hadn't been counted. */
void tny_comm_uncount_uneven(MPI_Comm comm);
/* The next one, which the others are in already, isn't counted, and has 0 for how many there
   were. */
void tny_comm_repeat_uneven(MPI_Comm comm);
/* Hangs the state of its neighbourhood on a communicator's, or where `why` isn't NULL, why that is
   native. `neighbours` is NULL where there was no memory for it. */
void tny_comm_add_neighbours(struct tny_comm_state *whole, struct tny_comm_state *neighbours,
                             const char *why);
/* Frees one that isn't hung on any; NULL does nothing. */
void tny_comm_neighbours_free(struct tny_comm_state *neighbours);
/* A run has failed with this MPI error: messages are left behind. */
void tny_comm_state_break(struct tny_comm_state *state, int code);

/* What the ranks of a group have settled, as rank 0 hands it to a new communicator. */
struct tny_known_results {
  int64_t count;
  int64_t words[TNY_GUARD_HANDED * TNY_GUARD_RESULT_WORDS];
};
void tny_comm_hand_out_results(struct tny_group *group, struct tny_known_results *known);
/* Makes room for them. False: no memory. */
bool tny_comm_reserve_results(struct tny_comm_state *state);
/* Settles classes by them, and those that the profile knows. */
void tny_comm_take_results(struct tny_comm_state *state, const struct tny_known_results *known);

/* Takes the state off all communicators of this rank. */
void tny_comm_states_close(void);

/* Calls the MPI's own MPI_Comm_free or MPI_Comm_disconnect. While it lasts, the communicator is
   native: delete callbacks of the program's attributes may still use it. Where one of them refuses,
   the communicator keeps its state. */
int tny_comm_free_natively(MPI_Comm *comm, int (*native)(MPI_Comm *comm));

#endif
