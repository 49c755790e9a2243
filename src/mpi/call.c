/* The collectives as calls of MPI see them. */
#include "mpi/call.h"

const struct tny_call_shape tny_call_shapes[TNY_COLLECTIVE_COUNT] = {
    [TNY_BROADCAST] = {.has_one_buffer = true},
    [TNY_ALLGATHER] = {.may_send_less = true},
    [TNY_ALLTOALL] = {.has_one_buffer = false},
};
