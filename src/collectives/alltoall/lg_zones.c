/* All-to-all, local group on any number of clusters: what has to cross from one zone to another is
   first gathered within it, and crosses once, straight to where it goes.

   Source: Jeannot, Steffenel, "Fast and efficient total exchange on two clusters", 4, and 6, where
           more than two clusters are future work. That each item crosses a wide link once is
           MagPIe's rule (Kielmann and others 1999); zones of unequal sizes with as many streams as
           ranks: Sanders and Traeff 2002
   Needs:  ranks in 2 to 64 zones of a cluster; where it has but one, each switch is a zone, and
           where it has but one, each host with several ranks. Of two zones, C1 is the one with
           fewer ranks (of equals the first), n1 <= n2
   Shape:  zones (0 1) (2 3) (4 5): pairs within each zone exchange their own and what the other is
           to carry for each other zone; then, 2 blocks each, 0>2 1>5 2>4 3>1 4>0 5>3, then
           0>4 1>3 2>0 3>5 4>2 5>1
   Cost:   between two zones n2 messages each way, as in lg; a zone has the sum of these over all
           others, dealt out evenly to its n ranks. The wide rounds are as many as the busiest rank
           has messages, ceil(sum / n): an edge colouring of who sends and who receives. With two
           zones it is lg
   Links:  one message a port and phase, each block once on the wide links. Each rank begins with
           another zone, so that all wide links are used at the same time
   Prefer: for long blocks between several zones over wide links (284 ms against 339 ms of
           pairwise-xor for 64 KiB on zones:4+4+4,delay=10ms, predicted). Where trunks are slow but
           near, planned-phases (docs/measured.md)

   Local phases are shifts within a zone: first everyone's own blocks, then what is kept for one
   other zone after the other, as in lg. Sends of a rank follow each other; its wide messages wait
   until its local ones are complete. */
#include "collectives/list.h"
#include "collectives/shared/lg.h"

/* As many as the generator makes; of more, every rank would have messages for nearly as many as
   there are. */
enum { ZONES_MAX = 64 };

static const char *refuse(const struct tny_problem *problem)
{
  const uint32_t zones = tny_lg_zone_count(problem);
  if (zones > ZONES_MAX)
    return "more than 64 zones";
  return zones > 1 ? NULL : "needs ranks on several switches or shared hosts";
}

const struct tny_algorithm tny_alltoall_lg_zones = {
    .collective = TNY_ALLTOALL,
    .name = "lg-zones",
    .source = "jeannot2007",
    .summary = "any number of clusters: gather within each, each block crosses once",
    .needs = "2 to 64 zones, switches, or shared hosts",
    .cut = TNY_CUT_NEVER,
    .pacing = TNY_PACE_NONE,
    .refuse = refuse,
    .prepare = tny_lg_prepare,
    .release = tny_lg_release,
    .claim = tny_lg_claim,
    .emit = tny_lg_emit,
};
