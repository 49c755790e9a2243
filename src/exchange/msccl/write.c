/* MSCCL's XML, written. A rank's steps are put in threadblocks (threadblocks.h), each of which
   does its steps one after the other. A step names one step of another threadblock that it waits
   for, by depid and deps; nops in front of it name the others. */
#include <tourney/exchange.h>

#include "core/error.h"
#include "core/text.h"
#include "exchange/msccl/limits.h"
#include "exchange/msccl/names.h"
#include "exchange/msccl/pieces.h"
#include "exchange/msccl/threadblocks.h"
#include "exchange/msccl/walk.h"

struct writer {
  const struct tny_schedule *schedule;
  struct tny_msccl_threadblocks blocks;
  struct tny_text text;
};

/* An XML step that another one waits for: its threadblock among the rank's, and its number there.
 */
struct awaited {
  uint32_t block, step;
};

static void write_pieces(struct writer *writer, uint32_t xml_step, const char *type,
                         const struct tny_msccl_piece pieces[2])
{
  tny_text_add(&writer->text,
               "      <step s=\"%u\" type=\"%s\" srcbuf=\"%s\" srcoff=\"%u\" dstbuf=\"%s\" "
               "dstoff=\"%u\" cnt=\"%u\" ",
               xml_step, type, pieces[0].buffer, pieces[0].offset, pieces[1].buffer,
               pieces[1].offset, pieces[0].count);
}

/* The attributes from depid on. `waited` NULL: the step waits for none. */
static void write_wait(struct writer *writer, const struct tny_msccl_rank *queued,
                       const struct awaited *waited, bool hasdep)
{
  if (waited)
    tny_text_add(&writer->text, "depid=\"%u\" deps=\"%u\" hasdep=\"%d\"/>\n",
                 queued->ids[waited->block], waited->step, hasdep);
  else
    tny_text_add(&writer->text, "depid=\"-1\" deps=\"-1\" hasdep=\"%d\"/>\n", hasdep);
}

/* The spans at both ends of a step: what it moves from and to. */
static void ends_of(const struct writer *writer, const struct tny_msccl_walk *walk,
                    struct tny_span ends[2])
{
  const struct tny_step step = tny_msccl_step(writer->schedule, walk->rank, walk->step);
  const struct tny_match *match = &writer->blocks.match;
  ends[0] = ends[1] = step.span;
  if (tny_step_is_local(step.kind)) {
    ends[1] = step.target;
    return;
  }
  const uint32_t partner = match->partner[match->first[walk->rank] + walk->step];
  ends[tny_step_starts_message(step.kind)] = tny_match_step(match, partner)->span;
}

/* Tokens and reduces were refused before. */
static const char *type_of(enum tny_step_kind kind)
{
  switch (kind) {
  case TNY_SEND:
    return "s";
  case TNY_RECV:
    return "r";
  case TNY_COPY:
    return "cpy";
  case TNY_TOKEN_OUT:
  case TNY_TOKEN_IN:
  case TNY_REDUCE_LEFT:
  case TNY_REDUCE_RIGHT:
    break;
  }
  return "nop";
}

/* The piece at hand; `previous` is the XML step before it in its queue. */
static void write_piece(struct writer *writer, const struct tny_msccl_walk *walk,
                        struct awaited previous, bool hasdep)
{
  const struct tny_msccl_rank *queued = &writer->blocks.ranks[walk->rank];
  const uint32_t waits = tny_msccl_walk_waits(walk);
  uint32_t xml_step = walk->xml_step;
  uint32_t wait = walk->piece == 0 ? queued->entries[walk->step].wait : TNY_NONE;
  struct awaited waited = previous;
  for (uint32_t i = 0; i < waits; i++) {
    if (i > 0 || !walk->begins_block || walk->block == 0) {
      const struct tny_msccl_entry *other = &queued->entries[queued->waits[wait].step];
      waited = (struct awaited){other->block, other->last};
      wait = queued->waits[wait].next;
    }
    if (i + 1 == waits)
      break;
    write_pieces(writer, xml_step++, "nop", (struct tny_msccl_piece[2]){{"i", 0, 0}, {"o", 0, 0}});
    write_wait(writer, queued, &waited, false);
  }
  struct tny_span ends[2];
  ends_of(writer, walk, ends);
  const struct tny_msccl_piece pieces[2] = {
      tny_msccl_piece(writer->schedule, &ends[0], walk->piece),
      tny_msccl_piece(writer->schedule, &ends[1], walk->piece)};
  write_pieces(writer, xml_step, type_of(walk->queue->kind), pieces);
  write_wait(writer, queued, waits > 0 ? &waited : NULL, hasdep);
}

static void begin_block(struct writer *writer, const struct tny_msccl_walk *walk)
{
  const struct tny_msccl_queue *queue = walk->queue;
  const int64_t peer = tny_step_is_local(queue->kind) ? -1 : (int64_t)queue->peer;
  tny_text_add(&writer->text, "    <tb id=\"%u\" send=\"%d\" recv=\"%d\" chan=\"%u\">\n",
               writer->blocks.ranks[walk->rank].ids[queue->block_first + walk->block],
               tny_step_starts_message(queue->kind) ? (int)peer : -1,
               tny_step_ends_message(queue->kind) ? (int)peer : -1,
               writer->blocks.cuts[queue->cut_first + walk->block].channel);
}

static void write_queue(struct writer *writer, uint32_t rank, const struct tny_msccl_queue *queue)
{
  struct tny_msccl_walk walk = tny_msccl_walk_begin(
      writer->schedule, rank, &writer->blocks.ranks[rank], queue, writer->blocks.cuts);
  struct awaited previous = {0};
  while (walk.step != TNY_NONE) {
    const struct tny_msccl_walk at = walk;
    tny_msccl_walk_next(&walk);
    const bool is_last_of_step = at.piece + 1 == at.piece_count;
    const bool ends_block = walk.step == TNY_NONE || walk.begins_block;
    const bool is_waited = walk.step != TNY_NONE && walk.begins_block;
    if (at.begins_block)
      begin_block(writer, &at);
    write_piece(writer, &at, previous,
                is_waited ||
                    (is_last_of_step && writer->blocks.ranks[rank].entries[at.step].is_waited));
    previous =
        (struct awaited){queue->block_first + at.block, at.xml_step + tny_msccl_walk_cost(&at) - 1};
    if (ends_block)
      tny_text_add(&writer->text, "    </tb>\n");
  }
}

static void write_gpu(struct writer *writer, uint32_t rank)
{
  const struct tny_msccl_rank *queued = &writer->blocks.ranks[rank];
  tny_text_add(&writer->text, "  <gpu id=\"%u\" i_chunks=\"%u\" o_chunks=\"%u\" s_chunks=\"%u\">\n",
               rank, tny_msccl_chunks(writer->schedule, TNY_INPUT),
               tny_msccl_chunks(writer->schedule, TNY_OUTPUT),
               tny_msccl_chunks(writer->schedule, TNY_SCRATCH));
  for (uint32_t i = 0; i < queued->queue_count; i++)
    write_queue(writer, rank, &queued->queues[i]);
  tny_text_add(&writer->text, "  </gpu>\n");
}

/* As an attribute's value. */
static void write_escaped(struct tny_text *text, const char *name)
{
  for (; *name; name++) {
    if (strchr("&<>\"'", *name))
      tny_text_add(text, "&#%d;", *name);
    else
      tny_text_add(text, "%c", *name);
  }
}

static void write_algo(struct writer *writer)
{
  const struct tny_schedule *schedule = writer->schedule;
  tny_text_add(&writer->text, "<algo name=\"");
  write_escaped(&writer->text, schedule->algorithm);
  tny_text_add(&writer->text,
               "\" proto=\"Simple\" nchannels=\"%u\" nchunksperloop=\"%u\" ngpus=\"%u\" "
               "coll=\"%s\" inplace=\"0\" outofplace=\"1\" minBytes=\"0\" maxBytes=\"0\">\n",
               writer->blocks.channel_count, tny_msccl_chunks(schedule, TNY_OUTPUT),
               schedule->rank_count, tny_msccl_name(schedule->collective));
}

/* The executors keep offsets in 16 bits. */
static enum tny_status check_chunks(const struct tny_schedule *schedule, struct tny_error *error)
{
  for (int buffer = TNY_INPUT; buffer <= TNY_SCRATCH; buffer++) {
    const uint64_t blocks = buffer == TNY_SCRATCH
                                ? schedule->scratch_blocks
                                : tny_buffer_blocks(schedule->collective, (enum tny_buffer)buffer,
                                                    schedule->rank_count);
    if (blocks * schedule->chunk_count > TNY_MSCCL_OFFSETS_MAX)
      return tny_error_set(error, TNY_REFUSED,
                           "%llu blocks in %u chunks are too many for MSCCL's executors, which "
                           "number %d chunks of a buffer: plan with fewer chunks",
                           (unsigned long long)blocks, schedule->chunk_count,
                           TNY_MSCCL_OFFSETS_MAX);
  }
  return TNY_OK;
}

static enum tny_status check(const struct tny_schedule *schedule, struct tny_error *error)
{
  if (schedule->rank_count > TNY_MSCCL_GPUS_MAX)
    return tny_error_set(error, TNY_REFUSED, "MSCCL's executors read files of %d ranks at most",
                         TNY_MSCCL_GPUS_MAX);
  if (!tny_msccl_name(schedule->collective))
    return tny_error_set(error, TNY_REFUSED, "MSCCL's XML has no %s",
                         tny_collective_name(schedule->collective));
  if (schedule->wanted)
    return tny_error_set(error, TNY_REFUSED,
                         "MSCCL's XML has no sparse patterns: every block is wanted there");
  for (uint32_t rank = 0; rank < schedule->rank_count; rank++)
    for (uint32_t i = 0; i < schedule->ranks[rank].count; i++) {
      const enum tny_step_kind kind = schedule->ranks[rank].steps[i].kind;
      if (tny_step_is_token(kind))
        return tny_error_set(error, TNY_REFUSED,
                             "MSCCL's XML has no messages without data, and rank %u step %u is "
                             "one: plan with --window 0 and without --separate",
                             rank, i);
      if (tny_step_reduces(kind))
        return tny_error_set(error, TNY_REFUSED,
                             "MSCCL's XML doesn't say on which side an operand stands, and rank "
                             "%u step %u is a reduction",
                             rank, i);
    }
  return check_chunks(schedule, error);
}

enum tny_status tny_schedule_write_msccl(const struct tny_schedule *schedule, char **text,
                                         struct tny_error *error)
{
  struct writer writer = {.schedule = schedule};
  *text = NULL;
  enum tny_status status = check(schedule, error);
  if (status != TNY_OK)
    return status;
  status = tny_msccl_threadblocks_make(schedule, &writer.blocks, error);
  if (status == TNY_OK) {
    write_algo(&writer);
    for (uint32_t rank = 0; rank < schedule->rank_count; rank++)
      write_gpu(&writer, rank);
    tny_text_add(&writer.text, "</algo>\n");
    status = tny_text_take(&writer.text, text, error);
  }
  tny_text_release(&writer.text);
  tny_msccl_threadblocks_release(&writer.blocks);
  return status;
}
