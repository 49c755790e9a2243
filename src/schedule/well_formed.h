/* Schedules whose steps make no sense are found before anything else looks at them. */
#ifndef TOURNEY_SCHEDULE_WELL_FORMED_H
#define TOURNEY_SCHEDULE_WELL_FORMED_H

#include <tourney/schedule.h>

/* Is every step well formed: are peers, spans and `after` in range? Errors:
   TNY_BROKEN. */
enum tny_status tny_well_formed_check(const struct tny_schedule *schedule,
                                      struct tny_error *error) TNY_MUST_CHECK;
/* Are one rank's? The schedule need not have the others'. */
enum tny_status tny_well_formed_check_rank(const struct tny_schedule *schedule, uint32_t rank,
                                           struct tny_error *error) TNY_MUST_CHECK;

#endif
