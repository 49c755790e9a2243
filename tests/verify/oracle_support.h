/* The oracle: carries a schedule out with real data, in a random interleaving, and looks at what
   comes of it. It shares nothing with the verifier but the schedule's definition, takes any
   schedule, however wrong, and proves nothing: it only finds faults. Included once by a test. */
#ifndef TOURNEY_TESTS_ORACLE_SUPPORT_H
#define TOURNEY_TESTS_ORACLE_SUPPORT_H

#include <tourney/algorithm.h>

#include "core/arena.h"
#include "oracle_spans_support.h"
#include "support/cluster.h"

enum { ORACLE_RANKS_MAX = 16 };

/* What it found wrong. */
enum oracle_fault {
  ORACLE_RIGHT,
  ORACLE_FORM,    /* a step uses memory, ranks or steps that aren't there */
  ORACLE_ENDS,    /* a message without its other end, or longer than its receive */
  ORACLE_STUCK,   /* a run stopped early */
  ORACLE_DATA,    /* wrong bytes at the end */
  ORACLE_LINKS,   /* more messages of a phase on a link than allowed */
  ORACLE_MEETING, /* in a run, messages of two phases were on a link together */
  ORACLE_CLAIM,   /* not the rounds, blocks or phases claimed */
  ORACLE_FAULTS,
};

/* A schedule and all that one run of it needs; arrays lie in the arena. */
struct oracle {
  const struct tny_schedule *schedule;
  const struct tny_network *network;
  struct tny_arena *arena;
  bool watches_phases; /* looks for messages of two phases on a link */
  bool in_place;       /* inputs lie in outputs, where there are such */
  uint32_t step_count, first[ORACLE_RANKS_MAX + 1];
  uint32_t *rank_of, *partner;       /* by id; partner TNY_NONE: none */
  uint32_t *previous;                /* by id: the one in front of it in its queue, or TNY_NONE */
  uint32_t *on_link_first, *on_link; /* by link: its messages */
  uint32_t unit, unit_max;           /* the run: blocks are `unit` cells long */
  uint64_t *memory;                  /* all ranks' buffers */
  uint64_t *eager_cells;             /* the copies that eager messages are sent from */
  size_t base[ORACLE_RANKS_MAX][3], memory_count, *eager_first;
  bool *started, *complete, *eager; /* by id */
  uint32_t *moved;                  /* by id of a send: cells that have arrived */
  uint32_t *live, live_count;       /* sends and tokens under way */
  uint32_t head[ORACLE_RANKS_MAX][2], running[ORACLE_RANKS_MAX][2], window;
  uint32_t *events, event_count; /* 2 * id: started, 2 * id + 1: complete; as they came */
  bool met, rewrites; /* messages of two phases; a copy has written what was there already */
  uint32_t slow_rank, slow_sender, slow_message, start_share; /* how this run picks what is next */
  uint64_t seed;
};

static inline const struct tny_step *oracle_step(const struct oracle *oracle, uint32_t id)
{
  const uint32_t rank = oracle->rank_of[id];
  return &oracle->schedule->ranks[rank].steps[id - oracle->first[rank]];
}

static inline uint32_t oracle_after(const struct oracle *oracle, uint32_t id, uint32_t i)
{
  const uint32_t rank = oracle->rank_of[id];
  return oracle->first[rank] +
         oracle->schedule->ranks[rank].after[oracle_step(oracle, id)->after_first + i];
}

static inline bool oracle_receives(enum tny_step_kind kind)
{
  return kind == TNY_RECV || kind == TNY_TOKEN_IN;
}

static inline bool oracle_reduces(enum tny_step_kind kind)
{
  return kind == TNY_REDUCE_LEFT || kind == TNY_REDUCE_RIGHT;
}

static inline bool oracle_is_local(enum tny_step_kind kind)
{
  return kind == TNY_COPY || oracle_reduces(kind);
}

/* --- spans as cells --- */

static inline uint32_t oracle_cells(const struct oracle *oracle, uint32_t id)
{
  const struct tny_step *step = oracle_step(oracle, id);
  if (step->kind == TNY_TOKEN_OUT || step->kind == TNY_TOKEN_IN)
    return 0;
  return step->span.count * oracle_width(&step->span, oracle->unit);
}

static inline uint64_t *oracle_cell(const struct oracle *oracle, uint32_t rank,
                                    const struct tny_span *span, uint32_t k)
{
  const uint32_t width = oracle_width(span, oracle->unit);
  const uint32_t block = span->first + k / width;
  return oracle->memory + oracle->base[rank][span->buffer] + block * (size_t)oracle->unit +
         oracle_cut(oracle->unit, span->chunk, span->chunk_count) + k % width;
}

/* --- what needs no run --- */

static inline bool oracle_is_formed(const struct oracle *oracle, uint32_t id)
{
  const struct tny_schedule *schedule = oracle->schedule;
  const struct tny_step *step = oracle_step(oracle, id);
  const uint32_t rank = oracle->rank_of[id];
  for (uint32_t i = 0; i < step->after_count; i++)
    if (oracle_after(oracle, id, i) >= oracle->first[rank + 1])
      return false;
  if (!oracle_is_local(step->kind) && step->peer >= schedule->rank_count)
    return false;
  if (step->kind == TNY_TOKEN_OUT || step->kind == TNY_TOKEN_IN)
    return true;
  return oracle_span_is_there(schedule, rank, &step->span) &&
         (!oracle_is_local(step->kind) ||
          (oracle_span_is_there(schedule, rank, &step->target) && !oracle_moves_onto_itself(step)));
}

/* The k-th step of a kind with a peer. */
static inline uint32_t oracle_find(const struct oracle *oracle, uint32_t rank,
                                   enum tny_step_kind kind, uint32_t peer, uint32_t k)
{
  for (uint32_t id = oracle->first[rank]; id < oracle->first[rank + 1]; id++)
    if (oracle_step(oracle, id)->kind == kind && oracle_step(oracle, id)->peer == peer && k-- == 0)
      return id;
  return TNY_NONE;
}

/* The k-th send from a to b meets the k-th receive at b from a. */
static inline bool oracle_join(struct oracle *oracle)
{
  static const enum tny_step_kind other_end[] = {[TNY_SEND] = TNY_RECV,
                                                 [TNY_RECV] = TNY_SEND,
                                                 [TNY_TOKEN_OUT] = TNY_TOKEN_IN,
                                                 [TNY_TOKEN_IN] = TNY_TOKEN_OUT};
  for (uint32_t id = 0; id < oracle->step_count; id++) {
    const struct tny_step *step = oracle_step(oracle, id);
    const uint32_t rank = oracle->rank_of[id];
    uint32_t k = 0;
    if (oracle_is_local(step->kind))
      continue;
    for (uint32_t other = oracle->first[rank]; other < id; other++)
      k += oracle_step(oracle, other)->kind == step->kind &&
           oracle_step(oracle, other)->peer == step->peer;
    oracle->partner[id] = oracle_find(oracle, step->peer, other_end[step->kind], rank, k);
    if (oracle->partner[id] == TNY_NONE)
      return false;
  }
  return true;
}

static inline void oracle_number(struct oracle *oracle)
{
  uint32_t id = 0;
  for (uint32_t rank = 0; rank < oracle->schedule->rank_count; rank++) {
    uint32_t last[2] = {TNY_NONE, TNY_NONE};
    oracle->first[rank] = id;
    for (uint32_t i = 0; i < oracle->schedule->ranks[rank].count; i++, id++) {
      const bool receives = oracle_receives(oracle->schedule->ranks[rank].steps[i].kind);
      oracle->rank_of[id] = rank;
      oracle->partner[id] = TNY_NONE;
      oracle->previous[id] = last[receives];
      last[receives] = id;
    }
  }
  oracle->first[oracle->schedule->rank_count] = id;
}

static inline void *oracle_take(struct oracle *oracle, size_t count, size_t element_bytes)
{
  void *memory = tny_arena_take(oracle->arena, count, element_bytes);
  assert_non_null(memory);
  return memory;
}

/* Takes what runs need; the spans are known to be there. */
static inline void oracle_lay_out(struct oracle *oracle)
{
  size_t eager_count = 0;
  oracle->unit_max = oracle->unit = 2 * oracle->schedule->chunk_count + 1;
  for (uint32_t rank = 0; rank < oracle->schedule->rank_count; rank++) {
    for (enum tny_buffer buffer = TNY_INPUT; buffer <= TNY_SCRATCH; buffer++) {
      oracle->base[rank][buffer] = oracle->memory_count;
      oracle->memory_count +=
          oracle_blocks(oracle->schedule, rank, buffer) * (size_t)oracle->unit_max;
    }
  }
  const uint32_t count = oracle->step_count;
  oracle->eager_first = oracle_take(oracle, count, sizeof *oracle->eager_first);
  for (uint32_t id = 0; id < count; id++) {
    oracle->eager_first[id] = eager_count;
    eager_count += oracle_cells(oracle, id);
  }
  oracle->memory = oracle_take(oracle, oracle->memory_count, sizeof *oracle->memory);
  oracle->eager_cells = oracle_take(oracle, eager_count, sizeof *oracle->eager_cells);
  oracle->started = oracle_take(oracle, count, sizeof *oracle->started);
  oracle->complete = oracle_take(oracle, count, sizeof *oracle->complete);
  oracle->eager = oracle_take(oracle, count, sizeof *oracle->eager);
  oracle->moved = oracle_take(oracle, count, sizeof *oracle->moved);
  oracle->live = oracle_take(oracle, count, sizeof *oracle->live);
  oracle->events = oracle_take(oracle, count, 2 * sizeof *oracle->events);
}

/* --- messages of two phases on a link --- */

/* Calls for each link of each message: counts it behind `on_link_first[link + 1]`, or notes it. */
static inline void oracle_walk_routes(struct oracle *oracle, bool note)
{
  const struct tny_routes *routes = oracle->network->routes;
  const uint32_t *host = oracle->network->host_of_rank;
  for (uint32_t id = 0; id < oracle->step_count; id++) {
    const struct tny_step *step = oracle_step(oracle, id);
    if (step->kind != TNY_SEND)
      continue;
    uint32_t node = host[oracle->rank_of[id]], link;
    for (; (link = tny_routes_next(routes, node, host[step->peer])) != TNY_NONE;
         node = routes->cluster->links[link].to) {
      if (note)
        oracle->on_link[oracle->on_link_first[link]++] = id;
      else
        oracle->on_link_first[link + 1]++;
    }
  }
}

/* Lists the messages of each link. */
static inline void oracle_find_routes(struct oracle *oracle)
{
  const uint32_t link_count = oracle->network->routes->cluster->link_count;
  oracle->on_link_first =
      oracle_take(oracle, link_count + (size_t)1, sizeof *oracle->on_link_first);
  oracle_walk_routes(oracle, false);
  for (uint32_t link = 0; link < link_count; link++)
    oracle->on_link_first[link + 1] += oracle->on_link_first[link];
  oracle->on_link = oracle_take(oracle, oracle->on_link_first[link_count], sizeof *oracle->on_link);
  oracle_walk_routes(oracle, true);
  for (uint32_t link = link_count; link > 0; link--)
    oracle->on_link_first[link] = oracle->on_link_first[link - 1];
  oracle->on_link_first[0] = 0;
}

/* Past the link: received, or in front of a later message of the same sender that is past it. The
   clusters used here have one way from a host to a link, so that who is in front stays there. */
static inline bool oracle_is_past(const struct oracle *oracle, uint32_t id, uint32_t link)
{
  const uint32_t phase = oracle_step(oracle, id)->phase;
  if (oracle->complete[oracle->partner[id]])
    return true;
  for (uint32_t i = oracle->on_link_first[link]; i < oracle->on_link_first[link + 1]; i++) {
    const uint32_t other = oracle->on_link[i];
    if (oracle->rank_of[other] == oracle->rank_of[id] && oracle->started[other] &&
        oracle_step(oracle, other)->phase > phase && oracle->complete[oracle->partner[other]])
      return true;
  }
  return false;
}

/* A send starts on a link: every message of an earlier phase must be past it. */
static inline bool oracle_meets_on(const struct oracle *oracle, uint32_t send, uint32_t link)
{
  for (uint32_t i = oracle->on_link_first[link]; i < oracle->on_link_first[link + 1]; i++) {
    const uint32_t id = oracle->on_link[i];
    if (oracle_step(oracle, id)->phase >= oracle_step(oracle, send)->phase ||
        oracle_is_past(oracle, id, link))
      continue;
    if (oracle->rank_of[id] != oracle->rank_of[send] || !oracle->complete[id])
      return true;
  }
  return false;
}

static inline bool oracle_meets(const struct oracle *oracle, uint32_t send)
{
  const struct tny_routes *routes = oracle->network->routes;
  const uint32_t *host = oracle->network->host_of_rank;
  const uint32_t to = host[oracle_step(oracle, send)->peer];
  uint32_t node = host[oracle->rank_of[send]], link;
  for (; (link = tny_routes_next(routes, node, to)) != TNY_NONE;
       node = routes->cluster->links[link].to)
    if (oracle_meets_on(oracle, send, link))
      return true;
  return false;
}

/* Makes ready for runs. What is found before them is returned. */
static inline enum oracle_fault oracle_open(struct oracle *oracle,
                                            const struct tny_schedule *schedule,
                                            const struct tny_network *network, bool watches_phases)
{
  *oracle =
      (struct oracle){.schedule = schedule, .network = network, .watches_phases = watches_phases};
  oracle->arena = tny_arena_new();
  assert_non_null(oracle->arena);
  for (uint32_t rank = 0; rank < schedule->rank_count; rank++)
    oracle->step_count += schedule->ranks[rank].count;
  oracle->rank_of = oracle_take(oracle, oracle->step_count, sizeof *oracle->rank_of);
  oracle->partner = oracle_take(oracle, oracle->step_count, sizeof *oracle->partner);
  oracle->previous = oracle_take(oracle, oracle->step_count, sizeof *oracle->previous);
  oracle_number(oracle);
  for (uint32_t id = 0; id < oracle->step_count; id++)
    if (!oracle_is_formed(oracle, id))
      return ORACLE_FORM;
  if (!oracle_join(oracle))
    return ORACLE_ENDS;
  oracle_lay_out(oracle);
  oracle_find_routes(oracle);
  return ORACLE_RIGHT;
}

static inline void oracle_close(struct oracle *oracle)
{
  tny_arena_free(oracle->arena);
}

/* --- a run --- */

static inline bool oracle_is_in_place(const struct oracle *oracle, uint32_t rank)
{
  return oracle->in_place && oracle_blocks(oracle->schedule, rank, TNY_OUTPUT) > 0;
}

/* Has the input begin in the output. A reduce-scatter's is longer than that: the output goes to the
   input's memory. */
static inline void oracle_put_in_place(struct oracle *oracle, uint32_t rank)
{
  size_t *base = oracle->base[rank];
  const size_t begin = oracle_in_place_block(oracle->schedule, rank) * (size_t)oracle->unit;
  if (oracle_blocks(oracle->schedule, rank, TNY_INPUT) >
      oracle_blocks(oracle->schedule, rank, TNY_OUTPUT))
    base[TNY_OUTPUT] = base[TNY_INPUT];
  else
    base[TNY_INPUT] = base[TNY_OUTPUT] + begin;
}

static inline void oracle_fill(struct oracle *oracle)
{
  for (uint32_t rank = 0; rank < oracle->schedule->rank_count; rank++)
    if (oracle_is_in_place(oracle, rank))
      oracle_put_in_place(oracle, rank);
  for (size_t i = 0; i < oracle->memory_count; i++)
    oracle->memory[i] = oracle_junk(i);
  for (uint32_t rank = 0; rank < oracle->schedule->rank_count; rank++) {
    const uint32_t cells = oracle_blocks(oracle->schedule, rank, TNY_INPUT) * oracle->unit;
    for (uint32_t k = 0; k < cells; k++)
      oracle->memory[oracle->base[rank][TNY_INPUT] + k] = oracle_value(rank, k);
  }
}

static inline void oracle_finish(struct oracle *oracle, uint32_t id)
{
  oracle->complete[id] = true;
  oracle->running[oracle->rank_of[id]][oracle_receives(oracle_step(oracle, id)->kind)]--;
  oracle->events[oracle->event_count++] = 2 * id + 1;
}

/* A copy, or a reduce. */
static inline void oracle_move(struct oracle *oracle, uint32_t id)
{
  const struct tny_step *step = oracle_step(oracle, id);
  const uint32_t rank = oracle->rank_of[id], cells = oracle_cells(oracle, id);
  const uint32_t room = step->target.count * oracle_width(&step->target, oracle->unit);
  for (uint32_t k = 0; k < cells && k < room; k++) {
    const uint64_t from = *oracle_cell(oracle, rank, &step->span, k);
    uint64_t *to = oracle_cell(oracle, rank, &step->target, k);
    oracle->rewrites |= step->kind == TNY_COPY && *to == from;
    if (step->kind == TNY_COPY)
      *to = from;
    else if (step->kind == TNY_REDUCE_LEFT)
      *to = oracle_combine(oracle->schedule, from, *to);
    else
      *to = oracle_combine(oracle->schedule, *to, from);
  }
}

static inline void oracle_start(struct oracle *oracle, uint32_t id)
{
  const struct tny_step *step = oracle_step(oracle, id);
  const uint32_t rank = oracle->rank_of[id];
  oracle->started[id] = true;
  oracle->events[oracle->event_count++] = 2 * id;
  oracle->running[rank][oracle_receives(step->kind)]++;
  const uint32_t posted = step->kind == TNY_RECV ? oracle_cells(oracle, oracle->partner[id]) : 0;
  for (uint32_t k = 0; k < posted; k++) /* until the message is there, they aren't defined */
    *oracle_cell(oracle, rank, &step->span, k) = 0;
  if (oracle_is_local(step->kind)) {
    oracle_move(oracle, id);
    oracle_finish(oracle, id);
  } else if (!oracle_receives(step->kind)) {
    oracle->live[oracle->live_count++] = id;
    const uint32_t cells = oracle->eager[id] ? oracle_cells(oracle, id) : 0;
    for (uint32_t k = 0; k < cells; k++)
      oracle->eager_cells[oracle->eager_first[id] + k] = *oracle_cell(oracle, rank, &step->span, k);
    if (oracle->watches_phases && step->kind == TNY_SEND && oracle_meets(oracle, id))
      oracle->met = true;
  }
}

/* Starts the head of a queue where it may. */
static inline bool oracle_advance(struct oracle *oracle, uint32_t rank, bool receives)
{
  uint32_t *head = &oracle->head[rank][receives];
  while (*head < oracle->first[rank + 1] &&
         oracle_receives(oracle_step(oracle, *head)->kind) != receives)
    ++*head;
  if (*head == oracle->first[rank + 1] || oracle->running[rank][receives] >= oracle->window)
    return false;
  const uint32_t after_count = oracle_step(oracle, *head)->after_count;
  for (uint32_t i = 0; i < after_count; i++)
    if (!oracle->complete[oracle_after(oracle, *head, i)])
      return false;
  oracle_start(oracle, (*head)++);
  return true;
}

/* Some of a message's cells arrive, or one of its ends is complete; `keenly`: whatever can happen
   does. */
static inline bool oracle_progress(struct oracle *oracle, uint32_t index, bool keenly)
{
  const uint32_t id = oracle->live[index], receive = oracle->partner[id];
  const struct tny_step *step = oracle_step(oracle, id);
  const uint32_t cells = oracle_cells(oracle, id);
  const bool arrived = oracle->started[receive] && oracle->moved[id] == cells;
  if (oracle->complete[id] && oracle->complete[receive]) {
    oracle->live[index] = oracle->live[--oracle->live_count];
    return true;
  }
  if (!oracle->complete[id] && (arrived || oracle->eager[id]) &&
      (keenly || draw(&oracle->seed, 2))) {
    oracle_finish(oracle, id);
    return true;
  }
  if (arrived && !oracle->complete[receive]) {
    oracle_finish(oracle, receive);
    return true;
  }
  if (!oracle->started[receive] || arrived)
    return false;
  const struct tny_span *target = &oracle_step(oracle, receive)->span;
  for (uint32_t n = 1 + draw(&oracle->seed, cells - oracle->moved[id]); n > 0; n--) {
    const uint32_t k = oracle->moved[id]++;
    *oracle_cell(oracle, step->peer, target, k) =
        oracle->eager[id] ? oracle->eager_cells[oracle->eager_first[id] + k]
                          : *oracle_cell(oracle, oracle->rank_of[id], &step->span, k);
  }
  return true;
}

/* Does a rank's queue wait in this run until nothing else can happen? The slow rank's do, and of
   the slow sender the queue with its sends and copies. */
static inline bool oracle_is_slow(const struct oracle *oracle, uint32_t rank, uint32_t queue)
{
  return rank == oracle->slow_rank || (rank == oracle->slow_sender && queue == 0);
}

/* Some queue's next step, from a random queue on; false where none can start. */
static inline bool oracle_advance_any(struct oracle *oracle, bool with_slow)
{
  const uint32_t queues = 2 * oracle->schedule->rank_count;
  const uint32_t begin = draw(&oracle->seed, queues);
  for (uint32_t i = 0; i < queues; i++) {
    const uint32_t queue = (begin + i) % queues;
    if ((with_slow || !oracle_is_slow(oracle, queue / 2, queue % 2)) &&
        oracle_advance(oracle, queue / 2, queue % 2))
      return true;
  }
  return false;
}

/* Whatever can happen; false where nothing can. */
static inline bool oracle_do_anything(struct oracle *oracle)
{
  if (oracle_advance_any(oracle, false))
    return true;
  const uint32_t first = oracle->live_count ? draw(&oracle->seed, oracle->live_count) : 0;
  for (uint32_t i = 0; i < oracle->live_count; i++) {
    const uint32_t index = (first + i) % oracle->live_count;
    if (oracle->live[index] != oracle->slow_message && oracle_progress(oracle, index, true))
      return true;
  }
  if (oracle_advance_any(oracle, true))
    return true;
  for (uint32_t index = 0; index < oracle->live_count; index++)
    if (oracle_progress(oracle, index, true))
      return true;
  return false;
}

static inline bool oracle_do_something(struct oracle *oracle)
{
  for (uint32_t tries = 0; tries < 6; tries++) {
    if (draw(&oracle->seed, 100) < oracle->start_share) {
      const uint32_t queue = draw(&oracle->seed, 2 * oracle->schedule->rank_count);
      if (!oracle_is_slow(oracle, queue / 2, queue % 2) &&
          oracle_advance(oracle, queue / 2, queue % 2))
        return true;
    } else if (oracle->live_count > 0) {
      const uint32_t index = draw(&oracle->seed, oracle->live_count);
      const uint32_t receiver = oracle_step(oracle, oracle->live[index])->peer;
      if (receiver != oracle->slow_rank && oracle->live[index] != oracle->slow_message &&
          oracle_progress(oracle, index, false))
        return true;
    }
  }
  return oracle_do_anything(oracle);
}

/* Picks the block's length, who is eager, the windows, who is slow, and which message is late. Seed
   0: nobody is eager, and all windows are one; whether such a run gets stuck is the same for every
   interleaving. */
static inline void oracle_begin(struct oracle *oracle, uint64_t seed)
{
  static const uint32_t windows[] = {1, 2, TNY_NONE, TNY_NONE};
  static const uint32_t shares[] = {5, 50, 95};
  oracle->seed = seed;
  oracle->unit = oracle->unit_max - draw(&oracle->seed, oracle->schedule->chunk_count + 1);
  oracle->window = windows[seed == 0 ? 0 : draw(&oracle->seed, 4)];
  oracle->start_share = shares[draw(&oracle->seed, 3)];
  oracle->slow_rank = draw(&oracle->seed, 2 * oracle->schedule->rank_count);
  oracle->slow_sender = draw(&oracle->seed, 2 * oracle->schedule->rank_count);
  oracle->slow_message = draw(&oracle->seed, oracle->step_count + 1);
  const uint32_t eagerness = seed == 0 ? 0 : draw(&oracle->seed, 3);
  oracle->event_count = oracle->live_count = 0;
  oracle->met = false;
  for (uint32_t id = 0; id < oracle->step_count; id++) {
    oracle->started[id] = oracle->complete[id] = false;
    oracle->moved[id] = 0;
    oracle->eager[id] = eagerness == 2 || (eagerness == 1 && draw(&oracle->seed, 2));
  }
  for (uint32_t rank = 0; rank < oracle->schedule->rank_count; rank++) {
    for (int queue = 0; queue < 2; queue++) {
      oracle->head[rank][queue] = oracle->first[rank];
      oracle->running[rank][queue] = 0;
    }
  }
  oracle_fill(oracle);
}

static inline bool oracle_is_longer_than_its_receive(const struct oracle *oracle)
{
  for (uint32_t id = 0; id < oracle->step_count; id++)
    if (oracle_step(oracle, id)->kind == TNY_SEND &&
        oracle_cells(oracle, id) > oracle_cells(oracle, oracle->partner[id]))
      return true;
  return false;
}

/* Are inputs as they were, and outputs as they should be? */
static inline bool oracle_is_right(const struct oracle *oracle)
{
  const struct tny_schedule *schedule = oracle->schedule;
  const uint32_t unit = oracle->unit;
  for (uint32_t rank = 0; rank < schedule->rank_count; rank++) {
    const uint64_t *input = oracle->memory + oracle->base[rank][TNY_INPUT];
    const uint64_t *output = oracle->memory + oracle->base[rank][TNY_OUTPUT];
    const uint32_t inputs = oracle_blocks(schedule, rank, TNY_INPUT) * unit;
    const uint32_t outputs = oracle_blocks(schedule, rank, TNY_OUTPUT) * unit;
    for (uint32_t k = 0; k < inputs && !oracle_is_in_place(oracle, rank); k++)
      if (input[k] != oracle_value(rank, k))
        return false;
    for (uint32_t k = 0; k < outputs; k++)
      if (tny_schedule_wants(schedule, k / unit, rank) &&
          output[k] != oracle_wanted(schedule, rank, unit, k))
        return false;
  }
  return true;
}

/* One run. */
static inline enum oracle_fault oracle_run(struct oracle *oracle, uint64_t seed)
{
  oracle_begin(oracle, seed);
  if (oracle_is_longer_than_its_receive(oracle))
    return ORACLE_ENDS;
  while (oracle->event_count < 2 * oracle->step_count)
    if (!oracle_do_something(oracle))
      return ORACLE_STUCK;
  if (!oracle_is_right(oracle))
    return ORACLE_DATA;
  return oracle->met ? ORACLE_MEETING : ORACLE_RIGHT;
}

#endif
