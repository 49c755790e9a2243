/* Who crosses between which zones when. */
#include "collectives/shared/lg_plan.h"

#include "core/alloc.h"
#include "core/error.h"
#include "planner/phases/colouring.h"

/* More messages are refused, so that their numbers, and those of what is kept for each, fit into 32
   bits. */
#define ARCS_MAX (UINT32_MAX / 4)

static uint32_t size_of(const struct tny_lg_plan *plan, uint32_t zone)
{
  return tny_groups_size(&plan->zones, zone);
}

struct tny_lg_pair tny_lg_plan_pair(const struct tny_lg_plan *plan, uint32_t zone, uint32_t other)
{
  const uint32_t first = zone < other ? zone : other, second = zone < other ? other : zone;
  const bool is_first_small = size_of(plan, first) <= size_of(plan, second);
  const uint32_t small = is_first_small ? first : second, large = is_first_small ? second : first;
  return (struct tny_lg_pair){.small = small,
                              .large = large,
                              .n1 = size_of(plan, small),
                              .n2 = size_of(plan, large),
                              .rotation = tny_lg_plan_other(plan, zone, other)->rotation};
}

static struct tny_lg_other *other_of(struct tny_lg_plan *plan, uint32_t zone, uint32_t other)
{
  return &plan->others[(size_t)zone * plan->zones.count + other];
}

/* Chooses the rotations of a zone's pairs: nodes of C1 that have one message more than others for
   one zone have one less for the next. So all nodes of a zone have the same number, or one more. */
static void rotate_pairs(struct tny_lg_plan *plan, uint32_t zone)
{
  uint32_t rotation = 0;
  for (uint32_t other = 0; other < plan->zones.count; other++) {
    if (other == zone)
      continue;
    const struct tny_lg_pair pair = tny_lg_plan_pair(plan, zone, other);
    if (pair.small != zone)
      continue;
    other_of(plan, zone, other)->rotation = other_of(plan, other, zone)->rotation = rotation;
    rotation = (rotation + tny_lg_pair_rest(&pair)) % pair.n1;
  }
}

static bool is_by_number(const struct tny_lg_plan *plan, uint32_t zone)
{
  const uint32_t first = tny_groups_first(&plan->zones, zone);
  for (uint32_t node = 1; node < size_of(plan, zone); node++)
    if (plan->order[first + node] != plan->order[first] + node)
      return false;
  return true;
}

/* Assigns a zone's phases and scratch: first what is gathered for each other zone, then what
   arrives from zones whose ranks don't have consecutive numbers. */
static void lay_out(struct tny_lg_plan *plan, uint32_t zone)
{
  uint32_t phase = size_of(plan, zone) - 1, scratch = 0;
  for (uint32_t other = 0; other < plan->zones.count; other++) {
    if (other == zone)
      continue;
    const struct tny_lg_pair pair = tny_lg_plan_pair(plan, zone, other);
    other_of(plan, zone, other)->phase = phase;
    other_of(plan, zone, other)->gathered = scratch;
    phase += tny_lg_pair_phases(&pair, zone);
    scratch += tny_lg_pair_gathered(&pair, zone);
  }
  for (uint32_t other = 0; other < plan->zones.count; other++) {
    const bool by_number = other == zone || is_by_number(plan, other);
    other_of(plan, zone, other)->arrived = by_number ? TNY_NONE : scratch;
    scratch += by_number ? 0 : size_of(plan, other);
  }
  plan->wide_phase = phase > plan->wide_phase ? phase : plan->wide_phase;
  plan->scratch_blocks = scratch > plan->scratch_blocks ? scratch : plan->scratch_blocks;
}

/* Messages across while they are listed, by sender. */
struct listing {
  struct tny_lg_plan *plan;
  struct tny_arc *arcs;
  uint32_t *round;    /* by arc: first the preferred one, then the one that it gets */
  uint32_t *by_round; /* arcs */
  uint32_t *next;     /* by round: where its next arc goes in by_round */
  uint32_t count;
};

static void list_arc(struct listing *listing, uint32_t from, uint32_t to)
{
  listing->arcs[listing->count] = (struct tny_arc){from, to};
  listing->round[listing->count] = listing->count - listing->plan->first[from];
  listing->count++;
}

/* Lists what one node sends to another zone. Returns how many blocks that is, with what the node
   sends within its own zone for it. */
static uint64_t list_pair(struct listing *listing, const struct tny_lg_pair *pair, uint32_t zone,
                          uint32_t node)
{
  const struct tny_groups *zones = &listing->plan->zones;
  const uint32_t here = tny_groups_first(zones, zone) + node;
  if (zone == pair->large) {
    const uint32_t to = tny_groups_first(zones, pair->small) + tny_lg_pair_partner(pair, node);
    list_arc(listing, here, to);
    return pair->n1 - 1 + tny_lg_pair_kept(pair, node).count;
  }
  uint64_t blocks = pair->n2;
  for (uint32_t to = tny_lg_pair_first(pair, node); to < pair->n2; to += pair->n1) {
    list_arc(listing, here, tny_groups_first(zones, pair->large) + to);
    blocks += pair->n1 - 1;
  }
  return blocks;
}

/* Each node prefers to send to the zones in the order in which they follow its own. But each node
   of a zone begins with another zone, so that all wide links are used at the same time. */
static void list_arcs(struct listing *listing)
{
  struct tny_lg_plan *plan = listing->plan;
  const uint32_t zone_count = plan->zones.count;
  for (uint32_t zone = 0; zone < zone_count; zone++) {
    for (uint32_t node = 0; node < size_of(plan, zone); node++) {
      uint64_t blocks = size_of(plan, zone) - 1;
      plan->first[tny_groups_first(&plan->zones, zone) + node] = listing->count;
      for (uint32_t i = 0; i + 1 < zone_count; i++) {
        const uint32_t behind = 1 + (i + node) % (zone_count - 1);
        const uint32_t other = (zone + behind) % zone_count;
        const struct tny_lg_pair pair = tny_lg_plan_pair(plan, zone, other);
        blocks += list_pair(listing, &pair, zone, node);
      }
      plan->blocks_sent_max = blocks > plan->blocks_sent_max ? blocks : plan->blocks_sent_max;
    }
  }
  plan->first[plan->zones.rank_count] = listing->count;
}

static void sort_by_round(struct listing *listing)
{
  for (uint32_t arc = 0; arc < listing->count; arc++)
    listing->next[listing->round[arc] + 1]++;
  for (uint32_t round = 0; listing->next[round + 1] > 0; round++) {
    listing->next[round + 1] += listing->next[round];
    listing->plan->wide_rounds++;
  }
  for (uint32_t arc = 0; arc < listing->count; arc++)
    listing->by_round[listing->next[listing->round[arc]]++] = arc;
}

/* Gives both ends their messages by round; each position sends as many as it receives. `sent` and
   `received` have an entry for each position, all 0. */
static void deal(struct listing *listing, uint32_t *sent, uint32_t *received)
{
  struct tny_lg_plan *plan = listing->plan;
  for (uint32_t i = 0; i < listing->count; i++) {
    const uint32_t arc = listing->by_round[i], round = listing->round[arc];
    const uint32_t from = listing->arcs[arc].from, to = listing->arcs[arc].to;
    plan->sends[plan->first[from] + sent[from]++] = (struct tny_lg_crossing){to, round};
    plan->receives[plan->first[to] + received[to]++] = (struct tny_lg_crossing){from, round};
  }
}

static uint64_t count_arcs(const struct tny_lg_plan *plan)
{
  uint64_t count = 0;
  for (uint32_t zone = 0; zone < plan->zones.count; zone++)
    for (uint32_t other = 0; other < zone; other++)
      count += 2 * (uint64_t)tny_lg_plan_pair(plan, zone, other).n2;
  return count;
}

static enum tny_status find_rounds(struct tny_lg_plan *plan, uint32_t arc_count,
                                   struct tny_error *error)
{
  const uint32_t p = plan->zones.rank_count;
  const size_t arcs = arc_count;
  struct listing listing = {.plan = plan};
  listing.arcs = tny_new(arcs, sizeof *listing.arcs);
  /* There are at most as many rounds as arcs; one more entry marks the end. */
  uint32_t *memory = tny_new(3 * arcs + 2 + (size_t)2 * p, sizeof *memory);
  enum tny_status status = listing.arcs && memory ? TNY_OK : tny_error_memory(error);
  if (status == TNY_OK) {
    listing.round = memory;
    listing.by_round = memory + arcs;
    listing.next = memory + 2 * arcs;
    list_arcs(&listing);
    status = tny_colour_arcs(listing.arcs, listing.count, p, listing.round, error);
  }
  if (status == TNY_OK) {
    sort_by_round(&listing);
    deal(&listing, memory + 3 * arcs + 2, memory + 3 * arcs + 2 + p);
  }
  tny_free(listing.arcs);
  tny_free(memory);
  return status;
}

static enum tny_status fill(struct tny_lg_plan *plan, struct tny_error *error)
{
  const uint32_t zone_count = plan->zones.count;
  plan->others = tny_new((size_t)zone_count * zone_count, sizeof *plan->others);
  plan->first = tny_new((size_t)plan->zones.rank_count + 1, sizeof *plan->first);
  if (!plan->others || !plan->first)
    return tny_error_memory(error);
  for (uint32_t zone = 0; zone < zone_count; zone++)
    rotate_pairs(plan, zone);
  for (uint32_t zone = 0; zone < zone_count; zone++)
    lay_out(plan, zone);
  const uint64_t arc_count = count_arcs(plan);
  if (arc_count > ARCS_MAX)
    return tny_error_set(error, TNY_REFUSED, "too many messages between zones: %llu",
                         (unsigned long long)arc_count);
  plan->sends = tny_new(arc_count, sizeof *plan->sends);
  plan->receives = tny_new(arc_count, sizeof *plan->receives);
  if (!plan->sends || !plan->receives)
    return tny_error_memory(error);
  return find_rounds(plan, (uint32_t)arc_count, error);
}

enum tny_status tny_lg_plan_make(const struct tny_groups *zones, const uint32_t *order,
                                 struct tny_lg_plan **plan, struct tny_error *error)
{
  *plan = tny_new(1, sizeof **plan);
  if (!*plan)
    return tny_error_memory(error);
  (*plan)->zones = *zones;
  (*plan)->order = order;
  const enum tny_status status = fill(*plan, error);
  if (status != TNY_OK) {
    tny_lg_plan_free(*plan);
    *plan = NULL;
  }
  return status;
}

void tny_lg_plan_free(struct tny_lg_plan *plan)
{
  if (!plan)
    return;
  tny_free(plan->others);
  tny_free(plan->first);
  tny_free(plan->sends);
  tny_free(plan->receives);
  tny_free(plan);
}
