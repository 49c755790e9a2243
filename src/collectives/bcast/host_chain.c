/* Broadcast, pipelined chain over hosts: a leader on each host, in switch order, passes the pieces
   on to the next one, and to the ranks of its own host by a binomial tree.

   Source: the order of Jacunski, Sadayappan, Panda, "All-to-all broadcast on switch-based clusters
           of workstations", 5.1; one rank a host that talks to others is from Kielmann, Hofman,
           Bal, Plaat, Bhoedjang, "MagPIe"
   Needs:  any p, any root, the cluster; some host with two ranks or more
   Shape:  p=4, ranks 0 1 on one host, 2 3 on another, root 0:  0 -> 2, then 0 .> 1 and 2 .> 3
           (.> stays on the host)
   Cost:   with h hosts of up to k ranks n+h-2 phases for n pieces until the last host has them, and
           ceil(log2 k) more within. A leader sends the message once to another host, and as often
           to its own as the tree has it
   Links:  one message a phase on any port and any link of a tree of switches, each piece once: it
           meets the cut bound
   Prefer: where ranks share hosts, for long messages (1 MiB on 8 hosts of 4 ranks: 91 % of the
           bound): a piece takes as many hops as there are hosts, not ranks, and one credit of a
           host goes over each port. For short messages, switch-circulant or hierarchical

   Hosts are counted from the root's on, cyclically: host 0 is the root's, led by the root, any
   other one by its first rank. Piece n comes to host h in phase n+h-1, and goes on in the next.
   Pieces that stay on a host go in batches, so that they cost less. */
#include "collectives/list.h"
#include "collectives/shared/groups.h"
#include "collectives/shared/root.h"
#include "core/alloc.h"
#include "core/error.h"
#include "core/log2.h"
#include "planner/position.h"

enum { BATCH_PIECES = 4 };

struct line {
  const struct tny_problem *problem;
  struct tny_groups hosts;
  uint32_t root_host, root_position, pieces;
  uint32_t idle; /* phases in which a single host would wait for its first batch */
};

/* A host, counted from the root's, and a vertex of its tree: the leader is vertex 0. */
struct place {
  uint32_t host, first, size; /* its first position, its ranks */
  uint32_t leader;            /* among those */
  uint32_t vertex;
};

struct run {
  uint32_t first, count; /* pieces */
};

static struct line line_of(const struct tny_problem *problem)
{
  struct line line = {.problem = problem,
                      .hosts = tny_groups_lowest(problem),
                      .root_position =
                          tny_position_of(tny_problem_positions(problem), problem->root),
                      .pieces = tny_root_piece_count(problem)};
  line.root_host = tny_groups_find(&line.hosts, line.root_position);
  if (line.hosts.count == 1)
    line.idle = (line.pieces < BATCH_PIECES ? line.pieces : BATCH_PIECES) - 1;
  return line;
}

static struct place place_of(const struct line *line, uint32_t host)
{
  const uint32_t group = (uint32_t)(((uint64_t)host + line->root_host) % line->hosts.count);
  struct place place = {.host = host,
                        .first = tny_groups_first(&line->hosts, group),
                        .size = tny_groups_size(&line->hosts, group)};
  place.leader = host == 0 ? line->root_position - place.first : 0;
  return place;
}

static struct place place_at(const struct line *line, uint32_t position)
{
  const uint32_t group = tny_groups_find(&line->hosts, position), count = line->hosts.count;
  struct place place = place_of(line, (group + count - line->root_host) % count);
  place.vertex = (position - place.first + place.size - place.leader) % place.size;
  return place;
}

/* The rank of a vertex on the same host. */
static uint32_t rank_of(const struct line *line, const struct place *place, uint32_t vertex)
{
  return tny_position_rank(tny_problem_order(line->problem), line->problem->rank_count,
                           place->first + (vertex + place->leader) % place->size, 0);
}

static uint32_t leader_of(const struct line *line, uint32_t host)
{
  const struct place place = place_of(line, host);
  return rank_of(line, &place, 0);
}

/* As many as there would be with the idle ones. */
static uint32_t phase_end(const struct line *line)
{
  uint32_t phases = 0;
  for (uint32_t host = 0; host < line->hosts.count; host++) {
    const uint32_t rounds = tny_log2_ceil(place_of(line, host).size);
    const uint32_t end = line->pieces - 1 + host + rounds;
    if (host + rounds > 0 && end > phases)
      phases = end;
  }
  return phases;
}

/* --- the steps --- */

/* Appending one rank's steps. */
struct writer {
  const struct line *line;
  struct place place;
  struct tny_builder *builder;
  bool is_root;
  uint32_t *received; /* by piece: the receive that brought it */
};

static struct tny_span span_of(const struct writer *writer, struct run pieces)
{
  return tny_root_pieces(writer->is_root, writer->line->pieces, pieces.first, pieces.count);
}

static void send(struct writer *writer, uint32_t to, struct run pieces, uint32_t phase)
{
  tny_builder_send(writer->builder, to, span_of(writer, pieces), phase - writer->line->idle);
  uint32_t before = TNY_NONE;
  for (uint32_t i = 0; !writer->is_root && i < pieces.count; i++) {
    const uint32_t receive = writer->received[pieces.first + i];
    if (receive != before)
      tny_builder_after(writer->builder, receive);
    before = receive;
  }
}

static void receive(struct writer *writer, uint32_t from, struct run pieces, uint32_t phase)
{
  const uint32_t step =
      tny_builder_recv(writer->builder, from, span_of(writer, pieces), phase - writer->line->idle);
  for (uint32_t i = 0; i < pieces.count; i++)
    writer->received[pieces.first + i] = step;
}

/* A leader in a phase: it gets a piece, and gives the one of the phase before. */
static void pass_on(struct writer *writer, uint32_t phase)
{
  const struct line *line = writer->line;
  const uint32_t host = writer->place.host;
  if (host > 0 && phase + 1 >= host && phase + 1 - host < line->pieces)
    receive(writer, leader_of(line, host - 1), (struct run){phase + 1 - host, 1}, phase);
  if (host + 1 < line->hosts.count && phase >= host && phase - host < line->pieces)
    send(writer, leader_of(line, host + 1), (struct run){phase - host, 1}, phase);
}

/* The batch that ends with a piece; none where it has no pieces. */
static struct run batch_to(const struct line *line, uint32_t last)
{
  const bool ends = last % BATCH_PIECES == BATCH_PIECES - 1 || last + 1 == line->pieces;
  const uint32_t count = last % BATCH_PIECES + 1;
  return (struct run){last + 1 - count, last < line->pieces && ends ? count : 0};
}

/* A rank's part in the tree of its host, in a phase. Round t bridges a distance of 2^(rounds-1-t),
   as in any binomial tree, and follows t phases after the batch has come. */
static void spread(struct writer *writer, uint32_t phase)
{
  const struct line *line = writer->line;
  const struct place *place = &writer->place;
  const uint32_t rounds = tny_log2_ceil(place->size), vertex = place->vertex;
  for (uint32_t round = 0; round < rounds && phase >= place->host + round; round++) {
    const struct run batch = batch_to(line, phase - place->host - round);
    const uint32_t distance = (uint32_t)1 << (rounds - 1 - round);
    if (batch.count == 0)
      continue;
    if (vertex % (2 * distance) == distance)
      receive(writer, rank_of(line, place, vertex - distance), batch, phase);
    else if (vertex % distance == 0 && vertex + distance < place->size)
      send(writer, rank_of(line, place, vertex + distance), batch, phase);
  }
}

static void emit(const struct tny_problem *problem, uint32_t rank, struct tny_builder *builder)
{
  const struct line line = line_of(problem);
  struct writer writer = {
      .line = &line,
      .place = place_at(&line, tny_position_of(tny_problem_positions(problem), rank)),
      .builder = builder,
      .is_root = rank == problem->root,
      .received = tny_new(line.pieces, sizeof *writer.received)};
  if (!writer.received) {
    tny_error_memory(&builder->error);
    return;
  }
  const uint32_t end = phase_end(&line);
  for (uint32_t phase = 0; phase < end; phase++) {
    if (writer.place.vertex == 0)
      pass_on(&writer, phase);
    spread(&writer, phase);
  }
  tny_free(writer.received);
}

static struct tny_claim claim(const struct tny_problem *problem)
{
  const struct line line = line_of(problem);
  struct tny_claim promised = {
      .phases = phase_end(&line) - line.idle, .port_messages = 1, .tree_link_messages = 1};
  for (uint32_t host = 0; host < line.hosts.count; host++) {
    const uint64_t sent = (host + 1 < line.hosts.count) + tny_log2_ceil(place_of(&line, host).size);
    promised.blocks_sent_max = sent > promised.blocks_sent_max ? sent : promised.blocks_sent_max;
  }
  return promised;
}

static const char *refuse(const struct tny_problem *problem)
{
  return tny_groups_share_hosts(problem)
             ? NULL
             : "no two ranks share a host: use switch-ordered-chain, which is the same then";
}

const struct tny_algorithm tny_bcast_host_chain = {
    .collective = TNY_BROADCAST,
    .name = "host-chain",
    .source = "jacunski1999",
    .summary = "pipelined chain over hosts in switch order, a tree on each: each tree link once",
    .needs = "any p, any root, the cluster; ranks that share hosts",
    .cut = TNY_CUT_OWN,
    .pacing = TNY_PACE_CREDIT_BATCHES,
    .refuse = refuse,
    .claim = claim,
    .emit = emit,
};
