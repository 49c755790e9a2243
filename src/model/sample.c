/* What is known of an algorithm without planning all ranks: a sample of its phases, and what it
   claims. */
#include "model/sample.h"

#include "core/random.h"

uint32_t tny_sample_phase(uint32_t total, uint32_t i)
{
  const uint32_t size = tny_sample_size(total);
  const uint64_t first = (uint64_t)total * i / size, end = (uint64_t)total * (i + 1) / size;
  uint64_t counter = i;
  return (uint32_t)(first + tny_random_next(&counter) % (end - first));
}

/* In a phase no rank sends more messages than its port is promised to have at most; a message has
   a block or more, but for pieces. */
uint64_t tny_claimed_messages(const struct tny_claim *claim, uint32_t rank_count)
{
  const uint64_t a_phase = claim->port_messages > 0 ? claim->port_messages : UINT32_MAX;
  const uint64_t by_phase = a_phase * claim->phases;
  const uint64_t sent = tny_claim_sent_max(claim);
  const bool is_fewer = claim->phases > 0 && by_phase < sent;
  return (is_fewer ? by_phase : sent) * rank_count;
}

uint32_t tny_promised_messages(const struct tny_claim *claim, const struct tny_problem *problem,
                               const struct tny_cluster *cluster)
{
  const struct tny_placement *placement = problem->placement;
  if (!placement || claim->blocks_sent_max > claim->phases)
    return 0;
  const bool one_a_host = placement->host_count == problem->rank_count;
  if (tny_cluster_is_tree(cluster) && claim->tree_link_messages > 0)
    return claim->tree_link_messages;
  if (one_a_host && cluster->switch_count == 1)
    return claim->port_messages;
  if (one_a_host && placement->grid.dimension_count > 0 && claim->grid_link_messages > 0)
    return claim->grid_link_messages > claim->port_messages ? claim->grid_link_messages
                                                            : claim->port_messages;
  return claim->link_messages;
}
