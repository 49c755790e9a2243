/* Steps and spans of a schedule as MSCCL's XML has them. */
#include "exchange/msccl/pieces.h"

#include "exchange/collectives.h"
#include "exchange/msccl/limits.h"

uint32_t tny_msccl_chunks(const struct tny_schedule *schedule, enum tny_buffer buffer)
{
  const uint32_t blocks =
      buffer == TNY_SCRATCH ? schedule->scratch_blocks
                            : tny_buffer_blocks(schedule->collective, buffer, schedule->rank_count);
  return blocks * schedule->chunk_count;
}

uint32_t tny_msccl_step_count(const struct tny_schedule *schedule, uint32_t rank)
{
  return schedule->ranks[rank].count + !tny_exchange_has_output(schedule, rank);
}

struct tny_step tny_msccl_step(const struct tny_schedule *schedule, uint32_t rank, uint32_t index)
{
  if (index < schedule->ranks[rank].count)
    return schedule->ranks[rank].steps[index];
  return (struct tny_step){.kind = TNY_COPY,
                           .peer = TNY_NONE,
                           .span = tny_span_blocks(TNY_INPUT, 0, 1),
                           .target = tny_span_blocks(TNY_OUTPUT, 0, 1),
                           .phase = TNY_NONE};
}

/* Chunks of a span that lie together: all of them, or those of each block. */
static uint32_t run_of(const struct tny_schedule *schedule, const struct tny_span *span)
{
  const bool is_whole = span->chunk_count == 1 || span->chunks == schedule->chunk_count;
  return is_whole ? span->count * schedule->chunk_count : span->chunks;
}

static uint32_t pieces_of_run(uint32_t run)
{
  return (run + TNY_MSCCL_COUNT_MAX - 1) / TNY_MSCCL_COUNT_MAX;
}

uint32_t tny_msccl_pieces(const struct tny_schedule *schedule, const struct tny_span *span)
{
  const uint32_t run = run_of(schedule, span);
  const uint64_t chunks = tny_span_pieces(span, schedule->chunk_count);
  return run ? (uint32_t)(chunks / run) * pieces_of_run(run) : 0;
}

struct tny_msccl_piece tny_msccl_piece(const struct tny_schedule *schedule,
                                       const struct tny_span *span, uint32_t k)
{
  static const char *const letters[] = {[TNY_INPUT] = "i", [TNY_OUTPUT] = "o", [TNY_SCRATCH] = "s"};
  const uint32_t run = run_of(schedule, span), pieces = pieces_of_run(run);
  const uint32_t before = k % pieces * TNY_MSCCL_COUNT_MAX;
  const uint32_t first = (span->first + k / pieces) * schedule->chunk_count +
                         (span->chunk_count == 1 ? 0 : span->chunk);
  const uint32_t rest = run - before;
  return (struct tny_msccl_piece){letters[span->buffer], first + before,
                                  rest < TNY_MSCCL_COUNT_MAX ? rest : TNY_MSCCL_COUNT_MAX};
}
