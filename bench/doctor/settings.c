/* The MPI's settings, by MPI's tool interface (MPI_T): Open MPI shows each of its parameters as a
   control variable. An MPI that lacks one doesn't have it said. */
#include "settings.h"

#include <stdbool.h>
#include <string.h>

#include <mpi.h>

static const char *const wanted[] = {
    "btl",
    "btl_tcp_eager_limit",
    "btl_tcp_if_exclude",
    "btl_tcp_if_include",
    "btl_tcp_progress_thread",
    "btl_tcp_rcvbuf",
    "btl_tcp_sndbuf",
    "btl_tcp_use_nagle",
    "mpi_yield_when_idle",
    "pml",
};

/* How a variable's type is read; its values are as large as MPI says, here at most 8 bytes but for
   text. */
static void add_value(struct tny_text *text, MPI_Datatype type, const void *value)
{
  if (type == MPI_CHAR)
    tny_text_add(text, "%s", (const char *)value);
  else if (type == MPI_INT)
    tny_text_add(text, "%d", *(const int *)value);
  else if (type == MPI_C_BOOL)
    tny_text_add(text, "%d", *(const bool *)value);
  else if (type == MPI_UNSIGNED)
    tny_text_add(text, "%u", *(const unsigned *)value);
  else if (type == MPI_UNSIGNED_LONG)
    tny_text_add(text, "%lu", *(const unsigned long *)value);
  else if (type == MPI_UNSIGNED_LONG_LONG)
    tny_text_add(text, "%llu", *(const unsigned long long *)value);
}

static void add_variable(struct tny_text *text, const char *name, int index)
{
  static union {
    char text[4096];
    unsigned long long number;
  } value;
  MPI_T_cvar_handle handle;
  MPI_Datatype type;
  char variable[128];
  int length = sizeof variable, count, verbosity, binding, scope, description = 0;
  MPI_T_enum values;
  if (MPI_T_cvar_get_info(index, variable, &length, &verbosity, &type, &values, NULL, &description,
                          &binding, &scope) != MPI_SUCCESS ||
      MPI_T_cvar_handle_alloc(index, NULL, &handle, &count) != MPI_SUCCESS)
    return;
  memset(&value, 0, sizeof value);
  const bool fits = type == MPI_CHAR ? count < (int)sizeof value.text : count == 1;
  if (fits && MPI_T_cvar_read(handle, &value) == MPI_SUCCESS) {
    tny_text_add(text, "host %s mpi.%s ", name, variable);
    add_value(text, type, &value);
    tny_text_add(text, "\n");
  }
  MPI_T_cvar_handle_free(&handle);
}

void probe_mpi_add(struct tny_text *text, const char *name)
{
  char version[MPI_MAX_LIBRARY_VERSION_STRING];
  int length, provided, index;
  MPI_Get_library_version(version, &length);
  tny_text_add(text, "host %s mpi.library %.*s\n", name, (int)strcspn(version, ",\n"), version);
  if (MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) != MPI_SUCCESS)
    return;
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
    if (MPI_T_cvar_get_index(wanted[i], &index) == MPI_SUCCESS)
      add_variable(text, name, index);
  MPI_T_finalize();
}
