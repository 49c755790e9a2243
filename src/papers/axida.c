/* Axida, Viet, Yoshinaga, "Pipelined round-robin broadcast algorithm in homogeneous clusters of
   SMP", Table 1, 4.2, 5.3 and Table 2. Units: ns, bytes.

   The table's two pipelined rows are limits for long messages: they count the start-ups of one
   segment's rounds, and none for the segments behind it, nor the time in which the pipeline fills
   and drains. log2 P is rounded up, as trees need for numbers that aren't powers of two; van de
   Geijn's bytes are printed for powers of two and taken as they are. */
#include <tourney/papers.h>

#include "core/log2.h"

static double message_ns(const struct tny_axida *axida)
{
  return axida->bytes * axida->byte_ns;
}

double tny_axida_linear_ns(const struct tny_axida *axida)
{
  return (axida->nodes - 1) * (axida->startup_ns + message_ns(axida));
}

double tny_axida_pipelined_linear_ns(const struct tny_axida *axida)
{
  return (axida->nodes - 1) * axida->startup_ns + message_ns(axida);
}

double tny_axida_binomial_ns(const struct tny_axida *axida)
{
  return tny_log2_ceil(axida->nodes) * (axida->startup_ns + message_ns(axida));
}

double tny_axida_van_de_geijn_ns(const struct tny_axida *axida)
{
  const double p = axida->nodes;
  return 2 * tny_log2_ceil(axida->nodes) * axida->startup_ns + 2 * (p - 1) / p * message_ns(axida);
}

/* Table 1 is for even numbers of nodes; with 5.3's factor it's for all. */
double tny_axida_round_robin_ns(const struct tny_axida *axida)
{
  return (axida->nodes - 1) * axida->startup_ns +
         tny_axida_idle_factor(axida->nodes) * message_ns(axida);
}

/* For odd numbers, the root is idle in one of P matches. */
double tny_axida_idle_factor(uint32_t nodes)
{
  return nodes % 2 == 0 ? 1 : (double)nodes / (nodes - 1);
}

/* P-1 rounds of D/P each where P is even. "The corresponding value for an odd number can be found
   similarly": P rounds. The paper leaves the start-ups out; here each round has one. */
double tny_axida_exchange_ns(const struct tny_axida *axida)
{
  const uint32_t rounds = axida->nodes % 2 == 0 ? axida->nodes - 1 : axida->nodes;
  return rounds * (axida->startup_ns + message_ns(axida) / axida->nodes);
}
