/* Follows the bindings of a broadcast, from library to library, by the names that each one calls:
   "mpi_bcast_f08_" leads to "ompi_bcast_f", that to "PMPI_Bcast", and that is ours. */
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

/* A way that calls take, from library to library. */
struct path {
  const void *library; /* that is looked at */
  int depth;           /* of libraries before it */
  bool *seeks;         /* one of them looks functions up, so that its names don't tell all */
};
static bool leads_here(const char *name, const struct path *before);

static bool follow(void *context, const struct tny_import *import)
{
  const struct path *path = context;
  if (strcmp(import->name, "dlsym") == 0)
    *path->seeks = true;
  return is_step(import->name) && leads_here(import->name, path);
}

/* Does a call of that name, from a library on a path, come here in the end? */
static bool leads_here(const char *name, const struct path *before)
{
  const void *address = dlsym(RTLD_DEFAULT, name);
  struct path path = {library_of(address), before->depth + 1, before->seeks};
  if (!address || is_ours(address))
    return address != NULL;
  return path.library != before->library && path.depth <= DEPTH_MAX &&
         tny_imports_visit(address, follow, &path);
}

/* --- the calls --- */

static bool has_arrived;

static int note_arrival(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
  (void)buffer, (void)count, (void)type, (void)root, (void)comm;
  has_arrived = true;
  return MPI_SUCCESS;
}

/* Calls a broadcast, Fortran's or C's, and looks whether it comes here; then it goes no further. */
static bool comes_here(fortran_bcast *fortran, __typeof__(tny_native.bcast) c)
{
  const MPI_Fint count = 0, root = 0;
  const MPI_Fint type = PMPI_Type_c2f(MPI_INT), comm = PMPI_Comm_c2f(MPI_COMM_SELF);
  MPI_Fint nothing = 0, code = 0;
  __typeof__(tny_native.bcast) native = tny_native.bcast;
  has_arrived = false;
  tny_native.bcast = note_arrival;
  if (fortran)
    fortran(&nothing, &count, &type, &root, &comm, &code);
  else
    c(&nothing, 0, MPI_INT, 0, MPI_COMM_SELF);
  tny_native.bcast = native;
  return has_arrived;
}

/* --- what is past --- */

static bool is_binding_past(const char *name)
{
  bool seeks = false;
  const struct path nowhere = {.seeks = &seeks};
  const void *address = dlsym(RTLD_DEFAULT, name);
  if (!address || leads_here(name, &nowhere))
    return false;
  fortran_bcast *bcast;
  memcpy(&bcast, &address, sizeof bcast);
  return !seeks || (name == by_address && !comes_here(bcast, NULL));
}

/* The MPI_Bcast of a tool behind this library, which this one's leads to; NULL: there is none. */
static const void *find_tool(void)
{
  const void *next = tny_mpi_find("MPI_Bcast"), *native;
  memcpy(&native, &tny_native.bcast, sizeof native);
  return library_of(next) == library_of(native) ? NULL : next;
}

static bool is_tool_past(const void *tool)
{
  bool seeks = false;
  struct path path = {library_of(tool), 1, &seeks};
  if (!tool || tny_imports_visit(tool, follow, &path))
    return false;
  __typeof__(tny_native.bcast) bcast;
  memcpy(&bcast, &tool, sizeof bcast);
  return !seeks || !comes_here(NULL, bcast);
}

enum tny_status tny_bindings_check(struct tny_error *error)
{
  Dl_info info;
  const void *tool = find_tool();
  if (is_tool_past(tool) && dladdr(tool, &info))
    return tny_error_set(error, TNY_REFUSED,
                         "a tool behind the runtime leads calls past it: %s calls the MPI's own "
                         "functions (put it before the runtime in LD_PRELOAD)",
                         info.dli_fname);
  for (int i = 0; starts[i]; i++)
    if (is_binding_past(starts[i]) && dladdr(dlsym(RTLD_DEFAULT, starts[i]), &info))
      return tny_error_set(error, TNY_REFUSED,
                           "Fortran's collectives go past the runtime: %s of %s doesn't lead to it "
                           "(is another MPI's library loaded, or linked into that one?)",
                           starts[i], info.dli_fname);
  return TNY_OK;
}
