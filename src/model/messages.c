/* The messages that an algorithm has its ranks send: all, or those of a sample of the phases. */
#include "model/messages.h"

#include "cluster/route.h"
#include "core/alloc.h"
#include "core/bytes.h"
#include "core/error.h"
#include "model/cost.h"
#include "model/sample.h"
#include "schedule/message_bytes.h"

bool tny_is_cut_by_pass(const struct tny_algorithm *algorithm)
{
  return algorithm->cut != TNY_CUT_NEVER && algorithm->cut != TNY_CUT_OWN;
}

struct tny_subject tny_subject_make(const struct tny_algorithm *algorithm,
                                    const struct tny_problem *problem, uint64_t block_bytes)
{
  struct tny_subject subject = {.algorithm = algorithm,
                                .problem = problem,
                                .block_bytes = block_bytes,
                                .pattern_longest =
                                    problem->pattern ? tny_pattern_longest(problem->pattern) : 0,
                                .pace = {.chunk_count = 1},
                                .whole = tny_plan_problem(algorithm, problem, 1)};
  subject.whole_claim = tny_algorithm_claim(algorithm, &subject.whole);
  subject.paced = subject.whole;
  subject.paced_claim = subject.whole_claim;
  return subject;
}

struct tny_subject tny_subject_origin(const struct tny_subject *subject,
                                      struct tny_problem *problem)
{
  const struct tny_algorithm *origin = subject->algorithm->mirrors;
  if (!origin)
    return *subject;
  const uint32_t parts = tny_algorithm_parts(subject->algorithm, subject->problem->rank_count);
  struct tny_pace pace = subject->pace;
  *problem = *subject->problem;
  problem->collective = origin->collective;
  struct tny_subject made = tny_subject_make(origin, problem, subject->block_bytes / parts);
  pace.chunk_count = (pace.chunk_count + parts - 1) / parts;
  tny_subject_set_pace(&made, pace);
  return made;
}

void tny_subject_set_pace(struct tny_subject *subject, struct tny_pace pace)
{
  subject->pace = pace;
  subject->paced = tny_plan_problem(subject->algorithm, subject->problem, pace.chunk_count);
  if (subject->paced.piece_count != subject->whole.piece_count)
    subject->paced_claim = tny_algorithm_claim(subject->algorithm, &subject->paced);
}

static enum tny_status make_room(struct tny_messages *messages, size_t more,
                                 struct tny_error *error)
{
  if (messages->room - messages->count >= more)
    return TNY_OK;
  const size_t room = 2 * messages->room + more;
  struct tny_wire_message *list = tny_resize(messages->list, room, sizeof *list);
  if (!list)
    return tny_error_memory(error);
  messages->list = list;
  messages->room = room;
  return TNY_OK;
}

static void add(struct tny_messages *messages, struct tny_wire_message message, uint64_t bytes,
                uint32_t chunks)
{
  message.bytes = tny_wire_bytes(bytes, chunks);
  message.chunks = chunks;
  messages->list[messages->count++] = message;
  if (bytes / chunks > messages->bytes_max)
    messages->bytes_max = bytes / chunks;
}

/* Adds what a rank combines. */
static void add_combined(struct tny_messages *messages, uint32_t phase, uint32_t rank,
                         uint64_t bytes, uint32_t chunks)
{
  messages->list[messages->count++] = (struct tny_wire_message){
      .phase = phase, .from = rank, .to = rank, .chunks = chunks, .bytes = bytes};
}

/* How it is looked at: whole where the pass cuts it, else in its own pieces. */
static struct tny_pace uncut(const struct tny_subject *subject)
{
  const bool by_pass = tny_is_cut_by_pass(subject->algorithm);
  return (struct tny_pace){.chunk_count = by_pass ? 1 : subject->pace.chunk_count};
}

enum {
  ADDED_MAX = 3,         /* for a message */
  SECOND_HALF = 1 << 30, /* phases of an all-reduce that come behind all that are turned round */
};

/* Adds what a rank sends to another in a phase; of a mirror, what comes back, and is combined, and
   of an all-reduce both. */
static void add_pair(const struct tny_subject *subject, struct tny_wire_message message,
                     uint32_t chunks, struct tny_messages *messages)
{
  const enum tny_collective collective = subject->algorithm->collective;
  const bool is_turned = subject->algorithm->mirrors;
  const struct tny_wire_message back = {
      .phase = message.phase, .from = message.to, .to = message.from};
  const struct tny_wire_message *first = is_turned ? &back : &message;
  const uint64_t bytes = message.bytes;
  add(messages, *first, bytes, chunks);
  if (tny_collective_reduces(collective))
    add_combined(messages, first->phase, first->to, bytes, chunks);
  if (!is_turned || !tny_collective_shares_result(collective))
    return;
  message.phase += SECOND_HALF;
  add(messages, message, bytes, chunks);
}

/* The bytes of what a rank sends: of a pattern's block the pattern's, where it is alone in its
   message. */
static uint64_t sent_bytes(const struct tny_subject *origin, uint32_t rank,
                           const struct tny_span *span)
{
  const struct tny_problem *problem = origin->problem;
  if (origin->pattern_longest == 0 || span->buffer != TNY_INPUT || span->count != 1)
    return tny_span_bytes(span, origin->block_bytes);
  const uint64_t own = problem->pattern->bytes[(size_t)rank * problem->rank_count + span->first];
  const tny_wide bytes = (tny_wide)own * origin->block_bytes / origin->pattern_longest;
  return tny_span_bytes(span, tny_narrow(bytes));
}

/* Adds what a rank sends and combines. Where the pass would cut its messages they are looked at
   whole: their chunks go the same way. A mirror's are its origin's, turned round. */
static enum tny_status add_rank(const struct tny_subject *subject, const struct tny_subject *origin,
                                uint32_t rank, struct tny_messages *messages,
                                struct tny_error *error)
{
  struct tny_steps steps;
  const uint32_t chunks = tny_is_cut_by_pass(origin->algorithm) ? origin->pace.chunk_count : 1;
  enum tny_status status =
      tny_plan_rank(origin->algorithm, origin->problem, uncut(origin), rank, &steps, error);
  if (status != TNY_OK)
    return status;
  status = make_room(messages, (size_t)ADDED_MAX * steps.count, error);
  uint32_t received = 0; /* the phase of what a reduce combines, which has none itself */
  for (uint32_t i = 0; status == TNY_OK && i < steps.count; i++) {
    const struct tny_step *step = &steps.steps[i];
    const struct tny_wire_message message = {.phase = step->phase,
                                             .from = rank,
                                             .to = step->peer,
                                             .bytes = sent_bytes(origin, rank, &step->span)};
    if (tny_step_receives(step->kind) && tny_step_is_message(step->kind))
      received = step->phase;
    if (tny_step_reduces(step->kind))
      add_combined(messages, received, rank, message.bytes, chunks);
    else if (tny_step_starts_message(step->kind) && subject->algorithm->mirrors)
      add_pair(subject, message, chunks, messages);
    else if (tny_step_starts_message(step->kind) && (message.bytes > 0 || !origin->pattern_longest))
      add(messages, message, message.bytes, chunks);
  }
  tny_steps_release(&steps);
  return status;
}

static enum tny_status look_at_rank(const struct tny_subject *subject, uint32_t rank,
                                    struct tny_work *work, struct tny_error *error)
{
  struct tny_steps steps;
  const enum tny_status status =
      tny_plan_rank(subject->algorithm, subject->problem, uncut(subject), rank, &steps, error);
  if (status != TNY_OK)
    return status;
  work->steps = steps.count > work->steps ? steps.count : work->steps;
  for (uint32_t i = 0; i < steps.count; i++)
    if (tny_step_starts_message(steps.steps[i].kind) &&
        steps.steps[i].span.count > work->blocks_max)
      work->blocks_max = steps.steps[i].span.count;
  tny_steps_release(&steps);
  return TNY_OK;
}

enum tny_status tny_messages_work(const struct tny_subject *subject, struct tny_work *work,
                                  struct tny_error *error)
{
  struct tny_problem problem_of;
  const struct tny_subject origin = tny_subject_origin(subject, &problem_of);
  const struct tny_problem *problem = subject->problem;
  *work = (struct tny_work){0};
  enum tny_status status = look_at_rank(&origin, problem->root, work, error);
  if (status == TNY_OK)
    status = look_at_rank(&origin, problem->rank_count / 2, work, error);
  work->steps *= problem->rank_count;
  return status;
}

/* Adds all messages of a schedule whose blocks are a pattern's, by the bytes of the blocks that
   each holds. */
static enum tny_status add_all(const struct tny_subject *subject,
                               const struct tny_schedule *schedule, struct tny_messages *messages,
                               struct tny_error *error)
{
  const uint32_t chunks = tny_is_cut_by_pass(subject->algorithm) ? subject->pace.chunk_count : 1;
  struct tny_match match;
  enum tny_status status = tny_match_make(schedule, &match, error);
  if (status != TNY_OK)
    return status;
  uint64_t *bytes = tny_new(match.step_count, sizeof *bytes);
  const struct tny_block_sizes sizes = {.bytes_of = subject->problem->pattern->bytes};
  status = bytes ? tny_message_bytes_find(&match, &sizes, bytes, error) : tny_error_memory(error);
  if (status == TNY_OK)
    status = make_room(messages, match.step_count, error);
  for (uint32_t id = 0; status == TNY_OK && id < match.step_count; id++) {
    const struct tny_step *step = tny_match_step(&match, id);
    const tny_wide scaled = (tny_wide)bytes[id] * subject->block_bytes / subject->pattern_longest;
    if (tny_step_starts_message(step->kind))
      add(messages,
          (struct tny_wire_message){
              .phase = step->phase, .from = match.rank_of[id], .to = step->peer},
          tny_narrow(scaled), chunks);
  }
  tny_free(bytes);
  tny_match_release(&match);
  return status;
}

/* Of a pattern whose blocks are forwarded: who looks at one rank's steps alone doesn't see which
   blocks a message has. */
static enum tny_status collect_forwarded(const struct tny_subject *subject,
                                         struct tny_messages *messages, struct tny_error *error)
{
  struct tny_schedule *schedule;
  enum tny_status status =
      tny_plan_all(subject->algorithm, subject->problem, uncut(subject), &schedule, error);
  if (status == TNY_OK)
    status = add_all(subject, schedule, messages, error);
  tny_schedule_free(schedule);
  return status;
}

enum tny_status tny_messages_collect(const struct tny_subject *subject,
                                     struct tny_messages *messages, struct tny_error *error)
{
  struct tny_problem problem;
  const struct tny_subject origin = tny_subject_origin(subject, &problem);
  *messages = (struct tny_messages){.total = 1, .looked_at = 1};
  enum tny_status status = TNY_OK;
  if (origin.pattern_longest > 0 && !origin.algorithm->single_blocks)
    return collect_forwarded(&origin, messages, error);
  for (uint32_t rank = 0; status == TNY_OK && rank < origin.problem->rank_count; rank++)
    status = add_rank(subject, &origin, rank, messages, error);
  return status;
}

enum tny_status tny_messages_sample(const struct tny_subject *subject,
                                    struct tny_messages *messages, struct tny_error *error)
{
  struct tny_problem problem;
  const struct tny_subject of = tny_subject_origin(subject, &problem);
  const uint32_t total = of.whole_claim.phases, size = tny_sample_size(total);
  const uint32_t chunks = tny_is_cut_by_pass(of.algorithm) ? of.pace.chunk_count : 1;
  *messages = (struct tny_messages){.total = total, .looked_at = size, .is_drawn = true};
  const enum tny_status status =
      make_room(messages, (size_t)size * of.whole.rank_count * ADDED_MAX, error);
  for (uint32_t i = 0; status == TNY_OK && i < size; i++) {
    const uint32_t phase = tny_sample_phase(total, i);
    for (uint32_t rank = 0; rank < of.whole.rank_count; rank++) {
      const uint32_t to = of.algorithm->peer(&of.whole, rank, phase);
      const struct tny_wire_message message = {
          .phase = phase, .from = rank, .to = to, .bytes = of.block_bytes};
      if (to != TNY_NONE)
        add_pair(subject, message, chunks, messages);
    }
  }
  return status;
}

/* Does the route back have the same cables? */
static bool route_goes_back_alike(const struct tny_network *network, uint32_t from, uint32_t to)
{
  struct tny_route there = tny_route_begin(network, from, to);
  struct tny_route back = tny_route_begin(network, to, from);
  uint64_t links = 0, links_back = 0;
  uint32_t link;
  while ((link = tny_route_next(&there)) != TNY_NONE)
    links += tny_hash_number(TNY_HASH_START, link ^ 1);
  while ((link = tny_route_next(&back)) != TNY_NONE)
    links_back += tny_hash_number(TNY_HASH_START, link);
  return links == links_back;
}

enum { LOOKED_AT = 16 }; /* ranks */

bool tny_goes_back_alike(const struct tny_subject *origin)
{
  const struct tny_problem *problem = origin->problem;
  const struct tny_pace whole = {.chunk_count = 1};
  bool is_alike = true;
  for (uint32_t i = 0; is_alike && i < LOOKED_AT; i++) {
    const uint32_t rank = (uint32_t)((uint64_t)problem->rank_count * i / LOOKED_AT);
    struct tny_steps steps;
    if (tny_plan_rank(origin->algorithm, problem, whole, rank, &steps, NULL) != TNY_OK)
      return false;
    for (uint32_t k = 0; is_alike && k < steps.count; k++)
      is_alike = !tny_step_starts_message(steps.steps[k].kind) ||
                 route_goes_back_alike(problem->network, rank, steps.steps[k].peer);
    tny_steps_release(&steps);
  }
  return is_alike;
}

/* Leaves out what is sent before a phase. */
static void leave_out_before(struct tny_messages *messages, uint32_t phase)
{
  size_t kept = 0;
  for (size_t i = 0; i < messages->count; i++)
    if (messages->list[i].phase >= phase)
      messages->list[kept++] = messages->list[i];
  messages->count = kept;
}

bool tny_has_phases_for_each(const struct tny_subject *subject)
{
  return (uint64_t)subject->paced_claim.phases * subject->whole.piece_count ==
         (uint64_t)subject->whole_claim.phases * subject->paced.piece_count;
}

enum tny_status tny_messages_of_pieces(const struct tny_subject *subject, uint32_t pieces,
                                       struct tny_messages *messages, struct tny_error *error)
{
  struct tny_subject fewer = *subject;
  tny_subject_set_pace(&fewer, (struct tny_pace){.chunk_count = pieces});
  fewer.block_bytes = subject->block_bytes / subject->pace.chunk_count * pieces;
  const enum tny_status status = tny_messages_collect(&fewer, messages, error);
  const uint32_t phases = fewer.paced_claim.phases;
  const uint32_t first = tny_has_phases_for_each(subject) ? 0 : phases / 2;
  leave_out_before(messages, first);
  messages->total = subject->paced_claim.phases;
  messages->looked_at = phases - first;
  return status;
}

void tny_messages_release(struct tny_messages *messages)
{
  tny_free(messages->list);
  *messages = (struct tny_messages){0};
}
