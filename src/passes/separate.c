/* The passes that insert tokens: those that keep phases apart, by barriers or by tokens between
   messages that share a link, and the one that limits what is in flight over links.

   The new schedule is as free of deadlock as the old one, for any window. Proof: give the steps of
   phase f the level 2f, and the tokens behind that phase the level 2f+1. In both queues of every
   rank the levels never fall, and no step waits for one of a higher level. Within a level, messages
   wait for each other as in the old schedule, and tokens stand in the same order on all ranks. */
#include <tourney/separate.h>

#include "core/alloc.h"
#include "core/error.h"
#include "passes/conflicts.h"
#include "passes/insert_tokens.h"
#include "passes/windows.h"
#include "schedule/words.h"

struct separation {
  struct tny_match match;
  uint32_t *phase; /* by id */
  struct tny_schedule *out;
  struct tny_token_insertion insertion;
  struct tny_separation_report report;
};

static enum tny_status refuse(const struct separation *separation, uint32_t id, const char *why,
                              struct tny_error *error)
{
  return tny_error_set(error, TNY_REFUSED, "these phases can't be kept apart: %s %s",
                       tny_match_words(&separation->match, id).text, why);
}

/* The latest phase that the step comes behind: that of the copy or message before it in its queue,
   and of the steps that it waits for. */
static uint32_t phase_before(const struct separation *separation, uint32_t id)
{
  const struct tny_match *match = &separation->match;
  const uint32_t previous = match->previous[id];
  uint32_t latest = previous == TNY_NONE ? 0 : separation->phase[previous];
  const uint32_t after_count = tny_match_step(match, id)->after_count;
  for (uint32_t i = 0; i < after_count; i++)
    if (separation->phase[tny_match_after(match, id, i)] > latest)
      latest = separation->phase[tny_match_after(match, id, i)];
  return latest;
}

/* Finds each step's phase. A copy has the latest phase that it comes behind. */
static enum tny_status find_phases(struct separation *separation, bool with_tokens,
                                   struct tny_error *error)
{
  const struct tny_match *match = &separation->match;
  separation->phase = tny_new(match->step_count, sizeof *separation->phase);
  if (!separation->phase)
    return tny_error_memory(error);
  for (uint32_t id = 0; id < match->step_count; id++) {
    const struct tny_step *step = tny_match_step(match, id);
    const uint32_t before = phase_before(separation, id);
    separation->phase[id] = tny_step_is_local(step->kind) ? before : step->phase;
    if (tny_step_is_local(step->kind))
      continue;
    if (tny_step_is_token(step->kind) && !with_tokens)
      return refuse(separation, id, "is a token already", error);
    if (step->phase == TNY_NONE)
      return refuse(separation, id, "has no phase", error);
    if (step->phase != tny_match_step(match, match->partner[id])->phase)
      return refuse(separation, id, "is of another phase than its other end", error);
    if (step->phase < before)
      return refuse(separation, id, "comes behind a step of a later phase", error);
  }
  return TNY_OK;
}

/* --- barriers --- */

static int compare(const void *a, const void *b)
{
  const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

/* The phases that have messages, in order; *count of them. NULL: out of memory. */
static uint32_t *used_phases(const struct separation *separation, uint32_t *count)
{
  const struct tny_match *match = &separation->match;
  uint32_t *used = tny_new(match->step_count, sizeof *used);
  uint32_t sends = 0;
  *count = 0;
  for (uint32_t id = 0; used && id < match->step_count; id++)
    if (tny_step_starts_message(tny_match_step(match, id)->kind))
      used[sends++] = separation->phase[id];
  if (sends > 0)
    qsort(used, sends, sizeof *used, compare);
  for (uint32_t i = 0; i < sends; i++)
    if (i == 0 || used[i] != used[*count - 1])
      used[(*count)++] = used[i];
  return used;
}

/* How far a rank has come, phase by phase. */
struct progress {
  uint32_t next[2]; /* the first step of each queue that isn't passed yet */
  uint32_t last;    /* the token that the next send waits for; TNY_NONE: none yet */
};

/* Passes the rank's steps up to this phase. The first send among them waits for the barrier before
   it, and the token `out` (TNY_NONE: none) waits for all of them but the copies, which are complete
   as soon as they have started. */
static void pass_phase(struct separation *separation, struct progress *progress, uint32_t phase,
                       uint32_t out)
{
  struct tny_token_insertion *insertion = &separation->insertion;
  uint32_t first_send = TNY_NONE;
  for (int queue = 0; queue < 2; queue++) {
    uint32_t i = progress->next[queue];
    for (; i < insertion->in->count; i++) {
      const enum tny_step_kind kind = insertion->in->steps[i].kind;
      if (tny_step_receives(kind) != queue)
        continue;
      if (insertion->phase[i] > phase)
        break;
      if (tny_step_starts_message(kind) && first_send == TNY_NONE)
        first_send = i;
      if (!tny_step_is_local(kind) && out != TNY_NONE)
        tny_token_insertion_wait(insertion, out, i);
    }
    progress->next[queue] = i;
  }
  if (first_send != TNY_NONE && progress->last != TNY_NONE)
    tny_token_insertion_wait(insertion, first_send, progress->last);
}

/* One rank's part of the dissemination barrier behind a phase. A token to the rank at some distance
   means that all ranks up to that distance have arrived; it waits for the token that meant so for
   half the distance. */
static void add_barrier(struct separation *separation, uint32_t rank, uint32_t phase,
                        struct progress *progress)
{
  const uint32_t rank_count = separation->match.schedule->rank_count;
  struct tny_token_insertion *insertion = &separation->insertion;
  for (uint32_t distance = 1; distance < rank_count; distance *= 2) {
    const uint32_t to = (rank + distance) % rank_count;
    const uint32_t from = (rank + rank_count - distance) % rank_count;
    const uint32_t out =
        tny_token_insertion_add(insertion, (struct tny_inserted_token){TNY_TOKEN_OUT, to, phase});
    if (distance == 1)
      pass_phase(separation, progress, phase, out);
    if (progress->last != TNY_NONE)
      tny_token_insertion_wait(insertion, out, progress->last);
    progress->last =
        tny_token_insertion_add(insertion, (struct tny_inserted_token){TNY_TOKEN_IN, from, phase});
    separation->report.tokens++;
  }
}

static void begin_rank(struct separation *separation, uint32_t rank)
{
  tny_token_insertion_clear(&separation->insertion);
  separation->insertion.in = &separation->match.schedule->ranks[rank];
  separation->insertion.phase = separation->phase + separation->match.first[rank];
}

static enum tny_status separate_by_barriers(struct separation *separation, struct tny_error *error)
{
  uint32_t count;
  uint32_t *used = used_phases(separation, &count);
  enum tny_status status = used ? TNY_OK : tny_error_memory(error);
  for (uint32_t rank = 0; status == TNY_OK && rank < separation->out->rank_count; rank++) {
    struct progress progress = {.last = TNY_NONE};
    begin_rank(separation, rank);
    for (uint32_t i = 0; i + 1 < count; i++)
      add_barrier(separation, rank, used[i], &progress);
    pass_phase(separation, &progress, TNY_NONE, TNY_NONE);
    status =
        tny_token_insertion_finish(&separation->insertion, &separation->out->ranks[rank], error);
  }
  tny_free(used);
  return status;
}

/* --- tokens --- */

/* Compares by the tokens' phase first, so that both ends have the tokens in the same order. */
static int compare_by_phase(const void *a, const void *b)
{
  const struct tny_conflict *x = a, *y = b;
  if (x->phase != y->phase)
    return compare(&x->phase, &y->phase);
  return x->later != y->later ? compare(&x->later, &y->later) : compare(&x->earlier, &y->earlier);
}

/* Does one token serve two conflicts, which are neighbours in the list? */
static bool share_token(const struct tny_match *match, const struct tny_conflict *x,
                        const struct tny_conflict *y)
{
  return x->later == y->later && x->phase == y->phase &&
         match->rank_of[x->earlier] == match->rank_of[y->earlier];
}

/* Adds one rank's end of the token for a conflict between steps of two ranks; `token`, unless it is
   TNY_NONE, serves this conflict too. Returns the token. */
static uint32_t add_token(struct separation *separation, uint32_t rank,
                          const struct tny_conflict *conflict, uint32_t token)
{
  const struct tny_match *match = &separation->match;
  const uint32_t from = match->rank_of[conflict->earlier], to = match->rank_of[conflict->later];
  struct tny_token_insertion *insertion = &separation->insertion;
  if (rank == to && token == TNY_NONE) {
    token = tny_token_insertion_add(
        insertion, (struct tny_inserted_token){TNY_TOKEN_IN, from, conflict->phase});
    tny_token_insertion_wait(insertion, tny_match_index(match, conflict->later), token);
  } else if (rank == from) {
    separation->report.tokens += token == TNY_NONE;
    separation->report.redundant += token != TNY_NONE;
    if (token == TNY_NONE)
      token = tny_token_insertion_add(
          insertion, (struct tny_inserted_token){TNY_TOKEN_OUT, to, conflict->phase});
    tny_token_insertion_wait(insertion, token, tny_match_index(match, conflict->earlier));
  }
  return token;
}

/* The conflicts that concern each rank, in the order of the list. */
struct shares {
  size_t *end;  /* by rank: the end of its share; while it is filled, its next free entry */
  size_t *list; /* indices of conflicts */
};

static void deal(const struct tny_match *match, const struct tny_conflicts *conflicts,
                 struct shares *shares)
{
  for (size_t i = 0; i < conflicts->count; i++) {
    const uint32_t from = match->rank_of[conflicts->list[i].earlier];
    const uint32_t to = match->rank_of[conflicts->list[i].later];
    if (shares->list)
      shares->list[shares->end[from]] = i;
    shares->end[from]++;
    if (from == to)
      continue;
    if (shares->list)
      shares->list[shares->end[to]] = i;
    shares->end[to]++;
  }
}

static enum tny_status make_shares(const struct tny_match *match,
                                   const struct tny_conflicts *conflicts, struct shares *shares,
                                   struct tny_error *error)
{
  const uint32_t rank_count = match->schedule->rank_count;
  shares->end = tny_new(rank_count, sizeof *shares->end);
  if (!shares->end)
    return tny_error_memory(error);
  deal(match, conflicts, shares);
  size_t total = 0;
  for (uint32_t rank = 0; rank < rank_count; rank++) {
    const size_t count = shares->end[rank];
    shares->end[rank] = total;
    total += count;
  }
  shares->list = tny_new(total, sizeof *shares->list);
  if (!shares->list)
    return tny_error_memory(error);
  deal(match, conflicts, shares);
  return TNY_OK;
}

/* Adds the waits and tokens for one rank's share of the conflicts, `first` to before `end`. */
static void add_share(struct separation *separation, uint32_t rank,
                      const struct tny_conflict *conflicts, const size_t *first, const size_t *end)
{
  const struct tny_match *match = &separation->match;
  uint32_t token = TNY_NONE;
  for (const size_t *next = first; next < end; next++) {
    const struct tny_conflict *conflict = &conflicts[*next];
    if (match->rank_of[conflict->earlier] == match->rank_of[conflict->later]) {
      tny_token_insertion_wait(&separation->insertion, tny_match_index(match, conflict->later),
                               tny_match_index(match, conflict->earlier));
      separation->report.waits++;
      continue;
    }
    if (next > first && !share_token(match, &conflicts[next[-1]], conflict))
      token = TNY_NONE;
    token = add_token(separation, rank, conflict, token);
  }
}

static enum tny_status add_conflicts(struct separation *separation,
                                     const struct tny_conflicts *conflicts,
                                     const struct shares *shares, struct tny_error *error)
{
  enum tny_status status = TNY_OK;
  size_t first = 0;
  for (uint32_t rank = 0; status == TNY_OK && rank < separation->out->rank_count; rank++) {
    begin_rank(separation, rank);
    add_share(separation, rank, conflicts->list, shares->list + first,
              shares->list + shares->end[rank]);
    first = shares->end[rank];
    status =
        tny_token_insertion_finish(&separation->insertion, &separation->out->ranks[rank], error);
  }
  return status;
}

/* Makes the new lists: with a wait or a token for each conflict. */
static enum tny_status insert_for(struct separation *separation, struct tny_conflicts *conflicts,
                                  struct tny_error *error)
{
  struct shares shares = {0};
  if (conflicts->count > 0)
    qsort(conflicts->list, conflicts->count, sizeof *conflicts->list, compare_by_phase);
  enum tny_status status = make_shares(&separation->match, conflicts, &shares, error);
  if (status == TNY_OK)
    status = add_conflicts(separation, conflicts, &shares, error);
  tny_free(shares.end);
  tny_free(shares.list);
  return status;
}

static enum tny_status separate_by_tokens(struct separation *separation,
                                          const struct tny_network *network,
                                          struct tny_error *error)
{
  const struct tny_step_phases phases = {&separation->match, separation->phase};
  struct tny_separation_report *report = &separation->report;
  struct tny_conflicts conflicts = {0};
  enum tny_status status =
      tny_network_check(network, separation->match.schedule->rank_count, error);
  if (status == TNY_OK)
    status = tny_conflicts_find(&phases, network, &conflicts, error);
  report->conflicts = conflicts.count;
  if (status == TNY_OK)
    status = tny_conflicts_reduce(&phases, &conflicts, error);
  report->redundant = report->conflicts - conflicts.count;
  if (status == TNY_OK)
    status = insert_for(separation, &conflicts, error);
  tny_conflicts_release(&conflicts);
  return status;
}

static enum tny_status limit(struct separation *separation, const struct tny_windows *windows,
                             struct tny_error *error)
{
  const struct tny_step_phases phases = {&separation->match, separation->phase};
  struct tny_conflicts conflicts;
  enum tny_status status =
      tny_windows_limit(&phases, windows, &conflicts, &separation->report, error);
  if (status == TNY_OK)
    status = insert_for(separation, &conflicts, error);
  tny_conflicts_release(&conflicts);
  return status;
}

static enum tny_status copy_steps(struct separation *separation, struct tny_error *error)
{
  separation->phase = tny_new(separation->match.step_count, sizeof *separation->phase);
  enum tny_status status = separation->phase ? TNY_OK : tny_error_memory(error);
  for (uint32_t rank = 0; status == TNY_OK && rank < separation->out->rank_count; rank++) {
    begin_rank(separation, rank);
    status =
        tny_token_insertion_finish(&separation->insertion, &separation->out->ranks[rank], error);
  }
  return status;
}

static enum tny_status separate(struct separation *separation, const struct tny_network *network,
                                enum tny_separation how, struct tny_error *error)
{
  if (how == TNY_SEPARATE_NONE)
    return copy_steps(separation, error);
  const enum tny_status status = find_phases(separation, false, error);
  if (status != TNY_OK)
    return status;
  return how == TNY_SEPARATE_BARRIER ? separate_by_barriers(separation, error)
                                     : separate_by_tokens(separation, network, error);
}

static enum tny_status begin(struct separation *separation, const struct tny_schedule *in,
                             struct tny_error *error)
{
  *separation = (struct separation){0};
  const enum tny_status status = tny_match_make(in, &separation->match, error);
  return status == TNY_OK ? tny_schedule_new_like(in, &separation->out, error) : status;
}

/* Hands over the new schedule and the report, and releases the rest. */
static void finish(struct separation *separation, enum tny_status status, struct tny_schedule **out,
                   struct tny_separation_report *report)
{
  if (status == TNY_OK) {
    *out = separation->out;
    if (report)
      *report = separation->report;
  } else {
    tny_schedule_free(separation->out);
  }
  tny_token_insertion_release(&separation->insertion);
  tny_free(separation->phase);
  tny_match_release(&separation->match);
}

enum tny_status tny_pass_separate(const struct tny_schedule *in, const struct tny_network *network,
                                  enum tny_separation how, struct tny_schedule **out,
                                  struct tny_separation_report *report, struct tny_error *error)
{
  struct separation separation;
  *out = NULL;
  enum tny_status status = begin(&separation, in, error);
  if (status == TNY_OK)
    status = separate(&separation, network, how, error);
  finish(&separation, status, out, report);
  return status;
}

enum tny_status tny_pass_limit_links(const struct tny_schedule *in,
                                     const struct tny_windows *windows, struct tny_schedule **out,
                                     struct tny_separation_report *report, struct tny_error *error)
{
  struct separation separation;
  *out = NULL;
  enum tny_status status = begin(&separation, in, error);
  if (status == TNY_OK)
    status = find_phases(&separation, false, error);
  if (status == TNY_OK)
    status = limit(&separation, windows, error);
  finish(&separation, status, out, report);
  return status;
}

enum tny_status tny_windows_check(const struct tny_schedule *schedule,
                                  const struct tny_windows *windows, bool *is_kept,
                                  struct tny_error *error)
{
  struct separation separation = {0};
  memset(is_kept, 0, windows->network->routes->cluster->link_count * sizeof *is_kept);
  enum tny_status status = tny_match_make(schedule, &separation.match, error);
  if (status == TNY_OK)
    status = find_phases(&separation, true, error);
  const struct tny_step_phases phases = {&separation.match, separation.phase};
  if (status == TNY_OK)
    status = tny_windows_find_kept(&phases, windows, is_kept, error);
  tny_free(separation.phase);
  tny_match_release(&separation.match);
  return status;
}
