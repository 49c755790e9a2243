/* A plan as text. */
#include <inttypes.h>

#include "core/alloc.h"
#include "core/units.h"
#include "plan.h"

/* What was asked for beyond the ordinary. */
static void describe_passes(const struct plan *plan, struct tny_text *text)
{
  const struct plan_options *options = plan->options;
  const struct tny_separation_report *separated = &plan->separated;
  if (options->routing)
    scene_describe_routes(&plan->scene, text);
  if (plan->pattern)
    tny_text_add(text, "pattern       %s: %" PRIu64 " of %" PRIu64 " blocks\n", options->pattern,
                 plan_pattern_blocks(plan),
                 (uint64_t)plan->problem.rank_count * plan->problem.rank_count);
  if (options->separation == TNY_SEPARATE_BARRIER)
    tny_text_add(text, "apart         every two phases, by barriers: %" PRIu64 " tokens\n",
                 separated->tokens);
  if (options->separation == TNY_SEPARATE_TOKENS)
    tny_text_add(text,
                 "apart         every two phases on a link, by %" PRIu64 " tokens and %" PRIu64
                 " waits within ranks;\n"
                 "              %" PRIu64 " of %" PRIu64 " conflicts needed neither\n",
                 separated->tokens, separated->waits, separated->redundant, separated->conflicts);
}

static enum tny_status write_summary(const struct plan *plan, const struct proof *proof,
                                     char **shown, struct tny_error *error)
{
  const struct plan_options *options = plan->options;
  const struct proof_subject subject = plan_subject(plan);
  const uint32_t ranks = plan->problem.rank_count, chunks = plan->schedule->chunk_count;
  const char *pacing = plan_pacing(plan);
  struct tny_text text = {0};
  tny_text_add(&text, "%s on %s, %" PRIu32 " rank%s, %s\n",
               tny_collective_name(options->collective), options->cluster, ranks,
               ranks == 1 ? "" : "s", scene_map_name(options->map));
  if (options->collective == TNY_BROADCAST)
    tny_text_add(&text, "root          rank %" PRIu32 "\n", plan->problem.root);
  tny_text_add(&text, "algorithm     %s (%s)\n", plan->schedule->algorithm, plan->why);
  if (plan->left_native)
    tny_text_add(&text,
                 "              the runtime would leave this call to the native collective\n");
  tny_text_add(&text, "blocks        %s in %" PRIu32 " chunk%s",
               tny_bytes_format(plan->block_bytes).text, chunks, chunks == 1 ? "" : "s");
  if (pacing)
    tny_text_add(&text, ", window %" PRIu32 " (%s)\n", plan->pace.window, pacing);
  else
    tny_text_add(&text, ", not paced\n");
  describe_passes(plan, &text);
  proof_describe(&subject, proof, &text);
  return tny_text_take(&text, shown, error);
}

static enum tny_status write_phases(const struct plan *plan, char **shown, struct tny_error *error)
{
  struct tny_text text = {0};
  struct plan_message *messages;
  uint64_t count, i = 0;
  const enum tny_status status = plan_messages(plan->schedule, &messages, &count, error);
  if (status != TNY_OK)
    return status;
  while (i < count && messages[i].phase != TNY_NONE) {
    const uint32_t phase = messages[i].phase;
    tny_text_add(&text, "phase %" PRIu32 ":", phase);
    for (; i < count && messages[i].phase == phase; i++)
      tny_text_add(&text, " %" PRIu32 ">%" PRIu32, messages[i].from, messages[i].to);
    tny_text_add(&text, "\n");
  }
  if (i < count)
    tny_text_add(&text, "%" PRIu64 " messages belong to no phase\n", count - i);
  tny_free(messages);
  return tny_text_take(&text, shown, error);
}

enum tny_status plan_write_text(const struct plan *plan, const struct proof *proof, char **shown,
                                struct tny_error *error)
{
  switch (plan->options->show) {
  case PLAN_SUMMARY:
    return write_summary(plan, proof, shown, error);
  case PLAN_PHASES:
    return write_phases(plan, shown, error);
  case PLAN_STEPS:
    break;
  }
  return tny_schedule_write(plan->schedule, shown, error);
}
