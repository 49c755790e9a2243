/* Are a call's arguments such that the MPI's own collective would accept them? What isn't goes
   there untouched, before anything is attached, packed or sent, so that its answer is the MPI's
   own, and goes to the error handler that it goes to without us. */
#include "mpi/check_arguments.h"

#include <pthread.h>

#include "mpi/native.h"
#include "mpi/types/combine.h"
#include "mpi/types/datatypes.h"
#include "mpi/world.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

bool tny_block_size(MPI_Count count, MPI_Datatype type, uint64_t *block_bytes)
{
  MPI_Count type_bytes;
  if (count < 0 || type == MPI_DATATYPE_NULL ||
      PMPI_Type_size_x(type, &type_bytes) != MPI_SUCCESS || type_bytes < 0)
    return false;
  *block_bytes = (uint64_t)count * (uint64_t)type_bytes;
  return true;
}

bool tny_has_memory(const void *buffer, MPI_Datatype type, uint64_t bytes)
{
  MPI_Aint begin, extent;
  if (buffer || bytes == 0)
    return true;
  return PMPI_Type_get_true_extent(type, &begin, &extent) == MPI_SUCCESS && begin != 0;
}

bool tny_check_natively(const struct tny_call *call)
{
  pthread_mutex_lock(&lock); /* one collective at a time on a communicator */
  const int answer = call->ask_native(call, tny_world_get()->self);
  pthread_mutex_unlock(&lock);
  return answer == MPI_SUCCESS;
}

const char *tny_check_operation(const struct tny_call *call, bool keeps_order, int *code)
{
  bool is_own;
  if (!tny_collective_reduces(call->collective))
    return NULL;
  if (!tny_op_is_predefined(call->op) && call->nonblocking_name)
    return "nonblocking: an operation of the program's own, which it may free before the end";
  if (!tny_op_is_predefined(call->op) && !keeps_order)
    return "an operation of the program's own, and the algorithm asked for doesn't keep the ranks' "
           "order";
  *code = tny_type_is_elementary(call->receive_type, &is_own);
  if (*code == MPI_SUCCESS && is_own)
    return NULL;
  return "elements that aren't the MPI's own, or have gaps";
}

/* Does this rank get a result of the reduction? */
static bool gets_result(const struct tny_call *call)
{
  int rank, rank_count;
  return PMPI_Comm_rank(call->comm, &rank) == MPI_SUCCESS &&
         PMPI_Comm_size(call->comm, &rank_count) == MPI_SUCCESS &&
         tny_rank_blocks(call->collective, TNY_OUTPUT, (uint32_t)rank_count, (uint32_t)call->root,
                         (uint32_t)rank) > 0;
}

/* Where it is to go isn't looked at where there is none. */
static bool check_reduction(const struct tny_call *call)
{
  const bool receives = gets_result(call), sends = call->send != MPI_IN_PLACE;
  uint64_t bytes;
  if (receives && (call->receive == MPI_IN_PLACE || call->receive == call->send))
    return false;
  return (sends || receives) && tny_check_natively(call) &&
         tny_block_size(call->receive_count, call->receive_type, &bytes) &&
         (!sends || tny_has_memory(call->send, call->send_type, bytes)) &&
         (!receives || tny_has_memory(call->receive, call->receive_type, bytes));
}

bool tny_check_arguments(const struct tny_call *call)
{
  const bool sends = !tny_collective_has_one_buffer(call->collective) && call->send != MPI_IN_PLACE;
  uint64_t send_bytes = 0, receive_bytes;
  if (tny_collective_reduces(call->collective))
    return check_reduction(call);
  if (tny_collective_synchronizes(call->collective)) /* it has none */
    return true;
  /* Open MPI gives this one in an all-to-all to the handler of MPI_COMM_WORLD: not to be asked. */
  if (call->receive == MPI_IN_PLACE)
    return false;
  if (!tny_check_natively(call) ||
      !tny_block_size(call->receive_count, call->receive_type, &receive_bytes) ||
      !tny_has_memory(call->receive, call->receive_type, receive_bytes))
    return false;
  if (!sends)
    return true;
  if (!tny_block_size(call->send_count, call->send_type, &send_bytes) ||
      !tny_has_memory(call->send, call->send_type, send_bytes))
    return false;
  return tny_collective_has_own_block(call->collective) ? send_bytes <= receive_bytes
                                                        : send_bytes == receive_bytes;
}
