/* The table that drives the suite. */
#include "axes.h"

#include <stdint.h>
#include <string.h>

static const char *const collectives[] = {"bcast",
                                          "allgather",
                                          "alltoall",
                                          "allgatherv",
                                          "alltoallv",
                                          "alltoallw",
                                          "gatherv",
                                          "scatterv",
                                          "reduce",
                                          "allreduce",
                                          "reducescatter",
                                          "reducescatter-counts",
                                          "neighbor_allgather",
                                          "neighbor_allgatherv",
                                          "neighbor_alltoall",
                                          "neighbor_alltoallv",
                                          "neighbor_alltoallw"};
static const char *const forms[] = {"blocking", "nonblocking", "persistent", "large-count"};
static const char *const kinds[] = {"int",       "double",    "byte",       "contiguous",
                                    "vector",    "resized",   "struct",     "indexed",
                                    "zero-size", "reordered", "duplicate",  "bottom",
                                    "different", "pair",      "double-pair"};
static const char *const operations[] = {"no-operation", "sum",          "product",
                                         "greatest",     "exclusive-or", "greatest-place",
                                         "own",          "own-ordered"};
static const char *const patterns[] = {"none",      "one",    "few",       "prime",
                                       "thousands", "uneven", "some-zero", "long-row"};
static const char *const places[] = {"apart", "in-place"};
static const char *const comms[] = {"world", "self",       "split",        "dup",
                                    "idup",  "reversed",   "create-group", "cartesian",
                                    "graph", "dist-graph", "inter"};
static const char *const ranks[] = {"1", "2", "3", "5", "8", "13"};
static const size_t rank_counts[] = {1, 2, 3, 5, 8, 13};
static const char *const roots[] = {"first", "middle", "last"};
static const char *const faults[] = {"right",       "negative-count", "null-type",
                                     "uncommitted", "root-beyond",    "root-negative",
                                     "truncated",   "null-operation", "wrong-operation"};

#define VALUES(list) .values = list, .count = sizeof list / sizeof *list

const struct axis axes[AXES] = {
    [AXIS_SETTING] = {.name = "setting"},
    [AXIS_COLLECTIVE] = {.name = "collective", VALUES(collectives)},
    [AXIS_FORM] = {.name = "form", VALUES(forms)},
    [AXIS_KIND] = {.name = "datatype", VALUES(kinds)},
    [AXIS_OPERATION] = {.name = "operation", VALUES(operations)},
    [AXIS_PATTERN] = {.name = "counts", VALUES(patterns)},
    [AXIS_PLACE] = {.name = "place", VALUES(places)},
    [AXIS_COMM] = {.name = "communicator", VALUES(comms)},
    [AXIS_RANKS] = {.name = "ranks", VALUES(ranks)},
    [AXIS_ROOT] = {.name = "root", VALUES(roots)},
    [AXIS_ALGORITHM] = {.name = "algorithm"},
    [AXIS_FAULT] = {.name = "arguments", VALUES(faults)},
};

size_t axis_find(const struct axis *axis, const char *word)
{
  size_t i = 0;
  while (i < axis->count && strcmp(axis->values[i], word) != 0)
    i++;
  return i;
}

size_t ranks_of(size_t value)
{
  return rank_counts[value];
}

bool has_root(enum collective collective)
{
  return collective == BCAST || collective == GATHERV || collective == SCATTERV ||
         collective == REDUCE;
}

bool is_whole(enum comm comm)
{
  return comm == COMM_WORLD || comm == COMM_DUP || comm == COMM_IDUP;
}

bool has_displacements(enum collective collective)
{
  return (collective >= ALLGATHERV && collective <= SCATTERV) ||
         collective == NEIGHBOR_ALLGATHERV || collective >= NEIGHBOR_ALLTOALLV;
}

bool has_own_counts(enum collective collective)
{
  return has_displacements(collective) || collective == REDUCE_SCATTER;
}

bool reduces(enum collective collective)
{
  return collective >= REDUCE && collective <= REDUCE_SCATTER;
}

bool has_neighbours(enum collective collective)
{
  return collective >= NEIGHBOR_ALLGATHER;
}

bool has_topology(enum comm comm)
{
  return comm == COMM_CARTESIAN || comm == COMM_GRAPH || comm == COMM_DIST_GRAPH;
}

const char *family_of(enum collective collective)
{
  switch (collective) {
  case ALLGATHER:
  case ALLGATHERV:
    return "allgather";
  case ALLTOALL:
  case ALLTOALLV:
  case ALLTOALLW:
    return "alltoall";
  case GATHERV:
    return "gather";
  case SCATTERV:
    return "scatter";
  case REDUCE_SCATTER_BLOCK:
  case REDUCE_SCATTER:
    return "reducescatter";
  case NEIGHBOR_ALLGATHER:
  case NEIGHBOR_ALLGATHERV:
  case NEIGHBOR_ALLTOALL:
  case NEIGHBOR_ALLTOALLV:
  case NEIGHBOR_ALLTOALLW:
    return "alltoall"; /* of a pattern */
  default:
    return collectives[collective];
  }
}

/* Communicators of all ranks of MPI_COMM_WORLD, of one, of any number. */
static bool has_that_many(enum comm comm, size_t rank_count, size_t world_ranks)
{
  if (is_whole(comm))
    return rank_count == world_ranks;
  if (comm == COMM_SELF)
    return rank_count == 1;
  return rank_count <= world_ranks && (comm != COMM_INTER || rank_count > 1);
}

/* Those of the program's own are for any, except that ranks have one description of it, and that
   the MPI makes buffers of its own for it, which are at other addresses. */
bool is_for(enum operation operation, enum kind kind)
{
  switch (operation) {
  case OPERATION_NONE:
    return true;
  case SUM:
  case PRODUCT:
  case GREATEST:
    return kind == KIND_INT || kind == KIND_DOUBLE;
  case EXCLUSIVE_OR:
    return kind == KIND_INT || kind == KIND_BYTE;
  case GREATEST_PLACE:
    return kind == KIND_PAIR || kind == KIND_DOUBLE_PAIR;
  case OWN:
  case OWN_ORDERED:
    return kind != KIND_MIXED && kind != KIND_ABSOLUTE;
  }
  return false;
}

/* Of a reduction and an operation, a kind of elements, and a communicator: of an intercommunicator
   with groups of different sizes, blocks of a reduce-scatter would differ. */
static bool can_reduce(const struct combination *combination)
{
  const size_t *value = combination->value;
  const enum collective collective = (enum collective)value[AXIS_COLLECTIVE];
  const enum operation operation = (enum operation)value[AXIS_OPERATION];
  if (reduces(collective) != (operation != OPERATION_NONE))
    return false;
  if (strcmp(family_of(collective), "reducescatter") == 0 && value[AXIS_COMM] == COMM_INTER)
    return false;
  return is_for(operation, (enum kind)value[AXIS_KIND]);
}

/* An erroneous call is made where the MPI's answer doesn't depend on chance: it finds the argument
   itself, before anything is sent, or all ranks find out alike. A type that isn't committed is one
   that needn't be; what is truncated, is so where nobody waits for what another passes on. */
static bool can_err(const struct combination *combination)
{
  const size_t *value = combination->value;
  const enum collective collective = (enum collective)value[AXIS_COLLECTIVE];
  const enum fault fault = (enum fault)value[AXIS_FAULT];
  if (fault == FAULT_NONE)
    return true;
  if ((value[AXIS_FORM] != BLOCKING && value[AXIS_FORM] != LARGE) || value[AXIS_PLACE] != APART ||
      value[AXIS_COMM] == COMM_INTER || value[AXIS_COMM] == COMM_SELF)
    return false;
  if ((value[AXIS_KIND] != KIND_INT && value[AXIS_KIND] != KIND_VECTOR) ||
      (value[AXIS_PATTERN] != FEW && value[AXIS_PATTERN] != THOUSANDS))
    return false;
  if (reduces(collective) && value[AXIS_OPERATION] != SUM)
    return false;
  if (fault == NULL_OPERATION || fault == WRONG_OPERATION)
    return reduces(collective);
  if (fault == ROOT_BEYOND || fault == ROOT_NEGATIVE)
    return has_root(collective);
  if (fault == UNCOMMITTED_TYPE)
    return value[AXIS_KIND] == KIND_INT && !reduces(collective);
  return fault != TRUNCATED || collective == ALLGATHER || collective == ALLTOALL ||
         (collective == BCAST && ranks_of(value[AXIS_RANKS]) == 2);
}

bool go_together(const struct combination *combination, size_t world_ranks, const char *family)
{
  const size_t *value = combination->value;
  const enum collective collective = (enum collective)value[AXIS_COLLECTIVE];
  const enum comm comm = (enum comm)value[AXIS_COMM];
  const size_t rank_count = ranks_of(value[AXIS_RANKS]);
  if (!has_that_many(comm, rank_count, world_ranks))
    return false;
  if (value[AXIS_PATTERN] >= UNEVEN && !has_own_counts(collective))
    return false;
  if (has_neighbours(collective) && (!has_topology(comm) || value[AXIS_PLACE] == IN_PLACE))
    return false;
  if (value[AXIS_PLACE] == IN_PLACE && (collective == BCAST || comm == COMM_INTER))
    return false;
  if (value[AXIS_ROOT] != ROOT_FIRST &&
      (!has_root(collective) || rank_count < (value[AXIS_ROOT] == ROOT_MIDDLE ? 3 : 2)))
    return false;
  if (family && strcmp(family, family_of(collective)) != 0)
    return false;
  return can_reduce(combination) && can_err(combination);
}
