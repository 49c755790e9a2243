/* Hinrichs, Kosak, O'Hallaron, Stricker, Take, "An architecture for optimal all-to-all personalized
   communication", 2 and 2.1, Equations 1 to 3, and the frame rate of 4.4. Units: ns, bytes; the
   paper's cycles are 1/S ns, its words 4 bytes.

   Equations 1 and 3 are printed for tori with links both ways. Their derivation holds for rings and
   for links one way too: the phases of Eq. 2, each T_s + T_t B long. */
#include <math.h>

#include <tourney/papers.h>

/* n^(d+1)/4 phases, half as many where links carry both ways at once. */
double tny_hinrichs_phases(const struct tny_hinrichs *hinrichs)
{
  return pow(hinrichs->side, hinrichs->dimensions + 1) / (hinrichs->is_unidirectional ? 4 : 8);
}

double tny_hinrichs_ns(const struct tny_hinrichs *hinrichs)
{
  return tny_hinrichs_phases(hinrichs) * hinrichs->startup_ns + tny_hinrichs_least_ns(hinrichs);
}

double tny_hinrichs_least_ns(const struct tny_hinrichs *hinrichs)
{
  return tny_hinrichs_phases(hinrichs) * hinrichs->byte_ns * hinrichs->block_bytes;
}

/* All nodes to all, each to itself too. */
static double total_bytes(const struct tny_hinrichs *hinrichs)
{
  return pow(hinrichs->side, 2 * hinrichs->dimensions) * hinrichs->block_bytes;
}

double tny_hinrichs_phased_rate(const struct tny_hinrichs *hinrichs)
{
  return total_bytes(hinrichs) / tny_hinrichs_ns(hinrichs);
}

double tny_hinrichs_peak_rate(const struct tny_hinrichs *hinrichs)
{
  return total_bytes(hinrichs) / tny_hinrichs_least_ns(hinrichs);
}

double tny_hinrichs_startup_ns(const struct tny_hinrichs *hinrichs, double measured_ns)
{
  return (measured_ns - tny_hinrichs_least_ns(hinrichs)) / tny_hinrichs_phases(hinrichs);
}

double tny_hinrichs_frame_ns(const struct tny_hinrichs_frame *frame)
{
  return frame->alltoall_ns / frame->alltoall_share;
}

/* The paper: "reduced by P(F - 1) %", which is less than nothing for F < 1: it means P(1 - F). */
double tny_hinrichs_other_frame_ns(const struct tny_hinrichs_frame *frame)
{
  const double factor = frame->other_alltoall_ns / frame->alltoall_ns;
  return tny_hinrichs_frame_ns(frame) * (1 - frame->alltoall_share * (1 - factor));
}
