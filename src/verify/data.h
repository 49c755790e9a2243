/* Data: every rank ends with the right blocks. */
#ifndef TOURNEY_VERIFY_DATA_H
#define TOURNEY_VERIFY_DATA_H

#include "verify/progress.h"

/* tny_verify_data of what was matched, or tny_verify_in_place. `progress` is what was
   found of it; NULL: nothing yet. `bits`, of a reduction; NULL: not asked for. */
enum tny_status tny_data_check(const struct tny_match *match, const struct tny_progress *progress,
                               bool in_place, struct tny_bits_found *bits,
                               struct tny_error *error) TNY_MUST_CHECK;

#endif
