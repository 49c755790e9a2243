/* The text form, written: docs/schedule-text.md. */
#include "core/text.h"
#include "schedule/steps.h"
#include "schedule/words.h"

static void write_step(struct tny_text *text, const struct tny_steps *steps, uint32_t index)
{
  const struct tny_step *step = &steps->steps[index];
  tny_text_add(text, "%u %s", index, tny_step_word(step->kind));
  if (!tny_step_is_local(step->kind))
    tny_text_add(text, " %u", step->peer);
  if (!tny_step_is_token(step->kind))
    tny_text_add(text, " %s", tny_words_span(&step->span).text);
  if (tny_step_is_local(step->kind))
    tny_text_add(text, " to %s", tny_words_span(&step->target).text);
  if (step->phase != TNY_NONE)
    tny_text_add(text, " phase %u", step->phase);
  for (uint32_t i = 0; i < step->after_count; i++)
    tny_text_add(text, "%s%u", i == 0 ? " after " : ",", steps->after[step->after_first + i]);
  tny_text_add(text, "\n");
}

/* Receivers as "1,3..5". */
static void write_receivers(struct tny_text *text, const struct tny_schedule *schedule,
                            uint32_t sender)
{
  const char *comma = "";
  for (uint32_t first = 0, end; first < schedule->rank_count; first = end + 1) {
    for (end = first; end < schedule->rank_count && tny_schedule_wants(schedule, sender, end);)
      end++;
    if (end == first)
      continue;
    tny_text_add(text, "%s%u", comma, first);
    if (end > first + 1)
      tny_text_add(text, "..%u", end - 1);
    comma = ",";
  }
}

void tny_words_wanted(struct tny_text *text, const struct tny_schedule *schedule,
                      const char *prefix)
{
  uint32_t senders = 0;
  for (uint32_t sender = 0; sender < schedule->rank_count; sender++) {
    uint32_t receiver = 0;
    while (receiver < schedule->rank_count && !tny_schedule_wants(schedule, sender, receiver))
      receiver++;
    if (receiver == schedule->rank_count)
      continue;
    senders++;
    tny_text_add(text, "%swanted from %u to ", prefix, sender);
    write_receivers(text, schedule, sender);
    tny_text_add(text, "\n");
  }
  if (senders == 0)
    tny_text_add(text, "%swanted none\n", prefix);
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
  if (schedule->commutes)
    tny_text_add(&written, "operation commutative\n");
  if (schedule->wanted)
    tny_words_wanted(&written, schedule, "");
  for (uint32_t rank = 0; rank < schedule->rank_count; rank++) {
    tny_text_add(&written, "\nrank %u\n", rank);
    for (uint32_t i = 0; i < schedule->ranks[rank].count; i++)
      write_step(&written, &schedule->ranks[rank], i);
  }
  return tny_text_take(&written, text, error);
}
