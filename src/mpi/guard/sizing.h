/* In which of a communicator's uneven calls its ranks agree on sizes. Of an MPI_Alltoallv a rank
   knows only what it sends and gets itself, so that without an agreement no rank can tell whether a
   plan serves the call; and where none does, the agreement is lost time. Pure, as the guard's rules
   are: a function of how many calls there were and of numbers that all ranks agreed on.

   The account has what plans have gained, less what agreements have cost. While it isn't in the
   red, or trials are under way, each call is agreed on. In the red, an agreement after which no
   plan serves is followed by calls that are native at once: up to twice as many each time, drawn,
   so that calls whose sizes alternate aren't met at the same size each time. None is made before
   what agreements may lose covers it: of a class of the guard, its allowance, on which its
   agreements count as its trials do; of calls of no class, one of the same kind, and 2 ms besides.
   So n calls that plans never serve have about 2 + log2 n agreements at the most for each class
   among them, and one more for each TNY_SIZING_GAP_MOST.

   A communicator of which nothing is kept yet has no account either, and doesn't get one for calls
   that are too short for any plan: its 4th and its 16th call are agreed on all the same, and what
   serving needs is made for the first that is long enough, or for the 64th. What making it takes is
   on the account as so many agreements.

   Calls without agreement count for the class of the next one with: as that is drawn, each class
   has as many on the mean as there were of it. So a class whose trials are put off doesn't wait for
   as many agreements. */
#ifndef TOURNEY_MPI_GUARD_SIZING_H
#define TOURNEY_MPI_GUARD_SIZING_H

#include "mpi/guard/rules.h"

enum {
  TNY_SIZING_CALLS_BEFORE = 3, /* of a communicator, that are native before all others */
  TNY_SIZING_EARLY_CALLS = 64, /* before so many, a communicator needs no account */
  TNY_SIZING_GAP_MOST = 1024,
};

/* All zero: no calls yet. Times are in nanoseconds. */
struct tny_sizing {
  uint64_t calls, due;   /* so far; by which they are agreed on again */
  uint64_t trials_until; /* the call up to which trials under way count */
  double account_ns;
  double spent_ns; /* by agreements on calls of no class */
  float asking_ns; /* what an agreement takes, agreed on; 0: not known yet */
  float native_ns; /* what native calls of no class take, agreed on; 0: not known yet */
  float own_asking_ns, own_native_ns; /* of both the last here */
  uint32_t skipped;                   /* calls since the last agreement */
  uint16_t gap;    /* the mean of calls from one agreement to the next, in the red */
  uint16_t unpaid; /* agreements that no class has on its account yet */
};

/* Counts a call. Is it to be agreed on? Costs next to nothing. */
static inline bool tny_sizing_is_due(struct tny_sizing *sizing)
{
  if (++sizing->calls >= sizing->due)
    return true;
  sizing->skipped++;
  return false;
}
/* As if the last one, which wasn't, hadn't been. */
static inline void tny_sizing_uncount(struct tny_sizing *sizing)
{
  sizing->calls--;
  sizing->skipped--;
}
/* The same of a communicator without an account, by how many calls it has had with this one. */
static inline bool tny_sizing_is_early_due(uint64_t calls)
{
  const uint64_t first = TNY_SIZING_CALLS_BEFORE + 1;
  return calls == first || calls == 4 * first || calls >= TNY_SIZING_EARLY_CALLS;
}

/* What of the agreement before was agreed on with this one; 0: there was none. */
struct tny_sizing_seen {
  double shortest_ns, longest_ns; /* of all ranks, what it took */
  double native_ns;               /* the longest, of a native call of no class behind it */
};

/* The call was agreed on. */
void tny_sizing_agreed(struct tny_sizing *sizing, struct tny_sizing_seen seen);
/* Before the guard serves an agreed call by its class: has the class count what isn't counted yet,
   calls, and agreements as soon as it is known what they take. `class` is NULL at a rank that has
   no memory for it. */
void tny_sizing_pay(struct tny_sizing *sizing, struct tny_guard_class *class);
/* After an agreed call: what came of it. `is_first`: it was the first of its class; `class`: that,
   NULL where the call is of none that plans may serve; its turn, all zero where it passed. */
void tny_sizing_note(struct tny_sizing *sizing, bool is_first, const struct tny_guard_class *class,
                     struct tny_guard_turn turn);

#endif
