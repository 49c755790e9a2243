/* How long links and ranks are busy with messages. Messages within a host load no link: they take
   their ranks' time, at the rate of the host's memory. */
#include "model/loads.h"

#include "cluster/route.h"
#include "core/alloc.h"
#include "core/error.h"
#include "model/cost.h"

/* Sums by link or by rank: of all phases, and of the one that is being added up, with the entries
   that this one has used so far. */
struct sums {
  uint64_t *all, *phase; /* the second all zero between phases */
  uint32_t *used, used_count, count;
};

static bool sums_init(struct sums *sums, uint32_t count)
{
  *sums = (struct sums){.all = tny_new(count, sizeof *sums->all),
                        .phase = tny_new(count, sizeof *sums->phase),
                        .used = tny_new(count, sizeof *sums->used),
                        .count = count};
  return sums->all && sums->phase && sums->used;
}

static void sums_release(struct sums *sums)
{
  tny_free(sums->all);
  tny_free(sums->phase);
  tny_free(sums->used);
}

static void sums_add(struct sums *sums, uint32_t index, uint64_t amount)
{
  if (sums->phase[index] == 0 && amount > 0)
    sums->used[sums->used_count++] = index;
  sums->phase[index] += amount;
}

/* Ends the phase: moves its sums to those of all. Returns the greatest. */
static uint64_t sums_end_phase(struct sums *sums)
{
  uint64_t greatest = 0;
  while (sums->used_count > 0) {
    const uint32_t index = sums->used[--sums->used_count];
    greatest = sums->phase[index] > greatest ? sums->phase[index] : greatest;
    sums->all[index] += sums->phase[index];
    sums->phase[index] = 0;
  }
  return greatest;
}

static uint64_t sums_greatest(const struct sums *sums)
{
  uint64_t greatest = 0;
  for (uint32_t i = 0; i < sums->count; i++)
    greatest = sums->all[i] > greatest ? sums->all[i] : greatest;
  return greatest;
}

static uint64_t sums_mean(const struct sums *sums)
{
  tny_wide sum = 0;
  for (uint32_t i = 0; i < sums->count; i++)
    sum += sums->all[i];
  return tny_narrow(sum / sums->count);
}

/* How long the busiest rank takes. In a sample of the phases ranks differ by chance: there the mean
   stands for it. */
static uint64_t busiest(const struct tny_messages *messages, const struct sums *ranks)
{
  return messages->is_drawn ? sums_mean(ranks) : sums_greatest(ranks);
}

/* What messages load: links and ranks, nanoseconds, and the links' bytes. */
struct loads {
  const struct tny_model *model;
  const struct tny_network *network;
  struct sums links, ranks;
  uint64_t *link_bytes;
  uint32_t *sources; /* of each rank: whose message it got last, 1 and up; 0: none yet */
};

static bool loads_init(struct loads *loads, const struct tny_model *model,
                       const struct tny_network *network)
{
  const uint32_t links = network->routes->cluster->link_count;
  *loads = (struct loads){.model = model,
                          .network = network,
                          .link_bytes = tny_new(links, sizeof *loads->link_bytes),
                          .sources = tny_new(network->rank_count, sizeof *loads->sources)};
  const bool has_links = sums_init(&loads->links, links);
  const bool has_ranks = sums_init(&loads->ranks, network->rank_count);
  return loads->link_bytes && loads->sources && has_links && has_ranks;
}

static void loads_release(struct loads *loads)
{
  sums_release(&loads->links);
  sums_release(&loads->ranks);
  tny_free(loads->link_bytes);
  tny_free(loads->sources);
}

/* Adds the message to the links of its route; returns the latency of that, 0 within a host. */
static uint64_t add_to_links(struct loads *loads, const struct tny_wire_message *message)
{
  const struct tny_link *links = loads->network->routes->cluster->links;
  struct tny_route route = tny_route_begin(loads->network, message->from, message->to);
  uint64_t latency_ns = 0;
  uint32_t link;
  while ((link = tny_route_next(&route)) != TNY_NONE) {
    sums_add(&loads->links, link, tny_link_ns(links[link].bandwidth_bps, message->bytes));
    loads->link_bytes[link] += message->bytes;
    latency_ns += links[link].latency_ns;
  }
  return latency_ns;
}

/* Adds what a rank combines; returns how long a chunk of it takes. */
static uint64_t add_combined(struct loads *loads, const struct tny_wire_message *combined)
{
  const uint64_t ns = tny_combine_ns(&loads->model->machine, combined->bytes);
  sums_add(&loads->ranks, combined->to, ns);
  return ns / combined->chunks;
}

/* Adds a message within a host; returns how long it takes without its bytes. */
static uint64_t add_local(struct loads *loads, const struct tny_wire_message *message)
{
  const struct tny_machine *machine = &loads->model->machine;
  const uint64_t ns =
      message->chunks * machine->local_latency_ns + tny_link_ns(machine->local_bps, message->bytes);
  sums_add(&loads->ranks, message->from, ns);
  sums_add(&loads->ranks, message->to, ns);
  return machine->local_latency_ns;
}

/* What it costs the receiver that the message isn't from the rank that the one before was from. */
static uint64_t turn_to_source(struct loads *loads, const struct tny_wire_message *message)
{
  uint32_t *source = &loads->sources[message->to];
  const bool is_another = *source != 0 && *source != message->from + 1;
  *source = message->from + 1;
  return is_another ? loads->model->machine.source_overhead_ns : 0;
}

static uint64_t add_message(struct loads *loads, const struct tny_wire_message *message)
{
  const struct tny_machine *machine = &loads->model->machine;
  const uint32_t *hosts = loads->network->host_of_rank;
  if (hosts[message->from] == hosts[message->to])
    return add_local(loads, message);
  const uint64_t bytes = message->bytes / message->chunks;
  const uint64_t turn_ns = turn_to_source(loads, message);
  const uint64_t touch_ns = tny_narrow((tny_wide)message->bytes * machine->byte_overhead_ps / 1000);
  sums_add(&loads->ranks, message->from, touch_ns + message->chunks * machine->send_overhead_ns);
  sums_add(&loads->ranks, message->to,
           touch_ns + turn_ns + message->chunks * machine->receive_overhead_ns);
  const uint64_t route_ns = add_to_links(loads, message);
  return loads->model->software_ns + turn_ns + route_ns +
         tny_handshake_ns(machine, bytes, route_ns);
}

static uint64_t longer_of(uint64_t one, uint64_t other)
{
  return one > other ? one : other;
}

static int compare_phases(const void *a, const void *b)
{
  const struct tny_wire_message *x = a, *y = b;
  return (x->phase > y->phase) - (x->phase < y->phase);
}

static int compare_pairs(const void *a, const void *b)
{
  const struct tny_wire_message *x = a, *y = b;
  return x->from != y->from ? (x->from > y->from) - (x->from < y->from)
                            : (x->to > y->to) - (x->to < y->to);
}

static uint64_t route_ns(const struct tny_network *network, uint32_t from, uint32_t to)
{
  struct tny_route route = tny_route_begin(network, from, to);
  uint64_t ns = 0;
  uint32_t link;
  while ((link = tny_route_next(&route)) != TNY_NONE)
    ns += network->routes->cluster->links[link].latency_ns;
  return ns;
}

/* Sorts the messages by sender and receiver. */
static uint64_t find_answers(const struct tny_network *network, struct tny_messages *messages)
{
  const struct tny_wire_message *end = messages->list + messages->count, *next;
  uint64_t longest_ns = 0;
  qsort(messages->list, messages->count, sizeof *messages->list, compare_pairs);
  for (const struct tny_wire_message *first = messages->list; first < end; first = next) {
    const uint64_t way_ns = route_ns(network, first->from, first->to); /* of what is combined, 0 */
    uint64_t chunks = 0;
    for (next = first; next < end && compare_pairs(next, first) == 0; next++)
      chunks += next->chunks;
    longest_ns = longer_of(longest_ns, 2 * way_ns * chunks);
  }
  return longest_ns;
}

/* Of those that were added. */
struct mean {
  uint64_t sum, count;
};

static void mean_add(struct mean *mean, uint64_t value)
{
  mean->sum += value;
  mean->count++;
}

static uint64_t mean_of(const struct mean *mean)
{
  return mean->count > 0 ? mean->sum / mean->count : 0;
}

/* Only links hold phases apart: a rank works ahead where it is idle in some. What a message brings
   is combined before it is sent on. */
static void add_phases(struct loads *loads, struct tny_messages *messages,
                       struct tny_busy_times *times)
{
  const struct tny_wire_message *end = messages->list + messages->count, *next;
  struct mean latency = {0};
  uint64_t busy_sum = 0;
  qsort(messages->list, messages->count, sizeof *messages->list, compare_phases);
  for (const struct tny_wire_message *first = messages->list; first < end; first = next) {
    struct mean passed = {0}, combined = {0};
    for (next = first; next < end && next->phase == first->phase; next++) {
      const bool combines = next->from == next->to;
      const uint64_t ns = combines ? add_combined(loads, next) : add_message(loads, next);
      mean_add(combines ? &combined : &passed, ns);
      if (!combines)
        times->latency_longest = longer_of(times->latency_longest, ns);
    }
    mean_add(&latency, mean_of(&passed) + mean_of(&combined));
    const uint64_t busy_ns = sums_end_phase(&loads->links);
    sums_end_phase(&loads->ranks);
    busy_sum += busy_ns;
    times->phase_longest = longer_of(times->phase_longest, busy_ns);
  }
  times->phases_sum = tny_messages_scaled(messages, busy_sum);
  times->latency_ns = mean_of(&latency);
}

uint64_t tny_window_ns(const struct tny_link *link, uint64_t bytes)
{
  return tny_narrow((tny_wide)bytes * 2 * link->latency_ns / link->buffer_bytes);
}

uint64_t tny_messages_scaled(const struct tny_messages *messages, uint64_t value)
{
  return tny_narrow((tny_wide)value * messages->total / messages->looked_at);
}

enum tny_status tny_busy_times_add_up(const struct tny_model *model,
                                      const struct tny_network *network,
                                      struct tny_messages *messages, struct tny_busy_times *times,
                                      struct tny_error *error)
{
  const struct tny_cluster *cluster = network->routes->cluster;
  struct loads loads;
  const bool has_room = loads_init(&loads, model, network);
  *times = (struct tny_busy_times){0};
  if (has_room && messages->count > 0) {
    times->answers_ns = find_answers(network, messages);
    add_phases(&loads, messages, times);
    times->fullest_link = tny_messages_scaled(messages, sums_greatest(&loads.links));
    times->busiest_rank = tny_messages_scaled(messages, busiest(messages, &loads.ranks));
    for (uint32_t link = 0; link < cluster->link_count; link++) {
      const uint64_t bytes = tny_messages_scaled(messages, loads.link_bytes[link]);
      times->window_ns = longer_of(times->window_ns, tny_window_ns(&cluster->links[link], bytes));
      times->is_much = times->is_much || bytes > cluster->links[link].buffer_bytes;
    }
  }
  loads_release(&loads);
  return has_room ? TNY_OK : tny_error_memory(error);
}
