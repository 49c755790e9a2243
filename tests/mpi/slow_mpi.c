/* An MPI some of whose functions are slow: preloaded before it and behind the runtime. SLOW=native:
   long broadcasts, all-to-alls and all-reduces sleep for SLOW_US microseconds; SLOW=planned: so do
   the long messages of plans; SLOW=both: all of them, the messages a hundredth as long as the
   collectives, so that plans are faster and take much longer than a processor may be with others.
 */
#include <dlfcn.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SHORT_BYTES = 500 }; /* less than a piece of a broadcast */

static long slow_us(const char *what)
{
  const char *which = getenv("SLOW"), *us = getenv("SLOW_US");
  if (!which || !us)
    return 0;
  if (strcmp(which, "both") == 0)
    return strcmp(what, "native") == 0 ? 10 * strtol(us, NULL, 10) : strtol(us, NULL, 10) / 10;
  return strcmp(which, what) == 0 ? strtol(us, NULL, 10) : 0;
}

static void sleep_if_long(const char *what, int count, MPI_Datatype type)
{
  int type_bytes = 0;
  PMPI_Type_size(type, &type_bytes);
  const long us = slow_us(what);
  if (us > 0 && (long)count * type_bytes > SHORT_BYTES)
    usleep((useconds_t)us);
}

static void find_next(const char *name, void *function)
{
  void *address = dlsym(RTLD_NEXT, name);
  memcpy(function, &address, sizeof address);
}

int PMPI_Bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
  static __typeof__(PMPI_Bcast) *next;
  if (!next)
    find_next("PMPI_Bcast", &next);
  sleep_if_long("native", count, type);
  return next(buffer, count, type, root, comm);
}

int PMPI_Alltoall(const void *send, int send_count, MPI_Datatype send_type, void *receive,
                  int count, MPI_Datatype type, MPI_Comm comm)
{
  static __typeof__(PMPI_Alltoall) *next;
  if (!next)
    find_next("PMPI_Alltoall", &next);
  sleep_if_long("native", count, type);
  return next(send, send_count, send_type, receive, count, type, comm);
}

int PMPI_Allreduce(const void *send, void *receive, int count, MPI_Datatype type, MPI_Op op,
                   MPI_Comm comm)
{
  static __typeof__(PMPI_Allreduce) *next;
  if (!next)
    find_next("PMPI_Allreduce", &next);
  sleep_if_long("native", count, type);
  return next(send, receive, count, type, op, comm);
}

/* Both names, as an MPI has them: else these would pass for another tool's. */
int MPI_Bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
  return PMPI_Bcast(buffer, count, type, root, comm);
}

int MPI_Alltoall(const void *send, int send_count, MPI_Datatype send_type, void *receive, int count,
                 MPI_Datatype type, MPI_Comm comm)
{
  return PMPI_Alltoall(send, send_count, send_type, receive, count, type, comm);
}

int MPI_Allreduce(const void *send, void *receive, int count, MPI_Datatype type, MPI_Op op,
                  MPI_Comm comm)
{
  return PMPI_Allreduce(send, receive, count, type, op, comm);
}

int PMPI_Isend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
               MPI_Request *request)
{
  static __typeof__(PMPI_Isend) *next;
  if (!next)
    find_next("PMPI_Isend", &next);
  sleep_if_long("planned", count, type);
  return next(buffer, count, type, to, tag, comm, request);
}
