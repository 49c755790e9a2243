/* The MPI's own algorithms for the collectives that we serve, by the names and numbers of Open MPI
   4.1.4 (`ompi_info --param coll tuned --level 9`), and their counterparts in MPICH: what `tourney
   bench --peers` and `tourney tune --native-algorithms` force one after another, and what `tourney
   tune --export` writes rules of. This is the only list of them. Nothing here knows MPI. Units:
   bytes. */
#ifndef TOURNEY_CLI_PEERS_H
#define TOURNEY_CLI_PEERS_H

#include <stdbool.h>
#include <stddef.h>

#include <tourney/collective.h>

/* How many ranks an algorithm takes. */
enum peer_ranks { PEER_ANY, PEER_EVEN, PEER_TWO, PEER_POWER_OF_TWO };

/* An algorithm of the component coll_tuned: coll_tuned_COLLECTIVE_algorithm is its number. */
struct peer_algorithm {
  enum tny_collective collective;
  const char *name; /* as Open MPI has it */
  uint32_t number;
  /* coll_tuned_COLLECTIVE_algorithm_segmentsize: those worth a try, ascending; 0: uncut. */
  uint32_t segments[4];
  uint32_t segment_count;
  const char *mpich;                  /* the same algorithm in MPICH, MPIR_...; NULL: it has none */
  enum peer_ranks ranks, mpich_ranks; /* that it takes, in Open MPI and in MPICH */
};
extern const struct peer_algorithm peer_algorithms[];
extern const size_t peer_algorithm_count;

/* NULL: there is none of this number. */
const struct peer_algorithm *peer_find(enum tny_collective collective, uint32_t number);
/* Is it one that takes so many ranks? */
bool peer_takes(enum peer_ranks ranks, uint32_t rank_count);
/* The number of a collective in Open MPI's rules file; false: it isn't known. */
bool peer_rules_number(enum tny_collective collective, uint32_t *number);

/* An algorithm with a segment size, or the component HAN. */
struct peer {
  const struct peer_algorithm *algorithm; /* NULL: HAN */
  uint32_t segment_bytes;
  uint64_t bytes_min, bytes_max; /* the sizes for which it differs from the other peers */
  char name[64];                 /* "tuned:bcast=pipeline,segment=32KiB", "han" */
};
enum { PEERS_MAX = 32 }; /* of a collective */

/* The peers of a collective, without those for two ranks: the likelier to be good, the earlier.
   Returns how many. */
size_t peers_of(enum tny_collective collective, struct peer peers[PEERS_MAX]);

#endif
