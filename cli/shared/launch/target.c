#include "cli/shared/launch/target.h"

#include <stdlib.h>

#include "cli/shared/launch/launch.h"
#include "cli/shared/mapping.h"
#include "core/error.h"

static enum tny_status open_lab(struct launch_target *target,
                                const struct launch_target_wanted *wanted, struct tny_error *error)
{
  struct tny_error cause = {0};
  if (tny_lab_open(wanted->lab, &target->lab, &cause) != TNY_OK)
    return tny_error_set(error, cause.status, "%s; or %s", cause.text, wanted->otherwise);
  unsetenv("TOURNEY_CLUSTER"); /* lab run sets its own, */
  unsetenv("TOURNEY_MAP");     /* and --map says this */
  return wanted->is_shared ? TNY_OK : tny_lab_measure_alone(target->lab, error);
}

enum tny_status launch_target_open(struct launch_target *target,
                                   const struct launch_target_wanted *wanted, char **value,
                                   struct tny_error *error)
{
  *value = NULL;
  enum tny_status status = wanted->in_lab ? open_lab(target, wanted, error) : TNY_OK;
  if (status == TNY_OK && wanted->cluster)
    return launch_open_cluster(wanted->cluster, &target->cluster, value, error);
  if (status == TNY_OK && target->lab)
    target->cluster = target->lab->cluster;
  return status;
}

void launch_target_close(struct launch_target *target)
{
  if (!target->lab || target->cluster != target->lab->cluster)
    tny_cluster_free(target->cluster);
  if (target->lab)
    tny_lab_close(target->lab);
  *target = (struct launch_target){0};
}

enum tny_status launch_target_ranks(const struct launch_target *target, uint32_t least,
                                    uint32_t *ranks, struct tny_error *error)
{
  if (!target->lab)
    return TNY_OK;
  if (!*ranks)
    *ranks = target->lab->cluster->host_count;
  if (*ranks < least)
    return tny_error_set(error, TNY_BAD_INPUT,
                         "the lab's only host makes one rank, which has no collectives to "
                         "measure: say how many by --ranks");
  return mapping_check_ranks(target->lab->cluster, *ranks, error);
}
