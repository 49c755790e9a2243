/* The lock by which only one process measures in a lab at a time. Two would share its links, and
   each would take the delay by the other's messages for the network's own. */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "core/error.h"
#include "lab/state.h"

enum tny_status tny_lab_measure_alone(struct tny_lab *lab, struct tny_error *error)
{
  char path[TNY_LAB_PATH_MAX], holder[40] = "another process";
  struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  tny_lab_folder_path(lab->directory, "measuring", path);
  const int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0)
    return tny_error_set(error, TNY_SYSTEM, "can't open %s: %s", path, strerror(errno));
  /* The kernel releases the lock when this process ends, however it does. */
  if (fcntl(file, F_SETLK, &lock) == 0) {
    lab->measuring = file;
    return TNY_OK;
  }
  const int reason = errno;
  if (fcntl(file, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK && lock.l_pid > 0)
    snprintf(holder, sizeof holder, "process %ld", (long)lock.l_pid);
  close(file);
  if (reason != EAGAIN && reason != EACCES)
    return tny_error_set(error, TNY_SYSTEM, "can't lock %s: %s", path, strerror(reason));
  return tny_error_set(
      error, TNY_REFUSED,
      "%s measures in the lab '%s' already, and two at once spoil each other: wait "
      "until it has ended, or bring up a lab of your own (--name)",
      holder, lab->name);
}
