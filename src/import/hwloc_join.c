/* The hosts that hwloc's files tell of, as part of a network that other files tell of, or on one
   switch where there are none. A host's cable has at most the rate that its network cards' slots
   pass on. */
#include <strings.h>

#include "core/alloc.h"
#include "core/error.h"
#include "core/units.h"
#include "import/format.h"
#include "import/hwloc.h"
#include "import/names.h"

/* What is known of a node of the build. */
struct known {
  const char *file; /* that tells of it; NULL: none */
  uint64_t slots_bps;
};

/* --- which node a host is --- */

/* Whether a port of the host's is called so. */
static bool has_port(const struct tny_hwloc_host *host, const char *name)
{
  const size_t length = strlen(name);
  for (const char *at = host->ports.bytes; at && *at;) {
    const size_t bytes = strcspn(at, " ");
    if (bytes == length && !strncasecmp(at, name, length))
      return true;
    at += bytes + (at[bytes] == ' ');
  }
  return false;
}

/* Of how many nodes that aren't switches it is true; *node gets the last of them. */
static uint32_t count_nodes(const struct tny_build *build, const struct tny_hwloc_host *host,
                            bool (*is_it)(const struct tny_hwloc_host *host, const char *name),
                            uint32_t *node)
{
  uint32_t count = 0;
  for (uint32_t i = 0; i < build->node_count; i++)
    if (build->nodes[i].kind != TNY_KIND_SWITCH && is_it(host, tny_build_name(build, i))) {
      *node = i;
      count++;
    }
  return count;
}

static bool is_called(const struct tny_hwloc_host *host, const char *name)
{
  return tny_same_but_for_domain(host->name, name);
}

/* A host that the network knows by a port only gets its name as an alias. */
static enum tny_status find_node(struct tny_build *build, const struct tny_hwloc_host *host,
                                 uint32_t *node, struct tny_error *error)
{
  *node = tny_build_find(build, host->name);
  if (*node != TNY_NONE && build->nodes[*node].kind != TNY_KIND_SWITCH)
    return TNY_OK;
  if (count_nodes(build, host, is_called, node) == 1)
    return TNY_OK;
  const uint32_t count = count_nodes(build, host, has_port, node);
  if (count == 1)
    return tny_build_alias(build, *node, host->name, error);
  if (count > 1)
    return tny_error_at(error, TNY_BAD_INPUT, build->file, build->line, 0,
                        "the network calls %u hosts by ports of %.80s, one of them %.80s: let its "
                        "ports tell its name (those of InfiniBand by rdma-ndd), and gather the "
                        "network's files again",
                        count, host->name, tny_build_name(build, *node));
  return tny_error_at(error, TNY_BAD_INPUT, build->file, build->line, 0,
                      "the network has no host %.80s, nor one that is called like a port of its: "
                      "leave this file out, or call the host as it calls itself",
                      host->name);
}

static enum tny_status take(struct tny_build *build, struct known *known,
                            const struct tny_hwloc_host *host, struct tny_error *error)
{
  uint32_t node;
  const enum tny_status status = find_node(build, host, &node, error);
  if (status)
    return status;
  if (known[node].file)
    return tny_error_at(error, TNY_BAD_INPUT, build->file, build->line, 0,
                        "%.200s tells of host %.80s already: give one file for each host",
                        known[node].file, tny_build_name(build, node));
  known[node] = (struct known){.file = build->file, .slots_bps = host->slots_bps};
  return TNY_OK;
}

/* --- what its slots pass on --- */

/* All cables of a host pass its slots. Of a bundle by flow each has its own rate, as long as the
   slots pass on that. */
static bool limit_cable(struct tny_build_cable *cable, uint64_t slots_bps)
{
  if (!slots_bps || slots_bps >= cable->bandwidth_bps * cable->cable_count)
    return false;
  if (slots_bps <= cable->bandwidth_bps) {
    cable->bandwidth_bps = slots_bps;
    cable->cable_count = 1;
    cable->spread = TNY_SPREADING_NONE;
    return true;
  }
  if (cable->spread == TNY_SPREADING_PACKET)
    cable->bandwidth_bps = slots_bps / cable->cable_count;
  return cable->spread == TNY_SPREADING_PACKET;
}

static void limit_cables(struct tny_build *build, const struct known *known)
{
  uint32_t count = 0, example = TNY_NONE;
  uint64_t before_bps = 0;
  for (uint32_t i = 0; i < build->cable_count; i++) {
    struct tny_build_cable *cable = &build->cables[i];
    const uint32_t ends[] = {cable->from, cable->to};
    for (int k = 0; k < 2; k++) {
      const uint64_t all_bps = cable->bandwidth_bps * cable->cable_count;
      if (!limit_cable(cable, known[ends[k]].slots_bps) || count++ > 0)
        continue;
      example = ends[k];
      before_bps = all_bps;
    }
  }
  if (!count)
    return;
  char sentence[400];
  const bool several = count > 1;
  snprintf(sentence, sizeof sentence,
           "the network cards' slots of %u host%s pass on less than %s (%.80s: %s instead of %s), "
           "and %s here",
           count, several ? "s" : "", several ? "their cables" : "its cable",
           tny_build_name(build, example), tny_bandwidth_format(known[example].slots_bps).text,
           tny_bandwidth_format(before_bps).text,
           several ? "the cables have these rates" : "the cable has this rate");
  tny_build_add_note(build, sentence);
}

/* --- all files --- */

/* What is done with each host. */
typedef enum tny_status host_visitor(struct tny_build *build, struct known *known,
                                     const struct tny_hwloc_host *host, struct tny_error *error);

static enum tny_status visit_hosts(const struct tny_import_request *import, struct tny_build *build,
                                   struct known *known, host_visitor *visit,
                                   struct tny_error *error)
{
  enum tny_status status = TNY_OK;
  for (uint32_t i = 0; !status && i < import->file_count; i++) {
    struct tny_hwloc_host host;
    status = tny_hwloc_load(import, &import->files[i], &host, error);
    build->file = import->files[i].name;
    build->line = host.line;
    if (!status && !(import->without && tny_names_match(import->without, host.name)))
      status = visit(build, known, &host, error);
    tny_hwloc_release(&host);
  }
  return status;
}

enum tny_status tny_hwloc_join(const struct tny_import_request *import, struct tny_build *build,
                               struct tny_error *error)
{
  struct known *known = tny_new(build->node_count, sizeof *known);
  if (!known)
    return tny_error_memory(error);
  const enum tny_status status = visit_hosts(import, build, known, take, error);
  if (!status)
    limit_cables(build, known);
  tny_free(known);
  return status;
}

/* The switch is the first node; `known` is by file here, as by node but for it. */
static enum tny_status add_host(struct tny_build *build, struct known *known,
                                const struct tny_hwloc_host *host, struct tny_error *error)
{
  uint32_t node = tny_build_find(build, host->name);
  if (node != TNY_NONE && node > 0)
    return take(build, known, host, error);
  const enum tny_status status = tny_build_add(build, host->name, TNY_KIND_HOST, &node, error);
  if (!status)
    known[node] = (struct known){.file = build->file, .slots_bps = host->slots_bps};
  return status;
}

enum tny_status tny_hwloc_read(const struct tny_import_request *import, struct tny_build *build,
                               struct tny_error *error)
{
  struct known *known = tny_new((size_t)import->file_count + 1, sizeof *known);
  if (!known)
    return tny_error_memory(error);
  enum tny_status status = tny_build_add(build, "switch", TNY_KIND_SWITCH, NULL, error);
  if (!status)
    status = visit_hosts(import, build, known, add_host, error);
  struct tny_build_cable cable = tny_build_default_cable;
  cable.bandwidth_bps = import->link_bps;
  for (uint32_t node = 1; !status && node < build->node_count; node++) {
    cable.to = node;
    status = tny_build_connect(build, &cable, error);
  }
  if (!status) {
    tny_build_add_note(build,
                       "hwloc tells of no switches: all hosts were put on one, as if nothing else "
                       "joined them; give the network's files too where there are several");
    limit_cables(build, known);
  }
  tny_free(known);
  return status;
}
