/* Steps and spans in words, as the text form writes them and counterexamples name them. */
#ifndef TOURNEY_SCHEDULE_WORDS_H
#define TOURNEY_SCHEDULE_WORDS_H

#include <tourney/schedule.h>

struct tny_words {
  char text[128];
};

/* "send", "recv", "copy", "token-out", "token-in" */
const char *tny_step_word(enum tny_step_kind kind);
/* "input", "output", "scratch" */
const char *tny_buffer_word(enum tny_buffer buffer);
/* "input[1]", "input[1..3] 0/2" */
struct tny_words tny_words_span(const struct tny_span *span);
/* "step 3 (send to 1)" */
struct tny_words tny_words_step(const struct tny_steps *steps, uint32_t index);

#endif
