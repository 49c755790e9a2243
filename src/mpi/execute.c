/* Runs one rank's steps over MPI point-to-point: a queue of receives posted ahead, and a queue of
   sends, tokens, copies and reduces, each in list order, each step after what it waits for. A run
   is all in struct tny_execution, so that it may be left and gone on with wherever it would have to
   wait. */
#include "mpi/execute.h"

#include <limits.h>
#include <time.h>

#include "mpi/guard/clock.h"
#include "mpi/network/port.h"
#include "mpi/types/combine.h"

enum {
  /* Steps of one queue under way at once: bounds the memory that MPI needs. The verifier proves
     every schedule free of deadlock for any window, so this one needs no proof of its own. */
  WINDOW = 1024,
  /* While a send waits for its port, the MPI is asked for progress that often. */
  NAP_NS = 200000,
  NAP_LEAST_NS = 50000, /* what is shorter takes longer asleep */
};

/* Where a piece of a block begins, as tny_part_of_elements has it, without its division. */
static uint64_t begin_of_piece(const struct tny_execution *run, uint64_t index)
{
  const uint64_t longer = index < run->longer ? index : run->longer;
  return run->piece_bytes * index + run->element_bytes * longer;
}

/* The part of every block that this span covers. */
static struct tny_part part_of_block(const struct tny_execution *run, const struct tny_span *span)
{
  if (span->chunk_count == 1)
    return (struct tny_part){.bytes = run->buffers.bytes};
  const uint64_t begin = begin_of_piece(run, span->chunk);
  const uint64_t end = begin_of_piece(run, (uint64_t)span->chunk + span->chunks);
  return (struct tny_part){.offset = begin, .bytes = end - begin};
}

/* Where a span lies: so many bytes of each of its blocks. */
struct location {
  char *memory;
  uint64_t stride, bytes;
  uint32_t count;
};

/* The same of a block that isn't as long as others. How it is cut follows from what the two ends of
   a message know of it, so that they need no other rank to tell what is in it. */
static struct location locate_lone(const struct tny_execution *run,
                                   const struct tny_lone_block *block, const struct tny_span *span)
{
  const struct tny_part part = tny_part_of_lone(block, run->element_bytes, span);
  return (struct location){.memory = block->memory + part.offset, .bytes = part.bytes, .count = 1};
}

/* A piece of a block in scratch space. It is longer or shorter than what lay there before, which
   may still be on its way out: so each piece has a place of its own, long enough for any. */
static struct location locate_held(const struct tny_execution *run, uint32_t index,
                                   const struct tny_span *span)
{
  const struct tny_area *area = &run->buffers.areas[span->buffer];
  const uint64_t place = (uint64_t)span->first * span->chunk_count + span->chunk;
  const struct tny_lone_block *block =
      &run->buffers.areas[TNY_INPUT].blocks[run->plan->held_blocks[index]];
  const struct tny_part piece = tny_part_of_lone(block, run->element_bytes, span);
  return (struct location){
      .memory = area->memory + place * area->stride, .bytes = piece.bytes, .count = 1};
}

/* One of the spans of step `index`. */
static struct location location_of(const struct tny_execution *run, uint32_t index,
                                   const struct tny_span *span)
{
  const struct tny_area *area = &run->buffers.areas[span->buffer];
  if (area->blocks)
    return locate_lone(run, &area->blocks[span->first], span);
  if (run->buffers.areas[TNY_INPUT].blocks)
    return locate_held(run, index, span);
  const struct tny_part part = part_of_block(run, span);
  return (struct location){.memory = area->memory + span->first * area->stride + part.offset,
                           .stride = area->stride,
                           .bytes = part.bytes,
                           .count = span->count};
}

/* Does it lie in one piece, if only since it is nothing? */
static bool is_one_piece(const struct location *location)
{
  return location->count <= 1 || location->stride == location->bytes;
}

static void copy(const struct tny_execution *run, uint32_t index)
{
  const struct tny_step *step = &run->plan->steps.steps[index];
  const struct location from = location_of(run, index, &step->span);
  const struct location to = location_of(run, index, &step->target);
  if (from.memory == to.memory)
    return;
  if (is_one_piece(&from) && is_one_piece(&to)) {
    memcpy(to.memory, from.memory, from.bytes * from.count);
    return;
  }
  for (uint32_t block = 0; block < from.count; block++)
    memcpy(to.memory + block * to.stride, from.memory + block * from.stride, from.bytes);
}

/* Span into target, on the left or on the right of what is there. */
static int combine(const struct tny_execution *run, uint32_t index, bool from_left)
{
  const struct tny_step *step = &run->plan->steps.steps[index];
  const struct location from = location_of(run, index, &step->span);
  const struct location to = location_of(run, index, &step->target);
  const struct tny_reduction *operation = run->buffers.operation;
  int code = MPI_SUCCESS;
  if (is_one_piece(&from) && is_one_piece(&to))
    return tny_combine(operation, from_left, from.memory, to.memory, from.bytes * from.count);
  for (uint32_t block = 0; code == MPI_SUCCESS && block < from.count; block++)
    code = tny_combine(operation, from_left, from.memory + block * from.stride,
                       to.memory + block * to.stride, from.bytes);
  return code;
}

/* What MPI is told of a message. */
struct message {
  char *memory;
  MPI_Datatype type;
  int count;
};

/* The same part of several blocks is one message all the same. */
static int describe_strided(const struct tny_execution *run, uint32_t index,
                            const struct location *location, struct message *message)
{
  struct tny_plan *plan = run->plan;
  struct tny_strided strided = {
      .bytes = location->bytes, .stride = location->stride, .count = location->count};
  const int code = tny_strided_types_get(&plan->types, &strided, &plan->type_hints[index]);
  *message = (struct message){.memory = location->memory, .type = strided.type, .count = 1};
  return code;
}

static int describe(const struct tny_execution *run, uint32_t index, struct message *message)
{
  const struct location location = location_of(run, index, &run->plan->steps.steps[index].span);
  const uint64_t bytes = location.bytes * location.count;
  if (!is_one_piece(&location) || bytes > INT_MAX)
    return describe_strided(run, index, &location, message);
  *message = (struct message){.memory = location.memory, .type = MPI_BYTE, .count = (int)bytes};
  return MPI_SUCCESS;
}

/* May step `index`, which starts if so, be sent into this host's port, if that's where it goes? */
static bool enter_port(struct tny_execution *run, uint32_t index)
{
  const struct tny_step *step = &run->plan->steps.steps[index];
  run->port_wait_ns = 0;
  if (!run->buffers.port || !tny_step_sends(step->kind) || tny_step_is_token(step->kind) ||
      run->host_of_rank[step->peer] == run->host)
    return true;
  const struct location location = location_of(run, index, &step->span);
  const uint64_t bytes = location.bytes * location.count;
  if (bytes > 0 || !run->buffers.leaves_out_empty)
    run->port_wait_ns = tny_port_enter(run->buffers.port, run->buffers.port_sending, bytes,
                                       (uint64_t)tny_clock_ns());
  return run->port_wait_ns == 0;
}

/* A message that is left out has no request, as if it were complete. */
static bool is_left_out(const struct tny_execution *run, const struct message *message)
{
  return run->buffers.leaves_out_empty && message->count == 0;
}

static int start_send(const struct tny_execution *run, uint32_t index)
{
  struct message message;
  const int peer = run->world_ranks[run->plan->steps.steps[index].peer];
  const int code = describe(run, index, &message);
  if (code != MPI_SUCCESS || is_left_out(run, &message))
    return code;
  return PMPI_Isend(message.memory, message.count, message.type, peer, run->data_tag, run->comm,
                    &run->plan->requests[index]);
}

static int start_receive(const struct tny_execution *run, uint32_t index)
{
  struct message message;
  const int peer = run->world_ranks[run->plan->steps.steps[index].peer];
  const int code = describe(run, index, &message);
  if (code != MPI_SUCCESS || is_left_out(run, &message))
    return code;
  return PMPI_Irecv(message.memory, message.count, message.type, peer, run->data_tag, run->comm,
                    &run->plan->requests[index]);
}

static int start(const struct tny_execution *run, uint32_t index)
{
  const struct tny_step *step = &run->plan->steps.steps[index];
  MPI_Request *request = &run->plan->requests[index];
  switch (step->kind) {
  case TNY_SEND:
    return start_send(run, index);
  case TNY_RECV:
    return start_receive(run, index);
  case TNY_COPY:
    copy(run, index);
    break;
  case TNY_REDUCE_LEFT:
    return combine(run, index, true);
  case TNY_REDUCE_RIGHT:
    return combine(run, index, false);
  case TNY_TOKEN_OUT:
    return PMPI_Isend(NULL, 0, MPI_BYTE, run->world_ranks[step->peer], run->token_tag, run->comm,
                      request);
  case TNY_TOKEN_IN:
    return PMPI_Irecv(NULL, 0, MPI_BYTE, run->world_ranks[step->peer], run->token_tag, run->comm,
                      request);
  }
  return MPI_SUCCESS;
}

static bool is_posted(const struct tny_step *step)
{
  return tny_step_receives(step->kind);
}

/* Has a step been started that stands before the head of this queue, in it or in the other? What
   stands before the other's head too has, whichever it is in; that is nearly always so. */
static bool under_way(const struct tny_plan *plan, const struct tny_execution_queue *queue,
                      const struct tny_execution_queue *other, uint32_t index)
{
  return other->head == other->count || index < other->steps[other->head] ||
         is_posted(&plan->steps.steps[index]) ==
             is_posted(&plan->steps.steps[queue->steps[queue->head]]);
}

/* The request of a started step that isn't complete, or NULL. */
static MPI_Request *open_request(const struct tny_plan *plan, uint32_t index)
{
  MPI_Request *request = &plan->requests[index];
  return *request != MPI_REQUEST_NULL ? request : NULL;
}

/* Looks on at what the head of a queue waits for, from where it stopped the last time, so that each
   dependency is looked at once for all that it is met, and once more when it has been waited for.
   Returns whether the head may start. */
static bool meet_dependencies(struct tny_execution *run, struct tny_execution_queue *queue,
                              const struct tny_execution_queue *other)
{
  struct tny_plan *plan = run->plan;
  if (queue->waits_for && *queue->waits_for != MPI_REQUEST_NULL)
    return false;
  queue->waits_for = NULL;
  if (queue->head == queue->count)
    return false;
  const struct tny_step *step = &plan->steps.steps[queue->steps[queue->head]];
  for (; queue->met < step->after_count; queue->met++) {
    const uint32_t earlier = plan->steps.after[step->after_first + queue->met];
    queue->waits_for = open_request(plan, earlier);
    if (queue->waits_for || !under_way(plan, queue, other, earlier))
      return false;
  }
  if (queue->head >= WINDOW)
    queue->waits_for = open_request(plan, queue->steps[queue->head - WINDOW]);
  if (queue->waits_for || queue == &run->posted)
    return !queue->waits_for;
  return tny_send_window_has_room(&run->window, plan, queue->steps[queue->head], run->posted.head,
                                  &queue->waits_for) &&
         enter_port(run, queue->steps[queue->head]);
}

/* Starts what may start of a queue. Returns whether any did. */
static bool start_ready(struct tny_execution *run, struct tny_execution_queue *queue,
                        const struct tny_execution_queue *other)
{
  const uint32_t before = queue->head;
  while (run->code == MPI_SUCCESS && meet_dependencies(run, queue, other)) {
    const uint32_t index = queue->steps[queue->head++];
    run->code = start(run, index);
    if (queue == &run->started)
      tny_send_window_add(&run->window, run->plan, index);
    queue->met = 0;
  }
  return queue->head > before;
}

/* Goes on where a receive is complete but for what its memory had no room for. */
static int pass_truncated(struct tny_execution *run, int code, bool is_complete)
{
  int class = MPI_SUCCESS;
  if (code == MPI_SUCCESS || !is_complete || PMPI_Error_class(code, &class) != MPI_SUCCESS ||
      class != MPI_ERR_TRUNCATE)
    return code;
  run->flaws->truncated = code;
  return MPI_SUCCESS;
}

static int wait_for(struct tny_execution *run, MPI_Request *request)
{
  const int code = PMPI_Wait(request, MPI_STATUS_IGNORE);
  return pass_truncated(run, code, *request == MPI_REQUEST_NULL);
}

/* Waits until one of the one or two requests, which may be the same, is complete. */
static int wait_for_one(struct tny_execution *run, MPI_Request *first, MPI_Request *second)
{
  if (!first || !second || first == second)
    return wait_for(run, first ? first : second);
  MPI_Request pair[2] = {*first, *second};
  int done;
  const int code = PMPI_Waitany(2, pair, &done, MPI_STATUS_IGNORE);
  *first = pair[0];
  *second = pair[1];
  return pass_truncated(run, code, pair[0] == MPI_REQUEST_NULL || pair[1] == MPI_REQUEST_NULL);
}

bool tny_test_taken_back(MPI_Request *request)
{
  int is_complete = 0;
  if (*request == MPI_REQUEST_NULL)
    return true;
  if (PMPI_Test(request, &is_complete, MPI_STATUS_IGNORE) != MPI_SUCCESS)
    *request = MPI_REQUEST_NULL;
  return *request == MPI_REQUEST_NULL;
}

/* After an error: takes back the receives, so that nothing writes into the buffers any more, and
   lets go of the sends. A receive whose message is already coming in stays open until that is
   there. */
static void abandon(struct tny_execution *run)
{
  struct tny_plan *plan = run->plan;
  if (run->is_abandoned)
    return;
  run->is_abandoned = true;
  for (uint32_t i = 0; i < plan->steps.count; i++) {
    MPI_Request *request = open_request(plan, i);
    if (request && is_posted(&plan->steps.steps[i])) {
      PMPI_Cancel(request);
    } else if (request) {
      PMPI_Request_free(request);
      plan->requests[i] = MPI_REQUEST_NULL;
      run->flaws->leaves_sends |= !tny_step_is_token(plan->steps.steps[i].kind);
    }
  }
}

void tny_execution_begin(struct tny_execution *run, struct tny_plan *plan,
                         const struct tny_comm_state *state, const struct tny_buffers *buffers,
                         struct tny_flaws *flaws)
{
  const uint64_t element_bytes = buffers->operation ? buffers->operation->element_bytes : 1;
  const uint64_t elements = buffers->bytes / element_bytes;
  *run = (struct tny_execution){.plan = plan,
                                .buffers = *buffers,
                                .element_bytes = element_bytes,
                                .piece_bytes = elements / plan->piece_count * element_bytes,
                                .longer = elements % plan->piece_count,
                                .world_ranks = state->group->world_ranks,
                                .host_of_rank = state->group->host_of_rank,
                                .comm = state->comm,
                                .data_tag = tny_context_tag(&state->context, TNY_DATA_MESSAGE),
                                .token_tag = tny_context_tag(&state->context, TNY_TOKEN_MESSAGE),
                                .posted = {.steps = plan->posted, .count = plan->posted_count},
                                .started = {.steps = plan->started, .count = plan->started_count},
                                .flaws = flaws,
                                .code = MPI_SUCCESS};
  if (buffers->port)
    run->host = run->host_of_rank[state->rank];
  run->window = (struct tny_send_window){.most = run->buffers.window, .buffers = &run->buffers};
}

/* Are there steps that haven't been started? */
static bool has_more(const struct tny_execution *run)
{
  return run->posted.head < run->posted.count || run->started.head < run->started.count;
}

/* Starts all that may start without waiting. False: what is next waits, or nothing is left. */
static bool start_some(struct tny_execution *run)
{
  start_ready(run, &run->posted, &run->started);
  /* What starts now may be what the first receive waits for. */
  return start_ready(run, &run->started, &run->posted);
}

/* Waits until the next send has room in its port, or for a little while of that: what it waits for
   is time, in which the MPI goes on with what it has been given. */
static int wait_for_port(const struct tny_execution *run)
{
  int is_there;
  const uint64_t wait_ns = run->port_wait_ns < NAP_NS ? run->port_wait_ns : NAP_NS;
  if (wait_ns >= NAP_LEAST_NS)
    nanosleep(&(struct timespec){.tv_nsec = (long)wait_ns}, NULL);
  return PMPI_Iprobe(MPI_ANY_SOURCE, run->token_tag, run->comm, &is_there, MPI_STATUS_IGNORE);
}

/* Waits for what keeps the next steps from starting. */
static int wait_for_next(struct tny_execution *run)
{
  if (run->port_wait_ns > 0)
    return wait_for_port(run);
  if (run->posted.waits_for || run->started.waits_for)
    return wait_for_one(run, run->posted.waits_for, run->started.waits_for);
  return MPI_SUCCESS;
}

/* One by one, since of an error MPI_Waitall says only that some status has it. */
static void wait_for_rest(struct tny_execution *run)
{
  for (; run->code == MPI_SUCCESS && run->complete < run->plan->steps.count; run->complete++)
    if (open_request(run->plan, run->complete))
      run->code = wait_for(run, &run->plan->requests[run->complete]);
}

static void wait_for_abandoned(struct tny_execution *run)
{
  struct tny_plan *plan = run->plan;
  abandon(run);
  for (uint32_t i = 0; i < plan->steps.count; i++) {
    MPI_Request *request = open_request(plan, i);
    if (request)
      PMPI_Wait(request, MPI_STATUS_IGNORE);
    plan->requests[i] = MPI_REQUEST_NULL;
  }
}

int tny_execution_finish(struct tny_execution *run)
{
  while (run->code == MPI_SUCCESS && has_more(run)) {
    const bool has_started = start_some(run);
    if (run->code == MPI_SUCCESS && !has_started)
      run->code = wait_for_next(run);
  }
  wait_for_rest(run);
  if (run->code != MPI_SUCCESS)
    wait_for_abandoned(run);
  return run->code;
}

/* Is the request complete? NULL: there is none. */
static bool test(struct tny_execution *run, MPI_Request *request)
{
  int is_complete = 0;
  if (!request || run->code != MPI_SUCCESS)
    return false;
  const int code = PMPI_Test(request, &is_complete, MPI_STATUS_IGNORE);
  run->code = pass_truncated(run, code, *request == MPI_REQUEST_NULL);
  return run->code == MPI_SUCCESS && *request == MPI_REQUEST_NULL;
}

/* Is one complete of those that the queues wait for? */
static bool test_waited_for(struct tny_execution *run)
{
  MPI_Request *first = run->posted.waits_for, *second = run->started.waits_for;
  const bool is_first_complete = test(run, first);
  return (second != first && test(run, second)) || is_first_complete;
}

/* Are the requests of all steps complete, all of which have been started? */
static bool test_rest(struct tny_execution *run)
{
  for (; run->complete < run->plan->steps.count; run->complete++) {
    MPI_Request *request = open_request(run->plan, run->complete);
    if (request && !test(run, request))
      return false;
  }
  return true;
}

/* Are the receives closed of a run that ended by an error? */
static bool test_abandoned(struct tny_execution *run)
{
  struct tny_plan *plan = run->plan;
  bool are_closed = true;
  abandon(run);
  for (uint32_t i = 0; i < plan->steps.count; i++)
    are_closed &= tny_test_taken_back(&plan->requests[i]);
  return are_closed;
}

int tny_execution_advance(struct tny_execution *run, bool *is_over)
{
  bool moves = true;
  while (run->code == MPI_SUCCESS && moves && has_more(run))
    moves = start_some(run) || test_waited_for(run);
  *is_over = run->code == MPI_SUCCESS && !has_more(run) && test_rest(run);
  if (run->code == MPI_SUCCESS || !test_abandoned(run))
    return MPI_SUCCESS;
  return run->code;
}

int tny_execute(struct tny_plan *plan, const struct tny_comm_state *state,
                const struct tny_buffers *buffers, struct tny_flaws *flaws)
{
  struct tny_execution run;
  tny_execution_begin(&run, plan, state, buffers, flaws);
  return tny_execution_finish(&run);
}
