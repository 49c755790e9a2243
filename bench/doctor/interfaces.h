/* The network interfaces of this host, and the TCP connections of this process over them. */
#ifndef TOURNEY_PROBE_INTERFACES_H
#define TOURNEY_PROBE_INTERFACES_H

#include <stdint.h>

#include "core/text.h"

/* Adds "host NAME interface.INTERFACE.KEY VALUE" lines for those that are up, have an IPv4 address,
   and aren't the loopback. */
void probe_interfaces_add(struct tny_text *text, const char *name);
/* Adds up what they have dropped, and their errors. */
void probe_interfaces_count(uint64_t *dropped, uint64_t *errors);
/* Adds "host NAME tcp.KEY VALUE" lines for the connections of this process to other machines, as
   they are now. */
void probe_connections_add(struct tny_text *text, const char *name);

#endif
