/* Entering namespaces, and running a command in them. */
#include "lab/enter.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"

/* The keeper's namespaces, opened before the first is entered. */
struct doors {
  int user, mount, process; /* -1: the caller is there already */
};

static void close_doors(const struct doors *doors)
{
  const int all[] = {doors->user, doors->mount, doors->process};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (all[i] >= 0)
      close(all[i]);
}

static int open_door(pid_t keeper, const char *kind)
{
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/ns/%s", (int)keeper, kind);
  return tny_lab_descriptor_raise(open(path, O_RDONLY | O_CLOEXEC));
}

/* A namespace can't be entered by who is in it. */
static bool is_own_user_namespace(int door)
{
  struct stat own, other;
  return stat("/proc/self/ns/user", &own) == 0 && fstat(door, &other) == 0 &&
         own.st_ino == other.st_ino && own.st_dev == other.st_dev;
}

static enum tny_status open_doors(const struct tny_lab *lab, struct doors *doors,
                                  struct tny_error *error)
{
  *doors = (struct doors){-1, -1, -1};
  if (lab->inside)
    return TNY_OK;
  *doors = (struct doors){open_door(lab->keeper, "user"), open_door(lab->keeper, "mnt"),
                          open_door(lab->keeper, "pid")};
  struct tny_lab_keeper keeper;
  const int reason = errno;
  if (doors->user < 0 || doors->mount < 0 || doors->process < 0 ||
      !tny_lab_state_read(lab->directory, &keeper, NULL) || keeper.pid != lab->keeper ||
      !tny_lab_keeper_lives(&keeper)) {
    char down[TNY_LAB_COMMAND_MAX];
    close_doors(doors);
    tny_lab_command("down", lab->name, down);
    return tny_error_set(error, TNY_SYSTEM,
                         "can't enter the lab '%s' (%s): '%s' clears what is left of it", lab->name,
                         strerror(reason), down);
  }
  if (is_own_user_namespace(doors->user)) {
    close(doors->user);
    doors->user = -1;
  }
  return TNY_OK;
}

enum tny_status tny_lab_node_enter(const char *directory, const char *node, struct tny_error *error)
{
  char folder[TNY_LAB_PATH_MAX], path[TNY_LAB_PATH_MAX + 80];
  tny_lab_place_path(directory, "in/net", folder);
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

static enum tny_status enter(const struct tny_lab *lab, const struct doors *doors, const char *node,
                             struct tny_error *error)
{
  char folder[4096];
  if (!getcwd(folder, sizeof folder))
    return tny_error_set(error, TNY_SYSTEM, "can't tell the current folder: %s", strerror(errno));
  if ((doors->user >= 0 && setns(doors->user, CLONE_NEWUSER) < 0) ||
      (doors->mount >= 0 && setns(doors->mount, CLONE_NEWNS) < 0) ||
      (doors->process >= 0 && setns(doors->process, CLONE_NEWPID) < 0))
    return tny_error_set(error, TNY_SYSTEM, "can't enter the lab's namespaces: %s",
                         strerror(errno));
  if (chdir(folder) < 0)
    return tny_error_set(error, TNY_SYSTEM, "the folder %.200s isn't there inside the lab: %s",
                         folder, strerror(errno));
  return tny_lab_node_enter(lab->directory, node, error);
}

_Noreturn void tny_lab_guest_fail(const struct tny_lab_guest *guest, const struct tny_error *error)
{
  if (write(guest->report, error, sizeof *error) < 0)
    _exit(126);
  _exit(125);
}

pid_t tny_lab_guest_fork(const struct tny_lab_guest *guest)
{
  const pid_t child = fork();
  if (child == 0)
    prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (child < 0) {
    struct tny_error error = {0};
    tny_error_set(&error, TNY_SYSTEM, "can't start a process in the lab: %s", strerror(errno));
    tny_lab_guest_fail(guest, &error);
  }
  return child;
}

_Noreturn void tny_lab_guest_become(const struct tny_lab_guest *guest, char *const *argv)
{
  struct tny_error error = {0};
  if (setenv(TNY_LAB_INSIDE, guest->lab->directory, 1) == 0) {
    tny_lab_signals_restore(guest->signals);
    execvp(argv[0], argv);
  }
  tny_error_set(&error, TNY_SYSTEM, "can't run %.200s: %s", argv[0], strerror(errno));
  tny_lab_guest_fail(guest, &error);
}

int tny_lab_guest_wait(const struct tny_lab_guest *guest, const struct tny_lab_watch *watch)
{
  struct tny_error error = {0};
  struct tny_lab_end end;
  if (tny_lab_watch_child(watch, &end, &error) != TNY_OK)
    tny_lab_guest_fail(guest, &error);
  return end.exit_code;
}

static _Noreturn void be_guest(const struct tny_lab_visit *visit, const struct doors *doors,
                               const struct tny_lab_guest *guest, int output)
{
  struct tny_error error = {0};
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (visit->watch.send)
    tny_lab_signals_take(visit->watch.send);
  if (output >= 0 && dup2(output, STDOUT_FILENO) < 0)
    tny_error_set(&error, TNY_SYSTEM, "can't redirect the output: %s", strerror(errno));
  if (error.status != TNY_OK || enter(guest->lab, doors, visit->node, &error) != TNY_OK)
    tny_lab_guest_fail(guest, &error);
  /* Entering a user namespace may have cleared it. */
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  _exit(visit->body(guest));
}

/* The pipes of a visit: errors of the guest, and its output where that is received. */
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

/* As pipe2; no end has the number of a standard descriptor. */
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

/* Forks the guest. */
static enum tny_status start_guest(struct tny_lab_visit *visit, const struct doors *doors,
                                   const struct tny_lab_guest *guest, struct pipes *pipes,
                                   struct tny_error *error)
{
  visit->watch.child = fork();
  if (visit->watch.child == 0)
    be_guest(visit, doors, guest, pipes->output[1]);
  if (visit->watch.child < 0)
    return tny_error_set(error, TNY_SYSTEM, "can't start a process: %s", strerror(errno));
  if (pipes->output[1] >= 0)
    close(pipes->output[1]);
  pipes->output[1] = -1;
  visit->watch.output = pipes->output[0];
  return TNY_OK;
}

enum tny_status tny_lab_visit(const struct tny_lab *lab, struct tny_lab_visit *visit,
                              struct tny_lab_end *end, struct tny_error *error)
{
  struct doors doors;
  struct pipes pipes;
  struct tny_error said = {0};
  sigset_t before;
  *end = (struct tny_lab_end){0};
  enum tny_status status = open_doors(lab, &doors, error);
  if (status != TNY_OK)
    return status;
  status = open_pipes(visit->watch.receive != NULL, &pipes, error);
  if (status == TNY_OK) {
    const struct tny_lab_guest guest = {lab, visit->context, &before, pipes.report[1]};
    tny_lab_signals_hold(&before);
    status = start_guest(visit, &doors, &guest, &pipes, error);
    if (status == TNY_OK)
      status = tny_lab_watch_child(&visit->watch, end, error);
    tny_lab_signals_restore(&before);
    if (status == TNY_OK && read(pipes.report[0], &said, sizeof said) == sizeof said)
      status = tny_error_set(error, said.status, "%s", said.text);
    close_pipes(&pipes);
  }
  close_doors(&doors);
  return status;
}

static int run_command(const struct tny_lab_guest *guest)
{
  const struct tny_lab_watch watch = {.child = tny_lab_guest_fork(guest), .output = -1};
  if (watch.child == 0)
    tny_lab_guest_become(guest, guest->context);
  return tny_lab_guest_wait(guest, &watch);
}

enum tny_status tny_lab_exec(const struct tny_lab *lab, const char *node, char *const *argv,
                             struct tny_lab_end *end, struct tny_error *error)
{
  struct tny_lab_visit visit = {
      .node = node, .body = run_command, .context = (void *)argv, .watch = {.output = -1}};
  return tny_lab_visit(lab, &visit, end, error);
}

enum tny_status tny_lab_become(const char *node, char *const *argv, struct tny_error *error)
{
  const char *directory = getenv(TNY_LAB_INSIDE);
  if (!directory || !directory[0])
    return tny_error_set(error, TNY_REFUSED, "this isn't inside a lab: use 'tourney lab exec'");
  const enum tny_status status = tny_lab_node_enter(directory, node, error);
  if (status != TNY_OK)
    return status;
  execvp(argv[0], argv);
  return tny_error_set(error, TNY_SYSTEM, "can't run %.200s: %s", argv[0], strerror(errno));
}
