/* Reads a whole file, and writes one. */
#ifndef TOURNEY_CORE_FILE_H
#define TOURNEY_CORE_FILE_H

#include <stddef.h>

#include <tourney/status.h>

/* Reads the file as one NUL-terminated text, without a byte order mark (Owns: caller's,
   tny_text_free). A directory, a file longer than a quarter of the memory there is, or one with a
   NUL byte is TNY_BAD_INPUT. */
enum tny_status tny_file_read(const char *path, char **text,
                              struct tny_error *error) TNY_MUST_CHECK;
/* Reads the file as `*count` bytes of any sort (Owns: caller's, tny_free). Errors: as above, but
   for NUL bytes. */
enum tny_status tny_file_read_bytes(const char *path, char **bytes, size_t *count,
                                    struct tny_error *error) TNY_MUST_CHECK;
/* Writes a text to the file, beside it first, and renamed: it appears whole or not at all, unless
   the process is ended meanwhile. Errors: TNY_SYSTEM. */
enum tny_status tny_file_write(const char *path, const char *text,
                               struct tny_error *error) TNY_MUST_CHECK;

#endif
