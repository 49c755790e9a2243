/* Holding signals. */
#include "signals.h"

#include <stddef.h>

void signals_hold(struct signals_held *held)
{
  static const int ends[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
  sigemptyset(&held->set);
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
    struct sigaction action;
    if (sigaction(ends[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
      sigaddset(&held->set, ends[i]);
  }
  sigprocmask(SIG_BLOCK, &held->set, &held->before);
}

void signals_release(const struct signals_held *held)
{
  sigprocmask(SIG_SETMASK, &held->before, NULL);
}
