/* Running an MPI program, by its MPI's own launcher on host 0 (launch.h). The job has a pid
   namespace of its own below the keeper's, so that no process of it can outlive its init. Four
   processes stand between the caller and the program, each the parent of the next:

   caller -> entered process (in the lab, on host 0) -> supervisor (waits for the job, and kills it
   when told to end) -> init (pid 1 of the job) -> the launcher */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <inttypes.h>
#include <limits.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/alloc.h"
#include "core/error.h"
#include "core/text.h"
#include "lab/build.h"
#include "lab/enter.h"
#include "lab/launch.h"

enum {
  ENVIRONMENT_TEXT_MAX = 131071 - sizeof "TOURNEY_CLUSTER="
}; /* the kernel's limit for one text */

static const struct tny_lab_launcher *launcher_of(const struct tny_lab_launch *launch)
{
  return launch->job->mpi == TNY_LAB_MPICH ? &tny_lab_launcher_hydra : &tny_lab_launcher_openmpi;
}

/* What the launcher and the ranks need, as it is for every MPI. */
static bool set_environment(const struct tny_lab_launch *launch)
{
  return setenv("TOURNEY_CLUSTER", launch->flat, 0) == 0 &&
         launcher_of(launch)->set_environment(launch);
}

static char **write_command(const struct tny_lab_launch *launch)
{
  struct tny_lab_words words = {0};
  launcher_of(launch)->add_words(launch, &words);
  tny_lab_words_add_list(&words, launch->job->mpi_args);
  tny_lab_words_add_list(&words, (const char *const *)launch->job->argv);
  return words.failed ? NULL : words.list;
}

static int remove_entry(const char *path, const struct stat *info, int kind, struct FTW *where)
{
  (void)info, (void)kind, (void)where;
  return remove(path);
}

/* Makes the folder of this run, with a link to the tool and what the launcher reads. The agent's
   command goes through the link since launchers cut it at spaces, and the tool's own path may have
   some. */
static enum tny_status make_folder(const struct tny_lab *lab, struct tny_lab_launch *launch,
                                   struct tny_error *error)
{
  char path[TNY_LAB_PATH_MAX + 16];
  tny_lab_folder_path(lab->directory, "in/run-XXXXXX", launch->folder);
  if (!mkdtemp(launch->folder))
    return tny_error_set(error, TNY_SYSTEM, "can't make a folder in the lab: %s", strerror(errno));
  snprintf(path, sizeof path, "%s/tourney", launch->folder);
  if (symlink(launch->tool, path) < 0)
    return tny_error_set(error, TNY_SYSTEM, "can't make a link in the lab: %s", strerror(errno));
  return launcher_of(launch)->fill_folder(launch, error);
}

/* Is pid 1 of the job: the kernel ends all processes of the job when it ends. */
static _Noreturn void run_init(const struct tny_lab_entered *entered)
{
  const struct tny_lab_launch *launch = entered->context;
  struct tny_error error = {0};
  if (tny_lab_memory_separate(&error) != TNY_OK)
    tny_lab_entered_fail(entered, &error);
  if (unshare(CLONE_NEWNS) == 0) {
    tny_lab_mount_proc();
    if (launcher_of(launch)->has_shared_memory)
      (void)mount("tourney-run", "/dev/shm", "tmpfs", MS_NOSUID | MS_NODEV, "mode=1777");
  }
  const pid_t mpirun = tny_lab_entered_fork(entered);
  if (mpirun == 0) {
    char **command = set_environment(launch) ? write_command(launch) : NULL;
    if (command)
      tny_lab_entered_become(entered, command);
    tny_error_memory(&error);
    tny_lab_entered_fail(entered, &error);
  }
  for (int status;;) {
    const pid_t ended = wait(&status);
    if (ended == mpirun)
      _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
    if (ended < 0 && errno != EINTR)
      _exit(126);
  }
}

static _Noreturn void run_supervisor(const struct tny_lab_entered *entered)
{
  struct tny_error error = {0};
  if (unshare(CLONE_NEWPID) < 0) {
    tny_error_set(&error, TNY_SYSTEM, "can't make a pid namespace: %s", strerror(errno));
    tny_lab_entered_fail(entered, &error);
  }
  const struct tny_lab_watch watch = {
      .child = tny_lab_entered_fork(entered), .send = SIGKILL, .output = -1};
  if (watch.child == 0)
    run_init(entered);
  _exit(tny_lab_entered_wait(entered, &watch));
}

static int run_job(const struct tny_lab_entered *entered)
{
  struct tny_lab_launch *launch = entered->context;
  struct tny_error error = {0};
  if (make_folder(entered->lab, launch, &error) != TNY_OK)
    tny_lab_entered_fail(entered, &error);
  const struct tny_lab_watch watch = {
      .child = tny_lab_entered_fork(entered), .send = SIGTERM, .output = -1};
  if (watch.child == 0)
    run_supervisor(entered);
  struct tny_lab_end end;
  const enum tny_status status = tny_lab_watch_child(&watch, &end, &error);
  nftw(launch->folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
  if (status != TNY_OK)
    tny_lab_entered_fail(entered, &error);
  return end.exit_code;
}

static enum tny_status map_ranks(const struct tny_lab *lab, struct tny_lab_launch *launch,
                                 struct tny_error *error)
{
  launch->host_of_rank = tny_new(launch->rank_count, sizeof *launch->host_of_rank);
  if (!launch->host_of_rank)
    return tny_error_memory(error);
  return tny_map_ranks(lab->cluster, launch->job->map, launch->rank_count, launch->host_of_rank,
                       error);
}

static enum tny_status check_rank_count(const struct tny_lab *lab, uint32_t rank_count,
                                        struct tny_error *error)
{
  const uint64_t most = (uint64_t)lab->cluster->host_count * TNY_RANKS_PER_HOST_MAX;
  if (rank_count <= most)
    return TNY_OK;
  return tny_error_set(error, TNY_REFUSED,
                       "%" PRIu32 " ranks don't fit: at most %d a host, %" PRIu64 " in this lab",
                       rank_count, TNY_RANKS_PER_HOST_MAX, most);
}

/* LD_PRELOAD is a list, which spaces and colons divide. */
static enum tny_status check_preload(struct tny_error *error)
{
  const char *preload = getenv("TOURNEY_PRELOAD");
  if (!preload || !strpbrk(preload, ": \t\n"))
    return TNY_OK;
  return tny_error_set(error, TNY_REFUSED,
                       "the runtime's path has a space or a colon, which LD_PRELOAD can't take: "
                       "move '%.300s' to a folder without",
                       preload);
}

static enum tny_status prepare(const struct tny_lab *lab, struct tny_lab_launch *launch,
                               struct tny_error *error)
{
  const char *tool = launch->job->tool ? launch->job->tool : "/proc/self/exe";
  if (!realpath(tool, launch->tool))
    return tny_error_set(error, TNY_SYSTEM, "can't find the program %.200s: %s", tool,
                         strerror(errno));
  enum tny_status status = check_rank_count(lab, launch->rank_count, error);
  if (status == TNY_OK)
    status = check_preload(error);
  if (status == TNY_OK)
    status = launcher_of(launch)->find(launch->mpirun, error);
  if (status == TNY_OK)
    status = map_ranks(lab, launch, error);
  if (status == TNY_OK)
    status = tny_cluster_write_flat(lab->cluster, &launch->flat, error);
  if (status == TNY_OK && strlen(launch->flat) > ENVIRONMENT_TEXT_MAX)
    status = tny_error_set(error, TNY_REFUSED,
                           "the cluster is too large to tell the ranks of: its text has %zu bytes, "
                           "and an environment variable at most %d",
                           strlen(launch->flat), ENVIRONMENT_TEXT_MAX);
  return status;
}

enum tny_status tny_lab_run(const struct tny_lab *lab, const struct tny_lab_job *job,
                            struct tny_lab_end *end, struct tny_error *error)
{
  struct tny_lab_launch launch = {.job = job,
                                  .cluster = lab->cluster,
                                  .rank_count =
                                      job->rank_count ? job->rank_count : lab->cluster->host_count};
  *end = (struct tny_lab_end){0};
  launch.shares_hosts = launch.rank_count > lab->cluster->host_count;
  enum tny_status status = prepare(lab, &launch, error);
  if (status == TNY_OK) {
    struct tny_lab_task task = {.node = lab->cluster->node_names[0],
                                .body = run_job,
                                .context = &launch,
                                .watch = {.send = SIGTERM,
                                          .timeout_seconds = job->timeout_seconds,
                                          .output = -1,
                                          .receive = job->output,
                                          .context = job->context}};
    status = tny_lab_enter(lab, &task, end, error);
  }
  tny_free(launch.host_of_rank);
  tny_text_free(launch.flat);
  return status;
}
