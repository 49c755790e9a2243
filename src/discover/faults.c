/* Kinds of faults, their list, their texts. */
#include "discover/faults.h"

#include <stdio.h>

#include "core/alloc.h"

const char *tny_fault_kind_name(enum tny_fault_kind kind)
{
  switch (kind) {
  case TNY_FAULT_STRANGER:
    return "stranger";
  case TNY_FAULT_MISSING:
    return "missing";
  case TNY_FAULT_MISCABLED:
    return "miscabled";
  case TNY_FAULT_HOST_RATE:
    return "host-rate";
  case TNY_FAULT_TRUNK_RATE:
    return "trunk-rate";
  case TNY_FAULT_NO_TRUNK:
    return "no-trunk";
  case TNY_FAULT_NEW_TRUNK:
    return "new-trunk";
  }
  return "";
}

void tny_faults_release(struct tny_faults *faults)
{
  tny_free(faults->at);
  *faults = (struct tny_faults){0};
}

struct tny_fault *tny_faults_add(struct tny_faults *faults, enum tny_fault_kind kind)
{
  if (faults->count == faults->room) {
    const uint32_t room = faults->room ? 2 * faults->room : 16;
    struct tny_fault *more = tny_new(room, sizeof *more);
    if (!more)
      return NULL;
    for (uint32_t i = 0; i < faults->count; i++)
      more[i] = faults->at[i];
    tny_free(faults->at);
    faults->at = more;
    faults->room = room;
  }
  struct tny_fault *fault = &faults->at[faults->count++];
  fault->kind = kind;
  return fault;
}

bool tny_faults_add_host(struct tny_faults *faults, enum tny_fault_kind kind, const char *host,
                         const char *text)
{
  struct tny_fault *fault = tny_faults_add(faults, kind);
  if (!fault)
    return false;
  snprintf(fault->what, sizeof fault->what, "%s", host);
  snprintf(fault->text, sizeof fault->text, "%s %s", host, text);
  return true;
}

struct tny_quantity tny_faults_rate(double bps)
{
  return tny_bandwidth_format(tny_discovered_rounded(bps));
}
