/* Reads what the ranks found. */
#include "network.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/alloc.h"
#include "core/arena.h"
#include "core/error.h"

#define NAME_BYTES 256
#define MISFITS_MOST 0.05 /* of the pairs: single ones are errors, in cycles many don't fit */

enum tny_status discover_network_init(struct discover_network *network, struct tny_error *error)
{
  *network = (struct discover_network){.arena = tny_arena_new()};
  return network->arena ? TNY_OK : tny_error_memory(error);
}

void discover_network_release(struct discover_network *network)
{
  tny_discovery_release(&network->found);
  tny_free(network->names);
  tny_arena_free(network->arena);
  *network = (struct discover_network){0};
}

static enum tny_status complain(const char *line, struct tny_error *error)
{
  return tny_error_set(error, TNY_SYSTEM,
                       "the ranks say '%.100s', which this version of tourney discover doesn't "
                       "understand: is an older one installed on some hosts?",
                       line);
}

static enum tny_status read_size(struct discover_network *network, const char *line,
                                 struct tny_error *error)
{
  uint32_t hosts, trunks, misfits;
  double noise, hop;
  if (sscanf(line, "hosts %" SCNu32 " trunks %" SCNu32 " noise %lf hop %lf misfits %" SCNu32,
             &hosts, &trunks, &noise, &hop, &misfits) != 5 ||
      network->names || hosts < 2 || hosts > TNY_DISCOVER_HOSTS_MAX || trunks >= hosts)
    return complain(line, error);
  network->names = tny_new(hosts, sizeof *network->names);
  if (!network->names)
    return tny_error_memory(error);
  const enum tny_status status = tny_discovery_make(&network->found, hosts, trunks, error);
  network->found.tree.error_ns = noise;
  network->found.tree.hop_ns = hop;
  network->found.tree.misfits = misfits;
  network->discovered = (struct tny_discovered){&network->found, network->names};
  return status;
}

/* A tree has one switch more than trunks. */
static bool is_switch(const struct discover_network *network, uint32_t number)
{
  return number <= network->found.tree.trunk_count;
}

static enum tny_status read_host(struct discover_network *network, const char *line,
                                 struct tny_error *error)
{
  struct tny_tree *tree = &network->found.tree;
  const uint32_t host = network->hosts_read;
  char name[NAME_BYTES];
  uint32_t at;
  int is_least, is_measured;
  struct tny_found_cable cable = {0};
  if (host >= tree->host_count ||
      sscanf(line, "host %255s %" SCNu32 " %lf %d %lf %d", name, &at, &cable.bps, &is_least,
             &cable.buffer_bytes, &is_measured) != 6 ||
      !is_switch(network, at))
    return complain(line, error);
  cable.is_least = is_least;
  cable.is_measured = is_measured;
  tree->switch_of[host] = at;
  network->found.hosts[host] = cable;
  network->names[host] = tny_arena_copy_text(network->arena, name);
  network->hosts_read++;
  return network->names[host] ? TNY_OK : tny_error_memory(error);
}

static enum tny_status read_trunk(struct discover_network *network, const char *line,
                                  struct tny_error *error)
{
  struct tny_tree *tree = &network->found.tree;
  const uint32_t t = network->trunks_read;
  int is_least, is_measured;
  struct tny_found_cable cable = {0};
  struct tny_tree_trunk trunk;
  if (t >= tree->trunk_count ||
      sscanf(line, "trunk %" SCNu32 " %" SCNu32 " %lf %d %lf %d %lf", &trunk.a, &trunk.b,
             &cable.bps, &is_least, &cable.buffer_bytes, &is_measured, &trunk.ns) != 7 ||
      !is_switch(network, trunk.a) || !is_switch(network, trunk.b) || trunk.a == trunk.b)
    return complain(line, error);
  cable.is_least = is_least;
  cable.is_measured = is_measured;
  tree->trunks[t] = trunk;
  network->found.trunks[t] = cable;
  network->trunks_read++;
  return TNY_OK;
}

static enum tny_status read_end(struct discover_network *network, const char *line,
                                struct tny_error *error)
{
  struct tny_tree *tree = &network->found.tree;
  tree->switch_count = tree->trunk_count + 1;
  network->done = network->names && network->hosts_read == tree->host_count &&
                  network->trunks_read == tree->trunk_count;
  return network->done ? TNY_OK : complain(line, error);
}

enum tny_status discover_network_read(struct discover_network *network, const char *line,
                                      bool *known, struct tny_error *error)
{
  *known = true;
  if (!strcmp(line, "discover 2")) {
    network->started = true;
    return TNY_OK;
  }
  if (network->started && !network->done) {
    if (!strncmp(line, "hosts ", 6))
      return read_size(network, line, error);
    if (!strncmp(line, "host ", 5))
      return read_host(network, line, error);
    if (!strncmp(line, "trunk ", 6))
      return read_trunk(network, line, error);
    if (!strcmp(line, "done"))
      return read_end(network, line, error);
  }
  *known = false;
  return TNY_OK;
}

bool discover_network_has_cycles(const struct discover_network *network)
{
  const double n = network->found.tree.host_count;
  return network->found.tree.misfits > MISFITS_MOST * n * (n - 1) / 2;
}

double discover_network_sureness(const struct discover_network *network, uint32_t trunk)
{
  const struct tny_tree *tree = &network->found.tree;
  return tree->error_ns > 0 ? tree->trunks[trunk].ns / tree->error_ns : 0;
}
