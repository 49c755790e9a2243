/* Limits the messages in flight over links to windows, by waits and tokens.

   A link with a window of w messages gets w chains (or fewer, where several messages count as one
   unit, see below), and each of its messages is put into one of them. A message waits until the one
   before it in its chain, the chain's tail, has been received. So no more than w messages are in
   flight over the link at any time.

   The walk goes through the sends phase by phase and chooses a chain for each message when it comes
   to it. It prefers a chain whose tail the sender knows to be received, by its vector clock: that
   costs nothing. Else it inserts a token. Any receiver of a tail may send that token; the walk
   takes the one whose token shows received tails on the most links of the message's route.

   Where sends may wait (struct tny_windows), a send also waits for all that its rank received half
   a window before. That costs nothing, and it lets messages carry more recent clocks. A token
   likewise leaves half a window before the message that waits for it: that is the time it has for
   its way. */
#include "passes/windows.h"

#include "cluster/route.h"
#include "core/alloc.h"
#include "core/error.h"
#include "passes/link_uses.h"
#include "passes/vector_clocks.h"

enum {
  UNITS_MIN = 6, /* units in a window, so that a link isn't idle while a token is on its way */
  RECEIVES_WINDOWS = 2 /* a token waits for its sender's receives of so many windows */
};

/* A chain's tail, which is a unit: the uses first .. end - 1 of the link. */
struct chain {
  uint32_t first, end; /* first TNY_NONE: the chain is empty */
  uint32_t phase;      /* of the unit's last message */
  const struct tny_clocked_message *message;
};

/* A link whose messages are limited. They are taken in order of phase, and in units: a unit is one
   message, or a few in a row between the same two ranks, for which one token is enough. A use is an
   index in the list of all link uses. */
struct limited_link {
  uint32_t first, end; /* its uses */
  uint32_t window;
  uint32_t unit_max;    /* messages in a unit, at most */
  uint32_t chain_count; /* times unit_max at most the window; 0: the link isn't limited */
  struct chain *chains;
  uint32_t earliest; /* no chain has its tail before it */
};

/* A token that might be inserted, and the receives of its sender that it would wait for. */
struct token_candidate {
  struct tny_token_clock carried;
  uint32_t phase;       /* of the token */
  uint32_t begin, end;  /* in `receives` */
  uint32_t least, most; /* the phases of these receives */
};

/* A chain that an unmet use could join once a token shows that the chain's tail is received. */
struct candidate {
  uint32_t use, rank; /* the rank receives the tail */
  struct chain chain;
};

struct limiting {
  const struct tny_step_phases *phases;
  const struct tny_windows *windows;
  struct tny_vector_clocks *clocks;
  struct tny_link_uses uses;
  struct limited_link *links; /* by link */
  uint32_t *unit;             /* by use: the first use of its unit */
  struct chain *chains;       /* of all limited links */
  uint32_t *unmet;            /* uses of the present send that have no chain yet */
  uint32_t unmet_count;
  struct candidate *candidates; /* for them */
  uint32_t candidate_count;
  uint64_t *considered; /* by rank: the last round in which its token was considered */
  uint64_t round;
  uint32_t half;      /* phases that half a window lasts, on the link where it is the shortest */
  uint32_t *receives; /* ids, by rank, in list order */
  uint32_t *first_receive; /* by rank; rank_count + 1 */
  uint32_t *next_receive;  /* by rank: the first receive that none of its sends waits for yet */
  struct tny_conflicts *conflicts;
  uint64_t known; /* pairs of messages that need no wait and no token */
  bool failed;    /* out of memory */
};

static uint32_t phase_of_use(const struct limiting *limiting, uint32_t use)
{
  return limiting->uses.list[use].phase;
}

static uint32_t send_of_use(const struct limiting *limiting, uint32_t use)
{
  return limiting->uses.list[use].send;
}

static uint32_t receiver_of_use(const struct limiting *limiting, uint32_t use)
{
  const struct tny_match *match = limiting->phases->match;
  return match->rank_of[match->partner[send_of_use(limiting, use)]];
}

/* The use behind the unit that begins at `first`. */
static uint32_t unit_end(const struct limiting *limiting, const struct limited_link *limited,
                         uint32_t first)
{
  uint32_t end = first + 1;
  while (end < limited->end && limiting->unit[end] == first)
    end++;
  return end;
}

/* --- what a clock shows --- */

static const struct tny_clocked_message *message_of_use(const struct limiting *limiting,
                                                        uint32_t use)
{
  return tny_vector_clocks_message(limiting->clocks, send_of_use(limiting, use));
}

/* Does the clock show that all of a chain's tail is received? Most tails are one message. */
static bool is_received(const struct limiting *limiting, const struct chain *chain,
                        const uint32_t *clock)
{
  if (!tny_clock_shows_received(clock, chain->message))
    return false;
  uint32_t use = chain->first;
  while (use + 1 < chain->end && tny_clock_shows_received(clock, message_of_use(limiting, use)))
    use++;
  return use + 1 == chain->end;
}

static const struct chain *earliest_chain(const struct limited_link *limited)
{
  const struct chain *earliest = &limited->chains[0];
  for (uint32_t i = 1; i < limited->chain_count; i++)
    if (limited->chains[i].first < earliest->first)
      earliest = &limited->chains[i];
  return earliest;
}

/* The last tail that a message may follow; TNY_NONE: it may follow any. Where some tail is nearly
   TNY_CHAIN_GAP_MAX windows behind, that one has to be followed first. */
static uint32_t last_tail(struct limited_link *limited, uint32_t use)
{
  const uint64_t far = (TNY_CHAIN_GAP_MAX - 1) * (uint64_t)limited->window;
  if (use - limited->earliest <= far)
    return TNY_NONE;
  const uint32_t earliest = earliest_chain(limited)->first;
  limited->earliest = earliest < use ? earliest : use;
  return use - limited->earliest > far ? earliest : TNY_NONE;
}

/* Is the chain's tail at `last` or before it, and all of it of an earlier phase than this? */
static bool may_follow(const struct chain *chain, uint32_t last, uint32_t phase)
{
  return chain->first <= last && chain->first != TNY_NONE && chain->phase < phase;
}

/* The chain whose tail is the latest of those that the sender knows to be received; else an empty
   one; NULL: there is none. */
static struct chain *find_chain(const struct limiting *limiting, struct limited_link *limited,
                                uint32_t use)
{
  const struct tny_link_use *entry = &limiting->uses.list[use];
  const uint32_t rank = limiting->phases->match->rank_of[entry->send];
  const uint32_t *clock = tny_vector_clocks_of(limiting->clocks, rank);
  const uint32_t last = last_tail(limited, use);
  struct chain *empty = NULL, *found = NULL;
  for (struct chain *chain = limited->chains; chain < limited->chains + limited->chain_count;
       chain++) {
    if (chain->first == TNY_NONE)
      empty = chain;
    else if ((!found || chain->first > found->first) && may_follow(chain, last, entry->phase) &&
             is_received(limiting, chain, clock))
      found = chain;
  }
  return found ? found : last == TNY_NONE ? empty : NULL;
}

/* Puts the unmet uses into chains as far as the sender's clock allows; the others stay unmet. */
static void find_chains(struct limiting *limiting)
{
  uint32_t left = 0;
  for (uint32_t i = 0; i < limiting->unmet_count; i++) {
    const uint32_t use = limiting->unmet[i];
    struct limited_link *limited = &limiting->links[limiting->uses.list[use].link];
    struct chain *chain = find_chain(limiting, limited, use);
    if (!chain) {
      limiting->unmet[left++] = use;
      continue;
    }
    limiting->known += chain->first == TNY_NONE ? 0 : chain->end - chain->first;
    const uint32_t end = unit_end(limiting, limited, use);
    *chain = (struct chain){use, end, phase_of_use(limiting, end - 1),
                            message_of_use(limiting, end - 1)};
    limited->earliest = use < limited->earliest ? use : limited->earliest;
  }
  limiting->unmet_count = left;
}

/* --- tokens --- */

/* The index behind the rank's last receive of this phase or an earlier one. */
static uint32_t receives_through(const struct limiting *limiting, uint32_t rank, uint32_t phase)
{
  uint32_t low = limiting->first_receive[rank], high = limiting->first_receive[rank + 1];
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (limiting->phases->phase[limiting->receives[middle]] <= phase)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static void add(struct limiting *limiting, uint32_t send, uint32_t receive, uint32_t phase)
{
  if (!tny_conflicts_add(limiting->conflicts, (struct tny_conflict){send, receive, phase}))
    limiting->failed = true;
}

/* Finds the chains whose tails are due to be received a whole window before the present send. */
static void find_candidates(struct limiting *limiting, uint32_t latest)
{
  limiting->candidate_count = 0;
  for (uint32_t i = 0; i < limiting->unmet_count; i++) {
    const uint32_t use = limiting->unmet[i];
    struct limited_link *limited = &limiting->links[limiting->uses.list[use].link];
    const uint32_t last = last_tail(limited, use);
    for (uint32_t chain = 0; chain < limited->chain_count; chain++)
      if (may_follow(&limited->chains[chain], last, latest + 1))
        limiting->candidates[limiting->candidate_count++] = (struct candidate){
            use, receiver_of_use(limiting, limited->chains[chain].first), limited->chains[chain]};
  }
}

/* Would the token show that a message is received? */
static bool is_shown(const struct token_candidate *token, const struct tny_clocked_message *message)
{
  return token->carried.clock && tny_clock_shows_received(token->carried.clock, message);
}

/* Would it show that all of a chain's tail is received? */
static bool shows_tail(const struct limiting *limiting, const struct token_candidate *token,
                       const struct candidate *candidate)
{
  const struct chain *chain = &candidate->chain;
  const bool is_own = candidate->rank == token->carried.rank;
  if (!is_own && !is_shown(token, chain->message))
    return false;
  uint32_t use = chain->first;
  for (; use < chain->end; use++) {
    const uint32_t phase = phase_of_use(limiting, use);
    const bool is_awaited = is_own && phase >= token->least && phase <= token->most;
    if (!is_awaited && !is_shown(token, message_of_use(limiting, use)))
      break;
  }
  return use == chain->end;
}

/* How many unmet uses the token would give a chain; or fewer, where it can't be `least`. */
static uint32_t count_settled(const struct limiting *limiting, const struct token_candidate *token,
                              uint32_t least)
{
  uint32_t count = 0, seen = 0;
  const struct candidate *candidate = limiting->candidates,
                         *end = candidate + limiting->candidate_count;
  while (candidate < end && count + limiting->unmet_count - seen >= least) {
    const uint32_t use = candidate->use;
    while (candidate < end && candidate->use == use && !shows_tail(limiting, token, candidate))
      candidate++;
    if (candidate < end && candidate->use == use)
      count++;
    seen++;
    while (candidate < end && candidate->use == use)
      candidate++;
  }
  return count;
}

/* The token that a rank could send in `phase`, waiting for its receives of the phases `least` to
   `most`. */
static struct token_candidate token_candidate_of(const struct limiting *limiting, uint32_t rank,
                                                 uint32_t phase, uint32_t least, uint32_t most)
{
  return (struct token_candidate){.carried = tny_vector_clocks_token(limiting->clocks, rank, phase),
                                  .phase = phase,
                                  .begin = least == 0 ? limiting->first_receive[rank]
                                                      : receives_through(limiting, rank, least - 1),
                                  .end = receives_through(limiting, rank, most),
                                  .least = least,
                                  .most = most};
}

/* What a token costs: the messages on the links of its route. */
static uint64_t cost_of(const struct limiting *limiting, uint32_t from, uint32_t to)
{
  struct tny_route route = tny_route_begin(limiting->windows->network, from, to);
  uint64_t cost = 0;
  uint32_t link;
  while ((link = tny_route_next(&route)) != TNY_NONE)
    cost += limiting->links[link].end - limiting->links[link].first;
  return cost;
}

/* Finds the token that gives the most unmet uses a chain; of several, the one that costs least. The
   receivers of tails that are due a window before are considered. false: there is none. */
static bool find_token(struct limiting *limiting, uint32_t send, struct token_candidate *best)
{
  const struct tny_match *match = limiting->phases->match;
  const uint32_t phase = limiting->phases->phase[send], half = limiting->half;
  if (phase < 2 * half)
    return false;
  const uint32_t latest = phase - 2 * half;
  const uint32_t least =
      latest < RECEIVES_WINDOWS * 2 * half ? 0 : latest - RECEIVES_WINDOWS * 2 * half;
  uint32_t best_gain = 0;
  uint64_t best_cost = 0;
  find_candidates(limiting, latest);
  limiting->round++;
  for (uint32_t i = 0; i < limiting->candidate_count; i++) {
    const uint32_t rank = limiting->candidates[i].rank;
    if (limiting->considered[rank] == limiting->round)
      continue;
    limiting->considered[rank] = limiting->round;
    const struct token_candidate token =
        token_candidate_of(limiting, rank, phase - half, least, latest);
    const uint32_t gain = token.begin < token.end ? count_settled(limiting, &token, best_gain) : 0;
    if (gain == 0 || gain < best_gain)
      continue;
    const uint64_t cost = cost_of(limiting, rank, match->rank_of[send]);
    if (gain > best_gain || (gain == best_gain && cost < best_cost)) {
      *best = token;
      best_gain = gain;
      best_cost = cost;
    }
  }
  return best_gain > 0;
}

/* Where no tail is due early enough: the token of the receiver of the earliest tail, for the first
   unmet use. */
static struct token_candidate earliest_token(const struct limiting *limiting)
{
  const struct tny_link_use *entry = &limiting->uses.list[limiting->unmet[0]];
  const struct chain *chain = earliest_chain(&limiting->links[entry->link]);
  return token_candidate_of(limiting, receiver_of_use(limiting, chain->first),
                            chain->phase + (entry->phase - 1 - chain->phase) / 2,
                            phase_of_use(limiting, chain->first), chain->phase);
}

/* Lets the send wait for the token, or for receives of its own rank. */
static void wait_for(struct limiting *limiting, uint32_t send, const struct token_candidate *token)
{
  const uint32_t rank = limiting->phases->match->rank_of[send];
  const uint32_t *clock = tny_vector_clocks_of(limiting->clocks, rank);
  const bool is_own = token->carried.rank == rank;
  if (!is_own)
    tny_vector_clocks_merge_token(limiting->clocks, send, &token->carried);
  for (uint32_t i = token->end; i-- > token->begin;) {
    const uint32_t receive = limiting->receives[i];
    const uint32_t sent = limiting->phases->match->partner[receive];
    if (i + 1 < token->end &&
        tny_clock_shows_received(clock, tny_vector_clocks_message(limiting->clocks, sent)))
      continue;
    add(limiting, send, receive, token->phase);
    if (is_own)
      tny_vector_clocks_wait(limiting->clocks, send, receive);
    else
      tny_vector_clocks_merge_receive(limiting->clocks, send, &token->carried, receive);
  }
}

/* --- the walk --- */

/* Lets a send wait for all that its rank received half a window before. So its message carries a
   clock that would else need a token. */
static void wait_for_own(struct limiting *limiting, uint32_t send)
{
  const uint32_t rank = limiting->phases->match->rank_of[send];
  const uint32_t phase = limiting->phases->phase[send];
  uint32_t *next = &limiting->next_receive[rank];
  if (phase < limiting->half)
    return;
  const uint32_t end = receives_through(limiting, rank, phase - limiting->half);
  for (; *next < end; ++*next) {
    const uint32_t receive = limiting->receives[*next];
    if (tny_vector_clocks_waits(limiting->clocks, send, receive))
      continue;
    add(limiting, send, receive, limiting->phases->phase[receive]);
    tny_vector_clocks_wait(limiting->clocks, send, receive);
  }
}

static void limit_send(void *context, uint32_t send)
{
  struct limiting *limiting = context;
  if (limiting->windows->may_wait)
    wait_for_own(limiting, send);
  limiting->unmet_count = 0;
  const struct tny_link_uses *uses = &limiting->uses;
  for (uint32_t i = uses->first_of_send[send]; i < uses->first_of_send[send + 1]; i++)
    if (limiting->unit[uses->of_send[i]] == uses->of_send[i])
      limiting->unmet[limiting->unmet_count++] = uses->of_send[i];
  find_chains(limiting);
  while (limiting->unmet_count > 0 && !limiting->failed) {
    struct token_candidate token;
    if (!find_token(limiting, send, &token))
      token = earliest_token(limiting);
    wait_for(limiting, send, &token);
    find_chains(limiting);
  }
}

/* --- limited links --- */

static bool is_same_pair(const struct limiting *limiting, uint32_t a, uint32_t b)
{
  const struct tny_match *match = limiting->phases->match;
  const uint32_t x = limiting->uses.list[a].send, y = limiting->uses.list[b].send;
  return match->rank_of[x] == match->rank_of[y] &&
         tny_match_step(match, x)->peer == tny_match_step(match, y)->peer;
}

/* Makes units as long as the usual run of messages between the same two ranks, but so short that a
   window has UNITS_MIN of them. */
static void choose_units(struct limiting *limiting, struct limited_link *limited)
{
  uint32_t runs = 1;
  for (uint32_t use = limited->first + 1; use < limited->end; use++)
    runs += !is_same_pair(limiting, use - 1, use);
  limited->unit_max = (limited->end - limited->first) / runs;
  if (limited->unit_max > limited->window / UNITS_MIN)
    limited->unit_max = limited->window < UNITS_MIN ? 1 : limited->window / UNITS_MIN;
  limited->chain_count = limited->window / limited->unit_max;
  for (uint32_t use = limited->first, first = use; use < limited->end; use++) {
    if (use - first >= limited->unit_max || !is_same_pair(limiting, first, use))
      first = use;
    limiting->unit[use] = first;
  }
}

/* Can the link be limited: is each unit of a later phase than the unit a window before it? */
static bool can_be_limited(const struct limiting *limiting, const struct limited_link *limited)
{
  uint32_t earlier = limited->first, later = limited->first;
  for (uint32_t i = 0; i < limited->chain_count && later < limited->end; i++)
    later = unit_end(limiting, limited, later);
  while (later < limited->end) {
    earlier = unit_end(limiting, limited, earlier);
    if (phase_of_use(limiting, earlier - 1) >= phase_of_use(limiting, later))
      return false;
    later = unit_end(limiting, limited, later);
  }
  return true;
}

/* Half a window of this link, in phases. */
static uint32_t half_window(const struct limiting *limiting, const struct limited_link *limited)
{
  const uint64_t phases =
      phase_of_use(limiting, limited->end - 1) - phase_of_use(limiting, limited->first) + 1;
  const uint64_t half = phases * limited->window / (limited->end - limited->first) / 2;
  return half < 1 ? 1 : (uint32_t)half;
}

static void find_links(struct limiting *limiting, uint32_t *open)
{
  const struct tny_link_uses *uses = &limiting->uses;
  struct chain *chains = limiting->chains;
  limiting->half = UINT32_MAX;
  for (uint32_t first = 0, end; first < uses->count; first = end) {
    const uint32_t link = uses->list[first].link;
    end = tny_link_uses_end(uses, first);
    for (uint32_t use = first; use < end; use++)
      limiting->unit[use] = TNY_NONE;
    struct limited_link *limited = &limiting->links[link];
    *limited = (struct limited_link){
        .first = first, .end = end, .earliest = first, .window = limiting->windows->messages[link]};
    if (limited->window == 0 || end - first <= limited->window)
      continue;
    choose_units(limiting, limited);
    if (!can_be_limited(limiting, limited)) {
      limited->chain_count = 0;
      for (uint32_t use = first; use < end; use++)
        limiting->unit[use] = TNY_NONE;
      ++*open;
      continue;
    }
    limited->chains = chains;
    for (uint32_t chain = 0; chain < limited->chain_count; chain++)
      *chains++ = (struct chain){.first = TNY_NONE};
    if (half_window(limiting, limited) < limiting->half)
      limiting->half = half_window(limiting, limited);
  }
}

/* --- tables --- */

static void find_receives(struct limiting *limiting)
{
  const struct tny_match *match = limiting->phases->match;
  uint32_t count = 0;
  for (uint32_t rank = 0; rank < match->schedule->rank_count; rank++) {
    limiting->first_receive[rank] = limiting->next_receive[rank] = count;
    for (uint32_t id = match->first[rank]; id < match->first[rank + 1]; id++)
      if (tny_step_ends_message(tny_match_step(match, id)->kind))
        limiting->receives[count++] = id;
  }
  limiting->first_receive[match->schedule->rank_count] = count;
}

/* At least as many as all links will have: a limited link has more messages than chains. */
static size_t chain_count_max(const struct limiting *limiting)
{
  const size_t use_count = limiting->uses.count;
  size_t chains = 0;
  for (uint32_t link = 0; link < limiting->windows->network->routes->cluster->link_count; link++)
    if (limiting->windows->messages[link] < use_count)
      chains += limiting->windows->messages[link];
  return chains < use_count ? chains : use_count;
}

static bool take_tables(struct limiting *limiting)
{
  const struct tny_match *match = limiting->phases->match;
  const size_t links = limiting->windows->network->routes->cluster->link_count;
  const size_t ranks = match->schedule->rank_count, use_count = limiting->uses.count;
  const size_t chains = chain_count_max(limiting);
  limiting->links = tny_new(links, sizeof *limiting->links);
  limiting->unit = tny_new(use_count, sizeof *limiting->unit);
  limiting->chains = tny_new(chains, sizeof *limiting->chains);
  limiting->unmet = tny_new(links, sizeof *limiting->unmet);
  limiting->candidates = tny_new(chains, sizeof *limiting->candidates);
  limiting->considered = tny_new(ranks, sizeof *limiting->considered);
  limiting->receives = tny_new(match->step_count, sizeof *limiting->receives);
  limiting->first_receive = tny_new(ranks + 1, sizeof *limiting->first_receive);
  limiting->next_receive = tny_new(ranks, sizeof *limiting->next_receive);
  return limiting->links && limiting->unit && limiting->chains && limiting->unmet &&
         limiting->candidates && limiting->considered && limiting->receives &&
         limiting->first_receive && limiting->next_receive;
}

static void release(struct limiting *limiting)
{
  tny_vector_clocks_free(limiting->clocks);
  tny_link_uses_release(&limiting->uses);
  tny_free(limiting->links);
  tny_free(limiting->unit);
  tny_free(limiting->chains);
  tny_free(limiting->unmet);
  tny_free(limiting->candidates);
  tny_free(limiting->considered);
  tny_free(limiting->receives);
  tny_free(limiting->first_receive);
  tny_free(limiting->next_receive);
}

enum tny_status tny_windows_limit(const struct tny_step_phases *phases,
                                  const struct tny_windows *windows,
                                  struct tny_conflicts *conflicts,
                                  struct tny_separation_report *report, struct tny_error *error)
{
  struct limiting limiting = {.phases = phases, .windows = windows, .conflicts = conflicts};
  *conflicts = (struct tny_conflicts){0};
  enum tny_status status = tny_link_uses_find(phases, windows->network, &limiting.uses, error);
  if (status == TNY_OK)
    status = tny_vector_clocks_make(phases, &limiting.clocks, error);
  if (status == TNY_OK && !take_tables(&limiting))
    status = tny_error_memory(error);
  if (status == TNY_OK) {
    find_receives(&limiting);
    find_links(&limiting, &report->open);
    if (limiting.half < UINT32_MAX) /* some link is limited */
      tny_vector_clocks_walk(limiting.clocks, limit_send, &limiting);
    if (limiting.failed)
      status = tny_error_memory(error);
  }
  report->redundant = limiting.known;
  report->conflicts = limiting.known + conflicts->count;
  release(&limiting);
  return status;
}
