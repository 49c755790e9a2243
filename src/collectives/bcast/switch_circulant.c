/* Broadcast, circulant graphs within switches, relays between them: each link carries at most one
   message a round, in far fewer rounds than a chain.

   Source: the circulant graphs are those of Traeff, "Optimal broadcast schedules in logarithmic
           time with applications to broadcast, all-broadcast, reduction and all-reduction"; the
           relays between them are ours
   Needs:  any p, any root, the cluster
   Shape:  p=4, ranks 0 1 on one switch, 2 3 on the other, root 0 (=> crosses the trunk):
           pieces 1, 3, ...:  0 -> 1 => 2 -> 3
           pieces 2, 4, ...:  0 -> 1 => 3 -> 2
   Cost:   n-1+S+L rounds for n pieces, S switches of m hosts in a row; L, in which they spread a
           piece within, is 2 to 1.5*log2(m)+3; n-1+2*ceil(log2 S)+L in a star; on one switch
           n-1+ceil(log2 p). Each rank sends the message once, or a few pieces more
   Links:  one message a round on any link of a tree, and of any network in which such a row of the
           switches is found: on all tried
   Prefer: for medium messages (about 64 KiB) on several switches, and for long ones on many hosts,
           where a chain spends its time on filling (42 ms against 75 ms for 4 MiB on torus:8x8,
           predicted). Over wide links, switch-ordered-chain or hierarchical

   At full rate, a switch of m hosts has m sends a round and needs m-1 to pass on within what one
   brings in from outside: so one a round can leave it. relay.h tells who sends it. Groups in a row
   pass each piece on in the round after it came. In a star, where any switch can send to any other,
   the groups are the vertices of a circulant graph themselves. Since a piece takes a round to get
   to the group's gateway, there are two graphs, of the even pieces and of the odd ones, whose
   rounds alternate. */
#include "collectives/list.h"
#include "collectives/shared/relay.h"
#include "collectives/shared/root.h"
#include "core/alloc.h"
#include "core/error.h"
#include "planner/position.h"

/* What a rank does in a round: it gets a piece from a rank, and gives one to a rank. */
struct deal {
  uint32_t from, got, to, given; /* TNY_NONE: none */
};

/* The circulant graphs of a star: graph 0 of the even pieces, graph 1 of the odd ones. */
struct star {
  struct tny_circulant graph;
  uint32_t pieces[2];  /* of each graph */
  uint32_t lacking[2]; /* turns that its first period lacks, so that the last is whole */
};

/* A rank at work. */
struct relaying {
  const struct tny_relay *relay;
  uint32_t piece_count;
  uint32_t index;                      /* of its group */
  const struct tny_relay_group *group; /* NULL: it is the root */
  uint32_t begin, end;                 /* of the rounds in which it may have something to do */
  uint32_t last;                       /* the round in which the last piece comes to the group */
  uint32_t member;                     /* in the group's order; its count: the gateway */
  struct tny_circulant rest;           /* the group's own graph, of three or more */
  struct tny_circulant_rows rows;      /* of a rank of the rest */
  struct star star;
  uint32_t vertex;                     /* of the group, in the star */
  struct tny_circulant_rows star_rows; /* of that vertex */
};

/* --- stars --- */

static struct star make_star(const struct tny_relay *relay, uint32_t piece_count)
{
  struct star star = {.graph = tny_circulant_make(tny_relay_vertex_count(relay))};
  for (uint32_t parity = 0; parity < 2; parity++) {
    const uint32_t turns = star.graph.turns;
    star.pieces[parity] = (piece_count + 1 - parity) / 2;
    star.lacking[parity] = (turns - (star.pieces[parity] + turns - 1) % turns) % turns;
  }
  return star;
}

/* A round of one of the graphs. */
struct star_round {
  uint32_t parity, number, turn;
  bool exists;
};

static struct star_round star_round(const struct relaying *at, uint32_t round)
{
  const struct star *star = &at->star;
  const uint32_t begin = at->relay->has_mates;
  struct star_round found = {0};
  if (round < begin)
    return found;
  found.parity = (round - begin) % 2;
  found.number = (round - begin) / 2;
  found.turn = (found.number + star->lacking[found.parity]) % star->graph.turns;
  found.exists = star->pieces[found.parity] > 0 &&
                 found.number < star->pieces[found.parity] - 1 + star->graph.turns;
  return found;
}

/* The message's piece for one of the schedule: as in circulant.c, those beyond the last stand
   for the last. */
static uint32_t star_piece(const struct relaying *at, const struct star_round *round,
                           int32_t scheduled)
{
  const int64_t piece = (int64_t)round->number - round->turn + scheduled;
  const uint32_t last = at->star.pieces[round->parity] - 1;
  if (!round->exists || piece < 0)
    return TNY_NONE;
  return 2 * (piece < last ? (uint32_t)piece : last) + round->parity;
}

/* --- giving and getting, if there is anything --- */

static void give(struct deal *deal, uint32_t piece, uint32_t to)
{
  if (piece == TNY_NONE)
    return;
  deal->given = piece;
  deal->to = to;
}

static void get(struct deal *deal, uint32_t piece, uint32_t from)
{
  if (piece == TNY_NONE)
    return;
  deal->got = piece;
  deal->from = from;
}

/* Gives what leaves the vertex of a star in a round. Vertex 0 gives the new piece. */
static void leave(const struct relaying *at, uint32_t round, struct deal *deal)
{
  const struct star_round now = star_round(at, round);
  const struct tny_circulant *graph = &at->star.graph;
  const uint32_t to = tny_position_rank(NULL, graph->p, at->vertex, graph->skip[now.turn]);
  const int32_t sent = at->vertex == 0 ? (int32_t)now.turn : at->star_rows.sends[now.turn];
  if (to != 0)
    give(deal, star_piece(at, &now, sent),
         tny_relay_gate(at->relay, tny_relay_group_at(at->relay, to), now.parity));
}

/* --- what comes to a group --- */

static bool is_in_row(const struct relaying *at)
{
  return !at->relay->is_star || at->vertex == 0;
}

/* The piece that comes in a round, or TNY_NONE. */
static uint32_t arrival(const struct relaying *at, int64_t round)
{
  const int64_t number = round - at->group->begin;
  if (number < 0)
    return TNY_NONE;
  if (is_in_row(at))
    return number < at->piece_count ? (uint32_t)number : TNY_NONE;
  const struct star_round then = star_round(at, (uint32_t)round);
  return then.exists ? star_piece(at, &then, at->star_rows.receives[then.turn]) : TNY_NONE;
}

/* Of a round of the group's: whose turn it is. */
static uint32_t parity_of(const struct relaying *at, int64_t round)
{
  return (uint32_t)((round - at->group->begin) & 1);
}

/* The piece that comes to that gate. */
static uint32_t arrival_at(const struct relaying *at, int64_t round, uint32_t gate)
{
  const bool is_its_turn = at->group->count < 2 || parity_of(at, round) == gate;
  return is_its_turn ? arrival(at, round) : TNY_NONE;
}

static uint32_t arrival_sender(const struct relaying *at, uint32_t round)
{
  const struct tny_relay *relay = at->relay;
  const uint32_t parity = parity_of(at, round);
  if (!is_in_row(at)) {
    const struct star_round now = star_round(at, round);
    const uint32_t vertices = at->star.graph.p, skip = at->star.graph.skip[now.turn];
    return tny_relay_exit(relay, tny_position_rank(NULL, vertices, at->vertex, vertices - skip),
                          parity);
  }
  return at->index > 0 ? tny_relay_gate(relay, &relay->groups[at->index - 1], parity) : relay->root;
}

static void receive(const struct relaying *at, uint32_t round, uint32_t gate, struct deal *deal)
{
  const uint32_t piece = arrival_at(at, round, gate);
  if (piece != TNY_NONE)
    get(deal, piece, arrival_sender(at, round));
}

/* --- roles --- */

/* In a row, and to mates: a piece a round. */
static void act_as_root(const struct relaying *at, uint32_t round, struct deal *deal)
{
  const struct tny_relay *relay = at->relay;
  if (relay->is_star && !relay->has_mates)
    leave(at, round, deal);
  else if (round < at->piece_count)
    give(deal, round, tny_relay_gate(relay, &relay->groups[0], round));
}

/* A gate passes on what came in the round before: out of the group, or to its gateway. */
static void pass_on(const struct relaying *at, uint32_t round, uint32_t gate, struct deal *deal)
{
  const struct tny_relay *relay = at->relay;
  const struct tny_relay_group *group = at->group;
  const int64_t before = (int64_t)round - 1;
  const uint32_t piece = arrival_at(at, before, gate);
  const uint32_t parity = parity_of(at, before);
  if (!relay->is_star && at->index + 1 < relay->group_count)
    give(deal, piece, tny_relay_gate(relay, &relay->groups[at->index + 1], parity));
  else if (relay->is_star && at->vertex > 0)
    give(deal, piece, group->gateway);
  else if (relay->is_star && (group->count < 2 || parity == gate))
    leave(at, round, deal);
}

/* The turn of the rest's graph in which they are fed what came in a round. The last piece has the
   last turn: all that is fed in a period has come to all by the end of the next. */
static uint32_t turn_of(const struct relaying *at, int64_t round)
{
  const int64_t turns = at->rest.turns, turn = (round - at->last - 1) % turns;
  return (uint32_t)(turn < 0 ? turn + turns : turn);
}

/* The rank at a vertex of the rest's graph, other than vertex 0. */
static uint32_t rest_rank(const struct relaying *at, uint32_t vertex)
{
  return at->relay->order[at->group->first + 1 + vertex];
}

static void act_as_gate(const struct relaying *at, uint32_t round, struct deal *deal)
{
  const struct tny_relay_group *group = at->group;
  const uint32_t gate = at->member, other = 1 - gate;
  const uint32_t other_rank = tny_relay_gate(at->relay, group, other);
  receive(at, round, gate, deal);
  pass_on(at, round, gate, deal);
  if (group->count == 2) {
    give(deal, arrival_at(at, (int64_t)round - 2, gate), other_rank);
    get(deal, arrival_at(at, (int64_t)round - 2, other), other_rank);
  } else if (group->count > 2) {
    const int64_t fed = (int64_t)round - group->feed;
    const uint32_t skip = at->rest.skip[turn_of(at, fed)];
    give(deal, arrival_at(at, fed, gate), rest_rank(at, skip));
    get(deal, arrival_at(at, fed - group->spare, other), rest_rank(at, at->rest.p - skip));
  }
}

static void act_as_rest(const struct relaying *at, uint32_t round, struct deal *deal)
{
  const struct tny_relay *relay = at->relay;
  const struct tny_relay_group *group = at->group;
  const uint32_t vertices = at->rest.p, vertex = at->member - 1;
  const int64_t fed = (int64_t)round - group->feed, late = fed - group->spare;
  const uint32_t turn = turn_of(at, fed), skip = at->rest.skip[turn];
  const uint32_t to = tny_position_rank(NULL, vertices, vertex, skip);
  const uint32_t from = tny_position_rank(NULL, vertices, vertex, vertices - skip);
  const uint32_t got = arrival(at, fed - turn + at->rows.receives[turn]);
  const uint32_t given = arrival(at, fed - turn + at->rows.sends[turn]);
  if (from == 0)
    get(deal, got, tny_relay_gate(relay, group, parity_of(at, fed)));
  else
    get(deal, got, rest_rank(at, from));
  if (to == 0)
    give(deal, arrival(at, late), tny_relay_gate(relay, group, 1 - parity_of(at, late)));
  else
    give(deal, given, rest_rank(at, to));
}

static void act_as_gateway(const struct relaying *at, uint32_t round, struct deal *deal)
{
  const struct tny_relay_group *group = at->group;
  const int64_t before = (int64_t)round - 1;
  if (group->count == 0)
    receive(at, round, 0, deal);
  else
    get(deal, arrival(at, before), tny_relay_gate(at->relay, group, parity_of(at, before)));
  leave(at, round, deal);
}

static struct deal deal_of(const struct relaying *at, uint32_t round)
{
  struct deal deal = {TNY_NONE, TNY_NONE, TNY_NONE, TNY_NONE};
  if (!at->group)
    act_as_root(at, round, &deal);
  else if (at->member == at->group->count)
    act_as_gateway(at, round, &deal);
  else if (at->member < 2)
    act_as_gate(at, round, &deal);
  else
    act_as_rest(at, round, &deal);
  return deal;
}

/* --- ranks --- */

static void join_star(struct relaying *at)
{
  const struct tny_relay *relay = at->relay;
  at->star = make_star(relay, at->piece_count);
  at->vertex = at->group ? at->index + !relay->has_mates : 0;
  tny_circulant_receives(&at->star.graph, at->vertex, at->star_rows.receives);
  tny_circulant_sends(&at->star.graph, at->vertex, at->star_rows.sends);
  if (at->vertex == 0)
    return;
  for (uint32_t parity = 0; parity < 2 && parity < at->piece_count; parity++) {
    const uint32_t number = at->star.pieces[parity] + at->star.graph.turns - 2;
    const uint32_t last = at->group->begin + 2 * number + parity;
    at->last = last > at->last ? last : at->last;
  }
}

/* A group in a row rests until its first piece comes, and once it has passed on and spread its last
   one: with thousands of groups, most of all rounds. */
static void set_rounds(struct relaying *at)
{
  const struct tny_relay *relay = at->relay;
  at->end = at->piece_count - 1 + relay->tail;
  if (relay->is_star || !at->group)
    return;
  const uint32_t spread = tny_relay_spread(at->group), end = at->last + 1 + (spread ? spread : 1);
  at->begin = at->group->begin;
  at->end = end < at->end ? end : at->end;
}

static struct relaying relaying_begin(const struct tny_problem *problem, uint32_t rank)
{
  const struct tny_relay *relay = problem->prepared;
  struct relaying at = {.relay = relay, .piece_count = tny_root_piece_count(problem)};
  const uint32_t position = relay->position[rank];
  while (position > 0 && at.index + 1 < relay->group_count &&
         relay->groups[at.index + 1].first <= position)
    at.index++;
  if (position > 0) {
    at.group = &relay->groups[at.index];
    at.member = position - at.group->first;
    at.last = at.group->begin + at.piece_count - 1;
  }
  if (relay->is_star)
    join_star(&at);
  if (at.group && at.group->count > 2) {
    at.rest = tny_circulant_make(at.group->count - 1);
    if (at.member > 1 && at.member < at.group->count) {
      tny_circulant_receives(&at.rest, at.member - 1, at.rows.receives);
      tny_circulant_sends(&at.rest, at.member - 1, at.rows.sends);
    }
  }
  set_rounds(&at);
  return at;
}

/* All are on one switch, or on one host: nothing is to be relayed. */
static bool is_one_group(const struct tny_relay *relay)
{
  return relay->group_count == 0 || (relay->group_count == 1 && relay->has_mates);
}

static void emit(const struct tny_problem *problem, uint32_t rank, struct tny_builder *builder)
{
  const struct tny_relay *relay = problem->prepared;
  if (is_one_group(relay)) {
    tny_bcast_circulant.emit(problem, rank, builder);
    return;
  }
  const struct relaying at = relaying_begin(problem, rank);
  uint32_t *received = tny_new(at.piece_count, sizeof *received);
  if (!received) {
    tny_error_memory(&builder->error);
    return;
  }
  for (uint32_t round = at.begin; round < at.end; round++) {
    const struct deal deal = deal_of(&at, round);
    if (deal.given != TNY_NONE) {
      tny_builder_send(builder, deal.to, tny_root_pieces(!at.group, at.piece_count, deal.given, 1),
                       round);
      if (at.group)
        tny_builder_after(builder, received[deal.given]);
    }
    if (deal.got != TNY_NONE)
      received[deal.got] = tny_builder_recv(
          builder, deal.from, tny_root_pieces(false, at.piece_count, deal.got, 1), round);
  }
  tny_free(received);
}

/* --- claim --- */

static const char *refuse(const struct tny_problem *problem)
{
  return problem->network ? NULL : "needs the cluster";
}

static enum tny_status prepare(const struct tny_problem *problem, void **prepared,
                               struct tny_error *error)
{
  struct tny_relay *relay;
  const enum tny_status status = tny_relay_make(problem, &relay, error);
  *prepared = relay;
  return status;
}

static void release(void *prepared)
{
  tny_relay_free(prepared);
}

/* What the rounds of all ranks come to. */
struct account {
  uint32_t rounds, phases;
};

/* The longest chain of messages, as the verifier has it; 0 where there is no memory for that. */
static struct account follow(const struct tny_problem *problem)
{
  const struct tny_relay *relay = problem->prepared;
  const uint32_t p = relay->rank_count, pieces = problem->piece_count;
  struct account account = {0};
  struct relaying *ranks = tny_new(p, sizeof *ranks);
  uint32_t *length = tny_new((size_t)p * (2 + pieces), sizeof *length); /* of chains that end... */
  uint32_t *sent = length, *got = length + p, *had = length + 2 * (size_t)p; /* ...there */
  for (uint32_t rank = 0; ranks && rank < p; rank++)
    ranks[rank] = relaying_begin(problem, rank);
  for (uint32_t round = 0; ranks && length && round < pieces - 1 + relay->tail; round++)
    for (uint32_t rank = 0; rank < p; rank++) {
      if (round < ranks[rank].begin || round >= ranks[rank].end)
        continue;
      const struct deal deal = deal_of(&ranks[rank], round);
      if (deal.given == TNY_NONE)
        continue;
      uint32_t chain = had[(size_t)rank * pieces + deal.given];
      chain = chain > sent[rank] ? chain : sent[rank];
      chain = 1 + (chain > got[deal.to] ? chain : got[deal.to]);
      sent[rank] = got[deal.to] = had[(size_t)deal.to * pieces + deal.given] = chain;
      account.rounds = chain > account.rounds ? chain : account.rounds;
      account.phases = round + 1;
    }
  tny_free(ranks);
  tny_free(length);
  return account;
}

/* The most pieces that a rank sends. Not all send as many: some pass a piece on more often, others
   don't. `enough`: a rank that sends more needn't be beaten. */
static uint32_t most_sent(const struct tny_problem *problem, uint32_t enough)
{
  const struct tny_relay *relay = problem->prepared;
  uint32_t most = 0;
  for (uint32_t i = 0; i < relay->rank_count && most <= enough; i++) {
    const struct relaying at = relaying_begin(problem, relay->order[i]);
    uint32_t sent = 0;
    for (uint32_t round = at.begin; round < at.end; round++)
      sent += deal_of(&at, round).given != TNY_NONE;
    most = sent > most ? sent : most;
  }
  return most;
}

/* From so many pieces on, two more only add two rounds, and no rank sends the message twice. */
enum { MANY_PIECES = 96 };

static struct tny_claim claim(const struct tny_problem *problem)
{
  const struct tny_relay *relay = problem->prepared;
  struct tny_problem fewer = *problem;
  if (is_one_group(relay)) {
    struct tny_claim promised = tny_bcast_circulant.claim(problem);
    promised.tree_link_messages = 1;
    return promised;
  }
  if (fewer.piece_count > MANY_PIECES)
    fewer.piece_count = MANY_PIECES + problem->piece_count % 2;
  const uint32_t pieces = problem->piece_count, left_out = pieces - fewer.piece_count;
  const struct account account = follow(&fewer);
  const uint64_t most = most_sent(problem, left_out > 0 ? pieces : UINT32_MAX);
  return (struct tny_claim){.rounds = account.rounds > 0 ? account.rounds + left_out : 0,
                            .phases = account.phases > 0 ? account.phases + left_out : 0,
                            .blocks_sent_max = (most + pieces - 1) / pieces,
                            .port_messages = 1,
                            .tree_link_messages = relay->link_messages,
                            .link_messages = relay->link_messages};
}

static bool is_idle(const struct tny_problem *problem, uint32_t round)
{
  const struct tny_relay *relay = problem->prepared;
  for (uint32_t i = relay->rank_count; i-- > 0;) {
    const struct relaying at = relaying_begin(problem, relay->order[i]);
    if (round >= at.begin && round < at.end && deal_of(&at, round).given != TNY_NONE)
      return false;
  }
  return true;
}

/* Up to the last round in which a rank has something to give. */
static uint32_t phases(const struct tny_problem *problem)
{
  const struct tny_relay *relay = problem->prepared;
  if (is_one_group(relay))
    return tny_bcast_circulant.claim(problem).phases;
  uint32_t count = problem->piece_count - 1 + relay->tail;
  while (count > 0 && is_idle(problem, count - 1))
    count--;
  return count;
}

const struct tny_algorithm tny_bcast_switch_circulant = {
    .collective = TNY_BROADCAST,
    .name = "switch-circulant",
    .source = "traeff2024",
    .summary = "from switch to switch a piece a round, spread within by circulant graphs",
    .needs = "any p, any root, the cluster",
    .cut = TNY_CUT_OWN,
    .pacing = TNY_PACE_CREDITS,
    .refuse = refuse,
    .prepare = prepare,
    .release = release,
    .claim = claim,
    .emit = emit,
    .phases = phases,
};
