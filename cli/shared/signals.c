/* Signals, blocked and caught. */
#include "signals.h"

#include <stddef.h>

static const int ends[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

static bool is_ignored(int number)
{
  struct sigaction action;
  return sigaction(number, NULL, &action) != 0 || action.sa_handler == SIG_IGN;
}

void signals_block(struct signals_blocked *blocked)
{
  sigemptyset(&blocked->set);
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
    if (!is_ignored(ends[i]))
      sigaddset(&blocked->set, ends[i]);
  sigprocmask(SIG_BLOCK, &blocked->set, &blocked->before);
}

void signals_release(const struct signals_blocked *blocked)
{
  sigprocmask(SIG_SETMASK, &blocked->before, NULL);
}

static volatile sig_atomic_t has_come;

static void note_signal(int number)
{
  (void)number;
  has_come = 1;
}

void signals_catch(struct signals_caught *caught)
{
  const struct sigaction action = {.sa_handler = note_signal, .sa_flags = (int)SA_RESETHAND};
  for (int i = 0; i < SIGNALS_CAUGHT_COUNT; i++) {
    sigaction(ends[i], NULL, &caught->before[i]);
    if (!is_ignored(ends[i]))
      sigaction(ends[i], &action, NULL);
  }
}

bool signals_came(void)
{
  return has_come;
}

void signals_leave(const struct signals_caught *caught)
{
  for (int i = 0; i < SIGNALS_CAUGHT_COUNT; i++)
    sigaction(ends[i], &caught->before[i], NULL);
}
