/* An MPI with few tags: preloaded before it, says that MPI_TAG_UB is 41. */
#include <dlfcn.h>
#include <mpi.h>
#include <string.h>

int PMPI_Comm_get_attr(MPI_Comm comm, int keyval, void *value, int *found)
{
  static int tag_max = 41;
  __typeof__(PMPI_Comm_get_attr) *get;
  void *address = dlsym(RTLD_NEXT, "PMPI_Comm_get_attr");
  memcpy(&get, &address, sizeof get);
  const int code = get(comm, keyval, value, found);
  if (code == MPI_SUCCESS && keyval == MPI_TAG_UB)
    *(int **)value = &tag_max;
  return code;
}
