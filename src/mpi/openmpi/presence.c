/* Who has the runtime, asked of PMIx, by which the MPI's own ranks find each other. A rank with the
   runtime puts a key of ours beside what the MPI publishes of itself, and each rank reads in its
   own copy who has: so all find alike, and none waits for another. For that it stands before two
   functions that the MPI calls within MPI_Init: PMIx_Commit, which publishes, and PMIx_Fence_nb,
   which exchanges what was published. */
#include "mpi/presence.h"

#include <dlfcn.h>
#include <pmix.h>

static const char library_name[] = "libpmix.so.2", key[] = "tourney.runtime";

/* In MPI_Init; then whether the key was on its way, and whether all keys were exchanged. */
static bool is_beginning, has_committed, has_collected;

/* A function of PMIx's, whose library the MPI has loaded for itself; copied to `function`. False
   where it hasn't. */
static bool find(const char *name, void *function)
{
  void *library = dlopen(library_name, RTLD_NOLOAD | RTLD_LAZY);
  const void *address = library ? dlsym(library, name) : NULL;
  if (library)
    dlclose(library);
  if (address)
    memcpy(function, &address, sizeof address);
  return address != NULL;
}

static void put_key(void)
{
  __typeof__(PMIx_Put) *put;
  pmix_value_t value = {.type = PMIX_UINT32, .data = {.uint32 = TOURNEY_VERSION}};
  if (find("PMIx_Put", &put))
    put(PMIX_GLOBAL, key, &value);
}

pmix_status_t PMIx_Commit(void)
{
  __typeof__(PMIx_Commit) *commit;
  if (!find(__func__, &commit))
    return PMIX_ERR_NOT_SUPPORTED;
  if (is_beginning) {
    put_key();
    has_committed = true;
  }
  return commit();
}

pmix_status_t PMIx_Fence_nb(const pmix_proc_t procs[], size_t nprocs, const pmix_info_t info[],
                            size_t ninfo, pmix_op_cbfunc_t cbfunc, void *cbdata)
{
  __typeof__(PMIx_Fence_nb) *fence;
  if (!find(__func__, &fence))
    return PMIX_ERR_NOT_SUPPORTED;
  for (size_t i = 0; is_beginning && has_committed && i < ninfo; i++)
    if (strcmp(info[i].key, PMIX_COLLECT_DATA) == 0 &&
        (info[i].value.type != PMIX_BOOL || info[i].value.data.flag))
      has_collected = true;
  return fence(procs, nprocs, info, ninfo, cbfunc, cbdata);
}

void tny_presence_begin(void)
{
  is_beginning = true;
}

void tny_presence_end(void)
{
  is_beginning = false;
}

/* What a rank has put; false: nothing. The job's ranks are those of its MPI_COMM_WORLD. */
static bool read_version(__typeof__(PMIx_Get) *get, pmix_proc_t *proc, uint32_t rank,
                         uint32_t *version)
{
  pmix_info_t local = {.key = PMIX_OPTIONAL, .value = {.type = PMIX_BOOL, .data = {.flag = true}}};
  pmix_value_t *value = NULL;
  proc->rank = rank;
  if (get(proc, key, &local, 1, &value) != PMIX_SUCCESS || !value)
    return false;
  *version = value->data.uint32;
  const bool is_number = value->type == PMIX_UINT32;
  free(value);
  return is_number;
}

struct tny_presence tny_presence_find(uint32_t rank_count)
{
  struct tny_presence presence = {.first_with = rank_count, .first_without = rank_count};
  __typeof__(PMIx_Init) *init;
  __typeof__(PMIx_Finalize) *finalize;
  __typeof__(PMIx_Get) *get;
  pmix_proc_t proc;
  if (rank_count == 1 || !has_collected || !find("PMIx_Init", &init) ||
      !find("PMIx_Finalize", &finalize) || !find("PMIx_Get", &get) ||
      init(&proc, NULL, 0) != PMIX_SUCCESS)
    return presence;
  for (uint32_t rank = 0; rank < rank_count; rank++) {
    uint32_t version = 0;
    const bool has = read_version(get, &proc, rank, &version);
    if (has && presence.first_with == rank_count)
      presence.first_with = rank;
    if ((!has || version != TOURNEY_VERSION) && presence.first_without == rank_count)
      presence.first_without = rank;
  }
  finalize(NULL, 0);
  presence.is_known = presence.first_with < rank_count;
  return presence;
}
