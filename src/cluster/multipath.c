/* Equal-cost multipath: the switches spread messages over ways of equal length, and which way a
   message takes isn't known. Such ways are taken together, so that what is left is a tree whose
   links are bundles: parallel cables become one bundle, and of the switches of a tier, counted from
   the switches with hosts upwards, those with the same switches below become one switch. A leaf
   and S spines, for example, become a leaf and one spine with a bundle of S cables between them.

   Every shortest way leads through the links of the tree's way, one cable of each bundle. So one
   cable is what flows that are hashed can rely on, and all cables are the most that is possible.
   Packets that are spread rely on all cables; that holds where the switches that are taken together
   have as many cables each to every neighbour, and other networks are refused.

   A network that doesn't become a tree is refused (check.c); one that is a tree has no ways to
   choose from, and stays as it is. */
#include "cluster/build.h"
#include "core/alloc.h"
#include "core/error.h"
#include "core/hostlist.h"

enum tny_status tny_build_multipath(struct tny_build *build, const char *name,
                                    struct tny_error *error)
{
  if (tny_spreading_parse(name, &build->multipath))
    return TNY_OK;
  return tny_error_at(
      error, TNY_BAD_INPUT, build->file, build->line, 0,
      "the unknown multipath \"%.40s\": write flow, where a hash chooses the way of "
      "each flow, or packet, where packets are spread over all ways",
      name);
}

/* --- parallel cables --- */

/* A cable between two nodes that stand for others, perhaps. */
struct way {
  struct tny_build_cable cable;
  uint32_t index; /* of the cable in the build */
  bool is_merged; /* into one before it */
};

static uint32_t lower_end(const struct way *way)
{
  return way->cable.from < way->cable.to ? way->cable.from : way->cable.to;
}

static uint32_t upper_end(const struct way *way)
{
  return way->cable.from < way->cable.to ? way->cable.to : way->cable.from;
}

static int compare_numbers(uint32_t a, uint32_t b)
{
  return (a > b) - (a < b);
}

static int by_ends(const void *a, const void *b)
{
  const struct way *x = a, *y = b;
  int order = compare_numbers(lower_end(x), lower_end(y));
  order = order ? order : compare_numbers(upper_end(x), upper_end(y));
  return order ? order : compare_numbers(x->index, y->index);
}

static int by_index(const void *a, const void *b)
{
  return compare_numbers(((const struct way *)a)->index, ((const struct way *)b)->index);
}

static bool are_alike(const struct tny_build_cable *a, const struct tny_build_cable *b)
{
  const bool is_turned = a->from != b->from;
  return a->bandwidth_bps == b->bandwidth_bps && a->latency_ns == b->latency_ns &&
         a->buffer_bytes == (is_turned ? b->back_buffer_bytes : b->buffer_bytes) &&
         a->back_buffer_bytes == (is_turned ? b->buffer_bytes : b->back_buffer_bytes);
}

static bool is_by_packet(const struct tny_build_cable *cable)
{
  return cable->cable_count == 1 || cable->spread == TNY_SPREADING_PACKET;
}

/* Names the cables as the build has them. */
static enum tny_status refuse_unlike(const struct tny_build *build, const struct way *a,
                                     const struct way *b, struct tny_error *error)
{
  const struct tny_build_cable *x = &build->cables[a->index], *y = &build->cables[b->index];
  return tny_error_at(
      error, TNY_BAD_INPUT, build->file, 0, 0,
      "with multipath, the cables %.50s -- %.50s and %.50s -- %.50s are used alike, and differ in "
      "bandwidth, latency or buffer: give both what the lesser one has, or leave multipath out and "
      "give the routes",
      tny_build_name(build, x->from), tny_build_name(build, x->to), tny_build_name(build, y->from),
      tny_build_name(build, y->to));
}

static enum tny_status refuse_many(const struct tny_build *build, const struct way *way,
                                   struct tny_error *error)
{
  const struct tny_build_cable *cable = &build->cables[way->index];
  return tny_error_at(
      error, TNY_BAD_INPUT, build->file, 0, 0,
      "with multipath, all ways between %.80s and %.80s and those that are used like "
      "them are one bundle, and a bundle has at most %u cables: leave multipath out "
      "and give the routes",
      tny_build_name(build, cable->from), tny_build_name(build, cable->to), TNY_BUNDLE_CABLES_MAX);
}

/* `ways` by ends: of each run with the same ends the first one takes in all. */
static enum tny_status merge_runs(const struct tny_build *build, struct way *ways,
                                  struct tny_error *error)
{
  const bool by_packet = build->multipath == TNY_SPREADING_PACKET;
  struct way *first = ways;
  for (uint32_t i = 1; i < build->cable_count; i++) {
    struct tny_build_cable *cable = &first->cable;
    if (lower_end(&ways[i]) != lower_end(first) || upper_end(&ways[i]) != upper_end(first)) {
      first = &ways[i];
      continue;
    }
    if (!are_alike(cable, &ways[i].cable))
      return refuse_unlike(build, first, &ways[i], error);
    cable->spread = by_packet && is_by_packet(cable) && is_by_packet(&ways[i].cable)
                        ? TNY_SPREADING_PACKET
                        : TNY_SPREADING_FLOW;
    cable->cable_count += ways[i].cable.cable_count;
    if (cable->cable_count > TNY_BUNDLE_CABLES_MAX)
      return refuse_many(build, first, error);
    ways[i].is_merged = true;
  }
  return TNY_OK;
}

/* --- a build whose nodes stand for several of another one --- */

/* Of each node of the build. */
struct merging {
  struct tny_build *build;
  uint32_t *stand_in; /* the first of those that it is taken together with; itself: of none */
  uint32_t *count;    /* of those that it stands for */
  uint32_t *index;    /* in the new build, of the one that stands for it */
};

static enum tny_status add_nodes(const struct merging *merging, struct tny_build *made,
                                 struct tny_error *error)
{
  const struct tny_build *build = merging->build;
  enum tny_status status = TNY_OK;
  for (uint32_t node = 0; node < build->node_count; node++)
    merging->count[merging->stand_in[node]]++;
  for (uint32_t node = 0; !status && node < build->node_count; node++) {
    const uint32_t count = merging->count[node];
    char name[TNY_NAME_BYTES_MAX + 16];
    if (count == 0)
      continue;
    const char *own = tny_build_name(build, node);
    snprintf(name, sizeof name, "%s+%u", own, count - 1);
    if (count == 1 || tny_build_find(build, name) != TNY_NONE) /* another one is called so */
      name[strlen(own)] = '\0';
    status = tny_build_add(made, name, build->nodes[node].kind, &merging->index[node], error);
  }
  for (uint32_t node = 0; node < build->node_count; node++)
    merging->index[node] = merging->index[merging->stand_in[node]];
  return status;
}

static enum tny_status add_cables(const struct merging *merging, struct way *ways,
                                  struct tny_build *made, struct tny_error *error)
{
  const struct tny_build *build = merging->build;
  for (uint32_t i = 0; i < build->cable_count; i++) {
    struct way *way = &ways[i];
    *way = (struct way){.cable = build->cables[i], .index = i};
    way->cable.from = merging->index[way->cable.from];
    way->cable.to = merging->index[way->cable.to];
    if (way->cable.from == way->cable.to)
      return tny_error_at(error, TNY_BAD_INPUT, build->file, 0, 0,
                          "with multipath, messages are spread over %.80s and %.80s alike, and a "
                          "cable joins these: leave multipath out and give the routes",
                          tny_build_name(build, build->cables[i].from),
                          tny_build_name(build, build->cables[i].to));
  }
  qsort(ways, build->cable_count, sizeof *ways, by_ends);
  enum tny_status status = merge_runs(build, ways, error);
  qsort(ways, build->cable_count, sizeof *ways, by_index);
  for (uint32_t i = 0; !status && i < build->cable_count; i++)
    if (!ways[i].is_merged)
      status = tny_build_connect(made, &ways[i].cable, error);
  return status;
}

/* Was the switch taken together with others that are called otherwise? Of nodes whose names count
   alike, none is a host among switches. */
static bool is_odd(const struct merging *merging, uint32_t doubtful)
{
  const struct tny_build *build = merging->build;
  const uint64_t stem = tny_build_stem(tny_build_name(build, doubtful));
  for (uint32_t node = 0; node < build->node_count; node++)
    if (merging->stand_in[node] == merging->stand_in[doubtful] &&
        tny_build_stem(tny_build_name(build, node)) != stem)
      return true;
  return false;
}

/* A switch that may be a host is told of by the names of all that it was taken together with. */
static void note_odd(const struct merging *merging, uint32_t doubtful)
{
  struct tny_build *build = merging->build;
  char names[200] = "", sentence[400];
  size_t used = 0;
  for (uint32_t node = 0; node < build->node_count && used < sizeof names; node++)
    if (merging->stand_in[node] == merging->stand_in[doubtful])
      used += (size_t)snprintf(names + used, sizeof names - used, "%s%.100s", used ? ", " : "",
                               tny_build_name(build, node));
  snprintf(sentence, sizeof sentence,
           "%s have two cables each and no hosts, and are taken for switches that are used alike; "
           "say kind=switch of them if they are, and give one that is a host a single cable",
           names);
  tny_build_add_note(build, sentence);
}

/* A switch that may be a host, and stands for itself alone, may still be one. */
static void settle_doubtful(const struct merging *merging)
{
  struct tny_build *build = merging->build;
  if (!build->doubtful)
    return;
  const uint32_t doubtful = build->doubtful - 1;
  const bool is_merged = merging->count[merging->stand_in[doubtful]] > 1;
  if (is_merged && is_odd(merging, doubtful))
    note_odd(merging, doubtful);
  build->doubtful = is_merged ? 0 : 1 + merging->index[doubtful];
}

static enum tny_status merge(struct merging *merging, struct tny_error *error)
{
  struct tny_build *build = merging->build, made;
  struct way *ways = tny_new((size_t)build->cable_count + 1, sizeof *ways);
  enum tny_status status = ways ? TNY_OK : tny_error_memory(error);
  tny_build_init(&made, build->name, build->file);
  if (!status)
    status = add_nodes(merging, &made, error);
  if (!status)
    status = add_cables(merging, ways, &made, error);
  if (!status)
    status = tny_build_copy_aliases(&made, build, merging->index, error);
  if (!status) {
    settle_doubtful(merging);
    tny_build_take_over(build, &made);
  }
  tny_build_release(&made);
  tny_free(ways);
  return status;
}

/* --- tiers --- */

/* A cable from a switch to one that is nearer to hosts by one. */
struct downlink {
  uint32_t tier, node, below;
};

static int compare_downlinks(const void *a, const void *b)
{
  const struct downlink *x = a, *y = b;
  int order = compare_numbers(x->tier, y->tier);
  order = order ? order : compare_numbers(x->node, y->node);
  return order ? order : compare_numbers(x->below, y->below);
}

/* A switch, and those below it. */
struct above {
  const struct downlink *first;
  uint32_t count;
};

static int compare_below(const struct above *a, const struct above *b)
{
  int order = compare_numbers(a->count, b->count);
  for (uint32_t i = 0; order == 0 && i < a->count; i++)
    order = compare_numbers(a->first[i].below, b->first[i].below);
  return order;
}

static int compare_aboves(const void *a, const void *b)
{
  const struct above *x = a, *y = b;
  const int order = compare_below(x, y);
  return order ? order : compare_numbers(x->first->node, y->first->node);
}

/* The downlinks of a tier, those below stood in for: finds which switches have the same ones. */
static void merge_tier(struct downlink *links, uint32_t count, struct above *aboves,
                       uint32_t *stand_in)
{
  uint32_t kept = 0, above_count = 0;
  for (uint32_t i = 0; i < count; i++)
    links[i].below = stand_in[links[i].below];
  qsort(links, count, sizeof *links, compare_downlinks);
  for (uint32_t i = 0; i < count; i++)
    if (i == 0 || compare_downlinks(&links[i], &links[kept - 1]))
      links[kept++] = links[i];
  for (uint32_t i = 0; i < kept; i++) {
    if (i == 0 || links[i].node != links[i - 1].node)
      aboves[above_count++] = (struct above){.first = &links[i]};
    aboves[above_count - 1].count++;
  }
  qsort(aboves, above_count, sizeof *aboves, compare_aboves);
  for (uint32_t i = 1; i < above_count; i++)
    if (compare_below(&aboves[i - 1], &aboves[i]) == 0)
      stand_in[aboves[i].first->node] = stand_in[aboves[i - 1].first->node];
}

/* What finds the tiers: the neighbours of each node, and a queue. */
struct tiers {
  const struct tny_build *build;
  uint32_t *tier;       /* by node: the distance from a switch with hosts; TNY_NONE: not known, or a
                             host */
  uint32_t *first;      /* node_count + 1: node n's neighbours are those from first[n] on */
  uint32_t *neighbours; /* two for each cable */
  uint32_t *queue;      /* of nodes */
  struct downlink *links; /* of all tiers */
  struct above *aboves;   /* of one tier */
  uint32_t link_count;
};

static enum tny_status tiers_init(struct tiers *tiers, const struct tny_build *build,
                                  struct tny_error *error)
{
  const size_t nodes = build->node_count, cables = build->cable_count;
  *tiers = (struct tiers){.build = build,
                          .tier = tny_new(nodes, sizeof *tiers->tier),
                          .first = tny_new(nodes + 2, sizeof *tiers->first),
                          .neighbours = tny_new(2 * cables + 1, sizeof *tiers->neighbours),
                          .queue = tny_new(nodes, sizeof *tiers->queue),
                          .links = tny_new(cables + 1, sizeof *tiers->links),
                          .aboves = tny_new(cables + 1, sizeof *tiers->aboves)};
  const bool has_memory = tiers->tier && tiers->first && tiers->neighbours && tiers->queue &&
                          tiers->links && tiers->aboves;
  return has_memory ? TNY_OK : tny_error_memory(error);
}

static void tiers_release(struct tiers *tiers)
{
  tny_free(tiers->tier);
  tny_free(tiers->first);
  tny_free(tiers->neighbours);
  tny_free(tiers->queue);
  tny_free(tiers->links);
  tny_free(tiers->aboves);
}

static void list_neighbours(const struct tiers *tiers)
{
  const struct tny_build *build = tiers->build;
  uint32_t *next = tiers->first + 1; /* becomes first when all are placed */
  for (uint32_t i = 0; i < build->cable_count; i++) {
    next[build->cables[i].from + 1]++;
    next[build->cables[i].to + 1]++;
  }
  for (uint32_t node = 0; node < build->node_count; node++)
    next[node + 1] += next[node];
  for (uint32_t i = 0; i < build->cable_count; i++) {
    const uint32_t from = build->cables[i].from, to = build->cables[i].to;
    tiers->neighbours[next[from]++] = to;
    tiers->neighbours[next[to]++] = from;
  }
}

/* Breadth first, from all switches with hosts. */
static void count_tiers(const struct tiers *tiers)
{
  const struct tny_build *build = tiers->build;
  uint32_t tail = 0;
  for (uint32_t node = 0; node < build->node_count; node++) {
    tiers->tier[node] = TNY_NONE;
    for (uint32_t i = tiers->first[node]; i < tiers->first[node + 1]; i++)
      if (build->nodes[node].kind == TNY_KIND_SWITCH && tiers->tier[node] == TNY_NONE &&
          build->nodes[tiers->neighbours[i]].kind == TNY_KIND_HOST) {
        tiers->tier[node] = 0;
        tiers->queue[tail++] = node;
      }
  }
  for (uint32_t head = 0; head < tail; head++) {
    const uint32_t node = tiers->queue[head];
    for (uint32_t i = tiers->first[node]; i < tiers->first[node + 1]; i++) {
      const uint32_t neighbour = tiers->neighbours[i];
      if (build->nodes[neighbour].kind == TNY_KIND_HOST || tiers->tier[neighbour] != TNY_NONE)
        continue;
      tiers->tier[neighbour] = tiers->tier[node] + 1;
      tiers->queue[tail++] = neighbour;
    }
  }
}

/* By tiers, upwards. */
static void list_downlinks(struct tiers *tiers)
{
  const struct tny_build *build = tiers->build;
  for (uint32_t i = 0; i < build->cable_count; i++) {
    const uint32_t from = build->cables[i].from, to = build->cables[i].to;
    const uint32_t tier_from = tiers->tier[from], tier_to = tiers->tier[to];
    if (tier_from == TNY_NONE || tier_to == TNY_NONE || tier_from == tier_to)
      continue;
    tiers->links[tiers->link_count++] = tier_from > tier_to ? (struct downlink){tier_from, from, to}
                                                            : (struct downlink){tier_to, to, from};
  }
  qsort(tiers->links, tiers->link_count, sizeof *tiers->links, compare_downlinks);
}

static enum tny_status find_stand_ins(const struct tny_build *build, uint32_t *stand_in,
                                      struct tny_error *error)
{
  struct tiers tiers;
  const enum tny_status status = tiers_init(&tiers, build, error);
  if (!status) {
    list_neighbours(&tiers);
    count_tiers(&tiers);
    list_downlinks(&tiers);
    for (uint32_t first = 0, end; first < tiers.link_count; first = end) {
      for (end = first + 1;
           end < tiers.link_count && tiers.links[end].tier == tiers.links[first].tier;)
        end++;
      merge_tier(&tiers.links[first], end - first, tiers.aboves, stand_in);
    }
  }
  tiers_release(&tiers);
  return status;
}

/* --- as many cables to every neighbour --- */

/* The cables from a switch to a neighbour, both perhaps taken together with others. */
struct share {
  uint32_t group, to, member; /* `member` is one of `group`; `to` stands for the neighbour */
  uint64_t cables;
};

static int compare_shares(const void *a, const void *b)
{
  const struct share *x = a, *y = b;
  int order = compare_numbers(x->group, y->group);
  order = order ? order : compare_numbers(x->to, y->to);
  return order ? order : compare_numbers(x->member, y->member);
}

/* Sorted, those of one member to one neighbour added up. Returns how many are left. */
static size_t list_shares(const struct tny_build *build, const uint32_t *stand_in,
                          struct share *shares)
{
  size_t count = 0, kept = 0;
  for (uint32_t i = 0; i < build->cable_count; i++) {
    const struct tny_build_cable *cable = &build->cables[i];
    const uint32_t from = cable->from, to = cable->to;
    shares[count++] = (struct share){stand_in[from], stand_in[to], from, cable->cable_count};
    shares[count++] = (struct share){stand_in[to], stand_in[from], to, cable->cable_count};
  }
  qsort(shares, count, sizeof *shares, compare_shares);
  for (size_t i = 0; i < count; i++)
    if (kept && compare_shares(&shares[kept - 1], &shares[i]) == 0)
      shares[kept - 1].cables += shares[i].cables;
    else
      shares[kept++] = shares[i];
  return kept;
}

static enum tny_status check_shares(const struct tny_build *build, const struct share *shares,
                                    size_t count, const uint32_t *sizes, struct tny_error *error)
{
  for (size_t first = 0, end; first < count; first = end) {
    const struct share *share = &shares[first];
    bool are_equal = true;
    for (end = first;
         end < count && shares[end].group == share->group && shares[end].to == share->to; end++)
      are_equal &= shares[end].cables == share->cables;
    if (!are_equal || end - first != sizes[share->group])
      return tny_error_at(
          error, TNY_BAD_INPUT, build->file, 0, 0,
          "with multipath=packet, packets are spread over %.80s and others alike, and these don't "
          "have as many cables to %.80s each: write multipath=flow, or leave multipath out and "
          "give "
          "the routes",
          tny_build_name(build, share->group), tny_build_name(build, share->to));
  }
  return TNY_OK;
}

static enum tny_status check_evenness(const struct tny_build *build, const uint32_t *stand_in,
                                      struct tny_error *error)
{
  struct share *shares = tny_new(2 * (size_t)build->cable_count + 1, sizeof *shares);
  uint32_t *sizes = tny_new(build->node_count, sizeof *sizes);
  enum tny_status status = shares && sizes ? TNY_OK : tny_error_memory(error);
  for (uint32_t node = 0; !status && node < build->node_count; node++)
    sizes[stand_in[node]]++;
  if (!status)
    status = check_shares(build, shares, list_shares(build, stand_in, shares), sizes, error);
  tny_free(shares);
  tny_free(sizes);
  return status;
}

/* --- all --- */

static enum tny_status merge_as(struct tny_build *build, bool by_tiers, struct tny_error *error)
{
  struct merging merging = {.build = build,
                            .stand_in = tny_new(build->node_count, sizeof *merging.stand_in),
                            .count = tny_new(build->node_count, sizeof *merging.count),
                            .index = tny_new(build->node_count, sizeof *merging.index)};
  enum tny_status status = TNY_OK;
  if (!merging.stand_in || !merging.count || !merging.index)
    status = tny_error_memory(error);
  for (uint32_t node = 0; !status && node < build->node_count; node++)
    merging.stand_in[node] = node;
  if (!status && by_tiers)
    status = find_stand_ins(build, merging.stand_in, error);
  if (!status && build->multipath == TNY_SPREADING_PACKET)
    status = check_evenness(build, merging.stand_in, error);
  if (!status)
    status = merge(&merging, error);
  tny_free(merging.stand_in);
  tny_free(merging.count);
  tny_free(merging.index);
  return status;
}

enum tny_status tny_build_bundle_parallel(struct tny_build *build, struct tny_error *error)
{
  if (build->multipath == TNY_SPREADING_NONE)
    return TNY_OK;
  if (build->routing != TNY_ROUTING_AUTO || build->shape.dimension_count)
    return tny_error_at(error, TNY_BAD_INPUT, build->file, 0, 0,
                        "multipath says that the ways of messages aren't known, and %s says that "
                        "they are: leave one of them out",
                        build->shape.dimension_count ? "grid" : "routing");
  return merge_as(build, false, error);
}

enum tny_status tny_build_merge_ways(struct tny_build *build, struct tny_error *error)
{
  const bool is_tree = build->cable_count + 1 == build->node_count; /* if all of it is joined */
  return build->multipath && !is_tree ? merge_as(build, true, error) : TNY_OK;
}
