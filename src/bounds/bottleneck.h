/* What the files of the bounds share. bounds.c asks the question and puts the answer in words;
   link_loads.c and cuts.c find the bottleneck, of single links and of cuts. */
#ifndef TOURNEY_BOUNDS_BOTTLENECK_H
#define TOURNEY_BOUNDS_BOTTLENECK_H

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
  bool *inside; /* by node: on the sending side of the cut; NULL: a single link, or all ports */
};

/* Whether so many blocks over this bandwidth take longer than the bottleneck so far. */
static inline bool tny_bottleneck_is_worse(const struct tny_bottleneck *old, uint64_t blocks,
                                           tny_wide bandwidth_bps)
{
  if (old->bandwidth_bps == 0)
    return blocks > 0;
  return (tny_wide)blocks * old->bandwidth_bps > old->blocks * bandwidth_bps;
}

/* What each link carries under the given routes, where all ranks have a block for each of the
   others (link_loads.c). */
enum tny_status tny_bound_by_routes(const struct tny_bound_question *question,
                                    struct tny_bottleneck *worst,
                                    struct tny_error *error) TNY_MUST_CHECK;
/* On a tree: what each link must carry at least (link_loads.c). */
enum tny_status tny_bound_on_tree(const struct tny_bound_question *question,
                                  struct tny_bottleneck *worst,
                                  struct tny_error *error) TNY_MUST_CHECK;
/* Of a barrier: the longest of the ways of least latency between hosts with ranks, two at least
   (delays.c). Fills in all of *bound but its link. Cost: that of a search from each such host. */
enum tny_status tny_bound_by_delay(const struct tny_bound_question *question,
                                   struct tny_bound *bound, struct tny_error *error) TNY_MUST_CHECK;
/* The same on any graph, by cuts (cuts.c). Owns: worst->inside is the caller's (tny_free). */
enum tny_status tny_bound_by_cuts(const struct tny_bound_question *question,
                                  struct tny_bottleneck *worst,
                                  struct tny_error *error) TNY_MUST_CHECK;

#endif
