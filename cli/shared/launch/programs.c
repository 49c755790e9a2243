/* Looks for programs as a shell does. */
#include "programs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_program(const char *path)
{
  return !access(path, X_OK);
}

/* Looks in PATH; `found` is written where it is there. */
static bool on_path(const char *name, char found[PATH_MAX])
{
  const char *path = getenv("PATH");
  for (const char *folder = path ? path : "/usr/bin:/bin"; folder;) {
    const size_t length = strcspn(folder, ":");
    const int written =
        snprintf(found, PATH_MAX, "%.*s/%s", (int)length, length ? folder : ".", name);
    if (written < PATH_MAX && is_program(found))
      return true;
    folder = folder[length] ? folder + length + 1 : NULL;
  }
  return false;
}

bool launch_find_program(const char *word, char found[PATH_MAX])
{
  if (!strchr(word, '/'))
    return on_path(word, found);
  snprintf(found, PATH_MAX, "%s", word);
  return is_program(word);
}
