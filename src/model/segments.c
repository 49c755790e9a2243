/* How the runtime runs a call: a plan's pace, and how often the plan is run. */
#include "model/bandwidth_delay.h"

struct tny_pace tny_segment_pace(const struct tny_algorithm *algorithm, struct tny_pace whole,
                                 uint32_t segment_count)
{
  const uint32_t unit = algorithm->pieces_a_message > 1 ? algorithm->pieces_a_message : 1;
  const uint32_t units = (whole.chunk_count - 1) / unit + 1;
  if (segment_count > 1)
    whole.chunk_count = ((units - 1) / segment_count + 1) * unit;
  return whole;
}

struct tny_segments tny_model_segments(const struct tny_model *model,
                                       const struct tny_algorithm *algorithm,
                                       const struct tny_problem *problem,
                                       uint64_t chunk_budget_bytes, uint64_t block_bytes)
{
  const struct tny_pace whole =
      tny_model_pace(model, algorithm, problem, chunk_budget_bytes, block_bytes);
  const uint32_t count =
      tny_model_footprint(model, algorithm, problem, &whole, block_bytes).segment_count;
  return (struct tny_segments){.pace = tny_segment_pace(algorithm, whole, count),
                               .count = count,
                               .chunk_budget_bytes = chunk_budget_bytes};
}

bool tny_model_segments_alone(const struct tny_model *model, const struct tny_algorithm *algorithm,
                              const struct tny_problem *problem, uint64_t block_bytes,
                              struct tny_segments *run)
{
  if (tny_algorithm_origin(algorithm)->prepare)
    return false;
  const uint64_t budget = tny_model_promised_budget(algorithm, problem, problem->network);
  if (budget == 0)
    return false;
  *run = tny_model_segments(model, algorithm, problem, budget, block_bytes);
  return run->pace.limit_message_bytes == 0;
}
