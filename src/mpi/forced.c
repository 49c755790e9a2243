/* Forcing the MPI's own algorithms: by Open MPI's parameters of them, which it reads when a
   communicator is made. They are put back at once, so that the program's own communicators stay as
   they are. */
#include "mpi/forced.h"

#include <limits.h>
#include <stdio.h>

#include "core/alloc.h"
#include "mpi/datatypes.h"
#include "mpi/native.h"

/* --- parameters --- */

/* Open MPI's own functions for them, which 4.x and 5.x export alike (mca_base_var.h). MPI's tools
   interface calls these; but as it begins it has all components registered, which takes each rank
   0.2 s of its processor (4.1.4). 0 is success. */
static struct {
  int (*find)(const char *name, int *index);
  int (*get)(int index, const void *storage, int *source, const char **file);
  int (*set)(int index, const void *value, size_t bytes, int source, const char *file);
} parameters;
enum { SOURCE_SET = 4 }; /* by a program, in Open MPI's list of sources */

static const char dynamic_rules[] = "coll_tuned_use_dynamic_rules";

static bool find_functions(void)
{
  const void *find = tny_mpi_find("mca_base_var_find_by_name");
  const void *get = tny_mpi_find("mca_base_var_get_value");
  const void *set = tny_mpi_find("mca_base_var_set_value");
  memcpy(&parameters.find, &find, sizeof find);
  memcpy(&parameters.get, &get, sizeof get);
  memcpy(&parameters.set, &set, sizeof set);
  return find && get && set;
}

static bool read_parameter(const char *name, size_t bytes, int *index, int *value)
{
  const void *storage = NULL;
  int source;
  *value = 0;
  if (parameters.find(name, index) || parameters.get(*index, &storage, &source, NULL) || !storage)
    return false;
  memcpy(value, storage, bytes);
  return true;
}

/* Writes a whole number; *before is what it was. */
static bool write_parameter(const char *name, int value, int *before)
{
  int index, now;
  return read_parameter(name, sizeof *before, &index, before) &&
         parameters.set(index, &value, sizeof value, SOURCE_SET, NULL) == 0 &&
         read_parameter(name, sizeof now, &index, &now) && now == value;
}

bool tny_forced_is_possible(void)
{
  int index, is_set;
  return find_functions() && read_parameter(dynamic_rules, sizeof(bool), &index, &is_set) && is_set;
}

/* What the MPI goes by when it makes a communicator. */
struct tuned {
  int number, segment_bytes;
};

static bool write_tuned(enum tny_collective collective, struct tuned wanted, struct tuned *before)
{
  char name[96];
  *before = (struct tuned){0};
  snprintf(name, sizeof name, "coll_tuned_%s_algorithm", tny_collective_name(collective));
  bool is_written = write_parameter(name, wanted.number, &before->number);
  snprintf(name, sizeof name, "coll_tuned_%s_algorithm_segmentsize",
           tny_collective_name(collective));
  is_written &= write_parameter(name, wanted.segment_bytes, &before->segment_bytes);
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

static struct tuned tuned_of(uint32_t parameter)
{
  return (struct tuned){(int)tny_native_number(parameter),
                        (int)tny_native_segment_bytes(parameter)};
}

int tny_forced_comm_make(MPI_Comm comm, const uint32_t forced[TNY_COLLECTIVE_COUNT], MPI_Comm *made)
{
  struct tuned before[TNY_COLLECTIVE_COUNT];
  int is_ready = tny_forced_is_possible();
  const bool is_written = is_ready;
  for (int c = 0; is_written && c < TNY_COLLECTIVE_COUNT; c++)
    is_ready &= write_tuned((enum tny_collective)c, tuned_of(forced[c]), &before[c]);
  *made = MPI_COMM_NULL;
  int code = tny_native.allreduce(MPI_IN_PLACE, &is_ready, 1, MPI_INT, MPI_MIN, comm);
  if (code == MPI_SUCCESS && is_ready)
    code = split(comm, made);
  for (int c = 0; is_written && c < TNY_COLLECTIVE_COUNT; c++) {
    struct tuned unused;
    write_tuned((enum tny_collective)c, before[c], &unused);
  }
  return code;
}

/* --- all that a profile asks for --- */

/* Finds room for an algorithm beside those of other collectives. */
static void add(struct tny_forced_wanted *wanted, enum tny_collective collective,
                uint32_t parameter)
{
  uint32_t i = 0;
  while (i < wanted->count && wanted->list[i][collective] != 0 &&
         wanted->list[i][collective] != parameter)
    i++;
  if (i == TNY_FORCED_COMMS)
    return;
  wanted->list[i][collective] = parameter;
  wanted->count = i < wanted->count ? wanted->count : i + 1;
}

struct tny_forced_wanted tny_forced_wanted(const struct tny_guard_result *results, uint32_t count)
{
  struct tny_forced_wanted wanted = {0};
  for (uint32_t i = 0; i < count; i++)
    if (!results[i].choice.algorithm && results[i].choice.parameter)
      add(&wanted, results[i].collective, results[i].choice.parameter);
  return wanted;
}

uint32_t tny_forced_find(const struct tny_forced_wanted *wanted, enum tny_collective collective,
                         uint32_t parameter)
{
  for (uint32_t i = 0; i < wanted->count; i++)
    if (wanted->list[i][collective] == parameter)
      return i;
  return TNY_NONE;
}

int tny_forced_comms_make(struct tny_forced_comms *comms, const struct tny_forced_wanted *wanted,
                          uint32_t number, MPI_Comm comm)
{
  MPI_Comm *made = &comms->list[number];
  const int code = tny_forced_comm_make(comm, wanted->list[number], made);
  if (*made != MPI_COMM_NULL)
    PMPI_Comm_set_errhandler(*made, MPI_ERRORS_RETURN);
  comms->is_made[number] = true;
  return code;
}

void tny_forced_comms_free(struct tny_forced_comms *comms)
{
  for (uint32_t i = 0; i < TNY_FORCED_COMMS; i++)
    if (comms->is_made[i] && comms->list[i] != MPI_COMM_NULL)
      tny_native.comm_free(&comms->list[i]);
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
