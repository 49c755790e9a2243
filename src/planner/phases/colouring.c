/* Edge colouring of bipartite graphs by alternating paths. */
#include "planner/phases/colouring.h"

#include <stdbool.h>

#include <tourney/cluster.h>

#include "core/alloc.h"
#include "core/error.h"

/* The two ends of a message are at different vertices: a rank as sender, and as receiver. */
enum { SENDERS, RECEIVERS, SIDES };

struct colouring {
  const struct tny_arc *arcs;
  uint32_t *round;        /* by arc: first the preferred one, then the one that it gets */
  bool *has_round;        /* by arc */
  uint32_t *first[SIDES]; /* by rank: its arcs are list[first[rank]..first[rank + 1]) */
  uint32_t *list[SIDES];
  uint32_t round_count, words;
  uint64_t *is_free[SIDES]; /* by rank, `words` each: a bit for each round */
};

static uint32_t end_of(const struct tny_arc *arc, int side)
{
  return side == SENDERS ? arc->from : arc->to;
}

/* Sorts the arcs by their end on one side: by counting. */
static void group_arcs(struct colouring *colouring, int side, uint32_t arc_count,
                       uint32_t rank_count)
{
  uint32_t *first = colouring->first[side];
  for (uint32_t arc = 0; arc < arc_count; arc++)
    first[end_of(&colouring->arcs[arc], side)]++;
  for (uint32_t rank = 0, before = 0; rank <= rank_count; rank++) {
    before += first[rank];
    first[rank] = before;
  }
  for (uint32_t arc = arc_count; arc-- > 0;)
    colouring->list[side][--first[end_of(&colouring->arcs[arc], side)]] = arc;
}

/* The arc of that round at the end of `arc` on one side, other than itself; TNY_NONE: none. */
static uint32_t find_other(const struct colouring *colouring, uint32_t arc, int side,
                           uint32_t round)
{
  const uint32_t rank = end_of(&colouring->arcs[arc], side);
  const uint32_t *first = colouring->first[side];
  for (uint32_t i = first[rank]; i < first[rank + 1]; i++) {
    const uint32_t other = colouring->list[side][i];
    if (other != arc && colouring->has_round[other] && colouring->round[other] == round)
      return other;
  }
  return TNY_NONE;
}

static uint64_t *free_rounds(const struct colouring *colouring, uint32_t arc, int side)
{
  const uint32_t rank = end_of(&colouring->arcs[arc], side);
  return colouring->is_free[side] + (size_t)rank * colouring->words;
}

/* What was free no longer is, and the other way around. */
static void toggle(const struct colouring *colouring, uint32_t arc, int side, uint32_t round)
{
  free_rounds(colouring, arc, side)[round / 64] ^= (uint64_t)1 << round % 64;
}

/* The first round from `preferred` on, and around, that is in both sets; TNY_NONE: none is. */
static uint32_t first_in_both(const uint64_t *one, const uint64_t *other, uint32_t words,
                              uint32_t preferred)
{
  uint64_t mask = UINT64_MAX << preferred % 64;
  for (uint32_t i = 0, word = preferred / 64; i <= words; i++, mask = UINT64_MAX) {
    const uint64_t both = one[word] & other[word] & mask;
    if (both)
      return word * 64 + (uint32_t)__builtin_ctzll(both);
    word = word + 1 < words ? word + 1 : 0;
  }
  return TNY_NONE;
}

/* Frees round `wanted` for the receiver of `arc`, which is free in round `given`. The message that
   it receives in `wanted` moves to `given`; then the message that that one's sender has in `given`
   moves to `wanted`, and so on. This alternating path never ends at the sender of `arc`: it would
   have to arrive there by a message sent in round `wanted`, in which that sender is free. On the
   way both rounds are taken before and after. */
static void make_free(struct colouring *colouring, uint32_t arc, uint32_t wanted, uint32_t given)
{
  uint32_t last = arc, next;
  int side = RECEIVERS;
  toggle(colouring, arc, side, wanted);
  toggle(colouring, arc, side, given);
  while ((next = find_other(colouring, last, side, wanted)) != TNY_NONE) {
    const uint32_t kept = wanted;
    colouring->round[next] = given;
    wanted = given;
    given = kept;
    last = next;
    side = SIDES - 1 - side;
  }
  toggle(colouring, last, side, wanted);
  toggle(colouring, last, side, given);
}

static void colour(struct colouring *colouring, uint32_t arc)
{
  const uint32_t preferred = colouring->round[arc] % colouring->round_count;
  const uint64_t *sender = free_rounds(colouring, arc, SENDERS);
  const uint64_t *receiver = free_rounds(colouring, arc, RECEIVERS);
  uint32_t round = first_in_both(sender, receiver, colouring->words, preferred);
  if (round == TNY_NONE) {
    round = first_in_both(sender, sender, colouring->words, preferred);
    make_free(colouring, arc, round,
              first_in_both(receiver, receiver, colouring->words, preferred));
  }
  colouring->round[arc] = round;
  colouring->has_round[arc] = true;
  toggle(colouring, arc, SENDERS, round);
  toggle(colouring, arc, RECEIVERS, round);
}

static uint32_t most_at_a_rank(const struct colouring *colouring, uint32_t rank_count)
{
  uint32_t most = 0;
  for (int side = 0; side < SIDES; side++)
    for (uint32_t rank = 0; rank < rank_count; rank++) {
      const uint32_t *first = &colouring->first[side][rank];
      most = first[1] - first[0] > most ? first[1] - first[0] : most;
    }
  return most;
}

/* Makes all rounds free for all. The memory is that of the senders'. */
static enum tny_status free_all(struct colouring *colouring, uint32_t rank_count,
                                struct tny_error *error)
{
  const uint32_t words = colouring->words = colouring->round_count / 64 + 1;
  uint64_t *memory = tny_new((size_t)SIDES * rank_count * words, sizeof *memory);
  if (!memory)
    return tny_error_memory(error);
  for (size_t i = 0; i < (size_t)SIDES * rank_count * words; i++) {
    const uint32_t word = (uint32_t)(i % words);
    memory[i] = word + 1 < words ? UINT64_MAX : ((uint64_t)1 << colouring->round_count % 64) - 1;
  }
  colouring->is_free[SENDERS] = memory;
  colouring->is_free[RECEIVERS] = memory + (size_t)rank_count * words;
  return TNY_OK;
}

enum tny_status tny_colour_arcs(const struct tny_arc *arcs, uint32_t arc_count, uint32_t rank_count,
                                uint32_t *round, struct tny_error *error)
{
  const size_t firsts = (size_t)rank_count + 1, lists = arc_count;
  struct colouring colouring = {.arcs = arcs, .round = round};
  uint32_t *memory = tny_new(SIDES * (firsts + lists), sizeof *memory);
  colouring.has_round = tny_new(arc_count, sizeof *colouring.has_round);
  enum tny_status status = TNY_OK;
  if (!memory || !colouring.has_round)
    status = tny_error_memory(error);
  for (int side = 0; status == TNY_OK && side < SIDES; side++) {
    colouring.first[side] = memory + (size_t)side * (firsts + lists);
    colouring.list[side] = colouring.first[side] + firsts;
    group_arcs(&colouring, side, arc_count, rank_count);
  }
  if (status == TNY_OK) {
    colouring.round_count = most_at_a_rank(&colouring, rank_count);
    status = free_all(&colouring, rank_count, error);
  }
  for (uint32_t arc = 0; status == TNY_OK && arc < arc_count; arc++)
    colour(&colouring, arc);
  tny_free(colouring.is_free[SENDERS]);
  tny_free(colouring.has_round);
  tny_free(memory);
  return status;
}
