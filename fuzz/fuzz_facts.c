/* Fuzz target: the input as facts of tourney doctor. What is read is judged by every rule, with a
   cluster and without, and each finding has something that was seen. */
#include "fuzz_support.h"

#include <tourney/cluster.h>

#include "cli/doctor/rules.h"
#include "core/alloc.h"

static void judge(const struct doctor_facts *facts)
{
  struct doctor_finding *findings = tny_new(doctor_rule_count, sizeof *findings);
  require(findings && doctor_judge(facts, findings, NULL) == TNY_OK);
  for (uint32_t i = 0; i < doctor_rule_count; i++) {
    require(findings[i].verdict != DOCTOR_FOUND || findings[i].seen_count > 0);
    require(findings[i].verdict != DOCTOR_UNKNOWN || findings[i].reason);
  }
  doctor_findings_release(findings);
  tny_free(findings);
}

static void read_and_judge(const char *text, const struct tny_cluster *cluster)
{
  char line[256];
  struct doctor_facts facts;
  enum tny_status status = doctor_facts_init(&facts, cluster, NULL);
  require(status == TNY_OK);
  for (const char *at = text; status == TNY_OK && *at;) {
    bool known;
    const size_t length = strcspn(at, "\n");
    snprintf(line, sizeof line, "%.*s", (int)(length < sizeof line ? length : 0), at);
    status = doctor_facts_read(&facts, line, &known, NULL);
    at += length + (at[length] == '\n');
  }
  judge(&facts);
  doctor_facts_release(&facts);
}

static void fuzz(const char *text)
{
  struct tny_cluster *cluster;
  require(tny_cluster_generate("switches:2+2", &cluster, NULL) == TNY_OK);
  read_and_judge(text, cluster);
  read_and_judge(text, NULL);
  tny_cluster_free(cluster);
}
