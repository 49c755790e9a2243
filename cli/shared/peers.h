/* The MPI's own algorithms for the collectives that we serve, by the names and numbers of Open MPI
   4.1.4 (ompi_info --param coll tuned -l 9): what `tourney bench --peers` forces one after another.
   This is the only list of them. Nothing here knows MPI. Units: bytes. */
#ifndef TOURNEY_CLI_PEERS_H
#define TOURNEY_CLI_PEERS_H

#include <stddef.h>

#include <tourney/collective.h>

/* An algorithm of the component coll_tuned: coll_tuned_COLLECTIVE_algorithm is its number. */
struct peer_algorithm {
  enum tny_collective collective;
  const char *name; /* as Open MPI has it */
  uint32_t number;
  /* coll_tuned_COLLECTIVE_algorithm_segmentsize: those worth a try, ascending; 0: uncut. */
  uint32_t segments[4];
  uint32_t segment_count;
};
extern const struct peer_algorithm peer_algorithms[];
extern const size_t peer_algorithm_count;

/* An algorithm with a segment size, or the component HAN. */
struct peer {
  const struct peer_algorithm *algorithm; /* NULL: HAN */
  uint32_t segment_bytes;
  uint64_t bytes_min, bytes_max; /* the sizes for which it differs from the other peers */
  char name[64];                 /* "tuned:bcast=pipeline,segment=32KiB", "han" */
};
enum { PEERS_MAX = 32 }; /* of a collective */

/* The peers of a collective: the likelier to be good, the earlier. Returns how many. */
size_t peers_of(enum tny_collective collective, struct peer peers[PEERS_MAX]);

#endif
