/* How fast streams between hosts can be that run at once over a tree of switches: fair shares. */
#ifndef TOURNEY_DISCOVER_SHARES_H
#define TOURNEY_DISCOVER_SHARES_H

#include "discover/found.h"
#include "discover/probes.h"

/* Room for shares, and the way from each switch to the first. */
struct tny_shares {
  const struct tny_discovery *found;
  uint32_t *parent, *trunk, *depth; /* by switch: the next one, over which trunk, how far */
  double *left;                     /* by direction of a cable: what isn't given away yet */
  uint32_t *users;                  /* ... and streams that wait for a part of it */
};

/* `found` has its tree; the rates may change while the shares live. Owns: by tny_shares_release,
   also after a failure. */
enum tny_status tny_shares_make(const struct tny_discovery *found, struct tny_shares *shares,
                                struct tny_error *error) TNY_MUST_CHECK;
void tny_shares_release(struct tny_shares *shares);

/* Cables are counted: those of hosts, then trunks. What all streams get together, each a fair share
   by max-min of the cables on its way; the cable `unlimited` is as fast as you like (TNY_NONE: none
   is). Sets each stream's bps. */
double tny_shares_find(struct tny_shares *shares, struct tny_stream_probe *streams, uint32_t count,
                       uint32_t unlimited);
/* How long a byte in the buffers of ports that the streams use up, but for those of one cable,
   delays a ping and its answer: in seconds. After tny_shares_find without an unlimited cable. */
double tny_shares_delay(const struct tny_shares *shares, uint32_t from, uint32_t to,
                        uint32_t cable);

#endif
