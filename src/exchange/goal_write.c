/* GOAL, written. A step is an operation; a token is a message of one byte; a copy is a calc of no
   time. What a step waits for it `requires`; its queue's order is `irequires`, which says the same:
   it starts after the step before has started. Every message between two ranks has a tag of its
   own, so that networks which let messages overtake each other don't mix them up. The format's own
   scanner takes comments only on lines of their own, and no space before a statement. */
#include "core/alloc.h"
#include "core/error.h"
#include "core/text.h"
#include "exchange/foreign.h"
#include "schedule/words.h"

struct writer {
  const struct tny_schedule *schedule;
  uint64_t block_bytes;
  struct tny_text text;
  uint32_t *messages[4]; /* by kind of end, by peer: those of this rank so far */
};

/* The message's number among those of its kind and way, doubled; tokens are odd. */
static uint32_t next_tag(const struct writer *writer, const struct tny_step *step)
{
  static const uint32_t lists[] = {
      [TNY_SEND] = 0, [TNY_RECV] = 1, [TNY_TOKEN_OUT] = 2, [TNY_TOKEN_IN] = 3};
  const uint32_t number = writer->messages[lists[step->kind]][step->peer]++;
  return 2 * number + (tny_step_is_token(step->kind) ? 1 : 0);
}

static void write_note(struct writer *writer, const struct tny_step *step)
{
  struct tny_text *text = &writer->text;
  if (tny_step_is_token(step->kind))
    tny_text_add(text, "// tourney token");
  else if (step->kind == TNY_COPY)
    tny_text_add(text, "// tourney copy %s to %s", tny_words_span(&step->span).text,
                 tny_words_span(&step->target).text);
  else
    tny_text_add(text, "// tourney %s", tny_words_span(&step->span).text);
  if (step->phase != TNY_NONE)
    tny_text_add(text, " phase %u", step->phase);
  tny_text_add(text, "\n");
}

static void write_operation(struct writer *writer, uint32_t index, const struct tny_step *step)
{
  struct tny_text *text = &writer->text;
  write_note(writer, step);
  if (step->kind == TNY_COPY) {
    tny_text_add(text, "l%u: calc 0\n", index);
    return;
  }
  const bool receives = tny_step_receives(step->kind);
  const uint64_t bytes =
      tny_step_is_token(step->kind) ? 1 : tny_span_bytes(&step->span, writer->block_bytes);
  tny_text_add(text, "l%u: %s %llub %s %u tag %u\n", index, receives ? "recv" : "send",
               (unsigned long long)bytes, receives ? "from" : "to", step->peer,
               next_tag(writer, step));
}

/* `previous`: the step before it in its queue; TNY_NONE: none. */
static void write_needs(struct writer *writer, const struct tny_steps *steps, uint32_t index,
                        uint32_t previous)
{
  const struct tny_step *step = &steps->steps[index];
  bool is_settled = previous == TNY_NONE;
  for (uint32_t i = 0; i < step->after_count; i++) {
    const uint32_t earlier = steps->after[step->after_first + i];
    tny_text_add(&writer->text, "l%u requires l%u\n", index, earlier);
    is_settled = is_settled || earlier == previous;
  }
  if (!is_settled)
    tny_text_add(&writer->text, "l%u irequires l%u\n", index, previous);
}

static void write_rank(struct writer *writer, uint32_t rank)
{
  const struct tny_steps *steps = &writer->schedule->ranks[rank];
  uint32_t previous[2] = {TNY_NONE, TNY_NONE};
  for (int list = 0; list < 4; list++)
    memset(writer->messages[list], 0,
           writer->schedule->rank_count * sizeof *writer->messages[list]);
  tny_text_add(&writer->text, "\nrank %u {\n", rank);
  for (uint32_t i = 0; i < steps->count; i++) {
    uint32_t *before = &previous[tny_step_receives(steps->steps[i].kind)];
    write_operation(writer, i, &steps->steps[i]);
    write_needs(writer, steps, i, *before);
    *before = i;
  }
  tny_text_add(&writer->text, "}\n");
}

static void write_all(struct writer *writer)
{
  const struct tny_schedule *schedule = writer->schedule;
  tny_text_add(&writer->text,
               "// %s %s, %u ranks, blocks of %llu bytes\n"
               "// tourney %s ranks %u root %u algorithm %s chunks %u scratch %u block %llu\n",
               tny_collective_name(schedule->collective), schedule->algorithm, schedule->rank_count,
               (unsigned long long)writer->block_bytes, tny_collective_name(schedule->collective),
               schedule->rank_count, schedule->root, schedule->algorithm, schedule->chunk_count,
               schedule->scratch_blocks, (unsigned long long)writer->block_bytes);
  if (schedule->wanted)
    tny_words_wanted(&writer->text, schedule, "// tourney ");
  tny_text_add(&writer->text, "num_ranks %u\n", schedule->rank_count);
  for (uint32_t rank = 0; rank < schedule->rank_count; rank++)
    write_rank(writer, rank);
}

/* Messages meet, and none is of no byte, which the format's simulator can't do. */
static enum tny_status check(const struct writer *writer, struct tny_error *error)
{
  const struct tny_schedule *schedule = writer->schedule;
  struct tny_match match;
  const enum tny_status status = tny_match_make(schedule, &match, error);
  if (status != TNY_OK)
    return status;
  tny_match_release(&match);
  for (uint32_t rank = 0; rank < schedule->rank_count; rank++)
    for (uint32_t i = 0; i < schedule->ranks[rank].count; i++) {
      const struct tny_step *step = &schedule->ranks[rank].steps[i];
      if (step->kind == TNY_SEND && tny_span_bytes(&step->span, writer->block_bytes) == 0)
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
  for (int list = 0; list < 4; list++) {
    writer.messages[list] = tny_new(schedule->rank_count, sizeof *writer.messages[list]);
    if (!writer.messages[list])
      status = tny_error_memory(error);
  }
  if (status == TNY_OK) {
    write_all(&writer);
    status = tny_text_take(&writer.text, text, error);
  }
  for (int list = 0; list < 4; list++)
    tny_free(writer.messages[list]);
  return status;
}
