/* What a host says about itself: files under /proc and /sys, its network interfaces, and the TCP
   connections that this process has. Each fact is a key and a value, as docs/doctor.md lists them.
   Nothing here needs a privilege or another program; what a host doesn't have isn't said. */
#ifndef TOURNEY_PROBE_HOST_H
#define TOURNEY_PROBE_HOST_H

#include <stdint.h>

#include "core/text.h"

/* Adds "host NAME KEY VALUE" lines. */
void probe_host_add(struct tny_text *text, const char *name);
/* The processors that this process may use, as in "0-3,8". */
void probe_processors(char *list, size_t room);

/* What the host's network has lost so far. Segments that were sent again although they had arrived
   aren't lost; the receiver says so (duplicate SACK). */
struct probe_losses {
  uint64_t segments, sent_again, in_vain, timeouts; /* of TCP; timeouts: retransmission timers */
  uint64_t dropped, errors;                         /* of all interfaces but the loopback */
};
struct probe_losses probe_losses_now(void);
/* The segments that were lost between these two. */
uint64_t probe_lost_between(const struct probe_losses *before, const struct probe_losses *after);

#endif
