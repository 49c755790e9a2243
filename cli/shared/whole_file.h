/* A file that appears whole or not at all. */
#ifndef TOURNEY_WHOLE_FILE_H
#define TOURNEY_WHOLE_FILE_H

#include <limits.h>
#include <stdio.h>

#include <tourney/status.h>

/* All zero is closed. */
struct whole_file {
  FILE *stream;
  char path[PATH_MAX];
  char temporary[PATH_MAX]; /* "": written in place, for what isn't a regular file */
};

/* Opens a temporary file beside `path`, so that a folder that can't be written shows now and not
   after the work. Signals must be blocked until the file is finished or abandoned (signals.h), or
   one that ends this process leaves the temporary file behind. */
enum tny_status whole_file_open(struct whole_file *file, const char *path,
                                struct tny_error *error) TNY_MUST_CHECK;
/* Writes `text` and puts the file in place. */
enum tny_status whole_file_finish(struct whole_file *file, const char *text,
                                  struct tny_error *error) TNY_MUST_CHECK;
/* Opens, writes and finishes at once; signals are blocked meanwhile. */
enum tny_status whole_file_write(const char *path, const char *text,
                                 struct tny_error *error) TNY_MUST_CHECK;
/* The same of any bytes. */
enum tny_status whole_file_write_bytes(const char *path, const void *bytes, size_t count,
                                       struct tny_error *error) TNY_MUST_CHECK;
/* Leaves `path` as it was; nothing to do for one that is closed. */
void whole_file_abandon(struct whole_file *file);

#endif
