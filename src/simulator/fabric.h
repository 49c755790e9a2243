/* The network's switches and links, cycle by cycle: what is handed in at a host comes out at
   another. What is handed in, and what its arrival brings about, is up to hosts.c and load.c. */
#ifndef TOURNEY_SIMULATOR_FABRIC_H
#define TOURNEY_SIMULATOR_FABRIC_H

#include "simulator/packet.h"

struct tny_fabric;

enum tny_status tny_fabric_new(const struct tny_network_model *model, struct tny_fabric **fabric,
                               struct tny_error *error) TNY_MUST_CHECK;
void tny_fabric_free(struct tny_fabric *fabric);
/* Announces that such a packet will be handed in (synchronizing switches count them). */
enum tny_status tny_fabric_expect(struct tny_fabric *fabric, const struct tny_packet *packet,
                                  struct tny_error *error) TNY_MUST_CHECK;
/* Hands a packet in at its host, behind those there; with several ports, at the next free one. */
enum tny_status tny_fabric_send(struct tny_fabric *fabric, const struct tny_packet *packet,
                                struct tny_error *error) TNY_MUST_CHECK;
/* The cycles from when a packet is handed in until its tail is taken, if nothing else is in the
   network. */
uint64_t tny_fabric_empty_cycles(const struct tny_fabric *fabric, const struct tny_packet *packet);
/* Does cycles until one has events, or until the cycle `until` is done or nothing is under way any
   more; the cycle that was done last is then tny_fabric_cycle (0 before the first, which is 1).
   Errors: TNY_BROKEN where what is under way can never move again; *deadlock as in tny_simulate.
   Where messages wait for their phase, others may still be handed in that they wait for: then only
   with UINT64_MAX. */
enum tny_status tny_fabric_run(struct tny_fabric *fabric, uint64_t until,
                               struct tny_fabric_events *events, char **deadlock,
                               struct tny_error *error) TNY_MUST_CHECK;
/* True where nothing moves any more unless something is handed in. */
bool tny_fabric_is_still(const struct tny_fabric *fabric);
uint64_t tny_fabric_cycle(const struct tny_fabric *fabric);
/* Makes `cycle` the next cycle. Nothing may be under way. */
void tny_fabric_jump(struct tny_fabric *fabric, uint64_t cycle);
bool tny_fabric_is_empty(const struct tny_fabric *fabric);
/* By link, all flits so far; borrowed. */
const uint64_t *tny_fabric_link_flits(const struct tny_fabric *fabric);

#endif
