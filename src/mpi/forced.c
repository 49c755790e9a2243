/* The communicators that have the MPI's own algorithms forced, and calls on them. */
#include "mpi/forced.h"

#include <limits.h>

#include "core/alloc.h"
#include "mpi/forced_comm.h"
#include "mpi/native.h"
#include "mpi/pack.h"
#include "mpi/types/datatypes.h"

/* --- all that a profile asks for --- */

/* Finds room for an algorithm beside those of other collectives. */
static void add(struct tny_forced_wanted *wanted, enum tny_collective collective,
                uint32_t parameter)
{
  uint32_t i = 0;
  while (i < wanted->count && wanted->list[i][collective] != 0 &&
         wanted->list[i][collective] != parameter)
    i++;
  if (i == TNY_FORCED_COMMS)
    return;
  wanted->list[i][collective] = parameter;
  wanted->count = i < wanted->count ? wanted->count : i + 1;
}

struct tny_forced_wanted tny_forced_wanted(const struct tny_guard_result *results, uint32_t count)
{
  struct tny_forced_wanted wanted = {0};
  for (uint32_t i = 0; i < count; i++)
    if (!results[i].choice.algorithm && results[i].choice.parameter)
      add(&wanted, results[i].collective, results[i].choice.parameter);
  return wanted;
}

uint32_t tny_forced_find(const struct tny_forced_wanted *wanted, enum tny_collective collective,
                         uint32_t parameter)
{
  for (uint32_t i = 0; i < wanted->count; i++)
    if (wanted->list[i][collective] == parameter)
      return i;
  return TNY_NONE;
}

int tny_forced_comms_make(struct tny_forced_comms *comms, const struct tny_forced_wanted *wanted,
                          uint32_t number, MPI_Comm comm)
{
  MPI_Comm *made = &comms->list[number];
  const int code = tny_forced_comm_make(comm, wanted->list[number], made);
  if (*made != MPI_COMM_NULL)
    PMPI_Comm_set_errhandler(*made, MPI_ERRORS_RETURN);
  comms->is_made[number] = true;
  return code;
}

void tny_forced_comms_free(struct tny_forced_comms *comms)
{
  for (uint32_t i = 0; i < TNY_FORCED_COMMS; i++)
    if (comms->is_made[i] && comms->list[i] != MPI_COMM_NULL)
      tny_native.comm_free(&comms->list[i]);
  *comms = (struct tny_forced_comms){0};
}

/* --- calls --- */

/* A broadcast of elements that don't lie as bytes do. Where they can't be packed, they are left to
   the MPI as they are. */
static int broadcast_packed(const struct tny_call *call, MPI_Comm comm, int bytes)
{
  char *packed = tny_new((size_t)bytes, 1);
  const struct tny_elements elements = {call->receive, (int)call->receive_count,
                                        call->receive_type};
  int rank;
  int code = packed ? PMPI_Comm_rank(comm, &rank) : MPI_ERR_NO_MEM;
  if (code == MPI_SUCCESS && rank == call->root)
    code = tny_pack(&elements, packed, bytes, comm);
  if (code != MPI_SUCCESS) {
    tny_free(packed);
    return tny_native.bcast(call->receive, (int)call->receive_count, call->receive_type, call->root,
                            comm);
  }
  code = tny_native.bcast(packed, bytes, MPI_BYTE, call->root, comm);
  if (code == MPI_SUCCESS && rank != call->root)
    code = tny_unpack(packed, bytes, &elements, comm);
  tny_free(packed);
  return code;
}

int tny_forced_call(const struct tny_call *call, uint64_t block_bytes, MPI_Comm comm)
{
  struct tny_call own = *call;
  bool is_bytes = false;
  own.comm = comm;
  if (!tny_collective_has_one_buffer(call->collective) || block_bytes > INT_MAX ||
      tny_type_look_at(call->receive_type, &is_bytes) != MPI_SUCCESS)
    return call->call_native(&own);
  return is_bytes ? tny_native.bcast(call->receive, (int)block_bytes, MPI_BYTE, call->root, comm)
                  : broadcast_packed(call, comm, (int)block_bytes);
}
