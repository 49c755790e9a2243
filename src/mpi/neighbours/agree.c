/* The edges of a communicator, agreed on by all its ranks.

     1. A reduction: has every rank memory for all that it will need?
     2. A gather: rank 0 learns how many edges each rank has. A broadcast: does it go on?
     3. A gather of the edges. Rank 0 sees whether each is known at both its ends, and makes the
        pattern that plans are made for: a message for each pair of ranks with an edge. No other
        rank needs it. A broadcast of what came of it.
     4. A reduction: is every rank ready?

   All of these are native collectives over the program's communicator, in order with its own calls:
   TNY_NEIGHBOURS_COLLECTIVES in all. Nothing that one rank lacks can make another wait. */
#include "mpi/neighbours/agree.h"

#include "core/alloc.h"
#include "core/bytes.h"
#include "mpi/native.h"
#include "mpi/neighbours/edges.h"

enum {
  /* So that a pattern of all pairs, as planners take it, has no more than 32 MiB. And no more than
     planned-phases takes without a pattern: that is asked, too, whether it refuses. */
  RANKS_MAX = 2048,
  EDGES_MAX = 1 << 22, /* of all ranks, counted at both ends */
};

/* What came of it; of all ranks' the least counts. */
enum verdict { LACKS_MEMORY, IS_TOO_LARGE, IS_BROKEN, HAS_NO_EDGES, IS_RIGHT };

static const char *why_native(int64_t verdict)
{
  switch ((enum verdict)verdict) {
  case LACKS_MEMORY:
    return "no memory for a plan";
  case IS_TOO_LARGE:
    return "too many ranks or neighbours for a plan";
  case IS_BROKEN:
    return "edges that not both their ranks know, for the MPI to judge";
  case HAS_NO_EDGES:
    return "no rank has a neighbour";
  case IS_RIGHT:
    break;
  }
  return NULL;
}

/* What rank 0 tells all. */
struct answer {
  int64_t verdict;
  int64_t id;            /* of the pattern */
  int64_t messages_most; /* that a rank sends, or gets */
  int64_t has_parallels; /* somewhere several edges lead from one rank to the same other */
  struct tny_known_results results;
};

struct agreement {
  struct tny_comm_state *state; /* NULL: no memory */
  MPI_Comm comm;
  MPI_Group members;
  uint32_t rank, rank_count;
  struct tny_edges *edges; /* NULL: no memory */
  int *own;                /* the ranks of this rank's edges: first of those that it sends over */
  /* At rank 0: of each rank both counts; its edges in the list of all, and how many they are. */
  int *counts, *places, *lengths, *list;
  struct answer answer;
};

/* --- rank 0 --- */

/* Makes room for the list of all edges. */
static enum verdict make_room(struct agreement *agreement)
{
  const uint32_t p = agreement->rank_count;
  int64_t total = 0;
  for (uint32_t rank = 0; rank < p; rank++) {
    const int *counts = agreement->counts + 2 * (size_t)rank;
    if ((int64_t)counts[0] + counts[1] > EDGES_MAX - total)
      return IS_TOO_LARGE;
    agreement->places[rank] = (int)total;
    agreement->lengths[rank] = counts[0] + counts[1];
    total += agreement->lengths[rank];
  }
  agreement->list = tny_new((size_t)total + 1, sizeof *agreement->list);
  if (!agreement->list)
    return LACKS_MEMORY;
  return total > 0 ? IS_RIGHT : HAS_NO_EDGES;
}

/* Finds what all are told of the edges, and what their ranks have settled before. */
static enum verdict find_answer(struct agreement *agreement)
{
  struct answer *answer = &agreement->answer;
  const struct tny_edge_ends ends = {.rank_count = agreement->rank_count,
                                     .counts = agreement->counts,
                                     .places = agreement->places,
                                     .ends = agreement->list};
  struct tny_group_pattern pattern;
  bool has_parallels = false;
  const enum tny_status status = tny_group_pattern_make(&ends, &pattern, &has_parallels);
  answer->id = (int64_t)pattern.id;
  answer->messages_most = pattern.messages_most;
  answer->has_parallels = has_parallels;
  if (status == TNY_OK)
    agreement->state->group =
        tny_group_get(agreement->members, 0, (int)agreement->rank_count, &pattern);
  tny_group_pattern_release(&pattern);
  if (status == TNY_REFUSED)
    return IS_BROKEN;
  if (!agreement->state->group)
    return LACKS_MEMORY;
  tny_comm_hand_out_results(agreement->state->group, &answer->results);
  return IS_RIGHT;
}

/* --- all ranks --- */

static int tell(struct agreement *agreement)
{
  struct answer *answer = &agreement->answer;
  return tny_native.bcast(answer, (int)(sizeof *answer / sizeof answer->verdict), MPI_INT64_T, 0,
                          agreement->comm);
}

/* Finds the least of all ranks' verdicts. */
static int find_least(struct agreement *agreement)
{
  return tny_native.allreduce(MPI_IN_PLACE, &agreement->answer.verdict, 1, MPI_INT64_T, MPI_MIN,
                              agreement->comm);
}

static void list_side(const struct tny_edge_side *side, int *ranks)
{
  for (uint32_t i = 0; i < side->edge_count; i++)
    ranks[i] = (int)side->edges[TNY_NEIGHBOURS_GATHER][i].rank;
}

/* Makes room for all that this rank will need. */
static enum verdict prepare(struct agreement *agreement)
{
  const struct tny_edges *edges = agreement->edges;
  if (agreement->rank_count > RANKS_MAX)
    return IS_TOO_LARGE;
  if (!agreement->state || !edges || !tny_comm_reserve_results(agreement->state))
    return LACKS_MEMORY;
  const size_t sends = edges->send.edge_count;
  agreement->own = tny_new(sends + edges->receive.edge_count + 1, sizeof *agreement->own);
  if (!agreement->own)
    return LACKS_MEMORY;
  list_side(&edges->send, agreement->own);
  list_side(&edges->receive, agreement->own + sends);
  if (agreement->rank > 0)
    return IS_RIGHT;
  agreement->counts = tny_new(2 * (size_t)agreement->rank_count, sizeof *agreement->counts);
  agreement->places = tny_new(agreement->rank_count, sizeof *agreement->places);
  agreement->lengths = tny_new(agreement->rank_count, sizeof *agreement->lengths);
  const bool has_room = agreement->counts && agreement->places && agreement->lengths;
  return has_room ? IS_RIGHT : LACKS_MEMORY;
}

/* Rank 0 learns all edges, and tells all what came of it. */
static int gather(struct agreement *agreement)
{
  const struct tny_edges *edges = agreement->edges;
  const int counts[2] = {(int)edges->send.edge_count, (int)edges->receive.edge_count};
  int code =
      tny_native.gather(counts, 2, MPI_INT, agreement->counts, 2, MPI_INT, 0, agreement->comm);
  if (code == MPI_SUCCESS && agreement->rank == 0)
    agreement->answer.verdict = make_room(agreement);
  if (code == MPI_SUCCESS)
    code = tell(agreement);
  if (code != MPI_SUCCESS || agreement->answer.verdict != IS_RIGHT)
    return code;
  code = tny_native.gatherv(agreement->own, counts[0] + counts[1], MPI_INT, agreement->list,
                            agreement->lengths, agreement->places, MPI_INT, 0, agreement->comm);
  if (code == MPI_SUCCESS && agreement->rank == 0)
    agreement->answer.verdict = find_answer(agreement);
  return code == MPI_SUCCESS ? tell(agreement) : code;
}

/* Has this rank's group, and what its communicators have settled. */
static int take_answer(struct agreement *agreement)
{
  const struct answer *answer = &agreement->answer;
  struct tny_comm_state *state = agreement->state;
  struct tny_group_pattern pattern = {.id = (uint64_t)answer->id,
                                      .messages_most = (uint32_t)answer->messages_most};
  if (agreement->rank > 0)
    state->group = tny_group_get(agreement->members, (int)agreement->rank,
                                 (int)agreement->rank_count, &pattern);
  if (!state->group || (answer->has_parallels && !tny_edges_make_parallel(agreement->edges)))
    agreement->answer.verdict = LACKS_MEMORY;
  const int code = find_least(agreement);
  if (code == MPI_SUCCESS && agreement->answer.verdict == IS_RIGHT)
    tny_comm_take_results(state, &agreement->answer.results);
  return code;
}

static int agree(struct agreement *agreement)
{
  agreement->answer.verdict = prepare(agreement);
  int code = find_least(agreement);
  if (code == MPI_SUCCESS && agreement->answer.verdict == IS_RIGHT)
    code = gather(agreement);
  if (code == MPI_SUCCESS && agreement->answer.verdict == IS_RIGHT)
    code = take_answer(agreement);
  return code;
}

static void release(struct agreement *agreement)
{
  tny_free(agreement->own);
  tny_free(agreement->counts);
  tny_free(agreement->places);
  tny_free(agreement->lengths);
  tny_free(agreement->list);
  tny_edges_free(agreement->edges);
}

int tny_neighbours_agree(const struct tny_comm_state *whole, struct tny_comm_state *state,
                         const char **why)
{
  struct agreement agreement = {.state = state,
                                .comm = whole->of,
                                .members = MPI_GROUP_NULL,
                                .rank = whole->rank,
                                .rank_count = whole->rank_count};
  int code = tny_edges_find(whole->of, &agreement.edges);
  if (code == MPI_SUCCESS)
    code = PMPI_Comm_group(whole->of, &agreement.members);
  if (code == MPI_SUCCESS)
    code = agree(&agreement);
  if (agreement.members != MPI_GROUP_NULL)
    PMPI_Group_free(&agreement.members);
  if (code == MPI_SUCCESS)
    *why = why_native(agreement.answer.verdict);
  if (state && code == MPI_SUCCESS && !*why) {
    state->edges = agreement.edges;
    agreement.edges = NULL;
  }
  release(&agreement);
  return code;
}
