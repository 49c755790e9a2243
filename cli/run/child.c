/* The child stays in this process's group, so that it is in the terminal's foreground as long as
   this process is. */
#include "child.h"

#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static const int passed_on[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};

static void list_signals(sigset_t *set)
{
  sigemptyset(set);
  sigaddset(set, SIGCHLD);
  for (size_t i = 0; i < sizeof passed_on / sizeof *passed_on; i++) {
    struct sigaction action;
    if (sigaction(passed_on[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
      sigaddset(set, passed_on[i]);
  }
}

static void wait_for(pid_t child, const sigset_t *set, int *wait_status)
{
  while (waitpid(child, wait_status, WNOHANG) != child) {
    siginfo_t info;
    const int number = sigwaitinfo(set, &info);
    if (number > 0 && number != SIGCHLD && info.si_code <= 0)
      kill(child, number); /* sent by a process; the terminal's go to the whole group */
  }
}

bool run_child_wait(int *wait_status)
{
  sigset_t set, before;
  struct sigaction as_given;
  const struct sigaction usual = {.sa_handler = SIG_DFL}; /* ignored, it would take the status */
  const pid_t parent = getpid();
  list_signals(&set);
  sigaction(SIGCHLD, &usual, &as_given);
  sigprocmask(SIG_BLOCK, &set, &before);
  fflush(NULL);
  const pid_t child = fork();
  if (child > 0) {
    wait_for(child, &set, wait_status);
    sigprocmask(SIG_SETMASK, &before, NULL);
    return true;
  }
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent)
      raise(SIGTERM);
  }
  sigaction(SIGCHLD, &as_given, NULL);
  sigprocmask(SIG_SETMASK, &before, NULL);
  return false;
}

int run_child_end(int wait_status)
{
  if (!WIFSIGNALED(wait_status))
    return WEXITSTATUS(wait_status);
  const struct sigaction usual = {.sa_handler = SIG_DFL};
  const struct rlimit none = {0}; /* the core that counts is the command's */
  setrlimit(RLIMIT_CORE, &none);
  sigaction(WTERMSIG(wait_status), &usual, NULL);
  raise(WTERMSIG(wait_status));
  return 128 + WTERMSIG(wait_status);
}
