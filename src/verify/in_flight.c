/* In flight: the most messages that can be sent and not yet received at one moment, link by link.

   A set of messages can be in flight together if and only if none of them must be received before
   another is sent: run just what has to happen before their sends, and the sends. So the most is
   the largest antichain under "received before sent", which is a partial order. */
#include <tourney/verify.h>

#include "core/error.h"
#include "verify/antichain.h"
#include "verify/crossings.h"

static enum tny_status count_links(const struct tny_crossings *crossings, uint32_t *in_flight,
                                   struct tny_error *error)
{
  const uint32_t link_count = crossings->network->routes->cluster->link_count;
  struct tny_run run;
  struct tny_follow follow;
  enum tny_status status = tny_run_make(crossings->match, &run, error);
  if (status == TNY_OK)
    status = tny_follow_make(crossings->match, &run, &follow, error);
  for (uint32_t link = 0; status == TNY_OK && link < link_count; link++) {
    const size_t first = crossings->first[link];
    status = tny_antichain_count(&follow, crossings->sends + first,
                                 (uint32_t)(crossings->first[link + 1] - first), &in_flight[link],
                                 error);
  }
  return status;
}

static enum tny_status check_limit(const struct tny_crossings *crossings, uint32_t message_limit,
                                   struct tny_error *error)
{
  const struct tny_cluster *cluster = crossings->network->routes->cluster;
  for (uint32_t link = 0; link < cluster->link_count; link++) {
    const size_t count = crossings->first[link + 1] - crossings->first[link];
    if (count > message_limit)
      return tny_error_set(error, TNY_REFUSED,
                           "the link %s -> %s carries %zu messages, more than the %u whose order "
                           "is looked at",
                           cluster->node_names[cluster->links[link].from],
                           cluster->node_names[cluster->links[link].to], count, message_limit);
  }
  return TNY_OK;
}

enum tny_status tny_verify_in_flight(const struct tny_schedule *schedule,
                                     const struct tny_network *network, uint32_t message_limit,
                                     uint32_t *in_flight, struct tny_error *error)
{
  struct tny_match match;
  struct tny_crossings crossings;
  enum tny_status status = tny_match_make(schedule, &match, error);
  if (status != TNY_OK)
    return status;
  status = tny_crossings_make(&match, network, &crossings, error);
  if (status == TNY_OK)
    status = check_limit(&crossings, message_limit, error);
  if (status == TNY_OK)
    status = count_links(&crossings, in_flight, error);
  tny_match_release(&match);
  return status;
}
