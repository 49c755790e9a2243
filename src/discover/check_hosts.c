/* Hosts of both, found beside a file: are they at the switches that the file says, and of its rates? */
#include <math.h>
#include <stdio.h>

#include "cluster/links.h"
#include "core/units.h"
#include "discover/check.h"
#include "discover/file_tree.h"

/* The file's name of the switch of a host of both. */
static const char *switch_name(const struct tny_check *check, uint32_t i)
{
  const uint32_t at = tny_cluster_switch_of(check->cluster, check->cluster_host[i]);
  return check->cluster->node_names[at];
}

/* On which sides of the trunks that are in both is a host, by what was found and by the file? */
static bool is_miscabled(const struct tny_check *check, uint32_t i)
{
  const uint32_t n = check->both_count;
  for (uint32_t t = 0; t < check->network->found->tree.trunk_count; t++) {
    if (check->same[t] == TNY_NONE)
      continue;
    const uint8_t *found = &check->found_side[(size_t)t * n];
    const uint8_t *wanted = &check->expected_side[(size_t)check->same[t] * n];
    uint32_t different = 0;
    for (uint32_t other = 0; other < n; other++)
      different += found[other] != wanted[other];
    const bool is_turned = different > n - different;
    if ((found[i] != wanted[i]) != is_turned)
      return true;
  }
  return false;
}

/* A host at the switch where the host was found that the file has there too. */
static const char *find_place(const struct tny_check *check, uint32_t i)
{
  const uint32_t *switch_of = check->network->found->tree.switch_of;
  for (uint32_t other = 0; other < check->both_count; other++)
    if (other != i && !is_miscabled(check, other) &&
        switch_of[check->found_host[other]] == switch_of[check->found_host[i]])
      return switch_name(check, other);
  return NULL;
}

static bool judge_place(struct tny_check *check, uint32_t i)
{
  if (!is_miscabled(check, i))
    return true;
  const char *place = find_place(check, i);
  char text[200];
  snprintf(text, sizeof text, "is at %.80s; the file says %.80s", place ? place : "another switch",
           switch_name(check, i));
  return tny_faults_add_host(check->faults, TNY_FAULT_MISCABLED,
                             check->network->names[check->found_host[i]], text);
}

/* What the narrowest trunk between two hosts carries; INFINITY: none is between them. */
static double find_narrowest(const struct tny_check *check, uint32_t a, uint32_t b)
{
  const uint32_t to = check->cluster_host[b];
  double bps = INFINITY;
  uint32_t node = check->cluster_host[a], link, cables;
  for (; (link = tny_routes_next(check->routes, node, to)) != TNY_NONE;
       node = check->cluster->links[link].to)
    if (tny_link_is_trunk(check->cluster, link))
      bps = fmin(
          bps,
          tny_file_tree_add_parallel(check->cluster, &check->cluster->links[link], &cables).bps);
  return bps;
}

/* What trunks let a host have where its rate is measured: between it and those that seem to be at
   its switch, the best of them; else to any host. */
static double find_reach(const struct tny_check *check, uint32_t i)
{
  const uint32_t *switch_of = check->expected.switch_of;
  double near = 0, any = INFINITY;
  for (uint32_t other = 0; other < check->both_count; other++) {
    if (other == i)
      continue;
    const double bps = find_narrowest(check, i, other);
    any = fmin(any, bps);
    if (switch_of[other] == switch_of[i])
      near = fmax(near, bps);
  }
  return near > 0 ? near : any;
}

static bool judge_rate(struct tny_check *check, uint32_t i)
{
  const uint32_t out = check->cluster->out_links[check->cluster->first_out[check->cluster_host[i]]];
  const struct tny_link *cable = &check->cluster->links[out];
  const struct tny_said_rate said = {(double)cable->bandwidth_bps, (double)cable->best_bps};
  const double measured = check->network->found->hosts[check->found_host[i]].bps;
  if (!tny_check_rate_differs(measured, said))
    return true;
  const double reach = fmin(said.bps, find_reach(check, i));
  if (measured < said.bps &&
      !tny_check_rate_differs(measured, (struct tny_said_rate){reach, reach}))
    return true;
  char text[128];
  snprintf(text, sizeof text, "has %s; the file says %s", tny_check_rate_text(measured).text,
           tny_check_rate_text(said.best_bps).text);
  return tny_faults_add_host(check->faults, TNY_FAULT_HOST_RATE,
                             check->network->names[check->found_host[i]], text);
}

bool tny_check_hosts(struct tny_check *check)
{
  for (uint32_t i = 0; i < check->both_count; i++)
    if (!judge_place(check, i) || !judge_rate(check, i))
      return false;
  return true;
}
