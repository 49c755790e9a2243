/* The profile made of what was found, and what a person sees of it. */
#ifndef TOURNEY_TUNE_RESULT_H
#define TOURNEY_TUNE_RESULT_H

#include "findings.h"

/* Puts the profile together. Owns: profile_file_release, also after a failure. */
enum tny_status tune_result_make(const struct tune_findings *findings,
                                 const struct tny_network *network, struct profile_file *file,
                                 struct tny_error *error) TNY_MUST_CHECK;
/* The machine's parameters, and for each row native and the fastest. Owns: *text is the caller's
   (tny_text_free). */
enum tny_status tune_result_show(const struct profile_file *file, char **text,
                                 struct tny_error *error) TNY_MUST_CHECK;

#endif
