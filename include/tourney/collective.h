/* What a collective is. Each is a row that says who has blocks before it and who has some after it,
   and how many. Which block must end where, what has to cross from some ranks to others, and what a
   rank's input is in place follow from the row. Nothing asks which collective it has: everything
   asks for a property, so that a new collective is a new row (docs/add-a-collective.md).

   With p ranks: a broadcast's root has one block, which every other rank gets. In an all-gather
   every rank has one block, and gets p: block r is from rank r. In an all-to-all every rank has p
   blocks, and gets p: block j is for rank j, block i is from rank i. In a gather every rank has one
   block, and the root gets p; in a scatter the root has p blocks, and every rank gets one. In a
   reduce every rank has one block, and the root gets one, combined from all of them; in an
   all-reduce every rank gets it. In a reduce-scatter every rank has p blocks, and gets one: rank j
   what is combined from all blocks j. In a barrier no rank has a block, and none ends before every
   rank has begun. */
#ifndef TOURNEY_COLLECTIVE_H
#define TOURNEY_COLLECTIVE_H

#include <stdbool.h>
#include <stdint.h>

#include <tourney/status.h>

enum tny_collective {
  TNY_BROADCAST,
  TNY_ALLGATHER,
  TNY_ALLTOALL,
  TNY_GATHER,
  TNY_SCATTER,
  TNY_REDUCE,
  TNY_REDUCE_SCATTER,
  TNY_ALLREDUCE,
  TNY_BARRIER,
  TNY_COLLECTIVE_COUNT,
};

enum tny_buffer { TNY_INPUT, TNY_OUTPUT, TNY_SCRATCH };

/* Which ranks have a buffer: all, the root alone, all but the root, or none. */
enum tny_holder { TNY_AT_EVERY_RANK, TNY_AT_ROOT, TNY_AT_OTHERS, TNY_AT_NO_RANK };

struct tny_collective_row {
  const char *name;  /* as it is typed: "bcast" */
  const char *title; /* in sentences: "broadcast" */
  /* MPI's name where blocks may differ in size, "alltoallv"; NULL: there is no such form. The row
     holds for it as it is, since a schedule is in blocks. */
  const char *uneven_name;
  /* MPI's names of its forms among neighbours, of blocks that are alike and of others,
     "neighbor_alltoall"; NULL: there are none. */
  const char *neighbour_name, *uneven_neighbour_name;
  struct tny_share {
    enum tny_holder holder;
    bool is_per_rank; /* a block for each rank, or from each, in their order; else one block */
  } input, output;
  /* An output block is combined from the blocks that ranks have for it, in rank order; else it is
     one of them. */
  bool reduces;
  /* No rank ends before every rank has begun. Its messages carry nothing: what counts is that they
     come. */
  bool synchronizes;
  const char *standard; /* the algorithm that is taken where no other is predicted to be faster */
  /* The runtime takes over its MPI function, or that of its uneven form; which, src/mpi says. */
  bool is_served, is_uneven_served;
};
const struct tny_collective_row *tny_collective_row(enum tny_collective collective);

/* "bcast", "allgather", "alltoall" */
const char *tny_collective_name(enum tny_collective collective);
/* "allgatherv", "alltoallv"; NULL: its blocks are always alike. */
const char *tny_collective_uneven_name(enum tny_collective collective);
/* "a" or "an", as the name wants it. */
const char *tny_collective_article(enum tny_collective collective);
enum tny_status tny_collective_parse(const char *name, enum tny_collective *collective,
                                     struct tny_error *error) TNY_MUST_CHECK;
/* Reads "alltoall" or "alltoallv": which of the two says *is_uneven. */
enum tny_status tny_collective_parse_form(const char *name, enum tny_collective *collective,
                                          bool *is_uneven, struct tny_error *error) TNY_MUST_CHECK;
/* The names of those that belong (NULL: of all), with `comma` between two, but `last` before the
   last one. */
struct tny_collective_list {
  char text[256];
};
struct tny_collective_list tny_collective_names(bool (*belongs)(enum tny_collective),
                                                const char *comma, const char *last);
/* Their titles. */
struct tny_collective_list tny_collective_titles(bool (*belongs)(enum tny_collective),
                                                 const char *comma, const char *last);

/* --- what the row means --- */

/* Blocks in a buffer, at the ranks that have it (scratch: not known here, 0). */
uint32_t tny_buffer_blocks(enum tny_collective collective, enum tny_buffer buffer,
                           uint32_t rank_count);
/* Blocks in a buffer of one rank. */
uint32_t tny_rank_blocks(enum tny_collective collective, enum tny_buffer buffer,
                         uint32_t rank_count, uint32_t root, uint32_t rank);

/* The input block that must end in an output block, of a collective that doesn't reduce: whose it
   is, and its number there. */
struct tny_origin {
  uint32_t rank, block;
};
struct tny_origin tny_collective_origin(enum tny_collective collective, uint32_t root,
                                        uint32_t rank, uint32_t block);

/* Are blocks combined on the way? Then what must end in an output block is a contribution of every
   rank, one for each k below rank_count, in the order of k where the operation doesn't commute. */
bool tny_collective_reduces(enum tny_collective collective);
/* Is it there for its order alone: does no rank end before every rank has begun? */
bool tny_collective_synchronizes(enum tny_collective collective);
/* Do all ranks get the same result of it? */
bool tny_collective_shares_result(enum tny_collective collective);
struct tny_origin tny_collective_contribution(enum tny_collective collective, uint32_t rank,
                                              uint32_t k);

/* So many ranks on one side, so many on the other, and on which side the root is, if any. */
struct tny_sides {
  uint64_t from, to;
  bool root_from, root_to;
};
/* Blocks that have to get from the one side to the other, each once: the load on a cut. Of a
   reduction, a partial result for each output block of the other side. */
uint64_t tny_collective_load(enum tny_collective collective, struct tny_sides sides);

bool tny_collective_is_served(enum tny_collective collective);
/* Does it matter which rank is the root? Else the root is 0. */
bool tny_collective_has_root(enum tny_collective collective);
/* Is it one block of the root, which goes to all? */
bool tny_collective_is_one_message(enum tny_collective collective);
/* Has every rank a block of its own for every rank? Then blocks may be left out, or differ in size
   (a pattern). */
bool tny_collective_is_pairwise(enum tny_collective collective);
/* Is a rank's input one block, which also ends as its own block of its output? Then nothing has
   to write that block in place, and the runtime runs such a schedule without a copy of the input.
   */
bool tny_collective_has_own_block(enum tny_collective collective);
/* May a rank's input lie in its output from the start (MPI_IN_PLACE)? Then it is its own block
   there, or begins where the output does; a reduce-scatter's goes on behind the output. */
bool tny_collective_may_be_in_place(enum tny_collective collective);
/* The block of a rank's output at which its input begins, in place. */
uint32_t tny_collective_in_place(enum tny_collective collective, uint32_t rank);
/* Has a program one buffer for it, which is the root's input and the others' output? */
bool tny_collective_has_one_buffer(enum tny_collective collective);

#endif
