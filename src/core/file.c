/* Reads a whole file, and writes one. */
#include "core/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <unistd.h>

#include "core/alloc.h"
#include "core/error.h"

/* What is made of a text takes one and a half times its bytes beside it, as measured for schedules,
   and doubling its room while it's read may take as much; with more than this of the memory, a
   machine would swap, or end other programs. */
enum { MEMORY_PER_BYTE = 4 };

/* What is in a file. */
struct content {
  char *bytes;
  size_t count;
};

/* The longest text, by the machine's memory and by what the process may have of it. */
static uint64_t file_bytes_max(void)
{
  const long pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
  uint64_t memory = UINT64_MAX;
  if (pages > 0 && page_bytes > 0)
    memory = (uint64_t)pages * (uint64_t)page_bytes;
  struct rlimit space = {.rlim_cur = RLIM_INFINITY}, data = space;
  (void)getrlimit(RLIMIT_AS, &space);
  (void)getrlimit(RLIMIT_DATA, &data);
  const rlim_t least = space.rlim_cur < data.rlim_cur ? space.rlim_cur : data.rlim_cur;
  return (least < memory ? least : memory) / MEMORY_PER_BYTE;
}

/* A byte order mark says that the text is in UTF-8, which it is anyway. */
static void drop_mark(char *text)
{
  static const char mark[] = "\xEF\xBB\xBF";
  const size_t bytes = sizeof mark - 1;
  if (strncmp(text, mark, bytes) == 0)
    memmove(text, text + bytes, strlen(text + bytes) + 1);
}

/* Reads until the end of the stream, growing what there is as it comes (pipes have no size), and
   ends it with a NUL. A text has no other. */
static enum tny_status read_stream(FILE *stream, const char *path, bool must_be_text,
                                   struct content *content, struct tny_error *error)
{
  const uint64_t most = file_bytes_max();
  size_t length = 0, room = 4096;
  bool is_text = true;
  char *bytes = tny_new(room, 1);
  while (bytes) {
    const size_t more = fread(bytes + length, 1, room - length - 1, stream);
    is_text = !must_be_text || !memchr(bytes + length, '\0', more);
    length += more;
    if (length + 1 < room || length > most || !is_text)
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
  else if (length > most)
    status = tny_error_at(error, TNY_BAD_INPUT, path, 0, 0,
                          "longer than %llu MiB, a quarter of the memory there is for it; what is "
                          "made of it takes about three quarters",
                          (unsigned long long)(most >> 20));
  else if (!is_text)
    status = tny_error_at(error, TNY_BAD_INPUT, path, 0, 0, "not a text: it has a NUL byte");
  if (status == TNY_OK)
    *content = (struct content){bytes, length};
  else
    tny_free(bytes);
  return status;
}

static enum tny_status read_file(const char *path, bool must_be_text, struct content *content,
                                 struct tny_error *error)
{
  const int errno_before = errno;
  FILE *stream = fopen(path, "rb");
  *content = (struct content){0};
  if (!stream) {
    tny_error_at(error, TNY_BAD_INPUT, path, 0, 0, "can't be opened: %s", strerror(errno));
    errno = errno_before;
    return TNY_BAD_INPUT;
  }
  const enum tny_status status = read_stream(stream, path, must_be_text, content, error);
  fclose(stream);
  errno = errno_before;
  return status;
}

enum tny_status tny_file_read(const char *path, char **text, struct tny_error *error)
{
  struct content content;
  const enum tny_status status = read_file(path, true, &content, error);
  if (status == TNY_OK)
    drop_mark(content.bytes);
  *text = content.bytes;
  return status;
}

enum tny_status tny_file_read_bytes(const char *path, char **bytes, size_t *count,
                                    struct tny_error *error)
{
  struct content content;
  const enum tny_status status = read_file(path, false, &content, error);
  *bytes = content.bytes;
  *count = content.count;
  return status;
}

static enum tny_status complain(const char *path, struct tny_error *error)
{
  return tny_error_at(error, TNY_SYSTEM, path, 0, 0, "can't be written: %s", strerror(errno));
}

static enum tny_status write_file(const char *path, const char *text, struct tny_error *error)
{
  char temporary[PATH_MAX];
  if (snprintf(temporary, sizeof temporary, "%s.%ld", path, (long)getpid()) >= PATH_MAX) {
    errno = ENAMETOOLONG;
    return complain(path, error);
  }
  const int descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  FILE *stream = descriptor < 0 ? NULL : fdopen(descriptor, "w");
  if (!stream)
    return complain(path, error);
  const bool is_written = fputs(text, stream) != EOF;
  const bool is_closed = fclose(stream) != EOF;
  if (is_written && is_closed && rename(temporary, path) == 0)
    return TNY_OK;
  const enum tny_status status = complain(path, error);
  unlink(temporary);
  return status;
}

enum tny_status tny_file_write(const char *path, const char *text, struct tny_error *error)
{
  const int errno_before = errno;
  const enum tny_status status = write_file(path, text, error);
  errno = errno_before;
  return status;
}
