/* What was found of a network. */
#ifndef TOURNEY_DISCOVER_FOUND_H
#define TOURNEY_DISCOVER_FOUND_H

#include <stdbool.h>

#include "discover/tree.h"

struct tny_found_cable {
  double bps;          /* of the wire, headers and all */
  double buffer_bytes; /* of the port towards the host; of a trunk, at its end a; 0: not found */
  bool is_least;       /* nothing was found that fills it: it may be faster */
  bool is_measured;    /* false: the buffer is that of ports which are alike */
};

struct tny_discovery {
  struct tny_tree tree;
  struct tny_found_cable *hosts;  /* by host */
  struct tny_found_cable *trunks; /* by trunk of the tree */
};

#endif
