/* Finds the MPI of the program, by what the MPI's own MPI_Get_library_version says, which may be
   called at any time. */
#include "mpi/linkage/other_mpi.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mpi/explain.h"
#include "mpi/linkage/imports.h"
#include "mpi/linkage/names.h"
#include "mpi/native.h"

/* One rank speaks for all: the first, as the launcher numbers it, or a program alone. */
static bool speaks(void)
{
  static const char *const numbers[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "PMI_ID",
                                        "SLURM_PROCID"};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    const char *number = getenv(numbers[i]);
    if (number)
      return strcmp(number, "0") == 0;
  }
  return true;
}

/* Does a library's MPI_Get_library_version name the other MPI? */
static bool is_other(const void *address)
{
  int (*get)(char *, int *);
  char text[MPI_MAX_LIBRARY_VERSION_STRING + 8192] = ""; /* MPICH's is longer than Open MPI's */
  int chars;
  memcpy(&get, &address, sizeof get);
  return address && get(text, &chars) == MPI_SUCCESS && strstr(text, tny_mpi_names.other) != NULL;
}

/* --- as the library is loaded --- */

static bool ends_alike(const char *word, size_t chars, const char *path)
{
  const char *slash = strrchr(path, '/');
  const char *name = slash ? slash + 1 : path;
  const size_t length = strlen(name);
  return chars >= length && memcmp(word + chars - length, name, length) == 0 &&
         (chars == length || word[chars - length - 1] == '/');
}

/* Takes this library out of LD_PRELOAD. Returns whether it was there. */
static bool leave_preload(const char *own_path)
{
  const char *list = getenv("LD_PRELOAD");
  char *rest = list ? malloc(strlen(list) + 1) : NULL;
  bool was_there = false;
  size_t chars = 0;
  if (!rest)
    return false;
  while (*list) {
    const size_t length = strcspn(list, ": ");
    if (ends_alike(list, length, own_path)) {
      was_there = true;
    } else if (length > 0) {
      if (chars > 0)
        rest[chars++] = ':';
      memcpy(rest + chars, list, length);
      chars += length;
    }
    list += length + (list[length] != '\0');
  }
  rest[chars] = '\0';
  const bool is_set = chars > 0 ? setenv("LD_PRELOAD", rest, 1) == 0 : unsetenv("LD_PRELOAD") == 0;
  free(rest);
  return was_there && is_set;
}

/* Comes back only where it can't be. */
static void start_without(char *const *arguments)
{
  char program[PATH_MAX];
  Dl_info own;
  static const char here;
  const ssize_t chars = readlink("/proc/self/exe", program, sizeof program - 1);
  if (!arguments || chars <= 0 || !dladdr(&here, &own) || !leave_preload(own.dli_fname))
    return;
  program[chars] = '\0';
  execv(program, arguments);
}

/* The library of the process's first function of that name, where that isn't this library. */
static bool find_first(const char *name, Dl_info *first)
{
  Dl_info own;
  static const char here;
  const void *address = dlsym(RTLD_DEFAULT, name);
  return address && dladdr(address, first) && dladdr(&here, &own) &&
         first->dli_fbase != own.dli_fbase;
}

bool tny_other_mpi_leave(char *const *arguments)
{
  Dl_info first, mpi;
  if (is_other(tny_mpi_find("PMPI_Get_library_version"))) {
    if (speaks())
      tny_explain_warn("this runtime is for %s, and the program uses %s: it goes on without the "
                       "runtime, and all collectives are native",
                       tny_mpi_names.own, tny_mpi_names.other);
    start_without(arguments);
    return true;
  }
  /* A tool may stand before this library, but an MPI, which has this function too, may not. */
  if (find_first("PMPI_Init", &first) && find_first("PMPI_Get_library_version", &mpi) &&
      first.dli_fbase == mpi.dli_fbase && speaks())
    tny_explain_warn("%s is loaded before the runtime, so that no call reaches it, and all "
                     "collectives are native: link tourney-openmpi or tourney-mpich before the "
                     "MPI, or preload it",
                     first.dli_fname);
  return false;
}

/* --- in MPI_Init --- */

/* Has a library's calls lead to the MPI that it is linked with: that of this library, which was
   loaded before, has functions of the same names. */
static bool lead_to(void *library, const struct tny_import *import)
{
  const char *name = import->name + (import->name[0] == 'P');
  const bool is_mpi = strncmp(name, "MPI_", 4) == 0 || strncmp(name, "MPIX_", 5) == 0;
  void *address = is_mpi ? dlsym(library, import->name) : NULL;
  if (address)
    tny_import_set(import, address);
  return false;
}

void *tny_other_mpi_find(const void *caller)
{
  for (const char *const *name = tny_mpi_names.other_libraries; *name; name++) {
    void *library = tny_imports_need(caller, *name) ? dlopen(*name, RTLD_LAZY | RTLD_NOLOAD) : NULL;
    if (library && is_other(dlsym(library, "PMPI_Get_library_version"))) {
      if (speaks())
        tny_explain_warn("this runtime is for %s, and the program has loaded %s; all collectives "
                         "are native",
                         tny_mpi_names.own, tny_mpi_names.other);
      tny_imports_visit_users(*name, lead_to, library);
      return library;
    }
    if (library)
      dlclose(library);
  }
  return NULL;
}
