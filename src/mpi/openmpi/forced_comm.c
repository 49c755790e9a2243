/* Forcing Open MPI's own algorithms: by its parameters of them, which it reads when a communicator
   is made. They are put back at once, so that the program's own communicators stay as they are. */
#include "mpi/forced_comm.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <tourney/algorithm.h>

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
    if (forced[c])
      is_ready &= write_tuned((enum tny_collective)c, tuned_of(forced[c]), &before[c]);
  *made = MPI_COMM_NULL;
  int code = tny_native.allreduce(MPI_IN_PLACE, &is_ready, 1, MPI_INT, MPI_MIN, comm);
  if (code == MPI_SUCCESS && is_ready)
    code = split(comm, made);
  for (int c = 0; is_written && c < TNY_COLLECTIVE_COUNT; c++) {
    struct tuned unused;
    if (forced[c])
      write_tuned((enum tny_collective)c, before[c], &unused);
  }
  return code;
}
