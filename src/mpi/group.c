/* Groups: ranks of this world in some order, where they sit, and what is planned for them. All
   communicators of a group share one, so that a duplicate costs next to nothing. */
#include "mpi/group.h"

#include "core/alloc.h"
#include "core/bytes.h"
#include "mpi/guard/profiled.h"
#include "mpi/world.h"

enum {
  BUCKETS = 1024,
  RANKS_AT_ONCE = 256, /* translated without allocating */
};

static struct tny_group *buckets[BUCKETS];
static pthread_mutex_t buckets_lock = PTHREAD_MUTEX_INITIALIZER;

/* Translates ranks first, first + 1, ... of the group. */
static int translate(MPI_Group members, MPI_Group world, int first, int count, int *world_ranks)
{
  int ranks[RANKS_AT_ONCE];
  for (int i = 0; i < count; i++)
    ranks[i] = first + i;
  return PMPI_Group_translate_ranks(members, count, ranks, world, world_ranks);
}

int tny_group_locate(MPI_Group members, int rank_count, struct tny_whereabouts *found,
                     int *world_ranks)
{
  const uint32_t *host_of_rank = tny_world_get()->host_of_rank;
  uint32_t first_host = TNY_NONE;
  MPI_Group world;
  *found = (struct tny_whereabouts){.is_inside = true, .is_one_host = true};
  int code = PMPI_Comm_group(MPI_COMM_WORLD, &world);
  if (code != MPI_SUCCESS)
    return code;
  for (int first = 0; code == MPI_SUCCESS && first < rank_count; first += RANKS_AT_ONCE) {
    int part[RANKS_AT_ONCE];
    const int left = rank_count - first, count = left < RANKS_AT_ONCE ? left : RANKS_AT_ONCE;
    code = translate(members, world, first, count, part);
    for (int i = 0; code == MPI_SUCCESS && i < count; i++) {
      if (part[i] == MPI_UNDEFINED) {
        found->is_inside = false;
        continue;
      }
      if (first_host == TNY_NONE)
        first_host = host_of_rank[part[i]];
      found->is_one_host &= host_of_rank[part[i]] == first_host;
      if (world_ranks)
        world_ranks[first + i] = part[i];
    }
  }
  PMPI_Group_free(&world);
  return code;
}

static uint64_t hash_ranks(const int *world_ranks, uint32_t rank_count)
{
  uint64_t hash = TNY_HASH_START;
  for (uint32_t i = 0; i < rank_count; i++)
    hash = tny_hash_number(hash, (uint64_t)world_ranks[i]);
  return hash;
}

void tny_group_free(struct tny_group *group)
{
  if (!group)
    return;
  tny_plans_free(group->plans);
  tny_prepared_free(group->prepared);
  tny_handed_free(group->handed);
  tny_verdicts_free(group->verdicts);
  tny_planned_sizes_free(group->sizes);
  for (struct tny_staging *staging = group->stagings, *next; staging; staging = next) {
    next = staging->next;
    tny_free(staging);
  }
  for (struct tny_ranked *ranked = group->ranked, *next; ranked; ranked = next) {
    next = ranked->next;
    tny_free(ranked);
  }
  tny_guard_results_release(&group->results);
  tny_free(group->profiled);
  tny_group_pattern_release(&group->pattern);
  tny_free(group->world_ranks);
  tny_free(group->host_of_rank);
  tny_placement_free(group->placement);
  pthread_mutex_destroy(&group->lock);
  tny_free(group);
}

/* Are these the ranks of MPI_COMM_WORLD, in their order and all with all, which a profile is
   measured with? */
static bool is_covered(const struct tny_group *group)
{
  if (group->rank_count != group->world->rank_count || group->pattern.id != 0)
    return false;
  for (uint32_t r = 0; r < group->rank_count; r++)
    if (group->world_ranks[r] != (int)r)
      return false;
  return true;
}

/* What the profile settles; short blocks are planned where it has a plan for them. False: no
   memory. */
static bool look_profile_up(struct tny_group *group)
{
  const struct tny_profile *profile = group->world->profile;
  const struct tny_problem problem = {
      .rank_count = group->rank_count, .placement = group->placement, .network = &group->network};
  if (!profile || !is_covered(group))
    return true;
  group->profiled = tny_new(TNY_GUARD_PROFILED, sizeof *group->profiled);
  if (!group->profiled)
    return false;
  group->profiled_count =
      tny_guard_profiled(profile, &problem, group->world->guard, group->profiled);
  struct tny_guard_result *fitting =
      tny_resize(group->profiled, group->profiled_count, sizeof *group->profiled);
  if (fitting)
    group->profiled = fitting;
  if (group->world->can_force)
    group->forced = tny_forced_wanted(group->profiled, group->profiled_count);
  for (int c = 0; c < TNY_COLLECTIVE_COUNT; c++) {
    const uint64_t shortest = tny_profile_bytes_min(profile, (enum tny_collective)c);
    if (shortest < group->bytes_min[c])
      group->bytes_min[c] = shortest;
  }
  return true;
}

/* Finds where the ranks of a group sit, whose world ranks are known. */
static bool find_hosts(struct tny_group *group)
{
  const struct tny_world *world = group->world;
  group->host_of_rank = tny_new(group->rank_count, sizeof *group->host_of_rank);
  if (!group->host_of_rank)
    return false;
  for (uint32_t rank = 0; rank < group->rank_count; rank++)
    group->host_of_rank[rank] = world->host_of_rank[group->world_ranks[rank]];
  group->network = (struct tny_network){.routes = world->routes,
                                        .host_of_rank = group->host_of_rank,
                                        .rank_count = group->rank_count};
  group->model = tny_model_make(&group->network, group->rank_count,
                                world->profile ? &world->profile->machine : NULL);
  for (int c = 0; c < TNY_COLLECTIVE_COUNT; c++)
    group->bytes_min[c] = tny_model_bytes_min(&group->model, (enum tny_collective)c, world->guard);
  return tny_placement_make(world->cluster, group->host_of_rank, group->rank_count,
                            &group->placement, NULL) == TNY_OK &&
         look_profile_up(group);
}

/* A group whose world ranks aren't filled in. NULL: no memory. */
static struct tny_group *group_new(const struct tny_world *world, uint32_t rank,
                                   uint32_t rank_count)
{
  struct tny_group *group = tny_new(1, sizeof *group);
  if (!group)
    return NULL;
  *group = (struct tny_group){.world = world,
                              .rank = rank,
                              .rank_count = rank_count,
                              .world_ranks = tny_new(rank_count, sizeof(int))};
  pthread_mutex_init(&group->lock, NULL);
  if (group->world_ranks)
    return group;
  tny_group_free(group);
  return NULL;
}

struct tny_group *tny_group_of_world(const struct tny_world *world, uint32_t rank)
{
  struct tny_group *group = group_new(world, rank, world->rank_count);
  if (!group)
    return NULL;
  for (uint32_t r = 0; r < group->rank_count; r++)
    group->world_ranks[r] = (int)r;
  if (find_hosts(group))
    return group;
  tny_group_free(group);
  return NULL;
}

/* A group of these ranks of the world that MPI_Init made, whose hosts aren't looked up. */
static struct tny_group *group_of_members(MPI_Group members, int rank, int rank_count,
                                          struct tny_group_pattern *pattern)
{
  struct tny_whereabouts found;
  struct tny_group *group = group_new(tny_world_get(), (uint32_t)rank, (uint32_t)rank_count);
  if (!group)
    return NULL;
  if (pattern) {
    group->pattern = *pattern;
    *pattern = (struct tny_group_pattern){0};
  }
  if (tny_group_locate(members, rank_count, &found, group->world_ranks) == MPI_SUCCESS) {
    group->hash =
        tny_hash_number(hash_ranks(group->world_ranks, group->rank_count), group->pattern.id);
    return group;
  }
  tny_group_free(group);
  return NULL;
}

static bool is_same(const struct tny_group *one, const struct tny_group *other)
{
  return one->hash == other->hash && one->rank_count == other->rank_count &&
         memcmp(one->world_ranks, other->world_ranks, one->rank_count * sizeof *one->world_ranks) ==
             0 &&
         tny_group_pattern_is_same(&one->pattern, &other->pattern, one->rank_count);
}

struct tny_group *tny_group_get(MPI_Group members, int rank, int rank_count,
                                struct tny_group_pattern *pattern)
{
  struct tny_group *made = group_of_members(members, rank, rank_count, pattern);
  if (!made)
    return NULL;
  pthread_mutex_lock(&buckets_lock);
  struct tny_group **bucket = &buckets[made->hash % BUCKETS], *group = *bucket;
  while (group && !is_same(group, made))
    group = group->next;
  if (!group && find_hosts(made)) {
    made->next = *bucket;
    *bucket = group = made;
    made = NULL;
  }
  if (group)
    group->comm_count++;
  pthread_mutex_unlock(&buckets_lock);
  if (made)
    tny_group_free(made);
  return group;
}

void tny_group_put(struct tny_group *group)
{
  pthread_mutex_lock(&buckets_lock);
  const bool is_last = --group->comm_count == 0;
  if (is_last) {
    struct tny_group **at = &buckets[group->hash % BUCKETS];
    while (*at != group)
      at = &(*at)->next;
    *at = group->next;
  }
  pthread_mutex_unlock(&buckets_lock);
  if (is_last)
    tny_group_free(group);
}

void tny_group_let_go(struct tny_group *group, struct tny_agreed *agreed)
{
  if (!agreed)
    return;
  pthread_mutex_lock(&group->lock);
  tny_agreed_free(agreed, &group->handed);
  pthread_mutex_unlock(&group->lock);
}

struct tny_problem tny_group_problem(const struct tny_group *group,
                                     struct tny_algorithm_choice choice, uint32_t root)
{
  return (struct tny_problem){
      .collective = choice.algorithm->collective,
      .parameter = choice.parameter,
      .rank_count = group->rank_count,
      .root = root,
      .placement = group->placement,
      .network = &group->network,
  };
}

const char *tny_group_refusal(const struct tny_group *group, struct tny_algorithm_choice choice,
                              uint32_t root)
{
  const struct tny_pattern unknown = {.rank_count = group->rank_count};
  struct tny_problem problem = tny_group_problem(group, choice, root);
  if (choice.algorithm->plans_bytes)
    problem.pattern = &unknown;
  return tny_algorithm_refusal(choice.algorithm, &problem);
}

/* Is the one better to be taken for so many bytes than the other? Where both have them, the
   smaller. */
static bool is_better(const struct tny_staging *one, const struct tny_staging *other,
                      uint64_t bytes)
{
  if (one->bytes >= bytes && other->bytes >= bytes)
    return one->bytes < other->bytes;
  return one->bytes > other->bytes;
}

/* Takes the best of the free ones off the list; NULL: none is free. */
static struct tny_staging *take_free(struct tny_group *group, uint64_t bytes)
{
  struct tny_staging **best = &group->stagings;
  for (struct tny_staging **at = &group->stagings; *at; at = &(*at)->next)
    if (is_better(*at, *best, bytes))
      best = at;
  struct tny_staging *staging = *best;
  if (staging)
    *best = staging->next;
  return staging;
}

struct tny_staging *tny_staging_take(struct tny_group *group, uint64_t bytes)
{
  pthread_mutex_lock(&group->lock);
  struct tny_staging *staging = take_free(group, bytes);
  pthread_mutex_unlock(&group->lock);
  if (staging && staging->bytes >= bytes)
    return staging;
  tny_free(staging);
  staging = bytes < SIZE_MAX - sizeof *staging ? tny_new(1, sizeof *staging + bytes) : NULL;
  if (staging)
    staging->bytes = bytes;
  return staging;
}

void tny_staging_put(struct tny_group *group, struct tny_staging *staging)
{
  pthread_mutex_lock(&group->lock);
  staging->next = group->stagings;
  group->stagings = staging;
  pthread_mutex_unlock(&group->lock);
}
