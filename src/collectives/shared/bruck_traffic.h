/* What hierarchical Bruck lets ranks send, receive and pack. */
#ifndef TOURNEY_COLLECTIVES_SHARED_BRUCK_TRAFFIC_H
#define TOURNEY_COLLECTIVES_SHARED_BRUCK_TRAFFIC_H

#include "collectives/shared/representatives.h"

/* Blocks: the most of any rank. */
struct tny_bruck_traffic {
  uint64_t sent, received; /* on all levels */
  uint64_t packed;         /* at once: what is sent by the digits of one weight */
};

/* `radix` is by level; 1 means straight: the whole way is one digit. Cost: for even levels O(levels
   * ranks), else for each rank up to twice the parts of its group. */
enum tny_status tny_bruck_traffic(const struct tny_representatives *representatives,
                                  const uint32_t *radix, struct tny_bruck_traffic *most,
                                  struct tny_error *error) TNY_MUST_CHECK;

#endif
