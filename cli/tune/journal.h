/* The journal beside the profile: what was found so far, for a run that goes on with it. */
#ifndef TOURNEY_TUNE_JOURNAL_H
#define TOURNEY_TUNE_JOURNAL_H

#include <limits.h>
#include <stdio.h>

#include "findings.h"

/* All zero is closed. */
struct tune_journal {
  FILE *stream;
  char path[PATH_MAX];
  struct tny_fingerprint fingerprint; /* of what was read */
  bool was_there;
  double seconds_before; /* that earlier runs took */
};

/* Begins anew: what a journal of this profile has doesn't count. */
enum tny_status tune_journal_begin(struct tune_journal *journal, const char *output,
                                   struct tny_error *error) TNY_MUST_CHECK;
/* Reads the journal of the profile `output`, where there is one. Errors: TNY_BAD_INPUT where it is
   something else. */
enum tny_status tune_journal_read(struct tune_journal *journal, const char *output,
                                  struct tune_findings *findings,
                                  struct tny_error *error) TNY_MUST_CHECK;
/* Writes what is found so far and stays open. Errors: TNY_REFUSED where what was read is of other
   ranks or another cluster. */
enum tny_status tune_journal_open(struct tune_journal *journal,
                                  const struct tny_fingerprint *fingerprint,
                                  const struct tune_findings *findings,
                                  struct tny_error *error) TNY_MUST_CHECK;
/* Appends text that must survive. */
enum tny_status tune_journal_add(struct tune_journal *journal, const char *text,
                                 struct tny_error *error) TNY_MUST_CHECK;
/* Closes; removes it where the profile is written. */
void tune_journal_close(struct tune_journal *journal, bool remove_it);

#endif
