/* Starting, releasing and ending a keeper. What it builds is in build.c.

   The caller (of `up`) forks a starter. The starter leaves the caller's session, files and
   namespaces, forks the keeper and ends. The keeper sends messages to the caller over a socket, the
   connection, until it is released. */
#include "lab/keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/error.h"
#include "lab/build.h"
#include "lab/process.h"

enum { CONNECTION = 3, END_WAIT_MS = 20000, STEP_MS = 20, LOOK_SECONDS = 2 };

/* What the caller receives over the connection: the keeper's pid, from the starter; then, from the
   keeper, its progress, and at last a message without either, which says that the network is
   built. Any of them may carry an error instead. */
struct message {
  pid_t pid;
  struct tny_lab_progress progress; /* `what` is NULL where there is none */
  struct tny_error error;
};

static void report(pid_t pid, const struct tny_error *error)
{
  struct message message = {.pid = pid};
  if (error)
    message.error = *error;
  if (send(CONNECTION, &message, sizeof message, MSG_NOSIGNAL) < 0)
    _exit(1); /* The caller has died. */
}

/* The caller is the same program at the same addresses, so a constant text can be sent to it as a
   pointer. */
static void report_progress(const struct tny_lab_progress *progress)
{
  const struct message message = {.progress = *progress};
  if (send(CONNECTION, &message, sizeof message, MSG_NOSIGNAL) < 0)
    _exit(1);
}

static bool write_map(const char *path, const char *text)
{
  const int file = open(path, O_WRONLY | O_CLOEXEC);
  const bool fine = file >= 0 && write(file, text, strlen(text)) >= 0;
  if (file >= 0)
    close(file);
  return fine;
}

/* Makes a user namespace in which the calling process is root, and the other namespaces in it. */
static bool unshare_as_user(int flags)
{
  char users[64], groups[64];
  snprintf(users, sizeof users, "0 %u 1", (unsigned)geteuid());
  snprintf(groups, sizeof groups, "0 %u 1", (unsigned)getegid());
  return unshare(CLONE_NEWUSER | flags) == 0 && write_map("/proc/self/setgroups", "deny") &&
         write_map("/proc/self/uid_map", users) && write_map("/proc/self/gid_map", groups);
}

static enum tny_status make_namespaces(struct tny_error *error)
{
  const int flags = CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWUTS;
  if (unshare(flags) == 0 || (errno == EPERM && unshare_as_user(flags)))
    return TNY_OK;
  if (errno == EPERM || errno == EACCES || errno == ENOSPC)
    return tny_error_set(
        error, TNY_SYSTEM,
        "this user can't make namespaces here (%s): run as root, or allow user "
        "namespaces (sysctl user.max_user_namespaces above 0, and where they exist "
        "kernel.unprivileged_userns_clone=1, "
        "kernel.apparmor_restrict_unprivileged_userns=0)",
        strerror(errno));
  return tny_error_set(error, TNY_SYSTEM, "can't make namespaces: %s", strerror(errno));
}

/* Whether the file of that path still is the state file of this keeper. `state` is the file as it
   was first opened; while it is open, no other file can have its inode number. */
static bool is_still_known(const char *path, int state)
{
  struct stat own, named;
  if (fstat(state, &own) < 0)
    return false;
  if (stat(path, &named) < 0)
    return errno != ENOENT && errno != ENOTDIR;
  return own.st_ino == named.st_ino && own.st_dev == named.st_dev;
}

/* As pid 1 the keeper reaps orphans. It ends by itself when its state file has gone, for then
   nobody could find the lab to end it, and when the relay has ended, for then the lab isn't the
   cluster any more that it says it is. */
static _Noreturn void keep(const char *directory, pid_t relay)
{
  char path[TNY_LAB_PATH_MAX];
  tny_lab_folder_path(directory, "lab", path);
  const int state = open(path, O_RDONLY | O_CLOEXEC);
  sigset_t child;
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  sigprocmask(SIG_BLOCK, &child, NULL);
  while (is_still_known(path, state)) {
    for (pid_t ended; (ended = waitpid(-1, NULL, WNOHANG)) > 0;)
      if (ended == relay)
        _exit(1);
    sigtimedwait(&child, NULL, &(struct timespec){.tv_sec = LOOK_SECONDS});
  }
  _exit(0);
}

static _Noreturn void run_keeper(const struct tny_lab_spec *spec)
{
  struct tny_error error = {0};
  prctl(PR_SET_NAME, "tourney-lab");
  struct tny_lab_spec reporting = *spec;
  reporting.report = report_progress;
  pid_t relay;
  const enum tny_status status = tny_lab_build(&reporting, &relay, &error);
  report(0, &error);
  char go;
  if (status != TNY_OK || read(CONNECTION, &go, 1) != 1)
    _exit(1);
  close(CONNECTION);
  keep(spec->directory, relay);
}

/* The process between the caller and the keeper; see above. */
static _Noreturn void run_starter(const struct tny_lab_spec *spec, int connection)
{
  struct tny_error error = {0};
  /* A caller without standard files has lower numbers for both: they are moved out of the way
     before the numbers up to CONNECTION are replaced. */
  const int null = fcntl(open("/dev/null", O_RDWR), F_DUPFD, CONNECTION + 1);
  const int kept = fcntl(connection, F_DUPFD, CONNECTION + 1);
  if (null < 0 || kept < 0)
    _exit(1);
  dup2(kept, CONNECTION);
  for (int standard = 0; standard < 3; standard++)
    dup2(null, standard);
  close_range(CONNECTION + 1, ~0U, 0);
  fcntl(CONNECTION, F_SETFD, FD_CLOEXEC);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  signal(SIGINT, SIG_DFL);
  signal(SIGCHLD, SIG_DFL);
  if (setsid() < 0 || chdir("/") < 0)
    tny_error_set(&error, TNY_SYSTEM, "can't start a session: %s", strerror(errno));
  if (error.status == TNY_OK && make_namespaces(&error) == TNY_OK) {
    const pid_t keeper = fork();
    if (keeper == 0)
      run_keeper(spec);
    if (keeper < 0)
      tny_error_set(&error, TNY_SYSTEM, "can't start the keeper: %s", strerror(errno));
    else
      report(keeper, NULL);
  }
  if (error.status != TNY_OK)
    report(0, &error);
  _exit(0);
}

/* Waits until both the keeper's pid and its word that the network is built have come, in whichever
   order, unless an error or a signal comes first. */
static enum tny_status await_network(int connection, const struct tny_lab_options *options,
                                     pid_t *keeper, struct tny_error *error)
{
  struct message message;
  bool stands = false;
  *keeper = 0;
  while (!*keeper || !stands) {
    struct pollfd ready = {connection, POLLIN, 0};
    if (tny_lab_signals_pending())
      return tny_error_set(error, TNY_SYSTEM, "interrupted: no lab was brought up");
    if (poll(&ready, 1, STEP_MS) == 0)
      continue;
    const ssize_t got = recv(connection, &message, sizeof message, 0);
    if (got < 0 && errno == EINTR)
      continue;
    if (got != sizeof message)
      return tny_error_set(error, TNY_SYSTEM, "the lab's keeper died while it built the network");
    if (message.error.status != TNY_OK)
      return tny_error_set(error, message.error.status, "%s", message.error.text);
    if (message.pid)
      *keeper = message.pid;
    else if (message.progress.what && options->tell)
      options->tell(options->context, &message.progress);
    else if (message.progress.what)
      continue;
    else
      stands = true;
  }
  return TNY_OK;
}

/* No end gets the number of a standard descriptor, or what the caller prints would go there. */
static bool open_connection(int ends[2])
{
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
    return false;
  for (int end = 0; end < 2; end++)
    ends[end] = tny_lab_descriptor_raise(ends[end]);
  if (ends[0] >= 0 && ends[1] >= 0)
    return true;
  const int reason = errno;
  close(ends[0]);
  close(ends[1]);
  errno = reason;
  return false;
}

enum tny_status tny_lab_keeper_start(const struct tny_lab_spec *spec, struct tny_lab_keeper *keeper,
                                     int *connection, struct tny_error *error)
{
  int ends[2];
  *keeper = (struct tny_lab_keeper){0};
  if (!open_connection(ends))
    return tny_error_set(error, TNY_SYSTEM, "can't make a socket: %s", strerror(errno));
  const pid_t starter = fork();
  if (starter == 0)
    run_starter(spec, ends[1]);
  close(ends[1]);
  enum tny_status status = TNY_OK;
  if (starter < 0)
    status = tny_error_set(error, TNY_SYSTEM, "can't start a process: %s", strerror(errno));
  else
    status = await_network(ends[0], spec->options, &keeper->pid, error);
  while (starter > 0 && waitpid(starter, NULL, 0) < 0 && errno == EINTR)
    ;
  if (status == TNY_OK && !tny_lab_keeper_date(keeper))
    status = tny_error_set(error, TNY_SYSTEM, "the lab's keeper died once the network stood");
  if (status == TNY_OK)
    *connection = ends[0];
  else
    close(ends[0]);
  return status;
}

enum tny_status tny_lab_keeper_release(int connection, struct tny_error *error)
{
  const bool fine = send(connection, "", 1, MSG_NOSIGNAL) == 1;
  close(connection);
  if (!fine)
    return tny_error_set(error, TNY_SYSTEM, "the lab's keeper died once the network stood");
  return TNY_OK;
}

/* Waits until the keeper is gone. `process` is its pidfd; where that is -1, its start time is
   looked at again and again. */
static enum tny_status wait_for_end(const struct tny_lab_keeper *keeper, int process,
                                    struct tny_error *error)
{
  for (int waited_ms = 0; waited_ms < END_WAIT_MS; waited_ms += STEP_MS) {
    bool exists = true;
    struct pollfd ended = {process, POLLIN, 0};
    if (poll(&ended, 1, STEP_MS) == 1)
      return TNY_OK;
    const enum tny_status status =
        process < 0 ? tny_lab_keeper_look(keeper, &exists, error) : TNY_OK;
    if (status != TNY_OK || !exists)
      return status;
  }
  return tny_error_set(error, TNY_SYSTEM,
                       "the lab's keeper, process %d, doesn't end: a process in the lab may be "
                       "stuck in the kernel; try again",
                       (int)keeper->pid);
}

enum tny_status tny_lab_keeper_end(const struct tny_lab_keeper *keeper, struct tny_error *error)
{
  /* The pidfd is opened first: then the process that is looked at is the one that is killed. Where
     the kernel has no pidfds, or no descriptor is left, the start time alone has to do. */
  const int process = pidfd_open(keeper->pid, 0);
  if (process < 0 && errno == ESRCH)
    return TNY_OK;
  bool exists;
  enum tny_status status = tny_lab_keeper_look(keeper, &exists, error);
  if (status == TNY_OK && exists) {
    const int sent =
        process >= 0 ? pidfd_send_signal(process, SIGKILL, NULL, 0) : kill(keeper->pid, SIGKILL);
    if (sent == 0)
      status = wait_for_end(keeper, process, error);
    else if (errno != ESRCH)
      status = tny_error_set(error, TNY_SYSTEM, "can't end the lab's keeper, process %d: %s",
                             (int)keeper->pid, strerror(errno));
  }
  if (process >= 0)
    close(process);
  return status;
}
