/* The part of a network that some of its hosts have: they, and the switches above them, without
   those that join nothing. */
#include "import/format.h"

#include "core/alloc.h"
#include "core/error.h"
#include "core/hostlist.h"

/* Of each node of the build. */
struct keeping {
  struct tny_build *build;
  bool *is_kept;
  bool *has_host;   /* a kept one */
  uint32_t *degree; /* cables to kept nodes */
};

static enum tny_status keep_host(void *state, const char *name, struct tny_error *error)
{
  const struct keeping *keeping = state;
  struct tny_build *build = keeping->build;
  const uint32_t node = tny_build_find(build, name);
  if (node == TNY_NONE || build->nodes[node].kind != TNY_KIND_HOST)
    return tny_error_set(error, TNY_BAD_INPUT, "it has no host %.100s, which is asked for", name);
  keeping->is_kept[node] = true;
  return TNY_OK;
}

/* Keeps the switches that are above a kept host: one round a tier. */
static void keep_switches_above(const struct keeping *keeping)
{
  const struct tny_build *build = keeping->build;
  for (bool is_changed = true; is_changed;) {
    is_changed = false;
    for (uint32_t i = 0; i < build->cable_count; i++) {
      bool *is_kept = &keeping->is_kept[build->cables[i].from];
      if (*is_kept || !keeping->is_kept[build->cables[i].to])
        continue;
      *is_kept = true;
      is_changed = true;
    }
  }
}

static void count_cables(const struct keeping *keeping)
{
  const struct tny_build *build = keeping->build;
  for (uint32_t i = 0; i < build->cable_count; i++) {
    const uint32_t ends[] = {build->cables[i].from, build->cables[i].to};
    for (int end = 0; end < 2; end++) {
      const uint32_t other = ends[1 - end];
      keeping->degree[ends[end]] += keeping->is_kept[other];
      keeping->has_host[ends[end]] |=
          keeping->is_kept[other] && build->nodes[other].kind == TNY_KIND_HOST;
    }
  }
}

static bool is_dead_end(const struct keeping *keeping, uint32_t node)
{
  return keeping->is_kept[node] && keeping->build->nodes[node].kind != TNY_KIND_HOST &&
         !keeping->has_host[node] && keeping->degree[node] <= 1;
}

/* Drops switches that lead to one node only, until there are none: one round a tier. */
static void drop_dead_ends(const struct keeping *keeping)
{
  const struct tny_build *build = keeping->build;
  for (bool is_changed = true; is_changed;) {
    is_changed = false;
    for (uint32_t i = 0; i < build->cable_count; i++) {
      const uint32_t ends[] = {build->cables[i].from, build->cables[i].to};
      for (int end = 0; end < 2; end++) {
        if (!keeping->is_kept[ends[1 - end]] || !is_dead_end(keeping, ends[end]))
          continue;
        keeping->is_kept[ends[end]] = false;
        keeping->degree[ends[1 - end]]--;
        is_changed = true;
      }
    }
  }
}

/* A build of the kept nodes takes the place of the old one. */
static enum tny_status build_kept(const struct keeping *keeping, uint32_t *index,
                                  struct tny_error *error)
{
  struct tny_build *whole = keeping->build, part;
  enum tny_status status = TNY_OK;
  tny_build_init(&part, whole->name, whole->file);
  for (uint32_t node = 0; !status && node < whole->node_count; node++) {
    index[node] = TNY_NONE;
    if (keeping->is_kept[node])
      status = tny_build_add(&part, tny_build_name(whole, node), whole->nodes[node].kind,
                             &index[node], error);
  }
  for (uint32_t i = 0; !status && i < whole->cable_count; i++) {
    struct tny_build_cable cable = whole->cables[i];
    cable.from = index[cable.from];
    cable.to = index[cable.to];
    if (cable.from != TNY_NONE && cable.to != TNY_NONE)
      status = tny_build_connect(&part, &cable, error);
  }
  if (!status)
    status = tny_build_copy_aliases(&part, whole, index, error);
  if (!status)
    tny_build_take_over(whole, &part);
  tny_build_release(&part);
  return status;
}

enum tny_status tny_import_keep(struct tny_build *build, const char *hosts, struct tny_error *error)
{
  struct keeping keeping = {.build = build,
                            .is_kept = tny_new(build->node_count, sizeof *keeping.is_kept),
                            .has_host = tny_new(build->node_count, sizeof *keeping.has_host),
                            .degree = tny_new(build->node_count, sizeof *keeping.degree)};
  uint32_t *index = tny_new(build->node_count, sizeof *index);
  struct tny_error cause = {0};
  enum tny_status status = TNY_OK;
  if (!keeping.is_kept || !keeping.has_host || !keeping.degree || !index)
    status = tny_error_memory(error);
  if (!status && tny_hostlist_expand(hosts, keep_host, &keeping, &cause))
    status = tny_error_at(error, cause.status, build->file, 0, 0, "%s", cause.text);
  if (!status) {
    keep_switches_above(&keeping);
    count_cables(&keeping);
    drop_dead_ends(&keeping);
    status = build_kept(&keeping, index, error);
  }
  tny_free(keeping.is_kept);
  tny_free(keeping.has_host);
  tny_free(keeping.degree);
  tny_free(index);
  return status;
}
