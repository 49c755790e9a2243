/* Separated: no message of a later phase meets one of an earlier phase on a link.

   On each link, the messages of a phase are held against those of the phase before (of those that
   use the link). That is enough for all phases: let x, y and z be of three such phases. If y starts
   after x is received, z starts after that too, as it starts after y. If y follows x through the
   sender's port and z starts after y is received, then y is past the link by then, and x, in front
   of it, is too. And if z follows y as well, all three go one behind the other. */
#include <tourney/verify.h>

#include "cluster/route.h"
#include "core/error.h"
#include "verify/crossings.h"
#include "verify/follow.h"

struct separated {
  const struct tny_match *match;
  struct tny_crossings crossings; /* of each link, by phase */
  struct tny_walk walk;           /* the views of a few ranks after the others' */
};

static uint32_t phase_of(const struct tny_match *match, uint32_t id)
{
  return tny_match_step(match, id)->phase;
}

static enum tny_status check_phases(const struct tny_match *match, struct tny_error *error)
{
  for (uint32_t id = 0; id < match->step_count; id++)
    if (tny_step_starts_message(tny_match_step(match, id)->kind) && phase_of(match, id) == TNY_NONE)
      return tny_error_set(error, TNY_REFUSED, "%s has no phase, so it can't be kept out of others",
                           tny_words_id(match, id).text);
  return tny_phases_agree(match, error);
}

/* `later` is a send of one of the ranks whose views the walk has. */
static bool is_past(const struct separated *separated, uint32_t link, uint32_t earlier,
                    uint32_t later)
{
  const struct tny_match *match = separated->match;
  const uint32_t sender = match->rank_of[earlier], index = tny_match_index(match, later);
  const uint32_t view = match->rank_of[later] % TNY_WALK_RANKS;
  const struct tny_views *views = separated->walk.views;
  if (views[match->partner[earlier]].complete[view] <= index)
    return true;
  const uint32_t receivers[2] = {tny_match_step(match, earlier)->peer,
                                 tny_match_step(match, later)->peer};
  return sender == match->rank_of[later] && views[earlier].complete[view] <= index &&
         tny_route_same_until(separated->crossings.network, sender, receivers, link);
}

static enum tny_status meet(const struct separated *separated, uint32_t link, uint32_t earlier,
                            uint32_t later, struct tny_error *error)
{
  const struct tny_match *match = separated->match;
  const struct tny_cluster *cluster = separated->crossings.network->routes->cluster;
  return tny_error_set(
      error, TNY_BROKEN,
      "on the link %s -> %s, %s of phase %u may start while %s of phase %u is still under way",
      cluster->node_names[cluster->links[link].from], cluster->node_names[cluster->links[link].to],
      tny_words_id(match, later).text, phase_of(match, later), tny_words_id(match, earlier).text,
      phase_of(match, earlier));
}

/* The first of a link's messages, from `first` to before `end`, of this phase or a later one. */
static size_t first_of_phase(const struct separated *separated, size_t first, size_t end,
                             uint32_t phase)
{
  while (first < end) {
    const size_t middle = first + (end - first) / 2;
    if (phase_of(separated->match, separated->crossings.sends[middle]) < phase)
      first = middle + 1;
    else
      end = middle;
  }
  return first;
}

/* A message against those of the phase before it on a link. */
static enum tny_status check_crossing(const struct separated *separated, uint32_t link,
                                      uint32_t later, struct tny_error *error)
{
  const struct tny_match *match = separated->match;
  const uint32_t *sends = separated->crossings.sends;
  const size_t first = separated->crossings.first[link];
  const size_t end = first_of_phase(separated, first, separated->crossings.first[link + 1],
                                    phase_of(match, later));
  for (size_t i = end; i-- > first && phase_of(match, sends[i]) == phase_of(match, sends[end - 1]);)
    if (!is_past(separated, link, sends[i], later))
      return meet(separated, link, sends[i], later, error);
  return TNY_OK;
}

static enum tny_status check_rank(const struct separated *separated, uint32_t rank,
                                  struct tny_error *error)
{
  const struct tny_match *match = separated->match;
  if (rank % TNY_WALK_RANKS == 0)
    tny_walk_back(&separated->walk, rank);
  for (uint32_t id = match->first[rank]; id < match->first[rank + 1]; id++) {
    const struct tny_step *step = tny_match_step(match, id);
    if (!tny_step_starts_message(step->kind))
      continue;
    struct tny_route route = tny_route_begin(separated->crossings.network, rank, step->peer);
    uint32_t link;
    while ((link = tny_route_next(&route)) != TNY_NONE) {
      const enum tny_status status = check_crossing(separated, link, id, error);
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
    status = tny_walk_make(match, &run, &separated->walk, error);
  if (status == TNY_OK)
    status = tny_crossings_make(match, network, &separated->crossings, error);
  if (status != TNY_OK)
    return status;
  const size_t *first = separated->crossings.first;
  for (uint32_t link = 0; link < network->routes->cluster->link_count; link++)
    tny_phases_sort(match, separated->crossings.sends + first[link], first[link + 1] - first[link]);
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
