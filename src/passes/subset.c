/* The pass that leaves out the blocks of an all-to-all that a pattern has no use for. */
#include <tourney/pattern.h>

#include "core/alloc.h"
#include "core/error.h"
#include "schedule/match.h"
#include "schedule/words.h"

/* The new steps that stand for an old one where others wait for it: itself, or, where it is left
   out, those that stand for what it waited for. */
struct stand_in {
  uint32_t first, count; /* in `stand_ins` */
};

struct subset {
  const struct tny_match *match;
  const struct tny_pattern *pattern;
  struct stand_in *of; /* by index in the old list */
  uint32_t *stand_ins;
  uint32_t stand_in_count, stand_in_room;
  uint32_t *seen; /* by new step: 1 + the last old step that it stands in for */
};

static bool is_wanted(const struct subset *subset, uint32_t sender, uint32_t receiver)
{
  return subset->pattern->bytes[(size_t)sender * subset->pattern->rank_count + receiver] > 0;
}

/* Decides whether a step stays. Only a step that reads the input says by itself which blocks it
   moves. */
static enum tny_status decide(const struct subset *subset, uint32_t id, bool *stays,
                              struct tny_error *error)
{
  const struct tny_match *match = subset->match;
  *stays = true;
  if (tny_step_is_token(tny_match_step(match, id)->kind))
    return TNY_OK;
  const uint32_t reader =
      tny_step_ends_message(tny_match_step(match, id)->kind) ? match->partner[id] : id;
  const struct tny_span *span = &tny_match_step(match, reader)->span;
  const uint32_t sender = match->rank_of[reader];
  const struct tny_words words =
      tny_words_step(tny_match_steps(match, reader), tny_match_index(match, reader));
  if (span->buffer != TNY_INPUT)
    return tny_error_set(error, TNY_REFUSED,
                         "rank %u %s forwards %s (store and forward): which blocks these are, the "
                         "step doesn't say; take an algorithm that sends every block straight",
                         sender, words.text, tny_words_span(span).text);
  uint32_t wanted = 0;
  for (uint32_t block = span->first; block < span->first + span->count; block++)
    wanted += is_wanted(subset, sender, block);
  if (wanted > 0 && wanted < span->count)
    return tny_error_set(error, TNY_REFUSED,
                         "rank %u %s moves %u blocks at once, of which the pattern wants %u; take "
                         "an algorithm that sends each by itself",
                         sender, words.text, span->count, wanted);
  *stays = wanted > 0;
  return TNY_OK;
}

/* Appends to `stand_ins`; false where memory ran out. */
static bool add_stand_in(struct subset *subset, uint32_t new_step)
{
  if (subset->stand_in_count == subset->stand_in_room) {
    const uint32_t room = 2 * subset->stand_in_room + 64;
    void *grown = tny_resize(subset->stand_ins, room, sizeof *subset->stand_ins);
    if (!grown)
      return false;
    subset->stand_ins = grown;
    subset->stand_in_room = room;
  }
  subset->stand_ins[subset->stand_in_count++] = new_step;
  return true;
}

/* Gathers what stands for the steps that old step `index` waits for, each once. */
static bool gather(struct subset *subset, const struct tny_steps *in, uint32_t index)
{
  struct stand_in *own = &subset->of[index];
  own->first = subset->stand_in_count;
  const struct tny_step *step = &in->steps[index];
  for (uint32_t i = 0; i < step->after_count; i++) {
    const struct stand_in other = subset->of[in->after[step->after_first + i]];
    for (uint32_t k = 0; k < other.count; k++) {
      const uint32_t new_step = subset->stand_ins[other.first + k];
      if (subset->seen[new_step] == index + 1)
        continue;
      subset->seen[new_step] = index + 1;
      if (!add_stand_in(subset, new_step))
        return false;
    }
  }
  own->count = subset->stand_in_count - own->first;
  return true;
}

static enum tny_status append(struct subset *subset, uint32_t id, struct tny_builder *builder,
                              struct tny_error *error)
{
  const struct tny_steps *in = tny_match_steps(subset->match, id);
  const uint32_t index = tny_match_index(subset->match, id);
  bool stays;
  const enum tny_status status = decide(subset, id, &stays, error);
  if (status != TNY_OK)
    return status;
  if (!gather(subset, in, index))
    return tny_error_memory(error);
  if (!stays)
    return TNY_OK;
  struct stand_in *own = &subset->of[index];
  const uint32_t new_step = tny_builder_append(builder, &in->steps[index]);
  for (uint32_t k = 0; k < own->count; k++)
    tny_builder_wait(builder, subset->stand_ins[own->first + k]);
  subset->stand_in_count = own->first;
  own->count = 1;
  return add_stand_in(subset, new_step) ? TNY_OK : tny_error_memory(error);
}

static enum tny_status thin_rank(struct subset *subset, uint32_t rank, struct tny_steps *out,
                                 struct tny_error *error)
{
  const uint32_t count = subset->match->schedule->ranks[rank].count;
  struct tny_builder builder;
  tny_builder_init(&builder);
  subset->stand_in_count = 0;
  subset->of = tny_new(count, sizeof *subset->of);
  subset->seen = tny_new(count, sizeof *subset->seen);
  enum tny_status status = subset->of && subset->seen ? TNY_OK : tny_error_memory(error);
  for (uint32_t i = 0; status == TNY_OK && i < count; i++)
    status = append(subset, subset->match->first[rank] + i, &builder, error);
  const enum tny_status finished = tny_builder_finish(&builder, out, error);
  tny_free(subset->of);
  tny_free(subset->seen);
  return status == TNY_OK ? finished : status;
}

/* Sets what the new schedule wants. */
static enum tny_status take_pattern(const struct tny_schedule *in,
                                    const struct tny_pattern *pattern, struct tny_schedule *out,
                                    struct tny_error *error)
{
  const enum tny_status status = tny_schedule_want_none(out, error);
  for (uint32_t sender = 0; status == TNY_OK && sender < in->rank_count; sender++) {
    for (uint32_t receiver = 0; receiver < in->rank_count; receiver++) {
      if (pattern->bytes[(size_t)sender * in->rank_count + receiver] == 0)
        continue;
      if (!tny_schedule_wants(in, sender, receiver))
        return tny_error_set(error, TNY_REFUSED,
                             "the pattern wants the block from rank %u to %u, which the schedule "
                             "leaves out",
                             sender, receiver);
      tny_schedule_want(out, sender, receiver);
    }
  }
  return status;
}

enum tny_status tny_pass_subset(const struct tny_schedule *in, const struct tny_pattern *pattern,
                                struct tny_schedule **out, struct tny_error *error)
{
  struct tny_match match;
  *out = NULL;
  if (in->rank_count != pattern->rank_count)
    return tny_error_set(error, TNY_BAD_INPUT, "the pattern is of %u ranks, the schedule of %u",
                         pattern->rank_count, in->rank_count);
  enum tny_status status = tny_match_make(in, &match, error);
  if (status != TNY_OK)
    return status;
  struct subset subset = {.match = &match, .pattern = pattern};
  status = tny_schedule_new_like(in, out, error);
  if (status == TNY_OK)
    status = take_pattern(in, pattern, *out, error);
  for (uint32_t rank = 0; status == TNY_OK && rank < in->rank_count; rank++)
    status = thin_rank(&subset, rank, &(*out)->ranks[rank], error);
  tny_free(subset.stand_ins);
  tny_match_release(&match);
  if (status != TNY_OK) {
    tny_schedule_free(*out);
    *out = NULL;
  }
  return status;
}
