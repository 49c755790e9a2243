/* What the local-group algorithms share: ranks in zones, where all that has to cross between two is
   first gathered within each, such that each pair of ranks that crosses exchanges one message. */
#ifndef TOURNEY_COLLECTIVES_SHARED_LG_H
#define TOURNEY_COLLECTIVES_SHARED_LG_H

#include <tourney/algorithm.h>

/* How many zones there are: of the cluster (tny_cluster_zones); where it has but one, each switch
   is a zone, and where there is but one, each host that ranks share; 1: there are none. */
uint32_t tny_lg_zone_count(const struct tny_problem *problem);

/* As in struct tny_algorithm, for problems with two zones or more. */
enum tny_status tny_lg_prepare(const struct tny_problem *problem, void **prepared,
                               struct tny_error *error) TNY_MUST_CHECK;
void tny_lg_release(void *prepared);
struct tny_claim tny_lg_claim(const struct tny_problem *problem);
void tny_lg_emit(const struct tny_problem *problem, uint32_t rank, struct tny_builder *builder);

#endif
