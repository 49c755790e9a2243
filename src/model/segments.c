/* How the runtime runs a call: a plan's pace, and how often the plan is run. */
#include "model/bandwidth_delay.h"
#include "model/cost.h"

struct tny_pace tny_segment_pace(const struct tny_algorithm *algorithm, struct tny_pace whole,
                                 uint32_t segment_count)
{
  const uint32_t unit = algorithm->pieces_a_message > 1 ? algorithm->pieces_a_message : 1;
  const uint32_t units = (whole.chunk_count - 1) / unit + 1;
  if (segment_count > 1)
    whole.chunk_count = ((units - 1) / segment_count + 1) * unit;
  return whole;
}

enum {
  PIECES_A_BLOCK = 4, /* of mean length */
  PIECES_MOST = 512,  /* of the longest block: a piece of it is no longer than what others have */
};

/* Cuts what is passed on finer. Links' windows count messages, so that all ranks would have the
   pace of whoever has the longest block just then: where ranks have windows of their own, those
   alone remain. */
static struct tny_pace pace_unlike(struct tny_pace pace, struct tny_sizes sizes)
{
  const uint64_t longest = tny_model_size_step(sizes.longest_bytes);
  const uint64_t least = TNY_FRAME_BYTES - TNY_MESSAGE_COST_BYTES;
  const uint64_t quarter = tny_model_size_step(sizes.mean_bytes) / PIECES_A_BLOCK;
  const uint64_t wanted = quarter > least ? quarter : least;
  const uint32_t most = pace.chunk_count < PIECES_MOST ? PIECES_MOST / pace.chunk_count : 1;
  const uint64_t parts = (longest - 1) / pace.chunk_count / wanted + 1; /* of what was a piece */
  const uint32_t finer = parts < most ? (uint32_t)parts : most;
  pace.chunk_count *= finer;
  pace.window *= finer;
  if (pace.window > 0)
    pace.limit_message_bytes = 0;
  else if (pace.limit_message_bytes > 0)
    pace.limit_message_bytes = (pace.limit_message_bytes - 1) / finer + 1;
  return pace;
}

struct tny_segments tny_model_segments_for(const struct tny_model *model,
                                           const struct tny_algorithm *algorithm,
                                           const struct tny_problem *problem,
                                           uint64_t chunk_budget_bytes, struct tny_sizes sizes)
{
  struct tny_pace whole =
      tny_model_pace(model, algorithm, problem, chunk_budget_bytes, sizes.longest_bytes);
  if (sizes.mean_bytes > 0)
    whole = pace_unlike(whole, sizes);
  const uint32_t count =
      tny_model_footprint(model, algorithm, problem, &whole, sizes.longest_bytes).segment_count;
  return (struct tny_segments){.pace = tny_segment_pace(algorithm, whole, count),
                               .count = count,
                               .chunk_budget_bytes = chunk_budget_bytes};
}

struct tny_segments tny_model_segments(const struct tny_model *model,
                                       const struct tny_algorithm *algorithm,
                                       const struct tny_problem *problem,
                                       uint64_t chunk_budget_bytes, uint64_t block_bytes)
{
  return tny_model_segments_for(model, algorithm, problem, chunk_budget_bytes,
                                (struct tny_sizes){.longest_bytes = block_bytes});
}

bool tny_model_segments_alone(const struct tny_model *model, const struct tny_algorithm *algorithm,
                              const struct tny_problem *problem, struct tny_sizes sizes,
                              struct tny_segments *run)
{
  if (tny_algorithm_origin(algorithm)->prepare)
    return false;
  const uint64_t budget = tny_model_promised_budget(algorithm, problem, problem->network);
  if (budget == 0)
    return false;
  *run = tny_model_segments_for(model, algorithm, problem, budget, sizes);
  return run->pace.limit_message_bytes == 0;
}
