/* What is asked in which order: round trips, from which the tree follows; then rates, then buffers.
 */
#include "discover/discover.h"

#include <math.h>

#include <tourney/cluster.h>

#include "core/alloc.h"
#include "core/error.h"
#include "discover/alike.h"
#include "discover/search.h"
#include "discover/turns.h"

enum {
  STREAMS_A_MACHINE = 16, /* at once: where hosts share a machine, it has to carry them all */
  TURNS_MIN = 4,          /* each round trip is measured so often, with all others between, */
  TURNS_NO_TRUNK = 8,     /* where no trunk is seen, */
  TURNS_MAX = 16,         /* ... and at most; */
  TURNS_AGAIN = 32,       /* doubtful ones, up to so often again: those that don't fit, */
  TURNS_IN_VAIN = 12,     /* unless they don't become fewer; */
  USUAL_MIN = 2,          /* that haven't been measured at the usual speed so often, */
  USUAL_ALONE = 6,        /* or so often if a trunk rests on them by themselves */
  TURNS_LIKELY = 8,       /* with doubtful ones, for what is said beforehand; */
  FANS_LIKELY = 5,        /* and so many times do hosts send to several at once */
};
#define CLEAR 12     /* trunks take so many times what is uncertain, */
#define CLEAR_MOST 4 /* ... and of nine of ten pairs so many times */
/* A trunk that takes such a part of a round trip has to show beside what is uncertain, and be twice
   what nine of ten pairs are uncertain by. */
#define TRUNK_LEAST 0.015
#define SHOWS_MOST 2
#define PAIR_SECONDS 0.014 /* its turn, as long as it took where others work on the machine */

static enum tny_status fail(struct tny_error *error)
{
  return tny_error_set(error, TNY_SYSTEM, "the hosts couldn't measure");
}

/* --- round trips --- */

struct meeting {
  const struct tny_probes *probes;
  uint32_t host_count, at_once;
  uint8_t *wanted;              /* by pair, like ns; NULL: all are */
  struct tny_pair_probe *pairs; /* of a round */
  struct tny_turns turns;
  struct tny_turns_spread spread;
  double *ns; /* host_count rows of as many; of a pair what is above the diagonal */
};

/* All pairs that are wanted, in rounds in which each host has one partner: the last of an even
   number stays, the others go round. The one that stays is nobody where the number of hosts is
   odd. */
static uint32_t lay_round(const struct meeting *meeting, uint32_t round)
{
  const uint32_t n = meeting->host_count, even = n + n % 2, others = even - 1;
  uint32_t count = 0;
  for (uint32_t i = 0; i < even / 2; i++) {
    const uint32_t a = i == 0 ? others : (round + i) % others;
    const uint32_t b = (round + others - i) % others;
    const uint32_t first = a < b ? a : b, second = a < b ? b : a;
    if (second < n && (!meeting->wanted || meeting->wanted[(size_t)first * n + second]))
      meeting->pairs[count++] = (struct tny_pair_probe){.first = first, .second = second};
  }
  return count;
}

static bool meet(struct meeting *meeting, uint32_t round)
{
  const uint32_t count = lay_round(meeting, round);
  for (uint32_t first = 0; first < count; first += meeting->at_once) {
    const uint32_t left = count - first;
    if (!meeting->probes->round_trips(meeting->probes->state, meeting->pairs + first,
                                      left < meeting->at_once ? left : meeting->at_once))
      return false;
  }
  for (uint32_t i = 0; i < count; i++)
    tny_turns_add(&meeting->turns, &meeting->pairs[i]);
  return true;
}

/* A turn of all pairs that are wanted. */
static enum tny_status meet_all(struct meeting *meeting, uint32_t turn, struct tny_error *error)
{
  const uint32_t rounds = meeting->host_count + meeting->host_count % 2 - 1;
  const enum tny_status status = tny_turns_begin(&meeting->turns, error);
  if (status)
    return status;
  for (uint32_t round = 0; round < rounds; round++) {
    if (meeting->probes->tell)
      meeting->probes->tell(
          meeting->probes->state, meeting->wanted ? "doubtful round trips" : "round trips",
          turn * rounds + round, (meeting->wanted ? TURNS_AGAIN : TURNS_MAX) * rounds);
    if (!meet(meeting, round))
      return fail(error);
  }
  return TNY_OK;
}

static double find_shortest_ns(const struct meeting *meeting)
{
  const size_t n = meeting->host_count;
  double shortest = INFINITY;
  for (size_t a = 0; a < n; a++)
    for (size_t b = a + 1; b < n; b++)
      shortest = fmin(shortest, meeting->ns[a * n + b]);
  return shortest;
}

/* Would any trunk be seen, however short? */
static bool shows_trunks(const struct meeting *meeting, const struct tny_tree *tree)
{
  const double least_ns = TRUNK_LEAST * find_shortest_ns(meeting);
  return meeting->host_count < TNY_TREE_HOSTS_LEAST ||
         (least_ns > TNY_TREE_ERRORS_LEAST * tree->error_ns &&
          least_ns > SHOWS_MOST * meeting->spread.most_ns);
}

/* Is there nothing to be had by measuring all on? Trunks are clear where they take many times what
   is uncertain, and more than that of nearly any pair. */
static bool is_clear(const struct meeting *meeting, const struct tny_tree *tree, uint32_t turns)
{
  const double hop_ns = tree->hop_ns;
  const bool has_trunk = tree->trunk_count > 0;
  return turns >= TURNS_MAX ||
         (turns >= (has_trunk ? TURNS_MIN : TURNS_NO_TRUNK) && shows_trunks(meeting, tree) &&
          (!has_trunk ||
           (hop_ns > CLEAR * tree->error_ns && hop_ns > CLEAR_MOST * meeting->spread.most_ns)));
}

/* Two turns more, of the pairs that are wanted. */
static enum tny_status measure_on(struct meeting *meeting, uint32_t turn, struct tny_tree *tree,
                                  struct tny_error *error)
{
  enum tny_status status = meet_all(meeting, turn, error);
  if (status == TNY_OK)
    status = meet_all(meeting, turn + 1, error);
  if (status)
    return status;
  meeting->spread = tny_turns_settle(&meeting->turns, meeting->ns);
  const struct tny_round_trips round_trips = {.host_count = meeting->host_count,
                                              .noise_ns = meeting->spread.half_ns / 2,
                                              .ns = meeting->ns};
  tny_tree_release(tree);
  return tny_tree_find(&round_trips, tree, error);
}

/* Is the pair all that a trunk leads to? Then its round trip alone shows the trunk. */
static bool are_alone(const struct tny_tree *tree, uint32_t a, uint32_t b)
{
  const uint32_t at = tree->switch_of[a];
  uint32_t trunks = 0, hosts = 0;
  if (tree->switch_of[b] != at)
    return false;
  for (uint32_t t = 0; t < tree->trunk_count; t++)
    trunks += tree->trunks[t].a == at || tree->trunks[t].b == at;
  for (uint32_t host = 0; trunks == 1 && hosts <= 2 && host < tree->host_count; host++)
    hosts += tree->switch_of[host] == at;
  return trunks == 1 && hosts == 2;
}

/* Round trips that were never measured well: while the processors were as fast as usual, or so that
   they fit the tree. Those of a network that is no tree don't fit, however often they are measured.
   Those that a trunk rests on; and all, where they may hide that there are trunks. Takes the tree's
   misfits. */
static uint32_t mark_doubtful(struct meeting *meeting, struct tny_tree *tree)
{
  const uint32_t n = meeting->host_count;
  const bool may_hide_trunks = tree->trunk_count == 0 && !shows_trunks(meeting, tree);
  uint32_t count = 0;
  meeting->wanted = tree->misfit;
  tree->misfit = NULL;
  for (uint32_t a = 0; a < n; a++)
    for (uint32_t b = a + 1; b < n; b++) {
      uint8_t *is_doubtful = &meeting->wanted[(size_t)a * n + b];
      *is_doubtful |= may_hide_trunks || tny_turns_counting(&meeting->turns, a, b) <
                                             (are_alone(tree, a, b) ? USUAL_ALONE : USUAL_MIN);
      count += *is_doubtful;
    }
  return count;
}

/* Until there are none, or for a while not fewer. */
static enum tny_status measure_doubtful(struct meeting *meeting, struct tny_tree *tree,
                                        struct tny_error *error)
{
  enum tny_status status = TNY_OK;
  uint32_t fewest = UINT32_MAX, fewest_at = 0;
  bool goes_on = true;
  for (uint32_t turn = 0; status == TNY_OK && goes_on && turn < TURNS_AGAIN; turn += 2) {
    const uint32_t count = mark_doubtful(meeting, tree);
    if (count < fewest) {
      fewest = count;
      fewest_at = turn;
    }
    goes_on = count > 0 && turn - fewest_at < TURNS_IN_VAIN;
    if (goes_on)
      status = measure_on(meeting, turn, tree, error);
    tny_free(meeting->wanted);
    meeting->wanted = NULL;
  }
  return status;
}

static enum tny_status measure_tree(struct meeting *meeting, struct tny_tree *tree,
                                    struct tny_error *error)
{
  enum tny_status status = TNY_OK;
  uint32_t turns = 0;
  do {
    status = measure_on(meeting, turns, tree, error);
    turns += 2;
  } while (status == TNY_OK && !is_clear(meeting, tree, turns));
  return status == TNY_OK ? measure_doubtful(meeting, tree, error) : status;
}

/* `ns` has room for the round trips, and gets them. */
static enum tny_status find_tree(const struct tny_probes *probes, uint32_t host_count, double *ns,
                                 struct tny_tree *tree, struct tny_error *error)
{
  struct meeting meeting = {.probes = probes,
                            .host_count = host_count,
                            .at_once = probes->machines > 3 ? probes->machines / 2 : 1,
                            .pairs = tny_new(host_count, sizeof *meeting.pairs),
                            .ns = ns};
  enum tny_status status = tny_turns_make(host_count, &meeting.turns, error);
  if (status == TNY_OK)
    status = meeting.pairs ? measure_tree(&meeting, tree, error) : tny_error_memory(error);
  tny_free(meeting.pairs);
  tny_turns_release(&meeting.turns);
  return status;
}

/* --- all --- */

/* With its probes and round trips the search has all it borrows. */
static enum tny_status make_search(struct tny_search *search, struct tny_discovery *found,
                                   struct tny_error *error)
{
  const size_t n = found->tree.host_count, trunks = found->tree.trunk_count;
  const uint32_t machines = search->probes->machines;
  search->found = found;
  search->host_count = found->tree.host_count;
  search->stream_room = STREAMS_A_MACHINE * (machines ? machines : 1);
  search->order = tny_new(n, sizeof *search->order);
  search->beyond = tny_new(found->tree.switch_count, sizeof *search->beyond);
  search->near = tny_new(n, sizeof *search->near);
  search->far = tny_new(n, sizeof *search->far);
  search->streams = tny_new(n + 2, sizeof *search->streams);
  search->offered = tny_new(n + 2, sizeof *search->offered);
  search->numbers = tny_new(n + trunks, sizeof *search->numbers);
  search->before = tny_new(n, sizeof *search->before);
  if (!search->order || !search->beyond || !search->near || !search->far || !search->streams ||
      !search->offered || !search->numbers || !search->before)
    return tny_error_memory(error);
  return tny_shares_make(found, &search->shares, error);
}

static void release_search(struct tny_search *search)
{
  tny_free(search->order);
  tny_free(search->beyond);
  tny_free(search->near);
  tny_free(search->far);
  tny_free(search->streams);
  tny_free(search->offered);
  tny_free(search->numbers);
  tny_free(search->before);
  tny_shares_release(&search->shares);
}

static bool measure(struct tny_search *search)
{
  if (!tny_search_hosts(search) || !tny_search_trunks(search))
    return false;
  tny_search_judge_hosts(search);
  tny_search_settle(search);
  return tny_search_buffers(search);
}

static enum tny_status make_cables(struct tny_discovery *discovery, struct tny_error *error)
{
  discovery->hosts = tny_new(discovery->tree.host_count, sizeof *discovery->hosts);
  discovery->trunks = tny_new(discovery->tree.trunk_count + 1, sizeof *discovery->trunks);
  return discovery->hosts && discovery->trunks ? TNY_OK : tny_error_memory(error);
}

enum tny_status tny_discovery_make(struct tny_discovery *discovery, uint32_t host_count,
                                   uint32_t trunk_count, struct tny_error *error)
{
  struct tny_tree *tree = &discovery->tree;
  *discovery =
      (struct tny_discovery){.tree = {.host_count = host_count,
                                      .trunk_count = trunk_count,
                                      .switch_of = tny_new(host_count, sizeof *tree->switch_of),
                                      .trunks = tny_new(trunk_count + 1, sizeof *tree->trunks)}};
  if (!tree->switch_of || !tree->trunks)
    return tny_error_memory(error);
  return make_cables(discovery, error);
}

void tny_discovery_release(struct tny_discovery *discovery)
{
  tny_tree_release(&discovery->tree);
  tny_free(discovery->hosts);
  tny_free(discovery->trunks);
  *discovery = (struct tny_discovery){0};
}

enum tny_status tny_discover(const struct tny_probes *probes, uint32_t host_count,
                             struct tny_discovery *discovery, struct tny_error *error)
{
  double *ns = tny_new((size_t)host_count * host_count, sizeof *ns);
  struct tny_search search = {.probes = probes, .round_trips_ns = ns};
  *discovery = (struct tny_discovery){0};
  enum tny_status status =
      ns ? find_tree(probes, host_count, ns, &discovery->tree, error) : tny_error_memory(error);
  if (status == TNY_OK)
    status = make_cables(discovery, error);
  if (status == TNY_OK)
    status = make_search(&search, discovery, error);
  if (status == TNY_OK && !measure(&search))
    status = fail(error);
  release_search(&search);
  tny_free(ns);
  if (status != TNY_OK)
    tny_discovery_release(discovery);
  return status;
}

double tny_discover_seconds(uint32_t host_count, uint32_t machines)
{
  const double n = host_count, at_once = machines > 3 ? machines / 2 : 1;
  const double room = STREAMS_A_MACHINE * fmax(1, machines);
  const double switches = fmax(1, n / 8); /* a guess */
  return TURNS_LIKELY * PAIR_SECONDS * n * (n - 1) / 2 / at_once +
         (3 + FANS_LIKELY) * TNY_HOST_SECONDS * ceil(n / room) +
         2 * (TNY_TRUNK_SECONDS + TNY_QUEUE_SECONDS) * switches;
}
