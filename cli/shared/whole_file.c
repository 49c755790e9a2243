/* Writes a temporary file beside the one that is wanted, and renames it. */
#include "whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "signals.h"

static enum tny_status complain(const char *path, struct tny_error *error)
{
  return tny_error_at(error, TNY_SYSTEM, path, 0, 0, "can't be written: %s", strerror(errno));
}

/* A pipe or a device must not be replaced by a file. */
static enum tny_status open_in_place(struct whole_file *file, struct tny_error *error)
{
  file->stream = fopen(file->path, "we");
  return file->stream ? TNY_OK : complain(file->path, error);
}

enum tny_status whole_file_open(struct whole_file *file, const char *path, struct tny_error *error)
{
  *file = (struct whole_file){0};
  struct stat found;
  const bool exists = !stat(path, &found);
  if (!exists || !realpath(path, file->path))
    snprintf(file->path, sizeof file->path, "%s", path);
  if (exists && !S_ISREG(found.st_mode))
    return open_in_place(file, error);
  const int length = snprintf(file->temporary, sizeof file->temporary, "%s.XXXXXX", file->path);
  const int descriptor =
      length < (int)sizeof file->temporary ? mkostemp(file->temporary, O_CLOEXEC) : -1;
  if (descriptor < 0)
    return complain(path, error);
  const mode_t mask = umask(0);
  umask(mask);
  fchmod(descriptor, exists ? found.st_mode & 07777 : 0666 & ~mask);
  file->stream = fdopen(descriptor, "w");
  if (!file->stream) {
    close(descriptor);
    unlink(file->temporary);
    return complain(path, error);
  }
  return TNY_OK;
}

static enum tny_status finish(struct whole_file *file, const void *bytes, size_t count,
                              struct tny_error *error)
{
  const bool written = fwrite(bytes, 1, count, file->stream) == count;
  const bool closed = fclose(file->stream) != EOF;
  file->stream = NULL;
  if (written && closed && (!*file->temporary || !rename(file->temporary, file->path)))
    return TNY_OK;
  const enum tny_status status = complain(file->path, error);
  if (*file->temporary)
    unlink(file->temporary);
  return status;
}

enum tny_status whole_file_finish(struct whole_file *file, const char *text,
                                  struct tny_error *error)
{
  return finish(file, text, strlen(text), error);
}

enum tny_status whole_file_write_bytes(const char *path, const void *bytes, size_t count,
                                       struct tny_error *error)
{
  struct whole_file file;
  struct signals_blocked blocked;
  signals_block(&blocked);
  enum tny_status status = whole_file_open(&file, path, error);
  if (status == TNY_OK)
    status = finish(&file, bytes, count, error);
  signals_release(&blocked);
  return status;
}

enum tny_status whole_file_write(const char *path, const char *text, struct tny_error *error)
{
  return whole_file_write_bytes(path, text, strlen(text), error);
}

void whole_file_abandon(struct whole_file *file)
{
  if (!file->stream)
    return;
  fclose(file->stream);
  file->stream = NULL;
  if (*file->temporary)
    unlink(file->temporary);
}
