/* A plan as one JSON object: what is planned, what the proof found, and the phases or the steps
   where they are asked for. */
#include "cli/shared/json.h"
#include "cli/shared/options.h"
#include "core/alloc.h"
#include "core/error.h"
#include "show.h"

/* More would take gigabytes of memory in jansson. */
#define STEPS_MAX (UINT64_C(1) << 20)

static json_t *algorithm_json(const struct plan *plan)
{
  const struct tny_algorithm_choice choice = {plan->algorithm, plan->problem.parameter};
  struct tny_text why = {0};
  plan_choice_why(plan, &why);
  json_t *algorithm =
      json_pack("{s:s, s:o, s:s, s:s?, s:b, s:o}", "name", plan->algorithm->name, "parameter",
                json_parameter(&choice), "source", plan->algorithm->source, "why", why.bytes,
                "left_to_native", (int)plan->left_native, "candidates", plan_candidates_json(plan));
  tny_text_release(&why);
  return algorithm;
}

static json_t *pattern_json(const struct plan *plan)
{
  if (!plan->pattern)
    return json_null();
  return json_pack("{s:s, s:I}", "name", plan->request->pattern, "blocks",
                   (json_int_t)plan_pattern_blocks(plan));
}

static json_t *separation_json(const struct plan *plan)
{
  const struct tny_separation_report *report = &plan->separated;
  return json_pack("{s:s, s:I, s:I, s:I, s:I}", "by",
                   plan_separation_name(plan->request->separation), "conflicts",
                   (json_int_t)report->conflicts, "redundant", (json_int_t)report->redundant,
                   "waits", (json_int_t)report->waits, "tokens", (json_int_t)report->tokens);
}

/* In bytes, of a rank, beside the program's buffers. */
static json_t *memory_json(const struct tny_footprint *footprint)
{
  return json_pack("{s:I, s:I, s:I}", "scratch_bytes", (json_int_t)footprint->scratch_bytes,
                   "in_place_bytes", (json_int_t)footprint->in_place_bytes, "packed_bytes_max",
                   (json_int_t)footprint->packed_bytes);
}

/* A root where there is one, a window where sends are paced. */
static json_t *heading_json(const struct plan *plan)
{
  const struct plan_request *request = plan->request;
  const bool rooted = tny_collective_has_root(request->collective);
  const char *pacing = plan_pacing(plan);
  return json_pack(
      "{s:s, s:s, s:s?, s:s, s:I, s:s, s:o, s:o, s:o, s:I, s:I, s:I, s:s?, s:o, s:o, s:o}",
      "cluster", request->cluster, "routes", plan->mapping.routes->name, "routes_deadlock",
      plan->mapping.deadlock.status == TNY_OK ? NULL : plan->mapping.deadlock.text, "collective",
      tny_collective_name(request->collective), "ranks", (json_int_t)plan->problem.rank_count,
      "map", cli_map_name(request->map), "root",
      rooted ? json_integer(plan->problem.root) : json_null(), "algorithm", algorithm_json(plan),
      "pattern", pattern_json(plan), "block_bytes", (json_int_t)plan->block_bytes, "chunk_count",
      (json_int_t)plan->schedule->chunk_count, "segment_count",
      (json_int_t)plan->footprint.segment_count, "pacing", pacing, "window",
      pacing ? json_integer(plan->pace.window) : json_null(), "memory",
      memory_json(&plan->footprint), "separation", separation_json(plan));
}

static json_t *message_json(const struct plan_message *message)
{
  return json_pack("{s:I, s:I}", "from", (json_int_t)message->from, "to", (json_int_t)message->to);
}

/* The messages by phase; messages without a phase come last, their phase is null. */
static json_t *phases_json(const struct plan_message *messages, uint64_t count)
{
  json_t *phases = json_array();
  for (uint64_t i = 0; i < count;) {
    const uint32_t phase = messages[i].phase;
    json_t *of_phase = json_array();
    for (; i < count && messages[i].phase == phase; i++)
      json_add(&of_phase, message_json(&messages[i]));
    json_add(&phases,
             json_pack("{s:o, s:o}", "phase", phase == TNY_NONE ? json_null() : json_integer(phase),
                       "messages", of_phase));
  }
  return phases;
}

static json_t *span_json(const struct tny_span *span)
{
  return json_pack("{s:s, s:I, s:I, s:I, s:I, s:I}", "buffer", tny_buffer_word(span->buffer),
                   "first", (json_int_t)span->first, "count", (json_int_t)span->count, "chunk",
                   (json_int_t)span->chunk, "chunks", (json_int_t)span->chunks, "chunk_count",
                   (json_int_t)span->chunk_count);
}

static json_t *step_json(const struct tny_steps *steps, const struct tny_step *step)
{
  const bool copies = tny_step_is_local(step->kind);
  const bool carries = copies || tny_step_is_message(step->kind);
  json_t *after = json_array();
  for (uint32_t i = 0; i < step->after_count; i++)
    json_add(&after, json_integer(steps->after[step->after_first + i]));
  return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o}", "kind", tny_step_word(step->kind), "peer",
                   copies ? json_null() : json_integer(step->peer), "span",
                   carries ? span_json(&step->span) : json_null(), "target",
                   copies ? span_json(&step->target) : json_null(), "phase",
                   step->phase == TNY_NONE ? json_null() : json_integer(step->phase), "after",
                   after);
}

/* By rank, each a list in order. */
static json_t *steps_json(const struct tny_schedule *schedule)
{
  json_t *ranks = json_array();
  for (uint32_t rank = 0; rank < schedule->rank_count; rank++) {
    json_t *of_rank = json_array();
    for (uint32_t i = 0; i < schedule->ranks[rank].count; i++)
      json_add(&of_rank, step_json(&schedule->ranks[rank], &schedule->ranks[rank].steps[i]));
    json_add(&ranks, of_rank);
  }
  return ranks;
}

/* Adds what --show wants beside the summary. */
static enum tny_status add_shown(const struct plan *plan, const struct plan_options *options,
                                 json_t *root, struct tny_error *error)
{
  struct plan_message *messages = NULL;
  uint64_t count;
  int failed = 0;
  if (options->show == PLAN_PHASES) {
    const enum tny_status status = plan_messages(plan->schedule, &messages, &count, error);
    if (status != TNY_OK)
      return status;
    failed = json_object_set_new(root, "phases", phases_json(messages, count));
  } else if (options->show == PLAN_STEPS) {
    failed =
        json_object_set_new(root, "scratch_blocks", json_integer(plan->schedule->scratch_blocks)) ||
        json_object_set_new(root, "steps", steps_json(plan->schedule));
  }
  tny_free(messages);
  return failed ? tny_error_memory(error) : TNY_OK;
}

enum tny_status plan_write_json(const struct plan *plan, const struct plan_options *options,
                                char **shown, struct tny_error *error)
{
  const struct proof *proof = &plan->proof;
  const struct proof_subject subject = plan_subject(plan);
  *shown = NULL;
  if (options->show != PLAN_SUMMARY && proof->report.steps > STEPS_MAX)
    return tny_error_set(
        error, TNY_REFUSED,
        "%llu steps are more than the %llu that are written as JSON: take --format "
        "text, or fewer ranks or --chunks",
        (unsigned long long)proof->report.steps, (unsigned long long)STEPS_MAX);
  json_t *root = heading_json(plan);
  if (json_object_set_new(root, "proof", proof_json(&subject, proof))) {
    json_decref(root);
    return tny_error_memory(error);
  }
  const enum tny_status status = add_shown(plan, options, root, error);
  if (status == TNY_OK)
    return json_take(root, shown, error);
  json_decref(root);
  return status;
}
