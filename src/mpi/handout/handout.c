/* Plans made once and handed out.

   Where making a plan is more than making one rank's steps (a planner looks at the whole cluster,
   links are limited, the messages of all ranks must be counted to find the pace), rank 0 of the
   communicator makes it for all, and hands every rank its part. All ranks know from the call alone
   whether it is so. The first call of a communicator for a key goes like this:

     1. A native reduction over the communicator: has every rank memory for it, and has every rank
        been handed this very plan already, on another communicator of the same ranks? Then that is
        all.
     2. Rank 0 makes the plan. The others wait for a message from it, asleep, so that it has a core
        also where there are more ranks than cores. It goes over the private communicator: a native
        broadcast can't be waited for asleep at all its ranks, since ranks pass it on.
     3. A native reduction: has every rank memory for its part?
     4. A native scatter of the parts, and a native reduction: is every part right?

   Native collectives over the program's communicator are in order with the program's own, as the
   call itself is; they need no tags, and their errors are the communicator's. Nothing that one rank
   lacks can make another wait: each failure is in one of the reductions, and then all ranks are
   native together.

   What was agreed on is kept with the communicator. What is laid out to run (plans.c) may come and
   go at each rank as it has room: it is made anew out of the part, without any other rank. */
#include "mpi/handout/handout.h"

#include <limits.h>

#include "core/alloc.h"
#include "core/error.h"
#include "mpi/explain.h"
#include "mpi/handout/planner.h"
#include "mpi/handout/wait.h"
#include "mpi/native.h"
#include "mpi/world.h"

static const char no_memory[] = "no memory for a plan";

/* Rank 0's message to each rank. */
struct header {
  struct tny_parts_head head;
  enum tny_made_answer answer;
  uint32_t is_stored;
  uint32_t bytes_max;  /* of all parts */
  uint32_t byte_count; /* of this rank's */
};

/* A hand-out under way. */
struct handing {
  struct tny_comm_state *state;
  const struct tny_plan_request *request;
  struct tny_agreed *entry; /* to be filled; NULL: no memory for it */
  struct tny_made made;     /* at rank 0 */
  int *counts, *places;     /* at rank 0: of the parts, for the scatter */
  struct header header;
};

/* What this rank can tell of its part. The least of all ranks counts. */
enum verdict { LACKS_MEMORY, IS_BROKEN, IS_RIGHT };

/* The least that any rank says. */
static int find_least(const struct tny_comm_state *state, int *least)
{
  return tny_native.allreduce(MPI_IN_PLACE, least, 1, MPI_INT, MPI_MIN, state->of);
}

/* --- rank 0 --- */

static uint64_t part_bytes(const struct tny_parts *parts, uint32_t rank)
{
  return parts->first ? parts->first[rank + 1] - parts->first[rank] : 0;
}

/* Finds where the parts are for the scatter. */
static enum tny_made_answer place_parts(struct handing *handing)
{
  const struct tny_parts *parts = &handing->made.parts;
  if (parts->head.form == TNY_PARTS_NONE)
    return TNY_MADE;
  if (parts->bytes.length > INT_MAX)
    return TNY_MADE_TOO_LARGE;
  handing->counts = tny_new(parts->rank_count, sizeof *handing->counts);
  handing->places = tny_new(parts->rank_count, sizeof *handing->places);
  if (!handing->counts || !handing->places)
    return TNY_MADE_NO_MEMORY;
  for (uint32_t rank = 0; rank < parts->rank_count; rank++) {
    const uint32_t count = (uint32_t)part_bytes(parts, rank);
    handing->counts[rank] = (int)count;
    handing->places[rank] = (int)parts->first[rank];
    if (count > handing->header.bytes_max)
      handing->header.bytes_max = count;
  }
  return TNY_MADE;
}

/* Makes the plan and tells every rank what it is. */
static int make_and_tell(struct handing *handing)
{
  struct tny_comm_state *state = handing->state;
  struct tny_made *made = &handing->made;
  struct header *header = &handing->header;
  tny_planner_make(state->group, handing->request, made);
  if (made->answer == TNY_MADE)
    made->answer = place_parts(handing);
  header->head = made->parts.head;
  header->answer = made->answer;
  header->is_stored = made->is_stored;
  const bool has_parts = made->answer == TNY_MADE && made->parts.head.form != TNY_PARTS_NONE;
  int code = MPI_SUCCESS;
  for (uint32_t rank = state->rank_count; code == MPI_SUCCESS && rank-- > 0;) {
    header->byte_count = has_parts ? (uint32_t)part_bytes(&made->parts, rank) : 0;
    if (rank > 0)
      code = PMPI_Send(header, sizeof *header, MPI_BYTE, state->group->world_ranks[rank],
                       tny_context_tag(&state->context, TNY_DATA_MESSAGE), state->comm);
  }
  return code;
}

/* --- every rank --- */

static int learn(struct handing *handing)
{
  const struct tny_comm_state *state = handing->state;
  MPI_Request request;
  const int code =
      PMPI_Irecv(&handing->header, sizeof handing->header, MPI_BYTE, state->group->world_ranks[0],
                 tny_context_tag(&state->context, TNY_DATA_MESSAGE), state->comm, &request);
  return code == MPI_SUCCESS ? tny_wait_asleep(&request) : code;
}

/* Can this rank run its part? Says so where it can't, as nobody could know why else. */
static enum verdict judge(const struct handing *handing, const struct tny_handed *handed)
{
  const struct tny_comm_state *state = handing->state;
  const struct tny_part_view part = {.head = &handed->head,
                                     .collective = handed->key.choice.algorithm->collective,
                                     .rank_count = state->rank_count,
                                     .root = handed->key.root,
                                     .rank = state->rank,
                                     .bytes = handed->bytes,
                                     .count = handed->byte_count};
  struct tny_steps steps;
  struct tny_error error = {0};
  const enum tny_status status = tny_part_steps(&part, &steps, &error);
  tny_steps_release(&steps);
  if (status == TNY_OK)
    return IS_RIGHT;
  if (status == TNY_NO_MEMORY)
    return LACKS_MEMORY;
  tny_explain_warn("rank %u can't run its part of a plan, so these calls are native: %s",
                   state->rank, error.text);
  return IS_BROKEN;
}

/* Gets this rank's part, where all ranks have memory for theirs, and finds what all say of them. */
static int get_part(struct handing *handing, struct tny_handed *handed, int *verdict)
{
  const struct tny_comm_state *state = handing->state;
  const struct header *header = &handing->header;
  *verdict = handed ? IS_RIGHT : LACKS_MEMORY;
  int code = find_least(state, verdict);
  if (code != MPI_SUCCESS || *verdict != IS_RIGHT || header->head.form == TNY_PARTS_NONE)
    return code;
  code =
      tny_native.scatterv(handing->made.parts.bytes.bytes, handing->counts, handing->places,
                          MPI_BYTE, handed->bytes, (int)header->byte_count, MPI_BYTE, 0, state->of);
  if (code != MPI_SUCCESS)
    return code;
  *verdict = (int)judge(handing, handed);
  return find_least(state, verdict);
}

/* Fills the entry with the part that rank 0 has for this rank. *why: the plan can't be run just
   now. */
static int take_part(struct handing *handing, const char **why)
{
  struct tny_group *group = handing->state->group;
  const struct header *header = &handing->header;
  struct tny_agreed *entry = handing->entry;
  struct tny_handed *handed = tny_new(sizeof *handed + header->byte_count, 1);
  if (handed)
    *handed = (struct tny_handed){.key = entry->key,
                                  .head = header->head,
                                  .is_stored = header->is_stored,
                                  .bytes_max = header->bytes_max,
                                  .byte_count = header->byte_count};
  int verdict;
  const int code = get_part(handing, handed, &verdict);
  if (code != MPI_SUCCESS || verdict != IS_RIGHT) {
    tny_free(handed);
    if (verdict == LACKS_MEMORY)
      *why = no_memory;
    else
      entry->why_native = "a part of its plan is broken (see the warning)";
    return code;
  }
  pthread_mutex_lock(&group->lock);
  entry->handed = tny_handed_add(&group->handed, handed);
  pthread_mutex_unlock(&group->lock);
  return MPI_SUCCESS;
}

/* Rank 0 makes the plan, and every rank gets its part. */
static int hand_out(struct handing *handing, const char **why)
{
  struct tny_comm_state *state = handing->state;
  struct tny_agreed *entry = handing->entry;
  int code = state->rank == 0 ? make_and_tell(handing) : learn(handing);
  if (code != MPI_SUCCESS)
    PMPI_Comm_call_errhandler(state->of, code); /* the private communicator only returns them */
  if (code != MPI_SUCCESS)
    return code;
  entry->bytes_max = handing->header.bytes_max;
  switch (handing->header.answer) {
  case TNY_MADE:
    return take_part(handing, why);
  case TNY_MADE_NO_MEMORY:
    *why = no_memory;
    break;
  case TNY_MADE_NOT_PROVED:
    entry->why_native = "its plan isn't proved (see the warning)";
    break;
  case TNY_MADE_TOO_LARGE:
    entry->why_native = "its plan is too large to be handed out";
    break;
  }
  return MPI_SUCCESS;
}

/* Finds whether all ranks can go on, and whether all have been handed this very plan. */
static int ask_all(const struct handing *handing, bool *can_go_on, bool *all_have)
{
  const struct tny_agreed *entry = handing->entry;
  const int64_t id = entry && entry->handed ? entry->handed->head.id : 0;
  int64_t least[] = {entry != NULL, id, -id};
  const int code =
      tny_native.allreduce(MPI_IN_PLACE, least, 3, MPI_INT64_T, MPI_MIN, handing->state->of);
  *can_go_on = least[0] != 0;
  *all_have = least[1] > 0 && least[1] == -least[2];
  return code;
}

/* A new entry, with the plan that this rank was handed for the key on another communicator, if any;
   NULL: no memory. */
static struct tny_agreed *new_entry(struct tny_group *group, const struct tny_plan_key *key)
{
  struct tny_agreed *entry = tny_new(1, sizeof *entry);
  if (!entry)
    return NULL;
  pthread_mutex_lock(&group->lock);
  *entry = (struct tny_agreed){.key = *key, .handed = tny_handed_take(group->handed, key)};
  pthread_mutex_unlock(&group->lock);
  if (entry->handed)
    entry->bytes_max = entry->handed->bytes_max;
  return entry;
}

/* Agrees with all ranks on the plan; collective over the communicator. *entry is NULL where nothing
   was agreed on, because of *why or an error. */
static int agree(struct tny_comm_state *state, const struct tny_plan_request *request,
                 const struct tny_plan_key *key, const struct tny_agreed **entry, const char **why)
{
  struct tny_group *group = state->group;
  struct handing handing = {.state = state, .request = request, .entry = new_entry(group, key)};
  bool can_go_on, all_have;
  int code = ask_all(&handing, &can_go_on, &all_have);
  if (code == MPI_SUCCESS && !can_go_on)
    *why = no_memory;
  if (code == MPI_SUCCESS && can_go_on && !all_have) {
    struct tny_handed *other = handing.entry->handed;
    handing.entry->handed = NULL;
    pthread_mutex_lock(&group->lock);
    tny_handed_put(&group->handed, other);
    pthread_mutex_unlock(&group->lock);
    code = hand_out(&handing, why);
  }
  tny_made_release(&handing.made);
  tny_free(handing.counts);
  tny_free(handing.places);
  if (code != MPI_SUCCESS || *why) {
    tny_group_let_go(group, handing.entry);
    return code;
  }
  tny_group_let_go(group, tny_agreed_add(&state->agreed, handing.entry));
  *entry = handing.entry;
  return code;
}

struct tny_plan_basis tny_plan_basis_of(const struct tny_agreed *entry)
{
  const struct tny_parts_head *head = &entry->handed->head;
  return (struct tny_plan_basis){
      .run = {.pace = head->pace, .count = head->segment_count},
      .handed = head->form == TNY_PARTS_NONE ? NULL : entry->handed,
      .is_stored = entry->handed->is_stored,
  };
}

const char *tny_agree_on_plan(struct tny_comm_state *state, const struct tny_plan_request *request,
                              struct tny_plan_basis *basis, int *code)
{
  const struct tny_plan_key key = {.choice = request->choice,
                                   .root = request->root,
                                   .step_bytes = tny_model_size_step(request->block_bytes),
                                   .mean_step_bytes = tny_model_size_step(request->mean_bytes),
                                   .counts = request->counts.id};
  const struct tny_world *world = state->group->world;
  const char *why = NULL;
  *code = MPI_SUCCESS;
  *basis = (struct tny_plan_basis){0};
  const struct tny_agreed *entry = tny_agreed_find(&state->agreed, &key);
  if (!entry && !world->prove && !world->has_store &&
      tny_plan_run_alone(state->group, request, &basis->run))
    return NULL;
  if (!entry)
    *code = agree(state, request, &key, &entry, &why);
  if (*code != MPI_SUCCESS || why)
    return why;
  if (!entry->why_native)
    *basis = tny_plan_basis_of(entry);
  return entry->why_native;
}
