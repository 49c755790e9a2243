/* What the bounds' two files share: bounds.c counts what single links must carry, cuts.c finds the
   cuts of graphs with cycles. */
#ifndef TOURNEY_CLUSTER_BOUNDS_H
#define TOURNEY_CLUSTER_BOUNDS_H

#include <tourney/cluster.h>

#include "cluster/flow.h"

struct tny_bound_question {
  const struct tny_cluster *cluster;
  const struct tny_routes *routes;
  const uint32_t *ranks_on; /* by host */
  uint32_t rank_count;
  uint32_t root_host; /* 0 where there is no root */
  enum tny_collective collective;
  uint64_t block_bytes;
};

/* What limits: `blocks` have to pass links of `bandwidth_bps` together. */
struct tny_bottleneck {
  uint64_t blocks;
  tny_wide bandwidth_bps;
  uint32_t link, link_count; /* the first link and how many */
  bool *inside;              /* by node: on the sending side of the cut; NULL: a single link */
};

/* Whether so many blocks over this bandwidth take longer than the bottleneck so far. */
bool tny_bottleneck_is_worse(const struct tny_bottleneck *old, uint64_t blocks,
                             tny_wide bandwidth_bps);
/* On a tree: what each link must carry at least, where what a rank has is the same for all. */
enum tny_status tny_bound_on_tree(const struct tny_bound_question *question,
                                  struct tny_bottleneck *worst,
                                  struct tny_error *error) TNY_MUST_CHECK;
/* The same on any graph, by cuts. Owns: worst->inside is the caller's (tny_free). */
enum tny_status tny_bound_by_cuts(const struct tny_bound_question *question,
                                  struct tny_bottleneck *worst,
                                  struct tny_error *error) TNY_MUST_CHECK;

#endif
