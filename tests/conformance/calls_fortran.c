/* The collectives by Fortran's functions: suite.F90 makes the calls, by one of Fortran's three
   bindings. */
#include <stdint.h>

#include "calls.h"

/* What suite.F90 gets of a side: in its layout, handles as integers. */
struct fortran_side {
  void *buffer;
  MPI_Fint counts[PEERS_MAX], displacements[PEERS_MAX], types[PEERS_MAX];
};
struct fortran_call {
  struct fortran_side send, receive;
  MPI_Fint collective, root, op, comm, request, code;
  MPI_Fint omits_code; /* where the binding has it optional */
};

/* In suite.F90. */
void fortran_blocking(struct fortran_call *call);
void fortran_nonblocking(struct fortran_call *call);
void fortran_addresses(void **in_place, void **bottom);

static void translate_data(const struct arguments *arguments, struct fortran_side *side)
{
  for (int i = 0; i < PEERS_MAX; i++) {
    side->counts[i] = arguments->counts[i];
    side->displacements[i] = arguments->displacements[i];
    side->types[i] = MPI_Type_c2f(arguments->types[i]);
  }
}

static void translate_side(const struct arguments *arguments, struct fortran_side *side)
{
  void *in_place, *bottom;
  fortran_addresses(&in_place, &bottom);
  side->buffer = arguments->buffer;
  if (arguments->buffer == MPI_IN_PLACE)
    side->buffer = in_place;
  else if (arguments->buffer == MPI_BOTTOM)
    side->buffer = bottom;
  translate_data(arguments, side);
}

/* The optional code is left out of every second pair of calls: the runtime's and native's. Both
   MPIs have the same roots that stand for something in C and in Fortran. */
static struct fortran_call translate(const struct call *call)
{
  static unsigned turn;
  struct fortran_call made = {.collective = (MPI_Fint)call->collective,
                              .root = call->root,
                              .op = MPI_Op_c2f(call->op),
                              .comm = MPI_Comm_c2f(call->comm),
                              .code = MPI_SUCCESS,
                              .omits_code = turn++ / 2 % 2};
  translate_side(&call->send, &made.send);
  translate_side(&call->receive, &made.receive);
  if (reduces(call->collective) && call_data(call) == &call->receive)
    translate_data(&call->receive, &made.send); /* where suite.F90 takes them from */
  return made;
}

static int make(const struct call *call)
{
  struct fortran_call made = translate(call);
  fortran_blocking(&made);
  return made.code;
}

/* Arrays of counts are to stay until the request is complete: until the next one. */
static int begin(const struct call *call, MPI_Request *request)
{
  static struct fortran_call made;
  made = translate(call);
  fortran_nonblocking(&made);
  *request = MPI_Request_f2c(made.request);
  return made.code;
}

const struct call_forms call_forms[COLLECTIVES] = {
    [BCAST] = {make, begin, NULL, NULL},
    [ALLGATHER] = {make, begin, NULL, NULL},
    [ALLTOALL] = {make, begin, NULL, NULL},
    [ALLGATHERV] = {make, begin, NULL, NULL},
    [ALLTOALLV] = {make, begin, NULL, NULL},
    [ALLTOALLW] = {make, begin, NULL, NULL},
    [GATHERV] = {make, begin, NULL, NULL},
    [SCATTERV] = {make, begin, NULL, NULL},
    [REDUCE] = {make, begin, NULL, NULL},
    [ALLREDUCE] = {make, begin, NULL, NULL},
    [REDUCE_SCATTER_BLOCK] = {make, begin, NULL, NULL},
    [REDUCE_SCATTER] = {make, begin, NULL, NULL},
};
