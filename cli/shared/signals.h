/* The signals that ask this process to end, held back while nothing may be left half done. */
#ifndef TOURNEY_SIGNALS_H
#define TOURNEY_SIGNALS_H

#include <signal.h>

struct signals_held {
  sigset_t set;    /* what is held */
  sigset_t before; /* the mask that programs we start are to have */
};

/* Holds SIGINT, SIGTERM, SIGHUP and SIGQUIT, but for those that are ignored (nohup). Threads: the
   caller must have only one. */
void signals_hold(struct signals_held *held);
/* Those that came meanwhile come now. */
void signals_release(const struct signals_held *held);

#endif
