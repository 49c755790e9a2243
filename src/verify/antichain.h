/* The most messages of a set of which none must be received before another is sent. */
#ifndef TOURNEY_VERIFY_ANTICHAIN_H
#define TOURNEY_VERIFY_ANTICHAIN_H

#include "verify/follow.h"

/* Exact, by Dilworth's theorem: messages less the largest matching of messages with ones that come
   after them. `sends` are `count` ids, ascending.
   Cost: about count * (ranks that send some), times the few rounds that the matching takes. */
enum tny_status tny_antichain_count(const struct tny_follow *follow, const uint32_t *sends,
                                    uint32_t count, uint32_t *largest,
                                    struct tny_error *error) TNY_MUST_CHECK;

#endif
