/* A program's call of one of the served collectives. */
#ifndef TOURNEY_MPI_CALL_H
#define TOURNEY_MPI_CALL_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include <tourney/collective.h>

/* What an uneven side without counts by block has. */
enum tny_given_blocks {
  TNY_GIVEN_ONE,   /* one block, as in any call; among neighbours, counts are missing */
  TNY_GIVEN_ALIKE, /* blocks of the call's one count, one behind another */
  TNY_GIVEN_SAME,  /* the call's one block, again and again: all neighbours are sent it */
};

/* Where the blocks of one side of an uneven call are. */
struct tny_uneven_side {
  enum tny_given_blocks given;
  const int *counts; /* by block; NULL: large counts, or none, and then it's as `given` has it */
  const int *displacements;      /* NULL: large ones, or none */
  bool is_packed;                /* there are no displacements: blocks lie one behind another */
  const MPI_Count *large_counts; /* of a function that has such: in place of the others */
  const MPI_Aint *large_displacements;
  const MPI_Datatype *types; /* by block, and displacements are in bytes; NULL: one type, in whose
                                extents they are */
};

/* Has the side many blocks, with a count each? */
static inline bool tny_has_counts(const struct tny_uneven_side *side)
{
  return side->counts || side->large_counts;
}

static inline bool tny_has_displacements(const struct tny_uneven_side *side)
{
  return side->is_packed || side->displacements || side->large_displacements;
}

static inline MPI_Count tny_count_of(const struct tny_uneven_side *side, uint32_t block)
{
  return side->counts ? side->counts[block] : side->large_counts[block];
}

static inline MPI_Aint tny_displacement_of(const struct tny_uneven_side *side, uint32_t block)
{
  return side->displacements ? side->displacements[block] : side->large_displacements[block];
}

/* Among which neighbours blocks are exchanged. Several edges may lead from one rank to another, and
   which of their blocks meet is each function's own to say. */
enum tny_neighbours {
  TNY_NOT_NEIGHBOURS,    /* all ranks: blocks are numbered by them */
  TNY_NEIGHBOURS_GATHER, /* all of a rank's blocks are the same, so that it doesn't matter */
  TNY_NEIGHBOURS,        /* as MPI_Neighbor_alltoall has it */
  TNY_NEIGHBOURS_V,      /* as MPI_Neighbor_alltoallv has it */
  TNY_NEIGHBOURS_W,      /* as MPI_Neighbor_alltoallw has it */
  TNY_NEIGHBOURS_COUNT,
};

/* How the blocks of a call differ. */
struct tny_uneven {
  const char *name; /* of the MPI function: "alltoallv" */
  enum tny_neighbours neighbours;
  struct tny_uneven_side send, receive;
};

/* The arguments. A broadcast uses the receive side only. */
struct tny_call {
  enum tny_collective collective;
  const void *send;
  MPI_Count send_count;
  MPI_Datatype send_type;
  void *receive;
  MPI_Count receive_count;
  MPI_Datatype receive_type;
  int root;           /* 0 where there is none */
  MPI_Op op;          /* of a reduction, whose two counts and types are the same */
  const void *counts; /* of MPI_Reduce_scatter, as it was given */
  MPI_Comm comm;
  const struct tny_uneven *uneven; /* NULL: its blocks are alike */
  const char *nonblocking_name;    /* of the MPI function: "ialltoall"; NULL: it is blocking */
  /* Asks the MPI's own function, for none or one element of these types, over a communicator of
     this rank alone: that checks and does nothing else. Of an uneven call's types by block, the
     first. NULL: a barrier, which has none. */
  int (*ask_native)(const struct tny_call *call, MPI_Comm self);
  /* Calls the MPI's own function. */
  int (*call_native)(const struct tny_call *call);
};

/* Among which neighbours is it? */
static inline enum tny_neighbours tny_call_neighbours(const struct tny_call *call)
{
  return call->uneven ? call->uneven->neighbours : TNY_NOT_NEIGHBOURS;
}

/* What MPI calls it, without "MPI_". */
static inline const char *tny_call_name(const struct tny_call *call)
{
  if (call->nonblocking_name)
    return call->nonblocking_name;
  return call->uneven ? call->uneven->name : tny_collective_name(call->collective);
}

#endif
