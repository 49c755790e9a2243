/* The signals that ask this process to end: blocked while nothing may be left half done, or
   caught so that a long run ends cleanly. */
#ifndef TOURNEY_CLI_SIGNALS_H
#define TOURNEY_CLI_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

/* --- blocked --- */

struct signals_blocked {
  sigset_t set;    /* what is blocked */
  sigset_t before; /* the mask that programs we start are to have */
};

/* Blocks SIGINT, SIGTERM, SIGHUP and SIGQUIT, but for those that are ignored (nohup). Threads: the
   caller must have only one. */
void signals_block(struct signals_blocked *blocked);
/* Those that came meanwhile come now. */
void signals_release(const struct signals_blocked *blocked);

/* --- caught --- */

enum { SIGNALS_CAUGHT_COUNT = 3 };
struct signals_caught {
  struct sigaction before[SIGNALS_CAUGHT_COUNT];
};

/* From now on the first SIGINT, SIGTERM or SIGHUP only sets what signals_came says, and a second
   one ends the process at once. One that is ignored stays so. */
void signals_catch(struct signals_caught *caught);
/* Has one of them come? */
bool signals_came(void);
/* As it was before signals_catch. */
void signals_leave(const struct signals_caught *caught);

#endif
