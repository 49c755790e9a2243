/* Preloaded behind the runtime: counts what the runtime allocates, the datatypes that it makes and
   packs by, and the collectives by which ranks agree (watch_support.h). What the MPI allocates for
   itself isn't counted. */
#include "watch_support.h"

#include <dlfcn.h>
#include <link.h>
#include <mpi.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* glibc's own, below malloc and the others. */
void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *memory, size_t bytes);

static atomic_bool is_watching;
static struct watched counted;
static uintptr_t runtime_begin, runtime_end;

static int find_runtime(struct dl_phdr_info *library, size_t size, void *unused)
{
  (void)size, (void)unused;
  if (!strstr(library->dlpi_name, "libtourney_"))
    return 0;
  for (int i = 0; i < library->dlpi_phnum; i++) {
    const uintptr_t begin = library->dlpi_addr + library->dlpi_phdr[i].p_vaddr;
    const uintptr_t end = begin + library->dlpi_phdr[i].p_memsz;
    if (library->dlpi_phdr[i].p_type != PT_LOAD)
      continue;
    if (runtime_begin == 0 || begin < runtime_begin)
      runtime_begin = begin;
    if (end > runtime_end)
      runtime_end = end;
  }
  return 1;
}

static void count_allocation(const void *caller)
{
  if (is_watching && (uintptr_t)caller >= runtime_begin && (uintptr_t)caller < runtime_end)
    counted.allocations++;
}

void *malloc(size_t bytes)
{
  count_allocation(__builtin_return_address(0));
  return __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes)
{
  count_allocation(__builtin_return_address(0));
  return __libc_calloc(count, bytes);
}

void *realloc(void *memory, size_t bytes)
{
  count_allocation(__builtin_return_address(0));
  return __libc_realloc(memory, bytes);
}

static void *next(const char *name)
{
  return dlsym(RTLD_NEXT, name);
}

int PMPI_Type_create_hvector(int count, int length, MPI_Aint stride, MPI_Datatype type,
                             MPI_Datatype *made)
{
  __typeof__(PMPI_Type_create_hvector) *create;
  *(void **)&create = next("PMPI_Type_create_hvector");
  counted.types += is_watching;
  return create(count, length, stride, type, made);
}

int PMPI_Pack(const void *from, int count, MPI_Datatype type, void *to, int room, int *position,
              MPI_Comm comm)
{
  __typeof__(PMPI_Pack) *pack;
  *(void **)&pack = next("PMPI_Pack");
  counted.packs += is_watching;
  return pack(from, count, type, to, room, position, comm);
}

int PMPI_Unpack(const void *from, int bytes, int *position, void *to, int count, MPI_Datatype type,
                MPI_Comm comm)
{
  __typeof__(PMPI_Unpack) *unpack;
  *(void **)&unpack = next("PMPI_Unpack");
  counted.packs += is_watching;
  return unpack(from, bytes, position, to, count, type, comm);
}

/* --- collectives, by both names, as an MPI has them: else these would pass for another tool's ---
 */

int PMPI_Allreduce(const void *send, void *receive, int count, MPI_Datatype type, MPI_Op op,
                   MPI_Comm comm)
{
  __typeof__(PMPI_Allreduce) *reduce;
  *(void **)&reduce = next("PMPI_Allreduce");
  counted.collectives += is_watching;
  return reduce(send, receive, count, type, op, comm);
}

int MPI_Allreduce(const void *send, void *receive, int count, MPI_Datatype type, MPI_Op op,
                  MPI_Comm comm)
{
  return PMPI_Allreduce(send, receive, count, type, op, comm);
}

int PMPI_Reduce(const void *send, void *receive, int count, MPI_Datatype type, MPI_Op op, int root,
                MPI_Comm comm)
{
  __typeof__(PMPI_Reduce) *reduce;
  *(void **)&reduce = next("PMPI_Reduce");
  counted.collectives += is_watching;
  return reduce(send, receive, count, type, op, root, comm);
}

int MPI_Reduce(const void *send, void *receive, int count, MPI_Datatype type, MPI_Op op, int root,
               MPI_Comm comm)
{
  return PMPI_Reduce(send, receive, count, type, op, root, comm);
}

int PMPI_Bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
  __typeof__(PMPI_Bcast) *broadcast;
  *(void **)&broadcast = next("PMPI_Bcast");
  counted.collectives += is_watching;
  return broadcast(buffer, count, type, root, comm);
}

int MPI_Bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
  return PMPI_Bcast(buffer, count, type, root, comm);
}

int PMPI_Gather(const void *send, int send_count, MPI_Datatype send_type, void *receive, int count,
                MPI_Datatype type, int root, MPI_Comm comm)
{
  __typeof__(PMPI_Gather) *gather;
  *(void **)&gather = next("PMPI_Gather");
  counted.collectives += is_watching;
  return gather(send, send_count, send_type, receive, count, type, root, comm);
}

int MPI_Gather(const void *send, int send_count, MPI_Datatype send_type, void *receive, int count,
               MPI_Datatype type, int root, MPI_Comm comm)
{
  return PMPI_Gather(send, send_count, send_type, receive, count, type, root, comm);
}

int PMPI_Gatherv(const void *send, int send_count, MPI_Datatype send_type, void *receive,
                 const int counts[], const int places[], MPI_Datatype type, int root, MPI_Comm comm)
{
  __typeof__(PMPI_Gatherv) *gather;
  *(void **)&gather = next("PMPI_Gatherv");
  counted.collectives += is_watching;
  return gather(send, send_count, send_type, receive, counts, places, type, root, comm);
}

int MPI_Gatherv(const void *send, int send_count, MPI_Datatype send_type, void *receive,
                const int counts[], const int places[], MPI_Datatype type, int root, MPI_Comm comm)
{
  return PMPI_Gatherv(send, send_count, send_type, receive, counts, places, type, root, comm);
}

/* --- attributes --- */

static atomic_bool is_to_fail;

int PMPI_Comm_set_attr(MPI_Comm comm, int keyval, void *value)
{
  __typeof__(PMPI_Comm_set_attr) *set;
  *(void **)&set = next("PMPI_Comm_set_attr");
  if (!atomic_exchange(&is_to_fail, false))
    return set(comm, keyval, value);
  PMPI_Comm_call_errhandler(comm, MPI_ERR_NO_MEM);
  return MPI_ERR_NO_MEM;
}

void watch_fail_attribute(void)
{
  is_to_fail = true;
}

void watch_begin(void)
{
  dl_iterate_phdr(find_runtime, NULL);
  counted = (struct watched){0};
  is_watching = true;
}

void watch_end(struct watched *counts)
{
  is_watching = false;
  *counts = counted;
}
