/* What the oracle's runs are fed with and what must come of it, by the collectives' definitions. A
   cell holds an affine map modulo a prime, other cells other ones, before anything is written there
   too. Combining is composition: associative, and not commutative, and two results are the same by
   chance once in 2^60. Where the schedule serves only operations that commute, it is the sum.
   Included once by a test. */
#ifndef TOURNEY_TESTS_ORACLE_VALUES_SUPPORT_H
#define TOURNEY_TESTS_ORACLE_VALUES_SUPPORT_H

#include <stdlib.h>

#include <tourney/schedule.h>

static inline bool oracle_is_reduction(const struct tny_schedule *schedule)
{
  return schedule->collective == TNY_REDUCE || schedule->collective == TNY_REDUCE_SCATTER ||
         schedule->collective == TNY_ALLREDUCE;
}

static inline uint32_t oracle_blocks(const struct tny_schedule *schedule, uint32_t rank,
                                     enum tny_buffer buffer)
{
  const bool is_root = rank == schedule->root, is_input = buffer == TNY_INPUT;
  const uint32_t p = schedule->rank_count;
  if (buffer == TNY_SCRATCH)
    return schedule->scratch_blocks;
  switch (schedule->collective) {
  case TNY_BROADCAST:
    return is_input == is_root;
  case TNY_ALLGATHER:
    return is_input ? 1 : p;
  case TNY_GATHER:
    return is_input ? 1 : is_root ? p : 0;
  case TNY_SCATTER:
    return !is_input ? 1 : is_root ? p : 0;
  case TNY_REDUCE:
    return is_input || is_root;
  case TNY_REDUCE_SCATTER:
    return is_input ? p : 1;
  case TNY_ALLREDUCE:
    return 1;
  case TNY_ALLTOALL:
    return p;
  case TNY_BARRIER:
    return 0;
  default: /* one that the oracle has yet to learn */
    abort();
  }
}

/* Where a rank's input begins in its output, in blocks, that is in place: MPI_IN_PLACE has it where
   the rank's own block is, where the output has one, and else at the beginning. */
static inline uint32_t oracle_in_place_block(const struct tny_schedule *schedule, uint32_t rank)
{
  return schedule->collective == TNY_ALLGATHER || schedule->collective == TNY_GATHER ? rank : 0;
}

enum { ORACLE_PRIME = 0x7fffffff };

static inline uint64_t oracle_mix(uint64_t number)
{
  number = (number ^ number >> 31) * 0x7fb5d329728ea185u;
  number = (number ^ number >> 27) * 0x81dadef4bc2dd44du;
  return number ^ number >> 33;
}

/* A map x -> ax + b, with a in the upper half. */
static inline uint64_t oracle_map(uint64_t number)
{
  const uint64_t mixed = oracle_mix(number + 1);
  return (1 + (mixed >> 32) % (ORACLE_PRIME - 1)) << 32 | (mixed & UINT32_MAX) % ORACLE_PRIME;
}

/* What cell k of a rank's input holds. */
static inline uint64_t oracle_value(uint32_t rank, uint32_t k)
{
  return oracle_map((uint64_t)rank << 20 | k);
}

/* What a cell holds before anything is written there. */
static inline uint64_t oracle_junk(size_t cell)
{
  return oracle_map((uint64_t)1 << 60 | cell);
}

static inline uint64_t oracle_combine(const struct tny_schedule *schedule, uint64_t left,
                                      uint64_t right)
{
  if (schedule->commutes)
    return left + right;
  const uint64_t a = left >> 32, b = left & UINT32_MAX, c = right >> 32, d = right & UINT32_MAX;
  return a * c % ORACLE_PRIME << 32 | (a * d + b) % ORACLE_PRIME;
}

/* What cell k of a rank's output must hold in the end. */
static inline uint64_t oracle_wanted(const struct tny_schedule *schedule, uint32_t rank,
                                     uint32_t unit, uint32_t k)
{
  const enum tny_collective kind = schedule->collective;
  const bool is_of_root = kind == TNY_BROADCAST || kind == TNY_SCATTER;
  const bool is_for_rank =
      kind == TNY_ALLTOALL || kind == TNY_SCATTER || kind == TNY_REDUCE_SCATTER;
  const uint32_t cell = (is_for_rank ? rank : 0) * unit + k % unit;
  if (!oracle_is_reduction(schedule))
    return oracle_value(is_of_root ? schedule->root : k / unit, cell);
  uint64_t wanted = oracle_value(0, cell);
  for (uint32_t from = 1; from < schedule->rank_count; from++)
    wanted = oracle_combine(schedule, wanted, oracle_value(from, cell));
  return wanted;
}

#endif
