/* Runs one rank's steps over MPI point-to-point: a queue of receives posted ahead, and a queue of
   sends, tokens and copies, each in list order, each step after what it waits for. */
#include "mpi/execute.h"

#include <limits.h>

enum {
  /* Steps of one queue under way at once: bounds the memory that MPI needs. The verifier proves
     every schedule free of deadlock for any window, so this one needs no proof of its own. */
  WINDOW = 1024,
};

/* A queue of a plan's steps, and how far it has come: those before the head are under way or done.
   Of what the head waits for, the first `met` are done. */
struct queue {
  const uint32_t *steps;
  uint32_t count, head, met;
};

/* A run of a plan. */
struct run {
  struct tny_plan *plan;
  const struct tny_comm_state *state;
  const struct tny_buffers *buffers;
  struct queue posted, started;
  int code;
};

struct tny_part tny_part_of(uint64_t bytes, uint32_t index, uint32_t count)
{
  const uint64_t length = bytes / count, longer = bytes % count;
  return (struct tny_part){
      .offset = length * index + (index < longer ? index : longer),
      .bytes = length + (index < longer),
  };
}

/* The part of every block that this span covers. */
static struct tny_part part_of_block(const struct tny_buffers *buffers, const struct tny_span *span)
{
  const struct tny_part first = tny_part_of(buffers->bytes, span->chunk, span->chunk_count);
  const struct tny_part last =
      tny_part_of(buffers->bytes, span->chunk + span->chunks - 1, span->chunk_count);
  return (struct tny_part){.offset = first.offset,
                           .bytes = last.offset + last.bytes - first.offset};
}

/* Where a span lies: so many bytes of each of its blocks. */
struct location {
  char *memory;
  uint64_t stride, bytes;
  uint32_t count;
};

static struct location location_of(const struct tny_buffers *buffers, const struct tny_span *span)
{
  const struct tny_area *area = &buffers->areas[span->buffer];
  const struct tny_part part = part_of_block(buffers, span);
  return (struct location){.memory = area->memory + span->first * area->stride + part.offset,
                           .stride = area->stride,
                           .bytes = part.bytes,
                           .count = span->count};
}

/* Does it lie in one piece? */
static bool is_one_piece(const struct location *location)
{
  return location->count == 1 || location->stride == location->bytes;
}

static void copy(const struct tny_buffers *buffers, const struct tny_step *step)
{
  const struct location from = location_of(buffers, &step->span);
  const struct location to = location_of(buffers, &step->target);
  if (from.memory == to.memory)
    return;
  if (is_one_piece(&from) && is_one_piece(&to)) {
    memcpy(to.memory, from.memory, from.bytes * from.count);
    return;
  }
  for (uint32_t block = 0; block < from.count; block++)
    memcpy(to.memory + block * to.stride, from.memory + block * from.stride, from.bytes);
}

/* The peer's rank on the private communicator. */
static int peer_of(const struct run *run, const struct tny_step *step)
{
  return run->state->group->world_ranks[step->peer];
}

/* What MPI is told of a message. */
struct message {
  char *memory;
  MPI_Datatype type;
  int count;
};

static int transfer(const struct run *run, const struct tny_step *step,
                    const struct message *message, MPI_Request *request)
{
  const int peer = peer_of(run, step),
            tag = tny_context_tag(&run->state->context, TNY_DATA_MESSAGE);
  const MPI_Comm comm = run->state->comm;
  if (step->kind == TNY_SEND)
    return PMPI_Isend(message->memory, message->count, message->type, peer, tag, comm, request);
  return PMPI_Irecv(message->memory, message->count, message->type, peer, tag, comm, request);
}

/* The same part of several blocks is one message all the same. */
static int transfer_strided(const struct run *run, uint32_t index, struct location location)
{
  struct tny_plan *plan = run->plan;
  struct tny_strided strided = {
      .bytes = location.bytes, .stride = location.stride, .count = location.count};
  const int code = tny_strided_types_get(&plan->types, &strided, &plan->type_hints[index]);
  if (code != MPI_SUCCESS)
    return code;
  const struct message message = {.memory = location.memory, .type = strided.type, .count = 1};
  return transfer(run, &plan->steps.steps[index], &message, &plan->requests[index]);
}

static int start_transfer(const struct run *run, uint32_t index)
{
  const struct tny_step *step = &run->plan->steps.steps[index];
  const struct location location = location_of(run->buffers, &step->span);
  if (!is_one_piece(&location) || location.bytes * location.count > INT_MAX)
    return transfer_strided(run, index, location);
  const struct message message = {
      .memory = location.memory, .type = MPI_BYTE, .count = (int)(location.bytes * location.count)};
  return transfer(run, step, &message, &run->plan->requests[index]);
}

static void start(struct run *run, uint32_t index)
{
  const struct tny_step *step = &run->plan->steps.steps[index];
  MPI_Request *request = &run->plan->requests[index];
  const MPI_Comm comm = run->state->comm;
  const int token_tag = tny_context_tag(&run->state->context, TNY_TOKEN_MESSAGE);
  switch (step->kind) {
  case TNY_SEND:
  case TNY_RECV:
    run->code = start_transfer(run, index);
    break;
  case TNY_COPY:
    copy(run->buffers, step);
    break;
  case TNY_TOKEN_OUT:
    run->code = PMPI_Isend(NULL, 0, MPI_BYTE, peer_of(run, step), token_tag, comm, request);
    break;
  case TNY_TOKEN_IN:
    run->code = PMPI_Irecv(NULL, 0, MPI_BYTE, peer_of(run, step), token_tag, comm, request);
    break;
  }
}

static bool is_posted(const struct tny_step *step)
{
  return step->kind == TNY_RECV || step->kind == TNY_TOKEN_IN;
}

/* Has the step been started? */
static bool under_way(const struct run *run, uint32_t index)
{
  const bool posted = is_posted(&run->plan->steps.steps[index]);
  const struct queue *queue = posted ? &run->posted : &run->started;
  return queue->head == queue->count || index < queue->steps[queue->head];
}

/* The request of a started step that isn't complete, or NULL. */
static MPI_Request *open_request(const struct tny_plan *plan, uint32_t index)
{
  MPI_Request *request = &plan->requests[index];
  return *request != MPI_REQUEST_NULL ? request : NULL;
}

/* Looks on at what the head of a queue waits for, from where it stopped the last time, so that each
   dependency is looked at once for all that it is met, and once more when it has been waited for.
   Returns whether the head may start. If not, *waits_for is the request that it waits for, or NULL
   where that isn't under way itself. */
static bool meet_dependencies(const struct run *run, struct queue *queue, MPI_Request **waits_for)
{
  const struct tny_plan *plan = run->plan;
  *waits_for = NULL;
  if (queue->head == queue->count)
    return false;
  const struct tny_step *step = &plan->steps.steps[queue->steps[queue->head]];
  for (; queue->met < step->after_count; queue->met++) {
    const uint32_t earlier = plan->steps.after[step->after_first + queue->met];
    if (!under_way(run, earlier))
      return false;
    *waits_for = open_request(plan, earlier);
    if (*waits_for)
      return false;
  }
  if (queue->head >= WINDOW)
    *waits_for = open_request(plan, queue->steps[queue->head - WINDOW]);
  return !*waits_for;
}

static void start_head(struct run *run, struct queue *queue)
{
  start(run, queue->steps[queue->head++]);
  queue->met = 0;
}

/* Waits until one of the one or two requests, which may be the same, is complete. */
static int wait_for_one(MPI_Request *first, MPI_Request *second)
{
  if (!first || !second || first == second)
    return PMPI_Wait(first ? first : second, MPI_STATUS_IGNORE);
  MPI_Request pair[2] = {*first, *second};
  int done;
  const int code = PMPI_Waitany(2, pair, &done, MPI_STATUS_IGNORE);
  *first = pair[0];
  *second = pair[1];
  return code;
}

/* One by one, since of an error MPI_Waitall says only that some status has it. */
static int wait_for_all(struct tny_plan *plan)
{
  int code = MPI_SUCCESS;
  for (uint32_t i = 0; code == MPI_SUCCESS && i < plan->steps.count; i++)
    if (open_request(plan, i))
      code = PMPI_Wait(&plan->requests[i], MPI_STATUS_IGNORE);
  return code;
}

/* After an error: takes back the receives, so that nothing writes into the buffers any more, and
   lets go of the sends. */
static void abandon(struct tny_plan *plan)
{
  for (uint32_t i = 0; i < plan->steps.count; i++) {
    MPI_Request *request = open_request(plan, i);
    if (request && is_posted(&plan->steps.steps[i])) {
      PMPI_Cancel(request);
      PMPI_Wait(request, MPI_STATUS_IGNORE);
    } else if (request) {
      PMPI_Request_free(request);
    }
    plan->requests[i] = MPI_REQUEST_NULL;
  }
}

int tny_execute(struct tny_plan *plan, const struct tny_comm_state *state,
                const struct tny_buffers *buffers)
{
  struct run run = {.plan = plan,
                    .state = state,
                    .buffers = buffers,
                    .posted = {.steps = plan->posted, .count = plan->posted_count},
                    .started = {.steps = plan->started, .count = plan->started_count},
                    .code = MPI_SUCCESS};
  while (run.code == MPI_SUCCESS &&
         (run.posted.head < run.posted.count || run.started.head < run.started.count)) {
    MPI_Request *post_waits = NULL, *start_waits = NULL;
    while (run.code == MPI_SUCCESS && meet_dependencies(&run, &run.posted, &post_waits))
      start_head(&run, &run.posted);
    if (run.code != MPI_SUCCESS)
      break;
    if (meet_dependencies(&run, &run.started, &start_waits))
      start_head(&run, &run.started);
    else if (post_waits || start_waits)
      run.code = wait_for_one(post_waits, start_waits);
  }
  if (run.code == MPI_SUCCESS)
    run.code = wait_for_all(plan);
  if (run.code != MPI_SUCCESS)
    abandon(plan);
  return run.code;
}
