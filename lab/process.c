/* Finding and running tools, and the one loop that waits for a child. */
#include "lab/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/error.h"
#include "core/text.h"

static bool find_in(const char *folders, const char *name, char path[256])
{
  while (folders && *folders) {
    const size_t length = strcspn(folders, ":");
    const int written = snprintf(path, 256, "%.*s/%s", (int)length, folders, name);
    if (length && written > 0 && written < 256 && access(path, X_OK) == 0)
      return true;
    folders += length + (folders[length] == ':');
  }
  return false;
}

enum tny_status tny_lab_tool_find(const char *name, const char *package, char path[256],
                                  struct tny_error *error)
{
  if (find_in(getenv("PATH"), name, path) || find_in("/usr/local/sbin:/usr/sbin:/sbin", name, path))
    return TNY_OK;
  return tny_error_set(error, TNY_SYSTEM,
                       "the program '%s' is missing: install the package %s (apt-get install %s)",
                       name, package, package);
}

int tny_lab_descriptor_raise(int file)
{
  if (file < 0 || file > STDERR_FILENO)
    return file;
  const int raised = fcntl(file, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  const int reason = errno;
  close(file);
  errno = reason;
  return raised;
}

/* Reads all that was written to a memory file; NULL where that fails. */
static char *read_back(int file)
{
  struct tny_text all = {0};
  char piece[4096], *text = NULL;
  ssize_t got;
  if (lseek(file, 0, SEEK_SET) < 0)
    return NULL;
  while ((got = read(file, piece, sizeof piece)) > 0)
    tny_text_add(&all, "%.*s", (int)got, piece);
  return tny_text_take(&all, &text, NULL) == TNY_OK ? text : NULL;
}

static _Noreturn void become_helper(const struct tny_lab_helper *helper, int input, int output)
{
  if (helper->netns >= 0 && setns(helper->netns, CLONE_NEWNET) < 0)
    _exit(126);
  if (lseek(input, 0, SEEK_SET) < 0 || dup2(input, 0) < 0 || dup2(output, 1) < 0 ||
      dup2(output, 2) < 0)
    _exit(126);
  execv(helper->argv[0], helper->argv);
  _exit(127);
}

static bool write_all(int file, const char *bytes, size_t count)
{
  while (count > 0) {
    const ssize_t wrote = write(file, bytes, count);
    if (wrote < 0 && errno != EINTR)
      return false;
    if (wrote > 0) {
      bytes += wrote;
      count -= (size_t)wrote;
    }
  }
  return true;
}

enum tny_status tny_lab_helper_run(const struct tny_lab_helper *helper, char **output,
                                   struct tny_error *error)
{
  enum tny_status status = TNY_OK;
  char *said = NULL;
  const int in = tny_lab_descriptor_raise(memfd_create("input", MFD_CLOEXEC));
  const int out = tny_lab_descriptor_raise(memfd_create("output", MFD_CLOEXEC));
  int ended = -1;
  if (in >= 0 && out >= 0 && write_all(in, helper->input, strlen(helper->input))) {
    const pid_t child = fork();
    if (child == 0)
      become_helper(helper, in, out);
    while (child > 0 && waitpid(child, &ended, 0) < 0 && errno == EINTR)
      ;
    said = read_back(out);
  }
  if (ended != 0 || !said)
    status = tny_error_set(error, TNY_SYSTEM, "%s failed: %.300s", helper->argv[0],
                           said && said[0] ? said : "it couldn't be run");
  if (in >= 0)
    close(in);
  if (out >= 0)
    close(out);
  if (status == TNY_OK && output)
    *output = said;
  else
    tny_text_free(said);
  return status;
}

/* The signals that are passed on; what the caller ignores stays ignored. */
static void passed_signals(sigset_t *set)
{
  static const int passed[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
  struct sigaction action;
  sigemptyset(set);
  for (size_t i = 0; i < sizeof passed / sizeof *passed; i++)
    if (sigaction(passed[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
      sigaddset(set, passed[i]);
}

void tny_lab_signals_block(sigset_t *before)
{
  sigset_t set;
  struct sigaction action;
  /* Where SIGCHLD is ignored, the kernel reaps children and there is nothing to wait for. */
  if (sigaction(SIGCHLD, NULL, &action) == 0 && action.sa_handler == SIG_IGN)
    signal(SIGCHLD, SIG_DFL);
  passed_signals(&set);
  sigaddset(&set, SIGCHLD);
  sigprocmask(SIG_BLOCK, &set, before);
}

void tny_lab_signals_block_one(int number)
{
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, number);
  sigprocmask(SIG_BLOCK, &set, NULL);
  signal(number, SIG_DFL);
}

bool tny_lab_signals_pending(void)
{
  sigset_t pending, passed;
  passed_signals(&passed);
  if (sigpending(&pending) < 0 || sigandset(&pending, &pending, &passed) < 0)
    return false;
  return !sigisemptyset(&pending);
}

void tny_lab_signals_restore(const sigset_t *before)
{
  sigprocmask(SIG_SETMASK, before, NULL);
}

static double now_seconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The state of one wait. */
struct waiting {
  const struct tny_lab_watch *watch;
  struct tny_lab_end end;
  double limit; /* in now_seconds(); 0: none */
  int signals, output;
  bool child_ended;
};

static void take_signals(struct waiting *waiting)
{
  struct signalfd_siginfo info;
  while (read(waiting->signals, &info, sizeof info) == sizeof info) {
    if (info.ssi_signo == SIGCHLD)
      continue;
    waiting->end.interrupted = true;
    const int send = waiting->watch->send;
    /* A signal that the terminal sent has reached the child as well. */
    if (send || info.ssi_code != SI_KERNEL)
      kill(waiting->watch->child, send ? send : (int)info.ssi_signo);
  }
  int status;
  if (!waiting->child_ended && waitpid(waiting->watch->child, &status, WNOHANG) > 0) {
    waiting->child_ended = true;
    waiting->end.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
}

static void take_output(struct waiting *waiting)
{
  char bytes[16384];
  const ssize_t got = read(waiting->output, bytes, sizeof bytes);
  if (got > 0)
    waiting->watch->receive(waiting->watch->context, bytes, (size_t)got);
  else if (got == 0 || (errno != EINTR && errno != EAGAIN))
    waiting->output = -1;
}

/* Returns the milliseconds that a poll may wait; -1: any time. Past the limit it sends the child
   its signal. */
static int time_left(struct waiting *waiting)
{
  if (waiting->limit == 0)
    return -1;
  const double left = waiting->limit - now_seconds();
  if (left > 0)
    return left < 1e6 ? (int)(left * 1000) + 1 : 1000000000;
  waiting->end.timed_out = true;
  waiting->limit = 0;
  kill(waiting->watch->child, waiting->watch->send ? waiting->watch->send : SIGTERM);
  return -1;
}

enum tny_status tny_lab_watch_child(const struct tny_lab_watch *watch, struct tny_lab_end *end,
                                    struct tny_error *error)
{
  sigset_t set;
  passed_signals(&set);
  sigaddset(&set, SIGCHLD);
  struct waiting waiting = {.watch = watch, .output = watch->output};
  *end = (struct tny_lab_end){0};
  waiting.signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
  if (waiting.signals < 0) {
    const int reason = errno;
    kill(watch->child, SIGKILL);
    while (waitpid(watch->child, NULL, 0) < 0 && errno == EINTR)
      ;
    return tny_error_set(error, TNY_SYSTEM, "can't wait for signals: %s", strerror(reason));
  }
  waiting.limit = watch->timeout_seconds > 0 ? now_seconds() + watch->timeout_seconds : 0;
  while (!waiting.child_ended) {
    struct pollfd ready[2] = {{waiting.signals, POLLIN, 0}, {waiting.output, POLLIN, 0}};
    if (poll(ready, 2, time_left(&waiting)) > 0 && ready[1].revents)
      take_output(&waiting);
    take_signals(&waiting);
  }
  /* What the child printed before its end is in the pipe. Other processes may have the pipe open;
     they aren't waited for. */
  while (waiting.output >= 0) {
    struct pollfd ready = {waiting.output, POLLIN, 0};
    if (poll(&ready, 1, 0) <= 0)
      break;
    take_output(&waiting);
  }
  close(waiting.signals);
  *end = waiting.end;
  return TNY_OK;
}
