/* The table that drives the suite: the axes, their values, and which values go together. A
   combination is one value of each axis; in text, the values' words one after another, by which it
   is listed, run and reported. No MPI here. */
#ifndef TOURNEY_TESTS_CONFORMANCE_AXES_H
#define TOURNEY_TESTS_CONFORMANCE_AXES_H

#include <stdbool.h>
#include <stddef.h>

enum axis_name {
  AXIS_SETTING, /* ranks of MPI_COMM_WORLD, the cluster, how the ranks are placed on it */
  AXIS_COLLECTIVE,
  AXIS_FORM,
  AXIS_KIND,      /* of datatype */
  AXIS_OPERATION, /* of a reduction */
  AXIS_PATTERN,   /* of counts */
  AXIS_PLACE,
  AXIS_COMM,
  AXIS_RANKS, /* of the communicator */
  AXIS_ROOT,
  AXIS_ALGORITHM, /* as tourney_set_algorithm takes it; native; or chosen by the runtime */
  AXIS_FAULT,     /* an argument that isn't right */
  AXES
};

enum collective {
  BCAST,
  ALLGATHER,
  ALLTOALL,
  ALLGATHERV,
  ALLTOALLV,
  ALLTOALLW,
  GATHERV,
  SCATTERV,
  REDUCE,
  ALLREDUCE,
  REDUCE_SCATTER_BLOCK,
  REDUCE_SCATTER,
  NEIGHBOR_ALLGATHER,
  NEIGHBOR_ALLGATHERV,
  NEIGHBOR_ALLTOALL,
  NEIGHBOR_ALLTOALLV,
  NEIGHBOR_ALLTOALLW,
  COLLECTIVES
};

enum form { BLOCKING, NONBLOCKING, PERSISTENT, LARGE /* blocking, by functions of large counts */ };

enum kind {
  KIND_INT,
  KIND_DOUBLE,
  KIND_BYTE,
  KIND_CONTIGUOUS,
  KIND_VECTOR,  /* with gaps */
  KIND_RESIZED, /* data before the buffer's address, and a negative lower bound */
  KIND_STRUCT,
  KIND_INDEXED,
  KIND_ZERO,      /* of no bytes */
  KIND_REORDERED, /* displacements in another order than the data's */
  KIND_DUP,
  KIND_ABSOLUTE,   /* addresses, with MPI_BOTTOM */
  KIND_MIXED,      /* ranks, sides and peers describe one signature by different types */
  KIND_PAIR,       /* two integers, of which the second says where the first is */
  KIND_DOUBLE_PAIR /* a double and such an integer, with a gap behind it */
};

enum operation {
  OPERATION_NONE,
  SUM,
  PRODUCT,
  GREATEST,
  EXCLUSIVE_OR,
  GREATEST_PLACE, /* MPI_MAXLOC */
  OWN,            /* of the program's, and it commutes */
  OWN_ORDERED     /* it doesn't */
};

enum pattern { NONE, ONE, FEW, PRIME, THOUSANDS, UNEVEN, SOME_ZERO, LONG_ROW };

enum place { APART, IN_PLACE };

enum comm {
  COMM_WORLD,
  COMM_SELF,
  COMM_SPLIT,
  COMM_DUP,
  COMM_IDUP,
  COMM_REVERSED,
  COMM_CREATE_GROUP,
  COMM_CARTESIAN,
  COMM_GRAPH,
  COMM_DIST_GRAPH,
  COMM_INTER
};

enum root { ROOT_FIRST, ROOT_MIDDLE, ROOT_LAST };

enum fault {
  FAULT_NONE,
  NEGATIVE_COUNT,
  NULL_TYPE,
  UNCOMMITTED_TYPE,
  ROOT_BEYOND,
  ROOT_NEGATIVE,
  TRUNCATED, /* more is sent than fits */
  NULL_OPERATION,
  WRONG_OPERATION /* for another type */
};

enum { ALGORITHM_NATIVE, ALGORITHM_CHOSEN, ALGORITHMS_OTHER };

/* The values of an axis by name; the lists of settings and algorithms are filled by the program. */
struct axis {
  const char *name;
  const char *const *values;
  size_t count;
};

struct combination {
  size_t value[AXES];
};

/* The axes, without settings and algorithms. */
extern const struct axis axes[AXES];

size_t axis_find(const struct axis *axis, const char *word); /* its count where it has none such */

/* Ranks of a communicator by its value of AXIS_RANKS. */
size_t ranks_of(size_t value);

bool has_root(enum collective collective);
/* Has it all ranks of MPI_COMM_WORLD, in their order? */
bool is_whole(enum comm comm);
bool has_own_counts(enum collective collective);
bool has_displacements(enum collective collective);
bool reduces(enum collective collective);
/* Is it one of neighbours? */
bool has_neighbours(enum collective collective);
/* Has a communicator of this kind neighbours? */
bool has_topology(enum comm comm);
/* The collective whose algorithms serve this one. */
const char *family_of(enum collective collective);

/* Is the operation for elements of this kind? */
bool is_for(enum operation operation, enum kind kind);

/* Do the values go together? Of AXIS_SETTING and AXIS_ALGORITHM, only what is given here counts:
   how many ranks MPI_COMM_WORLD has, and for which collective the algorithm is (NULL: any). */
bool go_together(const struct combination *combination, size_t world_ranks, const char *family);

#endif
