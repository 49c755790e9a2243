/* Which hosts share a switch, and which switches are joined: from round trips between all hosts,
   where the network is a tree.

   The usual round trip between two hosts is what each of them takes for itself, and what the trunks
   between their switches take. Such distances are those of a tree whose leaves are the hosts, and
   neighbour joining (Saitou, Nei, "The neighbor-joining method: a new method for reconstructing
   phylogenetic trees", Mol. Biol. Evol. 4, 1987) finds it. Edges between its inner nodes that are
   no longer than what the round trips are uncertain by join nodes of one switch.

   A switch that has but one host and one trunk can't be told from a host that takes longer by
   itself: its host is then found at the switch next to it. For plans it is the same. */
#ifndef TOURNEY_DISCOVER_TREE_H
#define TOURNEY_DISCOVER_TREE_H

#include <stdint.h>

#include <tourney/status.h>

/* Fewer hosts show no trunk: it has two on either side. */
#define TNY_TREE_HOSTS_LEAST 4
/* So many times what round trips are uncertain by must a trunk take to be seen. */
#define TNY_TREE_ERRORS_LEAST 6

struct tny_tree_trunk {
  uint32_t a, b; /* switches */
  double ns;     /* how much longer a round trip over it takes */
};

struct tny_tree {
  uint32_t host_count, switch_count, trunk_count;
  uint32_t *switch_of; /* by host */
  struct tny_tree_trunk *trunks;
  double error_ns;  /* by how much round trips differ from the tree's, the median; or the noise */
  double hop_ns;    /* a trunk's, the median; 0: there are none */
  uint32_t misfits; /* pairs whose round trip differs from the tree's by far more than the noise */
  uint8_t *misfit;  /* which these are: host_count rows of as many, above the diagonal */
};

/* Round trips as they were measured. */
struct tny_round_trips {
  uint32_t host_count;
  const double *ns; /* host_count rows of as many; what is above the diagonal is read */
  double noise_ns;  /* by how much one is typically uncertain */
};

/* At least 2 hosts. Owns: what is in *tree, by tny_tree_release. Cost: the cube of the hosts. */
enum tny_status tny_tree_find(const struct tny_round_trips *round_trips, struct tny_tree *tree,
                              struct tny_error *error) TNY_MUST_CHECK;
void tny_tree_release(struct tny_tree *tree);
/* Sets for each switch whether it is beyond a trunk, seen from the trunk's end a. */
void tny_tree_mark_beyond(const struct tny_tree *tree, uint32_t trunk, uint8_t *beyond);

#endif
