/* Claim: rounds and blocks are what the algorithm says. */
#include <tourney/verify.h>

#include "core/error.h"

enum tny_status tny_verify_claim(const struct tny_report *report, const struct tny_claim *claim,
                                 struct tny_error *error)
{
  if (claim->rounds != 0 && report->rounds != claim->rounds)
    return tny_error_set(error, TNY_BROKEN, "the schedule takes %u rounds, its algorithm claims %u",
                         report->rounds, claim->rounds);
  if (report->blocks_sent_max != claim->blocks_sent_max)
    return tny_error_set(
        error, TNY_BROKEN, "a rank sends %llu blocks, the algorithm claims at most %llu",
        (unsigned long long)report->blocks_sent_max, (unsigned long long)claim->blocks_sent_max);
  return TNY_OK;
}
