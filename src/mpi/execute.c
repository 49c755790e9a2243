/* Runs one rank's steps over MPI point-to-point: a queue of receives posted ahead, and a queue of
   sends, tokens and copies, each in list order, each step after what it waits for. */
#include "mpi/runtime.h"

#include <limits.h>

enum {
  DATA_TAG = 1,
  TOKEN_TAG = 2,
  /* Steps of one queue under way at once: bounds the memory that MPI needs. The verifier proves
     every schedule free of deadlock for any window, so this one needs no proof of its own. */
  WINDOW = 1024,
};

/* A run of a plan: how far each queue has come. */
struct run {
  struct tny_plan *plan;
  MPI_Comm comm;
  const struct tny_buffers *buffers;
  uint32_t posted, started; /* steps of each queue that are under way or done */
  int code;
};

struct part {
  uint64_t offset, bytes;
};

/* Part `index` of `count` of something `bytes` long, all parts within a byte of each other. */
static struct part cut(uint64_t bytes, uint32_t index, uint32_t count)
{
  const uint64_t length = bytes / count, longer = bytes % count;
  return (struct part){
      .offset = length * index + (index < longer ? index : longer),
      .bytes = length + (index < longer),
  };
}

/* The part of every block that this span covers in this segment. */
static struct part part_of_block(const struct tny_buffers *buffers, const struct tny_span *span)
{
  const struct part segment = cut(buffers->block_bytes, buffers->segment, buffers->segment_count);
  const struct part first = cut(segment.bytes, span->chunk, span->chunk_count);
  const struct part last = cut(segment.bytes, span->chunk + span->chunks - 1, span->chunk_count);
  return (struct part){.offset = segment.offset + first.offset,
                       .bytes = last.offset + last.bytes - first.offset};
}

static char *base_of(const struct tny_buffers *buffers, enum tny_buffer buffer)
{
  if (buffer == TNY_INPUT)
    return (char *)(uintptr_t)
        buffers->input; /* only read: the schedule is proved not to write it */
  return buffer == TNY_OUTPUT ? buffers->output : buffers->scratch;
}

/* A span lies in one piece where it covers whole blocks (and MPI can count its bytes), else in one
   piece a block. */
static uint32_t piece_count(const struct tny_buffers *buffers, const struct tny_span *span)
{
  const bool whole = buffers->segment_count == 1 && span->chunk_count == 1;
  return whole && span->count <= INT_MAX / buffers->block_bytes ? 1 : span->count;
}

static struct part piece_bytes(const struct tny_buffers *buffers, const struct tny_span *span,
                               uint32_t piece)
{
  struct part part = part_of_block(buffers, span);
  if (piece_count(buffers, span) < span->count)
    part.bytes *= span->count;
  part.offset += (span->first + (uint64_t)piece) * buffers->block_bytes;
  return part;
}

static int copy(const struct run *run, const struct tny_step *step)
{
  const uint32_t pieces = piece_count(run->buffers, &step->span);
  for (uint32_t piece = 0; piece < pieces; piece++) {
    const struct part from = piece_bytes(run->buffers, &step->span, piece);
    const struct part to = piece_bytes(run->buffers, &step->target, piece);
    const char *source = base_of(run->buffers, step->span.buffer) + from.offset;
    char *target = base_of(run->buffers, step->target.buffer) + to.offset;
    if (source != target && from.bytes > 0)
      memcpy(target, source, from.bytes);
  }
  return MPI_SUCCESS;
}

static int transfer(const struct run *run, const struct tny_step *step, MPI_Request *requests)
{
  const int peer = (int)step->peer;
  const uint32_t pieces = piece_count(run->buffers, &step->span);
  int code = MPI_SUCCESS;
  for (uint32_t piece = 0; code == MPI_SUCCESS && piece < pieces; piece++) {
    const struct part part = piece_bytes(run->buffers, &step->span, piece);
    char *memory = base_of(run->buffers, step->span.buffer) + part.offset;
    if (step->kind == TNY_SEND)
      code = PMPI_Isend(memory, (int)part.bytes, MPI_BYTE, peer, DATA_TAG, run->comm,
                        &requests[piece]);
    else
      code = PMPI_Irecv(memory, (int)part.bytes, MPI_BYTE, peer, DATA_TAG, run->comm,
                        &requests[piece]);
  }
  return code;
}

static void start(struct run *run, uint32_t index)
{
  const struct tny_step *step = &run->plan->steps.steps[index];
  MPI_Request *requests = &run->plan->requests[run->plan->first_request[index]];
  switch (step->kind) {
  case TNY_SEND:
  case TNY_RECV:
    run->code = transfer(run, step, requests);
    break;
  case TNY_COPY:
    run->code = copy(run, step);
    break;
  case TNY_TOKEN_OUT:
    run->code = PMPI_Isend(NULL, 0, MPI_BYTE, (int)step->peer, TOKEN_TAG, run->comm, requests);
    break;
  case TNY_TOKEN_IN:
    run->code = PMPI_Irecv(NULL, 0, MPI_BYTE, (int)step->peer, TOKEN_TAG, run->comm, requests);
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
  const struct tny_plan *plan = run->plan;
  if (is_posted(&plan->steps.steps[index]))
    return run->posted == plan->posted_count || index < plan->posted[run->posted];
  return run->started == plan->started_count || index < plan->started[run->started];
}

/* The first request of a started step that isn't complete, or NULL. */
static MPI_Request *open_request(const struct tny_plan *plan, uint32_t index)
{
  for (uint32_t i = plan->first_request[index]; i < plan->first_request[index + 1]; i++)
    if (plan->requests[i] != MPI_REQUEST_NULL)
      return &plan->requests[i];
  return NULL;
}

/* May the head of a queue start? If not, *waits_for is the request it waits for, or NULL where that
   isn't under way itself. */
static bool may_start(const struct run *run, const uint32_t *queue, uint32_t head,
                      MPI_Request **waits_for)
{
  const struct tny_plan *plan = run->plan;
  const struct tny_step *step = &plan->steps.steps[queue[head]];
  *waits_for = NULL;
  for (uint32_t i = 0; i < step->after_count; i++) {
    const uint32_t earlier = plan->steps.after[step->after_first + i];
    if (!under_way(run, earlier))
      return false;
    *waits_for = open_request(plan, earlier);
    if (*waits_for)
      return false;
  }
  if (head >= WINDOW)
    *waits_for = open_request(plan, queue[head - WINDOW]);
  return !*waits_for;
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

/* After an error: takes back the receives, so that nothing writes into the buffers any more, and
   lets go of the sends. */
static void abandon(struct tny_plan *plan)
{
  for (uint32_t i = 0; i < plan->steps.count; i++)
    for (MPI_Request *request; (request = open_request(plan, i));) {
      if (is_posted(&plan->steps.steps[i])) {
        PMPI_Cancel(request);
        PMPI_Wait(request, MPI_STATUS_IGNORE);
      } else {
        PMPI_Request_free(request);
      }
      *request = MPI_REQUEST_NULL;
    }
}

int tny_execute(struct tny_plan *plan, MPI_Comm comm, const struct tny_buffers *buffers)
{
  struct run run = {.plan = plan, .comm = comm, .buffers = buffers, .code = MPI_SUCCESS};
  while (run.code == MPI_SUCCESS &&
         (run.posted < plan->posted_count || run.started < plan->started_count)) {
    MPI_Request *post_waits = NULL, *start_waits = NULL;
    while (run.code == MPI_SUCCESS && run.posted < plan->posted_count &&
           may_start(&run, plan->posted, run.posted, &post_waits))
      start(&run, plan->posted[run.posted++]);
    if (run.code != MPI_SUCCESS)
      break;
    if (run.started < plan->started_count &&
        may_start(&run, plan->started, run.started, &start_waits))
      start(&run, plan->started[run.started++]);
    else if (post_waits || start_waits)
      run.code = wait_for_one(post_waits, start_waits);
  }
  if (run.code == MPI_SUCCESS)
    run.code = PMPI_Waitall((int)plan->first_request[plan->steps.count], plan->requests,
                            MPI_STATUSES_IGNORE);
  if (run.code != MPI_SUCCESS)
    abandon(plan);
  return run.code;
}
