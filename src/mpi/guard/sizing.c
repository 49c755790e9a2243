/* In which uneven calls ranks agree on sizes. */
#include "mpi/guard/sizing.h"

#include <math.h>

enum {
  TRIALS_LAST = 16, /* so many calls after one of the guard's trials, others may follow */
  /* Agreements that the account can pay for at most: so that a program that turns to short blocks
     for good isn't served as if it had not. */
  ACCOUNT_MOST = 256,
  PUT_OFF_MOST = 256, /* calls on the mean, by which a class's trials put an agreement off */
};

/* The weight of the last one in a mean. */
#define LAST_SHARE 0.25F
#define LONGEST_MOST 3.0 /* an agreement is held to take no more of its shortest time */
#define FREE_NS 2e6      /* what agreements on calls of no class may take besides */

/* Takes one more into a mean of late; 0 is none. */
static void add_to_mean(float *mean_ns, double ns)
{
  if (ns > 0 && *mean_ns > 0)
    *mean_ns += LAST_SHARE * ((float)ns - *mean_ns);
  else if (ns > 0)
    *mean_ns = (float)ns;
}

/* The rank that comes last sees the shortest time, and where others get their result later, the
   call is that much later; the longest time has in it how long the first one waited for the last,
   which the call itself would have had it wait. */
void tny_sizing_agreed(struct tny_sizing *sizing, struct tny_sizing_seen seen)
{
  add_to_mean(&sizing->asking_ns, fmin(seen.longest_ns, LONGEST_MOST * seen.shortest_ns));
  add_to_mean(&sizing->native_ns, seen.native_ns);
  sizing->account_ns -= (double)sizing->asking_ns;
}

void tny_sizing_pay(struct tny_sizing *sizing, struct tny_guard_class *class)
{
  if (class) {
    class->calls += sizing->skipped;
    class->asking_ns = (double)sizing->asking_ns;
    class->lost_ns += sizing->unpaid * class->asking_ns;
  }
  sizing->skipped = 0;
  if (sizing->asking_ns > 0)
    sizing->unpaid = 0;
}

/* It was one of the guard's trials, and more follow. */
static void go_on_trying(struct tny_sizing *sizing)
{
  sizing->trials_until = sizing->calls + TRIALS_LAST;
  sizing->due = sizing->calls + 1;
  sizing->gap = 1;
}

/* A plan serves it. */
static void gain(struct tny_sizing *sizing, double ns)
{
  const double asking_ns = (double)sizing->asking_ns, most = ACCOUNT_MOST * asking_ns;
  sizing->account_ns += ns + asking_ns; /* its agreement is part of what was gained */
  if (sizing->account_ns > most)
    sizing->account_ns = most;
  sizing->due = sizing->calls + 1;
  sizing->gap = 1;
}

/* The same at every rank, and as no program's calls go. */
static uint64_t draw(uint64_t number, uint64_t below)
{
  return (number * UINT64_C(0x9E3779B97F4A7C15) >> 33) % below;
}

/* Calls until what was spent on calls of no class, and one agreement more, is covered. */
static uint64_t calls_until_covered(const struct tny_sizing *sizing)
{
  const double due_ns = sizing->spent_ns + (double)sizing->asking_ns - FREE_NS;
  if (sizing->native_ns <= 0 || due_ns <= 0)
    return 0;
  return tny_guard_calls_missing(sizing->calls, due_ns, (double)sizing->native_ns);
}

/* No plan serves it: the next agreement is made after so many calls at the least, or drawn ones. */
static void waste(struct tny_sizing *sizing, uint64_t least, uint64_t put_off)
{
  uint64_t gap = tny_guard_at_most(put_off, PUT_OFF_MOST);
  sizing->due = sizing->calls + 1;
  if (sizing->account_ns >= 0)
    return;
  if (put_off == 0 && sizing->calls >= sizing->trials_until) {
    if (sizing->gap < TNY_SIZING_GAP_MOST)
      sizing->gap = (uint16_t)(sizing->gap > 0 ? 2 * sizing->gap : 2);
    gap = sizing->gap;
  }
  const uint64_t drawn = gap > 0 ? draw(sizing->calls, 2 * gap - 1) : 0;
  least = tny_guard_at_most(least, TNY_SIZING_GAP_MOST);
  sizing->due += drawn > least ? drawn : least;
}

static void note_class(struct tny_sizing *sizing, const struct tny_guard_class *class,
                       struct tny_guard_turn turn)
{
  if (class->trial) {
    go_on_trying(sizing);
    return;
  }
  if (turn.is_trial)
    sizing->trials_until = sizing->calls; /* they are over */
  if (turn.choice.algorithm && class->settled.algorithm) {
    gain(sizing, class->native_ns - class->settled_ns);
  } else if (class->settled.algorithm) {
    sizing->due = sizing->calls + 1; /* from the next call on a plan serves */
  } else {
    const bool waits = class->is_put_off && class->look_due > class->calls;
    waste(sizing, tny_guard_calls_uncovered(class), waits ? class->look_due - class->calls : 0);
  }
}

void tny_sizing_note(struct tny_sizing *sizing, bool is_first, const struct tny_guard_class *class,
                     struct tny_guard_turn turn)
{
  if (class) {
    note_class(sizing, class, turn);
    return;
  }
  sizing->unpaid++;
  if (is_first) {
    sizing->due = sizing->calls + 1;
    sizing->gap = 1; /* the class is to be met again soon */
    return;
  }
  sizing->skipped = 0;
  if (sizing->asking_ns > 0) {
    sizing->spent_ns += sizing->unpaid * (double)sizing->asking_ns;
    sizing->unpaid = 0;
  }
  waste(sizing, calls_until_covered(sizing), 0);
}
