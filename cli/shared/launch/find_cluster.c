/* The search for a job's cluster. What is wrong with a source never ends a job: it runs natively,
   and is told why. */
#include "find_cluster.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tourney/import.h>

#include "core/error.h"
#include "core/hostlist.h"
#include "core/text.h"
#include "core/units.h"
#include "lab/process.h"
#include "launch.h"
#include "remembered.h"

const char *launch_site_folder(void)
{
  const char *given = getenv("TOURNEY_SITE");
  if (!given)
    return TOURNEY_SITE_FOLDER;
  return *given ? given : NULL;
}

/* An error's place and text; line 0 has no number. */
static void put_reason(char *text, size_t room, const struct tny_error *error)
{
  char line[16] = "";
  if (error->line)
    snprintf(line, sizeof line, ":%u", error->line);
  snprintf(text, room, "%.100s%s%s%.230s", error->file, line, error->file[0] ? ": " : "",
           error->text);
}

/* --- the site's file --- */

/* Whether there is one; it may be of no use. */
static bool try_site(struct launch_finding *finding, const char *folder)
{
  char path[PATH_MAX], reason[360];
  struct tny_error error = {0};
  if (!folder)
    return false;
  snprintf(path, sizeof path, "%s/cluster.dot", folder);
  if (access(path, F_OK) != 0)
    return false;
  if (launch_open_cluster(path, &finding->cluster, &finding->value, &error) == TNY_OK) {
    snprintf(finding->origin, sizeof finding->origin, "the site's file %.400s", path);
    return true;
  }
  put_reason(reason, sizeof reason, &error);
  snprintf(finding->origin, sizeof finding->origin, "the site's cluster can't be used: %s", reason);
  return true;
}

/* --- Slurm --- */

/* In a job, or where srun makes one. */
static bool is_slurms(const char *launcher)
{
  const char *slash = launcher ? strrchr(launcher, '/') : NULL;
  const char *name = slash ? slash + 1 : launcher;
  return getenv("SLURM_JOB_ID") || (name && strcmp(name, "srun") == 0);
}

/* The hosts of the job; NULL: not known yet. */
static const char *job_hosts(void)
{
  const char *hosts = getenv("SLURM_JOB_NODELIST");
  return hosts ? hosts : getenv("SLURM_NODELIST");
}

/* What `scontrol show topology` prints; a daemon that doesn't answer costs ten seconds. */
static enum tny_status ask_slurm(char **topology, struct tny_error *error)
{
  static const char script[] = "command -v scontrol >/dev/null || exit 127; exec timeout 10 "
                               "scontrol show topology 2>/dev/null";
  char *const argv[] = {(char *)"/bin/sh", (char *)"-c", (char *)script, NULL};
  const struct tny_lab_helper helper = {.argv = argv, .input = "", .netns = -1};
  *topology = NULL;
  if (tny_lab_helper_run(&helper, topology, NULL) != TNY_OK)
    return tny_error_set(error, TNY_SYSTEM,
                         "'scontrol show topology' isn't there or has no answer");
  if (strstr(*topology, "Name=") == NULL)
    return tny_error_set(error, TNY_REFUSED,
                         "Slurm knows of no topology here (TopologyPlugin is none or flat)");
  return TNY_OK;
}

static enum tny_status check_rate(const struct launch_rates *rates, struct tny_error *error)
{
  return rates->link.bps ? TNY_OK
                         : tny_error_set(error, TNY_REFUSED,
                                         "no interface of this host says its speed: say the hosts' "
                                         "by --link or TOURNEY_LINK, as in 25Gbit/s");
}

static enum tny_status hand_over(struct launch_finding *finding, struct tny_error *error)
{
  struct tny_error cause = {0};
  const enum tny_status status =
      launch_cluster_value(finding->cluster, "slurm", &finding->value, &cause);
  if (status == TNY_REFUSED)
    return tny_error_set(error, status,
                         "the job's part of it is too large for the environment: import it by "
                         "'tourney topology import' once for all");
  return status == TNY_OK ? TNY_OK : tny_error_memory(error);
}

static void say_slurms(struct launch_finding *finding, const struct launch_rates *rates)
{
  char trunks[220] = "";
  if (rates->trunk.bps)
    snprintf(trunks, sizeof trunks, ", those between switches %s (%s)",
             tny_bandwidth_format(rates->trunk.bps).text, rates->trunk.by);
  snprintf(finding->origin, sizeof finding->origin,
           "Slurm (scontrol show topology), hosts' links %s (%s)%s",
           tny_bandwidth_format(rates->link.bps).text, rates->link.by, trunks);
}

static enum tny_status read_slurms(struct launch_finding *finding, const struct launch_rates *rates,
                                   struct tny_error *error)
{
  char *topology;
  const char *format;
  enum tny_status status = ask_slurm(&topology, error);
  if (status == TNY_OK)
    status = check_rate(rates, error);
  const struct tny_import_file file = {.name = "slurm", .text = topology};
  const struct tny_import_request import = {.files = &file,
                                            .file_count = 1,
                                            .format = "slurm-conf",
                                            .hosts = getenv("SLURM_JOB_ID") ? job_hosts() : NULL,
                                            .link_bps = rates->link.bps,
                                            .trunk_bps = rates->trunk.bps};
  if (status == TNY_OK)
    status = tny_cluster_import(&import, &finding->cluster, &format, error);
  if (status == TNY_OK)
    status = hand_over(finding, error);
  tny_text_free(topology);
  return status;
}

/* Leaves nothing found and the reason in `origin`, where Slurm's topology is of no use. */
static enum tny_status try_slurm(struct launch_finding *finding, const struct launch_rates *given,
                                 const char *site, struct tny_error *error)
{
  struct launch_rates rates = *given;
  struct tny_error cause = {0};
  char reason[360];
  enum tny_status status = launch_rates_find(&rates, site, "/sys", &cause);
  if (status == TNY_OK)
    status = read_slurms(finding, &rates, &cause);
  if (status == TNY_OK) {
    say_slurms(finding, &rates);
    return TNY_OK;
  }
  if (status == TNY_NO_MEMORY)
    return tny_error_memory(error);
  tny_cluster_free(finding->cluster);
  finding->cluster = NULL;
  put_reason(reason, sizeof reason, &cause);
  snprintf(finding->origin, sizeof finding->origin,
           "no cluster is given, and Slurm's can't be used: %.340s; or let 'tourney discover' "
           "measure it",
           reason);
  return TNY_OK;
}

/* --- a remembered discovery --- */

static enum tny_status find_host(void *state, const char *name, struct tny_error *error)
{
  const struct tny_cluster *cluster = state;
  if (tny_cluster_find_host(cluster, name) != TNY_NONE)
    return TNY_OK;
  return tny_error_set(error, TNY_REFUSED, "%.60s isn't in it", name);
}

/* Has the cluster all hosts of the job, as far as they are known? The runtime asks for the others'
   places by their names. */
static bool has_hosts(const struct tny_cluster *cluster)
{
  struct tny_error error = {0};
  const char *hosts = getenv("SLURM_JOB_ID") ? job_hosts() : NULL;
  return !hosts || tny_hostlist_expand(hosts, find_host, (void *)cluster, &error) == TNY_OK;
}

/* What `tourney discover` found last. Leaves `origin` as it is where that is of no use. */
static void try_remembered(struct launch_finding *finding)
{
  char path[PATH_MAX];
  struct tny_error error = {0};
  if (!launch_remembered_path(path) || access(path, R_OK) != 0 ||
      launch_open_cluster(path, &finding->cluster, &finding->value, &error) != TNY_OK)
    return;
  if (has_hosts(finding->cluster)) {
    snprintf(finding->origin, sizeof finding->origin, "what tourney discover found, %.400s", path);
    return;
  }
  launch_finding_release(finding);
}

enum tny_status launch_find_cluster(const struct launch_search *search,
                                    struct launch_finding *finding, struct tny_error *error)
{
  const char *site = launch_site_folder();
  *finding = (struct launch_finding){0};
  if (try_site(finding, site))
    return TNY_OK;
  enum tny_status status = TNY_OK;
  if (is_slurms(search->launcher))
    status = try_slurm(finding, &search->rates, site, error);
  else
    snprintf(finding->origin, sizeof finding->origin,
             "no cluster is given, and none is found: let 'tourney discover' measure it, or "
             "describe it in a file, for --cluster or for all as %.200s/cluster.dot "
             "(docs/cluster-files.md)",
             site ? site : TOURNEY_SITE_FOLDER);
  if (status == TNY_OK && !finding->cluster)
    try_remembered(finding);
  return status;
}

void launch_finding_release(struct launch_finding *finding)
{
  tny_cluster_free(finding->cluster);
  tny_text_free(finding->value);
  finding->cluster = NULL;
  finding->value = NULL;
}
