/* How long chunks should be: a chunk's overheads and headers are weighed against what longer chunks
   cost, which is the time to fill a pipeline, and the round trip that a window without room for two
   of them waits for.

   By LogGP, chunks of c bytes follow each other in s = max(o, G(c)): what the processor takes, or
   the link. A window of w of them must cover the time until the first is received, so one takes
   max(s, (s + L) / w). A stream of n chunks takes n times that; in a pipeline the last rank's first
   chunk comes over the hops before. */
#include "model/chunk.h"

#include "model/bandwidth_delay.h"
#include "model/cost.h"

enum {
  /* Longer chunks that save less than this part of the time aren't worth it: shorter ones leave
     more room in port buffers. */
  WORTH_PART = 128,
  /* In pipelines that take twice as long to pass on as to fill, what chunks that fill their frames
     may cost: a frame is as much work for what is on its way when it isn't full. Of that the model
     knows the ranks' share only. */
  FULL_FRAMES_PART = 24,
  /* The part of the overheads that doesn't run beside the link: ranks wait for each other. */
  UNHIDDEN_PART = 8,
  CHUNK_BYTES_MAX = 1 << 20,
  PIPELINE_BYTES_MIN = 256,
  /* Unanswered chunks to one rank, beside those on a long link: receivers answer when their turn
     comes, in the lab of 16 ranks on two processors up to a few chunks late. */
  CREDITED_CHUNKS = 8,
  /* What limits on links cost beside their tokens: ranks wait for tokens of others that are late.
     Measured on rings of 16 ranks: nothing at 20 Mbit/s, up to 30 % at 100 Mbit/s. */
  LIMITED_PART = 16,
};

/* Lengths that are tried, in frames. */
static const uint64_t frames_tried[] = {1,  2,  3,  4,   6,   8,   11,  16,  22, 32,
                                        44, 64, 90, 128, 181, 256, 362, 512, 724};
enum { TRIED = sizeof frames_tried / sizeof *frames_tried, LENGTHS_MAX = TRIED + 17 };
static const tny_wide TIME_MAX = ~(tny_wide)0;

uint64_t tny_chunk_window(const struct tny_model *model, const struct tny_stream *stream,
                          uint64_t chunk_bytes)
{
  const uint64_t delay_bytes = tny_model_bandwidth_delay_bytes(model);
  const bool in_batches = stream->pacing == TNY_PACE_CREDIT_BATCHES;
  const uint64_t wanted =
      tny_pacing_is_by_credits(stream->pacing)
          ? (in_batches ? 2U : 1U) * (uint64_t)CREDITED_CHUNKS + 2 * delay_bytes / chunk_bytes
          : 1 + (delay_bytes + chunk_bytes / 2) / chunk_bytes;
  const uint64_t allowed = stream->budget_bytes / chunk_bytes;
  return allowed < 1 ? 1 : wanted < allowed ? wanted : allowed;
}

/* How long the stream takes in chunks of about this length. */
static tny_wide stream_ns(const struct tny_model *model, const struct tny_stream *stream,
                          uint64_t about_bytes)
{
  const uint64_t count = (stream->block_bytes - 1) / about_bytes + 1;
  const uint64_t chunk_bytes = (stream->block_bytes - 1) / count + 1;
  const uint64_t window = tny_chunk_window(model, stream, chunk_bytes);
  const struct tny_machine *machine = &model->machine;
  const uint64_t overheads_ns = machine->send_overhead_ns + machine->receive_overhead_ns;
  const bool is_limited = window * chunk_bytes > stream->free_bytes;
  const bool by_credits = tny_pacing_is_by_credits(stream->pacing);
  const uint64_t answered = stream->pacing == TNY_PACE_CREDIT_BATCHES ? (window + 1) / 2 : 1;
  const bool has_tokens = by_credits || is_limited;
  const uint64_t step_ns =
      tny_chunk_step_ns(model, chunk_bytes) + overheads_ns / UNHIDDEN_PART +
      (has_tokens ? tny_link_ns(model->link_bps, tny_wire_bytes(0, 1)) / answered : 0);
  const uint64_t way_ns =
      model->step_ns - overheads_ns +
      tny_handshake_ns(machine, chunk_bytes, model->step_ns - model->software_ns);
  const uint64_t round_ns = (step_ns + way_ns * (has_tokens ? 2 : 1)) / (window * stream->peers);
  const tny_wide each_ns = step_ns > round_ns ? step_ns : round_ns;
  if (stream->hops > 0)
    return each_ns * (count - 1) + (tny_wide)(step_ns + way_ns) * (stream->hops + 1);
  const tny_wide ns = each_ns * count + way_ns;
  return is_limited ? ns + ns / LIMITED_PART : ns;
}

/* Pipelines of short messages are worth chunks with nearly as many bytes of headers. */
static uint64_t least_bytes(const struct tny_stream *stream)
{
  return stream->hops > 0 ? PIPELINE_BYTES_MIN : TNY_CHUNK_BYTES_MIN;
}

/* The lengths that are tried: those of whole frames, powers of two, and what the budget and a
   window without tokens just have room for. */
static uint32_t list_lengths(const struct tny_stream *stream, uint64_t *lengths)
{
  uint32_t count = 0;
  for (uint64_t bytes = least_bytes(stream); bytes <= CHUNK_BYTES_MAX; bytes *= 2)
    lengths[count++] = bytes;
  for (uint32_t i = 0; i < TRIED; i++)
    lengths[count++] = frames_tried[i] * TNY_FRAME_BYTES - TNY_MESSAGE_COST_BYTES;
  lengths[count++] = stream->budget_bytes;
  lengths[count++] = stream->free_bytes;
  lengths[count++] = stream->chunk_bytes_max;
  lengths[count++] = stream->block_bytes;
  return count;
}

/* Is a chunk of the one length to be preferred where both take about as long? Short ones leave more
   room in port buffers; in pipelines, whose buffers have room for several of any, long ones cost
   processors less. */
static bool is_preferred(const struct tny_stream *stream, uint64_t one, uint64_t other)
{
  return stream->hops > 0 ? one > other : one < other;
}

/* The shortest length that fills its frames, from `from` on and worth it; else `from`. */
static uint64_t fill_frames(const uint64_t *lengths, const tny_wide *times, tny_wide least,
                            uint32_t count, uint64_t from)
{
  uint64_t full = UINT64_MAX;
  for (uint32_t i = 0; i < count; i++)
    if (times[i] != TIME_MAX && times[i] - least <= least / FULL_FRAMES_PART &&
        (lengths[i] + TNY_MESSAGE_COST_BYTES) % TNY_FRAME_BYTES == 0 && lengths[i] >= from &&
        lengths[i] < full)
      full = lengths[i];
  return full == UINT64_MAX ? from : full;
}

uint64_t tny_chunk_bytes(const struct tny_model *model, const struct tny_stream *stream)
{
  uint64_t lengths[LENGTHS_MAX], best = 0;
  tny_wide times[LENGTHS_MAX], least = TIME_MAX;
  const uint32_t count = list_lengths(stream, lengths);
  for (uint32_t i = 0; i < count; i++) {
    const bool is_allowed = lengths[i] <= stream->budget_bytes &&
                            lengths[i] <= stream->chunk_bytes_max &&
                            lengths[i] >= least_bytes(stream) && lengths[i] <= stream->block_bytes;
    times[i] = is_allowed ? stream_ns(model, stream, lengths[i]) : TIME_MAX;
    least = times[i] < least ? times[i] : least;
  }
  for (uint32_t i = 0; i < count; i++)
    if (times[i] != TIME_MAX && times[i] - least <= least / WORTH_PART &&
        (best == 0 || is_preferred(stream, lengths[i], best)))
      best = lengths[i];
  if (best == 0)
    return TNY_CHUNK_BYTES_MIN;
  const bool is_mostly_full = stream->hops > 0 && stream->block_bytes / best > 2 * stream->hops;
  return is_mostly_full ? fill_frames(lengths, times, least, count, best) : best;
}
