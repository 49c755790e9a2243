/* GOAL, written. A step is an operation, a token is a message of one byte, and so is one that
   carries nothing, a copy is a calc of no time. What a step waits for it `requires`. Every
   message between two ranks has a tag of its own, so that networks which let messages overtake
   each other don't mix them up. The format's own scanner takes comments only on lines of their
   own, and no space before a statement.

   The order of a queue isn't written by `irequires`. LogGOPSim gives a host's processor to
   whatever has been ready for longest. An operation that irequires another is ready only once that
   has started; by then messages have arrived that are older, and it lets these pass, however long
   its own data have been there. What the queue's order is for is written instead. A step requires
   those in front of it that use the same locations. It also requires the last send and the last
   receive that any step in front of it in its queue requires. A comment tells the reader which
   these are.

   For data this is enough. A barrier has none, and what its steps wait for is all that it is: there
   a step irequires the one in front of it, unless it requires by itself all that those in front
   do. */
#include <tourney/exchange.h>

#include "core/alloc.h"
#include "core/error.h"
#include "core/text.h"
#include "exchange/collectives.h"
#include "exchange/dependences.h"
#include "exchange/list.h"
#include "schedule/match.h"
#include "schedule/steps.h"

/* The steps of a queue so far. */
struct barrier_queue {
  uint32_t last;           /* 1 + the last of them; 0: none */
  uint32_t required_count; /* that they require */
};

struct writer {
  const struct tny_schedule *schedule;
  uint64_t block_bytes;
  struct tny_text text;
  uint32_t *messages[4]; /* by kind of end, by peer: those of this rank so far */
  /* Of this rank. */
  struct tny_dependences dependences;
  struct extra *extras;
  uint32_t *extra_of; /* by step: 1 + the newest of its extras, 0: none */
  uint32_t *implied;  /* by step: 1 + the last step that starts only once this one is complete */
  uint32_t extra_count, extra_room;
  /* By queue, and by the queue of what is required: 1 + the last step that any in it requires. */
  uint32_t last_required[2][2];
  /* Of a barrier. By step: bit q is set where a step of queue q requires it. */
  uint8_t *required;
  struct barrier_queue queues[2];
};

/* What a step requires for its queue's sake. */
struct extra {
  uint32_t step;
  uint32_t next; /* 1 + the one before it of the same step, 0: none */
};

/* The message's number among those of its kind and way, doubled; tokens are odd. */
static uint32_t next_tag(const struct writer *writer, const struct tny_step *step)
{
  const bool is_token = tny_step_is_token(step->kind);
  const uint32_t list = (is_token ? 2u : 0u) + (tny_step_receives(step->kind) ? 1u : 0u);
  const uint32_t number = writer->messages[list][step->peer]++;
  return 2 * number + (is_token ? 1 : 0);
}

static void write_comment(struct writer *writer, const struct tny_step *step)
{
  struct tny_text *text = &writer->text;
  switch (step->kind) {
  case TNY_TOKEN_OUT:
  case TNY_TOKEN_IN:
    tny_text_add(text, "// tourney token");
    break;
  case TNY_COPY:
    tny_text_add(text, "// tourney copy %s to %s", tny_words_span(&step->span).text,
                 tny_words_span(&step->target).text);
    break;
  case TNY_REDUCE_LEFT: /* were refused before */
  case TNY_REDUCE_RIGHT:
  case TNY_SEND:
  case TNY_RECV:
    tny_text_add(text, "// tourney %s", tny_words_span(&step->span).text);
    break;
  }
  if (step->phase != TNY_NONE)
    tny_text_add(text, " phase %u", step->phase);
  tny_text_add(text, "\n");
}

static void write_operation(struct writer *writer, uint32_t index, const struct tny_step *step)
{
  struct tny_text *text = &writer->text;
  write_comment(writer, step);
  if (tny_step_is_local(step->kind)) {
    tny_text_add(text, "l%u: calc 0\n", index);
    return;
  }
  const bool receives = tny_step_receives(step->kind);
  const uint64_t bytes = tny_step_is_token(step->kind)
                             ? 1
                             : tny_exchange_message_bytes(&step->span, writer->block_bytes);
  tny_text_add(text, "l%u: %s %llub %s %u tag %u\n", index, receives ? "recv" : "send",
               (unsigned long long)bytes, receives ? "from" : "to", step->peer,
               next_tag(writer, step));
}

/* Notes that `index` starts once `earlier` is complete, and so once all is that `earlier`
   requires. */
static void imply(struct writer *writer, const struct tny_steps *steps, uint32_t index,
                  uint32_t earlier)
{
  const struct tny_step *step = &steps->steps[earlier];
  writer->implied[earlier] = index + 1;
  for (uint32_t i = 0; i < step->after_count; i++)
    writer->implied[steps->after[step->after_first + i]] = index + 1;
  for (uint32_t i = writer->extra_of[earlier]; i > 0; i = writer->extras[i - 1].next)
    writer->implied[writer->extras[i - 1].step] = index + 1;
}

/* Notes that a step's queue has got as far as this. */
static void note_required(struct writer *writer, const struct tny_steps *steps, uint32_t index,
                          uint32_t earlier)
{
  uint32_t *last = &writer->last_required[tny_step_receives(steps->steps[index].kind)]
                                         [tny_step_receives(steps->steps[earlier].kind)];
  if (*last < earlier + 1)
    *last = earlier + 1;
}

static enum tny_status require(struct writer *writer, const struct tny_steps *steps, uint32_t index,
                               uint32_t earlier, struct tny_error *error)
{
  if (writer->implied[earlier] == index + 1)
    return TNY_OK;
  struct extra *extras =
      tny_list_reserve(writer->extras, writer->extra_count, &writer->extra_room, sizeof *extras);
  if (!extras)
    return tny_error_memory(error);
  writer->extras = extras;
  if (writer->extra_of[index] == 0)
    tny_text_add(&writer->text, "// tourney queue\n");
  tny_text_add(&writer->text, "l%u requires l%u\n", index, earlier);
  extras[writer->extra_count++] = (struct extra){earlier, writer->extra_of[index]};
  writer->extra_of[index] = writer->extra_count;
  imply(writer, steps, index, earlier);
  note_required(writer, steps, index, earlier);
  return TNY_OK;
}

static int compare_latest_first(const void *first, const void *second)
{
  const uint32_t a = *(const uint32_t *)first, b = *(const uint32_t *)second;
  return (a < b) - (a > b);
}

/* Writes what a step of a barrier waits for. */
static void write_barrier_needs(struct writer *writer, const struct tny_steps *steps,
                                uint32_t index)
{
  const struct tny_step *step = &steps->steps[index];
  const unsigned which = tny_step_receives(step->kind);
  struct barrier_queue *queue = &writer->queues[which];
  const uint32_t before_count = queue->required_count;
  uint32_t covered = 0; /* of those that the steps in front require */
  for (uint32_t i = 0; i < step->after_count; i++) {
    const uint32_t earlier = steps->after[step->after_first + i];
    tny_text_add(&writer->text, "l%u requires l%u\n", index, earlier);
    if (writer->implied[earlier] == index + 1)
      continue;
    writer->implied[earlier] = index + 1;
    if (writer->required[earlier] >> which & 1)
      covered++;
    else
      queue->required_count++;
    writer->required[earlier] |= (uint8_t)(1U << which);
  }
  if (covered < before_count)
    tny_text_add(&writer->text, "// tourney queue\nl%u irequires l%u\n", index, queue->last - 1);
  queue->last = index + 1;
}

/* Writes what the schedule says that the step waits for, and what its queue's order stands for. A
   queue gets no further than what its steps in front require. Of these, the last of each kind
   stands for all, as the others of its kind come before it. */
static enum tny_status write_needs(struct writer *writer, const struct tny_steps *steps,
                                   uint32_t index, struct tny_error *error)
{
  const struct tny_step *step = &steps->steps[index];
  struct tny_dependences *dependences = &writer->dependences;
  uint32_t own[2] = {0, 0}, before[2];
  memcpy(before, writer->last_required[tny_step_receives(step->kind)], sizeof before);
  enum tny_status status = tny_dependences_find(dependences, writer->schedule, index, step, error);
  for (uint32_t i = 0; i < step->after_count; i++) {
    const uint32_t earlier = steps->after[step->after_first + i];
    uint32_t *last = &own[tny_step_receives(steps->steps[earlier].kind)];
    tny_text_add(&writer->text, "l%u requires l%u\n", index, earlier);
    imply(writer, steps, index, earlier);
    note_required(writer, steps, index, earlier);
    *last = *last < earlier + 1 ? earlier + 1 : *last;
  }
  if (status == TNY_OK && dependences->found_count > 1)
    qsort(dependences->found, dependences->found_count, sizeof *dependences->found,
          compare_latest_first);
  for (uint32_t i = 0; status == TNY_OK && i < dependences->found_count; i++) {
    uint32_t *last = &own[tny_step_receives(steps->steps[dependences->found[i]].kind)];
    status = require(writer, steps, index, dependences->found[i], error);
    *last = *last < dependences->found[i] + 1 ? dependences->found[i] + 1 : *last;
  }
  for (int kind = 0; status == TNY_OK && kind < 2; kind++)
    if (before[kind] > own[kind])
      status = require(writer, steps, index, before[kind] - 1, error);
  return status;
}

static enum tny_status write_rank(struct writer *writer, uint32_t rank, struct tny_error *error)
{
  const struct tny_steps *steps = &writer->schedule->ranks[rank];
  enum tny_status status = TNY_OK;
  for (int list = 0; list < 4; list++)
    memset(writer->messages[list], 0,
           writer->schedule->rank_count * sizeof *writer->messages[list]);
  memset(writer->extra_of, 0, steps->count * sizeof *writer->extra_of);
  memset(writer->implied, 0, steps->count * sizeof *writer->implied);
  memset(writer->last_required, 0, sizeof writer->last_required);
  memset(writer->required, 0, steps->count * sizeof *writer->required);
  memset(writer->queues, 0, sizeof writer->queues);
  writer->extra_count = 0;
  tny_dependences_clear(&writer->dependences);
  tny_text_add(&writer->text, "\nrank %u {\n", rank);
  for (uint32_t i = 0; status == TNY_OK && i < steps->count; i++) {
    write_operation(writer, i, &steps->steps[i]);
    if (tny_collective_synchronizes(writer->schedule->collective))
      write_barrier_needs(writer, steps, i);
    else
      status = write_needs(writer, steps, i, error);
  }
  tny_text_add(&writer->text, "}\n");
  return status;
}

static enum tny_status write_all(struct writer *writer, struct tny_error *error)
{
  const struct tny_schedule *schedule = writer->schedule;
  const bool has_data = !tny_collective_synchronizes(schedule->collective);
  tny_text_add(&writer->text, "// %s %s, %u ranks", tny_collective_name(schedule->collective),
               schedule->algorithm, schedule->rank_count);
  if (has_data)
    tny_text_add(&writer->text, ", blocks of %llu bytes", (unsigned long long)writer->block_bytes);
  tny_text_add(&writer->text,
               "\n// tourney %s ranks %u root %u algorithm %s chunks %u scratch %u block %llu\n",
               tny_collective_name(schedule->collective), schedule->rank_count, schedule->root,
               schedule->algorithm, schedule->chunk_count, schedule->scratch_blocks,
               (unsigned long long)writer->block_bytes);
  if (schedule->wanted)
    tny_words_wanted(&writer->text, schedule, "// tourney ");
  tny_text_add(&writer->text, "num_ranks %u\n", schedule->rank_count);
  enum tny_status status = TNY_OK;
  for (uint32_t rank = 0; status == TNY_OK && rank < schedule->rank_count; rank++)
    status = write_rank(writer, rank, error);
  return status;
}

/* Memory for the rank with the most steps. */
static enum tny_status take_memory(struct writer *writer, struct tny_error *error)
{
  const struct tny_schedule *schedule = writer->schedule;
  uint32_t most = 0;
  for (uint32_t rank = 0; rank < schedule->rank_count; rank++)
    most = schedule->ranks[rank].count > most ? schedule->ranks[rank].count : most;
  bool is_there = true;
  for (int list = 0; list < 4; list++) {
    writer->messages[list] = tny_new(schedule->rank_count, sizeof *writer->messages[list]);
    is_there = is_there && writer->messages[list];
  }
  writer->extra_of = tny_new(most, sizeof *writer->extra_of);
  writer->implied = tny_new(most, sizeof *writer->implied);
  writer->required = tny_new(most, sizeof *writer->required);
  if (!is_there || !writer->extra_of || !writer->implied || !writer->required)
    return tny_error_memory(error);
  return tny_dependences_init(&writer->dependences, tny_dependences_locations(schedule), error);
}

static void release_memory(struct writer *writer)
{
  for (int list = 0; list < 4; list++)
    tny_free(writer->messages[list]);
  tny_free(writer->extra_of);
  tny_free(writer->implied);
  tny_free(writer->required);
  tny_free(writer->extras);
  tny_dependences_release(&writer->dependences);
  tny_text_release(&writer->text);
}

/* Checks that messages meet, and that none is of no byte, which the format's simulator can't do. A
   calc says how long it takes, not what is combined. */
static enum tny_status check(const struct writer *writer, struct tny_error *error)
{
  const struct tny_schedule *schedule = writer->schedule;
  struct tny_match match;
  if (tny_collective_reduces(schedule->collective))
    return tny_error_set(error, TNY_REFUSED, "GOAL doesn't say what is reduced: no %s is written",
                         tny_collective_name(schedule->collective));
  const enum tny_status status = tny_match_make(schedule, &match, error);
  if (status != TNY_OK)
    return status;
  tny_match_release(&match);
  for (uint32_t rank = 0; rank < schedule->rank_count; rank++)
    for (uint32_t i = 0; i < schedule->ranks[rank].count; i++) {
      const struct tny_step *step = &schedule->ranks[rank].steps[i];
      if (tny_step_starts_message(step->kind) &&
          tny_exchange_message_bytes(&step->span, writer->block_bytes) == 0)
        return tny_error_set(error, TNY_REFUSED,
                             "GOAL has no messages of 0 bytes: blocks of %llu bytes in %u chunks "
                             "make some; give larger blocks",
                             (unsigned long long)writer->block_bytes, schedule->chunk_count);
    }
  return TNY_OK;
}

enum tny_status tny_schedule_write_goal(const struct tny_schedule *schedule, uint64_t block_bytes,
                                        char **text, struct tny_error *error)
{
  struct writer writer = {.schedule = schedule, .block_bytes = block_bytes};
  *text = NULL;
  enum tny_status status = check(&writer, error);
  if (status != TNY_OK)
    return status;
  status = take_memory(&writer, error);
  if (status == TNY_OK)
    status = write_all(&writer, error);
  if (status == TNY_OK)
    status = tny_text_take(&writer.text, text, error);
  release_memory(&writer);
  return status;
}
