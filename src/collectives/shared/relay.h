/* Relays: broadcasts that hand each piece from switch to switch, one message a round into each and
   one out, while a circulant graph spreads it within. What of them doesn't depend on the number of
   pieces. */
#ifndef TOURNEY_COLLECTIVES_SHARED_RELAY_H
#define TOURNEY_COLLECTIVES_SHARED_RELAY_H

#include "collectives/shared/circulant.h"

/* Ranks on one switch or one host, which get a piece a round from outside. Of three or more, the
   first two are gates: they take turns in receiving, and each has two rounds for a piece. In one it
   passes it on to the next group, in the other it feeds it to the rest. The rest are the places of
   a circulant graph whose place 0 is the gates together. The gate whose turn it isn't has the
   piece later from the rest: whoever would send to place 0 sends to it. */
struct tny_relay_group {
  uint32_t first, count; /* in the relay's order */
  uint32_t gateway;      /* a rank more, in a star: it gets all pieces from the gates, and sends all
                            that leaves the group; TNY_NONE: none */
  uint32_t begin;        /* the round of the first piece, in a row */
  uint32_t feed;         /* rounds from a piece's arrival until it is fed */
  uint32_t spare;        /* rounds from there until the other gate has it */
};

/* Groups in a row hand on to the next one. In a star, each sends to any other: their gateways are
   the places of another circulant graph, whose place 0 is the root or, if it isn't alone on its
   switch, the group of its mates. Immutable once made. */
struct tny_relay {
  uint32_t rank_count, root;
  uint32_t *order;    /* ranks: the root, then group by group */
  uint32_t *position; /* and back */
  uint32_t group_count;
  struct tny_relay_group *groups;
  bool has_mates; /* group 0 is the root's */
  bool is_star;
  uint32_t tail;          /* n pieces take n - 1 rounds and these */
  uint32_t link_messages; /* on a link in a round, at most */
};

/* Rows or star: what takes fewer rounds. Owns: *relay is the caller's (tny_relay_free), also after
   a failure. */
enum tny_status tny_relay_make(const struct tny_problem *problem, struct tny_relay **relay,
                               struct tny_error *error) TNY_MUST_CHECK;
void tny_relay_free(struct tny_relay *relay);

/* The places of a star: groups and, if the root has no mates, the root. */
static inline uint32_t tny_relay_places(const struct tny_relay *relay)
{
  return relay->group_count + !relay->has_mates;
}

/* The group at a place of a star; NULL: the root alone. */
static inline const struct tny_relay_group *tny_relay_group_at(const struct tny_relay *relay,
                                                               uint32_t place)
{
  if (place == 0 && !relay->has_mates)
    return NULL;
  return &relay->groups[relay->has_mates ? place : place - 1];
}

/* The rank that receives what comes to a group in a round of that parity, from its first on. */
static inline uint32_t tny_relay_gate(const struct tny_relay *relay,
                                      const struct tny_relay_group *group, uint32_t parity)
{
  if (group->count == 0)
    return group->gateway;
  return relay->order[group->first + (group->count > 1 ? parity % 2 : 0)];
}

/* The rank that sends what leaves a place of a star in a round of that parity. */
static inline uint32_t tny_relay_exit(const struct tny_relay *relay, uint32_t place,
                                      uint32_t parity)
{
  const struct tny_relay_group *group = tny_relay_group_at(relay, place);
  if (!group)
    return relay->root;
  return place == 0 ? tny_relay_gate(relay, group, parity) : group->gateway;
}

/* Rounds from a piece's arrival until all of the group have it, at the end of the message. */
uint32_t tny_relay_spread(const struct tny_relay_group *group);

#endif
