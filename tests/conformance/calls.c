/* The calls by which a collective is made. */
#include "calls.h"

const struct arguments *call_data(const struct call *call)
{
  return call->send.types[0] != MPI_DATATYPE_NULL ? &call->send : &call->receive;
}

static int start(MPI_Request *request)
{
  const int code = MPI_Start(request);
  return code == MPI_SUCCESS ? MPI_Wait(request, MPI_STATUS_IGNORE) : code;
}

static int make_persistent(const struct call *call, const struct exchange *exchange)
{
  MPI_Request request;
  int code = call_forms[call->collective].persistent(call, &request);
  if (code != MPI_SUCCESS)
    return code;
  code = start(&request);
  exchange_fill(exchange);
  if (code == MPI_SUCCESS)
    code = start(&request);
  MPI_Request_free(&request);
  return code;
}

int call_make(const struct call *call, enum form form, const struct exchange *exchange)
{
  MPI_Request request;
  if (form == BLOCKING)
    return call_forms[call->collective].blocking(call);
  if (form == LARGE)
    return call_forms[call->collective].large(call);
  if (form == PERSISTENT)
    return make_persistent(call, exchange);
  const int code = call_forms[call->collective].nonblocking(call, &request);
  return code == MPI_SUCCESS ? MPI_Wait(&request, MPI_STATUS_IGNORE) : code;
}
