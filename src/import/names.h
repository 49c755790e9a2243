/* Names in what is imported: patterns that choose some, and files that are named after systems. */
#ifndef TOURNEY_IMPORT_NAMES_H
#define TOURNEY_IMPORT_NAMES_H

#include <stdbool.h>

#include "core/hostlist.h"

/* Whether the name matches one of several shell patterns, with commas between them. */
bool tny_names_match(const char *patterns, const char *name);
/* The file's name without folder and ending, as a system's name. */
enum tny_status tny_names_of_file(const char *path, char name[TNY_NAME_BYTES_MAX + 1],
                                  struct tny_error *error) TNY_MUST_CHECK;

#endif
