/* Links: how many messages of a phase share a directed link, and how many bytes each link carries.
   Ranks on the same host use no link; tokens don't count. */
#include <tourney/verify.h>

#include "cluster/route.h"
#include "core/arena.h"
#include "core/error.h"
#include "verify/crossings.h"

struct load_count {
  const struct tny_match *match;
  const struct tny_network *network;
  struct tny_report *report;
  uint32_t limit;
  uint32_t *messages; /* ids of the sends that belong to a phase, by phase */
  uint32_t message_count;
  uint32_t *on_link; /* by link: messages of the current phase */
};

static void collect(struct load_count *count)
{
  const struct tny_match *match = count->match;
  for (uint32_t id = 0; id < match->step_count; id++) {
    const struct tny_step *step = tny_match_step(match, id);
    if (step->kind != TNY_SEND || step->phase == TNY_NONE)
      continue;
    count->messages[count->message_count++] = id;
  }
  tny_phases_sort(match, count->messages, count->message_count);
}

static struct tny_route route_of(const struct load_count *count, uint32_t id)
{
  return tny_route_begin(count->network, count->match->rank_of[id],
                         tny_match_step(count->match, id)->peer);
}

static bool crosses(const struct load_count *count, uint32_t id, uint32_t wanted)
{
  struct tny_route route = route_of(count, id);
  uint32_t link;
  while ((link = tny_route_next(&route)) != TNY_NONE)
    if (link == wanted)
      return true;
  return false;
}

static enum tny_status too_many(const struct load_count *count, uint32_t last, uint32_t link,
                                struct tny_error *error)
{
  const struct tny_match *match = count->match;
  const struct tny_cluster *cluster = count->network->routes->cluster;
  const uint32_t id = count->messages[last];
  uint32_t other = last;
  while (other > 0 && !crosses(count, count->messages[other - 1], link))
    other--;
  const uint32_t other_id = count->messages[other > 0 ? other - 1 : 0];
  return tny_error_set(
      error, TNY_BROKEN, "phase %u puts %u messages on the link %s -> %s, %u allowed: %s and %s",
      tny_match_step(match, id)->phase, count->on_link[link],
      cluster->node_names[cluster->links[link].from], cluster->node_names[cluster->links[link].to],
      count->limit, tny_words_id(match, other_id).text, tny_words_id(match, id).text);
}

/* Notes the most messages of a phase on any link, and on any trunk. */
static void note_most(const struct load_count *count, uint32_t link)
{
  const struct tny_cluster *cluster = count->network->routes->cluster;
  const uint32_t messages = count->on_link[link];
  const bool is_trunk = cluster->links[link].from >= cluster->host_count &&
                        cluster->links[link].to >= cluster->host_count;
  struct tny_report *report = count->report;
  if (messages > report->phase_link_messages) {
    report->phase_link_messages = messages;
    report->phase_link = link;
  }
  if (is_trunk && messages > report->phase_trunk_messages) {
    report->phase_trunk_messages = messages;
    report->phase_trunk = link;
  }
}

/* Adds the i-th message to the counts of its phase. */
static enum tny_status add_message(struct load_count *count, uint32_t i, struct tny_error *error)
{
  struct tny_route route = route_of(count, count->messages[i]);
  uint32_t link;
  while ((link = tny_route_next(&route)) != TNY_NONE) {
    const uint32_t messages = ++count->on_link[link];
    note_most(count, link);
    if (count->limit > 0 && messages > count->limit)
      return too_many(count, i, link, error);
  }
  return TNY_OK;
}

/* Empties the counts that the messages first .. end - 1 went into. */
static void forget_phase(struct load_count *count, uint32_t first, uint32_t end)
{
  for (uint32_t i = first; i < end; i++) {
    struct tny_route route = route_of(count, count->messages[i]);
    uint32_t link;
    while ((link = tny_route_next(&route)) != TNY_NONE)
      count->on_link[link] = 0;
  }
}

static enum tny_status count_phases(struct load_count *count, struct tny_error *error)
{
  uint32_t first = 0;
  for (uint32_t i = 0; i < count->message_count; i++) {
    if (tny_match_step(count->match, count->messages[i])->phase !=
        tny_match_step(count->match, count->messages[first])->phase) {
      forget_phase(count, first, i);
      first = i;
    }
    const enum tny_status status = add_message(count, i, error);
    if (status != TNY_OK)
      return status;
  }
  return TNY_OK;
}

enum tny_status tny_verify_links(const struct tny_schedule *schedule,
                                 const struct tny_network *network, uint32_t limit,
                                 struct tny_report *report, struct tny_error *error)
{
  struct tny_match match;
  enum tny_status status = tny_match_make(schedule, &match, error);
  if (status != TNY_OK)
    return status;
  struct tny_report unwanted;
  struct load_count count = {
      .match = &match, .network = network, .report = report ? report : &unwanted, .limit = limit};
  count.report->phases = tny_phases_of(&match);
  count.report->phase_link_messages = count.report->phase_trunk_messages = 0;
  count.report->phase_link = count.report->phase_trunk = TNY_NONE;
  count.messages = tny_arena_take(match.arena, match.step_count, sizeof *count.messages);
  count.on_link =
      tny_arena_take(match.arena, network->routes->cluster->link_count, sizeof *count.on_link);
  if (!count.messages || !count.on_link)
    status = tny_error_memory(error);
  if (status == TNY_OK)
    status = tny_phases_agree(&match, error);
  if (status == TNY_OK) {
    collect(&count);
    status = count_phases(&count, error);
  }
  tny_match_release(&match);
  return status;
}

enum tny_status tny_verify_load(const struct tny_schedule *schedule,
                                const struct tny_network *network, uint64_t block_bytes,
                                uint64_t *load_bytes, struct tny_error *error)
{
  const enum tny_status status = tny_shape_check(schedule, error);
  if (status != TNY_OK)
    return status;
  memset(load_bytes, 0, network->routes->cluster->link_count * sizeof *load_bytes);
  for (uint32_t rank = 0; rank < schedule->rank_count; rank++) {
    for (uint32_t i = 0; i < schedule->ranks[rank].count; i++) {
      const struct tny_step *step = &schedule->ranks[rank].steps[i];
      if (step->kind != TNY_SEND)
        continue;
      struct tny_route route = tny_route_begin(network, rank, step->peer);
      uint32_t link;
      while ((link = tny_route_next(&route)) != TNY_NONE)
        load_bytes[link] += tny_span_bytes(&step->span, block_bytes);
    }
  }
  return TNY_OK;
}
