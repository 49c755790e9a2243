/* Separated: no message of a later phase meets one of an earlier phase on a link.

   On each link, the messages of a phase are compared with those of the phase before (of those that
   use the link). That is enough for all phases: let x, y and z be of three such phases. If y starts
   after x is received, z starts after that too, as it starts after y. If y follows x through the
   sender's port and z starts after y is received, then y is past the link by then, and x, in front
   of it, is too. And if z follows y as well, all three go one behind the other. */
#include <tourney/verify.h>

#include "cluster/route.h"
#include "core/error.h"
#include "schedule/words.h"
#include "verify/happens_before.h"
#include "verify/link_sends.h"
#include "verify/phases.h"

struct separated {
  const struct tny_match *match;
  struct tny_link_sends link_sends; /* of each link, by phase */
  struct tny_happens_before order;  /* filled for a few ranks after the others */
};

static uint32_t phase_of(const struct tny_match *match, uint32_t id)
{
  return tny_match_step(match, id)->phase;
}

static enum tny_status check_phases(const struct tny_match *match, struct tny_error *error)
{
  for (uint32_t id = 0; id < match->step_count; id++)
    if (tny_match_step(match, id)->kind == TNY_SEND && phase_of(match, id) == TNY_NONE)
      return tny_error_set(error, TNY_REFUSED, "%s has no phase, so it can't be kept out of others",
                           tny_match_words(match, id).text);
  return tny_phases_agree(match, error);
}

/* `later` is a send of one of the ranks that the last walk covered. */
static bool is_past(const struct separated *separated, uint32_t link, uint32_t earlier,
                    uint32_t later)
{
  const struct tny_match *match = separated->match;
  const uint32_t sender = match->rank_of[earlier], index = tny_match_index(match, later);
  const uint32_t column = match->rank_of[later] % TNY_HAPPENS_BEFORE_RANKS;
  const struct tny_successors *successors = separated->order.successors;
  if (successors[match->partner[earlier]].complete[column] <= index)
    return true;
  const uint32_t receivers[2] = {tny_match_step(match, earlier)->peer,
                                 tny_match_step(match, later)->peer};
  return sender == match->rank_of[later] && successors[earlier].complete[column] <= index &&
         tny_route_same_until(separated->link_sends.network, sender, receivers, link);
}

static enum tny_status refuse_meeting(const struct separated *separated, uint32_t link,
                                      uint32_t earlier, uint32_t later, struct tny_error *error)
{
  const struct tny_match *match = separated->match;
  const struct tny_cluster *cluster = separated->link_sends.network->routes->cluster;
  return tny_error_set(
      error, TNY_BROKEN,
      "on the link %s -> %s, %s of phase %u may start while %s of phase %u is still under way",
      cluster->node_names[cluster->links[link].from], cluster->node_names[cluster->links[link].to],
      tny_match_words(match, later).text, phase_of(match, later),
      tny_match_words(match, earlier).text, phase_of(match, earlier));
}

/* The first of a link's messages, from `first` to before `end`, of this phase or a later one. */
static size_t first_of_phase(const struct separated *separated, size_t first, size_t end,
                             uint32_t phase)
{
  while (first < end) {
    const size_t middle = first + (end - first) / 2;
    if (phase_of(separated->match, separated->link_sends.sends[middle]) < phase)
      first = middle + 1;
    else
      end = middle;
  }
  return first;
}

/* Compares a message with those of the phase before it on a link. */
static enum tny_status check_on_link(const struct separated *separated, uint32_t link,
                                     uint32_t later, struct tny_error *error)
{
  const struct tny_match *match = separated->match;
  const uint32_t *sends = separated->link_sends.sends;
  const size_t first = separated->link_sends.first[link];
  const size_t end = first_of_phase(separated, first, separated->link_sends.first[link + 1],
                                    phase_of(match, later));
  for (size_t i = end; i-- > first && phase_of(match, sends[i]) == phase_of(match, sends[end - 1]);)
    if (!is_past(separated, link, sends[i], later))
      return refuse_meeting(separated, link, sends[i], later, error);
  return TNY_OK;
}

static enum tny_status check_rank(const struct separated *separated, uint32_t rank,
                                  struct tny_error *error)
{
  const struct tny_match *match = separated->match;
  if (rank % TNY_HAPPENS_BEFORE_RANKS == 0)
    tny_happens_before_fill(&separated->order, rank);
  for (uint32_t id = match->first[rank]; id < match->first[rank + 1]; id++) {
    const struct tny_step *step = tny_match_step(match, id);
    if (step->kind != TNY_SEND)
      continue;
    struct tny_route route = tny_route_begin(separated->link_sends.network, rank, step->peer);
    uint32_t link;
    while ((link = tny_route_next(&route)) != TNY_NONE) {
      const enum tny_status status = check_on_link(separated, link, id, error);
      if (status != TNY_OK)
        return status;
    }
  }
  return TNY_OK;
}

static enum tny_status check_all(struct separated *separated, const struct tny_network *network,
                                 struct tny_error *error)
{
  const struct tny_match *match = separated->match;
  struct tny_run run;
  enum tny_status status = check_phases(match, error);
  if (status == TNY_OK)
    status = tny_run_make(match, &run, error);
  if (status == TNY_OK)
    status = tny_happens_before_make(match, &run, &separated->order, error);
  if (status == TNY_OK)
    status = tny_link_sends_make(match, network, &separated->link_sends, error);
  if (status != TNY_OK)
    return status;
  const size_t *first = separated->link_sends.first;
  for (uint32_t link = 0; link < network->routes->cluster->link_count; link++)
    tny_phases_sort(match, separated->link_sends.sends + first[link],
                    first[link + 1] - first[link]);
  for (uint32_t rank = 0; status == TNY_OK && rank < match->schedule->rank_count; rank++)
    status = check_rank(separated, rank, error);
  return status;
}

enum tny_status tny_verify_separated(const struct tny_schedule *schedule,
                                     const struct tny_network *network, struct tny_error *error)
{
  struct tny_match match;
  enum tny_status status = tny_network_check(network, schedule->rank_count, error);
  if (status == TNY_OK)
    status = tny_match_make(schedule, &match, error);
  if (status != TNY_OK)
    return status;
  struct separated separated = {.match = &match};
  status = check_all(&separated, network, error);
  tny_match_release(&match);
  return status;
}
