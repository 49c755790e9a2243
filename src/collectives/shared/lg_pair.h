/* Two zones, and which of their nodes exchange which blocks. The smaller zone, C1 of the paper, has
   n1 nodes (of equal ones, the first is C1); C2 has n2. Node j of C2 exchanges one message with
   node (j + rotation) mod n1 of C1: from C1 come all its nodes' blocks for node j, from C2 the
   blocks of j's group for that node of C1. Nodes of a zone count from 0.

   C2 is divided in groups of n1 nodes, one node for each node of C1; the last group also has the
   rest of n2 / n1. Within a group, each of the first n1 nodes represents these n1 nodes towards its
   partner. It represents the rest as well, unless a node of the rest has the same partner: then
   that one does. */
#ifndef TOURNEY_COLLECTIVES_SHARED_LG_PAIR_H
#define TOURNEY_COLLECTIVES_SHARED_LG_PAIR_H

#include <stdbool.h>
#include <stdint.h>

struct tny_lg_pair {
  uint32_t small, large; /* zones */
  uint32_t n1, n2;
  uint32_t rotation; /* below n1 */
};

/* Nodes of C2: first .. first + count - 1. */
struct tny_lg_nodes {
  uint32_t first, count;
};

/* Nodes in C2's last, partial group. */
static inline uint32_t tny_lg_pair_rest(const struct tny_lg_pair *pair)
{
  return pair->n2 % pair->n1;
}

/* Messages that a node of C1 has for C2 at most: the paper's [n2/n1]. */
static inline uint32_t tny_lg_pair_crossings(const struct tny_lg_pair *pair)
{
  return pair->n2 / pair->n1 + (tny_lg_pair_rest(pair) != 0);
}

/* The partner in C1 of a node of C2. */
static inline uint32_t tny_lg_pair_partner(const struct tny_lg_pair *pair, uint32_t node)
{
  return (node + pair->rotation) % pair->n1;
}

/* The first node of C2 whose partner is that node of C1; the others follow n1 apart. */
static inline uint32_t tny_lg_pair_first(const struct tny_lg_pair *pair, uint32_t node)
{
  return (node + pair->n1 - pair->rotation) % pair->n1;
}

static inline struct tny_lg_nodes tny_lg_pair_group(const struct tny_lg_pair *pair, uint32_t node)
{
  const uint32_t n1 = pair->n1, last = pair->n2 / n1 - 1;
  const uint32_t group = node / n1 < last ? node / n1 : last;
  return (struct tny_lg_nodes){group * n1, n1 + (group == last ? tny_lg_pair_rest(pair) : 0)};
}

/* The nodes of C2 that this one represents. */
static inline struct tny_lg_nodes tny_lg_pair_kept(const struct tny_lg_pair *pair, uint32_t node)
{
  const struct tny_lg_nodes group = tny_lg_pair_group(pair, node);
  const uint32_t n1 = pair->n1, index = node - group.first, rest = group.count - n1;
  const uint32_t first = index < n1 ? 0 : n1, end = index < rest ? n1 : group.count;
  return (struct tny_lg_nodes){group.first + first, end - first};
}

static inline bool tny_lg_pair_keeps(const struct tny_lg_pair *pair, uint32_t node, uint32_t source)
{
  const struct tny_lg_nodes kept = tny_lg_pair_kept(pair, node);
  return source >= kept.first && source - kept.first < kept.count;
}

/* Phases of gathering: in C1 the shifts of all groups, one after the other, in C2 that of the
   largest group. */
static inline uint32_t tny_lg_pair_phases(const struct tny_lg_pair *pair, uint32_t zone)
{
  return zone == pair->small ? (pair->n1 - 1) * tny_lg_pair_crossings(pair)
                             : pair->n1 + tny_lg_pair_rest(pair) - 1;
}

/* Blocks that a node of the zone has at most before they cross. */
static inline uint32_t tny_lg_pair_gathered(const struct tny_lg_pair *pair, uint32_t zone)
{
  return zone == pair->small ? pair->n1 * tny_lg_pair_crossings(pair)
                             : pair->n1 + tny_lg_pair_rest(pair);
}

#endif
