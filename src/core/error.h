/* Functions that fill in a struct tny_error. */
#ifndef TOURNEY_CORE_ERROR_H
#define TOURNEY_CORE_ERROR_H

#include <tourney/status.h>

/* Records the error unless one is recorded already; returns `status`. error may be NULL. */
enum tny_status tny_error_set(struct tny_error *error, enum tny_status status, const char *format,
                              ...) TNY_PRINTF(3, 4);
/* The same with a file, line and column; line and column 0: none. */
enum tny_status tny_error_at(struct tny_error *error, enum tny_status status, const char *file,
                             unsigned line, unsigned column, const char *format, ...)
    TNY_PRINTF(6, 7);
/* "out of memory"; returns TNY_NO_MEMORY. */
enum tny_status tny_error_memory(struct tny_error *error);

#endif
