/* Claim: compares rounds, blocks and phases with what the algorithm claims. */
#include <tourney/verify.h>

#include "core/error.h"

enum tny_status tny_verify_claim(const struct tny_report *report, const struct tny_claim *claim,
                                 struct tny_error *error)
{
  if (claim->rounds != 0 && report->rounds != claim->rounds)
    return tny_error_set(error, TNY_BROKEN, "the schedule takes %u rounds, its algorithm claims %u",
                         report->rounds, claim->rounds);
  if (report->blocks_sent_max > claim->blocks_sent_max ||
      (report->blocks_sent_max < claim->blocks_sent_max && !claim->blocks_are_at_most))
    return tny_error_set(
        error, TNY_BROKEN, "a rank sends %llu blocks, the algorithm claims at most %llu",
        (unsigned long long)report->blocks_sent_max, (unsigned long long)claim->blocks_sent_max);
  if (claim->blocks_received_max != 0 && report->blocks_received_max > claim->blocks_received_max)
    return tny_error_set(error, TNY_BROKEN,
                         "a rank receives %llu blocks, the algorithm claims at most %llu",
                         (unsigned long long)report->blocks_received_max,
                         (unsigned long long)claim->blocks_received_max);
  if (report->phases != claim->phases)
    return tny_error_set(error, TNY_BROKEN, "the schedule has %u phases, its algorithm claims %u",
                         report->phases, claim->phases);
  if (claim->phases > 0 && report->unphased > 0)
    return tny_error_set(
        error, TNY_BROKEN, "%llu of %llu messages have no phase, the algorithm claims %u phases",
        (unsigned long long)report->unphased, (unsigned long long)report->messages, claim->phases);
  return TNY_OK;
}
