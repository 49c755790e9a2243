/* Parts of plans: made, packed, and made steps again. */
#include "plan/parts.h"

#include "core/alloc.h"
#include "core/error.h"
#include "schedule/pack.h"
#include "schedule/steps.h"
#include "schedule/well_formed.h"

/* --- making --- */

/* Packs one rank's steps behind those before it. */
static enum tny_status add(struct tny_parts *parts, uint32_t rank, const struct tny_steps *steps,
                           struct tny_error *error)
{
  parts->first[rank] = parts->bytes.length;
  tny_steps_pack(steps, &parts->bytes);
  parts->first[rank + 1] = parts->bytes.length;
  return parts->bytes.failed ? tny_error_memory(error) : TNY_OK;
}

static enum tny_status add_emitted(const struct tny_parts_wanted *wanted, struct tny_parts *parts,
                                   struct tny_error *error)
{
  enum tny_status status = TNY_OK;
  for (uint32_t rank = 0; status == TNY_OK && rank < parts->rank_count; rank++) {
    struct tny_steps steps;
    status =
        tny_plan_emit(wanted->choice.algorithm, wanted->problem, wanted->pace, rank, &steps, error);
    if (status == TNY_OK)
      status = add(parts, rank, &steps, error);
    tny_steps_release(&steps);
  }
  return status;
}

static enum tny_status add_finished(const struct tny_parts_wanted *wanted, struct tny_parts *parts,
                                    struct tny_error *error)
{
  struct tny_schedule *schedule;
  enum tny_status status =
      tny_plan_all(wanted->choice.algorithm, wanted->problem, wanted->pace, &schedule, error);
  if (status != TNY_OK)
    return status;
  parts->head.stages = (struct tny_stages){.piece_count = schedule->chunk_count,
                                           .scratch_blocks = schedule->scratch_blocks,
                                           .cut_count = 1,
                                           .run = 1};
  for (uint32_t rank = 0; status == TNY_OK && rank < parts->rank_count; rank++) {
    status = add(parts, rank, &schedule->ranks[rank], error);
    tny_steps_release(&schedule->ranks[rank]);
  }
  tny_schedule_free(schedule);
  return status;
}

void tny_parts_head_numbers(const struct tny_parts_head *head,
                            uint64_t numbers[TNY_PARTS_HEAD_NUMBERS])
{
  const struct tny_stages *stages = &head->stages;
  const uint64_t all[TNY_PARTS_HEAD_NUMBERS] = {head->form,
                                                head->segment_count,
                                                head->pace.chunk_count,
                                                head->pace.window,
                                                head->pace.limit_message_bytes,
                                                stages->piece_count,
                                                stages->scratch_blocks,
                                                stages->cut_count,
                                                stages->run,
                                                stages->pacing,
                                                stages->window};
  memcpy(numbers, all, sizeof all);
}

int64_t tny_parts_id(const struct tny_parts *parts)
{
  uint64_t numbers[TNY_PARTS_HEAD_NUMBERS], hash = TNY_HASH_START;
  tny_parts_head_numbers(&parts->head, numbers);
  for (size_t i = 0; i < TNY_PARTS_HEAD_NUMBERS; i++)
    hash = tny_hash_number(hash, numbers[i]);
  hash = tny_hash_number(hash, parts->rank_count);
  for (uint32_t rank = 0; parts->first && rank <= parts->rank_count; rank++)
    hash = tny_hash_number(hash, parts->first[rank]);
  hash = tny_hash_bytes(hash, parts->bytes.bytes, parts->bytes.length);
  return (int64_t)(hash >> 2) + 1;
}

enum tny_status tny_parts_make(const struct tny_parts_wanted *wanted, struct tny_parts *parts,
                               struct tny_error *error)
{
  const struct tny_algorithm *algorithm = wanted->choice.algorithm;
  const bool is_limited = wanted->pace.limit_message_bytes > 0;
  *parts = (struct tny_parts){
      .head = {.form = TNY_PARTS_NONE,
               .segment_count = wanted->segment_count,
               .pace = wanted->pace,
               .stages = tny_plan_stages(algorithm, wanted->problem, wanted->pace)},
      .rank_count = wanted->problem->rank_count,
  };
  enum tny_status status = TNY_OK;
  if (is_limited || tny_algorithm_origin(algorithm)->prepare || wanted->with_parts) {
    parts->head.form = is_limited ? TNY_PARTS_FINISHED : TNY_PARTS_EMITTED;
    parts->first = tny_new((size_t)parts->rank_count + 1, sizeof *parts->first);
    if (!parts->first)
      return tny_error_memory(error);
    status = is_limited ? add_finished(wanted, parts, error) : add_emitted(wanted, parts, error);
  }
  parts->head.id = tny_parts_id(parts);
  return status;
}

void tny_parts_release(struct tny_parts *parts)
{
  tny_free(parts->first);
  tny_bytes_release(&parts->bytes);
  *parts = (struct tny_parts){0};
}

/* --- made steps again --- */

/* A stage that no plan has: to go on with it could take any amount of memory. */
static bool is_possible(const struct tny_stages *stages)
{
  return stages->piece_count > 0 && stages->piece_count <= TNY_CHUNKS_MAX &&
         stages->cut_count > 0 && stages->cut_count <= TNY_CHUNKS_MAX &&
         (stages->cut_count == 1 || stages->piece_count == 1) && stages->pacing <= TNY_PACE_LINKS;
}

/* Are they steps that this rank can run? */
static enum tny_status check(const struct tny_part_view *part, const struct tny_steps *steps,
                             struct tny_error *error)
{
  struct tny_schedule whole = {.collective = part->collective,
                               .rank_count = part->rank_count,
                               .root = part->root,
                               .chunk_count = part->head->stages.piece_count,
                               .scratch_blocks = part->head->stages.scratch_blocks,
                               .ranks = tny_new(part->rank_count, sizeof *whole.ranks)};
  if (!whole.ranks)
    return tny_error_memory(error);
  whole.ranks[part->rank] = *steps;
  const enum tny_status status = tny_well_formed_check_rank(&whole, part->rank, error);
  tny_free(whole.ranks);
  return status;
}

enum tny_status tny_part_steps(const struct tny_part_view *part, struct tny_steps *steps,
                               struct tny_error *error)
{
  *steps = (struct tny_steps){0};
  if (!is_possible(&part->head->stages))
    return tny_error_set(error, TNY_BAD_INPUT, "a part of a plan whose head can't be");
  enum tny_status status = tny_steps_unpack(part->bytes, part->count, steps, error);
  if (status == TNY_OK)
    status = check(part, steps, error);
  if (status == TNY_OK && part->head->form == TNY_PARTS_EMITTED)
    return tny_plan_finish(&part->head->stages, steps, error);
  if (status != TNY_OK)
    tny_steps_release(steps);
  return status;
}

enum tny_status tny_parts_schedule(const struct tny_parts *parts,
                                   const struct tny_algorithm *algorithm, uint32_t root,
                                   struct tny_schedule **schedule, struct tny_error *error)
{
  const struct tny_stages *stages = &parts->head.stages;
  const enum tny_collective collective = algorithm->collective;
  enum tny_status status =
      tny_schedule_new(collective, parts->rank_count, root, "parts", schedule, error);
  if (status != TNY_OK)
    return status;
  struct tny_schedule *made = *schedule;
  made->chunk_count = stages->cut_count > 1 ? stages->cut_count : stages->piece_count;
  made->scratch_blocks = stages->scratch_blocks;
  made->commutes = algorithm->commutes;
  for (uint32_t rank = 0; status == TNY_OK && rank < parts->rank_count; rank++) {
    const struct tny_part_view part = {.head = &parts->head,
                                       .collective = collective,
                                       .rank_count = parts->rank_count,
                                       .root = root,
                                       .rank = rank,
                                       .bytes = parts->bytes.bytes + parts->first[rank],
                                       .count =
                                           (size_t)(parts->first[rank + 1] - parts->first[rank])};
    status = tny_part_steps(&part, &made->ranks[rank], error);
  }
  if (status != TNY_OK) {
    tny_schedule_free(made);
    *schedule = NULL;
  }
  return status;
}
