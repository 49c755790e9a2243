/* Sending chunks against acknowledgements, and round trips. */
#include "transfer.h"

#include <string.h>
#include <unistd.h>

enum { TAG_CHUNK = 1, TAG_CREDIT, TAG_RATE, TAG_NEXT, TAG_PING };

#define TRIALS_MAX 4     /* windows that a solo transfer tries, each four times the last */
#define IMPROVEMENT 1.15 /* a larger window that doesn't bring this much is the last */
#define RATE_GOOD 0.9    /* this share of the expected rate: no larger window is tried */
#define RATE_EXCESS 1.02 /* more than a link of the expected rate can carry */
#define PING_COUNT 20
#define PING_SECONDS_MAX 0.15

struct outgoing {
  const struct probe_transfer *transfer; /* NULL: none */
  uint32_t window, chunk_bytes;
  uint64_t sent, credited;
  MPI_Request credit;
  char credit_byte;
  bool posted, ended;
};

struct incoming {
  const struct probe_transfer *transfer;
  struct probe_seen *seen;
  uint32_t window, chunk_bytes;
  uint64_t received, counted;
  double first, last; /* when what is counted began, and when the last chunk came */
  MPI_Request chunk;
  bool posted, ended;
  char bytes[PROBE_CHUNK_BYTES_MAX];
};

struct part {
  MPI_Comm comm;
  double start, end;
  struct outgoing out;
  uint32_t in_count;
};

static struct incoming incoming[PROBE_INCOMING_MAX]; /* too large for a stack */
static const char content[PROBE_CHUNK_BYTES_MAX];

void probe_wait(MPI_Request *request)
{
  int done = 0;
  while (MPI_Test(request, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && !done)
    usleep(500);
}

void probe_barrier(MPI_Comm comm)
{
  MPI_Request request;
  MPI_Ibarrier(comm, &request);
  probe_wait(&request);
}

/* The content never changes, so nobody needs to know when it has left. */
static void send_and_forget(MPI_Comm comm, uint32_t to, int tag, uint32_t bytes)
{
  MPI_Request request;
  MPI_Isend(content, (int)bytes, MPI_BYTE, (int)to, tag, comm, &request);
  MPI_Request_free(&request);
}

/* An empty chunk ends a transfer. Returns whether it's over: every chunk is acknowledged. */
static bool advance_outgoing(struct part *part)
{
  struct outgoing *out = &part->out;
  int came = 0;
  if (!out->transfer)
    return true;
  if (!out->posted && out->credited < out->sent) {
    MPI_Irecv(&out->credit_byte, 1, MPI_BYTE, (int)out->transfer->to, TAG_CREDIT, part->comm,
              &out->credit);
    out->posted = true;
  }
  if (out->posted)
    MPI_Test(&out->credit, &came, MPI_STATUS_IGNORE);
  if (came) {
    out->credited++;
    out->posted = false;
  }
  while (!out->ended && out->sent - out->credited < out->window) {
    out->ended = MPI_Wtime() >= part->end;
    send_and_forget(part->comm, out->transfer->to, TAG_CHUNK, out->ended ? 0 : out->chunk_bytes);
    out->sent += !out->ended;
  }
  return out->ended && out->credited == out->sent;
}

static bool advance_incoming(struct part *part, struct incoming *in)
{
  int came = 0, bytes = 0;
  MPI_Status status;
  if (in->ended)
    return true;
  if (!in->posted)
    MPI_Irecv(in->bytes, sizeof in->bytes, MPI_BYTE, (int)in->transfer->from, TAG_CHUNK, part->comm,
              &in->chunk);
  in->posted = true;
  MPI_Test(&in->chunk, &came, &status);
  if (!came)
    return false;
  in->posted = false;
  MPI_Get_count(&status, MPI_BYTE, &bytes);
  in->ended = bytes == 0;
  if (in->ended)
    return true;
  send_and_forget(part->comm, in->transfer->from, TAG_CREDIT, 1);
  in->last = MPI_Wtime();
  if (in->received++ == in->window) {
    in->first = in->last;
    in->counted = 0;
  } else {
    in->counted++;
  }
  return false;
}

/* The first window is left out: it leaves at once, whatever the rate is. Where little is left of
   the time then, since something stalled, all counts. */
static double rate_of(const struct part *part, const struct incoming *in)
{
  const bool long_enough = in->last - in->first > (part->end - part->start) / 4;
  const uint64_t chunks = long_enough ? in->counted : in->received;
  const double seconds = in->last - (long_enough ? in->first : part->start);
  return seconds > 0 ? 8.0 * (double)chunks * in->chunk_bytes / seconds : 0;
}

static void run(struct part *part)
{
  bool over = false;
  while (!over) {
    over = advance_outgoing(part);
    for (uint32_t i = 0; i < part->in_count; i++)
      over &= advance_incoming(part, &incoming[i]);
  }
  for (uint32_t i = 0; i < part->in_count; i++)
    incoming[i].seen->bps = rate_of(part, &incoming[i]);
}

static void begin_incoming(struct part *part, const struct probe_transfer *transfer,
                           struct probe_seen *seen)
{
  struct incoming *in = &incoming[part->in_count++];
  in->transfer = transfer;
  in->seen = seen;
  in->window = transfer->window;
  in->chunk_bytes = transfer->chunk_bytes;
  in->received = in->counted = 0;
  in->first = in->last = part->start;
  in->posted = in->ended = false;
}

static struct outgoing outgoing_of(const struct probe_transfer *transfer)
{
  return (struct outgoing){
      .transfer = transfer, .window = transfer->window, .chunk_bytes = transfer->chunk_bytes};
}

void probe_transfer_all(MPI_Comm comm, const struct probe_transfer *transfers, uint32_t count,
                        double seconds, struct probe_seen *seen)
{
  int self;
  MPI_Comm_rank(comm, &self);
  struct part part = {.comm = comm, .start = MPI_Wtime()};
  part.end = part.start + seconds;
  for (uint32_t i = 0; i < count; i++) {
    if (transfers[i].from == (uint32_t)self)
      part.out = outgoing_of(&transfers[i]);
    if (transfers[i].to == (uint32_t)self && part.in_count < PROBE_INCOMING_MAX)
      begin_incoming(&part, &transfers[i], &seen[i]);
  }
  run(&part);
}

/* Returns half of the shortest round trip; 0 at the receiver. */
static double ping(MPI_Comm comm, uint32_t other, bool sends)
{
  char byte = 0;
  double shortest = 0;
  const double start = MPI_Wtime();
  for (int i = 0, more = 1; more; i++) {
    const double sent = MPI_Wtime();
    more = i + 1 < PING_COUNT && sent - start < PING_SECONDS_MAX;
    const int tag = TAG_PING;
    if (sends) {
      byte = (char)more;
      MPI_Send(&byte, 1, MPI_BYTE, (int)other, tag, comm);
    }
    MPI_Recv(&byte, 1, MPI_BYTE, (int)other, tag, comm, MPI_STATUS_IGNORE);
    more = byte;
    if (!sends)
      MPI_Send(&byte, 1, MPI_BYTE, (int)other, tag, comm);
    const double elapsed = MPI_Wtime() - sent;
    if (i > 1 && (shortest == 0 || elapsed < shortest))
      shortest = elapsed;
  }
  return sends ? shortest / 2 : 0;
}

/* The receiver tells the rate, the sender decides. Both return whether there is another trial. */
static bool goes_on(MPI_Comm comm, const struct probe_transfer *transfer, bool sends, double *best,
                    double rate)
{
  int more = 0;
  if (!sends) {
    *best = rate > *best ? rate : *best;
    MPI_Send(&rate, 1, MPI_DOUBLE, (int)transfer->from, TAG_RATE, comm);
    MPI_Recv(&more, 1, MPI_INT, (int)transfer->from, TAG_NEXT, comm, MPI_STATUS_IGNORE);
    return more;
  }
  MPI_Recv(&rate, 1, MPI_DOUBLE, (int)transfer->to, TAG_RATE, comm, MPI_STATUS_IGNORE);
  const double expected = transfer->expected_bps;
  const bool settled = rate >= RATE_GOOD * expected && rate <= RATE_EXCESS * expected;
  more = !settled && rate > IMPROVEMENT * *best;
  *best = rate > *best ? rate : *best;
  MPI_Send(&more, 1, MPI_INT, (int)transfer->to, TAG_NEXT, comm);
  return more;
}

void probe_transfer_solo(MPI_Comm comm, const struct probe_transfer *transfer, double seconds,
                         struct probe_seen *seen)
{
  int self;
  MPI_Comm_rank(comm, &self);
  const bool sends = transfer->from == (uint32_t)self;
  if (!sends && transfer->to != (uint32_t)self)
    return;
  struct probe_transfer trial = *transfer;
  struct probe_seen seen_now = {0};
  double best = 0;
  seen->latency_seconds = ping(comm, sends ? transfer->to : transfer->from, sends);
  for (int i = 0; i < TRIALS_MAX; i++) {
    probe_transfer_all(comm, &trial, 1, seconds, &seen_now);
    if (!goes_on(comm, transfer, sends, &best, seen_now.bps))
      break;
    trial.window *= 4;
    trial.chunk_bytes = trial.chunk_bytes * 4 < PROBE_CHUNK_BYTES_MAX ? trial.chunk_bytes * 4
                                                                      : PROBE_CHUNK_BYTES_MAX;
  }
  seen->bps = sends ? 0 : best;
}
