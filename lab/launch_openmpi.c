/* Open MPI's mpirun. There is a rank for each line of its hostfile, only the lab's own network is
   used, and our agent stands in for ssh. */
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "core/error.h"
#include "core/text.h"
#include "lab/launch.h"
#include "lab/process.h"
#include "lab/wiring.h"

extern char **environ;

static enum tny_status find(char path[256], struct tny_error *error)
{
  const enum tny_status status = tny_lab_tool_find("mpirun", "openmpi-bin", path, error);
  if (status == TNY_OK && tny_lab_is_other_mpi(path))
    return tny_lab_tool_find("mpirun.openmpi", "openmpi-bin", path, error);
  return status;
}

static enum tny_status fill_folder(const struct tny_lab_launch *launch, struct tny_error *error)
{
  char path[TNY_LAB_PATH_MAX + 16], *hosts = NULL;
  struct tny_text text = {0};
  for (uint32_t rank = 0; rank < launch->rank_count; rank++)
    tny_text_add(&text, "%s\n", launch->cluster->node_names[launch->host_of_rank[rank]]);
  enum tny_status status = tny_text_take(&text, &hosts, error);
  snprintf(path, sizeof path, "%s/hosts", launch->folder);
  if (status == TNY_OK)
    status = tny_lab_file_write(path, hosts, error);
  tny_text_free(hosts);
  return status;
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
static bool set_sharing(const struct tny_lab_launch *launch)
{
  const char *const settings[][2] = {{"OMPI_MCA_btl", "tcp,vader,self"},
                                     {"OMPI_MCA_btl_vader_backing_directory", launch->folder},
                                     {"OMPI_MCA_osc_sm_backing_directory", launch->folder},
                                     {NULL, NULL}};
  return tny_lab_environment_set(settings) &&
         (may_read_memory() || setenv("OMPI_MCA_btl_vader_single_copy_mechanism", "none", 1) == 0);
}

static bool set_environment(const struct tny_lab_launch *launch)
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
                                     {NULL, NULL}};
  return tny_lab_environment_set(settings) && (!launch->shares_hosts || set_sharing(launch));
}

/* Adds -x for every variable that ranks on other hosts must see as it is here. */
static void add_environment(struct tny_lab_words *words)
{
  const char *preload = getenv("TOURNEY_PRELOAD");
  struct tny_text assignment = {0};
  if (preload && preload[0]) {
    struct tny_text value = {0};
    tny_lab_preload_add(&value, NULL);
    tny_text_add(&assignment, "LD_PRELOAD=%s", value.failed ? "" : value.bytes);
    tny_lab_words_add(words, "-x");
    tny_lab_words_add(words, assignment.failed ? "" : assignment.bytes);
    words->failed |= value.failed || assignment.failed;
    tny_text_release(&value);
    tny_text_release(&assignment);
  }
  for (char **variable = environ; *variable; variable++) {
    if (strncmp(*variable, "TOURNEY_", 8) != 0 && strncmp(*variable, "TOURNEY=", 8) != 0)
      continue;
    tny_text_add(&assignment, "%.*s", (int)strcspn(*variable, "="), *variable);
    tny_lab_words_add(words, "-x");
    tny_lab_words_add(words, assignment.failed ? "" : assignment.bytes);
    words->failed |= assignment.failed;
    tny_text_release(&assignment);
  }
}

static void add_words(const struct tny_lab_launch *launch, struct tny_lab_words *words)
{
  char hosts[TNY_LAB_PATH_MAX + 16];
  snprintf(hosts, sizeof hosts, "%s/hosts", launch->folder);
  tny_lab_words_add(words, launch->mpirun);
  tny_lab_words_add_number(words, "-np", launch->rank_count);
  const char *const more[] = {"--hostfile", hosts, "--bind-to", "none", NULL};
  tny_lab_words_add_list(words, more);
  add_environment(words);
}

const struct tny_lab_launcher tny_lab_launcher_openmpi = {.find = find,
                                                          .fill_folder = fill_folder,
                                                          .set_environment = set_environment,
                                                          .add_words = add_words};
