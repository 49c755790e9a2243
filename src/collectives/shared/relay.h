/* Relays: broadcasts that hand each piece on from switch to switch, one message a round into each
   switch and one out of it, while a circulant graph spreads the pieces within. Here is the part
   that doesn't depend on the number of pieces. */
#ifndef TOURNEY_COLLECTIVES_SHARED_RELAY_H
#define TOURNEY_COLLECTIVES_SHARED_RELAY_H

#include "collectives/shared/circulant.h"

/* A group: the ranks on one switch or one host, which get one piece a round from outside.

   In a group of three or more, the first two ranks are its gates. They take turns in receiving, so
   each gate has two rounds for a piece: in one it passes the piece on to the next group, in the
   other it feeds it to the rest. The rest are the vertices of a circulant graph whose vertex 0 is
   the two gates together. The gate that didn't receive a piece gets it later from the rest: a
   vertex that would send to vertex 0 sends to that gate. */
struct tny_relay_group {
  uint32_t first, count; /* in the relay's order */
  uint32_t gateway;      /* in a star, one more rank: it gets all pieces from the gates, and sends
                            all that leaves the group; TNY_NONE: none */
  uint32_t begin;        /* the round of the first piece, in a row */
  uint32_t feed;         /* rounds from a piece's arrival until it is fed */
  uint32_t spare;        /* rounds from there until the other gate has it */
};

/* In a row, each group hands on to the next one. In a star, each group sends to any other: the
   gateways are the vertices of another circulant graph. Its vertex 0 is the root or, if other ranks
   are on the root's switch, their group. Immutable once made. */
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

/* Makes a row or a star, whichever takes fewer rounds. Owns: *relay is the caller's
   (tny_relay_free), also after a failure. */
enum tny_status tny_relay_make(const struct tny_problem *problem, struct tny_relay **relay,
                               struct tny_error *error) TNY_MUST_CHECK;
void tny_relay_free(struct tny_relay *relay);

/* The number of vertices of a star: its groups and, if the root has no mates, the root. */
static inline uint32_t tny_relay_vertex_count(const struct tny_relay *relay)
{
  return relay->group_count + !relay->has_mates;
}

/* The group at a vertex of a star; NULL: the root alone. */
static inline const struct tny_relay_group *tny_relay_group_at(const struct tny_relay *relay,
                                                               uint32_t vertex)
{
  if (vertex == 0 && !relay->has_mates)
    return NULL;
  return &relay->groups[relay->has_mates ? vertex : vertex - 1];
}

/* The rank that receives what comes to a group in a round of that parity, from its first on. */
static inline uint32_t tny_relay_gate(const struct tny_relay *relay,
                                      const struct tny_relay_group *group, uint32_t parity)
{
  if (group->count == 0)
    return group->gateway;
  return relay->order[group->first + (group->count > 1 ? parity % 2 : 0)];
}

/* The rank that sends what leaves a vertex of a star in a round of that parity. */
static inline uint32_t tny_relay_exit(const struct tny_relay *relay, uint32_t vertex,
                                      uint32_t parity)
{
  const struct tny_relay_group *group = tny_relay_group_at(relay, vertex);
  if (!group)
    return relay->root;
  return vertex == 0 ? tny_relay_gate(relay, group, parity) : group->gateway;
}

/* Rounds from a piece's arrival until all of the group have it, at the end of the message. */
uint32_t tny_relay_spread(const struct tny_relay_group *group);

#endif
