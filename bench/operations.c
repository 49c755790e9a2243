/* The table of collectives, and their calls. */
#include "bench/operations.h"

#include <string.h>

static int call_bcast(const struct bench_buffers *b, MPI_Comm comm)
{
  return MPI_Bcast(b->output.memory, b->output.bytes[0], MPI_BYTE, 0, comm);
}

static int call_allgather(const struct bench_buffers *b, MPI_Comm comm)
{
  return MPI_Allgather(b->input.memory, b->input.bytes[0], MPI_BYTE, b->output.memory,
                       b->output.bytes[0], MPI_BYTE, comm);
}

static int call_alltoall(const struct bench_buffers *b, MPI_Comm comm)
{
  return MPI_Alltoall(b->input.memory, b->input.bytes[0], MPI_BYTE, b->output.memory,
                      b->output.bytes[0], MPI_BYTE, comm);
}

static int call_allgatherv(const struct bench_buffers *b, MPI_Comm comm)
{
  return MPI_Allgatherv(b->input.memory, b->input.bytes[0], MPI_BYTE, b->output.memory,
                        b->output.bytes, b->output.places, MPI_BYTE, comm);
}

static int call_alltoallv(const struct bench_buffers *b, MPI_Comm comm)
{
  return MPI_Alltoallv(b->input.memory, b->input.bytes, b->input.places, MPI_BYTE, b->output.memory,
                       b->output.bytes, b->output.places, MPI_BYTE, comm);
}

static int call_gatherv(const struct bench_buffers *b, MPI_Comm comm)
{
  return MPI_Gatherv(b->input.memory, b->input.bytes[0], MPI_BYTE, b->output.memory,
                     b->output.bytes, b->output.places, MPI_BYTE, 0, comm);
}

static int call_scatterv(const struct bench_buffers *b, MPI_Comm comm)
{
  return MPI_Scatterv(b->input.memory, b->input.bytes, b->input.places, MPI_BYTE, b->output.memory,
                      b->output.bytes[0], MPI_BYTE, 0, comm);
}

/* Blocks are combined by exclusive or, in the longest words that they divide into: so is what must
   come of it (bench_pattern_mix), whatever the words. */
struct words {
  MPI_Datatype type;
  int count;
};

static struct words words_of(const struct bench_side *side)
{
  const int bytes = side->bytes[0];
  if (bytes % 8 == 0)
    return (struct words){MPI_UINT64_T, bytes / 8};
  if (bytes % 4 == 0)
    return (struct words){MPI_UINT32_T, bytes / 4};
  return (struct words){MPI_BYTE, bytes};
}

static int call_reduce(const struct bench_buffers *b, MPI_Comm comm)
{
  const struct words words = words_of(&b->input);
  return MPI_Reduce(b->input.memory, b->output.memory, words.count, words.type, MPI_BXOR, 0, comm);
}

static int call_reducescatter(const struct bench_buffers *b, MPI_Comm comm)
{
  const struct words words = words_of(&b->output);
  return MPI_Reduce_scatter_block(b->input.memory, b->output.memory, words.count, words.type,
                                  MPI_BXOR, comm);
}

static int call_reduce_scatter(const struct bench_buffers *b, MPI_Comm comm)
{
  return MPI_Reduce_scatter(b->input.memory, b->output.memory, b->input.bytes, MPI_BYTE, MPI_BXOR,
                            comm);
}

static int call_allreduce(const struct bench_buffers *b, MPI_Comm comm)
{
  const struct words words = words_of(&b->input);
  return MPI_Allreduce(b->input.memory, b->output.memory, words.count, words.type, MPI_BXOR, comm);
}

static int call_neighbor_allgather(const struct bench_buffers *b, MPI_Comm comm)
{
  return MPI_Neighbor_allgather(b->input.memory, b->input.bytes[0], MPI_BYTE, b->output.memory,
                                b->output.bytes[0], MPI_BYTE, comm);
}

static int call_neighbor_allgatherv(const struct bench_buffers *b, MPI_Comm comm)
{
  return MPI_Neighbor_allgatherv(b->input.memory, b->input.bytes[0], MPI_BYTE, b->output.memory,
                                 b->output.bytes, b->output.places, MPI_BYTE, comm);
}

static int call_neighbor_alltoall(const struct bench_buffers *b, MPI_Comm comm)
{
  return MPI_Neighbor_alltoall(b->input.memory, b->input.bytes[0], MPI_BYTE, b->output.memory,
                               b->output.bytes[0], MPI_BYTE, comm);
}

static int call_neighbor_alltoallv(const struct bench_buffers *b, MPI_Comm comm)
{
  return MPI_Neighbor_alltoallv(b->input.memory, b->input.bytes, b->input.places, MPI_BYTE,
                                b->output.memory, b->output.bytes, b->output.places, MPI_BYTE,
                                comm);
}

static int call_barrier(const struct bench_buffers *b, MPI_Comm comm)
{
  (void)b;
  return MPI_Barrier(comm);
}

static const struct bench_operation operations[] = {
    {.name = "bcast", .collective = TNY_BROADCAST, .rooted = true, .call = call_bcast},
    {.name = "allgather",
     .collective = TNY_ALLGATHER,
     .output_per_rank = true,
     .call = call_allgather},
    {.name = "alltoall",
     .collective = TNY_ALLTOALL,
     .input_per_rank = true,
     .output_per_rank = true,
     .personal = true,
     .call = call_alltoall},
    {.name = "allgatherv",
     .collective = TNY_ALLGATHER,
     .output_per_rank = true,
     .uneven = true,
     .call = call_allgatherv},
    {.name = "alltoallv",
     .collective = TNY_ALLTOALL,
     .input_per_rank = true,
     .output_per_rank = true,
     .personal = true,
     .uneven = true,
     .call = call_alltoallv},
    {.name = "gatherv",
     .collective = TNY_GATHER,
     .output_per_rank = true,
     .output_at_root = true,
     .uneven = true,
     .call = call_gatherv},
    {.name = "scatterv",
     .collective = TNY_SCATTER,
     .input_per_rank = true,
     .input_at_root = true,
     .personal = true,
     .uneven = true,
     .call = call_scatterv},
    {.name = "reduce",
     .collective = TNY_REDUCE,
     .output_at_root = true,
     .reduces = true,
     .call = call_reduce},
    {.name = "reducescatter",
     .collective = TNY_REDUCE_SCATTER,
     .input_per_rank = true,
     .personal = true,
     .reduces = true,
     .call = call_reducescatter},
    {.name = "reduce_scatter",
     .collective = TNY_REDUCE_SCATTER,
     .input_per_rank = true,
     .personal = true,
     .reduces = true,
     .uneven = true,
     .call = call_reduce_scatter},
    {.name = "allreduce", .collective = TNY_ALLREDUCE, .reduces = true, .call = call_allreduce},
    {.name = "neighbor_allgather",
     .collective = TNY_ALLGATHER,
     .output_per_rank = true,
     .neighbours = true,
     .call = call_neighbor_allgather},
    {.name = "neighbor_allgatherv",
     .collective = TNY_ALLGATHER,
     .output_per_rank = true,
     .uneven = true,
     .neighbours = true,
     .call = call_neighbor_allgatherv},
    {.name = "neighbor_alltoall",
     .collective = TNY_ALLTOALL,
     .input_per_rank = true,
     .output_per_rank = true,
     .personal = true,
     .neighbours = true,
     .call = call_neighbor_alltoall},
    {.name = "neighbor_alltoallv",
     .collective = TNY_ALLTOALL,
     .input_per_rank = true,
     .output_per_rank = true,
     .personal = true,
     .uneven = true,
     .neighbours = true,
     .call = call_neighbor_alltoallv},
    {.name = "barrier", .collective = TNY_BARRIER, .synchronizes = true, .call = call_barrier},
};

const struct bench_operation *bench_operation_find(const char *name, size_t length)
{
  for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
    if (strlen(operations[i].name) == length && !strncmp(operations[i].name, name, length))
      return &operations[i];
  }
  return NULL;
}

/* Where all send to rank 0, that one begins first, and tells the others to: behind a barrier it
   might be the last, and begin when much is there. */
double bench_operation_begin(const struct bench_operation *operation)
{
  char nothing = 0;
  int rank;
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  if (!operation->output_at_root)
    return start;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Bcast(&nothing, 1, MPI_CHAR, 0, MPI_COMM_WORLD);
  return rank == 0 ? start : MPI_Wtime();
}
