/* A GPU of MSCCL's XML once all its threadblocks are read. */
#include "exchange/msccl/gpu.h"

#include "core/error.h"
#include "exchange/msccl/limits.h"

static int compare_ids(const void *first, const void *second)
{
  const struct tny_msccl_block *a = first, *b = second;
  if (a->id != b->id)
    return a->id < b->id ? -1 : 1;
  return (a->line > b->line) - (a->line < b->line);
}

static enum tny_status blame(const struct tny_msccl *reader, const struct tny_msccl_step *step,
                             const char *fault)
{
  return tny_error_at(reader->error, TNY_BROKEN, reader->foreign->name, step->line, 0,
                      "this step waits for step %d of threadblock %d, %s", step->deps, step->depid,
                      fault);
}

/* Has a step wait for one of any threadblock of the rank. Threadblocks are sorted by id. */
static enum tny_status add_dependency(const struct tny_msccl *reader,
                                      const struct tny_msccl_step *step)
{
  if ((uint32_t)step->depid >= reader->block_count)
    return blame(reader, step, "which this GPU doesn't have");
  const struct tny_msccl_block *block = &reader->blocks[step->depid];
  if (step->deps < 0 || (uint32_t)step->deps >= block->step_count)
    return blame(reader, step, "which doesn't have that step");
  const struct tny_msccl_step *other = &reader->steps[block->first_step + (uint32_t)step->deps];
  if (!other->hasdep)
    return blame(reader, step, "which never tells when that step is done (its hasdep is 0)");
  return tny_foreign_need(
      reader->foreign, (struct tny_edge){step->first, {.operation = other->last}}, reader->error);
}

/* The GPU that a threadblock sends to, or receives from; -1: none, in all its steps. */
static int32_t peer_of(const struct tny_msccl_block *block, bool sends)
{
  if (sends)
    return block->sends ? block->send : -1;
  return block->receives ? block->recv : -1;
}

static int compare_connections(const void *first, const void *second, void *of)
{
  const bool sends = *(const bool *)of;
  const struct tny_msccl_block *a = first, *b = second;
  const int32_t peer_a = peer_of(a, sends), peer_b = peer_of(b, sends);
  if (peer_a != peer_b)
    return peer_a < peer_b ? -1 : 1;
  return (a->channel > b->channel) - (a->channel < b->channel);
}

/* Checks that each connection's end has one threadblock: else who meets whom would be open. */
static void check_connections(struct tny_msccl *reader, bool sends)
{
  struct tny_msccl_block *blocks = reader->blocks;
  qsort_r(blocks, reader->block_count, sizeof *blocks, compare_connections, &sends);
  for (uint32_t i = 1; reader->status == TNY_OK && i < reader->block_count; i++) {
    const struct tny_msccl_block *a = &blocks[i - 1], *b = &blocks[i];
    const int32_t peer = peer_of(a, sends);
    if (peer >= 0 && peer == peer_of(b, sends) && a->channel == b->channel)
      tny_msccl_note(
          reader, tny_error_at(reader->error, TNY_BAD_INPUT, reader->foreign->name,
                               a->line > b->line ? a->line : b->line, 0,
                               "GPU %u has two threadblocks that %s GPU %d on channel %d",
                               reader->rank, sends ? "send to" : "receive from", peer, a->channel));
  }
}

/* The executors have tables of so many senders and so many receivers for each channel. */
static void check_channels(struct tny_msccl *reader)
{
  uint32_t counts[2][TNY_MSCCL_CHANNELS_MAX] = {{0}};
  for (uint32_t i = 0; i < reader->block_count; i++) {
    const struct tny_msccl_block *block = &reader->blocks[i];
    uint32_t *sending = &counts[0][block->channel], *receiving = &counts[1][block->channel];
    *sending += block->send >= 0;
    *receiving += block->recv >= 0;
    if (*sending > TNY_MSCCL_PEERS_MAX || *receiving > TNY_MSCCL_PEERS_MAX) {
      tny_msccl_note(reader,
                     tny_error_at(reader->error, TNY_REFUSED, reader->foreign->name, block->line, 0,
                                  "more than %d threadblocks of GPU %u %s on channel %d, which is "
                                  "all that MSCCL's executors take: use more channels",
                                  TNY_MSCCL_PEERS_MAX, reader->rank,
                                  *sending > TNY_MSCCL_PEERS_MAX ? "send" : "receive",
                                  block->channel));
      return;
    }
  }
}

void tny_msccl_end_gpu(struct tny_msccl *reader)
{
  struct tny_foreign *foreign = reader->foreign;
  foreign->end[reader->rank] = foreign->operation_count;
  if (reader->block_count == 0)
    return;
  check_channels(reader);
  check_connections(reader, true);
  check_connections(reader, false);
  qsort(reader->blocks, reader->block_count, sizeof *reader->blocks, compare_ids);
  for (uint32_t i = 0; reader->status == TNY_OK && i < reader->block_count; i++) {
    const struct tny_msccl_block *block = &reader->blocks[i];
    if (block->id != i)
      tny_msccl_note(reader,
                     tny_error_at(reader->error, TNY_BAD_INPUT, reader->foreign->name, block->line,
                                  0, "GPU %u: threadblock %u is %s; they are numbered from 0",
                                  reader->rank, block->id > i ? i : block->id,
                                  block->id > i ? "missing" : "here twice"));
  }
  for (uint32_t i = 0; reader->status == TNY_OK && i < reader->step_count; i++)
    if (reader->steps[i].depid >= 0)
      tny_msccl_note(reader, add_dependency(reader, &reader->steps[i]));
}

void tny_msccl_find_root(struct tny_msccl *reader)
{
  struct tny_foreign *foreign = reader->foreign;
  uint32_t root = TNY_NONE;
  for (uint32_t rank = 0; reader->status == TNY_OK && rank < foreign->rank_count; rank++) {
    bool receives = false;
    for (uint32_t i = foreign->first[rank]; i < foreign->end[rank]; i++)
      receives = receives || foreign->operations[i].act == TNY_ACT_RECV;
    if (!receives && root != TNY_NONE)
      reader->status = tny_error_at(reader->error, TNY_BROKEN, foreign->name, 0, 0,
                                    "GPUs %u and %u receive nothing; in a broadcast only the root "
                                    "does",
                                    root, rank);
    if (!receives)
      root = rank;
  }
  if (reader->status == TNY_OK && root == TNY_NONE)
    reader->status = tny_error_at(reader->error, TNY_REFUSED, foreign->name, 0, 0,
                                  "every GPU receives something, so it's open which is the "
                                  "broadcast's root");
  if (reader->status == TNY_OK)
    foreign->head->root = root;
}
