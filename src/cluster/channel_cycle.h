/* Circles of channels that wait for each other, for people. */
#ifndef TOURNEY_CLUSTER_CHANNEL_CYCLE_H
#define TOURNEY_CLUSTER_CHANNEL_CYCLE_H

#include <tourney/cluster.h>

#include "core/text.h"

struct tny_channel_circle {
  const uint32_t *channels; /* each waits for the next one, the last for the first */
  uint32_t length;
  void (*add)(struct tny_text *text, const void *of, uint32_t channel); /* a channel's name */
  const void *of;
};

/* Adds "s0 -> s1"; of parallel cables, "s0 -> s1#1" is the second. */
void tny_link_add_name(struct tny_text *text, const struct tny_cluster *cluster, uint32_t link);
/* Writes the circle: *shown is a line for an error, shortened where the circle is long; *whole (may
   be NULL) is all of it, a line a channel. Owns: both by tny_text_free; after an error there is
   neither. */
enum tny_status tny_channel_circle_tell(const struct tny_channel_circle *circle, char **shown,
                                        char **whole, struct tny_error *error) TNY_MUST_CHECK;

#endif
