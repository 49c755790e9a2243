/* What hwloc's XML tells of a host: what it is called, by itself and by its network ports, and what
   its network cards' slots pass on. Units: bit/s. */
#ifndef TOURNEY_IMPORT_HWLOC_H
#define TOURNEY_IMPORT_HWLOC_H

#include <tourney/import.h>

#include "core/hostlist.h"
#include "core/text.h"

struct tny_hwloc_host {
  char name[TNY_NAME_BYTES_MAX + 1]; /* HostName; where it isn't told, the file's without ending */
  unsigned line;                     /* that tells it; 0: the file's name does */
  struct tny_text ports; /* what networks call it that don't know its name, with a space behind
                            each: "H-" and the GUID of an adapter, the address of an interface */
  uint64_t slots_bps;    /* what all slots together pass on, in each direction; 0: not known */
};

/* Reads a file; of the interfaces that the import names only these count, if the host has some of
   them. Storage is the caller's, to be released whatever the outcome. */
enum tny_status tny_hwloc_load(const struct tny_import_request *import,
                               const struct tny_import_file *file, struct tny_hwloc_host *host,
                               struct tny_error *error) TNY_MUST_CHECK;
void tny_hwloc_release(struct tny_hwloc_host *host);

#endif
