/* Links: how many messages of a phase share a directed link, and how many bytes each link carries.
   Ranks on the same host use no link; tokens don't count. */
#include <tourney/verify.h>

#include "cluster/links.h"
#include "cluster/route.h"
#include "core/arena.h"
#include "core/error.h"
#include "schedule/match.h"
#include "schedule/well_formed.h"
#include "schedule/words.h"

/* A message that belongs to a phase: a send of rank `from`, its step `index`. */
struct message {
  uint32_t phase, from, to, index;
};

/* Messages of one phase on a link; of an earlier one: none of the phase that is being counted. */
struct tally {
  uint32_t phase, messages;
};

struct load_count {
  const struct tny_schedule *schedule;
  const struct tny_network *network;
  struct tny_report *report;
  uint32_t limit;
  struct message *messages; /* by phase; those of a phase by rank and in list order */
  size_t message_count;
  struct tally *on_link; /* by link */
};

static bool has_phase(const struct tny_step *step)
{
  return tny_step_starts_message(step->kind) && step->phase != TNY_NONE;
}

/* Counts the phases, and the messages that have one; each has a rank to go to. */
static enum tny_status look_over(struct load_count *count, struct tny_error *error)
{
  const struct tny_schedule *schedule = count->schedule;
  for (uint32_t rank = 0; rank < schedule->rank_count; rank++) {
    for (uint32_t i = 0; i < schedule->ranks[rank].count; i++) {
      const struct tny_step *step = &schedule->ranks[rank].steps[i];
      if (step->phase != TNY_NONE && step->phase >= count->report->phases)
        count->report->phases = step->phase + 1;
      if (!has_phase(step))
        continue;
      count->message_count++;
      if (step->peer >= schedule->rank_count)
        return tny_error_set(error, TNY_BROKEN, "%s names no other rank of %u",
                             tny_words_rank_step(schedule, rank, i).text, schedule->rank_count);
    }
  }
  return TNY_OK;
}

static void collect(const struct load_count *count)
{
  const struct tny_schedule *schedule = count->schedule;
  struct message *next = count->messages;
  for (uint32_t rank = 0; rank < schedule->rank_count; rank++) {
    for (uint32_t i = 0; i < schedule->ranks[rank].count; i++) {
      const struct tny_step *step = &schedule->ranks[rank].steps[i];
      if (has_phase(step))
        *next++ = (struct message){step->phase, rank, step->peer, i};
    }
  }
}

/* A radix sort, which keeps the order within a phase. `spare` has as many entries as there are
   messages. */
static void sort_by_phase(struct load_count *count, struct message *spare)
{
  enum { DIGITS = 256, DIGIT_BITS = 8 };
  const uint32_t highest = count->report->phases ? count->report->phases - 1 : 0;
  for (uint32_t shift = 0; shift < 32 && highest >> shift > 0; shift += DIGIT_BITS) {
    size_t first[DIGITS + 1] = {0};
    for (size_t i = 0; i < count->message_count; i++)
      first[1 + (count->messages[i].phase >> shift) % DIGITS]++;
    for (uint32_t digit = 0; digit < DIGITS; digit++)
      first[digit + 1] += first[digit];
    for (size_t i = 0; i < count->message_count; i++)
      spare[first[(count->messages[i].phase >> shift) % DIGITS]++] = count->messages[i];
    struct message *sorted = spare;
    spare = count->messages;
    count->messages = sorted;
  }
}

static struct tny_route route_of(const struct load_count *count, const struct message *message)
{
  return tny_route_begin(count->network, message->from, message->to);
}

static bool crosses(const struct load_count *count, const struct message *message, uint32_t wanted)
{
  struct tny_route route = route_of(count, message);
  uint32_t link;
  while ((link = tny_route_next(&route)) != TNY_NONE)
    if (link == wanted)
      return true;
  return false;
}

static struct tny_words words_of(const struct load_count *count, const struct message *message)
{
  return tny_words_rank_step(count->schedule, message->from, message->index);
}

/* Refuses the phase: `last` is the message with which the link has one too many. */
static enum tny_status too_many(const struct load_count *count, const struct message *last,
                                uint32_t link, struct tny_error *error)
{
  const struct tny_cluster *cluster = count->network->routes->cluster;
  const struct message *other = last;
  do
    other--;
  while (!crosses(count, other, link));
  return tny_error_set(
      error, TNY_BROKEN, "phase %u puts %u messages on the link %s -> %s, %u allowed: %s and %s",
      last->phase, count->on_link[link].messages, cluster->node_names[cluster->links[link].from],
      cluster->node_names[cluster->links[link].to], count->limit, words_of(count, other).text,
      words_of(count, last).text);
}

/* Notes the most messages of a phase on any link, and on any trunk. */
static void note_most(const struct load_count *count, uint32_t link, uint32_t messages)
{
  struct tny_report *report = count->report;
  if (messages > report->phase_link_messages) {
    report->phase_link_messages = messages;
    report->phase_link = link;
  }
  if (messages > report->phase_trunk_messages &&
      tny_link_is_trunk(count->network->routes->cluster, link)) {
    report->phase_trunk_messages = messages;
    report->phase_trunk = link;
  }
}

static enum tny_status count_message(const struct load_count *count, const struct message *message,
                                     struct tny_error *error)
{
  struct tny_route route = route_of(count, message);
  uint32_t link;
  while ((link = tny_route_next(&route)) != TNY_NONE) {
    struct tally *tally = &count->on_link[link];
    if (tally->phase != message->phase)
      *tally = (struct tally){.phase = message->phase};
    tally->messages++;
    note_most(count, link, tally->messages);
    if (count->limit > 0 && tally->messages > count->limit)
      return too_many(count, message, link, error);
  }
  return TNY_OK;
}

static enum tny_status count_phases(struct load_count *count, struct tny_arena *arena,
                                    struct tny_error *error)
{
  struct message *spare = tny_arena_take(arena, count->message_count, sizeof *spare);
  count->messages = tny_arena_take(arena, count->message_count, sizeof *count->messages);
  count->on_link =
      tny_arena_take(arena, count->network->routes->cluster->link_count, sizeof *count->on_link);
  if (!spare || !count->messages || !count->on_link)
    return tny_error_memory(error);
  collect(count);
  sort_by_phase(count, spare);
  enum tny_status status = TNY_OK;
  for (size_t i = 0; status == TNY_OK && i < count->message_count; i++)
    status = count_message(count, &count->messages[i], error);
  return status;
}

enum tny_status tny_verify_links(const struct tny_schedule *schedule,
                                 const struct tny_network *network, uint32_t limit,
                                 struct tny_report *report, struct tny_error *error)
{
  struct tny_report unwanted;
  struct load_count count = {.schedule = schedule,
                             .network = network,
                             .report = report ? report : &unwanted,
                             .limit = limit};
  count.report->phases = 0;
  count.report->phase_link_messages = count.report->phase_trunk_messages = 0;
  count.report->phase_link = count.report->phase_trunk = TNY_NONE;
  enum tny_status status = tny_network_check(network, schedule->rank_count, error);
  if (status == TNY_OK)
    status = look_over(&count, error);
  if (status != TNY_OK)
    return status;
  struct tny_arena *arena = tny_arena_new();
  if (!arena)
    return tny_error_memory(error);
  status = count_phases(&count, arena, error);
  tny_arena_free(arena);
  return status;
}

enum tny_status tny_verify_load(const struct tny_schedule *schedule,
                                const struct tny_network *network, uint64_t block_bytes,
                                uint64_t *load_bytes, struct tny_error *error)
{
  enum tny_status status = tny_network_check(network, schedule->rank_count, error);
  if (status == TNY_OK)
    status = tny_well_formed_check(schedule, error);
  if (status != TNY_OK)
    return status;
  memset(load_bytes, 0, network->routes->cluster->link_count * sizeof *load_bytes);
  for (uint32_t rank = 0; rank < schedule->rank_count; rank++) {
    for (uint32_t i = 0; i < schedule->ranks[rank].count; i++) {
      const struct tny_step *step = &schedule->ranks[rank].steps[i];
      if (!tny_step_starts_message(step->kind))
        continue;
      struct tny_route route = tny_route_begin(network, rank, step->peer);
      uint32_t link;
      while ((link = tny_route_next(&route)) != TNY_NONE)
        load_bytes[link] += tny_span_bytes(&step->span, block_bytes);
    }
  }
  return TNY_OK;
}
