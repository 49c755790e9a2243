/* Proving registered algorithms over many clusters, and the tables of what was proved. */
#ifndef TOURNEY_VERIFY_ALGORITHMS_H
#define TOURNEY_VERIFY_ALGORITHMS_H

#include "cli/shared/mapping.h"

struct verify_wanted {
  struct mapping_wanted where;        /* its cluster NULL: the families of clusters (cases.h) */
  const char *collective, *algorithm; /* only these; NULL: all */
  uint64_t block_bytes;
  uint32_t jobs; /* worker processes */
  bool all;      /* every cluster of the families and every root, not only some */
};

/* Proves, and says how much. Owns: *shown by tny_text_free. Errors: TNY_BROKEN with the
   counterexample; TNY_BAD_INPUT where there is no such algorithm. */
enum tny_status verify_algorithms(const struct verify_wanted *wanted, char **shown,
                                  struct tny_error *error) TNY_MUST_CHECK;

#endif
