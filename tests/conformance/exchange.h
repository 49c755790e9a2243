/* What a collective moves, as the standard's text defines it: which blocks each rank gives and
   gets, where they lie, and what a rank's memory holds before the call and after it. No collective
   is called here. */
#ifndef TOURNEY_TESTS_CONFORMANCE_EXCHANGE_H
#define TOURNEY_TESTS_CONFORMANCE_EXCHANGE_H

#include <mpi.h>

#include "axes.h"
#include "comms.h"
#include "layouts.h"
#include "operations.h"

enum { PEERS_MAX = 16 };

/* A block in one rank's memory. */
struct block {
  int from, to;    /* whose data it is, and for whom: numbers that tell all data apart */
  bool is_nobodys; /* a neighbour that isn't there gives nothing, and gets nothing */
  int count;       /* elements of its layout */
  int layout;      /* which of the side's */
  MPI_Aint place;  /* bytes behind the buffer's address */
};

/* One side of a call at this rank: memory, and the blocks in it. */
struct side {
  unsigned char *memory; /* with guards before and behind; all of it is compared */
  size_t bytes;
  unsigned char *buffer; /* the address that blocks count from */
  struct layout layouts[LAYOUTS_MAX];
  struct block blocks[PEERS_MAX];
  int block_count; /* 0: this rank's arguments of this side don't count */
};

struct exchange {
  enum collective collective;
  enum kind kind;
  enum operation operation;
  enum pattern pattern;
  const struct member *member;
  int root;     /* the argument */
  bool is_root; /* this rank gives or gets for all */
  bool is_in_place;
  struct side send, receive; /* a broadcast has the second alone */
};

/* Owns: released by exchange_release. */
void exchange_make(struct exchange *exchange, const struct combination *combination,
                   const struct member *member);
void exchange_release(struct exchange *exchange);

/* Fills both sides' memory as it is before the call. */
void exchange_fill(const struct exchange *exchange);
/* After the call: overwrites what the standard leaves undefined, which nothing is compared in. */
void exchange_forget(const struct exchange *exchange);
/* Makes what the receive side's memory is before the call what it is after it. */
void exchange_expect(const struct exchange *exchange);

#endif
