/* The text form, written: docs/schedule-text.md. */
#include "core/text.h"
#include "schedule/steps.h"
#include "schedule/words.h"

static void write_step(struct tny_text *text, const struct tny_steps *steps, uint32_t index)
{
  const struct tny_step *step = &steps->steps[index];
  tny_text_add(text, "%u %s", index, tny_step_word(step->kind));
  if (step->kind != TNY_COPY)
    tny_text_add(text, " %u", step->peer);
  if (!tny_step_is_token(step->kind))
    tny_text_add(text, " %s", tny_words_span(&step->span).text);
  if (step->kind == TNY_COPY)
    tny_text_add(text, " to %s", tny_words_span(&step->target).text);
  if (step->phase != TNY_NONE)
    tny_text_add(text, " phase %u", step->phase);
  for (uint32_t i = 0; i < step->after_count; i++)
    tny_text_add(text, "%s%u", i == 0 ? " after " : ",", steps->after[step->after_first + i]);
  tny_text_add(text, "\n");
}

enum tny_status tny_schedule_write(const struct tny_schedule *schedule, char **text,
                                   struct tny_error *error)
{
  struct tny_text written = {0};
  tny_text_add(&written,
               "tourney schedule 1\ncollective %s\nranks %u\nroot %u\nalgorithm %s\nchunks %u\n"
               "scratch %u\n",
               tny_collective_name(schedule->collective), schedule->rank_count, schedule->root,
               schedule->algorithm, schedule->chunk_count, schedule->scratch_blocks);
  for (uint32_t rank = 0; rank < schedule->rank_count; rank++) {
    tny_text_add(&written, "\nrank %u\n", rank);
    for (uint32_t i = 0; i < schedule->ranks[rank].count; i++)
      write_step(&written, &schedule->ranks[rank], i);
  }
  return tny_text_take(&written, text, error);
}
