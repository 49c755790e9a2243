/* What messages cost the machine, for `tourney tune`: raw times, from which cli/tune makes the
   parameters. How: Kielmann, Bal, Verstoep, "Fast Measurement of LogP Parameters for Message
   Passing Platforms" (2000). A send's overhead is the time of a send; a receive's that of a
   receive whose message has long arrived; the rest of half a round trip is latency. Lines, times
   in ns, bytes of the message:

   - raw pair A B: the ranks that these are of, on two hosts where there are two
   - raw round-trip BYTES NS, raw send BYTES NS, raw receive BYTES NS
   - raw eager BYTES 0: the longest message whose send ends before it is received
   - raw local-round-trip BYTES NS: of two ranks on a host, where there are
   - raw stream BYTES NS, raw stream-least BYTES NS: a message of each rank, all ranks sending and
     receiving at once; the median and the least of such times
   - raw exchange BYTES NS, raw exchange-least BYTES NS: the same, where each rank's messages at a
     time go to as many others, and come from as many
   - raw round BYTES NS, raw round-least BYTES NS: a stream where each message waits for the one
     before
   - raw combine BYTES NS: the sum of two vectors of doubles, of so many bytes each
   - raw sharing 1 PERMILLE: how much longer work takes when all ranks work at once */
#include "bench/tune_machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "bench/tune_quantile.h"

enum {
  REPEAT_MAX = 40,
  REPEAT_MIN = 5,
  DATA = 1, /* tags */
  CONTROL = 2,
  EAGER_FROM = 16384,
  EAGER_MAX = 1 << 20,
  STREAM_WINDOW = 16, /* messages on their way to the next rank: of short ones, */
  STREAM_BYTES = 1 << 18,
  PROBE_BYTES = 1024,
  STREAM_LONG_WINDOW = 4, /* and of such long ones */
  COMBINED_BYTES = 1 << 20,
};
#define MEASURE_SECONDS 0.5 /* for one number */
#define SPIN_SECONDS 0.1
#define STREAM_SECONDS 2.0 /* for all long messages at once, at most */
#define LEAVE_SECONDS 0.02 /* in which an eager message has left, beside a round trip */

/* Two ranks; the others wait. */
struct pair {
  int first, second;
};

static void print_raw(const char *what, long bytes, double number)
{
  printf("raw %s %ld %.0f\n", what, bytes, number);
  fflush(stdout);
}

/* Waits for all without using a processor, so that who measures has them. */
static void meet_idly(void)
{
  MPI_Request request;
  int are_here = 0;
  MPI_Ibarrier(MPI_COMM_WORLD, &request);
  while (MPI_Test(&request, &are_here, MPI_STATUS_IGNORE) == MPI_SUCCESS && !are_here)
    usleep(1000);
}

static bool is_first(const struct tune_context *context, const struct pair *pair)
{
  return context->rank == pair->first;
}

static bool is_in(const struct tune_context *context, const struct pair *pair)
{
  return is_first(context, pair) || context->rank == pair->second;
}

static int other(const struct tune_context *context, const struct pair *pair)
{
  return is_first(context, pair) ? pair->second : pair->first;
}

/* The first rank whose host is another than rank 0's (or is the same); 0: there is none. */
static int find_partner(const struct tune_context *context, bool same_host)
{
  char name[MPI_MAX_PROCESSOR_NAME] = "", first[MPI_MAX_PROCESSOR_NAME];
  int length;
  MPI_Get_processor_name(name, &length);
  memcpy(first, name, sizeof first);
  MPI_Bcast(first, sizeof first, MPI_CHAR, 0, MPI_COMM_WORLD);
  const bool fits = context->rank > 0 && (strcmp(name, first) == 0) == same_host;
  int partner = fits ? context->rank : context->rank_count;
  MPI_Allreduce(MPI_IN_PLACE, &partner, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  return partner == context->rank_count ? 0 : partner;
}

/* --- a number between two ranks: the median, known at the first --- */

static void wait_spinning(double seconds)
{
  for (const double start = MPI_Wtime(); MPI_Wtime() - start < seconds;) {
  }
}

static double round_trip_once(bool first, int peer, char *buffer, int bytes)
{
  const double start = MPI_Wtime();
  if (first) {
    MPI_Send(buffer, bytes, MPI_BYTE, peer, DATA, MPI_COMM_WORLD);
    MPI_Recv(buffer, bytes, MPI_BYTE, peer, DATA, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
    MPI_Recv(buffer, bytes, MPI_BYTE, peer, DATA, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(buffer, bytes, MPI_BYTE, peer, DATA, MPI_COMM_WORLD);
  }
  return MPI_Wtime() - start;
}

/* The first sends, and waits for an answer before the next. */
static double send_once(bool first, int peer, char *buffer, int bytes)
{
  double elapsed = 0;
  if (first) {
    const double start = MPI_Wtime();
    MPI_Send(buffer, bytes, MPI_BYTE, peer, DATA, MPI_COMM_WORLD);
    elapsed = MPI_Wtime() - start;
    MPI_Recv(buffer, 0, MPI_BYTE, peer, CONTROL, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
    MPI_Recv(buffer, bytes, MPI_BYTE, peer, DATA, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(buffer, 0, MPI_BYTE, peer, CONTROL, MPI_COMM_WORLD);
  }
  return elapsed;
}

/* The first asks for a message, waits until it must be there, and receives it. */
static double receive_once(bool first, int peer, char *buffer, int bytes, double trip)
{
  if (!first) {
    MPI_Recv(buffer, 0, MPI_BYTE, peer, CONTROL, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(buffer, bytes, MPI_BYTE, peer, DATA, MPI_COMM_WORLD);
    return 0;
  }
  MPI_Send(buffer, 0, MPI_BYTE, peer, CONTROL, MPI_COMM_WORLD);
  wait_spinning(2 * trip);
  const double start = MPI_Wtime();
  MPI_Recv(buffer, bytes, MPI_BYTE, peer, DATA, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return MPI_Wtime() - start;
}

enum what { ROUND_TRIP, SEND, RECEIVE };

/* One number; the first rank decides when it is enough. trip: seconds of a round trip. */
static double measure(const struct tune_context *context, const struct pair *pair, enum what what,
                      int bytes, double trip)
{
  char *buffer = calloc((size_t)bytes + 1, 1);
  double samples[REPEAT_MAX + 1];
  const bool first = is_first(context, pair);
  const int peer = other(context, pair);
  const double start = MPI_Wtime();
  uint32_t count = 0;
  int32_t goes_on = buffer != NULL;
  if (!buffer)
    MPI_Abort(MPI_COMM_WORLD, 1);
  while (goes_on) {
    samples[count++] = what == ROUND_TRIP ? round_trip_once(first, peer, buffer, bytes)
                       : what == SEND     ? send_once(first, peer, buffer, bytes)
                                          : receive_once(first, peer, buffer, bytes, trip);
    goes_on =
        count <= REPEAT_MIN || (count <= REPEAT_MAX - 1 && MPI_Wtime() - start < MEASURE_SECONDS);
    if (first)
      MPI_Send(&goes_on, 1, MPI_INT32_T, peer, CONTROL, MPI_COMM_WORLD);
    else
      MPI_Recv(&goes_on, 1, MPI_INT32_T, peer, CONTROL, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  free(buffer);
  tune_sort(samples + 1, count - 1); /* the first one warms up */
  return tune_quantile(samples + 1, count - 1, 0.5);
}

/* --- the eager limit: does a send end though nobody receives? --- */

static bool ends_alone(const struct tune_context *context, const struct pair *pair, char *buffer,
                       int bytes, double seconds)
{
  const int peer = other(context, pair);
  int has_ended = 0;
  if (is_first(context, pair)) {
    MPI_Request request;
    MPI_Isend(buffer, bytes, MPI_BYTE, peer, DATA, MPI_COMM_WORLD, &request);
    const double start = MPI_Wtime();
    while (!has_ended && MPI_Wtime() - start < seconds)
      MPI_Test(&request, &has_ended, MPI_STATUS_IGNORE);
    MPI_Send(&has_ended, 1, MPI_INT, peer, CONTROL, MPI_COMM_WORLD);
    if (!has_ended)
      MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else { /* this receive keeps the MPI going, and comes behind what was sent eagerly */
    MPI_Recv(&has_ended, 1, MPI_INT, peer, CONTROL, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(buffer, bytes, MPI_BYTE, peer, DATA, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  return has_ended;
}

/* The longest message that is sent eagerly, by doubling and bisection; EAGER_MAX: all are. trip: of
   EAGER_FROM bytes, from which follows how long others are given to leave. */
static int find_eager(const struct tune_context *context, const struct pair *pair, double trip)
{
  char *buffer = calloc(EAGER_MAX, 1);
  if (!buffer)
    MPI_Abort(MPI_COMM_WORLD, 1);
  int eager = 0, handshake = 2 * EAGER_FROM;
  for (bool is_doubling = true; eager + 1 < handshake && eager < EAGER_MAX;) {
    const int bytes = is_doubling ? handshake : eager + (handshake - eager) / 2;
    const double seconds = LEAVE_SECONDS + trip * bytes / EAGER_FROM;
    const bool is_eager = ends_alone(context, pair, buffer, bytes, seconds);
    is_doubling &= is_eager;
    if (is_eager)
      eager = bytes;
    else
      handshake = bytes;
    if (is_doubling)
      handshake = 2 * eager;
  }
  free(buffer);
  return eager;
}

static void measure_pair(const struct tune_context *context, const struct pair *pair)
{
  static const int sizes[] = {1, 1024, EAGER_FROM};
  const bool speaks = is_first(context, pair);
  double trip = 0;
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    trip = measure(context, pair, ROUND_TRIP, sizes[i], 0);
    const double send = measure(context, pair, SEND, sizes[i], trip);
    const double receive = measure(context, pair, RECEIVE, sizes[i], trip);
    if (speaks) {
      print_raw("round-trip", sizes[i], 1e9 * trip);
      print_raw("send", sizes[i], 1e9 * send);
      print_raw("receive", sizes[i], 1e9 * receive);
    }
  }
  const int eager = find_eager(context, pair, trip);
  if (speaks)
    print_raw("eager", eager, 0);
  if (eager <= 2048 || eager == EAGER_MAX)
    return;
  const int around[] = {eager / 2, eager - 512, eager + 512};
  for (size_t i = 0; i < sizeof around / sizeof *around; i++) {
    trip = measure(context, pair, ROUND_TRIP, around[i], 0);
    if (speaks)
      print_raw("round-trip", around[i], 1e9 * trip);
  }
}

static void measure_local(const struct tune_context *context, const struct pair *pair)
{
  static const int sizes[] = {1, 1 << 18, 1 << 20};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    const double trip = measure(context, pair, ROUND_TRIP, sizes[i], 0);
    if (is_first(context, pair))
      print_raw("local-round-trip", sizes[i], 1e9 * trip);
  }
}

/* --- a rank alone --- */

static void measure_combining(void)
{
  double *from = malloc(COMBINED_BYTES), *to = malloc(COMBINED_BYTES);
  double samples[REPEAT_MAX + 1];
  if (!from || !to)
    MPI_Abort(MPI_COMM_WORLD, 1);
  memset(from, 1, COMBINED_BYTES); /* or the kernel lends one page of zeros to all */
  memset(to, 1, COMBINED_BYTES);
  for (int i = 0; i <= REPEAT_MAX; i++) {
    const double start = MPI_Wtime();
    MPI_Reduce_local(from, to, COMBINED_BYTES / (int)sizeof *from, MPI_DOUBLE, MPI_SUM);
    samples[i] = MPI_Wtime() - start;
  }
  free(from);
  free(to);
  tune_sort(samples + 1, REPEAT_MAX); /* the first one warms up */
  print_raw("combine", COMBINED_BYTES, 1e9 * tune_quantile(samples + 1, REPEAT_MAX, 0.5));
}

/* --- all ranks at once --- */

static double seconds_of(clockid_t clock)
{
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Every rank works; how many times as long as alone does that take? */
static void measure_sharing(const struct tune_context *context)
{
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime(), worked = seconds_of(CLOCK_THREAD_CPUTIME_ID);
  wait_spinning(SPIN_SECONDS);
  double sharing = (MPI_Wtime() - start) / (seconds_of(CLOCK_THREAD_CPUTIME_ID) - worked + 1e-9);
  MPI_Allreduce(MPI_IN_PLACE, &sharing, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  if (context->rank == 0)
    print_raw("sharing", 1, 1e3 * sharing / context->rank_count);
}

/* A stream that is measured: so many rounds, each of so many messages from every rank to the next
   one, or of one to each of so many next ones. */
struct stream {
  const char *what;
  int bytes, window, rounds;
  bool is_exchange;
};

static void stream_once(const struct tune_context *context, const struct stream *stream,
                        char *buffer)
{
  MPI_Request requests[2 * STREAM_WINDOW];
  const int p = context->rank_count, bytes = stream->bytes, window = stream->window;
  for (int i = 0; i < 2 * window; i++, buffer += bytes) {
    const int away = stream->is_exchange ? i % window + 1 : 1;
    if (i < window)
      MPI_Irecv(buffer, bytes, MPI_BYTE, (context->rank + p - away) % p, DATA, MPI_COMM_WORLD,
                &requests[i]);
    else
      MPI_Isend(buffer, bytes, MPI_BYTE, (context->rank + away) % p, DATA, MPI_COMM_WORLD,
                &requests[i]);
  }
  MPI_Waitall(2 * window, requests, MPI_STATUSES_IGNORE);
}

/* Prints how long a message takes, and returns that. */
static double measure_stream(const struct tune_context *context, const struct stream *stream)
{
  double samples[REPEAT_MAX], sum = 0;
  int count = 0;
  const size_t bytes = (size_t)stream->bytes * 2 * (size_t)stream->window;
  char *buffer = malloc(bytes), least[24];
  if (!buffer)
    MPI_Abort(MPI_COMM_WORLD, 1);
  memset(buffer, 1, bytes); /* or the kernel lends one page of zeros to all */
  while (count < REPEAT_MAX && sum < MEASURE_SECONDS) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    for (int i = 0; i < stream->rounds; i++)
      stream_once(context, stream, buffer);
    samples[count] = MPI_Wtime() - start;
    MPI_Allreduce(MPI_IN_PLACE, &samples[count], 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    sum += samples[count++];
  }
  free(buffer);
  tune_sort(samples, (uint32_t)count);
  const double messages = (double)stream->window * stream->rounds;
  const double median = tune_quantile(samples, (uint32_t)count, 0.5) / messages;
  snprintf(least, sizeof least, "%s-least", stream->what);
  if (context->rank == 0) {
    print_raw(least, stream->bytes, 1e9 * samples[0] / messages);
    print_raw(stream->what, stream->bytes, 1e9 * median);
  }
  return median;
}

/* A network on which long messages would take too long is slow enough to be what streams wait for:
   those aren't measured there. */
static void measure_streams(const struct tune_context *context)
{
  static const struct stream round = {"round", 1, 1, STREAM_WINDOW, false},
                             probe = {"round", PROBE_BYTES, 1, 1, false},
                             long_stream = {"stream", STREAM_BYTES, STREAM_LONG_WINDOW, 1, false},
                             stream = {"stream", 1, STREAM_WINDOW, 1, false};
  const int others = context->rank_count - 1;
  const int window = others < STREAM_WINDOW ? others : STREAM_WINDOW;
  const struct stream exchange = {"exchange", 1, window, 1, true};
  measure_stream(context, &round);
  const double probe_seconds = measure_stream(context, &probe);
  if (probe_seconds * STREAM_BYTES / PROBE_BYTES * STREAM_LONG_WINDOW < STREAM_SECONDS)
    measure_stream(context, &long_stream);
  measure_stream(context, &exchange);
  measure_stream(context, &stream);
}

void tune_machine(const struct tune_context *context)
{
  const int far = find_partner(context, false), near = find_partner(context, true);
  /* ranks that are placed by number are all on one host: the last one is taken to be far */
  const struct pair remote = {0, far ? far : context->rank_count - 1};
  const struct pair local = {0, near};
  if (context->rank == 0)
    printf("raw pair %d %d\n", remote.first, remote.second);
  if (is_in(context, &remote))
    measure_pair(context, &remote);
  meet_idly();
  if (far && near && is_in(context, &local))
    measure_local(context, &local);
  if (context->rank == 0)
    measure_combining();
  meet_idly();
  measure_sharing(context);
  measure_streams(context);
}
