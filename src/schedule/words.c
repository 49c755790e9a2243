/* Puts steps and spans in words. */
#include "schedule/words.h"

const char *tny_step_word(enum tny_step_kind kind)
{
  switch (kind) {
  case TNY_SEND:
    return "send";
  case TNY_RECV:
    return "recv";
  case TNY_COPY:
    return "copy";
  case TNY_TOKEN_OUT:
    return "token-out";
  case TNY_TOKEN_IN:
    return "token-in";
  case TNY_REDUCE_LEFT:
    return "reduce-left";
  case TNY_REDUCE_RIGHT:
    return "reduce-right";
  }
  return "?";
}

const char *tny_buffer_word(enum tny_buffer buffer)
{
  static const char *const words[] = {
      [TNY_INPUT] = "input", [TNY_OUTPUT] = "output", [TNY_SCRATCH] = "scratch"};
  return words[buffer];
}

struct tny_words tny_words_span(const struct tny_span *span)
{
  struct tny_words words;
  char range[32] = "", piece[48] = "";
  if (span->count == 0) {
    snprintf(words.text, sizeof words.text, TNY_WORD_NOTHING);
    return words;
  }
  if (span->count != 1)
    snprintf(range, sizeof range, "..%u", span->first + span->count - 1);
  if (span->chunk_count != 1 && span->chunks == 1)
    snprintf(piece, sizeof piece, " %u/%u", span->chunk, span->chunk_count);
  else if (span->chunk_count != 1)
    snprintf(piece, sizeof piece, " %u..%u/%u", span->chunk, span->chunk + span->chunks - 1,
             span->chunk_count);
  snprintf(words.text, sizeof words.text, "%s[%u%s]%s", tny_buffer_word(span->buffer), span->first,
           range, piece);
  return words;
}

struct tny_words tny_words_step(const struct tny_steps *steps, uint32_t index)
{
  struct tny_words words;
  const struct tny_step *step = &steps->steps[index];
  const char *towards = tny_step_sends(step->kind) ? "to" : "from";
  if (tny_step_is_local(step->kind))
    snprintf(words.text, sizeof words.text, "step %u (%s)", index, tny_step_word(step->kind));
  else
    snprintf(words.text, sizeof words.text, "step %u (%s %s %u)", index, tny_step_word(step->kind),
             towards, step->peer);
  return words;
}

struct tny_words tny_words_rank_step(const struct tny_schedule *schedule, uint32_t rank,
                                     uint32_t index)
{
  struct tny_words words;
  snprintf(words.text, sizeof words.text, "rank %u %.100s", rank,
           tny_words_step(&schedule->ranks[rank], index).text);
  return words;
}
