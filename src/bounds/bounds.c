/* The least time that any schedule needs at the raw rates of the links, and why, in words. Of a
   barrier it is the delay of the longest way (delays.c).

   Where all ranks have a block for each of the others, each link carries what the given routes put
   on it. Elsewhere, on a tree, each link must carry what those behind it have for those ahead; on a
   graph with cycles, the cuts decide (cuts.c). Ranks on one host exchange their blocks for nothing.

   An all-reduce's result is first complete on some host. Until then each of the h-1 others has sent
   what it has, and afterwards each must receive something: 2(h-1) messages pass all ports together
   (Patarasuk, Yuan, "Bandwidth optimal all-reduce algorithms for clusters of workstations", 2009).
   */
#include "bounds/bottleneck.h"

#include "cluster/links.h"
#include "core/alloc.h"
#include "core/error.h"
#include "core/hostlist.h"
#include "core/text.h"
#include "core/units.h"

const char *tny_bound_reason_name(enum tny_bound_reason reason)
{
  static const char *const names[] = {[TNY_BOUND_PORT] = "port",
                                      [TNY_BOUND_LINK] = "link",
                                      [TNY_BOUND_CUT] = "cut",
                                      [TNY_BOUND_PORTS] = "ports",
                                      [TNY_BOUND_DELAY] = "delay"};
  return names[reason];
}

/* "16 blocks", "1 block", or "the message". */
static void name_blocks(const struct tny_bound_question *question, uint64_t blocks, char text[40])
{
  if (tny_collective_is_one_message(question->collective))
    snprintf(text, 40, "the message");
  else
    snprintf(text, 40, "%llu block%s", (unsigned long long)blocks, blocks == 1 ? "" : "s");
}

/* The hosts on one side of a cut, as a list. */
static enum tny_status name_side(const struct tny_cluster *cluster, const bool *inside, bool side,
                                 char **list, struct tny_error *error)
{
  struct tny_text text = {0};
  uint32_t count = 0;
  const char **names = tny_new(cluster->host_count, sizeof *names);
  if (!names)
    return tny_error_memory(error);
  for (uint32_t host = 0; host < cluster->host_count; host++)
    if (inside[host] == side)
      names[count++] = cluster->node_names[host];
  tny_hostlist_fold(&text, names, count);
  tny_free(names);
  return tny_text_take(&text, list, error);
}

/* Names the smaller side of the cut. */
static enum tny_status describe_cut(const struct tny_bound_question *question,
                                    const struct tny_bottleneck *worst, struct tny_bound *bound,
                                    struct tny_error *error)
{
  const struct tny_cluster *cluster = question->cluster;
  uint32_t inside_count = 0;
  for (uint32_t host = 0; host < cluster->host_count; host++)
    inside_count += worst->inside[host];
  const bool side = inside_count <= cluster->host_count - inside_count;
  char blocks[40], *list;
  const enum tny_status status = name_side(cluster, worst->inside, side, &list, error);
  if (status)
    return status;
  name_blocks(question, worst->blocks, blocks);
  snprintf(bound->text, sizeof bound->text, "cut around {%.120s%s}: %s %s over %u links of %s",
           list, strlen(list) > 120 ? "..." : "", blocks, side ? "out" : "in", worst->link_count,
           tny_bandwidth_format((uint64_t)worst->bandwidth_bps).text);
  tny_text_free(list);
  return TNY_OK;
}

static void describe_ports(const struct tny_bottleneck *worst, struct tny_bound *bound)
{
  bound->reason = TNY_BOUND_PORTS;
  snprintf(bound->text, sizeof bound->text, "ports of %u hosts send %llu blocks", worst->link_count,
           (unsigned long long)worst->blocks);
}

static enum tny_status describe(const struct tny_bound_question *question,
                                const struct tny_bottleneck *worst, struct tny_bound *bound,
                                struct tny_error *error)
{
  const struct tny_cluster *cluster = question->cluster;
  bound->seconds =
      (double)worst->blocks * (double)question->block_bytes * 8.0 / (double)worst->bandwidth_bps;
  bound->link = worst->link;
  bound->reason = TNY_BOUND_CUT;
  if (worst->inside && worst->link_count > 1)
    return describe_cut(question, worst, bound, error);
  if (worst->link_count > 1) {
    describe_ports(worst, bound);
    return TNY_OK;
  }
  const struct tny_link *link = &cluster->links[worst->link];
  const bool port = !tny_link_is_trunk(cluster, worst->link);
  char blocks[40];
  name_blocks(question, worst->blocks, blocks);
  bound->reason = port ? TNY_BOUND_PORT : TNY_BOUND_LINK;
  snprintf(bound->text, sizeof bound->text, "%s %.90s -> %.90s carries %s", port ? "port" : "trunk",
           cluster->node_names[link->from], cluster->node_names[link->to], blocks);
  return TNY_OK;
}

static void consider_all_ports(const struct tny_bound_question *question,
                               struct tny_bottleneck *worst)
{
  const struct tny_cluster *cluster = question->cluster;
  struct tny_bottleneck ports = {0};
  for (uint32_t host = cluster->host_count; host-- > 0;) {
    if (question->ranks_on[host] == 0)
      continue;
    ports.link = cluster->out_links[cluster->first_out[host]];
    ports.bandwidth_bps += cluster->links[ports.link].best_bps;
    ports.link_count++;
  }
  ports.blocks = 2 * ((uint64_t)ports.link_count - 1);
  if (!tny_bottleneck_is_worse(worst, ports.blocks, ports.bandwidth_bps))
    return;
  tny_free(worst->inside);
  *worst = ports;
}

static enum tny_status answer(const struct tny_bound_question *question, struct tny_bound *bound,
                              struct tny_error *error)
{
  struct tny_bottleneck worst = {.link = TNY_NONE};
  enum tny_status status;
  if (tny_collective_synchronizes(question->collective))
    return tny_bound_by_delay(question, bound, error);
  if (tny_collective_is_pairwise(question->collective))
    status = tny_bound_by_routes(question, &worst, error);
  else if (tny_cluster_is_tree(question->cluster))
    status = tny_bound_on_tree(question, &worst, error);
  else
    status = tny_bound_by_cuts(question, &worst, error);
  if (!status && tny_collective_shares_result(question->collective))
    consider_all_ports(question, &worst);
  if (!status)
    status = describe(question, &worst, bound, error);
  tny_free(worst.inside);
  return status;
}

static enum tny_status check(const struct tny_cluster *cluster, const uint32_t *host_of_rank,
                             uint32_t rank_count, uint32_t root, struct tny_error *error)
{
  if (rank_count == 0)
    return tny_error_set(error, TNY_BAD_INPUT, "0 ranks: there must be at least 1");
  if (root >= rank_count)
    return tny_error_set(error, TNY_BAD_INPUT, "root %u isn't one of the ranks 0 to %u", root,
                         rank_count - 1);
  for (uint32_t rank = 0; rank < rank_count; rank++)
    if (host_of_rank[rank] >= cluster->host_count)
      return tny_error_set(error, TNY_BAD_INPUT, "rank %u is on host %u of %u", rank,
                           host_of_rank[rank], cluster->host_count);
  return TNY_OK;
}

enum tny_status tny_bound_compute(const struct tny_routes *routes, const uint32_t *host_of_rank,
                                  uint32_t rank_count, enum tny_collective collective,
                                  uint32_t root, uint64_t block_bytes, struct tny_bound *bound,
                                  struct tny_error *error)
{
  const struct tny_cluster *cluster = routes->cluster;
  const bool has_root = tny_collective_has_root(collective);
  enum tny_status status = check(cluster, host_of_rank, rank_count, has_root ? root : 0, error);
  if (status)
    return status;
  uint32_t *ranks_on = tny_new(cluster->host_count, sizeof *ranks_on);
  if (!ranks_on)
    return tny_error_memory(error);
  for (uint32_t rank = 0; rank < rank_count; rank++)
    ranks_on[host_of_rank[rank]]++;
  *bound = (struct tny_bound){.link = TNY_NONE, .reason = TNY_BOUND_PORT};
  if (rank_count == 1) {
    snprintf(bound->text, sizeof bound->text, "one rank: there is nothing to send");
  } else if (ranks_on[host_of_rank[0]] == rank_count) {
    snprintf(bound->text, sizeof bound->text, "all ranks are on %.200s: no link is used",
             cluster->node_names[host_of_rank[0]]);
  } else {
    const struct tny_bound_question question = {.cluster = cluster,
                                                .routes = routes,
                                                .ranks_on = ranks_on,
                                                .rank_count = rank_count,
                                                .root_host = has_root ? host_of_rank[root] : 0,
                                                .collective = collective,
                                                .block_bytes = block_bytes};
    status = answer(&question, bound, error);
  }
  tny_free(ranks_on);
  return status;
}
