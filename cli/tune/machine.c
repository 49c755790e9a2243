/* From the ranks' raw times to the machine's parameters. The names are LogGP's; how they are
   measured stands in bench/tune_machine.c. */
#include "machine.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/alloc.h"

enum {
  FRAME_BYTES = 120,  /* of a message of one byte on an Ethernet: the MPI's and TCP/IP's headers */
  SHORT_BYTES = 1,    /* what the ranks measured as short ... */
  LONG_BYTES = 16384, /* ... and as long, but sent eagerly by most MPIs ... */
  STREAM_BYTES = 1 << 18, /* ... and as long in a stream */
  LOCAL_SHORT_BYTES = 1 << 18,
  LOCAL_LONG_BYTES = 1 << 20,
  EAGER_ALWAYS = 1 << 20, /* the ranks look no further */
  AROUND_BYTES = 512,     /* below and above the eager limit */
};

bool tune_raws_add(struct tune_raws *raws, const char *line)
{
  struct tune_raw raw;
  int end = 0;
  if (raws->count == TUNE_RAWS_MAX ||
      sscanf(line, "%23[a-z-] %" SCNu64 " %" SCNu64 "%n", raw.what, &raw.bytes, &raw.number,
             &end) != 3 ||
      line[end])
    return false;
  raws->list[raws->count++] = raw;
  return true;
}

static bool find(const struct tune_raws *raws, const char *what, uint64_t bytes, uint64_t *number)
{
  for (uint32_t i = raws->count; i-- > 0;)
    if (raws->list[i].bytes == bytes && strcmp(raws->list[i].what, what) == 0) {
      *number = raws->list[i].number;
      return true;
    }
  return false;
}

bool tune_raws_are_complete(const struct tune_raws *raws)
{
  uint64_t ns;
  return find(raws, "stream", SHORT_BYTES, &ns); /* the last one */
}

static uint64_t less(uint64_t from, uint64_t what)
{
  return from > what ? from - what : 0;
}

/* What the links take for a short message from one measured rank to the other. */
static uint64_t find_way_ns(const struct tune_raws *raws, const struct tny_network *network)
{
  const struct tny_cluster *cluster = network->routes->cluster;
  uint64_t way_ns = 0;
  uint32_t first = 0, second = network->rank_count - 1;
  for (uint32_t i = 0; i < raws->count; i++)
    if (strcmp(raws->list[i].what, "pair") == 0 && raws->list[i].bytes < network->rank_count &&
        raws->list[i].number < network->rank_count) {
      first = (uint32_t)raws->list[i].bytes;
      second = (uint32_t)raws->list[i].number;
    }
  const uint32_t to = network->host_of_rank[second];
  uint32_t node = network->host_of_rank[first], at;
  while ((at = tny_routes_next(network->routes, node, to)) != TNY_NONE) {
    const struct tny_link *link = &cluster->links[at];
    way_ns += link->latency_ns + FRAME_BYTES * UINT64_C(8000000000) / link->bandwidth_bps;
    node = link->to;
  }
  return way_ns;
}

/* The network under a stream, in which each rank sends to the next. */
struct ring {
  uint64_t least_bps;  /* what the fullest link has for a message; 0: unknown */
  uint64_t latency_ns; /* of the longest route */
};

static struct ring find_ring(const struct tny_network *network)
{
  const struct tny_cluster *cluster = network->routes->cluster;
  const uint32_t p = network->rank_count;
  struct ring ring = {0};
  uint64_t *messages = tny_new(cluster->link_count + 1, sizeof *messages);
  if (!messages)
    return ring;
  ring.least_bps = UINT64_MAX;
  for (uint32_t rank = 0; rank < p; rank++) {
    const uint32_t to = network->host_of_rank[(rank + 1) % p];
    uint32_t node = network->host_of_rank[rank], at;
    uint64_t latency_ns = 0;
    while ((at = tny_routes_next(network->routes, node, to)) != TNY_NONE) {
      const struct tny_link *link = &cluster->links[at];
      const uint64_t bps = link->bandwidth_bps / ++messages[at];
      ring.least_bps = bps < ring.least_bps ? bps : ring.least_bps;
      latency_ns += link->latency_ns;
      node = link->to;
    }
    ring.latency_ns = latency_ns > ring.latency_ns ? latency_ns : ring.latency_ns;
  }
  tny_free(messages);
  return ring;
}

/* What a message of a stream takes where it is the processors that it waits for: all ranks send and
   receive at once. False where it may wait for the fullest link, or long messages for answers, two
   round trips each; the least time tells, as others may have waited for a lost segment. */
static bool find_stream(const struct tune_raws *raws, const struct ring *ring, uint64_t bytes,
                        uint64_t *ns)
{
  const bool is_short = bytes == SHORT_BYTES;
  uint64_t least;
  if (!ring->least_bps || !find(raws, "stream", bytes, ns) ||
      !find(raws, "stream-least", bytes, &least))
    return false;
  const uint64_t link_ns =
      (is_short ? FRAME_BYTES : bytes) * UINT64_C(8000000000) / ring->least_bps;
  return 2 * least >= 3 * link_ns + (is_short ? 0 : 8 * ring->latency_ns);
}

/* How much longer a rank's work takes when all ranks work at once, in permille. */
static uint64_t find_sharing(const struct tune_raws *raws)
{
  uint64_t permille;
  return find(raws, "sharing", 1, &permille) && permille > 1000 ? permille : 1000;
}

/* Overheads of a short message: measured alone, and made longer by what all ranks at once cost each
   other. A stream of short messages says that where the network keeps up; where a link is busy
   with their frames instead, it is how much longer mere work takes. */
static void make_overheads(const struct tune_raws *raws, const struct ring *ring,
                           struct tny_machine *machine)
{
  uint64_t send, receive, together;
  if (!find(raws, "send", SHORT_BYTES, &send) || !find(raws, "receive", SHORT_BYTES, &receive))
    return;
  const uint64_t alone = send + receive > 0 ? send + receive : 1;
  if (!find_stream(raws, ring, SHORT_BYTES, &together))
    together = alone * find_sharing(raws) / 1000;
  together = together > alone ? together : alone;
  machine->send_overhead_ns = send * together / alone;
  machine->receive_overhead_ns = receive * together / alone;
}

/* The same for a byte, with long messages, in ps: much of what one costs is the kernel's work
   behind a send and before a receive, which no call of the MPI waits for and only a stream
   shows. */
static void make_byte_overhead(const struct tune_raws *raws, const struct ring *ring,
                               struct tny_machine *machine)
{
  uint64_t send, receive, long_send, long_receive, stream, long_stream, together = 0;
  if (!find(raws, "send", SHORT_BYTES, &send) || !find(raws, "receive", SHORT_BYTES, &receive) ||
      !find(raws, "send", LONG_BYTES, &long_send) ||
      !find(raws, "receive", LONG_BYTES, &long_receive))
    return;
  const uint64_t alone = (less(long_send, send) + less(long_receive, receive)) *
                         find_sharing(raws) / (2 * (LONG_BYTES - SHORT_BYTES));
  if (find(raws, "stream", SHORT_BYTES, &stream) &&
      find_stream(raws, ring, STREAM_BYTES, &long_stream))
    together = less(long_stream, stream) * 1000 / (2 * (STREAM_BYTES - SHORT_BYTES));
  machine->byte_overhead_ps = together > alone ? together : alone;
}

/* What is left without overheads and links: of a round in which all ranks send, and wait for what
   is sent to them; else of half a round trip of two alone. */
static void make_latency(const struct tune_raws *raws, uint64_t way_ns, struct tny_machine *machine)
{
  uint64_t round, trip, send, receive;
  if (find(raws, "round", SHORT_BYTES, &round))
    machine->latency_ns =
        less(round, machine->send_overhead_ns + machine->receive_overhead_ns + way_ns);
  else if (find(raws, "round-trip", SHORT_BYTES, &trip) && find(raws, "send", SHORT_BYTES, &send) &&
           find(raws, "receive", SHORT_BYTES, &receive))
    machine->latency_ns = less(trip / 2, send + receive + way_ns);
}

/* What a message just above the eager limit takes longer than one just below, beside its bytes. */
static void make_handshake(const struct tune_raws *raws, struct tny_machine *machine)
{
  uint64_t eager, half, below, above;
  for (uint32_t i = 0; i < raws->count; i++)
    if (strcmp(raws->list[i].what, "eager") == 0)
      machine->eager_bytes = raws->list[i].bytes;
  eager = machine->eager_bytes;
  if (eager >= EAGER_ALWAYS)
    machine->handshake_ns = 0;
  if (!find(raws, "round-trip", eager / 2, &half) ||
      !find(raws, "round-trip", eager - AROUND_BYTES, &below) ||
      !find(raws, "round-trip", eager + AROUND_BYTES, &above))
    return;
  const uint64_t width = eager - AROUND_BYTES - eager / 2;
  const uint64_t of_bytes = width ? less(below, half) * 2 * AROUND_BYTES / width : 0;
  machine->handshake_ns = less(less(above, below), of_bytes) / 2;
}

static void make_local(const struct tune_raws *raws, struct tny_machine *machine)
{
  uint64_t shortest, less_ns, more_ns;
  if (!find(raws, "local-round-trip", SHORT_BYTES, &shortest))
    return;
  machine->local_latency_ns = shortest / 2;
  if (find(raws, "local-round-trip", LOCAL_SHORT_BYTES, &less_ns) &&
      find(raws, "local-round-trip", LOCAL_LONG_BYTES, &more_ns) && more_ns > less_ns)
    machine->local_bps =
        (LOCAL_LONG_BYTES - LOCAL_SHORT_BYTES) * UINT64_C(8000000000) * 2 / (more_ns - less_ns);
}

struct tny_machine tune_machine_make(const struct tune_raws *raws,
                                     const struct tny_network *network)
{
  const struct ring ring = find_ring(network);
  uint64_t link_bps = UINT64_MAX;
  for (uint32_t l = 0; l < network->routes->cluster->link_count; l++)
    if (network->routes->cluster->links[l].bandwidth_bps < link_bps)
      link_bps = network->routes->cluster->links[l].bandwidth_bps;
  struct tny_machine machine = tny_machine_default(link_bps);
  make_overheads(raws, &ring, &machine);
  make_byte_overhead(raws, &ring, &machine);
  make_latency(raws, find_way_ns(raws, network), &machine);
  make_handshake(raws, &machine);
  make_local(raws, &machine);
  return machine;
}
