/* What a profile knows of the MPI's own algorithms, as files that MPIs read. */
#ifndef TOURNEY_TUNE_EXPORT_H
#define TOURNEY_TUNE_EXPORT_H

#include "cli/shared/profile/profile_file.h"

enum tune_export { TUNE_EXPORT_NONE, TUNE_EXPORT_OPENMPI_RULES, TUNE_EXPORT_MPICH_JSON };

/* Open MPI's dynamic rules (4.1: coll_tuned_dynamic_rules_filename): for communicators of as many
   ranks as were measured, the fastest of its own algorithms by size; all else stays as Open MPI
   decides. Owns: *text is the caller's (tny_text_free). Errors: TNY_REFUSED where the profile has
   none of them. */
enum tny_status tune_export_openmpi(const struct profile_file *file, char **text,
                                    struct tny_error *error) TNY_MUST_CHECK;
/* MPICH's selection (MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE): the same for the algorithms that
   both have. `base` is the path of MPICH's own selection, of which all else is kept: its reader
   wants a file that is complete. Owns and errors: as above. */
enum tny_status tune_export_mpich(const struct profile_file *file, const char *base, char **text,
                                  struct tny_error *error) TNY_MUST_CHECK;

#endif
