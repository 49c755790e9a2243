/* Forcing the MPI's own algorithms: by the control variables of its tools interface, which it reads
   when a communicator is made. They are put back at once, so that the program's own communicators
   stay as they are. */
#include "mpi/forced.h"

#include <limits.h>
#include <stdio.h>

#include "core/alloc.h"
#include "mpi/datatypes.h"
#include "mpi/native.h"

/* --- control variables --- */

/* Open MPI holds a bool in one byte, so what is read begins as 0. */
static bool open_control(const char *name, MPI_T_cvar_handle *handle, int *value)
{
  int index, count;
  *value = 0;
  if (MPI_T_cvar_get_index(name, &index) != MPI_SUCCESS ||
      MPI_T_cvar_handle_alloc(index, NULL, handle, &count) != MPI_SUCCESS)
    return false;
  if (MPI_T_cvar_read(*handle, value) == MPI_SUCCESS)
    return true;
  MPI_T_cvar_handle_free(handle);
  return false;
}

static bool is_set(const char *name)
{
  MPI_T_cvar_handle handle;
  int value;
  if (!open_control(name, &handle, &value))
    return false;
  MPI_T_cvar_handle_free(&handle);
  return value != 0;
}

/* Writes a whole number; *before is what it was. */
static bool write_control(const char *name, int value, int *before)
{
  MPI_T_cvar_handle handle;
  int now = ~value;
  if (!open_control(name, &handle, before))
    return false;
  const bool is_written = MPI_T_cvar_write(handle, &value) == MPI_SUCCESS &&
                          MPI_T_cvar_read(handle, &now) == MPI_SUCCESS && now == value;
  MPI_T_cvar_handle_free(&handle);
  return is_written;
}

/* What the MPI goes by when it makes a communicator. */
struct controls {
  int number, segment_bytes;
};

static bool write_controls(enum tny_collective collective, struct controls wanted,
                           struct controls *before)
{
  char name[96];
  *before = (struct controls){0};
  snprintf(name, sizeof name, "coll_tuned_%s_algorithm", tny_collective_name(collective));
  bool is_written = write_control(name, wanted.number, &before->number);
  snprintf(name, sizeof name, "coll_tuned_%s_algorithm_segmentsize",
           tny_collective_name(collective));
  is_written &= write_control(name, wanted.segment_bytes, &before->segment_bytes);
  return is_written;
}

/* --- one communicator --- */

/* MPI_Comm_dup would call the program's callbacks for attributes. */
static int split(MPI_Comm comm, MPI_Comm *made)
{
  int rank;
  int code = PMPI_Comm_rank(comm, &rank);
  if (code == MPI_SUCCESS)
    code = PMPI_Comm_split(comm, 0, rank, made);
  return code;
}

static struct controls controls_of(uint32_t parameter)
{
  return (struct controls){(int)tny_native_number(parameter),
                           (int)tny_native_segment_bytes(parameter)};
}

int tny_forced_comm_make(MPI_Comm comm, const uint32_t forced[TNY_COLLECTIVE_COUNT], MPI_Comm *made)
{
  struct controls before[TNY_COLLECTIVE_COUNT];
  int provided;
  const bool has_tools = MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) == MPI_SUCCESS;
  int is_ready = has_tools && is_set("coll_tuned_use_dynamic_rules");
  const bool is_written = is_ready;
  for (int c = 0; is_written && c < TNY_COLLECTIVE_COUNT; c++)
    is_ready &= write_controls((enum tny_collective)c, controls_of(forced[c]), &before[c]);
  *made = MPI_COMM_NULL;
  int code = tny_native.allreduce(MPI_IN_PLACE, &is_ready, 1, MPI_INT, MPI_MIN, comm);
  if (code == MPI_SUCCESS && is_ready)
    code = split(comm, made);
  for (int c = 0; is_written && c < TNY_COLLECTIVE_COUNT; c++) {
    struct controls unused;
    write_controls((enum tny_collective)c, before[c], &unused);
  }
  if (has_tools)
    MPI_T_finalize();
  return code;
}

/* --- all that a profile asks for --- */

/* Finds room for an algorithm beside those of other collectives. */
static void add(struct tny_forced_comms *comms, enum tny_collective collective, uint32_t parameter)
{
  uint32_t i = 0;
  while (i < comms->count && comms->list[i].forced[collective] != 0 &&
         comms->list[i].forced[collective] != parameter)
    i++;
  if (i == TNY_FORCED_COMMS)
    return;
  comms->list[i].comm = MPI_COMM_NULL;
  comms->list[i].forced[collective] = parameter;
  comms->count = i < comms->count ? comms->count : i + 1;
}

int tny_forced_comms_make(MPI_Comm comm, const struct tny_guard_result *results, uint32_t count,
                          struct tny_forced_comms *comms)
{
  int code = MPI_SUCCESS;
  *comms = (struct tny_forced_comms){0};
  for (uint32_t i = 0; i < count; i++)
    if (!results[i].choice.algorithm && results[i].choice.parameter)
      add(comms, results[i].collective, results[i].choice.parameter);
  for (uint32_t i = 0; i < comms->count && code == MPI_SUCCESS; i++) {
    code = tny_forced_comm_make(comm, comms->list[i].forced, &comms->list[i].comm);
    if (comms->list[i].comm != MPI_COMM_NULL)
      PMPI_Comm_set_errhandler(comms->list[i].comm, MPI_ERRORS_RETURN);
  }
  return code;
}

MPI_Comm tny_forced_comms_find(const struct tny_forced_comms *comms, enum tny_collective collective,
                               uint32_t parameter)
{
  for (uint32_t i = 0; i < comms->count; i++)
    if (comms->list[i].forced[collective] == parameter)
      return comms->list[i].comm;
  return MPI_COMM_NULL;
}

void tny_forced_comms_free(struct tny_forced_comms *comms)
{
  for (uint32_t i = 0; i < comms->count; i++)
    if (comms->list[i].comm != MPI_COMM_NULL)
      tny_native.comm_free(&comms->list[i].comm);
  *comms = (struct tny_forced_comms){0};
}

/* --- calls --- */

/* A broadcast of elements that don't lie as bytes do. Where they can't be packed, they are left to
   the MPI as they are. */
static int broadcast_packed(const struct tny_call *call, MPI_Comm comm, int bytes)
{
  char *packed = tny_new((size_t)bytes, 1);
  int rank, position = 0;
  int code = packed ? PMPI_Comm_rank(comm, &rank) : MPI_ERR_NO_MEM;
  if (code == MPI_SUCCESS && rank == call->root)
    code = PMPI_Pack(call->receive, call->receive_count, call->receive_type, packed, bytes,
                     &position, comm);
  if (code != MPI_SUCCESS) {
    tny_free(packed);
    return tny_native.bcast(call->receive, call->receive_count, call->receive_type, call->root,
                            comm);
  }
  code = tny_native.bcast(packed, bytes, MPI_BYTE, call->root, comm);
  if (code == MPI_SUCCESS && rank != call->root)
    code = PMPI_Unpack(packed, bytes, &position, call->receive, call->receive_count,
                       call->receive_type, comm);
  tny_free(packed);
  return code;
}

int tny_forced_call(const struct tny_call *call, uint64_t block_bytes, MPI_Comm comm)
{
  struct tny_call own = *call;
  bool is_bytes = false;
  own.comm = comm;
  if (!tny_collective_has_one_buffer(call->collective) || block_bytes > INT_MAX ||
      tny_type_look_at(call->receive_type, &is_bytes) != MPI_SUCCESS)
    return call->call_native(&own);
  return is_bytes ? tny_native.bcast(call->receive, (int)block_bytes, MPI_BYTE, call->root, comm)
                  : broadcast_packed(call, comm, (int)block_bytes);
}
