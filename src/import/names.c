/* Patterns of names, and names of files. */
#include "import/names.h"

#include <fnmatch.h>

#include "core/error.h"

bool tny_names_match(const char *patterns, const char *name)
{
  char pattern[TNY_NAME_BYTES_MAX + 1];
  for (const char *at = patterns; at; at = *at ? at + 1 : NULL) {
    const size_t length = strcspn(at, ",");
    if (length < sizeof pattern) {
      memcpy(pattern, at, length);
      pattern[length] = '\0';
      if (length && fnmatch(pattern, name, 0) == 0)
        return true;
    }
    at += length;
  }
  return false;
}

enum tny_status tny_names_of_file(const char *path, char name[TNY_NAME_BYTES_MAX + 1],
                                  struct tny_error *error)
{
  const char *slash = strrchr(path, '/');
  const char *base = slash ? slash + 1 : path;
  const char *dot = strrchr(base, '.');
  const size_t length = dot && dot != base ? (size_t)(dot - base) : strlen(base);
  if (length > TNY_NAME_BYTES_MAX)
    return tny_error_at(error, TNY_BAD_INPUT, path, 0, 0,
                        "the file's name is to be that of a host, and is too long for that");
  memcpy(name, base, length);
  name[length] = '\0';
  return TNY_OK;
}
