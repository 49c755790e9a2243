/* Running an MPI program, by Open MPI's mpirun on host 0. The job has a pid namespace of its own
   below the keeper's, so that no process of it can outlive its init. Four processes stand between
   the caller and the program, each the parent of the next:

   caller -> entered process (in the lab, on host 0) -> supervisor (waits for the job, and kills it
   when told to end) -> init (pid 1 of the job) -> mpirun */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <inttypes.h>
#include <limits.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/alloc.h"
#include "core/error.h"
#include "core/text.h"
#include "lab/build.h"
#include "lab/enter.h"
#include "lab/wiring.h"

extern char **environ;

enum {
  ENVIRONMENT_TEXT_MAX = 131071 - sizeof "TOURNEY_CLUSTER="
}; /* the kernel's limit for one text */

/* What is prepared before the caller forks. */
struct launch {
  const struct tny_lab_job *job;
  uint32_t rank_count;
  char mpirun[256];
  char tool[PATH_MAX];
  char *hostfile;                /* a line for each rank */
  bool shares_hosts;             /* Some host has more ranks than one. */
  char *flat;                    /* the cluster in flat form */
  char folder[TNY_LAB_PATH_MAX]; /* of this run, in the lab's tmpfs; the entered process makes it */
};

/* The command line of mpirun while it grows. `failed` is sticky. */
struct words {
  char **list;
  size_t count;
  bool failed;
};

static void add_word(struct words *words, const char *word)
{
  char **longer = words->failed ? NULL : tny_resize(words->list, words->count + 2, sizeof *longer);
  char *copy = longer ? tny_copy_text(word) : NULL;
  if (longer)
    words->list = longer;
  if (!copy) {
    words->failed = true;
    return;
  }
  longer[words->count++] = copy;
  longer[words->count] = NULL;
}

/* Adds -x for every variable that ranks on other hosts must see as it is here. */
static void add_environment(struct words *words)
{
  const char *preload = getenv("TOURNEY_PRELOAD"), *theirs = getenv("LD_PRELOAD");
  struct tny_text assignment = {0};
  if (preload && preload[0]) {
    const bool both = theirs && theirs[0];
    tny_text_add(&assignment, "LD_PRELOAD=%s%s%s", preload, both ? ":" : "", both ? theirs : "");
    add_word(words, "-x");
    add_word(words, assignment.failed ? "" : assignment.bytes);
    words->failed |= assignment.failed;
    tny_text_release(&assignment);
  }
  for (char **variable = environ; *variable; variable++) {
    if (strncmp(*variable, "TOURNEY_", 8) != 0 && strncmp(*variable, "TOURNEY=", 8) != 0)
      continue;
    tny_text_add(&assignment, "%.*s", (int)strcspn(*variable, "="), *variable);
    add_word(words, "-x");
    add_word(words, assignment.failed ? "" : assignment.bytes);
    words->failed |= assignment.failed;
    tny_text_release(&assignment);
  }
}

static char **write_command(const struct launch *launch)
{
  char number[16], hostfile[TNY_LAB_PATH_MAX + 16];
  struct words words = {0};
  snprintf(number, sizeof number, "%u", (unsigned)launch->rank_count);
  snprintf(hostfile, sizeof hostfile, "%s/hosts", launch->folder);
  const char *const first[] = {launch->mpirun, "-np",       number, "--hostfile",
                               hostfile,       "--bind-to", "none"};
  for (size_t i = 0; i < sizeof first / sizeof *first; i++)
    add_word(&words, first[i]);
  add_environment(&words);
  for (const char *const *more = launch->job->mpi_args; more && *more; more++)
    add_word(&words, *more);
  for (char *const *word = launch->job->argv; *word; word++)
    add_word(&words, *word);
  return words.failed ? NULL : words.list;
}

/* Whether a process may read another's memory directly, as ranks of one host do with long messages.
   Some containers forbid the call as such, and Open MPI then fails instead of doing without. */
static bool may_read_memory(void)
{
  char from = 1, to = 0;
  const struct iovec source = {&from, 1}, target = {&to, 1};
  return process_vm_readv(getpid(), &target, 1, &source, 1, 0) == 1;
}

/* Where ranks share a host, they talk through shared memory, as on a real one. Open MPI tells hosts
   apart by their names, so that ranks of different hosts don't. The files of that memory lie in the
   run's folder: in /dev/shm those of two runs would have the same names, as process ids repeat. */
static bool set_sharing(const struct launch *launch)
{
  return setenv("OMPI_MCA_btl", "tcp,vader,self", 1) == 0 &&
         setenv("OMPI_MCA_btl_vader_backing_directory", launch->folder, 1) == 0 &&
         setenv("OMPI_MCA_osc_sm_backing_directory", launch->folder, 1) == 0 &&
         (may_read_memory() || setenv("OMPI_MCA_btl_vader_single_copy_mechanism", "none", 1) == 0);
}

/* Gives Open MPI its settings by the environment, so that what the user gives on mpirun's command
   line has precedence. There is a rank for each line of the hostfile, only the lab's own network is
   used, and our agent stands in for ssh. */
static bool set_environment(const struct launch *launch)
{
  char agent[TNY_LAB_PATH_MAX + 32];
  snprintf(agent, sizeof agent, "%s/tourney lab agent", launch->folder);
  const char *const settings[][2] = {{"OMPI_MCA_plm", "rsh"},
                                     {"OMPI_MCA_plm_rsh_agent", agent},
                                     {"OMPI_MCA_rmaps", "seq"},
                                     {"OMPI_MCA_pml", "ob1"},
                                     {"OMPI_MCA_btl", "tcp,self"},
                                     {"OMPI_MCA_btl_tcp_if_include", TNY_LAB_HOST_PORT},
                                     {"OMPI_MCA_oob_tcp_if_include", TNY_LAB_HOST_PORT},
                                     {"OMPI_MCA_mpi_yield_when_idle", "1"},
                                     {"OMPI_MCA_orte_keep_fqdn_hostnames", "1"},
                                     {"OMPI_MCA_orte_tmpdir_base", launch->folder},
                                     {"OMPI_ALLOW_RUN_AS_ROOT", "1"},
                                     {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"},
                                     {TNY_LAB_INSIDE, NULL}};
  for (size_t i = 0; settings[i][1]; i++)
    if (setenv(settings[i][0], settings[i][1], 1) < 0)
      return false;
  if (launch->shares_hosts && !set_sharing(launch))
    return false;
  return setenv("TOURNEY_CLUSTER", launch->flat, 0) == 0;
}

static int remove_entry(const char *path, const struct stat *info, int kind, struct FTW *where)
{
  (void)info, (void)kind, (void)where;
  return remove(path);
}

/* Makes the folder of this run, with the hostfile and a link to the tool. The agent's command goes
   through the link since mpirun cuts it at spaces, and the tool's own path may have some. */
static enum tny_status make_folder(const struct tny_lab *lab, struct launch *launch,
                                   struct tny_error *error)
{
  char path[TNY_LAB_PATH_MAX + 16];
  tny_lab_folder_path(lab->directory, "in/run-XXXXXX", launch->folder);
  if (!mkdtemp(launch->folder))
    return tny_error_set(error, TNY_SYSTEM, "can't make a folder in the lab: %s", strerror(errno));
  snprintf(path, sizeof path, "%s/tourney", launch->folder);
  if (symlink(launch->tool, path) < 0)
    return tny_error_set(error, TNY_SYSTEM, "can't make a link in the lab: %s", strerror(errno));
  snprintf(path, sizeof path, "%s/hosts", launch->folder);
  return tny_lab_file_write(path, launch->hostfile, error);
}

/* Is pid 1 of the job: the kernel ends all processes of the job when it ends. */
static _Noreturn void run_init(const struct tny_lab_entered *entered)
{
  const struct launch *launch = entered->context;
  struct tny_error error = {0};
  if (unshare(CLONE_NEWNS) == 0)
    tny_lab_mount_proc();
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
  struct launch *launch = entered->context;
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

static enum tny_status write_hostfile(const struct tny_lab *lab, struct launch *launch,
                                      struct tny_error *error)
{
  struct tny_text text = {0};
  uint32_t *host_of_rank = tny_new(launch->rank_count, sizeof *host_of_rank);
  if (!host_of_rank)
    return tny_error_memory(error);
  enum tny_status status =
      tny_map_ranks(lab->cluster, launch->job->map, launch->rank_count, host_of_rank, error);
  for (uint32_t rank = 0; status == TNY_OK && rank < launch->rank_count; rank++)
    tny_text_add(&text, "%s\n", lab->cluster->node_names[host_of_rank[rank]]);
  tny_free(host_of_rank);
  if (status == TNY_OK)
    status = tny_text_take(&text, &launch->hostfile, error);
  return status;
}

/* An mpirun of another MPI understands neither our agent nor our hostfile. */
bool tny_lab_is_other_mpi(const char *mpirun)
{
  char path[PATH_MAX], *said = NULL;
  struct tny_error error = {0};
  if (!realpath(mpirun, path))
    return false;
  if (strstr(path, "mpich") || strstr(path, "hydra"))
    return true;
  if (strstr(path, "openmpi") || strstr(path, "orterun") || strstr(path, "prterun"))
    return false;
  char *const argv[] = {(char *)mpirun, (char *)"--version", NULL};
  const struct tny_lab_helper helper = {.argv = argv, .input = "", .netns = -1};
  const bool other = tny_lab_helper_run(&helper, &said, &error) == TNY_OK &&
                     (strstr(said, "HYDRA") || strstr(said, "MPICH"));
  tny_text_free(said);
  return other;
}

static enum tny_status find_mpirun(char path[256], struct tny_error *error)
{
  const enum tny_status status = tny_lab_tool_find("mpirun", "openmpi-bin", path, error);
  if (status == TNY_OK && tny_lab_is_other_mpi(path))
    return tny_lab_tool_find("mpirun.openmpi", "openmpi-bin", path, error);
  return status;
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

static enum tny_status prepare(const struct tny_lab *lab, struct launch *launch,
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
    status = find_mpirun(launch->mpirun, error);
  if (status == TNY_OK)
    status = write_hostfile(lab, launch, error);
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
  struct launch launch = {
      .job = job, .rank_count = job->rank_count ? job->rank_count : lab->cluster->host_count};
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
  tny_text_free(launch.hostfile);
  tny_text_free(launch.flat);
  return status;
}
