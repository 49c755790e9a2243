/* In which uneven calls ranks agree on sizes. */
#include "mpi/guard/sizing.h"

enum {
  TRIALS_LAST = 16, /* so many calls after one of the guard's trials, others may follow */
  /* Agreements that the account can pay for at most: so that a program that turns to short blocks
     for good isn't served as if it had not. */
  ACCOUNT_MOST = 256,
};

void tny_sizing_agreed(struct tny_sizing *sizing, double asking_ns)
{
  if (asking_ns > 0)
    sizing->asking_ns = asking_ns;
  sizing->account_ns -= sizing->asking_ns;
}

void tny_sizing_tried(struct tny_sizing *sizing)
{
  sizing->trials_until = sizing->calls + TRIALS_LAST;
  sizing->due = sizing->calls + 1;
}

void tny_sizing_gained(struct tny_sizing *sizing, double ns)
{
  const double most = ACCOUNT_MOST * sizing->asking_ns;
  sizing->account_ns += ns + sizing->asking_ns; /* its agreement is part of what was gained */
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

void tny_sizing_wasted(struct tny_sizing *sizing)
{
  sizing->due = sizing->calls + 1;
  if (sizing->account_ns >= 0 || sizing->calls < sizing->trials_until)
    return;
  if (sizing->gap < TNY_SIZING_GAP_MOST)
    sizing->gap = sizing->gap > 0 ? 2 * sizing->gap : 2;
  sizing->due += draw(sizing->calls, 2 * sizing->gap - 1);
}
