/* Streams between hosts, and what pings take beside them. */
#include "bench/discover/context.h"

#include <math.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

enum {
  WINDOW = 4,        /* messages of a stream that are on their way */
  IDLE_ROUNDS = 200, /* after so many looks at nothing new, a rank sleeps a little */
  IDLE_US = 100,
};
#define WARM_PART 0.3 /* of the time, in which streams find their rate */

/* One end of a stream. */
struct end {
  int other, stream; /* its number */
  bool sends, is_over;
  MPI_Request requests[WINDOW];
  char *buffers[WINDOW];
  int next;               /* in the window */
  int bytes;              /* of a message */
  double from_s, until_s; /* when a receiver counts */
  double last_s;          /* when the last message came */
  double received;        /* bytes */
};

struct pinging {
  bool answers, is_over;
  int other;
  MPI_Request request;
  char byte; /* says whether it is the last */
  double began;
  struct discover_host *host;
};

/* All of a rank's. */
struct work {
  struct end *ends;
  int count;
  struct pinging pinging;
  double end_at;
};

/* --- ends --- */

static void open_end(struct end *end, MPI_Comm comm)
{
  for (int i = 0; i < WINDOW; i++) {
    end->requests[i] = MPI_REQUEST_NULL;
    end->buffers[i] = calloc(1, (size_t)end->bytes);
    if (!end->buffers[i])
      discover_give_up("out of memory");
    if (!end->sends)
      MPI_Irecv(end->buffers[i], end->bytes, MPI_BYTE, end->other, DISCOVER_DATA, comm,
                &end->requests[i]);
  }
}

/* Receives that nothing came for any more are taken back. */
static void close_end(struct end *end)
{
  for (int i = 0; i < WINDOW; i++) {
    if (end->requests[i] != MPI_REQUEST_NULL && !end->sends)
      MPI_Cancel(&end->requests[i]);
    MPI_Wait(&end->requests[i], MPI_STATUS_IGNORE);
    free(end->buffers[i]);
  }
}

/* Sends the next message where the window has room; the last one, at the end, has no bytes. */
static bool go_on_sending(struct end *end, double now, double end_at, MPI_Comm comm)
{
  int is_done = 0;
  MPI_Test(&end->requests[end->next], &is_done, MPI_STATUS_IGNORE);
  if (!is_done)
    return false;
  end->is_over = now >= end_at;
  MPI_Isend(end->buffers[end->next], end->is_over ? 0 : end->bytes, MPI_BYTE, end->other,
            DISCOVER_DATA, comm, &end->requests[end->next]);
  end->next = (end->next + 1) % WINDOW;
  return true;
}

/* All streams count in the same time, or their rates would not be of one sum: one that stood still
   at its end would count as much as one that went on. Of a message the part counts that was on its
   way in that time: since the one before came. */
static void count_message(struct end *end, int bytes, double now)
{
  const double counts = fmin(now, end->until_s) - fmax(end->last_s, end->from_s);
  if (counts > 0)
    end->received += bytes * counts / (now - end->last_s);
  end->last_s = now;
}

static bool go_on_receiving(struct end *end, double now, MPI_Comm comm)
{
  int is_done = 0, bytes = 0;
  MPI_Status status;
  MPI_Test(&end->requests[end->next], &is_done, &status);
  if (!is_done)
    return false;
  MPI_Get_count(&status, MPI_BYTE, &bytes);
  end->is_over = bytes == 0;
  count_message(end, bytes, now);
  if (!end->is_over)
    MPI_Irecv(end->buffers[end->next], end->bytes, MPI_BYTE, end->other, DISCOVER_DATA, comm,
              &end->requests[end->next]);
  end->next = (end->next + 1) % WINDOW;
  return true;
}

/* --- pings beside streams --- */

static void send_ping(struct pinging *pinging, char is_last, double now, MPI_Comm comm)
{
  pinging->began = now;
  if (!pinging->is_over)
    MPI_Irecv(&pinging->byte, 1, MPI_BYTE, pinging->other, DISCOVER_PING, comm, &pinging->request);
  MPI_Send(&is_last, 1, MPI_BYTE, pinging->other, DISCOVER_PING, comm);
}

static bool go_on_pinging(struct pinging *pinging, double now, double end_at, MPI_Comm comm)
{
  int is_done = 0;
  MPI_Test(&pinging->request, &is_done, MPI_STATUS_IGNORE);
  if (!is_done)
    return false;
  const char is_last = pinging->byte;
  pinging->is_over = is_last;
  if (pinging->answers) {
    send_ping(pinging, is_last, now, comm);
    return true;
  }
  struct discover_host *host = pinging->host;
  if (host->ping_count < DISCOVER_PINGS_MAX)
    host->ping_ns[host->ping_count++] = 1e9 * (now - pinging->began);
  if (!is_last)
    send_ping(pinging, now >= end_at, now, comm);
  return true;
}

/* The pinger's receive is posted with its first ping, the other's before. */
static void begin_pinging(struct discover_host *host, const struct discover_pair *pair,
                          struct pinging *pinging)
{
  const bool pings = host->host == pair->first;
  *pinging = (struct pinging){.answers = host->host == pair->second,
                              .other = pings ? pair->second : pair->first,
                              .host = host};
  host->ping_count = 0;
  pinging->is_over = !pings && !pinging->answers;
  if (pings)
    send_ping(pinging, 0, MPI_Wtime(), host->hosts);
  else if (pinging->answers)
    MPI_Irecv(&pinging->byte, 1, MPI_BYTE, pinging->other, DISCOVER_PING, host->hosts,
              &pinging->request);
}

/* --- all of a rank's --- */

static bool is_over(const struct work *work)
{
  bool over = work->pinging.is_over;
  for (int i = 0; i < work->count; i++)
    over &= work->ends[i].is_over;
  return over;
}

static bool go_on(struct work *work, MPI_Comm comm)
{
  bool moved = false;
  for (int i = 0; i < work->count; i++) {
    struct end *end = &work->ends[i];
    if (!end->is_over)
      moved |= end->sends ? go_on_sending(end, MPI_Wtime(), work->end_at, comm)
                          : go_on_receiving(end, MPI_Wtime(), comm);
  }
  if (!work->pinging.is_over)
    moved |= go_on_pinging(&work->pinging, MPI_Wtime(), work->end_at, comm);
  return moved;
}

static void run(struct work *work, MPI_Comm comm)
{
  for (int idle = 0; !is_over(work);) {
    if (go_on(work, comm))
      idle = 0;
    else if (++idle < IDLE_ROUNDS)
      sched_yield();
    else
      usleep(IDLE_US);
  }
}

static void begin(struct discover_host *host, const struct discover_order *order, struct work *work)
{
  const double now = MPI_Wtime();
  *work = (struct work){.end_at = now + order->seconds,
                        .ends = calloc(2 * (size_t)order->count + 1, sizeof *work->ends)};
  if (!work->ends)
    discover_give_up("out of memory");
  for (int i = 0; i < 2 * order->count; i++) {
    const struct discover_pair *stream = &host->pairs[i / 2];
    const bool sends = i % 2 == 0;
    if (host->host != (sends ? stream->first : stream->second))
      continue;
    struct end *end = &work->ends[work->count++];
    *end = (struct end){.other = sends ? stream->second : stream->first,
                        .stream = stream->number,
                        .sends = sends,
                        .bytes = order->message_bytes,
                        .from_s = now + WARM_PART * order->seconds,
                        .until_s = work->end_at,
                        .last_s = now};
    open_end(end, host->hosts);
  }
  begin_pinging(host, &order->pinging, &work->pinging);
}

static void report_end(struct discover_host *host, const struct end *end)
{
  const struct discover_result result = {.value = end->received / (end->until_s - end->from_s)};
  if (!end->sends)
    discover_report(host, &result, end->stream);
}

static void report(struct discover_host *host, const struct discover_order *order,
                   const struct work *work)
{
  for (int i = 0; i < work->count; i++)
    report_end(host, &work->ends[i]);
  if (host->host != 0 && host->host == order->pinging.first)
    MPI_Send(host->ping_ns, host->ping_count, MPI_DOUBLE, 0, DISCOVER_PING, host->hosts);
}

void discover_measure_streams(struct discover_host *host, const struct discover_order *order)
{
  struct work work;
  begin(host, order, &work);
  run(&work, host->hosts);
  for (int i = 0; i < work.count; i++)
    close_end(&work.ends[i]);
  report(host, order, &work);
  free(work.ends);
}
