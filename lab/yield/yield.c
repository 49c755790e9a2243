/* A library to preload under MPICH over UCX, where many ranks share few processors, as in the lab
   and in tests.

   A rank that looks for messages and finds none lets another process run: MPICH polls without ever
   giving its processor away, so that ranks would move from one time slice to the next. Open MPI
   yields by itself (mpi_yield_when_idle).

   Where TOURNEY_YIELD_SLEEPS is set, which says that messages come over TCP alone, a rank that
   looks again sleeps until a message comes: MPICH's looking costs more than Open MPI's, so that
   with eight ranks a processor it is long until a message's receiver has its turn.

   A rank that has ended its connections in MPI_Finalize doesn't wait for answers for ever: MPICH
   4.0.2 does, though the other end may have stopped looking for messages, and then hangs over TCP
   every other time. */
#include <dlfcn.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define ANSWER_SECONDS 0.5
#define SOON_SECONDS 20e-6 /* who looks this soon again only waits */
enum { SLEEP_MS = 5 };     /* at most: what UCX has to do without a message is late by that */

/* UCX's own functions, by which MPICH asks for progress, ends a connection, and asks whether that
   is done; and by which UCX's TCP asks, without waiting, where there is something to do. Its codes
   are a byte each. */
#define UCX __attribute__((visibility("default")))
UCX unsigned ucp_worker_progress(void *worker);
UCX void *ucp_disconnect_nb(void *connection);
UCX int ucp_request_is_completed(void *request);
UCX signed char ucs_event_set_wait(void *set, unsigned *count, int timeout_ms, void *handler,
                                   void *argument);

static struct {
  __typeof__(ucp_worker_progress) *progress;
  __typeof__(ucp_disconnect_nb) *disconnect;
  __typeof__(ucp_request_is_completed) *ask;
  __typeof__(ucs_event_set_wait) *wait;
} next;

/* A thread's looking for messages. */
static _Thread_local struct {
  bool waits;       /* soon after the last, in vain: sleeps until there is something to do */
  double last_vain; /* when the last was, in seconds; 0: it wasn't in vain */
} look;
static bool may_sleep;

static bool is_ending;
static double last_event; /* or the begin of the end; in seconds */

static double now(void)
{
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void find(const char *name, void *function)
{
  const void *found = dlsym(RTLD_NEXT, name);
  memcpy(function, &found, sizeof found);
}

/* When the library is loaded, or before that, where another has initialised the MPI first. */
__attribute__((constructor)) static void find_functions(void)
{
  if (next.ask)
    return;
  find("ucp_worker_progress", &next.progress);
  find("ucp_disconnect_nb", &next.disconnect);
  find("ucp_request_is_completed", &next.ask);
  find("ucs_event_set_wait", &next.wait);
  may_sleep = getenv("TOURNEY_YIELD_SLEEPS") != NULL;
}

signed char ucs_event_set_wait(void *set, unsigned *count, int timeout_ms, void *handler,
                               void *argument)
{
  find_functions();
  return next.wait(set, count, look.waits && timeout_ms == 0 ? SLEEP_MS : timeout_ms, handler,
                   argument);
}

unsigned ucp_worker_progress(void *worker)
{
  find_functions();
  look.waits = may_sleep && now() - look.last_vain < SOON_SECONDS;
  const unsigned events = next.progress(worker);
  look.waits = false;
  look.last_vain = 0;
  if (events == 0) {
    sched_yield();
    if (may_sleep)
      look.last_vain = now();
  } else if (is_ending) {
    last_event = now();
  }
  return events;
}

void *ucp_disconnect_nb(void *connection)
{
  find_functions();
  is_ending = true;
  last_event = now();
  return next.disconnect(connection);
}

int ucp_request_is_completed(void *request)
{
  find_functions();
  return (is_ending && now() - last_event > ANSWER_SECONDS) || next.ask(request);
}
