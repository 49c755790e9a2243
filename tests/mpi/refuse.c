/* Stands in for the verifier in a runtime of its own, so that a test sees what becomes of plans
   that aren't proved: it finds fault with every broadcast, and with nothing else. */
#include <tourney/verify.h>

#include "core/error.h"

enum tny_status tny_verify_as_run(const struct tny_schedule *schedule, struct tny_error *error)
{
  if (schedule->collective != TNY_BROADCAST)
    return TNY_OK;
  return tny_error_set(error, TNY_BROKEN, "rank 1 step 0 is wrong, says the test");
}
