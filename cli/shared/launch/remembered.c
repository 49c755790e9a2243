/* Where a network is kept. */
#include "remembered.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/shared/whole_file.h"
#include "core/error.h"

static bool put_path(const char *folder, const char *below, char path[PATH_MAX])
{
  return folder && folder[0] == '/' &&
         snprintf(path, PATH_MAX, "%s%s/tourney/discovered.dot", folder, below) < PATH_MAX;
}

bool launch_remembered_path(char path[PATH_MAX])
{
  return put_path(getenv("XDG_CACHE_HOME"), "", path) || put_path(getenv("HOME"), "/.cache", path);
}

/* Makes the folders of a path that aren't there. */
static bool make_folders(const char *path)
{
  char folder[PATH_MAX];
  snprintf(folder, sizeof folder, "%s", path);
  for (char *slash = strchr(folder + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
    *slash = '\0';
    if (mkdir(folder, 0700) != 0 && errno != EEXIST)
      return false;
    *slash = '/';
  }
  return true;
}

enum tny_status launch_remember(const char *graph, char path[PATH_MAX], struct tny_error *error)
{
  if (!launch_remembered_path(path))
    return tny_error_set(error, TNY_SYSTEM, "neither XDG_CACHE_HOME nor HOME is set");
  if (!make_folders(path))
    return tny_error_set(error, TNY_SYSTEM, "can't make the folder of %.200s: %s", path,
                         strerror(errno));
  return whole_file_write(path, graph, error);
}
