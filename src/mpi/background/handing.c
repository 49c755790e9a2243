/* Plans handed out without waiting. Rank 0 sends every rank a head and, where there is one, its
   part behind it. Where rank 0 can't make the plan, the head says so, and all ranks run another one
   that each makes alone. A rank that has no memory for its part fails alone, as it would in running
   it. */
#include "mpi/background/handing.h"

#include <limits.h>

#include "core/alloc.h"
#include "mpi/explain.h"

static const char not_made[] = "rank 0 couldn't make its plan";

/* --- rank 0 --- */

static uint64_t part_bytes(const struct tny_parts *parts, uint32_t rank)
{
  return parts->first ? parts->first[rank + 1] - parts->first[rank] : 0;
}

/* Fills in what every rank is told. */
static void write_heads(struct tny_handing *handing, uint32_t rank_count)
{
  struct tny_made *made = &handing->made;
  const bool has_parts = made->answer == TNY_MADE && made->parts.head.form != TNY_PARTS_NONE;
  uint32_t bytes_max = 0;
  if (has_parts && made->parts.bytes.length > INT_MAX)
    made->answer = TNY_MADE_TOO_LARGE;
  for (uint32_t rank = 0; has_parts && rank < rank_count; rank++)
    if (part_bytes(&made->parts, rank) > bytes_max)
      bytes_max = (uint32_t)part_bytes(&made->parts, rank);
  for (uint32_t rank = 0; rank < rank_count; rank++)
    handing->heads[rank] = (struct tny_handing_head){
        .head = made->parts.head,
        .answer = made->answer,
        .is_stored = made->is_stored,
        .bytes_max = bytes_max,
        .byte_count =
            has_parts && made->answer == TNY_MADE ? (uint32_t)part_bytes(&made->parts, rank) : 0,
    };
}

static int send_bytes(struct tny_handing *handing, const struct tny_comm_state *state,
                      uint32_t rank, const void *memory, uint32_t bytes)
{
  MPI_Request *request = &handing->requests[handing->count++];
  *request = MPI_REQUEST_NULL;
  return PMPI_Isend(memory, (int)bytes, MPI_BYTE, state->group->world_ranks[rank],
                    tny_context_tag(&state->context, TNY_DATA_MESSAGE), state->comm, request);
}

static int send(struct tny_handing *handing, const struct tny_comm_state *state, uint32_t rank)
{
  const struct tny_handing_head *head = &handing->heads[rank];
  const struct tny_parts *parts = &handing->made.parts;
  int code = send_bytes(handing, state, rank, head, sizeof *head);
  if (code == MPI_SUCCESS && head->byte_count > 0)
    code =
        send_bytes(handing, state, rank, parts->bytes.bytes + parts->first[rank], head->byte_count);
  return code;
}

static int make_and_send(struct tny_handing *handing, const struct tny_comm_state *state,
                         const struct tny_plan_request *request)
{
  const uint32_t p = state->rank_count;
  int code = MPI_SUCCESS;
  handing->heads = tny_new(p, sizeof *handing->heads);
  handing->requests = tny_new(2 * (size_t)p, sizeof *handing->requests);
  if (!handing->heads || !handing->requests)
    return MPI_ERR_NO_MEM;
  tny_planner_make(state->group, request, &handing->made);
  write_heads(handing, p);
  if (handing->made.answer != TNY_MADE)
    tny_explain_warn("no plan of '%s' could be made to be handed out: a simpler one runs "
                     "nonblocking calls instead",
                     request->choice.algorithm->name);
  for (uint32_t rank = p - 1; code == MPI_SUCCESS && rank > 0; rank--)
    code = send(handing, state, rank);
  handing->own = handing->heads[0];
  return code;
}

/* --- every rank --- */

static int receive(struct tny_handing *handing, const struct tny_comm_state *state, void *memory,
                   size_t bytes)
{
  return PMPI_Irecv(memory, (int)bytes, MPI_BYTE, state->group->world_ranks[0],
                    tny_context_tag(&state->context, TNY_DATA_MESSAGE), state->comm, &handing->one);
}

int tny_handing_begin(struct tny_handing *handing, const struct tny_comm_state *state,
                      const struct tny_plan_request *request)
{
  *handing = (struct tny_handing){.is_begun = true,
                                  .one = MPI_REQUEST_NULL,
                                  .key = {.choice = request->choice,
                                          .root = request->root,
                                          .step_bytes = tny_model_size_step(request->block_bytes)}};
  return state->rank == 0 ? make_and_send(handing, state, request)
                          : receive(handing, state, &handing->own, sizeof handing->own);
}

/* Makes room for the part, and has it come. */
static int take_part(struct tny_handing *handing, const struct tny_comm_state *state)
{
  const struct tny_handing_head *own = &handing->own;
  struct tny_handed *handed = tny_new(sizeof *handed + own->byte_count, 1);
  handing->handed = handed;
  if (!handed)
    return MPI_ERR_NO_MEM;
  *handed = (struct tny_handed){.key = handing->key,
                                .head = own->head,
                                .is_stored = own->is_stored,
                                .bytes_max = own->bytes_max,
                                .byte_count = own->byte_count};
  if (own->byte_count == 0)
    return MPI_SUCCESS;
  if (state->rank > 0)
    return receive(handing, state, handed->bytes, handed->byte_count);
  memcpy(handed->bytes, handing->made.parts.bytes.bytes + handing->made.parts.first[0],
         handed->byte_count);
  return MPI_SUCCESS;
}

/* What the lane has agreed on. */
static int keep(struct tny_handing *handing, const struct tny_comm_state *state,
                struct tny_agreed **entry)
{
  struct tny_group *group = state->group;
  *entry = tny_new(1, sizeof **entry);
  if (!*entry)
    return MPI_ERR_NO_MEM;
  **entry = (struct tny_agreed){.key = handing->key, .bytes_max = handing->own.bytes_max};
  handing->is_known = true;
  if (!handing->handed) {
    (*entry)->why_native = not_made;
    return MPI_SUCCESS;
  }
  pthread_mutex_lock(&group->lock);
  (*entry)->handed = tny_handed_add(&group->handed, handing->handed);
  pthread_mutex_unlock(&group->lock);
  handing->handed = NULL;
  return MPI_SUCCESS;
}

int tny_handing_advance(struct tny_handing *handing, const struct tny_comm_state *state,
                        struct tny_agreed **entry)
{
  int has_come = 0;
  int code = MPI_SUCCESS;
  *entry = NULL;
  if (!handing->handed) {
    code = PMPI_Test(&handing->one, &has_come, MPI_STATUS_IGNORE);
    if (code != MPI_SUCCESS || !has_come)
      return code;
    if (handing->own.answer == TNY_MADE)
      code = take_part(handing, state);
  }
  if (code == MPI_SUCCESS)
    code = PMPI_Test(&handing->one, &has_come, MPI_STATUS_IGNORE);
  return code == MPI_SUCCESS && has_come ? keep(handing, state, entry) : code;
}

int tny_handing_is_sent(struct tny_handing *handing, bool *is_sent)
{
  int are_sent = 0;
  const int code = PMPI_Testall(handing->count, handing->requests, &are_sent, MPI_STATUSES_IGNORE);
  *is_sent = are_sent != 0;
  return code;
}

void tny_handing_release(struct tny_handing *handing)
{
  tny_made_release(&handing->made);
  tny_free(handing->heads);
  tny_free(handing->requests);
  tny_free(handing->handed);
  *handing = (struct tny_handing){0};
}
