/* A plan as text: the summary, the phases as a program reads them, and --summary-csv. */
#include <inttypes.h>

#include "cli/shared/csv.h"
#include "cli/shared/options.h"
#include "cli/shared/proof/certificate.h"
#include "core/alloc.h"
#include "core/units.h"
#include "show.h"

/* What was asked for: routing, also by the cluster, pattern, separation. */
static void describe_passes(const struct plan *plan, struct tny_text *text)
{
  const struct plan_request *request = plan->request;
  const struct tny_separation_report *separated = &plan->separated;
  if (plan->mapping.is_routing_asked)
    mapping_describe_routes(&plan->mapping, text);
  if (plan->pattern)
    tny_text_add(text, "pattern       %s: %" PRIu64 " of %" PRIu64 " blocks\n", request->pattern,
                 plan_pattern_blocks(plan),
                 (uint64_t)plan->problem.rank_count * plan->problem.rank_count);
  if (request->separation == TNY_SEPARATE_BARRIER)
    tny_text_add(text, "apart         every two phases, by barriers: %" PRIu64 " tokens\n",
                 separated->tokens);
  if (request->separation == TNY_SEPARATE_TOKENS)
    tny_text_add(text,
                 "apart         every two phases on a link, by %" PRIu64 " tokens and %" PRIu64
                 " waits within ranks;\n"
                 "              %" PRIu64 " of %" PRIu64 " conflicts needed neither\n",
                 separated->tokens, separated->waits, separated->redundant, separated->conflicts);
}

/* Rounded up to whole units. */
static struct tny_quantity about(uint64_t bytes)
{
  const uint64_t unit = bytes >= 1 << 20 ? 1 << 20 : bytes >= 1 << 10 ? 1 << 10 : 1;
  return tny_bytes_format((bytes + unit - 1) / unit * unit);
}

/* What a rank takes beside the program's buffers. */
static void describe_memory(const struct plan *plan, struct tny_text *text)
{
  const struct tny_footprint *footprint = &plan->footprint;
  if (footprint->scratch_bytes)
    tny_text_add(text, "memory        %s of scratch space a rank",
                 about(footprint->scratch_bytes).text);
  else
    tny_text_add(text, "memory        no scratch space");
  if (footprint->in_place_bytes)
    tny_text_add(text, "; %s more in place", about(footprint->in_place_bytes).text);
  tny_text_add(text, "\n");
}

static enum tny_status write_summary(const struct plan *plan, bool all_links, char **shown,
                                     struct tny_error *error)
{
  const struct plan_request *request = plan->request;
  struct proof_subject subject = plan_subject(plan);
  const uint32_t ranks = plan->problem.rank_count;
  struct tny_text text = {0};
  subject.all_links = all_links;
  tny_text_add(&text, "%s on %s, %" PRIu32 " rank%s, %s\n",
               tny_collective_name(request->collective), request->cluster, ranks,
               ranks == 1 ? "" : "s", cli_map_name(request->map));
  if (tny_collective_has_root(request->collective))
    tny_text_add(&text, "root          rank %" PRIu32 "\n", plan->problem.root);
  plan_candidates_describe(plan, &text);
  plan_blocks_describe(plan, &text);
  describe_memory(plan, &text);
  describe_passes(plan, &text);
  proof_describe(&subject, &plan->proof, &text);
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

enum tny_status plan_write_text(const struct plan *plan, const struct plan_options *options,
                                char **shown, struct tny_error *error)
{
  switch (options->show) {
  case PLAN_PHASES:
    return write_phases(plan, shown, error);
  case PLAN_TABLE:
    return plan_write_table(plan, shown, error);
  case PLAN_BUDGETS:
    return plan_write_budgets(plan, options, shown, error);
  case PLAN_PICTURE:
    return plan_write_picture(plan, options, shown, error);
  case PLAN_STEPS:
    return tny_schedule_write(plan->schedule, shown, error);
  case PLAN_SUMMARY:
    break;
  }
  return write_summary(plan, options->all_links, shown, error);
}

enum tny_status plan_write_csv(const struct plan *plan, char **shown, struct tny_error *error)
{
  const struct certificate *certificate = &plan->proof.certificate;
  struct tny_text text = {0};
  tny_text_add(&text, "cluster,collective,algorithm,phases,bound,gap_percent,plan_ms,verify_ms\n");
  csv_add_quoted(&text, plan->request->cluster);
  tny_text_add(&text, ",%s,%s,%s,%s,%.2f,%.3f,%.3f\n",
               tny_collective_name(plan->request->collective), plan->schedule->algorithm,
               certificate_count(certificate->taken).text,
               certificate_count(certificate->least).text, certificate->gap_percent,
               1e3 * plan->plan_seconds, 1e3 * plan->verify_seconds);
  return tny_text_take(&text, shown, error);
}
