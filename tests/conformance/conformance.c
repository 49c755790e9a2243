/* Runs the combinations of a list, which all are for this number of ranks and this cluster. A line
   "FAILED: COMBINATION: rank R: WHY" goes out for each that fails at a rank, also where a rank
   hangs or crashes in it; at the end a line "served ALGORITHM N" for each algorithm that served
   communicators whose first rank this is, and "ran N, F failed". A combination hangs when it takes
   more seconds than the variable CONFORMANCE_HANG says (60). */
#include "conformance.h"

#include <mpi.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "attempt.h"
#include "axes.h"

enum { LINE_BYTES = 512, HANG_SECONDS = 60, SERVERS_MAX = 256, LINES_MAX = 1 << 17 };

static char line[LINE_BYTES]; /* the combination under way */
static int rank;
static bool is_under_way;
static unsigned hang_seconds = HANG_SECONDS;

/* How often an algorithm served communicators of which this rank is the first. */
struct server {
  const char *word;
  long count;
};

/* Says a line in one piece, as all ranks share the output. */
static void say(const char *what, const char *why)
{
  char text[2 * LINE_BYTES];
  snprintf(text, sizeof text, "%s%s: rank %d: %s\n", what, line, rank, why);
  if (write(STDOUT_FILENO, text, strlen(text)) < 0)
    _exit(3);
}

static void end_here(int signal_number)
{
  say("FAILED: ", signal_number == SIGALRM ? "hangs" : "crashes");
  if (signal_number == SIGALRM)
    sleep(2); /* the others' own alarms are due as well */
  _exit(4);
}

/* An MPI that finds itself in a state that it doesn't know ends the process. */
static void end_early(void)
{
  if (is_under_way)
    say("FAILED: ", "the MPI ends the process");
}

/* Reads a combination; the algorithm's word goes to `algorithm`. */
static bool read_combination(struct combination *combination, char *algorithm)
{
  char copy[LINE_BYTES], *rest = copy;
  snprintf(copy, sizeof copy, "%s", line);
  for (int axis = 0; axis < AXES; axis++) {
    const char *word = strsep(&rest, " ");
    if (!word)
      return false;
    if (axis == AXIS_SETTING)
      continue;
    if (axis == AXIS_ALGORITHM) {
      snprintf(algorithm, LINE_BYTES, "%s", word);
      combination->value[axis] = strcmp(word, "native") == 0   ? ALGORITHM_NATIVE
                                 : strcmp(word, "chosen") == 0 ? ALGORITHM_CHOSEN
                                                               : ALGORITHMS_OTHER;
      continue;
    }
    combination->value[axis] = axis_find(&axes[axis], word);
    if (combination->value[axis] == axes[axis].count)
      return false;
  }
  return rest == NULL;
}

/* Counts who served, by the collective and the algorithm's name. */
static void count_served(struct server *servers, const struct combination *combination,
                         const char *by)
{
  char word[LINE_BYTES];
  const enum collective collective = (enum collective)combination->value[AXIS_COLLECTIVE];
  snprintf(word, sizeof word, "%s=%s", axes[AXIS_COLLECTIVE].values[collective], by);
  int i = 0;
  while (servers[i].word && strcmp(servers[i].word, word) != 0)
    i++;
  if (i == SERVERS_MAX)
    return;
  if (!servers[i].word)
    servers[i].word = strdup(word);
  servers[i].count++;
}

static bool run_line(struct server *servers)
{
  struct combination combination = {.value = {0}};
  char algorithm[LINE_BYTES];
  if (!read_combination(&combination, algorithm)) {
    say("not a combination: ", "?");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  alarm(hang_seconds);
  is_under_way = true;
  const struct attempt attempt = attempt_make(&combination, algorithm);
  is_under_way = false;
  alarm(0);
  if (attempt.is_first)
    count_served(servers, &combination, attempt.by);
  if (attempt.fault[0])
    say("FAILED: ", attempt.fault);
  return attempt.fault[0] == '\0';
}

/* Runs all lines; which failed at this rank goes to `has_failed`. Returns how many there are. */
static int run_list(FILE *list, unsigned char *has_failed)
{
  static struct server servers[SERVERS_MAX + 1];
  int count = 0;
  for (; count < LINES_MAX && fgets(line, sizeof line, list); count++) {
    line[strcspn(line, "\n")] = '\0';
    has_failed[count] = !run_line(servers);
  }
  for (int i = 0; servers[i].word; i++)
    printf("served %s %ld\n", servers[i].word, servers[i].count);
  return count;
}

/* How many lines failed at some rank; at rank 0. */
static int count_failed(const unsigned char *has_failed, int count)
{
  static unsigned char any[LINES_MAX];
  int failed = 0;
  MPI_Reduce(has_failed, any, count, MPI_UNSIGNED_CHAR, MPI_MAX, 0, MPI_COMM_WORLD);
  for (int i = 0; i < count; i++)
    failed += any[i];
  return failed;
}

int conformance_run(void)
{
  static unsigned char has_failed[LINES_MAX];
  const char *path = getenv("CONFORMANCE_LIST");
  FILE *list = path ? fopen(path, "r") : NULL;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (!list) {
    fprintf(stderr, "CONFORMANCE_LIST names no file that can be read\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  if (getenv("CONFORMANCE_HANG"))
    hang_seconds = (unsigned)atoi(getenv("CONFORMANCE_HANG"));
  signal(SIGALRM, end_here);
  signal(SIGSEGV, end_here);
  signal(SIGABRT, end_here);
  atexit(end_early);
  attempts_begin();
  const int count = run_list(list, has_failed);
  attempts_end();
  const int failed = count_failed(has_failed, count);
  fclose(list);
  if (rank == 0)
    printf("ran %d, %d failed\n", count, failed);
  fflush(stdout);
  return failed;
}
