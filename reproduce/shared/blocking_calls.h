/* Schedules as programs of blocking calls would have them: the papers' authors wrote loops of sends
   and receives, ours wait for data alone. Schedule to schedule. */
#ifndef TOURNEY_REPRODUCE_CALLS_H
#define TOURNEY_REPRODUCE_CALLS_H

#include <tourney/schedule.h>

/* From a phase on, a rank deals with one partner at a time, in the order of its list: it sends to a
   rank and takes from the same one at once where both have the same phase, and goes on when that is
   done. A send waits for a token that says that its receiver is there (a rendezvous). Refuses
   schedules with tokens. Owns: *out is the caller's. */
enum tny_status tny_calls_one_partner(const struct tny_schedule *in, uint32_t first_phase,
                                      struct tny_schedule **out,
                                      struct tny_error *error) TNY_MUST_CHECK;
/* So many phases make a round: a rank's first send of a round waits for all its messages of the
   round before. Owns: as above. */
enum tny_status tny_calls_in_rounds(const struct tny_schedule *in, uint32_t phases,
                                    struct tny_schedule **out,
                                    struct tny_error *error) TNY_MUST_CHECK;

#endif
