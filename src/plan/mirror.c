/* A mirror's steps are those of its origin, turned round by a pass; an all-reduce's, those and then
   the origin's. */
#include "plan/mirror.h"

#include "plan/stages.h"

/* Scratch space, as often as blocks have places: what is combined, what comes next and the time
   after. */
enum { SCRATCH_BLOCKS = 3 };

/* Does every rank get all that is combined? Then what is turned round comes first, and the origin
   spreads the results. */
static bool is_joined(const struct tny_algorithm *algorithm)
{
  return tny_collective_shares_result(algorithm->collective);
}

/* Is there scratch space for every block? */
static bool needs_places(const struct tny_algorithm *algorithm)
{
  return algorithm->mirrors->joins_blocks || algorithm->mirrors->holds_blocks;
}

uint32_t tny_mirror_parts(const struct tny_algorithm *algorithm, uint32_t rank_count)
{
  return is_joined(algorithm)
             ? tny_buffer_blocks(algorithm->mirrors->collective, TNY_OUTPUT, rank_count)
             : 1;
}

/* The origin's problem: one part of a block. */
static struct tny_problem problem_of(const struct tny_algorithm *algorithm,
                                     const struct tny_problem *problem)
{
  struct tny_problem of = *problem;
  const uint32_t parts = tny_mirror_parts(algorithm, problem->rank_count);
  of.collective = algorithm->mirrors->collective;
  of.piece_count = algorithm->mirrors->cut == TNY_CUT_OWN ? problem->piece_count / parts : 1;
  return of;
}

/* Into how many pieces a pass cuts the parts of a joined plan. */
static uint32_t pieces_by_pass(const struct tny_algorithm *algorithm,
                               const struct tny_problem *problem)
{
  const bool is_cut_here = algorithm->cut == TNY_CUT_OWN && algorithm->mirrors->cut != TNY_CUT_OWN;
  return is_cut_here ? problem->piece_count / tny_mirror_parts(algorithm, problem->rank_count) : 1;
}

static bool is_pipelined(const struct tny_algorithm *algorithm)
{
  return algorithm->mirrors->cut == TNY_CUT_PIPELINED;
}

/* How many phases one half of a joined plan has when it is cut. */
static uint32_t cut_phases(const struct tny_algorithm *algorithm, const struct tny_problem *problem,
                           uint32_t phases)
{
  const uint32_t pieces = pieces_by_pass(algorithm, problem);
  return is_pipelined(algorithm) && phases > 0 ? phases + pieces - 1 : phases * pieces;
}

/* So many parts, in blocks, rounded up. */
static uint64_t blocks_of(const struct tny_algorithm *algorithm, uint64_t parts_moved,
                          uint32_t rank_count)
{
  const uint32_t parts = tny_mirror_parts(algorithm, rank_count);
  return (parts_moved + parts - 1) / parts;
}

/* Scratch space at a time, in blocks of the mirror, where the origin has so much of its own. */
static uint32_t places_of(const struct tny_algorithm *algorithm, uint32_t scratch_blocks,
                          uint32_t outputs)
{
  const bool lies_in_scratch = algorithm->mirrors->lies_in_scratch && scratch_blocks > 0;
  const uint32_t places = scratch_blocks + (lies_in_scratch ? 0 : outputs);
  if (is_joined(algorithm))
    return (places + outputs - 1) / outputs;
  return needs_places(algorithm) ? places : 1;
}

/* What goes the other way takes the same links on trees; elsewhere routes back may be other ones. A
   rank sends what it got: each block once, unless the origin says that its own comes too. Rounds
   are the same where each phase takes one. Where a broadcast follows a reduce, or some ranks get
   more than others, pieces and the two halves run into each other, and who sends the most of one
   half need not be who does of the other. */
struct tny_claim tny_mirror_claim(const struct tny_algorithm *algorithm,
                                  const struct tny_problem *problem)
{
  const uint32_t p = problem->rank_count;
  const struct tny_problem of = problem_of(algorithm, problem);
  const uint32_t outputs = tny_buffer_blocks(of.collective, TNY_OUTPUT, p);
  struct tny_claim claim = algorithm->mirrors->claim(&of);
  const uint64_t each_once = outputs > 1 ? outputs - 1 : p > 1;
  const uint64_t sent = claim.blocks_received_max > 0 ? claim.blocks_received_max : each_once;
  const bool is_uneven =
      is_joined(algorithm) && (tny_collective_has_root(of.collective) || sent > each_once);
  claim.blocks_received_max =
      blocks_of(algorithm, claim.blocks_sent_max + (is_joined(algorithm) ? sent : 0), p);
  claim.blocks_sent_max =
      blocks_of(algorithm, sent + (is_joined(algorithm) ? claim.blocks_sent_max : 0), p);
  const bool is_a_round_a_phase = claim.rounds == claim.phases;
  if (is_joined(algorithm))
    claim.phases = 2 * cut_phases(algorithm, problem, claim.phases);
  claim.rounds = is_a_round_a_phase && !is_uneven ? claim.phases : 0;
  claim.blocks_are_at_most = is_uneven;
  claim.grid_link_messages = claim.link_messages = 0;
  claim.scratch_blocks = SCRATCH_BLOCKS * places_of(algorithm, claim.scratch_blocks, outputs);
  return claim;
}

/* The block that is a rank's own, as the origin numbers them. */
static uint32_t own_block(const struct tny_algorithm *origin, const struct tny_problem *of,
                          uint32_t rank)
{
  return origin->part ? origin->part(of, rank) : rank;
}

/* Joins a rank's steps turned round and as they are: in the place of the former. */
static enum tny_status join(const struct tny_algorithm *algorithm,
                            const struct tny_problem *problem, const struct tny_reversed *of,
                            struct tny_steps steps[2], struct tny_error *error)
{
  const struct tny_stages parts = {.cut_count = pieces_by_pass(algorithm, problem),
                                   .run = is_pipelined(algorithm) ? TNY_RUN_PIPELINED : 1};
  const uint32_t part_count = tny_mirror_parts(algorithm, of->rank_count);
  const struct tny_joined joined = {.part_count = part_count,
                                    .part = part_count > 1 ? of->rank : 0,
                                    .pieces_a_part = parts.cut_count * of->piece_count,
                                    .phases = cut_phases(algorithm, problem, of->phases)};
  struct tny_steps both;
  enum tny_status status = tny_plan_finish(&parts, &steps[0], error);
  if (status == TNY_OK)
    status = tny_plan_finish(&parts, &steps[1], error);
  if (status == TNY_OK)
    status = tny_pass_join(&steps[0], &steps[1], &joined, &both, error);
  if (status == TNY_OK) {
    tny_steps_release(&steps[0]);
    steps[0] = both;
  }
  return status;
}

/* What a rank needs to know of the claim: phases and scratch space. */
static struct tny_claim look_at_claim(const struct tny_algorithm *origin,
                                      const struct tny_problem *of)
{
  return origin->phases ? (struct tny_claim){.phases = origin->phases(of)} : origin->claim(of);
}

enum tny_status tny_mirror_emit(const struct tny_algorithm *algorithm,
                                const struct tny_problem *problem, uint32_t rank,
                                struct tny_steps *steps, struct tny_error *error)
{
  const struct tny_problem of = problem_of(algorithm, problem);
  const struct tny_claim claim = look_at_claim(algorithm->mirrors, &of);
  const uint32_t parts = tny_mirror_parts(algorithm, of.rank_count);
  const struct tny_reversed reversed = {.collective = of.collective,
                                        .rank_count = of.rank_count,
                                        .root = of.root,
                                        .rank = own_block(algorithm->mirrors, &of, rank),
                                        .phases = claim.phases,
                                        .scratch_blocks = claim.scratch_blocks,
                                        .piece_count = of.piece_count,
                                        .places_multiple =
                                            is_joined(algorithm) ? parts : needs_places(algorithm)};
  struct tny_steps list[2] = {{0}}; /* turned round, and as it is */
  uint32_t scratch_blocks;
  *steps = (struct tny_steps){0};
  enum tny_status status = tny_stages_emit(algorithm->mirrors, &of, rank, &list[1], error);
  if (status == TNY_OK)
    status = tny_pass_reverse(&list[1], &reversed, &list[0], &scratch_blocks, error);
  if (status == TNY_OK && is_joined(algorithm))
    status = join(algorithm, problem, &reversed, list, error);
  if (status == TNY_OK)
    *steps = list[0];
  else
    tny_steps_release(&list[0]);
  tny_steps_release(&list[1]);
  return status;
}
