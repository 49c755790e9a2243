/* The mark. The file is the user's own, on a file system that hosts may share or not. */
#include "mpi/linkage/mark.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

void tny_mark_leave(void)
{
  const char *path = getenv("TOURNEY_MARK");
  const int file = path && path[0] == '/'
                       ? open(path, O_WRONLY | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
                       : -1;
  if (file < 0)
    return;
  (void)!write(file, "+", 1);
  close(file);
}
