/* What is claimed of bits. Two reductions side by side leave the same ones, whatever the operation
   rounds, where each result is the same tree of combination. Where the two are cut differently, a
   byte is in different chunks of them, so all chunks have to be the same tree. */
#include <tourney/verify.h>

#include "core/error.h"
#include "verify/contents.h"

/* Reads one schedule's results into trees that it shares with the other. */
static enum tny_status follow(const struct tny_schedule *schedule, struct tny_match *match,
                              struct tny_contents *contents, struct tny_error *error)
{
  const enum tny_status status = tny_match_make(schedule, match, error);
  return status == TNY_OK ? tny_contents_make(match, NULL, contents, error) : status;
}

/* The results of one rank. */
static enum tny_status compare_rank(const struct tny_contents *one,
                                    const struct tny_contents *other, uint32_t rank,
                                    struct tny_error *error)
{
  const struct tny_schedule *schedule = one->match->schedule;
  const uint32_t chunks[2] = {one->locations.chunk_count, other->locations.chunk_count};
  const uint32_t blocks =
      tny_rank_blocks(schedule->collective, TNY_OUTPUT, schedule->rank_count, schedule->root, rank);
  const uint64_t *ones = tny_contents_output(one, rank);
  const uint64_t *others = tny_contents_output(other, rank);
  const bool is_cut_alike = chunks[0] == chunks[1];
  for (uint32_t block = 0; block < blocks; block++)
    for (uint32_t chunk = 0; chunk < chunks[0] || chunk < chunks[1]; chunk++) {
      const uint64_t mine = ones[block * (uint64_t)chunks[0] + (chunk < chunks[0] ? chunk : 0)];
      const uint64_t its = others[block * (uint64_t)chunks[1] + (chunk < chunks[1] ? chunk : 0)];
      const uint64_t first = others[block * (uint64_t)chunks[1]];
      if (mine != its || (!is_cut_alike && mine != first))
        return tny_error_set(error, TNY_BROKEN,
                             "rank %u gets chunk %u of output[%u] combined in another order: its "
                             "bits may differ where the operation rounds",
                             rank, chunk, block);
    }
  return TNY_OK;
}

static enum tny_status compare(const struct tny_schedule *one, const struct tny_schedule *other,
                               struct tny_error *error)
{
  struct tny_trees trees;
  struct tny_match matches[2] = {0};
  struct tny_contents contents[2] = {{.trees = &trees}, {.trees = &trees}};
  tny_trees_init(&trees, one);
  enum tny_status status = follow(one, &matches[0], &contents[0], error);
  if (status == TNY_OK)
    status = follow(other, &matches[1], &contents[1], error);
  for (uint32_t rank = 0; status == TNY_OK && rank < one->rank_count; rank++)
    status = compare_rank(&contents[0], &contents[1], rank, error);
  for (int i = 0; i < 2; i++) {
    tny_contents_release(&contents[i]);
    tny_match_release(&matches[i]);
  }
  tny_trees_release(&trees);
  return status;
}

enum tny_status tny_verify_bits_claim(const struct tny_bits_found *bits,
                                      const struct tny_same_bits *claimed, struct tny_error *error)
{
  if (claimed->on_all_ranks && !bits->on_all_ranks)
    return tny_error_set(error, TNY_BROKEN,
                         "ranks combine their results in different orders; the "
                         "same bits on all ranks are claimed");
  if (claimed->for_every_size && !bits->in_all_chunks)
    return tny_error_set(error, TNY_BROKEN,
                         "chunks of a block are combined in different orders; "
                         "the same bits for every size are claimed");
  return TNY_OK;
}

enum tny_status tny_verify_same_bits(const struct tny_schedule *one,
                                     const struct tny_schedule *other, struct tny_error *error)
{
  if (!tny_collective_reduces(one->collective) || one->collective != other->collective ||
      one->rank_count != other->rank_count || one->root != other->root)
    return tny_error_set(error, TNY_REFUSED,
                         "only two schedules of one reduction, of as many ranks and the same root, "
                         "can have the same bits");
  return compare(one, other, error);
}
