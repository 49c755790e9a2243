/* Who has the runtime, asked of the launcher by PMI-1, the protocol of lines by which MPICH's own
   ranks find each other under Hydra, Slurm's srun --mpi=pmi2 and others. A rank with the runtime
   puts a key before MPICH's first barrier, which exchanges it with MPICH's own; so whoever reads a
   key afterwards finds what all others find. The lowest rank that has the runtime reads all keys
   and tells those that have it, by messages that no program can meet: whoever gets one is still in
   MPI_Init.

   MPICH's half of the protocol is no function that one could stand before, and a launcher answers
   only one of a rank's conversations. So ours goes between MPICH's lines: while MPI_Init lasts,
   MPICH's library, and nothing else, calls a function of ours for write(). What it writes tells
   which protocol it speaks, and over which descriptor; each line is answered before the next. */
#include "mpi/presence.h"

#include <inttypes.h>
#include <unistd.h>

#include <mpi.h>

#include "mpi/linkage/imports.h"
#include "mpi/native.h"

enum { LINE_MAX_CHARS = 1024, VERDICT_TAG = 1 };

/* The descriptor that leads to the launcher, or -1; the job's name for what is put; was our key
   put? */
static int launcher = -1;
static char job[256];
static bool has_put;

/* MPICH's slot of write(), while it leads to us, and what is in it otherwise. */
static struct tny_import watched;
static void *unwatched;

/* Sends a line and reads the answer's, which ends without its newline. */
static bool ask(const char *question, char answer[LINE_MAX_CHARS])
{
  const size_t length = strlen(question);
  if (write(launcher, question, length) != (ssize_t)length)
    return false;
  for (size_t i = 0; i < LINE_MAX_CHARS; i++) {
    if (read(launcher, answer + i, 1) != 1)
      return false;
    if (answer[i] == '\n') {
      answer[i] = '\0';
      return true;
    }
  }
  return false;
}

/* The value of a word `key=value` in an answer, up to the next space; false: it has none. */
static bool find_value(const char *answer, const char *key, char *value, size_t room)
{
  const size_t length = strlen(key);
  for (const char *word = answer; word; word = strchr(word, ' ')) {
    word += *word == ' ';
    if (strncmp(word, key, length) != 0 || word[length] != '=')
      continue;
    const int chars = (int)strcspn(word + length + 1, " ");
    return snprintf(value, room, "%.*s", chars, word + length + 1) < (int)room;
  }
  return false;
}

/* This rank's number, which it has of its launcher before it has it of MPI. */
static const char *find_rank(void)
{
  const char *rank = getenv("PMI_RANK");
  return rank ? rank : getenv("PMI_ID");
}

static void put_key(void)
{
  char question[LINE_MAX_CHARS], answer[LINE_MAX_CHARS], code[8];
  const char *rank = find_rank();
  if (!rank || !ask("cmd=get_my_kvsname\n", answer) ||
      !find_value(answer, "kvsname", job, sizeof job))
    return;
  snprintf(question, sizeof question, "cmd=put kvsname=%s key=tourney-%s value=%u\n", job, rank,
           TOURNEY_VERSION);
  has_put = ask(question, answer) && find_value(answer, "rc", code, sizeof code) &&
            strcmp(code, "0") == 0;
}

static bool begins(const char *line, size_t chars, const char *with)
{
  return chars >= strlen(with) && memcmp(line, with, strlen(with)) == 0;
}

/* What MPICH calls for write(). */
static ssize_t watch(int descriptor, const void *line, size_t chars)
{
  if (begins(line, chars, "cmd=init pmi_version=1 "))
    launcher = descriptor;
  else if (descriptor == launcher && !has_put && begins(line, chars, "cmd=barrier_in"))
    put_key();
  return write(descriptor, line, chars);
}

static bool is_write(void *context, const struct tny_import *import)
{
  (void)context;
  if (strcmp(import->name, "write") != 0)
    return false;
  watched = *import;
  return true;
}

/* A function's address, as one of an object. */
static void *address_of(ssize_t (*function)(int, const void *, size_t))
{
  void *address;
  memcpy(&address, &function, sizeof address);
  return address;
}

void tny_presence_begin(void)
{
  watched.slot = NULL;
  if (!tny_imports_visit(tny_mpi_find("PMPI_Init"), is_write, NULL))
    return;
  unwatched = *watched.slot;
  if (!tny_import_set(&watched, address_of(watch)))
    watched.slot = NULL;
}

void tny_presence_end(void)
{
  if (watched.slot)
    tny_import_set(&watched, unwatched);
}

/* Whether a rank has this version of the runtime; *has_any: some version. */
static bool has_runtime(uint32_t rank, bool *has_any)
{
  char question[LINE_MAX_CHARS], answer[LINE_MAX_CHARS], code[8] = "", value[32] = "";
  snprintf(question, sizeof question, "cmd=get kvsname=%s key=tourney-%" PRIu32 "\n", job, rank);
  *has_any = ask(question, answer) && find_value(answer, "rc", code, sizeof code) &&
             strcmp(code, "0") == 0 && find_value(answer, "value", value, sizeof value);
  return *has_any && strtoul(value, NULL, 10) == TOURNEY_VERSION;
}

/* At the first rank that has the runtime: reads who else has, and tells them. */
static uint32_t find_first_without(uint32_t first_with, uint32_t rank_count)
{
  uint32_t first_without = first_with > 0 ? 0 : 1;
  bool has_any = false;
  while (first_without > first_with && first_without < rank_count &&
         has_runtime(first_without, &has_any))
    first_without++;
  for (uint32_t rank = first_with + 1; rank < rank_count; rank++) {
    if (first_without < rank_count)
      has_runtime(rank, &has_any);
    if (first_without == rank_count || has_any)
      PMPI_Send(&first_without, 1, MPI_UINT32_T, (int)rank, VERDICT_TAG, MPI_COMM_WORLD);
  }
  return first_without;
}

struct tny_presence tny_presence_find(uint32_t rank_count)
{
  struct tny_presence presence = {.first_with = rank_count, .first_without = rank_count};
  int rank;
  bool has_any = false;
  if (rank_count == 1 || !has_put || PMPI_Comm_rank(MPI_COMM_WORLD, &rank) != MPI_SUCCESS)
    return presence;
  for (presence.first_with = 0; presence.first_with < (uint32_t)rank; presence.first_with++) {
    has_runtime(presence.first_with, &has_any);
    if (has_any)
      break;
  }
  if (presence.first_with == (uint32_t)rank)
    presence.first_without = find_first_without((uint32_t)rank, rank_count);
  else
    PMPI_Recv(&presence.first_without, 1, MPI_UINT32_T, (int)presence.first_with, VERDICT_TAG,
              MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  presence.is_known = true;
  return presence;
}
