/* A list of findings that grows. */
#include "reproduce/shared/findings.h"

#include <stdio.h>

#include "core/alloc.h"
#include "core/error.h"

struct tny_finding tny_finding_of(double value)
{
  return (struct tny_finding){
      .x = NAN, .value = value, .low = NAN, .high = NAN, .paper = NAN, .least = NAN, .most = NAN};
}

struct tny_finding tny_finding_exact(double value, double paper)
{
  struct tny_finding finding = tny_finding_of(value);
  finding.paper = finding.least = finding.most = paper;
  return finding;
}

enum tny_status tny_findings_add(struct tny_findings *findings, const struct tny_finding *finding,
                                 struct tny_error *error)
{
  if (findings->count == findings->room) {
    const size_t room = 2 * findings->room + 64;
    struct tny_finding *list = tny_resize(findings->list, room, sizeof *list);
    if (!list)
      return tny_error_memory(error);
    findings->list = list;
    findings->room = room;
  }
  findings->list[findings->count++] = *finding;
  return TNY_OK;
}

enum tny_status tny_findings_add_as(struct tny_findings *findings, const char *label,
                                    const char *series, struct tny_finding finding,
                                    struct tny_error *error)
{
  snprintf(finding.label, sizeof finding.label, "%s", label);
  snprintf(finding.series, sizeof finding.series, "%s", series);
  return tny_findings_add(findings, &finding, error);
}

void tny_findings_release(struct tny_findings *findings)
{
  tny_free(findings->list);
  *findings = (struct tny_findings){0};
}
