/* Renamed: one schedule is another one under a permutation of the ranks. Each rank has the same
   steps in the same order; only peers, and blocks that belong to ranks, are permuted. The number of
   a rank decides nothing: who meets whom, what waits for what and which block lies where are the
   same in both. So what is proved of the one holds for the other, but for what depends on where
   ranks sit.

   The names aren't guessed. The root is the root, or rank 0 is rank 0; and where two ranks are the
   same, so are, step by step, their peers. */
#include <tourney/verify.h>

#include "core/alloc.h"
#include "core/error.h"
#include "schedule/steps.h"
#include "schedule/words.h"

struct renaming {
  const struct tny_schedule *proved, *other;
  uint32_t *name;  /* by rank of `proved`: its name in `other`; TNY_NONE: none yet */
  uint32_t *named; /* the ranks of `proved` that have one, in the order in which they got it */
  bool *taken;     /* by rank of `other` */
  uint32_t named_count;
  bool by_rank[3]; /* by buffer: block r is from rank r, or for it */
};

static enum tny_status differs(const struct renaming *renaming, const char *what,
                               struct tny_error *error)
{
  return tny_error_set(error, TNY_REFUSED, "%s isn't %s with other names: %s differs",
                       renaming->other->algorithm, renaming->proved->algorithm, what);
}

/* --- the names --- */

static void assign(struct renaming *renaming, uint32_t rank, uint32_t name)
{
  if (renaming->name[rank] != TNY_NONE || renaming->taken[name])
    return; /* where that isn't the same name, the steps differ */
  renaming->name[rank] = name;
  renaming->taken[name] = true;
  renaming->named[renaming->named_count++] = rank;
}

static void name_peers(struct renaming *renaming, uint32_t rank)
{
  const uint32_t p = renaming->proved->rank_count;
  const struct tny_steps *steps = &renaming->proved->ranks[rank];
  const struct tny_steps *others = &renaming->other->ranks[renaming->name[rank]];
  for (uint32_t i = 0; i < steps->count && i < others->count && renaming->named_count < p; i++)
    if (steps->steps[i].peer < p && others->steps[i].peer < p)
      assign(renaming, steps->steps[i].peer, others->steps[i].peer);
}

static enum tny_status name_all(struct renaming *renaming, struct tny_error *error)
{
  const struct tny_schedule *proved = renaming->proved, *other = renaming->other;
  const bool is_rooted = tny_collective_has_root(proved->collective);
  assign(renaming, is_rooted ? proved->root : 0, is_rooted ? other->root : 0);
  for (uint32_t i = 0; i < renaming->named_count; i++)
    name_peers(renaming, renaming->named[i]);
  if (renaming->named_count == proved->rank_count)
    return TNY_OK;
  return differs(renaming, "who talks to whom", error);
}

/* --- the steps --- */

static bool are_same_blocks(const struct renaming *renaming, const struct tny_span *a,
                            const struct tny_span *b)
{
  const uint32_t p = renaming->proved->rank_count;
  if (!renaming->by_rank[a->buffer])
    return a->first == b->first;
  if (a->first >= p || a->count > p - a->first)
    return false;
  for (uint32_t i = 0; i < a->count; i++)
    if (renaming->name[a->first + i] != (uint64_t)b->first + i)
      return false;
  return true;
}

static bool are_same_spans(const struct renaming *renaming, const struct tny_span *a,
                           const struct tny_span *b)
{
  return a->buffer == b->buffer && a->buffer <= TNY_SCRATCH && a->count == b->count &&
         a->chunk == b->chunk && a->chunk_count == b->chunk_count && a->chunks == b->chunks &&
         are_same_blocks(renaming, a, b);
}

static bool is_in_range(const struct tny_steps *steps, const struct tny_step *step)
{
  return step->after_first <= steps->after_total &&
         step->after_count <= steps->after_total - step->after_first;
}

static bool do_wait_alike(const struct tny_steps *a_steps, const struct tny_step *a,
                          const struct tny_steps *b_steps, const struct tny_step *b)
{
  if (a->after_count != b->after_count || !is_in_range(a_steps, a) || !is_in_range(b_steps, b))
    return false;
  for (uint32_t i = 0; i < a->after_count; i++)
    if (a_steps->after[a->after_first + i] != b_steps->after[b->after_first + i])
      return false;
  return true;
}

static bool are_same_steps(const struct renaming *renaming, const struct tny_step *a,
                           const struct tny_step *b)
{
  if (a->kind != b->kind || a->phase != b->phase)
    return false;
  if (tny_step_is_local(a->kind))
    return are_same_spans(renaming, &a->span, &b->span) &&
           are_same_spans(renaming, &a->target, &b->target);
  if (a->peer >= renaming->proved->rank_count || renaming->name[a->peer] != b->peer)
    return false;
  return tny_step_is_token(a->kind) || are_same_spans(renaming, &a->span, &b->span);
}

static enum tny_status compare_rank(const struct renaming *renaming, uint32_t rank,
                                    struct tny_error *error)
{
  const uint32_t name = renaming->name[rank];
  const struct tny_steps *a = &renaming->proved->ranks[rank], *b = &renaming->other->ranks[name];
  if (a->count != b->count)
    return tny_error_set(error, TNY_REFUSED,
                         "rank %u has %u steps, but rank %u, which it would be, has %u", name,
                         b->count, rank, a->count);
  for (uint32_t i = 0; i < a->count; i++)
    if (!are_same_steps(renaming, &a->steps[i], &b->steps[i]) ||
        !do_wait_alike(a, &a->steps[i], b, &b->steps[i]))
      return tny_error_set(error, TNY_REFUSED, "%s isn't, with other names, what %s is",
                           tny_words_rank_step(renaming->other, name, i).text,
                           tny_words_rank_step(renaming->proved, rank, i).text);
  return TNY_OK;
}

/* Compares which blocks have to arrive. */
static enum tny_status compare_wanted(const struct renaming *renaming, struct tny_error *error)
{
  const struct tny_schedule *proved = renaming->proved, *other = renaming->other;
  if (!proved->wanted && !other->wanted)
    return TNY_OK;
  for (uint32_t sender = 0; sender < proved->rank_count; sender++)
    for (uint32_t receiver = 0; receiver < proved->rank_count; receiver++)
      if (tny_schedule_wants(proved, sender, receiver) !=
          tny_schedule_wants(other, renaming->name[sender], renaming->name[receiver]))
        return differs(renaming, "which blocks have to arrive", error);
  return TNY_OK;
}

static enum tny_status compare(struct renaming *renaming, struct tny_error *error)
{
  const uint32_t p = renaming->proved->rank_count;
  for (uint32_t rank = 0; rank < p; rank++)
    renaming->name[rank] = TNY_NONE;
  enum tny_status status = name_all(renaming, error);
  if (status == TNY_OK)
    status = compare_wanted(renaming, error);
  for (uint32_t rank = 0; status == TNY_OK && rank < p; rank++)
    status = compare_rank(renaming, rank, error);
  return status;
}

enum tny_status tny_verify_renamed(const struct tny_schedule *proved,
                                   const struct tny_schedule *schedule, struct tny_error *error)
{
  const uint32_t p = proved->rank_count;
  struct renaming renaming = {.proved = proved, .other = schedule};
  if (schedule->collective != proved->collective || schedule->rank_count != p ||
      schedule->root >= p || proved->root >= p)
    return differs(&renaming, "what is asked for", error);
  if (tny_collective_reduces(proved->collective) && !(proved->commutes && schedule->commutes))
    return differs(&renaming, "the order of the ranks, in which contributions are combined,",
                   error);
  if (schedule->chunk_count != proved->chunk_count ||
      schedule->scratch_blocks != proved->scratch_blocks)
    return differs(&renaming, "how much memory there is, or how blocks are cut,", error);
  renaming.by_rank[TNY_INPUT] = tny_collective_row(proved->collective)->input.is_per_rank;
  renaming.by_rank[TNY_OUTPUT] = tny_collective_row(proved->collective)->output.is_per_rank;
  renaming.name = tny_new(p, sizeof *renaming.name);
  renaming.named = tny_new(p, sizeof *renaming.named);
  renaming.taken = tny_new(p, sizeof *renaming.taken);
  const bool has_memory = renaming.name && renaming.named && renaming.taken;
  const enum tny_status status = has_memory ? compare(&renaming, error) : tny_error_memory(error);
  tny_free(renaming.name);
  tny_free(renaming.named);
  tny_free(renaming.taken);
  return status;
}
