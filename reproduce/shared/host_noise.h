/* Host noise: programs whose hosts don't run undisturbed. A rank begins late, its processor does
   something else before some of its sends, and its network card queues only so many messages. A
   program goes in and a program comes out. */
#ifndef TOURNEY_REPRODUCE_HOST_NOISE_H
#define TOURNEY_REPRODUCE_HOST_NOISE_H

#include <tourney/simulate.h>

struct tny_host_noise {
  double start_spread_ns;   /* A rank's first send is late by 0 to so much, evenly distributed. */
  double delay_probability; /* of a delay before any other send */
  double delay_ns;          /* the mean of such a delay, evenly distributed from 0 to twice that */
  uint32_t
      card_messages; /* A send waits until the one so many before it has left; 0: it doesn't. */
  uint64_t seed;
};
/* Adds the noise to a program. The same seed gives the same program.
   Owns: *out is the caller's, tny_program_free. */
enum tny_status tny_program_add_noise(const struct tny_program *in,
                                      const struct tny_host_noise *noise, struct tny_program **out,
                                      struct tny_error *error) TNY_MUST_CHECK;

#endif
