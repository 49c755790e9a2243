/* One rank's steps in few bytes: what a rank is handed, and what is kept in files. */
#ifndef TOURNEY_SCHEDULE_PACK_H
#define TOURNEY_SCHEDULE_PACK_H

#include <tourney/schedule.h>

#include "core/bytes.h"

/* Appends the steps: mostly one to four bytes a step, since a step is told by how it differs from
   the last one of its kind; then a check of eight bytes. A failure shows in `into`. */
void tny_steps_pack(const struct tny_steps *steps, struct tny_bytes *into);
/* Reads them again, from exactly so many bytes. Nothing that the bytes say is trusted; what peers
   and blocks there are is for tny_well_formed_check_rank to look at. Memory: in proportion to the
   bytes. Owns: *steps is the caller's (tny_steps_release). Errors: TNY_BAD_INPUT where it isn't
   what tny_steps_pack writes. */
enum tny_status tny_steps_unpack(const uint8_t *bytes, size_t count, struct tny_steps *steps,
                                 struct tny_error *error) TNY_MUST_CHECK;

#endif
