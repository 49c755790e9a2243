/* fattree:K, of switches with K ports: K pods of K/2 edge switches e<i>, each with K/2 hosts, and
   K/2 switches a<i> above them, joined each to each; and (K/2)^2 core switches c<i>, each joined to
   one switch of every pod: core i to the (i / (K/2))-th. K^3/4 hosts. (Al-Fares, Loukissas, Vahdat:
   A scalable, commodity data center network architecture, SIGCOMM 2008.) */
#include "cluster/generation.h"
#include "core/error.h"

/* 158^3/4 hosts are just under a million. */
#define PORTS_MAX 158u

/* The pod's edge switches with their hosts, its upper switches, and the cables between them.
   `above` has half entries. */
static enum tny_status add_pod(struct tny_generation *generation, uint32_t pod, uint32_t half,
                               uint32_t *above, struct tny_error *error)
{
  enum tny_status status = TNY_OK;
  for (uint32_t i = 0; !status && i < half; i++)
    status = tny_generation_switch(generation, 'a', pod * half + i, &above[i], error);
  for (uint32_t i = 0; !status && i < half; i++) {
    uint32_t edge = 0;
    status = tny_generation_switch(generation, 'e', pod * half + i, &edge, error);
    if (!status)
      status = tny_generation_hosts(generation, edge, half, error);
    for (uint32_t k = 0; !status && k < half; k++)
      status = tny_generation_cable(generation, &generation->trunk, edge, above[k], error);
  }
  return status;
}

enum tny_status tny_generate_fattree(struct tny_generation *generation, struct tny_error *error)
{
  const char *text = generation->arguments;
  uint32_t ports = 0, above[PORTS_MAX / 2];
  enum tny_status status = tny_generation_count(&text, "ports", &ports, error);
  if (status)
    return status;
  if (*text || ports < 2 || ports > PORTS_MAX || ports % 2)
    return tny_error_set(error, TNY_BAD_INPUT,
                         "\"%.40s\" is no even number from 2 to %u: give the ports of a switch",
                         generation->arguments, PORTS_MAX);
  const uint32_t half = ports / 2;
  uint32_t first_core = 0;
  for (uint32_t i = 0; !status && i < half * half; i++) {
    uint32_t core = 0;
    status = tny_generation_switch(generation, 'c', i, &core, error);
    if (i == 0)
      first_core = core;
  }
  for (uint32_t pod = 0; !status && pod < ports; pod++) {
    status = add_pod(generation, pod, half, above, error);
    for (uint32_t i = 0; !status && i < half * half; i++)
      status = tny_generation_cable(generation, &generation->trunk, above[i / half], first_core + i,
                                    error);
  }
  return status;
}
