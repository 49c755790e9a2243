/* Does no rank of a barrier end before every rank has begun? What is sent has nothing to do with
   it, so a file needs no comments of ours for it. A rank begins before all its operations start,
   and ends when all are complete. As in src/verify/synchronization.c, whose code this doesn't
   share, a send is taken to be complete as soon as it starts, and a receive after its send has
   started; but nothing keeps the operations of a rank in order here but what they need. */
#include "core/error.h"
#include "exchange/check/checks.h"

enum { RANKS_A_PASS = 64 };

struct pass {
  const struct tny_foreign *foreign;
  uint32_t first, count; /* the ranks that it looks for, a bit each */
  uint64_t *before;      /* by event: of these, those that have begun before it */
};

static uint64_t bit_of(const struct pass *pass, uint32_t rank)
{
  return rank >= pass->first && rank - pass->first < pass->count
             ? UINT64_C(1) << (rank - pass->first)
             : 0;
}

static uint64_t before_start(const struct pass *pass, uint32_t operation)
{
  const struct tny_operation *at = &pass->foreign->operations[operation];
  uint64_t before = bit_of(pass, at->rank);
  for (uint32_t i = 0; i < at->need_count; i++) {
    const struct tny_need *need = &pass->foreign->needs[at->need_first + i];
    before |= pass->before[2 * need->operation + !need->started];
  }
  return before;
}

static uint64_t before_completion(const struct pass *pass, uint32_t operation)
{
  const struct tny_operation *at = &pass->foreign->operations[operation];
  const uint64_t before = pass->before[2 * operation];
  return at->act == TNY_ACT_RECV ? before | pass->before[2 * at->partner] : before;
}

static enum tny_status check(const struct pass *pass, const struct tny_event_order *order,
                             struct tny_error *error)
{
  const struct tny_foreign *foreign = pass->foreign;
  for (uint32_t i = 0; i < 2 * foreign->operation_count; i++) {
    const uint32_t event = order->events[i];
    pass->before[event] =
        event % 2 ? before_completion(pass, event / 2) : before_start(pass, event / 2);
  }
  for (uint32_t rank = 0; rank < foreign->rank_count; rank++) {
    uint64_t before = bit_of(pass, rank);
    for (uint32_t i = foreign->first[rank]; i < foreign->end[rank]; i++)
      before |= pass->before[2 * i + 1];
    for (uint32_t i = 0; i < pass->count; i++)
      if (!(before >> i & 1))
        return tny_error_at(error, TNY_BROKEN, foreign->name, 0, 0,
                            "rank %u may end before rank %u has begun: no chain of messages leads "
                            "from rank %u to it",
                            rank, pass->first + i, pass->first + i);
  }
  return TNY_OK;
}

enum tny_status tny_foreign_synchronizes(const struct tny_foreign *foreign,
                                         const struct tny_event_order *order,
                                         struct tny_arena *arena, struct tny_error *error)
{
  struct pass pass = {.foreign = foreign,
                      .before =
                          tny_arena_take(arena, foreign->operation_count, 2 * sizeof *pass.before)};
  enum tny_status status = pass.before ? TNY_OK : tny_error_memory(error);
  for (; status == TNY_OK && pass.first < foreign->rank_count; pass.first += RANKS_A_PASS) {
    const uint32_t left = foreign->rank_count - pass.first;
    pass.count = left < RANKS_A_PASS ? left : RANKS_A_PASS;
    status = check(&pass, order, error);
  }
  return status;
}
