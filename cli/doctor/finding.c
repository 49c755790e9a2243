/* Filling in what a rule finds. */
#include "finding.h"

#include <stdarg.h>

#include "core/alloc.h"

void doctor_see(struct doctor_finding *finding, uint32_t host, const char *format, ...)
{
  if (finding->seen_count == finding->seen_room) {
    const uint32_t room = finding->seen_room ? 2 * finding->seen_room : 16;
    struct doctor_seen *seen = tny_resize(finding->seen, room, sizeof *seen);
    finding->failed |= !seen;
    if (!seen)
      return;
    finding->seen = seen;
    finding->seen_room = room;
  }
  struct doctor_seen *seen = &finding->seen[finding->seen_count++];
  va_list arguments;
  seen->host = host;
  va_start(arguments, format);
  vsnprintf(seen->text, sizeof seen->text, format, arguments);
  va_end(arguments);
}

void doctor_argue(struct doctor_finding *finding, int index, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(finding->arguments[index], sizeof finding->arguments[index], format, arguments);
  va_end(arguments);
}

enum doctor_verdict doctor_unknown(struct doctor_finding *finding, const char *reason)
{
  finding->reason = reason;
  return DOCTOR_UNKNOWN;
}

enum doctor_verdict doctor_verdict_of(const struct doctor_finding *finding)
{
  return finding->seen_count ? DOCTOR_FOUND : DOCTOR_ABSENT;
}

enum doctor_verdict
doctor_check_hosts(const struct doctor_facts *facts, struct doctor_finding *finding,
                   const char *key, bool (*fits)(const struct doctor_host *host, const char *value))
{
  bool known = false;
  for (uint32_t h = 0; h < facts->hosts.count; h++) {
    const char *value = doctor_fact(&facts->hosts.at[h], key);
    known |= value != NULL;
    if (value && fits(&facts->hosts.at[h], value))
      doctor_see(finding, h, "%s = %s", key, value);
  }
  return known ? doctor_verdict_of(finding) : doctor_unknown(finding, "no host says it");
}
