/* The child runs in a process group of its own, so that a Ctrl-C at the terminal reaches only this
   process, which ends the child in order: SIGTERM, time to clean up, then SIGKILL. */
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli/shared/signals.h"
#include "core/error.h"

#define LINE_BYTES 4096
#define CLEANUP_SECONDS 15 /* from SIGTERM to SIGKILL */

/* One of the child's outputs. */
struct stream {
  int descriptor; /* -1: at its end */
  size_t length;
  char line[LINE_BYTES];
};

enum { OUTPUT, ERRORS, STREAM_COUNT };

struct child {
  pid_t pid; /* 0: ended */
  int signals;
  int wait_status;
  time_t kill_at; /* 0: not asked to end */
  struct stream streams[STREAM_COUNT];
  const struct launch_listener *listener;
  enum launch_cause cause; /* it was asked to end */
};

static time_t now(void)
{
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec;
}

static void ask_to_end(struct child *child, enum launch_cause cause)
{
  if (child->kill_at || !child->pid)
    return;
  child->cause = cause;
  child->kill_at = now() + CLEANUP_SECONDS;
  kill(child->pid, SIGTERM);
}

static void deliver(struct child *child, int which)
{
  struct stream *stream = &child->streams[which];
  stream->line[stream->length] = '\0';
  stream->length = 0;
  if (which == ERRORS)
    child->listener->errors(child->listener->context, stream->line);
  else if (!child->kill_at && !child->listener->output(child->listener->context, stream->line))
    ask_to_end(child, LAUNCH_STOPPED);
}

/* Reads what is there; true where there may be more. */
static bool read_stream(struct child *child, int which)
{
  struct stream *stream = &child->streams[which];
  char piece[LINE_BYTES];
  const ssize_t count = read(stream->descriptor, piece, sizeof piece);
  if (count < 0 && (errno == EINTR || errno == EAGAIN))
    return false;
  for (ssize_t i = 0; i < count; i++) {
    if (piece[i] != '\n')
      stream->line[stream->length++] = piece[i];
    if (piece[i] == '\n' || stream->length == LINE_BYTES - 1)
      deliver(child, which);
  }
  if (count > 0)
    return true;
  if (stream->length)
    deliver(child, which);
  close(stream->descriptor);
  stream->descriptor = -1;
  return false;
}

static void read_signals(struct child *child)
{
  struct signalfd_siginfo info;
  while (read(child->signals, &info, sizeof info) == (ssize_t)sizeof info) {
    if (info.ssi_signo != SIGCHLD)
      ask_to_end(child, LAUNCH_INTERRUPTED);
  }
  if (child->pid && waitpid(child->pid, &child->wait_status, WNOHANG) == child->pid) {
    kill(-child->pid, SIGKILL); /* what it may have left in its group */
    child->pid = 0;
  }
}

static struct launch_end end_of(const struct child *child)
{
  const int code = WIFSIGNALED(child->wait_status) ? 128 + WTERMSIG(child->wait_status)
                                                   : WEXITSTATUS(child->wait_status);
  const enum launch_cause by_itself = code ? LAUNCH_FAILED : LAUNCH_EXITED;
  return (struct launch_end){child->kill_at ? child->cause : by_itself, code};
}

static void listen_once(struct child *child)
{
  struct pollfd polled[STREAM_COUNT + 1] = {
      {.fd = child->streams[OUTPUT].descriptor, .events = POLLIN},
      {.fd = child->streams[ERRORS].descriptor, .events = POLLIN},
      {.fd = child->signals, .events = POLLIN},
  };
  poll(polled, STREAM_COUNT + 1, 1000);
  for (int i = 0; i < STREAM_COUNT; i++) {
    if (polled[i].revents)
      read_stream(child, i);
  }
  read_signals(child);
  if (child->pid && child->kill_at && now() >= child->kill_at)
    kill(-child->pid, SIGKILL);
}

static void listen_to(struct child *child)
{
  while (child->pid)
    listen_once(child);
  for (int i = 0; i < STREAM_COUNT; i++) {
    while (child->streams[i].descriptor >= 0 && read_stream(child, i)) {
    }
    if (child->streams[i].descriptor >= 0)
      close(child->streams[i].descriptor);
  }
}

/* In the child. Comes back only where the program can't be executed. */
static void become(char *const *command, const int outputs[STREAM_COUNT], const sigset_t *mask,
                   pid_t parent)
{
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent)
    _exit(1);
  sigprocmask(SIG_SETMASK, mask, NULL);
  const int nothing = open("/dev/null", O_RDONLY);
  dup2(nothing, STDIN_FILENO);
  dup2(outputs[OUTPUT], STDOUT_FILENO);
  dup2(outputs[ERRORS], STDERR_FILENO);
  if (nothing > STDERR_FILENO)
    close(nothing);
  execvp(command[0], command);
}

static enum tny_status start(struct child *child, char *const *command, const sigset_t *mask,
                             struct tny_error *error)
{
  int pipes[STREAM_COUNT][2];
  for (int i = 0; i < STREAM_COUNT; i++) {
    if (pipe2(pipes[i], O_CLOEXEC))
      return tny_error_set(error, TNY_SYSTEM, "can't make a pipe: %s", strerror(errno));
    child->streams[i].descriptor = pipes[i][0];
    fcntl(pipes[i][0], F_SETFL, O_NONBLOCK);
  }
  const pid_t parent = getpid();
  child->pid = fork();
  if (child->pid < 0)
    return tny_error_set(error, TNY_SYSTEM, "can't start a process: %s", strerror(errno));
  const int outputs[] = {pipes[OUTPUT][1], pipes[ERRORS][1]};
  if (child->pid == 0) {
    become(command, outputs, mask, parent);
    dprintf(STDERR_FILENO, "tourney: can't start %s: %s\n", command[0], strerror(errno));
    _exit(1);
  }
  setpgid(child->pid, child->pid);
  close(outputs[OUTPUT]);
  close(outputs[ERRORS]);
  return TNY_OK;
}

enum tny_status launch_child_run(char *const *command, const struct signals_blocked *blocked,
                                 const struct launch_listener *listener, struct launch_end *end,
                                 struct tny_error *error)
{
  sigset_t watched = blocked->set, outer;
  sigaddset(&watched, SIGCHLD);
  sigprocmask(SIG_BLOCK, &watched, &outer);
  struct child child = {
      .signals = signalfd(-1, &watched, SFD_CLOEXEC | SFD_NONBLOCK),
      .listener = listener,
  };
  enum tny_status status = TNY_OK;
  if (child.signals < 0)
    status = tny_error_set(error, TNY_SYSTEM, "can't wait for signals: %s", strerror(errno));
  if (status == TNY_OK)
    status = start(&child, command, &blocked->before, error);
  if (status == TNY_OK)
    listen_to(&child);
  if (child.signals >= 0)
    close(child.signals);
  sigprocmask(SIG_SETMASK, &outer, NULL);
  *end = end_of(&child);
  return status;
}
