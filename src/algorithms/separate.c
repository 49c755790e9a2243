/* The pass that keeps phases apart: by barriers, or by tokens between messages that share a link.

   Why the new schedule is as free of deadlock as the old one, for any window: give the steps of
   phase f the level 2f and the tokens that come behind it the level 2f+1. In both queues of every
   rank the levels only rise, and nothing waits for a higher level. Within a level, messages are as
   they were, and tokens stand in one order on all ranks. */
#include <tourney/separate.h>

#include "algorithms/conflicts.h"
#include "algorithms/weave.h"
#include "core/alloc.h"
#include "core/error.h"
#include "schedule/words.h"

struct separation {
  struct tny_match match;
  uint32_t *phase; /* by id */
  struct tny_schedule *out;
  struct tny_weave weave;
  struct tny_separation_report report;
};

static enum tny_status refuse(const struct separation *separation, uint32_t id, const char *why,
                              struct tny_error *error)
{
  const struct tny_match *match = &separation->match;
  return tny_error_set(
      error, TNY_REFUSED, "these phases can't be kept apart: rank %u %s %s", match->rank_of[id],
      tny_words_step(tny_match_steps(match, id), tny_match_index(match, id)).text, why);
}

/* The latest phase that the step comes behind: of the copies in front of it and of what it waits
   for. */
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

/* Finds each step's phase; copies have the latest that they come behind. */
static enum tny_status find_phases(struct separation *separation, struct tny_error *error)
{
  const struct tny_match *match = &separation->match;
  separation->phase = tny_new(match->step_count, sizeof *separation->phase);
  if (!separation->phase)
    return tny_error_memory(error);
  for (uint32_t id = 0; id < match->step_count; id++) {
    const struct tny_step *step = tny_match_step(match, id);
    const uint32_t before = phase_before(separation, id);
    separation->phase[id] = step->kind == TNY_COPY ? before : step->phase;
    if (step->kind == TNY_COPY)
      continue;
    if (tny_step_is_token(step->kind))
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
    if (tny_match_step(match, id)->kind == TNY_SEND)
      used[sends++] = separation->phase[id];
  if (sends > 0)
    qsort(used, sends, sizeof *used, compare);
  for (uint32_t i = 0; i < sends; i++)
    if (i == 0 || used[i] != used[*count - 1])
      used[(*count)++] = used[i];
  return used;
}

/* A rank on its way from phase to phase. */
struct progress {
  uint32_t next[2]; /* the first step of each queue not passed yet */
  uint32_t last;    /* the token that the next send waits for; TNY_NONE: none yet */
};

/* Passes the rank's steps up to this phase: the first send waits for the barrier before it, and the
   token `out` (TNY_NONE: none) for all of them. Copies need no mention: they are complete at once.
   */
static void pass_phase(struct separation *separation, struct progress *progress, uint32_t phase,
                       uint32_t out)
{
  struct tny_weave *weave = &separation->weave;
  uint32_t first_send = TNY_NONE;
  for (int queue = 0; queue < 2; queue++) {
    uint32_t i = progress->next[queue];
    for (; i < weave->in->count; i++) {
      const enum tny_step_kind kind = weave->in->steps[i].kind;
      if (tny_step_receives(kind) != queue)
        continue;
      if (weave->phase[i] > phase)
        break;
      if (kind == TNY_SEND && first_send == TNY_NONE)
        first_send = i;
      if (kind != TNY_COPY && out != TNY_NONE)
        tny_weave_wait(weave, out, i);
    }
    progress->next[queue] = i;
  }
  if (first_send != TNY_NONE && progress->last != TNY_NONE)
    tny_weave_wait(weave, first_send, progress->last);
}

/* One rank's part of the barrier behind a phase. A token says that all ranks up to its distance
   have come, and waits for the token that said so for half the distance. */
static void add_barrier(struct separation *separation, uint32_t rank, uint32_t phase,
                        struct progress *progress)
{
  const uint32_t rank_count = separation->match.schedule->rank_count;
  struct tny_weave *weave = &separation->weave;
  for (uint32_t distance = 1; distance < rank_count; distance *= 2) {
    const uint32_t to = (rank + distance) % rank_count;
    const uint32_t from = (rank + rank_count - distance) % rank_count;
    const uint32_t out = tny_weave_insert(weave, (struct tny_insert){TNY_TOKEN_OUT, to, phase});
    if (distance == 1)
      pass_phase(separation, progress, phase, out);
    if (progress->last != TNY_NONE)
      tny_weave_wait(weave, out, progress->last);
    progress->last = tny_weave_insert(weave, (struct tny_insert){TNY_TOKEN_IN, from, phase});
    separation->report.tokens++;
  }
}

static void begin_rank(struct separation *separation, uint32_t rank)
{
  tny_weave_clear(&separation->weave);
  separation->weave.in = &separation->match.schedule->ranks[rank];
  separation->weave.phase = separation->phase + separation->match.first[rank];
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
    status = tny_weave_finish(&separation->weave, &separation->out->ranks[rank], error);
  }
  tny_free(used);
  return status;
}

/* --- tokens --- */

/* Sorts by the phase waited for, then as they are, so that both ends see tokens in one order. */
static int compare_by_phase(const void *a, const void *b, void *context)
{
  const struct tny_conflict *x = a, *y = b;
  const uint32_t *phase = context;
  if (phase[x->earlier] != phase[y->earlier])
    return compare(&phase[x->earlier], &phase[y->earlier]);
  return x->later != y->later ? compare(&x->later, &y->later) : compare(&x->earlier, &y->earlier);
}

/* A conflict as one of its ranks sees it. */
static void add_conflict(struct separation *separation, uint32_t rank,
                         const struct tny_conflict *conflict)
{
  const struct tny_match *match = &separation->match;
  const uint32_t from = match->rank_of[conflict->earlier], to = match->rank_of[conflict->later];
  const uint32_t phase = separation->phase[conflict->earlier];
  struct tny_weave *weave = &separation->weave;
  if (from == to) {
    tny_weave_wait(weave, tny_match_index(match, conflict->later),
                   tny_match_index(match, conflict->earlier));
    separation->report.waits++;
  } else if (rank == from) {
    const uint32_t out = tny_weave_insert(weave, (struct tny_insert){TNY_TOKEN_OUT, to, phase});
    tny_weave_wait(weave, out, tny_match_index(match, conflict->earlier));
    separation->report.tokens++;
  } else {
    const uint32_t in = tny_weave_insert(weave, (struct tny_insert){TNY_TOKEN_IN, from, phase});
    tny_weave_wait(weave, tny_match_index(match, conflict->later), in);
  }
}

/* Each rank's conflicts, in the order of the list. */
struct shares {
  size_t *end;  /* by rank: behind its share; while filling: the next free place */
  size_t *list; /* numbers of conflicts */
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

static enum tny_status add_conflicts(struct separation *separation,
                                     const struct tny_conflicts *conflicts,
                                     const struct shares *shares, struct tny_error *error)
{
  enum tny_status status = TNY_OK;
  size_t next = 0;
  for (uint32_t rank = 0; status == TNY_OK && rank < separation->out->rank_count; rank++) {
    begin_rank(separation, rank);
    for (; next < shares->end[rank]; next++)
      add_conflict(separation, rank, &conflicts->list[shares->list[next]]);
    status = tny_weave_finish(&separation->weave, &separation->out->ranks[rank], error);
  }
  return status;
}

static enum tny_status separate_by_tokens(struct separation *separation,
                                          const struct tny_network *network,
                                          struct tny_error *error)
{
  const struct tny_step_phases phases = {&separation->match, separation->phase};
  struct tny_conflicts conflicts;
  struct shares shares = {0};
  enum tny_status status = tny_conflicts_find(&phases, network, &conflicts, error);
  separation->report.conflicts = conflicts.count;
  if (status == TNY_OK)
    status = tny_conflicts_reduce(&phases, &conflicts, error);
  separation->report.redundant = separation->report.conflicts - conflicts.count;
  if (status == TNY_OK && conflicts.count > 0)
    qsort_r(conflicts.list, conflicts.count, sizeof *conflicts.list, compare_by_phase,
            separation->phase);
  if (status == TNY_OK)
    status = make_shares(&separation->match, &conflicts, &shares, error);
  if (status == TNY_OK)
    status = add_conflicts(separation, &conflicts, &shares, error);
  tny_free(shares.end);
  tny_free(shares.list);
  tny_conflicts_release(&conflicts);
  return status;
}

static enum tny_status copy_steps(struct separation *separation, struct tny_error *error)
{
  separation->phase = tny_new(separation->match.step_count, sizeof *separation->phase);
  enum tny_status status = separation->phase ? TNY_OK : tny_error_memory(error);
  for (uint32_t rank = 0; status == TNY_OK && rank < separation->out->rank_count; rank++) {
    begin_rank(separation, rank);
    status = tny_weave_finish(&separation->weave, &separation->out->ranks[rank], error);
  }
  return status;
}

static enum tny_status separate(struct separation *separation, const struct tny_network *network,
                                enum tny_separation how, struct tny_error *error)
{
  if (how == TNY_SEPARATE_NONE)
    return copy_steps(separation, error);
  const enum tny_status status = find_phases(separation, error);
  if (status != TNY_OK)
    return status;
  return how == TNY_SEPARATE_BARRIER ? separate_by_barriers(separation, error)
                                     : separate_by_tokens(separation, network, error);
}

enum tny_status tny_pass_separate(const struct tny_schedule *in, const struct tny_network *network,
                                  enum tny_separation how, struct tny_schedule **out,
                                  struct tny_separation_report *report, struct tny_error *error)
{
  struct separation separation = {0};
  *out = NULL;
  enum tny_status status = tny_match_make(in, &separation.match, error);
  if (status != TNY_OK)
    return status;
  status = tny_schedule_new_like(in, &separation.out, error);
  if (status == TNY_OK)
    status = separate(&separation, network, how, error);
  if (status == TNY_OK) {
    *out = separation.out;
    if (report)
      *report = separation.report;
  } else {
    tny_schedule_free(separation.out);
  }
  tny_weave_release(&separation.weave);
  tny_free(separation.phase);
  tny_match_release(&separation.match);
  return status;
}
