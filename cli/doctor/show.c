/* Findings as text, JSON and CSV. What was seen alike on several hosts is said once. */
#include "show.h"

#include <inttypes.h>

#include "cli/shared/csv.h"
#include "cli/shared/json.h"
#include "cli/shared/words.h"
#include "core/alloc.h"
#include "core/error.h"
#include "core/hostlist.h"
#include "core/units.h"

#define LINE_COLUMNS 96
#define LABEL_COLUMNS 10
#define SEEN_MAX 8 /* different things that the text shows; JSON and CSV have all */

static const char *severity_name(enum doctor_severity severity)
{
  return severity == DOCTOR_WARNING ? "warning" : "advice";
}

uint32_t doctor_count(const struct doctor_finding *findings, enum doctor_verdict verdict)
{
  uint32_t count = 0;
  for (uint32_t i = 0; i < doctor_rule_count; i++)
    count += findings[i].verdict == verdict;
  return count;
}

/* --- parts --- */

/* Whether this host was seen before the entry `until`. */
static bool is_named(const struct doctor_finding *finding, uint32_t until, uint32_t host)
{
  for (uint32_t i = 0; i < until; i++)
    if (finding->seen[i].host == host)
      return true;
  return false;
}

/* The hosts that it was seen on, each once. */
static void add_hosts(struct tny_text *text, const struct doctor_facts *facts,
                      const struct doctor_finding *finding)
{
  bool any = false;
  for (uint32_t i = 0; i < finding->seen_count; i++) {
    const uint32_t host = finding->seen[i].host;
    if (host == TNY_NONE || is_named(finding, i, host))
      continue;
    tny_text_add(text, "%s%s", any ? " " : "", facts->hosts.at[host].name);
    any = true;
  }
}

static bool is_repeated(const struct doctor_finding *finding, uint32_t index)
{
  for (uint32_t i = 0; i < index; i++)
    if (!strcmp(finding->seen[i].text, finding->seen[index].text))
      return true;
  return false;
}

/* ", on h[0-7]": the hosts on which the same was seen. */
static void add_places(struct tny_text *text, const struct doctor_facts *facts,
                       const struct doctor_finding *finding, uint32_t first)
{
  const char **names = tny_new(finding->seen_count, sizeof *names);
  uint32_t count = 0;
  text->failed |= !names;
  for (uint32_t i = first; names && i < finding->seen_count; i++)
    if (finding->seen[i].host != TNY_NONE &&
        !strcmp(finding->seen[i].text, finding->seen[first].text))
      names[count++] = facts->hosts.at[finding->seen[i].host].name;
  if (count) {
    tny_text_add(text, ", on ");
    tny_hostlist_fold(text, names, count);
  }
  tny_free(names);
}

/* "what, on where; what, on where" */
static void add_evidence(struct tny_text *text, const struct doctor_facts *facts,
                         const struct doctor_finding *finding, uint32_t most)
{
  uint32_t shown = 0, more = 0;
  for (uint32_t i = 0; i < finding->seen_count; i++) {
    if (is_repeated(finding, i))
      continue;
    if (shown == most) {
      more++;
      continue;
    }
    tny_text_add(text, "%s%s", shown++ ? "; " : "", finding->seen[i].text);
    add_places(text, facts, finding, i);
  }
  if (more)
    tny_text_add(text, "; and %" PRIu32 " more", more);
}

/* A rule's text with what stands in braces filled in. */
static void add_filled(struct tny_text *text, const char *template,
                       const struct doctor_facts *facts, const struct doctor_finding *finding)
{
  for (const char *at = template; *at;) {
    if (!strncmp(at, "{hosts}", 7)) {
      add_hosts(text, facts, finding);
      at += 7;
    } else if (!strncmp(at, "{lab}", 5)) {
      if (facts->lab && strcmp(facts->lab, "lab"))
        tny_text_add(text, " --name %s", facts->lab);
      at += 5;
    } else if (*at == '{' && at[1] >= '1' && at[1] <= '3' && at[2] == '}') {
      tny_text_add(text, "%s", finding->arguments[at[1] - '1']);
      at += 3;
    } else {
      tny_text_add(text, "%c", *at++);
    }
  }
}

static void add_command(struct tny_text *text, const struct doctor_facts *facts,
                        const struct doctor_finding *finding)
{
  const struct doctor_rule *rule = finding->rule;
  const bool in_lab = facts->lab && rule->lab_command;
  add_filled(text, in_lab ? rule->lab_command : rule->command, facts, finding);
}

/* --- for people --- */

/* Adds words in lines of LINE_COLUMNS, all behind a label's column. */
static void add_wrapped(struct tny_text *text, const char *label, const char *words)
{
  size_t column = LABEL_COLUMNS;
  tny_text_add(text, "  %-*s", LABEL_COLUMNS - 2, label);
  for (const char *at = words; *at;) {
    const size_t length = strcspn(at, " ");
    const bool first = column == LABEL_COLUMNS;
    if (!first && column + 1 + length > LINE_COLUMNS) {
      tny_text_add(text, "\n%*s", LABEL_COLUMNS, "");
      column = LABEL_COLUMNS;
    } else if (!first) {
      tny_text_add(text, " ");
      column++;
    }
    tny_text_add(text, "%.*s", (int)length, at);
    column += length;
    at += length + (at[length] == ' ');
  }
  tny_text_add(text, "\n");
}

static void add_finding(struct tny_text *text, const struct doctor_facts *facts,
                        const struct doctor_finding *finding)
{
  const struct doctor_rule *rule = finding->rule;
  struct tny_text evidence = {0}, command = {0};
  add_evidence(&evidence, facts, finding, SEEN_MAX);
  add_command(&command, facts, finding);
  text->failed |= evidence.failed || command.failed;
  tny_text_add(text, "%s: %s [%s]\n", severity_name(rule->severity), rule->title, rule->id);
  if (!text->failed) {
    add_wrapped(text, "seen", evidence.bytes);
    add_wrapped(text, "costs", rule->cost);
    /* not broken into lines: it's to be copied */
    tny_text_add(text, "  change  %s\n\n", command.bytes);
  }
  tny_text_release(&evidence);
  tny_text_release(&command);
}

/* What the ports and the hosts lost in one all-to-all. */
static void add_exchange(struct tny_text *text, const struct doctor_facts *facts,
                         enum doctor_variant variant)
{
  const struct doctor_exchange *exchange = &facts->exchanges[variant];
  uint64_t lost = 0, timeouts = 0, dropped = 0;
  for (uint32_t h = 0; h < facts->hosts.count; h++) {
    lost += facts->hosts.at[h].losses[variant].lost;
    timeouts += facts->hosts.at[h].losses[variant].timeouts;
  }
  for (uint32_t i = 0; i < facts->ports.count; i++)
    dropped += facts->ports.at[i].dropped[variant];
  tny_text_add(text, "  %-8s %8.1f ms (%s), %" PRIu64 " segments lost, %" PRIu64 " time-outs",
               variant == DOCTOR_PLANNED ? "planned" : "native", 1e3 * exchange->seconds,
               exchange->algorithm, lost, timeouts);
  if (facts->lab)
    tny_text_add(text, ", %" PRIu64 " packets dropped by ports", dropped);
  tny_text_add(text, "\n");
}

static void add_exchanges(struct tny_text *text, const struct doctor_facts *facts)
{
  if (facts->exchanges[DOCTOR_PLANNED].seconds <= 0)
    return;
  tny_text_add(text, "all-to-all of %s, three calls each, the shortest:\n",
               tny_bytes_format((uint64_t)facts->exchanges[DOCTOR_PLANNED].bytes).text);
  add_exchange(text, facts, DOCTOR_PLANNED);
  if (facts->exchanges[DOCTOR_NATIVE].seconds > 0)
    add_exchange(text, facts, DOCTOR_NATIVE);
  tny_text_add(text, "\n");
}

static void add_list(struct tny_text *text, const struct doctor_finding *findings,
                     enum doctor_verdict verdict)
{
  for (uint32_t i = 0; i < doctor_rule_count; i++) {
    if (findings[i].verdict != verdict)
      continue;
    const struct doctor_rule *rule = findings[i].rule;
    tny_text_add(text, "  %-20s %s\n", rule->id,
                 verdict == DOCTOR_UNKNOWN ? findings[i].reason : rule->checked);
  }
}

static void add_text(struct tny_text *text, const struct doctor_facts *facts,
                     const struct doctor_finding *findings)
{
  const uint32_t found = doctor_count(findings, DOCTOR_FOUND);
  const uint32_t absent = doctor_count(findings, DOCTOR_ABSENT);
  const uint32_t unknown = doctor_count(findings, DOCTOR_UNKNOWN);
  for (uint32_t i = 0; i < doctor_rule_count; i++)
    if (findings[i].verdict == DOCTOR_FOUND)
      add_finding(text, facts, &findings[i]);
  add_exchanges(text, facts);
  if (found)
    tny_text_add(text, "%" PRIu32 " finding%s\n", found, plural(found));
  else
    tny_text_add(text, "nothing found\n");
  if (absent) {
    tny_text_add(text, "\nchecked, and nothing found:\n");
    add_list(text, findings, DOCTOR_ABSENT);
  }
  if (unknown) {
    tny_text_add(text, "\nnot checked:\n");
    add_list(text, findings, DOCTOR_UNKNOWN);
  }
}

/* --- for programs --- */

static json_t *json_text(struct tny_text *text)
{
  json_t *value = text->failed ? NULL : json_string(text->bytes ? text->bytes : "");
  tny_text_release(text);
  return value;
}

static json_t *json_finding(const struct doctor_facts *facts, const struct doctor_finding *finding)
{
  struct tny_text evidence = {0}, command = {0};
  json_t *hosts = json_array();
  add_evidence(&evidence, facts, finding, UINT32_MAX);
  add_command(&command, facts, finding);
  for (uint32_t i = 0; i < finding->seen_count; i++) {
    const uint32_t host = finding->seen[i].host;
    if (host != TNY_NONE && !is_named(finding, i, host))
      json_add(&hosts, json_string(facts->hosts.at[host].name));
  }
  return json_pack("{s:s, s:s, s:s, s:o, s:o, s:s, s:o}", "id", finding->rule->id, "severity",
                   severity_name(finding->rule->severity), "what", finding->rule->title, "evidence",
                   json_text(&evidence), "hosts", hosts, "cost", finding->rule->cost, "command",
                   json_text(&command));
}

static json_t *json_exchange(const struct doctor_exchange *exchange)
{
  if (exchange->seconds <= 0)
    return json_null();
  return json_pack("{s:I, s:f, s:s}", "block_bytes", (json_int_t)exchange->bytes, "seconds",
                   exchange->seconds, "algorithm", exchange->algorithm);
}

static enum tny_status write_json(const struct doctor_facts *facts,
                                  const struct doctor_finding *findings, char **shown,
                                  struct tny_error *error)
{
  json_t *found = json_array(), *absent = json_array(), *unknown = json_array();
  for (uint32_t i = 0; i < doctor_rule_count; i++) {
    const char *id = findings[i].rule->id;
    if (findings[i].verdict == DOCTOR_FOUND)
      json_add(&found, json_finding(facts, &findings[i]));
    else if (findings[i].verdict == DOCTOR_ABSENT)
      json_add(&absent, json_string(id));
    else
      json_add(&unknown, json_pack("{s:s, s:s}", "id", id, "reason", findings[i].reason));
  }
  json_t *root = json_pack("{s:s?, s:s?, s:i, s:i, s:o, s:o, s:o, s:{s:o, s:o}}", "cluster",
                           facts->cluster ? facts->cluster->name : NULL, "lab", facts->lab, "hosts",
                           (int)facts->hosts.count, "ranks", (int)facts->rank_count, "findings",
                           found, "checked", absent, "not_checked", unknown, "exchange", "planned",
                           json_exchange(&facts->exchanges[DOCTOR_PLANNED]), "native",
                           json_exchange(&facts->exchanges[DOCTOR_NATIVE]));
  return json_take(root, shown, error);
}

static void add_csv(struct tny_text *text, const struct doctor_facts *facts,
                    const struct doctor_finding *findings)
{
  tny_text_add(text, "id,severity,what,hosts,evidence,cost,command\n");
  for (uint32_t i = 0; i < doctor_rule_count; i++) {
    struct tny_text hosts = {0}, evidence = {0}, command = {0};
    if (findings[i].verdict != DOCTOR_FOUND)
      continue;
    add_hosts(&hosts, facts, &findings[i]);
    add_evidence(&evidence, facts, &findings[i], UINT32_MAX);
    add_command(&command, facts, &findings[i]);
    text->failed |= hosts.failed || evidence.failed || command.failed;
    const char *const fields[] = {findings[i].rule->id,
                                  severity_name(findings[i].rule->severity),
                                  findings[i].rule->title,
                                  hosts.bytes,
                                  evidence.bytes,
                                  findings[i].rule->cost,
                                  command.bytes};
    const size_t count = sizeof fields / sizeof *fields;
    for (size_t f = 0; f < count; f++) {
      csv_add_field(text, fields[f] ? fields[f] : "");
      tny_text_add(text, f + 1 < count ? "," : "\n");
    }
    tny_text_release(&hosts);
    tny_text_release(&evidence);
    tny_text_release(&command);
  }
}

enum tny_status doctor_show(const struct doctor_facts *facts, const struct doctor_finding *findings,
                            enum cli_format format, char **shown, struct tny_error *error)
{
  struct tny_text text = {0};
  *shown = NULL;
  if (format == CLI_JSON)
    return write_json(facts, findings, shown, error);
  if (format == CLI_CSV)
    add_csv(&text, facts, findings);
  else
    add_text(&text, facts, findings);
  const enum tny_status status = tny_text_take(&text, shown, error);
  tny_text_release(&text);
  return status;
}

enum tny_status doctor_show_rules(char **shown, struct tny_error *error)
{
  struct tny_text text = {0};
  for (uint32_t i = 0; i < doctor_rule_count; i++)
    tny_text_add(&text, "%-20s %-8s %s\n", doctor_rules[i].id,
                 severity_name(doctor_rules[i].severity), doctor_rules[i].title);
  return tny_text_take(&text, shown, error);
}
