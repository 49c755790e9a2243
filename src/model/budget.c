/* How many messages can be in flight over each link, from the schedule alone: while ranks keep
   step, and at worst.

   The number at worst is an upper bound, which is cheap where the exact count
   (tny_verify_in_flight) isn't. It covers the messages of a link by chains in which each message is
   received before the next one may be sent, so that no two messages of a chain are in flight at
   once (Dilworth). There are two ways to choose the chains, and the smaller number counts:
     by rank   through a rank, from what it receives and waits for to what it sends. These chains
               serve all links; a link has at most one message in flight of each chain
     by link   for each link, of its own messages only: those that a rank received, or knows to be
               received by a token, before it sends over the link

   The messages are listed by link here, in the prover (verify/link_sends.h) and in the passes, each
   time by code of its own: the prover shares none with what it proves, and this bound is tested
   against the prover's exact count. */
#include <tourney/model.h>

#include "cluster/route.h"
#include "core/alloc.h"
#include "core/error.h"
#include "schedule/match.h"

/* A message and a link that it crosses. */
struct crossing {
  uint32_t link, phase, send;
  bool has_next; /* in the link's own chains */
};

struct survey {
  struct tny_match match;
  const struct tny_network *network;
  uint32_t link_count;
  struct crossing *crossings; /* those of a message stand together */
  size_t count;
  size_t *first;            /* by id of a send: its first crossing; step_count + 1 */
  struct crossing **sorted; /* by link, then phase */
};

/* --- crossings --- */

/* Counts, or notes where there is room. */
static size_t walk_routes(struct survey *survey, bool note)
{
  const struct tny_match *match = &survey->match;
  size_t count = 0;
  for (uint32_t id = 0; id < match->step_count; id++) {
    const struct tny_step *step = tny_match_step(match, id);
    if (note)
      survey->first[id] = count;
    if (!tny_step_starts_message(step->kind))
      continue;
    struct tny_route route = tny_route_begin(survey->network, match->rank_of[id], step->peer);
    uint32_t link;
    while ((link = tny_route_next(&route)) != TNY_NONE) {
      if (note)
        survey->crossings[count] = (struct crossing){link, step->phase, id, false};
      count++;
    }
  }
  if (note)
    survey->first[match->step_count] = count;
  return count;
}

static int compare(const void *a, const void *b)
{
  const struct crossing *x = *(struct crossing *const *)a, *y = *(struct crossing *const *)b;
  if (x->link != y->link)
    return x->link < y->link ? -1 : 1;
  return (x->phase > y->phase) - (x->phase < y->phase);
}

static enum tny_status make_survey(const struct tny_schedule *schedule,
                                   const struct tny_network *network, struct survey *survey,
                                   struct tny_error *error)
{
  *survey = (struct survey){.network = network, .link_count = network->routes->cluster->link_count};
  enum tny_status status = tny_network_check(network, schedule->rank_count, error);
  if (status == TNY_OK)
    status = tny_match_make(schedule, &survey->match, error);
  if (status != TNY_OK)
    return status;
  survey->count = walk_routes(survey, false);
  survey->crossings = tny_new(survey->count, sizeof *survey->crossings);
  survey->first = tny_new(survey->match.step_count + (size_t)1, sizeof *survey->first);
  if (!survey->crossings || !survey->first)
    return tny_error_memory(error);
  survey->sorted = tny_new(survey->count, sizeof *survey->sorted);
  if (!survey->sorted)
    return tny_error_memory(error);
  walk_routes(survey, true);
  for (size_t i = 0; i < survey->count; i++)
    survey->sorted[i] = &survey->crossings[i];
  if (survey->count > 0)
    qsort(survey->sorted, survey->count, sizeof *survey->sorted, compare);
  return TNY_OK;
}

static void release_survey(struct survey *survey)
{
  tny_free(survey->sorted);
  tny_free(survey->crossings);
  tny_free(survey->first);
  tny_match_release(&survey->match);
}

static void count_all(const struct survey *survey, struct tny_budget *budgets)
{
  for (uint32_t link = 0; link < survey->link_count; link++)
    budgets[link] = (struct tny_budget){0};
  for (size_t i = 0; i < survey->count; i++)
    budgets[survey->crossings[i].link].messages++;
}

/* --- in step --- */

/* The most messages of a link in `window` phases in a row; all of those without a phase. */
static void count_in_step(const struct survey *survey, uint32_t window, struct tny_budget *budgets)
{
  struct crossing *const *sorted = survey->sorted;
  size_t first = 0;
  for (size_t i = 0; i < survey->count; i++) {
    const struct crossing *last = sorted[i];
    while (sorted[first]->link != last->link ||
           (window > 0 && last->phase != TNY_NONE && last->phase - sorted[first]->phase >= window))
      first++;
    struct tny_budget *budget = &budgets[last->link];
    const uint32_t messages = (uint32_t)(i + 1 - first);
    if (messages > budget->in_step)
      budget->in_step = messages;
  }
}

/* --- chains by rank --- */

/* Chains whose last message the rank has received and which no send has continued yet; the oldest
   is continued first. */
struct pool {
  uint32_t *ends; /* ids of sends */
  uint32_t first, count;
};

/* Adds the chains that end in the receives which a step of the sending queue waits for; each
   receive counts once. */
static void note_received(const struct tny_match *match, uint32_t id, bool *is_noted,
                          struct pool *pool)
{
  const uint32_t after_count = tny_match_step(match, id)->after_count;
  for (uint32_t i = 0; i < after_count; i++) {
    const uint32_t earlier = tny_match_after(match, id, i);
    if (!tny_step_ends_message(tny_match_step(match, earlier)->kind) || is_noted[earlier])
      continue;
    is_noted[earlier] = true;
    pool->ends[pool->count++] = match->partner[earlier];
  }
}

/* The first message of a chain, by id; shortens the way for the next time. */
static uint32_t head_of(uint32_t *before, uint32_t send)
{
  uint32_t head = send;
  while (before[head] != head)
    head = before[head];
  while (before[send] != head) {
    const uint32_t next = before[send];
    before[send] = head;
    send = next;
  }
  return head;
}

/* Fills before[id]: the message that a send comes after in its chain, or itself. */
static void find_chains(const struct tny_match *match, uint32_t *before, bool *is_noted,
                        struct pool *pool)
{
  for (uint32_t rank = 0; rank < match->schedule->rank_count; rank++) {
    pool->first = pool->count = 0;
    for (uint32_t id = match->first[rank]; id < match->first[rank + 1]; id++) {
      before[id] = id;
      const enum tny_step_kind kind = tny_match_step(match, id)->kind;
      if (tny_step_receives(kind))
        continue;
      note_received(match, id, is_noted, pool);
      if (tny_step_starts_message(kind) && pool->first < pool->count)
        before[id] = pool->ends[pool->first++];
    }
  }
}

/* Counts the chains that have messages on each link. Messages are of one chain where its first
   message is the same. */
static enum tny_status count_rank_chains(const struct survey *survey, struct tny_budget *budgets,
                                         struct tny_error *error)
{
  const size_t steps = survey->match.step_count;
  uint32_t *before = tny_new(steps, sizeof *before), *counted = tny_new(steps, sizeof *counted);
  bool *is_noted = tny_new(steps, sizeof *is_noted);
  struct pool pool = {.ends = tny_new(steps, sizeof *pool.ends)};
  const bool has_tables = before && counted && is_noted && pool.ends;
  if (has_tables) {
    find_chains(&survey->match, before, is_noted, &pool);
    for (size_t i = 0; i < survey->count; i++) {
      const uint32_t link = survey->sorted[i]->link;
      uint32_t *last_link = &counted[head_of(before, survey->sorted[i]->send)]; /* 1 + its number */
      budgets[link].at_worst += *last_link != link + 1;
      *last_link = link + 1;
    }
  }
  tny_free(before);
  tny_free(counted);
  tny_free(is_noted);
  tny_free(pool.ends);
  return has_tables ? TNY_OK : tny_error_memory(error);
}

/* --- chains by link --- */

/* A crossing of a message that a rank knows to be received. */
struct known {
  struct crossing *crossing;
  uint32_t next; /* of the same link; 1 + its index, 0: none */
};

struct knowledge {
  const struct survey *survey;
  struct known *list; /* of one rank */
  uint32_t count, room;
  uint32_t *last;   /* by link: 1 + the index of the last one; 0: none */
  uint32_t *joined; /* by link: messages that come after another one in their chain */
  bool failed;      /* out of memory */
};

/* The rank knows that this receive's message is received. */
static void know(struct knowledge *knowledge, uint32_t receive)
{
  const struct survey *survey = knowledge->survey;
  const uint32_t send = survey->match.partner[receive];
  for (size_t i = survey->first[send]; i < survey->first[send + 1]; i++) {
    struct crossing *crossing = &survey->crossings[i];
    if (knowledge->count == knowledge->room) {
      const uint32_t room = 2 * knowledge->room + 64;
      void *grown = tny_resize(knowledge->list, room, sizeof *knowledge->list);
      knowledge->failed = !grown;
      if (!grown)
        return;
      knowledge->list = grown;
      knowledge->room = room;
    }
    knowledge->list[knowledge->count] = (struct known){crossing, knowledge->last[crossing->link]};
    knowledge->last[crossing->link] = ++knowledge->count;
  }
}

/* Notes the receives that a step waits for, by itself or through a token. */
static void know_awaited(struct knowledge *knowledge, uint32_t id, bool by_token)
{
  const struct tny_match *match = &knowledge->survey->match;
  const uint32_t after_count = tny_match_step(match, id)->after_count;
  for (uint32_t i = 0; i < after_count; i++) {
    const uint32_t earlier = tny_match_after(match, id, i);
    const enum tny_step_kind kind = tny_match_step(match, earlier)->kind;
    if (tny_step_ends_message(kind))
      know(knowledge, earlier);
    else if (tny_step_receives(kind) && !by_token)
      know_awaited(knowledge, match->partner[earlier], true);
  }
}

/* Continues, on each link of a message, a chain whose last message the rank knows to be received.
   */
static void join(struct knowledge *knowledge, uint32_t send)
{
  const struct survey *survey = knowledge->survey;
  for (size_t i = survey->first[send]; i < survey->first[send + 1]; i++) {
    const uint32_t link = survey->crossings[i].link;
    uint32_t *last = &knowledge->last[link];
    while (*last != 0 && knowledge->list[*last - 1].crossing->has_next)
      *last = knowledge->list[*last - 1].next;
    if (*last == 0)
      continue;
    knowledge->list[*last - 1].crossing->has_next = true;
    knowledge->joined[link]++;
  }
}

static void forget(struct knowledge *knowledge)
{
  for (uint32_t i = 0; i < knowledge->count; i++)
    knowledge->last[knowledge->list[i].crossing->link] = 0;
  knowledge->count = 0;
}

static void join_all(struct knowledge *knowledge)
{
  const struct tny_match *match = &knowledge->survey->match;
  for (uint32_t rank = 0; rank < match->schedule->rank_count; rank++) {
    for (uint32_t id = match->first[rank]; id < match->first[rank + 1]; id++) {
      const enum tny_step_kind kind = tny_match_step(match, id)->kind;
      if (tny_step_receives(kind))
        continue;
      know_awaited(knowledge, id, false);
      if (knowledge->failed)
        return;
      if (tny_step_starts_message(kind))
        join(knowledge, id);
    }
    forget(knowledge);
  }
}

static enum tny_status count_link_chains(const struct survey *survey, struct tny_budget *budgets,
                                         struct tny_error *error)
{
  struct knowledge knowledge = {.survey = survey};
  knowledge.last = tny_new(survey->link_count, sizeof *knowledge.last);
  knowledge.joined = tny_new(survey->link_count, sizeof *knowledge.joined);
  knowledge.failed = !knowledge.last || !knowledge.joined;
  if (!knowledge.failed)
    join_all(&knowledge);
  for (uint32_t link = 0; !knowledge.failed && link < survey->link_count; link++) {
    const uint32_t chains = budgets[link].messages - knowledge.joined[link];
    if (chains < budgets[link].at_worst)
      budgets[link].at_worst = chains;
  }
  tny_free(knowledge.list);
  tny_free(knowledge.last);
  tny_free(knowledge.joined);
  return knowledge.failed ? tny_error_memory(error) : TNY_OK;
}

enum tny_status tny_model_budgets(const struct tny_schedule *schedule,
                                  const struct tny_network *network, uint32_t window,
                                  struct tny_budget *budgets, struct tny_error *error)
{
  struct survey survey;
  enum tny_status status = make_survey(schedule, network, &survey, error);
  if (status == TNY_OK) {
    count_all(&survey, budgets);
    count_in_step(&survey, window, budgets);
    status = count_rank_chains(&survey, budgets, error);
  }
  if (status == TNY_OK)
    status = count_link_chains(&survey, budgets, error);
  for (uint32_t link = 0; status == TNY_OK && link < survey.link_count; link++)
    if (budgets[link].in_step > budgets[link].at_worst)
      budgets[link].in_step = budgets[link].at_worst;
  release_survey(&survey);
  return status;
}
