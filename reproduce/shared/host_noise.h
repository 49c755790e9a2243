/* Programs whose hosts aren't left alone: a rank begins late, its processor is held up before a
   packet by something else, and its network card takes only so many messages ahead. Program to
   program. */
#ifndef TOURNEY_REPRODUCE_DISTURB_H
#define TOURNEY_REPRODUCE_DISTURB_H

#include <tourney/simulate.h>

struct tny_disturbance {
  double late_ns; /* a rank's first send comes up to so late, evenly distributed */
  double chance,
      held_ns; /* before any other, a rank is held up for 0 to 2 held_ns with the chance */
  uint32_t card_messages; /* a send waits for the one so many before it to have left; 0: doesn't */
  uint64_t seed;
};
/* Owns: *out by tny_program_free. */
enum tny_status tny_disturb(const struct tny_program *in, const struct tny_disturbance *how,
                            struct tny_program **out, struct tny_error *error) TNY_MUST_CHECK;

#endif
