/* Steps and spans in words, as the text form writes them and counterexamples name them. */
#ifndef TOURNEY_SCHEDULE_WORDS_H
#define TOURNEY_SCHEDULE_WORDS_H

#include <tourney/schedule.h>

#include "core/text.h"

struct tny_words {
  char text[128];
};

/* What a message of a barrier carries, in words. */
#define TNY_WORD_NOTHING "nothing"

/* "input[1]", "input[1..3] 0/2", "nothing" */
struct tny_words tny_words_span(const struct tny_span *span);
/* "step 3 (send to 1)" */
struct tny_words tny_words_step(const struct tny_steps *steps, uint32_t index);
/* "rank 3 step 5 (send to 1)" */
struct tny_words tny_words_rank_step(const struct tny_schedule *schedule, uint32_t rank,
                                     uint32_t index);
/* Lines that say which blocks are wanted, each behind `prefix` (text_write.c). */
void tny_words_wanted(struct tny_text *text, const struct tny_schedule *schedule,
                      const char *prefix);

#endif
