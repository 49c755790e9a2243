/* irregular:HOSTS,switches=S,seed=K: a random network of the family of Jacunski, Sadayappan and
   Panda, All-to-all broadcast on switch-based clusters of workstations, 5.3: 7 to 21 hosts a
   switch, 1 to 5 cables to other switches, at most 2 between two switches; and connected. The same
   text gives the same network everywhere.

   Each switch gets 7 hosts, and each host beyond goes to a switch that is drawn among those with
   room. Each switch is tied to one drawn among those before it, which connects all; then each draws
   how many cables it wants, 1 to 5, and gets further ones to switches that want them as well, where
   a few draws find such. */
#include "cluster/generation.h"
#include "core/alloc.h"
#include "core/error.h"
#include "core/random.h"

#define HOSTS_MIN 7u
#define HOSTS_MAX 21u
#define TRUNKS_MAX 5u
#define PARALLEL_MAX 2u
#define DRAWS 8u /* for a partner */

/* A switch of the random network. */
struct drawn_switch {
  uint32_t host_count;
  uint32_t trunks[TRUNKS_MAX]; /* the switches at the other ends */
  uint32_t trunk_count, trunks_wanted;
};

/* Below `limit`, which is small: the bias is under 2^-40. */
static uint32_t draw(uint64_t *seed, uint32_t limit)
{
  return (uint32_t)(tny_random_next(seed) % limit);
}

/* `open` has switch_count entries: the switches with room. */
static void draw_hosts(struct drawn_switch *switches, uint32_t switch_count, uint32_t host_count,
                       uint64_t *seed, uint32_t *open)
{
  uint32_t open_count = switch_count;
  for (uint32_t i = 0; i < switch_count; i++) {
    switches[i].host_count = HOSTS_MIN;
    open[i] = i;
  }
  for (uint32_t host = HOSTS_MIN * switch_count; host < host_count; host++) {
    const uint32_t place = draw(seed, open_count);
    if (++switches[open[place]].host_count == HOSTS_MAX)
      open[place] = open[--open_count];
  }
}

static void tie(struct drawn_switch *switches, uint32_t a, uint32_t b)
{
  switches[a].trunks[switches[a].trunk_count++] = b;
  switches[b].trunks[switches[b].trunk_count++] = a;
}

/* `open` has switch_count entries: the switches before this one with less than 5 cables, of which
   there are always some: n - 1 cables have 2 n - 2 ends. */
static void draw_tree(struct drawn_switch *switches, uint32_t switch_count, uint64_t *seed,
                      uint32_t *open)
{
  uint32_t open_count = 0;
  open[open_count++] = 0;
  for (uint32_t i = 1; i < switch_count; i++) {
    const uint32_t place = draw(seed, open_count), at = open[place];
    tie(switches, i, at);
    if (switches[at].trunk_count == TRUNKS_MAX)
      open[place] = open[--open_count];
    open[open_count++] = i;
  }
}

static bool may_tie(const struct drawn_switch *switches, uint32_t a, uint32_t b)
{
  uint32_t parallel = 0;
  for (uint32_t i = 0; i < switches[a].trunk_count; i++)
    parallel += switches[a].trunks[i] == b;
  return a != b && parallel < PARALLEL_MAX && switches[b].trunk_count < switches[b].trunks_wanted;
}

static void draw_more(struct drawn_switch *switches, uint32_t switch_count, uint64_t *seed)
{
  for (uint32_t i = 0; i < switch_count; i++)
    switches[i].trunks_wanted = 1 + draw(seed, TRUNKS_MAX);
  for (uint32_t i = 0; i < switch_count; i++)
    for (uint32_t n = 0; n < DRAWS && switches[i].trunk_count < switches[i].trunks_wanted; n++) {
      const uint32_t other = draw(seed, switch_count);
      if (may_tie(switches, i, other))
        tie(switches, i, other);
    }
}

/* Hosts are numbered switch by switch; a cable is added at the end with the higher number. */
static enum tny_status add_all(struct tny_generation *generation,
                               const struct drawn_switch *switches, uint32_t switch_count,
                               struct tny_error *error)
{
  enum tny_status status = TNY_OK;
  for (uint32_t i = 0; !status && i < switch_count; i++)
    status = tny_generation_switch(generation, 's', i, NULL, error);
  for (uint32_t i = 0; !status && i < switch_count; i++) {
    status = tny_generation_hosts(generation, i, switches[i].host_count, error);
    for (uint32_t k = 0; !status && k < switches[i].trunk_count; k++)
      if (switches[i].trunks[k] < i)
        status =
            tny_generation_cable(generation, &generation->trunk, switches[i].trunks[k], i, error);
  }
  return status;
}

static enum tny_status check_counts(const struct tny_generation *generation, uint32_t host_count,
                                    struct tny_error *error)
{
  const uint64_t switches = generation->values[TNY_OPTION_SWITCHES];
  const bool is_given = generation->has[TNY_OPTION_SWITCHES];
  const uint32_t most = host_count / HOSTS_MIN, filled = (host_count + HOSTS_MAX - 1) / HOSTS_MAX;
  const uint32_t least = filled < 2 ? 2 : filled;
  if (is_given && switches < 2)
    return tny_error_set(error, TNY_BAD_INPUT,
                         "an irregular network has at least 2 switches; one is single:%u",
                         host_count);
  if (most < 2)
    return tny_error_set(error, TNY_BAD_INPUT,
                         "%u hosts are too few: each of at least 2 switches has %u to %u",
                         host_count, HOSTS_MIN, HOSTS_MAX);
  if (!is_given)
    return tny_error_set(error, TNY_BAD_INPUT, "how many switches? Add switches=%u",
                         host_count < 26 ? 2 : host_count / 13);
  if (switches >= least && switches <= most)
    return TNY_OK;
  return tny_error_set(error, TNY_BAD_INPUT,
                       "%u hosts don't fit on %llu switches, which have %u to %u each: give "
                       "switches=%u to switches=%u",
                       host_count, (unsigned long long)switches, HOSTS_MIN, HOSTS_MAX, least, most);
}

enum tny_status tny_generate_irregular(struct tny_generation *generation, struct tny_error *error)
{
  const char *text = generation->arguments;
  uint32_t host_count = 0;
  enum tny_status status = tny_generation_count(&text, "hosts", &host_count, error);
  if (!status && *text)
    status =
        tny_error_set(error, TNY_BAD_INPUT, "\"%.40s\" is no number of hosts: give that of all",
                      generation->arguments);
  if (!status)
    status = check_counts(generation, host_count, error);
  if (status)
    return status;
  const uint32_t switch_count = (uint32_t)generation->values[TNY_OPTION_SWITCHES];
  uint64_t seed = generation->values[TNY_OPTION_SEED];
  struct drawn_switch *switches = tny_new(switch_count, sizeof *switches);
  uint32_t *open = tny_new(switch_count, sizeof *open);
  if (switches && open) {
    draw_hosts(switches, switch_count, host_count, &seed, open);
    draw_tree(switches, switch_count, &seed, open);
    draw_more(switches, switch_count, &seed);
    status = add_all(generation, switches, switch_count, error);
  } else {
    status = tny_error_memory(error);
  }
  tny_free(switches);
  tny_free(open);
  return status;
}
