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
  EXCHANGE_RANKS = 16,    /* to which each sends in an exchange, where there are as many */
  COMBINED_BYTES = 1 << 20,
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

/* All ranks send and receive at once: each to the next one, or a message to each of some. */
struct traffic {
  const char *what, *least; /* the raw times' names */
  uint64_t least_bps;       /* what the fullest link has for a message; 0: unknown */
  uint64_t latency_ns;      /* of the longest route */
};

/* Adds the messages of all ranks to those so many places on. */
static void add_messages(const struct tny_network *network, uint32_t away, uint64_t *messages,
                         struct traffic *traffic)
{
  const struct tny_cluster *cluster = network->routes->cluster;
  for (uint32_t rank = 0; rank < network->rank_count; rank++) {
    const uint32_t to = network->host_of_rank[(rank + away) % network->rank_count];
    uint32_t node = network->host_of_rank[rank], at;
    uint64_t latency_ns = 0;
    while ((at = tny_routes_next(network->routes, node, to)) != TNY_NONE) {
      messages[at]++;
      latency_ns += cluster->links[at].latency_ns;
      node = cluster->links[at].to;
    }
    traffic->latency_ns = latency_ns > traffic->latency_ns ? latency_ns : traffic->latency_ns;
  }
}

/* Of messages to so many ranks each. */
static void find_least_bps(const struct tny_network *network, uint32_t receivers,
                           struct traffic *traffic)
{
  const struct tny_cluster *cluster = network->routes->cluster;
  uint64_t *messages = tny_new(cluster->link_count + 1, sizeof *messages);
  if (!messages)
    return;
  for (uint32_t away = 1; away <= receivers; away++)
    add_messages(network, away, messages, traffic);
  traffic->least_bps = UINT64_MAX;
  for (uint32_t l = 0; l < cluster->link_count; l++) {
    const uint64_t bps =
        messages[l] ? cluster->links[l].bandwidth_bps * receivers / messages[l] : UINT64_MAX;
    traffic->least_bps = bps < traffic->least_bps ? bps : traffic->least_bps;
  }
  tny_free(messages);
}

static struct traffic stream_over(const struct tny_network *network)
{
  struct traffic stream = {.what = "stream", .least = "stream-least"};
  find_least_bps(network, 1, &stream);
  return stream;
}

static struct traffic exchange_over(const struct tny_network *network)
{
  struct traffic exchange = {.what = "exchange", .least = "exchange-least"};
  const uint32_t others = network->rank_count - 1;
  find_least_bps(network, others < EXCHANGE_RANKS ? others : EXCHANGE_RANKS, &exchange);
  return exchange;
}

/* What a message takes where it is the processors that it waits for. False where it may wait for
   the fullest link, or long messages for answers, two round trips each; the least time tells, as
   others may have waited for a lost segment. */
static bool find_busy(const struct tune_raws *raws, const struct traffic *traffic, uint64_t bytes,
                      uint64_t *ns)
{
  const bool is_short = bytes == SHORT_BYTES;
  uint64_t least;
  if (!traffic->least_bps || !find(raws, traffic->what, bytes, ns) ||
      !find(raws, traffic->least, bytes, &least))
    return false;
  const uint64_t link_ns =
      (is_short ? FRAME_BYTES : bytes) * UINT64_C(8000000000) / traffic->least_bps;
  return 2 * least >= 3 * link_ns + (is_short ? 0 : 8 * traffic->latency_ns);
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
static void make_overheads(const struct tune_raws *raws, const struct traffic *stream,
                           struct tny_machine *machine)
{
  uint64_t send, receive, together;
  if (!find(raws, "send", SHORT_BYTES, &send) || !find(raws, "receive", SHORT_BYTES, &receive))
    return;
  const uint64_t alone = send + receive > 0 ? send + receive : 1;
  if (!find_busy(raws, stream, SHORT_BYTES, &together))
    together = alone * find_sharing(raws) / 1000;
  together = together > alone ? together : alone;
  machine->send_overhead_ns = send * together / alone;
  machine->receive_overhead_ns = receive * together / alone;
}

/* The same for a byte, with long messages, in ps: much of what one costs is the kernel's work
   behind a send and before a receive, which no call of the MPI waits for and only a stream
   shows. */
static void make_byte_overhead(const struct tune_raws *raws, const struct traffic *stream,
                               struct tny_machine *machine)
{
  uint64_t send, receive, long_send, long_receive, short_stream, long_stream, together = 0;
  if (!find(raws, "send", SHORT_BYTES, &send) || !find(raws, "receive", SHORT_BYTES, &receive) ||
      !find(raws, "send", LONG_BYTES, &long_send) ||
      !find(raws, "receive", LONG_BYTES, &long_receive))
    return;
  const uint64_t alone = (less(long_send, send) + less(long_receive, receive)) *
                         find_sharing(raws) / (2 * (LONG_BYTES - SHORT_BYTES));
  if (find(raws, "stream", SHORT_BYTES, &short_stream) &&
      find_busy(raws, stream, STREAM_BYTES, &long_stream))
    together = less(long_stream, short_stream) * 1000 / (2 * (STREAM_BYTES - SHORT_BYTES));
  machine->byte_overhead_ps = together > alone ? together : alone;
}

/* What was measured alone takes longer by the sharing of processors, as all combine at once. */
static void make_combining(const struct tune_raws *raws, struct tny_machine *machine)
{
  uint64_t ns;
  if (find(raws, "combine", COMBINED_BYTES, &ns))
    machine->combine_ps = ns * find_sharing(raws) / COMBINED_BYTES;
}

/* What a message of an exchange takes longer than the overheads: it is from another rank than the
   one before, while those of a stream may come several at a time. */
static void make_source_overhead(const struct tune_raws *raws, const struct traffic *exchange,
                                 struct tny_machine *machine)
{
  uint64_t together;
  if (find_busy(raws, exchange, SHORT_BYTES, &together))
    machine->source_overhead_ns =
        less(together, machine->send_overhead_ns + machine->receive_overhead_ns);
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
  const struct traffic stream = stream_over(network), exchange = exchange_over(network);
  uint64_t link_bps = UINT64_MAX;
  for (uint32_t l = 0; l < network->routes->cluster->link_count; l++)
    if (network->routes->cluster->links[l].bandwidth_bps < link_bps)
      link_bps = network->routes->cluster->links[l].bandwidth_bps;
  struct tny_machine machine = tny_machine_default(link_bps);
  make_overheads(raws, &stream, &machine);
  make_source_overhead(raws, &exchange, &machine);
  make_byte_overhead(raws, &stream, &machine);
  make_combining(raws, &machine);
  make_latency(raws, find_way_ns(raws, network), &machine);
  make_handshake(raws, &machine);
  make_local(raws, &machine);
  return machine;
}
