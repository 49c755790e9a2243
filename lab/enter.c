/* Entering a lab's namespaces, and running a command there. */
#include "lab/enter.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"

/* Descriptors of the keeper's namespaces. All are opened before the first is entered, since the
   keeper has another pid in the lab's own /proc. */
struct namespaces {
  int user, mount, process; /* -1 where the caller is in it already */
};

static void close_namespaces(const struct namespaces *namespaces)
{
  const int all[] = {namespaces->user, namespaces->mount, namespaces->process};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (all[i] >= 0)
      close(all[i]);
}

static int open_namespace(pid_t keeper, const char *kind)
{
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/ns/%s", (int)keeper, kind);
  return tny_lab_descriptor_raise(open(path, O_RDONLY | O_CLOEXEC));
}

/* A process can't enter the user namespace that it is in: setns refuses that. */
static bool is_own_user_namespace(int file)
{
  struct stat own, other;
  return stat("/proc/self/ns/user", &own) == 0 && fstat(file, &other) == 0 &&
         own.st_ino == other.st_ino && own.st_dev == other.st_dev;
}

static enum tny_status open_namespaces(const struct tny_lab *lab, struct namespaces *namespaces,
                                       struct tny_error *error)
{
  *namespaces = (struct namespaces){-1, -1, -1};
  if (lab->inside)
    return TNY_OK;
  *namespaces =
      (struct namespaces){open_namespace(lab->keeper, "user"), open_namespace(lab->keeper, "mnt"),
                          open_namespace(lab->keeper, "pid")};
  struct tny_lab_keeper keeper;
  const int reason = errno;
  if (namespaces->user < 0 || namespaces->mount < 0 || namespaces->process < 0 ||
      !tny_lab_state_read(lab->directory, &keeper, NULL) || keeper.pid != lab->keeper ||
      !tny_lab_keeper_lives(&keeper)) {
    char down[TNY_LAB_COMMAND_MAX];
    close_namespaces(namespaces);
    tny_lab_command("down", lab->name, down);
    return tny_error_set(error, TNY_SYSTEM,
                         "can't enter the lab '%s' (%s): '%s' clears what is left of it", lab->name,
                         strerror(reason), down);
  }
  if (is_own_user_namespace(namespaces->user)) {
    close(namespaces->user);
    namespaces->user = -1;
  }
  return TNY_OK;
}

enum tny_status tny_lab_node_enter(const char *directory, const char *node, struct tny_error *error)
{
  char folder[TNY_LAB_PATH_MAX], path[TNY_LAB_PATH_MAX + 80];
  tny_lab_folder_path(directory, "in/net", folder);
  snprintf(path, sizeof path, "%s/%.64s", folder, node);
  const int netns = open(path, O_RDONLY | O_CLOEXEC);
  if (netns < 0 && errno == ENOENT)
    return tny_error_set(error, TNY_BAD_INPUT,
                         "the lab has no host or switch named '%.80s': 'tourney lab status' lists "
                         "them",
                         node);
  const bool fine = netns >= 0 && setns(netns, CLONE_NEWNET) == 0 && unshare(CLONE_NEWUTS) == 0 &&
                    sethostname(node, strlen(node)) == 0;
  const int reason = errno;
  if (netns >= 0)
    close(netns);
  if (!fine)
    return tny_error_set(error, TNY_SYSTEM, "can't enter %s: %s", node, strerror(reason));
  return TNY_OK;
}

enum tny_status tny_lab_memory_separate(struct tny_error *error)
{
  if (unshare(CLONE_NEWIPC) == 0)
    return TNY_OK;
  return tny_error_set(error, TNY_SYSTEM, "can't make an IPC namespace: %s", strerror(errno));
}

static enum tny_status enter(const struct tny_lab *lab, const struct namespaces *namespaces,
                             const char *node, struct tny_error *error)
{
  char folder[4096];
  if (!getcwd(folder, sizeof folder))
    return tny_error_set(error, TNY_SYSTEM, "can't tell the current folder: %s", strerror(errno));
  if ((namespaces->user >= 0 && setns(namespaces->user, CLONE_NEWUSER) < 0) ||
      (namespaces->mount >= 0 && setns(namespaces->mount, CLONE_NEWNS) < 0) ||
      (namespaces->process >= 0 && setns(namespaces->process, CLONE_NEWPID) < 0))
    return tny_error_set(error, TNY_SYSTEM, "can't enter the lab's namespaces: %s",
                         strerror(errno));
  if (chdir(folder) < 0)
    return tny_error_set(error, TNY_SYSTEM, "the folder %.200s isn't there inside the lab: %s",
                         folder, strerror(errno));
  return tny_lab_node_enter(lab->directory, node, error);
}

_Noreturn void tny_lab_entered_fail(const struct tny_lab_entered *entered,
                                    const struct tny_error *error)
{
  if (write(entered->report, error, sizeof *error) < 0)
    _exit(126);
  _exit(125);
}

pid_t tny_lab_entered_fork(const struct tny_lab_entered *entered)
{
  const pid_t child = fork();
  if (child == 0)
    prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (child < 0) {
    struct tny_error error = {0};
    tny_error_set(&error, TNY_SYSTEM, "can't start a process in the lab: %s", strerror(errno));
    tny_lab_entered_fail(entered, &error);
  }
  return child;
}

_Noreturn void tny_lab_entered_become(const struct tny_lab_entered *entered, char *const *argv)
{
  struct tny_error error = {0};
  if (setenv(TNY_LAB_INSIDE, entered->lab->directory, 1) == 0) {
    tny_lab_signals_restore(entered->signals);
    execvp(argv[0], argv);
  }
  tny_error_set(&error, TNY_SYSTEM, "can't run %.200s: %s", argv[0], strerror(errno));
  tny_lab_entered_fail(entered, &error);
}

int tny_lab_entered_wait(const struct tny_lab_entered *entered, const struct tny_lab_watch *watch)
{
  struct tny_error error = {0};
  struct tny_lab_end end;
  if (tny_lab_watch_child(watch, &end, &error) != TNY_OK)
    tny_lab_entered_fail(entered, &error);
  return end.exit_code;
}

static _Noreturn void run_entered(const struct tny_lab_task *task,
                                  const struct namespaces *namespaces,
                                  const struct tny_lab_entered *entered, int output)
{
  struct tny_error error = {0};
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (task->watch.send)
    tny_lab_signals_block_one(task->watch.send);
  if (output >= 0 && dup2(output, STDOUT_FILENO) < 0)
    tny_error_set(&error, TNY_SYSTEM, "can't redirect the output: %s", strerror(errno));
  if (error.status != TNY_OK || enter(entered->lab, namespaces, task->node, &error) != TNY_OK)
    tny_lab_entered_fail(entered, &error);
  /* Entering a user namespace may have cleared the setting. */
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  _exit(task->body(entered));
}

/* The pipes from the entered process to the caller: one for its error, and one for its output where
   the task receives that. */
struct pipes {
  int report[2], output[2];
};

static void close_pipes(const struct pipes *pipes)
{
  const int all[] = {pipes->report[0], pipes->report[1], pipes->output[0], pipes->output[1]};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (all[i] >= 0)
      close(all[i]);
}

/* Makes a pipe as pipe2 does, but no end gets the number of a standard descriptor. */
static bool open_pipe(int ends[2], int flags)
{
  if (pipe2(ends, flags) < 0)
    return false;
  ends[0] = tny_lab_descriptor_raise(ends[0]);
  ends[1] = tny_lab_descriptor_raise(ends[1]);
  return ends[0] >= 0 && ends[1] >= 0;
}

static enum tny_status open_pipes(bool receives, struct pipes *pipes, struct tny_error *error)
{
  *pipes = (struct pipes){{-1, -1}, {-1, -1}};
  if (open_pipe(pipes->report, O_CLOEXEC | O_NONBLOCK) &&
      (!receives || open_pipe(pipes->output, O_CLOEXEC)))
    return TNY_OK;
  const int reason = errno;
  close_pipes(pipes);
  return tny_error_set(error, TNY_SYSTEM, "can't make a pipe: %s", strerror(reason));
}

/* Forks the entered process, and closes what only it needs. */
static enum tny_status fork_entered(struct tny_lab_task *task, const struct namespaces *namespaces,
                                    const struct tny_lab_entered *entered, struct pipes *pipes,
                                    struct tny_error *error)
{
  task->watch.child = fork();
  if (task->watch.child == 0)
    run_entered(task, namespaces, entered, pipes->output[1]);
  if (task->watch.child < 0)
    return tny_error_set(error, TNY_SYSTEM, "can't start a process: %s", strerror(errno));
  if (pipes->output[1] >= 0)
    close(pipes->output[1]);
  pipes->output[1] = -1;
  task->watch.output = pipes->output[0];
  return TNY_OK;
}

enum tny_status tny_lab_enter(const struct tny_lab *lab, struct tny_lab_task *task,
                              struct tny_lab_end *end, struct tny_error *error)
{
  struct namespaces namespaces;
  struct pipes pipes;
  struct tny_error said = {0};
  sigset_t before;
  *end = (struct tny_lab_end){0};
  enum tny_status status = open_namespaces(lab, &namespaces, error);
  if (status != TNY_OK)
    return status;
  status = open_pipes(task->watch.receive != NULL, &pipes, error);
  if (status == TNY_OK) {
    const struct tny_lab_entered entered = {lab, task->context, &before, pipes.report[1]};
    tny_lab_signals_block(&before);
    status = fork_entered(task, &namespaces, &entered, &pipes, error);
    if (status == TNY_OK)
      status = tny_lab_watch_child(&task->watch, end, error);
    tny_lab_signals_restore(&before);
    if (status == TNY_OK && read(pipes.report[0], &said, sizeof said) == sizeof said)
      status = tny_error_set(error, said.status, "%s", said.text);
    close_pipes(&pipes);
  }
  close_namespaces(&namespaces);
  return status;
}

static int run_command(const struct tny_lab_entered *entered)
{
  const struct tny_lab_watch watch = {.child = tny_lab_entered_fork(entered), .output = -1};
  if (watch.child == 0)
    tny_lab_entered_become(entered, entered->context);
  return tny_lab_entered_wait(entered, &watch);
}

enum tny_status tny_lab_exec(const struct tny_lab *lab, const char *node, char *const *argv,
                             struct tny_lab_end *end, struct tny_error *error)
{
  struct tny_lab_task task = {
      .node = node, .body = run_command, .context = (void *)argv, .watch = {.output = -1}};
  return tny_lab_enter(lab, &task, end, error);
}

enum tny_status tny_lab_become(const char *node, char *const *argv, struct tny_error *error)
{
  const char *directory = getenv(TNY_LAB_INSIDE);
  if (!directory || !directory[0])
    return tny_error_set(error, TNY_REFUSED, "this isn't inside a lab: use 'tourney lab exec'");
  enum tny_status status = tny_lab_node_enter(directory, node, error);
  if (status == TNY_OK)
    status = tny_lab_memory_separate(error);
  if (status != TNY_OK)
    return status;
  execvp(argv[0], argv);
  return tny_error_set(error, TNY_SYSTEM, "can't run %.200s: %s", argv[0], strerror(errno));
}
