/* The network interfaces of this host. */
#ifndef TOURNEY_DOCTOR_INTERFACES_H
#define TOURNEY_DOCTOR_INTERFACES_H

#include <stdint.h>

#include "core/text.h"

/* Adds "host NAME interface.INTERFACE.KEY VALUE" lines for those that are up, have an IPv4 address,
   and aren't the loopback. */
void doctor_interfaces_add(struct tny_text *text, const char *name);
/* Adds up what they have dropped, and their errors. */
void doctor_interfaces_count(uint64_t *dropped, uint64_t *errors);

#endif
