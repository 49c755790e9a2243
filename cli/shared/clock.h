/* Time that passes, for progress and for how long work took. */
#ifndef TOURNEY_CLI_CLOCK_H
#define TOURNEY_CLI_CLOCK_H

/* Seconds since some moment in the past, by a clock that is never set. */
double clock_seconds(void);

#endif
