/* The rates of a network whose description has none: said by the user or the site, or those of this
   machine's interfaces. */
#ifndef TOURNEY_LAUNCH_RATES_H
#define TOURNEY_LAUNCH_RATES_H

#include <stdint.h>

#include <tourney/status.h>

/* A rate and who said it, "--link", "TOURNEY_LINK", "eth0's speed on this host". */
struct launch_rate {
  uint64_t bps; /* 0: not known */
  char by[128];
};

struct launch_rates {
  struct launch_rate link;  /* of the hosts' cables */
  struct launch_rate trunk; /* of those between switches; not known: as the hosts' */
};

/* Fills in what isn't known yet: by TOURNEY_LINK and TOURNEY_TRUNK, then by the file `rates` of the
   site's folder, then the hosts' by the interfaces below `system` ("/sys"). `site` may be NULL.
   Errors: a variable or a line of the file that isn't understood. */
enum tny_status launch_rates_find(struct launch_rates *rates, const char *site, const char *system,
                                  struct tny_error *error) TNY_MUST_CHECK;
/* An option's rate, into a struct launch_rate; `by` is what the option is called. */
enum tny_status launch_rate_take(struct launch_rate *rate, const char *by, const char *value,
                                 struct tny_error *error) TNY_MUST_CHECK;

#endif
