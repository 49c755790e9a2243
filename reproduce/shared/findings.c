/* A list of findings that grows. */
#include "reproduce/shared/findings.h"

#include "core/alloc.h"
#include "core/error.h"

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

void tny_findings_release(struct tny_findings *findings)
{
  tny_free(findings->list);
  *findings = (struct tny_findings){0};
}
