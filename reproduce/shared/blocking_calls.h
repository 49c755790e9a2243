/* Schedules as blocking calls would execute them. Our schedules wait for data alone; the papers'
   authors wrote loops of blocking sends and receives, whose order makes ranks wait for more. A
   schedule goes in, and one with these waits comes out. */
#ifndef TOURNEY_REPRODUCE_BLOCKING_CALLS_H
#define TOURNEY_REPRODUCE_BLOCKING_CALLS_H

#include <tourney/schedule.h>

/* A loop of send-receive calls, from a phase on. A rank deals with one partner at a time, in the
   order of its list: where both have the same phase it sends to a rank and receives from the same
   one at once, and it goes on when the call is complete. A send is a rendezvous: it waits for a
   token by which its receiver says that it has made its call. Owns: *out is the caller's. Errors:
   TNY_REFUSED for schedules that have tokens. */
enum tny_status tny_blocking_one_partner(const struct tny_schedule *in, uint32_t first_phase,
                                         struct tny_schedule **out,
                                         struct tny_error *error) TNY_MUST_CHECK;
/* A loop of rounds, each with a wait for all at its end. So many phases make a round: a rank's
   first send of a round waits for all its messages of the round before. Owns: *out is the
   caller's. */
enum tny_status tny_blocking_in_rounds(const struct tny_schedule *in, uint32_t phases,
                                       struct tny_schedule **out,
                                       struct tny_error *error) TNY_MUST_CHECK;

#endif
