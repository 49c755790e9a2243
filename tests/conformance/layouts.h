/* The kinds of datatypes: each as MPI makes it, and as a list of where in memory an element's items
   lie, in the order of its signature, written by hand from the standard's text. */
#ifndef TOURNEY_TESTS_CONFORMANCE_LAYOUTS_H
#define TOURNEY_TESTS_CONFORMANCE_LAYOUTS_H

#include <mpi.h>
#include <stdbool.h>

#include "axes.h"

enum { ITEMS_MAX = 6, LAYOUTS_MAX = 3, LAYOUT_BEFORE = 8 /* bytes before the address, at most */ };

struct layout {
  MPI_Datatype type; /* committed; the layout's own where is_made */
  bool is_made;
  bool is_absolute; /* the type has the buffer's address, and is used with MPI_BOTTOM */
  int items;        /* of an element */
  int offsets[ITEMS_MAX], bytes[ITEMS_MAX];
  MPI_Aint extent;
  int repeat; /* elements of this type for one of the combination's */
};

/* How many layouts describe a kind's signature. */
int layouts_of(enum kind kind);

/* The way `which` of describing the kind's signature, for a buffer at this address. Owns: released
   by layout_release. */
struct layout layout_make(enum kind kind, int which, void *address);
void layout_release(struct layout *layout);

#endif
