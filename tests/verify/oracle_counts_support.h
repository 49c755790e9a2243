/* What the oracle counts without a run: messages on links, rounds, phases, blocks. Included once by
   a test. */
#ifndef TOURNEY_TESTS_ORACLE_COUNTS_SUPPORT_H
#define TOURNEY_TESTS_ORACLE_COUNTS_SUPPORT_H

#include "oracle_support.h"

/* The most messages of a phase on a link; messages without a phase don't count. */
static inline uint32_t oracle_phase_messages(const struct oracle *oracle)
{
  const uint32_t link_count = oracle->network->routes->cluster->link_count;
  uint32_t most = 0;
  for (uint32_t link = 0; link < link_count; link++) {
    for (uint32_t i = oracle->on_link_first[link]; i < oracle->on_link_first[link + 1]; i++) {
      const uint32_t phase = oracle_step(oracle, oracle->on_link[i])->phase;
      uint32_t count = 0;
      for (uint32_t k = oracle->on_link_first[link]; k <= i && phase != TNY_NONE; k++)
        count += oracle_step(oracle, oracle->on_link[k])->phase == phase;
      most = count > most ? count : most;
    }
  }
  return most;
}

/* The rounds that it takes where each rank sends one message at a time, and receives one: repeated
   until nothing changes. */
static inline uint32_t oracle_rounds(struct oracle *oracle)
{
  uint32_t *round = oracle_take(oracle, oracle->step_count, sizeof *round), most = 0;
  bool changed = true;
  for (uint32_t sweep = 0; changed && sweep <= oracle->step_count; sweep++) {
    changed = false;
    for (uint32_t id = 0; id < oracle->step_count; id++) {
      const struct tny_step *step = oracle_step(oracle, id);
      const bool is_message = step->kind == TNY_SEND || step->kind == TNY_RECV;
      const uint32_t previous = oracle->previous[id];
      uint32_t before = previous == TNY_NONE ? 0 : round[previous];
      for (uint32_t i = 0; i < step->after_count; i++)
        if (round[oracle_after(oracle, id, i)] > before)
          before = round[oracle_after(oracle, id, i)];
      uint32_t own = before + is_message;
      if (oracle->partner[id] != TNY_NONE && round[oracle->partner[id]] > own)
        own = round[oracle->partner[id]];
      changed = changed || own > round[id];
      round[id] = own > round[id] ? own : round[id];
      most = round[id] > most ? round[id] : most;
    }
  }
  return most;
}

/* Has every message a phase, and are there just so many; or is there none, for 0? */
static inline bool oracle_has_phases(const struct oracle *oracle, uint32_t phase_count)
{
  uint32_t end = 0;
  for (uint32_t id = 0; id < oracle->step_count; id++) {
    const struct tny_step *step = oracle_step(oracle, id);
    if (step->phase == TNY_NONE && step->kind == TNY_SEND && phase_count > 0)
      return false;
    if (step->phase != TNY_NONE && step->phase >= end)
      end = step->phase + 1;
  }
  return end == phase_count;
}

/* Blocks that the busiest rank sends, rounded up. */
static inline uint64_t oracle_blocks_sent(const struct oracle *oracle)
{
  const uint64_t pieces = oracle->schedule->chunk_count;
  uint64_t most = 0;
  for (uint32_t rank = 0; rank < oracle->schedule->rank_count; rank++) {
    uint64_t sent = 0;
    for (uint32_t id = oracle->first[rank]; id < oracle->first[rank + 1]; id++) {
      const struct tny_span *span = &oracle_step(oracle, id)->span;
      if (oracle_step(oracle, id)->kind == TNY_SEND)
        sent += span->count * (span->chunk_count == 1 ? pieces : span->chunks);
    }
    most = sent > most ? sent : most;
  }
  return (most + pieces - 1) / pieces;
}

#endif
