/* The networks, and all-gathers on them. A reduce-scatter by Swing is its all-gather turned round,
   and loads links as much. */
#include "reproduce/desensi2024/desensi2024.h"

const struct tny_swing_network tny_swing_networks[] = {
    {"ring:16", 1, 16},
    {"ring:64", 1, 64},
    {"ring:256", 1, 256},
    {"torus:8x8", 2, 8},
    {"torus:16x16", 2, 16},
    {"torus:8x8x8", 3, 8},
    {0},
};

enum tny_status tny_swing_open(const struct tny_swing_network *network, struct tny_swing_plan *plan,
                               struct tny_error *error)
{
  *plan = (struct tny_swing_plan){0};
  const struct tny_site_wanted wanted = {.cluster = network->cluster};
  const enum tny_status status = tny_site_open(&plan->site, &wanted, error);
  return status == TNY_OK ? tny_site_number(&plan->site, error) : status;
}

enum tny_status tny_swing_plan(struct tny_swing_plan *plan, const char *algorithm,
                               struct tny_error *error)
{
  const struct tny_plan_wanted wanted = {.collective = TNY_ALLGATHER, .algorithm = algorithm};
  return tny_site_plan(&plan->site, &wanted, &plan->schedule, error);
}

void tny_swing_close(struct tny_swing_plan *plan)
{
  tny_schedule_free(plan->schedule);
  tny_site_close(&plan->site);
}
