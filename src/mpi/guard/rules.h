/* The guard's rules: by what a class of calls is served, native or by a plan, as the times of its
   own calls show. Pure: a function of how many calls there were and of times that all ranks agreed
   on, so that all ranks decide alike. Native is what the MPI does by itself; to the rules another
   algorithm of its own is like a plan. Who calls the MPI, asks and agrees is mpi/guard.c. Times are
   in nanoseconds.

   A class is the calls of one collective on one communicator whose blocks are of one power of two.
   Uneven calls (MPI_Alltoallv) are in classes of their own, by the size that their plan is for, and
   so are reductions by operations of the program's own, which fewer algorithms serve.
   What a call is goes by the number of calls so far:
   - settled: served by what was settled on; its time is noted, unless native is so short that this
     would cost something;
   - an asking call: native, timed, and followed by the question to rank 0 what could be tried;
   - a trial: a call of a round, whose times all ranks agree on after the round's last;
   - a checked call: the same, followed by an agreement on the mean time of late.

   A round is made only if what it may lose against native is covered: tny_guard_allowance. So what
   the class loses stays under it (docs/runtime.md, "The guard"). */
#ifndef TOURNEY_MPI_GUARD_RULES_H
#define TOURNEY_MPI_GUARD_RULES_H

#include "mpi/guard/class.h"

enum {
  TNY_SIZE_CLASSES = 32, /* powers of two: blocks of 2 GiB and more are native */
  /* Classes of a collective: those of calls whose blocks are alike, then those of uneven calls;
     then as many of reductions by the program's own operations. */
  TNY_GUARD_OWN = 2 * TNY_SIZE_CLASSES,
  TNY_GUARD_CLASSES = 2 * TNY_GUARD_OWN,
  /* Of watched native calls so many pass for one that is timed: where ranks share processors, and
     find their caches cold, the way to the clock takes microseconds. */
  TNY_GUARD_WATCH_EVERY = 4,
};

/* An algorithm is worth a trial where it is predicted, or was measured, to take at most so much
   longer than the best. */
#define TNY_GUARD_WORTH 1.5

/* What follows a call. */
enum tny_guard_then { TNY_GUARD_NOTHING, TNY_GUARD_ASK, TNY_GUARD_AGREE, TNY_GUARD_CHECK };

/* How a call is served. */
struct tny_guard_turn {
  struct tny_algorithm_choice choice; /* no algorithm: the MPI's own */
  bool is_timed, is_trial, is_profiled;
  enum tny_guard_then then;
};

/* What a class was settled on, to be kept and handed on. */
struct tny_guard_result {
  enum tny_collective collective;
  uint32_t number;
  struct tny_algorithm_choice choice;
  double native_ns, settled_ns;
  bool is_read; /* from a file: by another run, maybe on another network */
};

struct tny_guard_candidate {
  struct tny_algorithm_choice choice;
  double predicted_ns;
};

/* What rank 0 answers to the question what could be tried. */
struct tny_guard_offer {
  uint64_t wait_calls; /* not 0: nothing yet; ask again after so many calls */
  bool is_known;       /* it was settled on another communicator of the ranks: */
  struct tny_guard_result known;
  bool is_made;   /* false, too, where there was no memory */
  uint32_t count; /* of candidates, the best first; none: no plan is worth a trial */
  struct tny_guard_candidate candidates[TNY_GUARD_CANDIDATES];
};

/* The numbers of an agreement; room for those of any. */
enum { TNY_GUARD_NUMBERS = 2 * TNY_GUARD_SLOTS + 1 };

/* The class of a call whose blocks have so many bytes, or whose plan is for so many. */
static inline uint32_t tny_guard_number(uint64_t block_bytes, bool is_uneven)
{
  uint32_t number = 0;
  while (number + 1 < TNY_SIZE_CLASSES && block_bytes >> (number + 1))
    number++;
  return is_uneven ? TNY_SIZE_CLASSES + number : number;
}

static inline bool tny_guard_is_uneven(uint32_t number)
{
  return number / TNY_SIZE_CLASSES % 2 == 1;
}

/* The class of such a call that reduces by an operation of the program's own. */
static inline uint32_t tny_guard_own(uint32_t number)
{
  return number % TNY_GUARD_OWN + TNY_GUARD_OWN;
}

static inline bool tny_guard_is_own(uint32_t number)
{
  return number >= TNY_GUARD_OWN;
}

/* May the algorithm serve the class's calls? Blocks that differ have to be alone in their messages,
   and where all are alike none plans by their bytes.
   Whether an operation of the program's own commutes, a rank can't know of the others: it is
   combined by in the ranks' order. */
static inline bool tny_guard_takes(uint32_t number, const struct tny_algorithm *algorithm)
{
  return (tny_guard_is_uneven(number) ? tny_algorithm_takes_uneven(algorithm)
                                      : !algorithm->plans_bytes) &&
         (!tny_guard_is_own(number) || !algorithm->commutes);
}

/* The least block of a class. */
static inline uint64_t tny_guard_bytes(uint32_t number)
{
  return UINT64_C(1) << number % TNY_SIZE_CLASSES;
}

/* What a class's calls are called. */
static inline const char *tny_guard_name(enum tny_collective collective, uint32_t number)
{
  return tny_guard_is_uneven(number) ? tny_collective_uneven_name(collective)
                                     : tny_collective_name(collective);
}

/* A class of which nothing is known, after so many calls; the next one asks. */
struct tny_guard_class tny_guard_class_new(enum tny_collective collective, uint32_t number,
                                           uint64_t calls);
/* One that is settled after so many calls, by what was seen elsewhere. */
struct tny_guard_class tny_guard_class_settled(const struct tny_guard_result *result,
                                               uint64_t calls);

/* One that a profile settles, before its first call: without drift it is looked at late, without
   the guard never. */
struct tny_guard_class tny_guard_class_profiled(const struct tny_guard_result *result,
                                                bool has_guard);

/* What the class may have lost in all, by its calls so far. */
double tny_guard_allowance(const struct tny_guard_class *class);

/* The lesser of two numbers of calls. */
static inline uint64_t tny_guard_at_most(uint64_t a, uint64_t b)
{
  return a < b ? a : b;
}

/* After how many calls more the class may lose the time of an agreement on a call's size. */
uint64_t tny_guard_calls_uncovered(const struct tny_guard_class *class);
/* Calls until such an allowance covers so much, after so many calls of native's time. */
uint64_t tny_guard_calls_missing(uint64_t calls, double lost_ns, double native_ns);

/* Is the next call native and nothing else? Then it is counted. */
static inline bool tny_guard_passes(struct tny_guard_class *class)
{
  const uint64_t next = class->calls + 1;
  if (!tny_choice_is_native(&class->settled) || class->trial || next >= class->look_due)
    return false;
  if (class->is_watched && (next % TNY_GUARD_WATCH_EVERY == 0 || next >= class->check_due))
    return false;
  class->calls = next;
  class->lost_ns += class->asking_ns;
  return true;
}

/* As if the last call, which passed, hadn't been. */
static inline void tny_guard_take_back(struct tny_guard_class *class)
{
  class->calls--;
  class->lost_ns -= class->asking_ns;
}

/* Counts a call, and says how it is served. */
struct tny_guard_turn tny_guard_begin(struct tny_guard_class *class);
/* Notes what a timed call took here, of which planning; INFINITY: the plan didn't run. */
void tny_guard_note(struct tny_guard_class *class, struct tny_guard_turn turn, double elapsed_ns,
                    double planning_ns);

/* The plan that the class is settled on can't be had for a call, as all ranks found: until the next
   look the best of what else was seen to be faster than native serves, or native. */
void tny_guard_fall_back(struct tny_guard_class *class);

/* After an asking call: the trials begin, or the class stays as it is. Borrows `trial`, zeroed
   memory, until class->trial is NULL again. `native_ns` is what the call took, the longest of all
   ranks; `agreement_ns` what the last agreement did, the shortest; 0: there was none. */
void tny_guard_offered(struct tny_guard_class *class, struct tny_guard_trial *trial,
                       const struct tny_guard_offer *offer, double native_ns, double agreement_ns);
/* After a round, and after a checked call: this rank's numbers, of which the greatest of all ranks
   count. Returns how many. */
uint32_t tny_guard_numbers(const struct tny_guard_class *class, struct tny_guard_turn turn,
                           double numbers[TNY_GUARD_NUMBERS]);
/* Takes them in; where the class has settled, class->trial is NULL. */
void tny_guard_agreed(struct tny_guard_class *class, struct tny_guard_turn turn,
                      const double numbers[TNY_GUARD_NUMBERS]);

#endif
