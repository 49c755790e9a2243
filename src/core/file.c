/* Reading a whole file. */
#include "core/file.h"

#include <errno.h>
#include <sys/stat.h>

#include "core/alloc.h"
#include "core/error.h"

enum { FILE_BYTES_MAX = 64 << 20 };

/* Reads until the end of the stream, growing the text as it comes (pipes have no size). */
static enum tny_status read_stream(FILE *stream, const char *path, char **text,
                                   struct tny_error *error)
{
  size_t length = 0, room = 4096;
  char *bytes = tny_new(room, 1);
  while (bytes) {
    length += fread(bytes + length, 1, room - length - 1, stream);
    if (length + 1 < room || length > FILE_BYTES_MAX)
      break;
    room *= 2;
    char *grown = tny_resize(bytes, room, 1);
    if (!grown)
      tny_free(bytes);
    bytes = grown;
  }
  if (!bytes)
    return tny_error_memory(error);
  bytes[length] = '\0';
  enum tny_status status = TNY_OK;
  if (ferror(stream))
    status = tny_error_at(error, TNY_BAD_INPUT, path, 0, 0, "can't be read");
  else if (length > FILE_BYTES_MAX)
    status = tny_error_at(error, TNY_BAD_INPUT, path, 0, 0, "over 64 MiB long");
  else if (strlen(bytes) != length)
    status = tny_error_at(error, TNY_BAD_INPUT, path, 0, 0, "not a text: it has a NUL byte");
  if (status == TNY_OK)
    *text = bytes;
  else
    tny_free(bytes);
  return status;
}

enum tny_status tny_file_read(const char *path, char **text, struct tny_error *error)
{
  *text = NULL;
  const int errno_before = errno;
  FILE *stream = fopen(path, "rb");
  if (!stream) {
    tny_error_at(error, TNY_BAD_INPUT, path, 0, 0, "can't be opened: %s", strerror(errno));
    errno = errno_before;
    return TNY_BAD_INPUT;
  }
  const enum tny_status status = read_stream(stream, path, text, error);
  fclose(stream);
  errno = errno_before;
  return status;
}
