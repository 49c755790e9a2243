/* Steps and spans of a schedule as MSCCL's XML has them. */
#ifndef TOURNEY_EXCHANGE_MSCCL_PIECES_H
#define TOURNEY_EXCHANGE_MSCCL_PIECES_H

#include <tourney/schedule.h>

/* Some chunks of a buffer, as one XML step names them. */
struct tny_msccl_piece {
  const char *buffer;
  uint32_t offset, count;
};

/* Chunks of a rank's buffer. */
uint32_t tny_msccl_chunks(const struct tny_schedule *schedule, enum tny_buffer buffer);
/* A rank's steps in MSCCL are those of the schedule; at the root of a broadcast a copy to its own
   output comes behind them, which MSCCL's root has and ours doesn't. */
uint32_t tny_msccl_step_count(const struct tny_schedule *schedule, uint32_t rank);
struct tny_step tny_msccl_step(const struct tny_schedule *schedule, uint32_t rank, uint32_t index);
/* XML steps that move a span: no more chunks than one takes, and chunks of several blocks don't lie
   together. */
uint32_t tny_msccl_pieces(const struct tny_schedule *schedule, const struct tny_span *span);
struct tny_msccl_piece tny_msccl_piece(const struct tny_schedule *schedule,
                                       const struct tny_span *span, uint32_t k);

#endif
