/* Who has the runtime, asked of the launcher by PMI-1, the protocol of lines by which MPICH's own
   ranks find each other under Hydra. A rank with the runtime puts a key before MPICH initialises
   itself, and MPICH's barrier then exchanges it with its own; so whoever reads a key afterwards
   finds what all others find. The lowest rank that has the runtime reads all keys and tells those
   that have it, by messages that no program can meet: whoever gets one is still in MPI_Init.

   MPICH's own half of the protocol is no function that one could stand before, but it goes over a
   descriptor that Hydra names in the environment, and a rank may begin with it anew. */
#include "mpi/presence.h"

#include <inttypes.h>
#include <unistd.h>

#include <mpi.h>

enum { LINE_MAX_CHARS = 1024, VERDICT_TAG = 1 };

/* The descriptor that leads to Hydra, or -1; the job's name for what is put; was our key put? */
static int hydra = -1;
static char job[256];
static bool has_put;

/* Sends a line and reads the answer's, which ends without its newline. */
static bool ask(const char *question, char answer[LINE_MAX_CHARS])
{
  const size_t length = strlen(question);
  if (write(hydra, question, length) != (ssize_t)length)
    return false;
  for (size_t i = 0; i < LINE_MAX_CHARS; i++) {
    if (read(hydra, answer + i, 1) != 1)
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

/* Whether Hydra started this rank and answers in the protocol's first version. MPI_LOCALNRANKS is
   Hydra's own; other launchers with a PMI_FD may speak another version, and would be confused. */
static bool find_hydra(void)
{
  const char *descriptor = getenv("PMI_FD");
  char answer[LINE_MAX_CHARS], code[8];
  if (!descriptor || !getenv("PMI_RANK") || !getenv("MPI_LOCALNRANKS"))
    return false;
  hydra = (int)strtol(descriptor, NULL, 10);
  return ask("cmd=init pmi_version=1 pmi_subversion=1\n", answer) &&
         find_value(answer, "rc", code, sizeof code) && strcmp(code, "0") == 0 &&
         ask("cmd=get_my_kvsname\n", answer) && find_value(answer, "kvsname", job, sizeof job);
}

void tny_presence_begin(void)
{
  char question[LINE_MAX_CHARS], answer[LINE_MAX_CHARS], code[8];
  if (!find_hydra())
    return;
  snprintf(question, sizeof question, "cmd=put kvsname=%s key=tourney-%s value=%u\n", job,
           getenv("PMI_RANK"), TOURNEY_VERSION);
  has_put = ask(question, answer) && find_value(answer, "rc", code, sizeof code) &&
            strcmp(code, "0") == 0;
}

void tny_presence_end(void)
{
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
