/* What a schedule leaves in the memory of all ranks. */
#ifndef TOURNEY_VERIFY_CONTENTS_H
#define TOURNEY_VERIFY_CONTENTS_H

#include "verify/locations.h"
#include "verify/progress.h"
#include "verify/trees.h"

struct tny_contents {
  struct tny_trees *trees; /* borrowed; several contents may share them */
  bool in_place;           /* this and the trees are for the caller to set */
  const struct tny_match *match;
  struct tny_locations locations;
  /* By rank and location: an input block, or a tree of them, by its number; 0: nothing. Chunks need
     no name: messages, copies and reduces keep the chunk number. */
  uint64_t *of;
};

/* Checks for hazards, then follows a run: the one that showed progress, or any other where that is
   NULL. Errors: TNY_BROKEN with the hazard or deadlock; TNY_REFUSED where it's too large. The
   caller releases it after errors as well. */
enum tny_status tny_contents_make(const struct tny_match *match,
                                  const struct tny_progress *progress,
                                  struct tny_contents *contents,
                                  struct tny_error *error) TNY_MUST_CHECK;
void tny_contents_release(struct tny_contents *contents);

/* Of a rank's output, chunk by chunk. */
static inline const uint64_t *tny_contents_output(const struct tny_contents *contents,
                                                  uint32_t rank)
{
  const struct tny_locations *locations = &contents->locations;
  return contents->of + rank * locations->count +
         locations->first_block[TNY_OUTPUT] * (uint64_t)locations->chunk_count;
}

#endif
