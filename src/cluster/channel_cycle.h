/* A cycle in a channel dependency graph, or among channels that wait for each other in a run, put
   in words for people. */
#ifndef TOURNEY_CLUSTER_CHANNEL_CYCLE_H
#define TOURNEY_CLUSTER_CHANNEL_CYCLE_H

#include <tourney/cluster.h>

#include "core/text.h"

struct tny_channel_cycle {
  const uint32_t *channels; /* each waits for the next one, the last for the first */
  uint32_t length;
  void (*add_name)(struct tny_text *text, const void *of, uint32_t channel); /* a channel's name */
  const void *of; /* what it is called with */
};

/* Adds "s0 -> s1"; of parallel cables, "s0 -> s1#1" is the second. */
void tny_link_add_name(struct tny_text *text, const struct tny_cluster *cluster, uint32_t link);
/* Returns TNY_BROKEN with the text "`what` in a cycle: ..." and the cycle, shortened where it is
   long. *whole (may be NULL) gets all of it, a line a channel. Owns: *whole is the caller's, to be
   freed by tny_text_free; after TNY_NO_MEMORY there is none. */
enum tny_status tny_channel_cycle_refuse(const struct tny_channel_cycle *cycle, const char *what,
                                         char **whole, struct tny_error *error) TNY_MUST_CHECK;

#endif
