/* Links held to windows, and who tells whom.

   The messages of a link fall into as many chains as its window has places, and a message waits
   until the one before it in its chain is received. Which chain it takes over is chosen when its
   turn comes, phase by phase: one whose end its sender knows to be received, by the clocks, costs
   nothing. Else a token is called for, and of the receivers of such ends that one sends it who can
   tell of chains' ends on the most links of the message's route.

   Where sends may wait, knowledge travels with the messages, too: a send waits for all that its
   rank received half a window before, and so tells of it. A token likewise tells what its sender
   knows half a window before the one who waits for it; half a window is for its way. */
#include "passes/windows.h"

#include "cluster/route.h"
#include "core/alloc.h"
#include "core/error.h"
#include "passes/link_uses.h"
#include "passes/vector_clocks.h"

enum {
  UNITS_MIN = 6,       /* in a window, so that a link isn't idle while a token is on its way */
  RECEIVES_WINDOWS = 2 /* a token waits for its sender's receives of so many, where they're news */
};

/* The last unit of a chain: its places, and its last message with its phase. */
struct chain {
  uint32_t first, end; /* TNY_NONE: the chain is empty */
  uint32_t phase;
  const struct tny_message *message;
};

/* The messages of a link that is held, in order of phase, in units: a few in a row between the same
   two ranks. A place is one in the list of all crossings. */
struct line {
  uint32_t first, end; /* its places */
  uint32_t window;
  uint32_t unit_max;    /* messages of a unit */
  uint32_t chain_count; /* chain_count * unit_max is at most the window; 0: it isn't held */
  struct chain *chains;
  uint32_t earliest; /* no chain ends before it */
};

/* A token that may be sent, and which of its sender's receives it waits for. */
struct offer {
  struct tny_teller teller;
  uint32_t phase;       /* the token's */
  uint32_t begin, end;  /* in `receives` */
  uint32_t least, most; /* their phases */
};

/* A chain that the place of a need may take over once its sender is told of the last unit. */
struct chance {
  uint32_t place, rank; /* who receives the unit */
  struct chain chain;
};

struct holding {
  const struct tny_step_phases *phases;
  const struct tny_windows *windows;
  struct tny_clocks *clocks;
  struct tny_crossings crossings;
  struct line *lines;   /* by link */
  uint32_t *unit;       /* by place: where its unit begins */
  struct chain *chains; /* of all lines */
  uint32_t *needs;      /* those of the present send that still need a chain */
  uint32_t need_count;
  struct chance *chances; /* for them */
  uint32_t chance_count;
  uint64_t *asked; /* by rank: the last round in which its offer was looked at */
  uint64_t round;
  uint32_t half;      /* phases that half a window lasts, on the link where it is the shortest */
  uint32_t *receives; /* ids, by rank, in list order */
  uint32_t *first_receive; /* by rank; rank_count + 1 */
  uint32_t *next_receive;  /* by rank: the first one that its sends haven't waited for */
  struct tny_conflicts *conflicts;
  uint64_t known; /* pairs of messages that need nothing */
  bool failed;    /* out of memory */
};

static uint32_t phase_at(const struct holding *holding, uint32_t place)
{
  return holding->crossings.list[place].phase;
}

static uint32_t send_at(const struct holding *holding, uint32_t place)
{
  return holding->crossings.list[place].send;
}

static uint32_t receiver_at(const struct holding *holding, uint32_t place)
{
  const struct tny_match *match = holding->phases->match;
  return match->rank_of[match->partner[send_at(holding, place)]];
}

/* Behind the unit that begins at `first`. */
static uint32_t unit_end(const struct holding *holding, const struct line *line, uint32_t first)
{
  uint32_t end = first + 1;
  while (end < line->end && holding->unit[end] == first)
    end++;
  return end;
}

/* --- what is known --- */

static const struct tny_message *message_at(const struct holding *holding, uint32_t place)
{
  return tny_clocks_message(holding->clocks, send_at(holding, place));
}

/* Is all of a chain's last unit received, as far as the clock shows? Units of one message are the
   rule. */
static bool is_known(const struct holding *holding, const struct chain *chain,
                     const uint32_t *clock)
{
  if (!tny_clock_shows(clock, chain->message))
    return false;
  uint32_t place = chain->first;
  while (place + 1 < chain->end && tny_clock_shows(clock, message_at(holding, place)))
    place++;
  return place + 1 == chain->end;
}

static const struct chain *earliest_chain(const struct line *line)
{
  const struct chain *earliest = &line->chains[0];
  for (uint32_t i = 1; i < line->chain_count; i++)
    if (line->chains[i].first < earliest->first)
      earliest = &line->chains[i];
  return earliest;
}

/* The last end that the message at a place may follow: any; but one that is left too far behind is
   taken up first. */
static uint32_t last_end(struct line *line, uint32_t place)
{
  const uint64_t far = (TNY_CHAIN_GAP_MAX - 1) * (uint64_t)line->window;
  if (place - line->earliest <= far)
    return TNY_NONE;
  const uint32_t earliest = earliest_chain(line)->first;
  line->earliest = earliest < place ? earliest : place;
  return place - line->earliest > far ? earliest : TNY_NONE;
}

/* Does the chain end at `last` or before, and all of that unit in an earlier phase than this? */
static bool may_follow(const struct chain *chain, uint32_t last, uint32_t phase)
{
  return chain->first <= last && chain->first != TNY_NONE && chain->phase < phase;
}

/* The chain whose end is the latest of those that are over; else an empty one; NULL: none. */
static struct chain *find_chain(const struct holding *holding, struct line *line, uint32_t place)
{
  const struct tny_crossing *crossing = &holding->crossings.list[place];
  const uint32_t rank = holding->phases->match->rank_of[crossing->send];
  const uint32_t *clock = tny_clocks_of(holding->clocks, rank);
  const uint32_t last = last_end(line, place);
  struct chain *empty = NULL, *found = NULL;
  for (struct chain *chain = line->chains; chain < line->chains + line->chain_count; chain++) {
    if (chain->first == TNY_NONE)
      empty = chain;
    else if ((!found || chain->first > found->first) && may_follow(chain, last, crossing->phase) &&
             is_known(holding, chain, clock))
      found = chain;
  }
  return found ? found : last == TNY_NONE ? empty : NULL;
}

/* Gives chains to those that can have one; the others stay. */
static void find_chains(struct holding *holding)
{
  uint32_t left = 0;
  for (uint32_t i = 0; i < holding->need_count; i++) {
    const uint32_t place = holding->needs[i];
    struct line *line = &holding->lines[holding->crossings.list[place].link];
    struct chain *chain = find_chain(holding, line, place);
    if (!chain) {
      holding->needs[left++] = place;
      continue;
    }
    holding->known += chain->first == TNY_NONE ? 0 : chain->end - chain->first;
    const uint32_t end = unit_end(holding, line, place);
    *chain = (struct chain){place, end, phase_at(holding, end - 1), message_at(holding, end - 1)};
    line->earliest = place < line->earliest ? place : line->earliest;
  }
  holding->need_count = left;
}

/* --- tokens --- */

/* Behind the rank's last receive of this phase or before. */
static uint32_t receives_until(const struct holding *holding, uint32_t rank, uint32_t phase)
{
  uint32_t low = holding->first_receive[rank], high = holding->first_receive[rank + 1];
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (holding->phases->phase[holding->receives[middle]] <= phase)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static void add(struct holding *holding, uint32_t send, uint32_t receive, uint32_t phase)
{
  if (!tny_conflicts_add(holding->conflicts, (struct tny_conflict){send, receive, phase}))
    holding->failed = true;
}

/* The chains whose ends are received a whole window before the present send, if nothing is late. */
static void find_chances(struct holding *holding, uint32_t latest)
{
  holding->chance_count = 0;
  for (uint32_t i = 0; i < holding->need_count; i++) {
    const uint32_t place = holding->needs[i];
    struct line *line = &holding->lines[holding->crossings.list[place].link];
    const uint32_t last = last_end(line, place);
    for (uint32_t chain = 0; chain < line->chain_count; chain++)
      if (may_follow(&line->chains[chain], last, latest + 1))
        holding->chances[holding->chance_count++] = (struct chance){
            place, receiver_at(holding, line->chains[chain].first), line->chains[chain]};
  }
}

/* Would the token tell that a message is received? */
static bool is_told(const struct offer *offer, const struct tny_message *message)
{
  return offer->teller.told && tny_clock_shows(offer->teller.told, message);
}

/* And all of a unit? */
static bool is_offered(const struct holding *holding, const struct offer *offer,
                       const struct chance *chance)
{
  const struct chain *chain = &chance->chain;
  const bool is_own = chance->rank == offer->teller.rank;
  if (!is_own && !is_told(offer, chain->message))
    return false;
  uint32_t place = chain->first;
  for (; place < chain->end; place++) {
    const uint32_t phase = phase_at(holding, place);
    const bool is_awaited = is_own && phase >= offer->least && phase <= offer->most;
    if (!is_awaited && !is_told(offer, message_at(holding, place)))
      break;
  }
  return place == chain->end;
}

/* How many needs the token would see to; or less, where that is less than `least`. */
static uint32_t count_offered(const struct holding *holding, const struct offer *offer,
                              uint32_t least)
{
  uint32_t count = 0, seen = 0;
  const struct chance *chance = holding->chances, *end = chance + holding->chance_count;
  while (chance < end && count + holding->need_count - seen >= least) {
    const uint32_t place = chance->place;
    while (chance < end && chance->place == place && !is_offered(holding, offer, chance))
      chance++;
    if (chance < end && chance->place == place)
      count++;
    seen++;
    while (chance < end && chance->place == place)
      chance++;
  }
  return count;
}

/* What a rank can tell in a token of this phase that waits for its receives between two others. */
static struct offer offer_of(const struct holding *holding, uint32_t rank, uint32_t phase,
                             uint32_t least, uint32_t most)
{
  return (struct offer){.teller = tny_clocks_teller(holding->clocks, rank, phase),
                        .phase = phase,
                        .begin = least == 0 ? holding->first_receive[rank]
                                            : receives_until(holding, rank, least - 1),
                        .end = receives_until(holding, rank, most),
                        .least = least,
                        .most = most};
}

/* What a token costs: the more the fuller the links of its way are. */
static uint64_t cost_of(const struct holding *holding, uint32_t from, uint32_t to)
{
  struct tny_route route = tny_route_begin(holding->windows->network, from, to);
  uint64_t cost = 0;
  uint32_t link;
  while ((link = tny_route_next(&route)) != TNY_NONE)
    cost += holding->lines[link].end - holding->lines[link].first;
  return cost;
}

/* The offer that sees to the most needs, then that costs the least, of the receivers of ends that
   are old enough. false: there are none. */
static bool find_offer(struct holding *holding, uint32_t send, struct offer *best)
{
  const struct tny_match *match = holding->phases->match;
  const uint32_t phase = holding->phases->phase[send], half = holding->half;
  if (phase < 2 * half)
    return false;
  const uint32_t latest = phase - 2 * half;
  const uint32_t least =
      latest < RECEIVES_WINDOWS * 2 * half ? 0 : latest - RECEIVES_WINDOWS * 2 * half;
  uint32_t best_gain = 0;
  uint64_t best_cost = 0;
  find_chances(holding, latest);
  holding->round++;
  for (uint32_t i = 0; i < holding->chance_count; i++) {
    const uint32_t rank = holding->chances[i].rank;
    if (holding->asked[rank] == holding->round)
      continue;
    holding->asked[rank] = holding->round;
    const struct offer offer = offer_of(holding, rank, phase - half, least, latest);
    const uint32_t gain = offer.begin < offer.end ? count_offered(holding, &offer, best_gain) : 0;
    if (gain == 0 || gain < best_gain)
      continue;
    const uint64_t cost = cost_of(holding, rank, match->rank_of[send]);
    if (gain > best_gain || (gain == best_gain && cost < best_cost)) {
      *best = offer;
      best_gain = gain;
      best_cost = cost;
    }
  }
  return best_gain > 0;
}

/* What the receiver of the earliest chain's end can tell as soon as may be, for the first need. */
static struct offer last_resort(const struct holding *holding)
{
  const struct tny_crossing *crossing = &holding->crossings.list[holding->needs[0]];
  const struct chain *chain = earliest_chain(&holding->lines[crossing->link]);
  return offer_of(holding, receiver_at(holding, chain->first),
                  chain->phase + (crossing->phase - 1 - chain->phase) / 2,
                  phase_at(holding, chain->first), chain->phase);
}

/* The send waits for the token, or for receives of its own rank. */
static void wait_for(struct holding *holding, uint32_t send, const struct offer *offer)
{
  const uint32_t rank = holding->phases->match->rank_of[send];
  const uint32_t *clock = tny_clocks_of(holding->clocks, rank);
  const bool is_own = offer->teller.rank == rank;
  if (!is_own)
    tny_clocks_hear(holding->clocks, send, &offer->teller);
  for (uint32_t i = offer->end; i-- > offer->begin;) {
    const uint32_t receive = holding->receives[i];
    const uint32_t sent = holding->phases->match->partner[receive];
    if (i + 1 < offer->end && tny_clock_shows(clock, tny_clocks_message(holding->clocks, sent)))
      continue;
    add(holding, send, receive, offer->phase);
    if (is_own)
      tny_clocks_wait(holding->clocks, send, receive);
    else
      tny_clocks_hear_of(holding->clocks, send, &offer->teller, receive);
  }
}

/* --- the walk --- */

/* Sends wait for what their ranks received half a window before: so messages tell what tokens would
   have to. */
static void wait_for_own(struct holding *holding, uint32_t send)
{
  const uint32_t rank = holding->phases->match->rank_of[send];
  const uint32_t phase = holding->phases->phase[send];
  uint32_t *next = &holding->next_receive[rank];
  if (phase < holding->half)
    return;
  const uint32_t end = receives_until(holding, rank, phase - holding->half);
  for (; *next < end; ++*next) {
    const uint32_t receive = holding->receives[*next];
    if (tny_clocks_waited(holding->clocks, send, receive))
      continue;
    add(holding, send, receive, holding->phases->phase[receive]);
    tny_clocks_wait(holding->clocks, send, receive);
  }
}

static void hold_send(void *context, uint32_t send)
{
  struct holding *holding = context;
  if (holding->windows->may_wait)
    wait_for_own(holding, send);
  holding->need_count = 0;
  const struct tny_crossings *crossings = &holding->crossings;
  for (uint32_t i = crossings->first_of_send[send]; i < crossings->first_of_send[send + 1]; i++)
    if (holding->unit[crossings->of_send[i]] == crossings->of_send[i])
      holding->needs[holding->need_count++] = crossings->of_send[i];
  find_chains(holding);
  while (holding->need_count > 0 && !holding->failed) {
    struct offer offer;
    if (!find_offer(holding, send, &offer))
      offer = last_resort(holding);
    wait_for(holding, send, &offer);
    find_chains(holding);
  }
}

/* --- lines --- */

static bool is_same_pair(const struct holding *holding, uint32_t a, uint32_t b)
{
  const struct tny_match *match = holding->phases->match;
  const uint32_t x = holding->crossings.list[a].send, y = holding->crossings.list[b].send;
  return match->rank_of[x] == match->rank_of[y] &&
         tny_match_step(match, x)->peer == tny_match_step(match, y)->peer;
}

/* Units as long as messages between two ranks usually come in a row, but enough of them. */
static void choose_units(struct holding *holding, struct line *line)
{
  uint32_t runs = 1;
  for (uint32_t place = line->first + 1; place < line->end; place++)
    runs += !is_same_pair(holding, place - 1, place);
  line->unit_max = (line->end - line->first) / runs;
  if (line->unit_max > line->window / UNITS_MIN)
    line->unit_max = line->window < UNITS_MIN ? 1 : line->window / UNITS_MIN;
  line->chain_count = line->window / line->unit_max;
  for (uint32_t place = line->first, first = place; place < line->end; place++) {
    if (place - first >= line->unit_max || !is_same_pair(holding, first, place))
      first = place;
    holding->unit[place] = first;
  }
}

/* Can the line be held: is each unit of a later phase than the one that is a window before it? */
static bool can_be_held(const struct holding *holding, const struct line *line)
{
  uint32_t earlier = line->first, later = line->first;
  for (uint32_t i = 0; i < line->chain_count && later < line->end; i++)
    later = unit_end(holding, line, later);
  while (later < line->end) {
    earlier = unit_end(holding, line, earlier);
    if (phase_at(holding, earlier - 1) >= phase_at(holding, later))
      return false;
    later = unit_end(holding, line, later);
  }
  return true;
}

/* Half a window of this line, in phases. */
static uint32_t half_window(const struct holding *holding, const struct line *line)
{
  const uint64_t phases = phase_at(holding, line->end - 1) - phase_at(holding, line->first) + 1;
  const uint64_t half = phases * line->window / (line->end - line->first) / 2;
  return half < 1 ? 1 : (uint32_t)half;
}

static void find_lines(struct holding *holding, uint32_t *open)
{
  const struct tny_crossings *crossings = &holding->crossings;
  struct chain *chains = holding->chains;
  holding->half = UINT32_MAX;
  for (uint32_t first = 0, end; first < crossings->count; first = end) {
    const uint32_t link = crossings->list[first].link;
    end = tny_crossings_end(crossings, first);
    for (uint32_t place = first; place < end; place++)
      holding->unit[place] = TNY_NONE;
    struct line *line = &holding->lines[link];
    *line = (struct line){
        .first = first, .end = end, .earliest = first, .window = holding->windows->messages[link]};
    if (line->window == 0 || end - first <= line->window)
      continue;
    choose_units(holding, line);
    if (!can_be_held(holding, line)) {
      line->chain_count = 0;
      for (uint32_t place = first; place < end; place++)
        holding->unit[place] = TNY_NONE;
      ++*open;
      continue;
    }
    line->chains = chains;
    for (uint32_t chain = 0; chain < line->chain_count; chain++)
      *chains++ = (struct chain){.first = TNY_NONE};
    if (half_window(holding, line) < holding->half)
      holding->half = half_window(holding, line);
  }
}

/* --- tables --- */

static void find_receives(struct holding *holding)
{
  const struct tny_match *match = holding->phases->match;
  uint32_t count = 0;
  for (uint32_t rank = 0; rank < match->schedule->rank_count; rank++) {
    holding->first_receive[rank] = holding->next_receive[rank] = count;
    for (uint32_t id = match->first[rank]; id < match->first[rank + 1]; id++)
      if (tny_match_step(match, id)->kind == TNY_RECV)
        holding->receives[count++] = id;
  }
  holding->first_receive[match->schedule->rank_count] = count;
}

/* No fewer than all lines will have: a line that is held has more messages than chains. */
static size_t chains_at_most(const struct holding *holding)
{
  const size_t places = holding->crossings.count;
  size_t chains = 0;
  for (uint32_t link = 0; link < holding->windows->network->routes->cluster->link_count; link++)
    if (holding->windows->messages[link] < places)
      chains += holding->windows->messages[link];
  return chains < places ? chains : places;
}

static bool take_tables(struct holding *holding)
{
  const struct tny_match *match = holding->phases->match;
  const size_t links = holding->windows->network->routes->cluster->link_count;
  const size_t ranks = match->schedule->rank_count, places = holding->crossings.count;
  const size_t chains = chains_at_most(holding);
  holding->lines = tny_new(links, sizeof *holding->lines);
  holding->unit = tny_new(places, sizeof *holding->unit);
  holding->chains = tny_new(chains, sizeof *holding->chains);
  holding->needs = tny_new(links, sizeof *holding->needs);
  holding->chances = tny_new(chains, sizeof *holding->chances);
  holding->asked = tny_new(ranks, sizeof *holding->asked);
  holding->receives = tny_new(match->step_count, sizeof *holding->receives);
  holding->first_receive = tny_new(ranks + 1, sizeof *holding->first_receive);
  holding->next_receive = tny_new(ranks, sizeof *holding->next_receive);
  return holding->lines && holding->unit && holding->chains && holding->needs && holding->chances &&
         holding->asked && holding->receives && holding->first_receive && holding->next_receive;
}

static void release(struct holding *holding)
{
  tny_clocks_free(holding->clocks);
  tny_crossings_release(&holding->crossings);
  tny_free(holding->lines);
  tny_free(holding->unit);
  tny_free(holding->chains);
  tny_free(holding->needs);
  tny_free(holding->chances);
  tny_free(holding->asked);
  tny_free(holding->receives);
  tny_free(holding->first_receive);
  tny_free(holding->next_receive);
}

enum tny_status tny_windows_hold(const struct tny_step_phases *phases,
                                 const struct tny_windows *windows, struct tny_conflicts *conflicts,
                                 struct tny_separation_report *report, struct tny_error *error)
{
  struct holding holding = {.phases = phases, .windows = windows, .conflicts = conflicts};
  *conflicts = (struct tny_conflicts){0};
  enum tny_status status = tny_crossings_find(phases, windows->network, &holding.crossings, error);
  if (status == TNY_OK)
    status = tny_clocks_make(phases, &holding.clocks, error);
  if (status == TNY_OK && !take_tables(&holding))
    status = tny_error_memory(error);
  if (status == TNY_OK) {
    find_receives(&holding);
    find_lines(&holding, &report->open);
    if (holding.half < UINT32_MAX) /* any line */
      tny_clocks_walk(holding.clocks, hold_send, &holding);
    if (holding.failed)
      status = tny_error_memory(error);
  }
  report->redundant = holding.known;
  report->conflicts = holding.known + conflicts->count;
  release(&holding);
  return status;
}
