/* What every step must be, by itself. */
#ifndef TOURNEY_SCHEDULE_SHAPE_H
#define TOURNEY_SCHEDULE_SHAPE_H

#include <tourney/schedule.h>

/* Is every step well formed: peers, spans and `after` in range? Errors: TNY_BROKEN. */
enum tny_status tny_shape_check(const struct tny_schedule *schedule,
                                struct tny_error *error) TNY_MUST_CHECK;

#endif
