/* Nonblocking collectives, each with its memory and its result by the definition. */
#include "background_support.h"

#include <stdbool.h>
#include <string.h>

#include <tourney/runtime.h>

int number_of(int stamp, int from, int to, int index)
{
  return stamp + 1000 * from + 31 * to + 7 * index;
}

static int pitch(const struct operation *operation)
{
  return operation->layout == GAPS ? 2 : 1;
}

/* Of a reduction with a root, the root's alone is in place. */
static bool is_in_place(const struct operation *operation)
{
  return operation->layout == IN_PLACE &&
         (operation->kind != REDUCE || operation->rank == operation->root);
}

/* Blocks of `to`s, or of one sender, at `memory`. */
static void fill(const struct operation *operation, int *memory, int blocks, bool is_by_receiver)
{
  const int n = operation->n;
  for (int block = 0; block < blocks; block++)
    for (int i = 0; i < n; i++)
      memory[(block * n + i) * pitch(operation)] =
          number_of(operation->stamp, operation->rank, is_by_receiver ? block : 0, i);
}

void prepare(struct operation *operation)
{
  const int n = operation->n, step = pitch(operation), rank = operation->rank;
  memset(operation->input, -1, sizeof operation->input);
  memset(operation->output, -1, sizeof operation->output);
  switch (operation->kind) {
  case BCAST:
    if (rank == operation->root)
      fill(operation, operation->output, 1, false);
    break;
  case ALLGATHER:
    fill(operation, is_in_place(operation) ? operation->output + rank * n * step : operation->input,
         1, false);
    break;
  case REDUCE:
  case ALLREDUCE:
    fill(operation, is_in_place(operation) ? operation->output : operation->input, 1, false);
    break;
  default:
    fill(operation, is_in_place(operation) ? operation->output : operation->input, operation->size,
         true);
    break;
  }
}

static int begin_reduction(struct operation *operation)
{
  const void *input = is_in_place(operation) ? MPI_IN_PLACE : operation->input;
  const int n = operation->n;
  if (operation->kind == REDUCE)
    return MPI_Ireduce(input, operation->output, n, MPI_INT, MPI_SUM, operation->root,
                       operation->comm, &operation->request);
  if (operation->kind == ALLREDUCE)
    return MPI_Iallreduce(input, operation->output, n, MPI_INT, MPI_SUM, operation->comm,
                          &operation->request);
  if (operation->stamp / 10 / KINDS % 2 == 0)
    return MPI_Ireduce_scatter_block(input, operation->output, n, MPI_INT, MPI_SUM, operation->comm,
                                     &operation->request);
  for (int i = 0; i < operation->size; i++)
    operation->counts[i] = n;
  return MPI_Ireduce_scatter(input, operation->output, operation->counts, MPI_INT, MPI_SUM,
                             operation->comm, &operation->request);
}

int begin(struct operation *operation)
{
  MPI_Datatype type = MPI_INT;
  const int n = operation->n;
  int code;
  if (operation->layout == GAPS) {
    MPI_Type_create_resized(MPI_INT, 0, 2 * (MPI_Aint)sizeof(int), &type);
    MPI_Type_commit(&type);
  }
  const void *input = is_in_place(operation) ? MPI_IN_PLACE : operation->input;
  if (operation->kind >= REDUCE)
    code = begin_reduction(operation);
  else if (operation->kind == BCAST)
    code = MPI_Ibcast(operation->output, n, type, operation->root, operation->comm,
                      &operation->request);
  else if (operation->kind == ALLGATHER)
    code = MPI_Iallgather(input, n, type, operation->output, n, type, operation->comm,
                          &operation->request);
  else
    code = MPI_Ialltoall(input, n, type, operation->output, n, type, operation->comm,
                         &operation->request);
  if (tourney_last_algorithm && strcmp(tourney_last_algorithm(), "native") != 0)
    operation->planned++;
  if (type != MPI_INT)
    MPI_Type_free(&type);
  return code;
}

/* What is to be at `index` of a block of the output. */
static int expect(const struct operation *operation, int block, int index)
{
  const int to = operation->kind == ALLTOALL || operation->kind == REDUCE_SCATTER;
  const int column = to ? operation->rank : 0;
  int sum = 0;
  if (operation->kind == BCAST)
    return number_of(operation->stamp, operation->root, 0, index);
  if (operation->kind < REDUCE)
    return number_of(operation->stamp, block, column, index);
  for (int from = 0; from < operation->size; from++)
    sum += number_of(operation->stamp, from, column, index);
  return sum;
}

/* Blocks of the output that are to hold something. */
static int blocks_of(const struct operation *operation)
{
  if (operation->kind == REDUCE)
    return operation->rank == operation->root;
  return operation->kind == ALLGATHER || operation->kind == ALLTOALL ? operation->size : 1;
}

static bool is_right(const struct operation *operation)
{
  const int n = operation->n, step = pitch(operation), blocks = blocks_of(operation);
  const bool has_input_behind = operation->kind == REDUCE_SCATTER && is_in_place(operation);
  for (int block = 0; block < blocks; block++) {
    for (int i = 0; i < n; i++) {
      const int at = (block * n + i) * step;
      if (operation->output[at] != expect(operation, block, i) ||
          (step == 2 && operation->output[at + 1] != -1))
        return false;
    }
  }
  return operation->output[(has_input_behind ? operation->size : blocks) * n * step] == -1;
}

void check(struct operation *operation, int code)
{
  operation->wrong +=
      code != MPI_SUCCESS || operation->request != MPI_REQUEST_NULL || !is_right(operation);
}

int start(struct operation *operation, MPI_Comm comm, int number)
{
  operation->comm = comm;
  MPI_Comm_rank(comm, &operation->rank);
  MPI_Comm_size(comm, &operation->size);
  operation->kind = (enum kind)(number % KINDS);
  operation->layout = (enum layout)(number / KINDS % LAYOUTS);
  if (operation->kind >= REDUCE && operation->layout == GAPS)
    operation->layout = ROW;
  operation->root = number / KINDS % operation->size;
  operation->n = BLOCK - 500 * (number % 4);
  operation->stamp = 10 * number;
  prepare(operation);
  return begin(operation);
}
