/* The MPI's own algorithms, by the numbers that Open MPI gives them (component `tuned`, 4.1:
   `ompi_info --param coll tuned --level 9`), and their counterparts in MPICH. */
#ifndef TOURNEY_CLI_PEERS_H
#define TOURNEY_CLI_PEERS_H

#include <stdbool.h>

#include <tourney/collective.h>

/* How many ranks an algorithm takes. */
enum peer_ranks { PEER_ANY, PEER_EVEN, PEER_TWO, PEER_POWER_OF_TWO };

struct peer {
  const char *collective;             /* by name */
  uint32_t number;                    /* of coll_tuned_COLLECTIVE_algorithm; 0: Open MPI decides */
  const char *name;                   /* as Open MPI calls it */
  const char *mpich;                  /* the same algorithm in MPICH, MPIR_...; NULL: it has none */
  bool is_segmented;                  /* a message can be sent in segments */
  enum peer_ranks ranks, mpich_ranks; /* that it takes, in Open MPI and in MPICH */
};
extern const struct peer peers[]; /* ends with a NULL collective */

/* NULL: there is none of this number. */
const struct peer *peer_find(enum tny_collective collective, uint32_t number);
/* Is it one that takes so many ranks? */
bool peer_takes(enum peer_ranks ranks, uint32_t rank_count);
/* The number of a collective in Open MPI's rules file; false: it isn't known. */
bool peer_rules_number(enum tny_collective collective, uint32_t *number);

#endif
