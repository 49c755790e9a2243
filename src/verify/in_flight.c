/* In flight: the most messages that can be sent and not yet received at one moment, link by link.

   A set of messages can be in flight together if and only if none of them must be received before
   another is sent: run just what has to happen before their sends, and the sends. So the most is
   the largest antichain under "received before sent", which is a partial order. */
#include "core/alloc.h"
#include "core/error.h"
#include "verify/antichain.h"
#include "verify/route.h"

struct crossing {
  const struct tny_match *match;
  const struct tny_network *network;
  size_t *end;     /* by link: behind its messages in `sends`; while filling: next free place */
  uint32_t *sends; /* ids, by link, ascending */
};

/* Calls for each link that each message crosses: counts it, or notes the message. */
static void each_crossing(const struct crossing *crossing, bool note)
{
  const struct tny_match *match = crossing->match;
  for (uint32_t id = 0; id < match->step_count; id++) {
    const struct tny_step *step = tny_match_step(match, id);
    if (step->kind != TNY_SEND)
      continue;
    struct tny_route route = tny_route_begin(crossing->network, match->rank_of[id], step->peer);
    uint32_t link;
    while ((link = tny_route_next(&route)) != TNY_NONE) {
      if (note)
        crossing->sends[crossing->end[link]] = id;
      crossing->end[link]++;
    }
  }
}

static enum tny_status note_crossings(struct crossing *crossing, uint32_t message_limit,
                                      struct tny_error *error)
{
  const struct tny_cluster *cluster = crossing->network->routes->cluster;
  size_t total = 0;
  each_crossing(crossing, false);
  for (uint32_t link = 0; link < cluster->link_count; link++) {
    const size_t count = crossing->end[link];
    if (count > message_limit)
      return tny_error_set(error, TNY_REFUSED,
                           "the link %s -> %s carries %zu messages, more than the %u whose order "
                           "is looked at",
                           cluster->node_names[cluster->links[link].from],
                           cluster->node_names[cluster->links[link].to], count, message_limit);
    crossing->end[link] = total;
    total += count;
  }
  crossing->sends = tny_new(total, sizeof *crossing->sends);
  if (!crossing->sends)
    return tny_error_memory(error);
  each_crossing(crossing, true);
  return TNY_OK;
}

static enum tny_status count_links(const struct crossing *crossing, uint32_t *in_flight,
                                   struct tny_error *error)
{
  const uint32_t link_count = crossing->network->routes->cluster->link_count;
  struct tny_run run;
  struct tny_follow follow;
  enum tny_status status = tny_run_make(crossing->match, &run, error);
  if (status == TNY_OK)
    status = tny_follow_make(crossing->match, &run, &follow, error);
  for (uint32_t link = 0; status == TNY_OK && link < link_count; link++) {
    const size_t first = link == 0 ? 0 : crossing->end[link - 1];
    status = tny_antichain_count(&follow, crossing->sends + first,
                                 (uint32_t)(crossing->end[link] - first), &in_flight[link], error);
  }
  return status;
}

enum tny_status tny_verify_in_flight(const struct tny_schedule *schedule,
                                     const struct tny_network *network, uint32_t message_limit,
                                     uint32_t *in_flight, struct tny_error *error)
{
  struct tny_match match;
  enum tny_status status = tny_match_make(schedule, &match, error);
  if (status != TNY_OK)
    return status;
  struct crossing crossing = {.match = &match, .network = network};
  crossing.end = tny_new(network->routes->cluster->link_count, sizeof *crossing.end);
  if (!crossing.end)
    status = tny_error_memory(error);
  if (status == TNY_OK)
    status = note_crossings(&crossing, message_limit, error);
  if (status == TNY_OK)
    status = count_links(&crossing, in_flight, error);
  tny_free(crossing.end);
  tny_free(crossing.sends);
  tny_match_release(&match);
  return status;
}
