/* Follows the Fortran bindings of a broadcast, from library to library, by the names that each one
   calls: "mpi_bcast_f08_" leads to "ompi_bcast_f", that to "PMPI_Bcast", and that is ours. */
#include "mpi/linkage/bindings.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>

#include "core/error.h"
#include "mpi/linkage/imports.h"
#include "mpi/native.h"

enum { DEPTH_MAX = 4 };

/* What programs call: mpif.h and use mpi have the first, each argument of which is an address. */
static const char by_address[] = "mpi_bcast_";
static const char *const starts[] = {by_address, "mpi_bcast_f08_", "mpi_bcast_f08ts_", NULL};
/* What calls may go through. */
static const char *const steps[] = {"MPI_Bcast",
                                    "PMPI_Bcast",
                                    "mpi_bcast_",
                                    "mpi_bcast",
                                    "mpi_bcast__",
                                    "MPI_BCAST",
                                    "pmpi_bcast_",
                                    "pmpi_bcast",
                                    "pmpi_bcast__",
                                    "PMPI_BCAST",
                                    "mpi_bcast_f08_",
                                    "mpi_bcast_f08ts_",
                                    "ompi_bcast_f",
                                    "pmpi_bcast_f08_",
                                    "pmpi_bcast_f08ts_",
                                    "MPIR_Bcast_cdesc",
                                    NULL};

typedef void fortran_bcast(void *buffer, const MPI_Fint *count, const MPI_Fint *type,
                           const MPI_Fint *root, const MPI_Fint *comm, MPI_Fint *code);

/* The beginning of the library that an address lies in; NULL: none. */
static const void *library_of(const void *address)
{
  Dl_info info;
  return address && dladdr(address, &info) ? info.dli_fbase : NULL;
}

static bool is_ours(const void *address)
{
  static const char here;
  return library_of(address) == library_of(&here);
}

static bool is_step(const char *name)
{
  for (int i = 0; steps[i]; i++)
    if (strcmp(name, steps[i]) == 0)
      return true;
  return false;
}

struct path {
  const void *library; /* that is looked at */
  int depth;           /* of libraries before it */
};
static bool leads_here(const char *name, const struct path *before);

static bool follow(void *context, const struct tny_import *import)
{
  const struct path *path = context;
  return is_step(import->name) && leads_here(import->name, path);
}

/* Does a call of that name, from a library on a path, come here in the end? */
static bool leads_here(const char *name, const struct path *before)
{
  const void *address = dlsym(RTLD_DEFAULT, name);
  struct path path = {library_of(address), before->depth + 1};
  if (!address || is_ours(address))
    return address != NULL;
  return path.library != before->library && path.depth <= DEPTH_MAX &&
         tny_imports_visit(address, follow, &path);
}

/* --- the call --- */

static bool is_dlsym(void *context, const struct tny_import *import)
{
  (void)context;
  return strcmp(import->name, "dlsym") == 0;
}

static bool has_arrived;

static int note_arrival(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
  (void)buffer, (void)count, (void)type, (void)root, (void)comm;
  has_arrived = true;
  return MPI_SUCCESS;
}

/* Calls Fortran's broadcast, and looks whether it comes here; then it goes no further. */
static bool comes_here(const char *name)
{
  const void *address = dlsym(RTLD_DEFAULT, name);
  fortran_bcast *bcast;
  memcpy(&bcast, &address, sizeof bcast);
  const MPI_Fint count = 0, root = 0;
  const MPI_Fint type = PMPI_Type_c2f(MPI_INT), comm = PMPI_Comm_c2f(MPI_COMM_SELF);
  MPI_Fint nothing = 0, code = 0;
  __typeof__(tny_native.bcast) native = tny_native.bcast;
  has_arrived = false;
  tny_native.bcast = note_arrival;
  bcast(&nothing, &count, &type, &root, &comm, &code);
  tny_native.bcast = native;
  return has_arrived;
}

/* Where a library looks functions up, as tools do, its names tell nothing: it is called. */
static bool is_past(const char *name)
{
  const struct path nowhere = {0};
  const void *address = dlsym(RTLD_DEFAULT, name);
  if (!address || leads_here(name, &nowhere))
    return false;
  if (!tny_imports_visit(address, is_dlsym, NULL))
    return true;
  return name == by_address && !comes_here(name);
}

enum tny_status tny_bindings_check(struct tny_error *error)
{
  for (int i = 0; starts[i]; i++) {
    Dl_info info;
    if (is_past(starts[i]) && dladdr(dlsym(RTLD_DEFAULT, starts[i]), &info))
      return tny_error_set(error, TNY_REFUSED,
                           "Fortran's collectives go past the runtime: %s of %s doesn't lead to it "
                           "(is another MPI's library loaded, or linked into that one?)",
                           starts[i], info.dli_fname);
  }
  return TNY_OK;
}
