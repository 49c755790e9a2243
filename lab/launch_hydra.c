/* MPICH's launcher, Hydra. It hands its environment on to every rank. Ranks of different hosts talk
   by UCX over TCP and the lab's own network. Where ranks share a host, they talk through shared
   memory, as on a real one: UCX tells hosts apart by their IPC namespaces. Its other ways from
   process to process (cma) go by the namespace of process ids, which is the job's, and so would
   lead from host to host past the network. */
#include <stdlib.h>
#include <sys/stat.h>

#include "core/error.h"
#include "core/text.h"
#include "lab/launch.h"
#include "lab/process.h"
#include "lab/wiring.h"

/* Hydra wants one file to execute as its ssh, which it gives options, a host and a command. */
static const char agent_text[] = "#!/bin/sh\n"
                                 "while :; do\n"
                                 "  case $1 in\n"
                                 "  -*) shift ;;\n"
                                 "  *) break ;;\n"
                                 "  esac\n"
                                 "done\n"
                                 "exec \"${0%/*}/tourney\" lab agent \"$@\"\n";

static enum tny_status find(char path[256], struct tny_error *error)
{
  static const char *const names[] = {"mpiexec.mpich", "mpiexec.hydra", "mpiexec", "mpirun"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (tny_lab_tool_find(names[i], "mpich", path, NULL) == TNY_OK && tny_lab_is_other_mpi(path))
      return TNY_OK;
  return tny_lab_tool_find("mpiexec.mpich", "mpich", path, error);
}

/* A line "HOST:RANKS" for each host, in the order of ranks. Where they begin again with the first
   host, Hydra does so by itself; a host that stood in two lines would be two hosts to it. */
static void write_hosts(const struct tny_lab_launch *launch, struct tny_text *text)
{
  const uint32_t *host = launch->host_of_rank;
  uint32_t count;
  for (uint32_t rank = 0; rank < launch->rank_count; rank += count) {
    if (rank > 0 && host[rank] == host[0])
      return;
    count = 1;
    while (rank + count < launch->rank_count && host[rank + count] == host[rank])
      count++;
    tny_text_add(text, "%s:%u\n", launch->cluster->node_names[host[rank]], (unsigned)count);
  }
}

static enum tny_status fill_folder(const struct tny_lab_launch *launch, struct tny_error *error)
{
  char path[TNY_LAB_PATH_MAX + 16], *hosts = NULL;
  struct tny_text text = {0};
  write_hosts(launch, &text);
  enum tny_status status = tny_text_take(&text, &hosts, error);
  snprintf(path, sizeof path, "%s/hosts", launch->folder);
  if (status == TNY_OK)
    status = tny_lab_file_write(path, hosts, error);
  tny_text_free(hosts);
  snprintf(path, sizeof path, "%s/agent", launch->folder);
  if (status == TNY_OK)
    status = tny_lab_file_write(path, agent_text, error);
  if (status == TNY_OK && chmod(path, 0700) < 0)
    status = tny_error_set(error, TNY_SYSTEM, "can't make %s executable", path);
  return status;
}

static bool set_environment(const struct tny_lab_launch *launch)
{
  char hosts[TNY_LAB_PATH_MAX + 16], agent[TNY_LAB_PATH_MAX + 16];
  snprintf(hosts, sizeof hosts, "%s/hosts", launch->folder);
  snprintf(agent, sizeof agent, "%s/agent", launch->folder);
  const char *const settings[][2] = {
      {"HYDRA_LAUNCHER", "ssh"},
      {"HYDRA_LAUNCHER_EXEC", agent},
      {"HYDRA_RMK", "user"},
      {"HYDRA_HOST_FILE", hosts},
      {"UCX_TLS", launch->shares_hosts ? "tcp,posix,self" : "tcp,self"},
      {"UCX_NET_DEVICES", TNY_LAB_HOST_PORT},
      {NULL, NULL}};
  const char *const sleeps[][2] = {{"TOURNEY_YIELD_SLEEPS", "1"}, {NULL, NULL}};
  return tny_lab_environment_set(settings) &&
         (launch->shares_hosts || tny_lab_environment_set(sleeps));
}

static void add_words(const struct tny_lab_launch *launch, struct tny_lab_words *words)
{
  struct tny_text preload = {0};
  tny_lab_words_add(words, launch->mpirun);
  tny_lab_words_add_number(words, "-n", launch->rank_count);
  tny_lab_preload_add(&preload, launch->job->yield);
  if (preload.length) {
    const char *const more[] = {"-genv", "LD_PRELOAD", preload.bytes, NULL};
    tny_lab_words_add_list(words, more);
  }
  words->failed |= preload.failed;
  tny_text_release(&preload);
}

const struct tny_lab_launcher tny_lab_launcher_hydra = {.find = find,
                                                        .has_shared_memory = true,
                                                        .fill_folder = fill_folder,
                                                        .set_environment = set_environment,
                                                        .add_words = add_words};
