/* The operations of reductions: as MPI has or makes them, and as they are defined, item by item. */
#ifndef TOURNEY_TESTS_CONFORMANCE_OPERATIONS_H
#define TOURNEY_TESTS_CONFORMANCE_OPERATIONS_H

#include <mpi.h>

#include "axes.h"
#include "layouts.h"

enum { ITEM_BYTES_MAX = 8 };

/* An element's items, each in its own first bytes. */
struct element {
  unsigned char items[ITEMS_MAX][ITEM_BYTES_MAX];
};

void operations_begin(void);
void operations_end(void);

/* For elements of this layout, which has to stay while it is used. */
MPI_Op operation_use(enum operation operation, const struct layout *layout);

/* Fills an element from drawn bits so that no result depends on rounding, overflows, or differs
   with the order, except where the operation's does. place: of MPI_MAXLOC. */
void operation_fill(enum operation operation, const struct layout *layout, const unsigned *drawn,
                    int place, struct element *element);
/* right = left operation right. */
void operation_combine(enum operation operation, const struct layout *layout,
                       const struct element *left, struct element *right);

#endif
