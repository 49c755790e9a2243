/* Bounds by cuts: what has to leave a part of the cluster takes at least as long as the links out
   of that part need.

   Where every rank has a block: for every part S without some receiving host, the ranks in S over
   the bandwidth out of S. The worst S is found exactly, by Newton's (Dinkelbach's) iteration: is
   the worst ratio more than blocks/bandwidth? Feed each host its ranks * bandwidth, give each link
   its rate * blocks; where not all of it can flow to a host, the smallest cut is a worse S. Where
   only the root has blocks: the smallest cuts between the root's host and each other one.

   What is combined crosses a cut once, however many ranks it is from. So a reduce needs what a
   broadcast does, the other way, an all-reduce needs it both ways, and a reduce-scatter needs what
   an all-gather does, the other way: links are as fast there as back. */
#include "bounds/bottleneck.h"
#include "core/alloc.h"
#include "core/error.h"

/* The cluster's links are arcs 0 .. link_count-1, the feeds to the hosts follow; node_count is the
   source of the feeds. */
struct cutting {
  const struct tny_bound_question *question;
  struct tny_flow *flow;
  uint32_t node_count;
  bool is_turned; /* the blocks of a cut go into the part that is found */
  struct tny_bottleneck *worst;
};

/* Blocks that have to leave the minimum cut that the flow found. */
static uint64_t cut_load(const struct cutting *cutting)
{
  const struct tny_bound_question *question = cutting->question;
  const bool has_root = tny_flow_is_inside(cutting->flow, question->root_host);
  uint64_t inside = 0;
  for (uint32_t host = 0; host < question->cluster->host_count; host++)
    inside += tny_flow_is_inside(cutting->flow, host) ? question->ranks_on[host] : 0;
  const uint64_t outside = question->rank_count - inside;
  const struct tny_sides out = {inside, outside, has_root, !has_root};
  const struct tny_sides in = {outside, inside, !has_root, has_root};
  return tny_collective_load(question->collective, cutting->is_turned ? in : out);
}

/* Records the minimum cut that the flow found as the worst. */
static void record_cut(struct cutting *cutting)
{
  const struct tny_cluster *cluster = cutting->question->cluster;
  struct tny_bottleneck *worst = cutting->worst;
  worst->blocks = cut_load(cutting);
  worst->bandwidth_bps = 0;
  worst->link = TNY_NONE;
  worst->link_count = 0;
  for (uint32_t node = 0; node < cutting->node_count; node++)
    worst->inside[node] = tny_flow_is_inside(cutting->flow, node);
  for (uint32_t i = 0; i < cluster->link_count; i++) {
    const struct tny_link *link = &cluster->links[i];
    if (!worst->inside[link->from] || worst->inside[link->to])
      continue;
    worst->bandwidth_bps += link->best_bps;
    if (worst->link_count++ == 0)
      worst->link = i;
  }
}

/* Replaces the worst cut by worse ones until no cut between the others and `host` is worse. */
static void raise_for(struct cutting *cutting, uint32_t host)
{
  const struct tny_bound_question *question = cutting->question;
  const struct tny_cluster *cluster = question->cluster;
  for (;;) {
    const tny_wide bandwidth_bps = cutting->worst->bandwidth_bps;
    for (uint32_t i = 0; i < cluster->link_count; i++)
      tny_flow_set(cutting->flow, i, (tny_wide)cluster->links[i].best_bps * cutting->worst->blocks);
    for (uint32_t from = 0; from < cluster->host_count; from++)
      tny_flow_set(cutting->flow, cluster->link_count + from,
                   question->ranks_on[from] * bandwidth_bps);
    if (tny_flow_run(cutting->flow, cutting->node_count, host) ==
        question->rank_count * bandwidth_bps)
      return;
    record_cut(cutting);
  }
}

static bool does_receive(const struct tny_bound_question *question, uint32_t host)
{
  const bool only_root = tny_collective_row(question->collective)->output.holder == TNY_AT_ROOT;
  return question->ranks_on[host] > 0 && (!only_root || host == question->root_host);
}

/* Begins with the part that is all but the first receiving host. */
static void cut_from_all(struct cutting *cutting)
{
  const struct tny_bound_question *question = cutting->question;
  const struct tny_cluster *cluster = question->cluster;
  struct tny_bottleneck *worst = cutting->worst;
  for (uint32_t host = 0; host < cluster->host_count; host++) {
    const uint32_t link = cluster->out_links[cluster->first_out[host]] ^ 1;
    const uint64_t blocks = question->rank_count - question->ranks_on[host];
    if (!does_receive(question, host) ||
        !tny_bottleneck_is_worse(worst, blocks, cluster->links[link].best_bps))
      continue;
    worst->blocks = blocks;
    worst->bandwidth_bps = cluster->links[link].best_bps;
    worst->link = link;
    worst->link_count = 1;
  }
  for (uint32_t host = 0; host < cluster->host_count; host++)
    if (does_receive(question, host))
      raise_for(cutting, host);
}

/* The smallest cut between two hosts. */
static void cut_between(struct cutting *cutting, uint32_t from, uint32_t to)
{
  const struct tny_cluster *cluster = cutting->question->cluster;
  for (uint32_t i = 0; i < cluster->link_count; i++)
    tny_flow_set(cutting->flow, i, cluster->links[i].best_bps);
  const tny_wide value = tny_flow_run(cutting->flow, from, to);
  if (tny_bottleneck_is_worse(cutting->worst, cut_load(cutting), value))
    record_cut(cutting);
}

/* Between one host and each other one: what is one host's for all, or all hosts' for one. */
static void cut_around(struct cutting *cutting, uint32_t center, bool goes_out, bool comes_in)
{
  const struct tny_bound_question *question = cutting->question;
  for (uint32_t host = 0; host < question->cluster->host_count; host++) {
    if (question->ranks_on[host] == 0 || host == center)
      continue;
    if (goes_out)
      cut_between(cutting, center, host);
    if (comes_in)
      cut_between(cutting, host, center);
  }
}

/* The cut, found for what goes the other way. */
static void turn(const struct cutting *cutting)
{
  for (uint32_t node = 0; node < cutting->node_count; node++)
    cutting->worst->inside[node] = !cutting->worst->inside[node];
  cutting->worst->link ^= 1;
}

static void cut(struct cutting *cutting)
{
  const struct tny_bound_question *question = cutting->question;
  const struct tny_collective_row *row = tny_collective_row(question->collective);
  uint32_t center = question->root_host;
  while (question->ranks_on[center] == 0)
    center++;
  cutting->is_turned = row->reduces && row->input.is_per_rank;
  if (row->input.holder == TNY_AT_ROOT) {
    cut_around(cutting, center, true, false);
  } else if (row->reduces && !row->input.is_per_rank) {
    cut_around(cutting, center, tny_collective_shares_result(question->collective), true);
  } else {
    cut_from_all(cutting);
    if (cutting->is_turned)
      turn(cutting);
  }
}

enum tny_status tny_bound_by_cuts(const struct tny_bound_question *question,
                                  struct tny_bottleneck *worst, struct tny_error *error)
{
  const struct tny_cluster *cluster = question->cluster;
  const uint32_t node_count = cluster->host_count + cluster->switch_count;
  struct cutting cutting = {
      .question = question,
      .flow = tny_flow_new(node_count + 1, cluster->link_count + cluster->host_count),
      .node_count = node_count,
      .worst = worst};
  worst->inside = tny_new(node_count, sizeof *worst->inside);
  if (!cutting.flow || !worst->inside) {
    tny_flow_free(cutting.flow);
    return tny_error_memory(error);
  }
  for (uint32_t i = 0; i < cluster->link_count; i++)
    tny_flow_add(cutting.flow, cluster->links[i].from, cluster->links[i].to);
  for (uint32_t host = 0; host < cluster->host_count; host++)
    tny_flow_add(cutting.flow, node_count, host);
  cut(&cutting);
  tny_flow_free(cutting.flow);
  return TNY_OK;
}
