/* Which block a step's data is of.

   Steps whose data must be of one block form a set: the step that brings a value into a piece of
   scratch space, and those that read it from there or combine something with it. A step with a span
   in the input or output says which block its set is of. */
#include "schedule/held_blocks.h"

#include "core/alloc.h"
#include "core/error.h"
#include "schedule/words.h"

struct finding {
  const struct tny_held *held;
  uint32_t *parent;  /* by step: another of its set, or itself */
  uint32_t *block;   /* by step, at a set's root: its block; TNY_NONE: not known */
  uint32_t *brought; /* by piece of scratch space: the step that brought what lies there */
};

static uint32_t root_of(const struct finding *finding, uint32_t step)
{
  uint32_t *parent = finding->parent;
  while (parent[step] != step) {
    parent[step] = parent[parent[step]];
    step = parent[step];
  }
  return step;
}

/* Returns whether the block is the set's, or the first that it is known of. */
static bool set_block(const struct finding *finding, uint32_t step, uint32_t block)
{
  uint32_t *known = &finding->block[root_of(finding, step)];
  if (*known == TNY_NONE)
    *known = block;
  return block == TNY_NONE || *known == block;
}

static bool unite(const struct finding *finding, uint32_t step, uint32_t other)
{
  const uint32_t one = root_of(finding, step), two = root_of(finding, other);
  const uint32_t block = finding->block[two];
  finding->parent[two] = one;
  return set_block(finding, one, block);
}

/* What a step reads, or writes where `brings`. False: it isn't a single block, in scratch space a
   single piece; nothing was brought there; or blocks are mixed. */
static bool add_span(const struct finding *finding, uint32_t step, const struct tny_span *span,
                     bool brings)
{
  const struct tny_held *held = finding->held;
  if (span->count != 1)
    return false;
  if (span->buffer != TNY_SCRATCH)
    return set_block(finding, step, span->buffer == TNY_INPUT ? span->first : held->rank);
  if (span->chunks != 1 || span->chunk_count != held->piece_count)
    return false;
  uint32_t *brought = &finding->brought[(size_t)span->first * held->piece_count + span->chunk];
  if (brings)
    *brought = step;
  return brings || (*brought != TNY_NONE && unite(finding, step, *brought));
}

static bool add_step(const struct finding *finding, uint32_t index)
{
  const struct tny_step *step = &finding->held->steps->steps[index];
  if (tny_step_is_token(step->kind))
    return true;
  if (!tny_step_is_local(step->kind))
    return add_span(finding, index, &step->span, tny_step_receives(step->kind));
  return add_span(finding, index, &step->span, false) &&
         add_span(finding, index, &step->target, !tny_step_reduces(step->kind));
}

static enum tny_status find(const struct finding *finding, uint32_t *block_of,
                            struct tny_error *error)
{
  const struct tny_steps *steps = finding->held->steps;
  for (uint32_t i = 0; i < steps->count; i++)
    if (!add_step(finding, i))
      return tny_error_set(error, TNY_REFUSED,
                           "%s isn't of a single block, or of one that nothing brought",
                           tny_words_step(steps, i).text);
  for (uint32_t i = 0; i < steps->count; i++) {
    block_of[i] = finding->block[root_of(finding, i)];
    if (block_of[i] == TNY_NONE && !tny_step_is_token(steps->steps[i].kind))
      return tny_error_set(error, TNY_REFUSED, "%s is of a block that no step tells",
                           tny_words_step(steps, i).text);
  }
  return TNY_OK;
}

enum tny_status tny_steps_find_held(const struct tny_held *held, uint32_t *block_of,
                                    struct tny_error *error)
{
  const uint32_t count = held->steps->count;
  const size_t pieces = (size_t)held->scratch_blocks * held->piece_count;
  struct finding finding = {.held = held,
                            .parent = tny_new(count, sizeof *finding.parent),
                            .block = tny_new(count, sizeof *finding.block),
                            .brought = tny_new(pieces, sizeof *finding.brought)};
  enum tny_status status = TNY_OK;
  if (!finding.parent || !finding.block || !finding.brought)
    status = tny_error_memory(error);
  for (uint32_t i = 0; status == TNY_OK && i < count; i++) {
    finding.parent[i] = i;
    finding.block[i] = TNY_NONE;
  }
  for (size_t i = 0; status == TNY_OK && i < pieces; i++)
    finding.brought[i] = TNY_NONE;
  if (status == TNY_OK)
    status = find(&finding, block_of, error);
  tny_free(finding.parent);
  tny_free(finding.block);
  tny_free(finding.brought);
  return status;
}
