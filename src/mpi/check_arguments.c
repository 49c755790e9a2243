/* Are a call's arguments such that the MPI's own collective would accept them? What isn't goes
   there untouched, before anything is attached, packed or sent, so that its answer is the MPI's
   own, and goes to the error handler that it goes to without us. */
#include "mpi/check_arguments.h"

#include <pthread.h>

#include "mpi/native.h"
#include "mpi/world.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

bool tny_block_size(int count, MPI_Datatype type, uint64_t *block_bytes)
{
  MPI_Count type_bytes;
  if (count < 0 || type == MPI_DATATYPE_NULL ||
      PMPI_Type_size_x(type, &type_bytes) != MPI_SUCCESS || type_bytes < 0)
    return false;
  *block_bytes = (uint64_t)count * (uint64_t)type_bytes;
  return true;
}

/* Asks the collective itself, for no elements of these types, over a communicator of this rank
   alone: that checks and does nothing else. */
static int ask_native(const struct tny_call *call)
{
  const MPI_Comm self = tny_world_get()->self;
  switch (call->collective) {
  case TNY_BROADCAST:
    return tny_native.bcast(call->receive, 0, call->receive_type, 0, self);
  case TNY_ALLGATHER:
    return tny_native.allgather(call->send, 0, call->send_type, call->receive, 0,
                                call->receive_type, self);
  case TNY_ALLTOALL:
    return tny_native.alltoall(call->send, 0, call->send_type, call->receive, 0, call->receive_type,
                               self);
  }
  return MPI_ERR_OTHER;
}

/* Is there memory behind a buffer? A null pointer is MPI_BOTTOM, which is right for a type that
   begins at an address of its own. */
static bool has_memory(const void *buffer, MPI_Datatype type, uint64_t bytes)
{
  MPI_Aint begin, extent;
  if (buffer || bytes == 0)
    return true;
  return PMPI_Type_get_true_extent(type, &begin, &extent) == MPI_SUCCESS && begin != 0;
}

bool tny_check_arguments(const struct tny_call *call)
{
  const struct tny_call_shape *shape = &tny_call_shapes[call->collective];
  uint64_t send_bytes = 0, receive_bytes;
  /* Open MPI gives this one in an all-to-all to the handler of MPI_COMM_WORLD: not to be asked. */
  if (call->receive == MPI_IN_PLACE)
    return false;
  pthread_mutex_lock(&lock); /* one collective at a time on a communicator */
  const int answer = ask_native(call);
  pthread_mutex_unlock(&lock);
  if (answer != MPI_SUCCESS ||
      !tny_block_size(call->receive_count, call->receive_type, &receive_bytes) ||
      !has_memory(call->receive, call->receive_type, receive_bytes))
    return false;
  if (shape->has_one_buffer || call->send == MPI_IN_PLACE)
    return true;
  if (!tny_block_size(call->send_count, call->send_type, &send_bytes) ||
      !has_memory(call->send, call->send_type, send_bytes))
    return false;
  return shape->may_send_less ? send_bytes <= receive_bytes : send_bytes == receive_bytes;
}
