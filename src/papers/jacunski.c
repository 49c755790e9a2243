/* Jacunski, Sadayappan, Panda, "All-to-all broadcast on switch-based clusters of workstations",
   3.2 and Table 1: all-gather on one switch by LogP. Units: ns.

   "5 microsecond startup" isn't 2o: Table 2's Ring and Combining (205.78 and 139.69 us for 32 nodes
   and 256 flits of 16 ns) both are these formulas with 2o = 2.542 us, the delay of the switch among
   it. L is then the flits' time alone, which is how the formula for combining reads it: a combined
   message of k blocks takes kL. */
#include <math.h>

#include <tourney/papers.h>

#include "core/log2.h"

enum tny_jacunski_case tny_jacunski_case(const struct tny_jacunski *jacunski)
{
  if (jacunski->latency_ns >= 2 * jacunski->overhead_ns)
    return TNY_JACUNSKI_CASE_1;
  return jacunski->latency_ns >= jacunski->overhead_ns ? TNY_JACUNSKI_CASE_2 : TNY_JACUNSKI_CASE_3;
}

double tny_jacunski_gap_ns(const struct tny_jacunski *jacunski)
{
  return fmax(jacunski->latency_ns, jacunski->overhead_ns);
}

double tny_jacunski_steady_gap_ns(const struct tny_jacunski *jacunski)
{
  return fmax(jacunski->latency_ns, 2 * jacunski->overhead_ns);
}

static double message_ns(const struct tny_jacunski *jacunski)
{
  return 2 * jacunski->overhead_ns + jacunski->latency_ns;
}

/* Not printed, but said: P-1 start-ups, nothing overlaps. */
double tny_jacunski_ring_ns(const struct tny_jacunski *jacunski)
{
  return (jacunski->nodes - 1) * message_ns(jacunski);
}

/* Printed for n = 1 message ahead of the first that comes in, n = ceil(L/g). As g is at least L, it
   is always 1; but two nodes have only one message to send, so none ahead. */
double tny_jacunski_broadcasts_ns(const struct tny_jacunski *jacunski)
{
  if (jacunski->nodes == 2)
    return message_ns(jacunski);
  return message_ns(jacunski) + (jacunski->nodes - 3) * tny_jacunski_steady_gap_ns(jacunski) +
         tny_jacunski_gap_ns(jacunski);
}

double tny_jacunski_combining_ns(const struct tny_jacunski *jacunski)
{
  return tny_jacunski_startups_min(jacunski) * 2 * jacunski->overhead_ns +
         tny_jacunski_link_ns(jacunski);
}

/* The condition for case 2 is (2P - 4 - 2 ceil(log2 P)) / (P - 3) < L/o. The one for case 3 is lost
   in the text that we have; t_SB < t_combine with g = o and g_s = 2o gives it as below. For 2 nodes
   both algorithms are one message; for 3 nodes, P - 3 is 0 and the left side less, so SB wins. */
double tny_jacunski_threshold(const struct tny_jacunski *jacunski)
{
  const double p = jacunski->nodes;
  const double startups = tny_jacunski_startups_min(jacunski);
  if (jacunski->nodes == 2)
    return INFINITY;
  switch (tny_jacunski_case(jacunski)) {
  case TNY_JACUNSKI_CASE_1:
    return 0;
  case TNY_JACUNSKI_CASE_2:
    return jacunski->nodes == 3 ? -INFINITY : (2 * p - 4 - 2 * startups) / (p - 3);
  default:
    return (2 * p - 3 - 2 * startups) / (p - 2);
  }
}

bool tny_jacunski_broadcasts_win(const struct tny_jacunski *jacunski)
{
  return jacunski->latency_ns > tny_jacunski_threshold(jacunski) * jacunski->overhead_ns;
}

uint32_t tny_jacunski_startups_min(const struct tny_jacunski *jacunski)
{
  return tny_log2_ceil(jacunski->nodes);
}

double tny_jacunski_link_ns(const struct tny_jacunski *jacunski)
{
  return (jacunski->nodes - 1) * jacunski->latency_ns;
}
