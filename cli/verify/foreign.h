/* Schedules in other tools' forms, proved. The proof is the library's (<tourney/exchange.h>). */
#ifndef TOURNEY_VERIFY_FOREIGN_H
#define TOURNEY_VERIFY_FOREIGN_H

#include <tourney/exchange.h>

#include "cli/shared/mapping.h"
#include "core/text.h"

/* What to prove, and on which network. All borrowed. */
struct verify_foreign {
  struct tny_foreign *foreign;
  const struct tny_foreign_wanted *wanted; /* NULL: not known */
  const struct mapping_wanted *where;      /* its cluster NULL: nothing about links */
  uint64_t block_bytes;                    /* of MSCCL's blocks */
  bool all_links;
};

/* Adds what was proved. Errors: TNY_BROKEN with the counterexample. */
enum tny_status verify_foreign(const struct verify_foreign *subject, struct tny_text *text,
                               struct tny_error *error) TNY_MUST_CHECK;

#endif
