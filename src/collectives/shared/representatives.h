/* Who carries what for whom, level by level. In a family, ranks that stand alike in their parts
   form a column: on that level they exchange with each other and with nobody else. So what goes
   from part to part is shared out over all their ranks, and goes no oftener than it must.

   A family has as many columns as its widest part has ranks. Each part has ranks of its own in as
   many of them as it has ranks, next to each other around the circle of columns, the parts one
   behind the other; in the other columns its ranks take part in turn, with nothing of their own.
   With parts of one size, column i is place i of every part. For parts 0 1 2 | 3 | 4 5 | 6 7 the
   columns are 0 3 (4) 6, 1 (3) 4 7 and 2 (3) 5 (6), in brackets those with nothing of their own.

   At level 0 a rank carries for itself. At level l it carries for all that the members of its
   columns, by their own columns, carry for at level l-1; so at the last level everyone does for
   everyone. An all-gather goes down the levels: behind level l a rank has the blocks of those that
   it carries for. An all-to-all goes up, and a rank has blocks to those that it carries for. */
#ifndef TOURNEY_COLLECTIVES_SHARED_REPRESENTATIVES_H
#define TOURNEY_COLLECTIVES_SHARED_REPRESENTATIVES_H

#include "collectives/shared/levels.h"

struct tny_carriers {
  struct tny_levels levels;
  bool even; /* all families of a level look alike */
  /* By level and position: for how many it carries. share[0] owns the memory of all. */
  uint32_t *share[TNY_TIER_COUNT + 1];
};

/* Owns: tny_carriers_release, also after a failure. Cost: O(levels * ranks), where parts differ in
   size parts times columns. */
enum tny_status tny_carriers_init(const struct tny_problem *problem, struct tny_carriers *carriers,
                                  struct tny_error *error) TNY_MUST_CHECK;
void tny_carriers_release(struct tny_carriers *carriers);

/* One rank in its family. */
struct tny_member {
  const struct tny_carriers *carriers;
  struct tny_family family;
  uint32_t level, part, place;
  uint32_t column_count; /* that it takes part in */
};

struct tny_member tny_carriers_member(const struct tny_carriers *carriers, uint32_t level,
                                      uint32_t position);

/* A column as its member in some part sees it; `ahead` counts the parts from there on, around. */
struct tny_column {
  const struct tny_member *member;
  uint32_t number; /* among the columns of the family */
};

/* One of the member's columns; `index` below column_count, 0: its own. */
struct tny_column tny_member_column(const struct tny_member *member, uint32_t index);
/* The index of the column that comes `turn`-th by number; turn below column_count. */
uint32_t tny_member_index(const struct tny_member *member, uint32_t turn);
/* The position that stands for that part in the column. */
uint32_t tny_column_position(const struct tny_column *column, uint32_t ahead);
/* For how many it carries on the level above; 0 where the column isn't its own. */
uint32_t tny_column_share(const struct tny_column *column, uint32_t ahead);
/* Messages of columns that a rank may have in common are of different phases: those of a step have
   as many phases as there are lanes. One lane where parts are of one size. */
uint32_t tny_column_lane(const struct tny_column *column);
uint32_t tny_family_lanes(const struct tny_family *family);

/* The phases of a level where a family takes that many steps; `context` is handed on. */
uint32_t tny_carriers_phases(const struct tny_carriers *carriers, uint32_t level,
                             uint32_t (*step_count)(const struct tny_family *, const void *),
                             const void *context);
/* A column as a whole. Sums go twice around, so that one can begin at any part: parts a to before b
   carry for shares[b] - shares[a] on the level above and have sizes[b] - sizes[a] ranks. */
struct tny_whole_column {
  uint32_t n; /* parts */
  const uint64_t *shares, *sizes;
  const uint32_t *positions; /* who takes part, by part */
  uint32_t differing;        /* parts from this one on do as the first one */
};

/* Visits all columns of all families of a level; just one, where they are all alike. */
enum tny_status tny_carriers_sweep(const struct tny_carriers *carriers, uint32_t level,
                                   void (*visit)(const struct tny_whole_column *, void *),
                                   void *context, struct tny_error *error) TNY_MUST_CHECK;

/* For whom a position carries: column by column by index, in each part by part from its own on.
   Writes share[level][position] positions; returns the end. */
uint32_t *tny_carriers_list(const struct tny_carriers *carriers, uint32_t level, uint32_t position,
                            uint32_t *list);

#endif
