/* Data: every rank ends with exactly the right blocks; where a schedule says which ones are wanted,
   with those; and where blocks are reduced, with what is combined as it should be. A barrier has no
   data: there the order of begins and ends takes their place (synchronization.c). */
#include "verify/data.h"

#include "core/error.h"
#include "schedule/words.h"
#include "verify/contents.h"
#include "verify/reductions.h"
#include "verify/synchronization.h"

/* The last step of a rank that writes one location; TNY_NONE: none. */
static uint32_t writer_of(const struct tny_contents *contents, uint32_t rank, uint64_t location)
{
  const struct tny_steps *steps = &contents->match->schedule->ranks[rank];
  for (uint32_t i = steps->count; i-- > 0;) {
    const struct tny_span *span = tny_step_written(&steps->steps[i]);
    const uint64_t pieces = span ? tny_span_pieces(span, contents->locations.chunk_count) : 0;
    for (uint64_t k = 0; k < pieces; k++)
      if (tny_location_at(&contents->locations, span, k) == location)
        return i;
  }
  return TNY_NONE;
}

/* A block in words: "block 1 of rank 3". */
static struct tny_words block_words(struct tny_origin origin)
{
  struct tny_words words;
  snprintf(words.text, sizeof words.text, "block %u of rank %u", origin.block, origin.rank);
  return words;
}

static enum tny_status wrong_block(const struct tny_contents *contents, uint32_t rank,
                                   const struct tny_span *where, uint64_t wanted,
                                   struct tny_error *error)
{
  const uint64_t location = tny_location_at(&contents->locations, where, 0);
  const uint64_t found = contents->of[rank * contents->locations.count + location];
  const uint32_t writer = writer_of(contents, rank, location);
  const struct tny_words belongs = block_words(tny_trees_origin(contents->trees, wanted));
  if (found == 0 || writer == TNY_NONE)
    return tny_error_set(error, TNY_BROKEN, "rank %u ends without %s: nothing writes %s", rank,
                         belongs.text, tny_words_span(where).text);
  return tny_error_set(error, TNY_BROKEN, "rank %u %s leaves %s in %s, where %s belongs", rank,
                       tny_words_step(&contents->match->schedule->ranks[rank], writer).text,
                       tny_trees_is_inner(contents->trees, found)
                           ? "what is combined of several blocks"
                           : block_words(tny_trees_origin(contents->trees, found)).text,
                       tny_words_span(where).text, belongs.text);
}

/* Says where the result lies of which `what` is wrong. */
static enum tny_status wrong_result(const struct tny_contents *contents, uint32_t rank,
                                    const struct tny_span *where, const struct tny_error *what,
                                    struct tny_error *error)
{
  const uint32_t writer =
      writer_of(contents, rank, tny_location_at(&contents->locations, where, 0));
  if (what->status != TNY_BROKEN)
    return tny_error_set(error, what->status, "%s", what->text);
  if (writer == TNY_NONE)
    return tny_error_set(error, TNY_BROKEN, "rank %u ends without a result: nothing writes %s",
                         rank, tny_words_span(where).text);
  return tny_error_set(error, TNY_BROKEN, "rank %u %s leaves in %s what %s", rank,
                       tny_words_step(&contents->match->schedule->ranks[rank], writer).text,
                       tny_words_span(where).text, what->text);
}

/* --- what should be there --- */

struct outputs {
  const struct tny_contents *contents;
  struct tny_reductions *reductions; /* NULL: blocks aren't reduced */
  struct tny_bits_found *bits;
};

/* Is in one chunk of an output block what should be? */
static enum tny_status check_output(const struct outputs *outputs, uint32_t rank,
                                    const struct tny_span *where, struct tny_error *error)
{
  const struct tny_contents *contents = outputs->contents;
  const struct tny_schedule *schedule = contents->match->schedule;
  const uint64_t found =
      contents
          ->of[rank * contents->locations.count + tny_location_at(&contents->locations, where, 0)];
  if (!outputs->reductions) {
    const uint64_t wanted =
        tny_trees_leaf(contents->trees, tny_collective_origin(schedule->collective, schedule->root,
                                                              rank, where->first));
    return found == wanted ? TNY_OK : wrong_block(contents, rank, where, wanted, error);
  }
  const struct tny_result result = {rank, found};
  struct tny_error what = {0};
  bool in_order = false;
  if (found == 0)
    what.status = TNY_BROKEN;
  else if (tny_reductions_check(outputs->reductions, &result, &in_order, &what) == TNY_OK)
    what.status = TNY_OK;
  outputs->bits->in_rank_order &= in_order;
  return what.status == TNY_OK ? TNY_OK : wrong_result(contents, rank, where, &what, error);
}

static enum tny_status check_rank(const struct outputs *outputs, uint32_t rank,
                                  struct tny_error *error)
{
  const struct tny_schedule *schedule = outputs->contents->match->schedule;
  const uint32_t chunks = outputs->contents->locations.chunk_count;
  const uint32_t blocks =
      tny_rank_blocks(schedule->collective, TNY_OUTPUT, schedule->rank_count, schedule->root, rank);
  enum tny_status status = TNY_OK;
  for (uint32_t block = 0; block < blocks; block++)
    for (uint32_t chunk = 0; tny_schedule_wants(schedule, block, rank) && chunk < chunks; chunk++) {
      const struct tny_span where = {TNY_OUTPUT, block, 1, chunk, chunks, 1};
      status = check_output(outputs, rank, &where, error);
      if (status != TNY_OK)
        return status;
    }
  return status;
}

static enum tny_status check_outputs(const struct outputs *outputs, struct tny_error *error)
{
  enum tny_status status = TNY_OK;
  for (uint32_t rank = 0; status == TNY_OK && rank < outputs->contents->match->schedule->rank_count;
       rank++)
    status = check_rank(outputs, rank, error);
  return status;
}

/* Are the trees of a rank's chunks all the same, and where all ranks get the same result those of
   all ranks? */
static void compare_trees(const struct tny_contents *contents, struct tny_bits_found *bits)
{
  const struct tny_schedule *schedule = contents->match->schedule;
  const bool is_shared = tny_collective_shares_result(schedule->collective);
  for (uint32_t rank = 0; rank < schedule->rank_count; rank++) {
    const uint64_t *result = tny_contents_output(contents, rank);
    const uint64_t *of_first = is_shared ? tny_contents_output(contents, 0) : result;
    if (tny_rank_blocks(schedule->collective, TNY_OUTPUT, schedule->rank_count, schedule->root,
                        rank) == 0)
      continue;
    for (uint32_t chunk = 0; chunk < contents->locations.chunk_count; chunk++) {
      bits->in_all_chunks &= result[chunk] == result[0];
      bits->on_all_ranks &= result[chunk] == of_first[chunk];
    }
  }
}

static enum tny_status check_reductions(const struct tny_contents *contents,
                                        struct tny_bits_found *bits, struct tny_error *error)
{
  struct tny_reductions reductions;
  const struct outputs outputs = {contents, &reductions, bits};
  enum tny_status status =
      tny_reductions_init(&reductions, contents->match->schedule, contents->trees, error);
  *bits = (struct tny_bits_found){true, true, true};
  if (status == TNY_OK)
    status = check_outputs(&outputs, error);
  if (status == TNY_OK)
    compare_trees(contents, bits);
  tny_reductions_release(&reductions);
  return status;
}

enum tny_status tny_data_check(const struct tny_match *match, const struct tny_progress *progress,
                               bool in_place, struct tny_bits_found *bits, struct tny_error *error)
{
  struct tny_trees trees;
  struct tny_bits_found unasked;
  struct tny_contents contents = {.trees = &trees, .in_place = in_place};
  if (tny_collective_synchronizes(match->schedule->collective))
    return tny_synchronization_check(match, error);
  tny_trees_init(&trees, match->schedule);
  enum tny_status status = tny_contents_make(match, progress, &contents, error);
  if (status == TNY_OK && tny_collective_reduces(match->schedule->collective))
    status = check_reductions(&contents, bits ? bits : &unasked, error);
  else if (status == TNY_OK)
    status = check_outputs(&(struct outputs){.contents = &contents}, error);
  tny_contents_release(&contents);
  tny_trees_release(&trees);
  return status;
}
