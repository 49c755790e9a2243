/* Random traffic, and batches of it. Whether a host begins a packet in a cycle is a Bernoulli
   trial. The trials of all hosts form one sequence, cycle by cycle and host by host, so that the
   gap from one success to the next is geometric: a packet costs one random number. */
#include "simulator/fabric.h"

#include <math.h>

#include "cluster/links.h"
#include "core/alloc.h"
#include "core/error.h"
#include "core/random.h"
#include "simulator/patterns.h"

/* Measured packets that haven't arrived after so many times the measured cycles are given up. */
#define DRAIN_TIMES 10

struct traffic {
  const struct tny_load *load;
  struct tny_fabric *fabric;
  const struct tny_cluster *cluster;
  uint32_t host_count;
  uint64_t random;
  bool is_saturated;
  double rate;         /* packets a host and cycle */
  uint64_t next;       /* cycle * hosts + host of the next packet */
  uint64_t first, end; /* measured cycles: from `first` to before `end` */
  uint64_t *made;      /* by tag: the cycle it was made in */
  uint32_t *from;      /* by tag: its host */
  uint32_t *free;      /* tags */
  uint32_t free_count, room;
  uint64_t pending; /* measured packets under way */
  uint64_t count, taken_flits;
  double sum;
};

static double draw(uint64_t *random)
{
  return (double)(tny_random_next(random) >> 11) * 0x1p-53;
}

static void skip_to_next(struct traffic *traffic)
{
  const double gap = traffic->rate < 1 ? log1p(-draw(&traffic->random)) / log1p(-traffic->rate) : 0;
  traffic->next += 1 + (gap < 1e18 ? (uint64_t)gap : (uint64_t)1e18);
}

static bool grow_tags(struct traffic *traffic)
{
  const uint32_t room = traffic->room ? 2 * traffic->room : 1024;
  uint64_t *made = tny_resize(traffic->made, room, sizeof *made);
  traffic->made = made ? made : traffic->made;
  uint32_t *from = tny_resize(traffic->from, room, sizeof *from);
  traffic->from = from ? from : traffic->from;
  uint32_t *tags = tny_resize(traffic->free, room, sizeof *tags);
  traffic->free = tags ? tags : traffic->free;
  if (!made || !from || !tags || room < traffic->room)
    return false;
  for (uint32_t tag = room; tag-- > traffic->room;)
    traffic->free[traffic->free_count++] = tag;
  traffic->room = room;
  return true;
}

static bool is_measured(const struct traffic *traffic, uint64_t cycle)
{
  return cycle >= traffic->first && cycle < traffic->end;
}

static uint32_t draw_host(struct traffic *traffic, uint32_t from)
{
  if (traffic->load->traffic == TNY_TRAFFIC_UNIFORM)
    return (uint32_t)(tny_random_next(&traffic->random) % traffic->host_count);
  return tny_traffic_to(traffic->cluster, traffic->load->traffic, from);
}

static enum tny_status make_packet(struct traffic *traffic, uint32_t from, uint64_t cycle,
                                   struct tny_error *error)
{
  if (traffic->free_count == 0 && !grow_tags(traffic))
    return tny_error_memory(error);
  const uint32_t tag = traffic->free[--traffic->free_count];
  traffic->made[tag] = cycle;
  traffic->from[tag] = from;
  traffic->pending += is_measured(traffic, cycle);
  const struct tny_packet packet = {
      .from = from,
      .to = draw_host(traffic, from),
      .flits = traffic->load->packet_flits,
      .phase = TNY_NONE,
      .tag = tag,
  };
  return tny_fabric_send(traffic->fabric, &packet, error);
}

/* The packets that are made in a cycle, before it's done. */
static enum tny_status make_packets(struct traffic *traffic, uint64_t cycle,
                                    struct tny_error *error)
{
  enum tny_status status = TNY_OK;
  while (!status && traffic->next / traffic->host_count == cycle) {
    status = make_packet(traffic, (uint32_t)(traffic->next % traffic->host_count), cycle, error);
    skip_to_next(traffic);
  }
  return status;
}

static enum tny_status take_event(struct traffic *traffic, const struct tny_fabric_event *event,
                                  uint64_t cycle, struct tny_error *error)
{
  const uint32_t tag = event->tag;
  if (!event->has_arrived)
    return traffic->is_saturated ? make_packet(traffic, traffic->from[tag], cycle + 1, error)
                                 : TNY_OK;
  if (is_measured(traffic, cycle))
    traffic->taken_flits += traffic->load->packet_flits;
  if (is_measured(traffic, traffic->made[tag])) {
    traffic->sum += (double)(cycle - traffic->made[tag]);
    traffic->count++;
    traffic->pending--;
  }
  traffic->free[traffic->free_count++] = tag;
  return TNY_OK;
}

/* Goes on until something happens, at most to the end of cycle `until`. */
static enum tny_status advance(struct traffic *traffic, uint64_t until, char **deadlock,
                               struct tny_error *error)
{
  struct tny_fabric_events events;
  enum tny_status status = tny_fabric_run(traffic->fabric, until, &events, deadlock, error);
  for (uint32_t i = 0; !status && i < events.count; i++)
    status = take_event(traffic, &events.list[i], tny_fabric_cycle(traffic->fabric), error);
  return status;
}

/* Goes on to the end of cycle `until`, or until the next packet is made. */
static enum tny_status run_to(struct traffic *traffic, uint64_t until, char **deadlock,
                              struct tny_error *error)
{
  struct tny_fabric *fabric = traffic->fabric;
  enum tny_status status = TNY_OK;
  while (!status && tny_fabric_cycle(fabric) < until) {
    if (tny_fabric_is_empty(fabric)) {
      tny_fabric_jump(fabric, until + 1);
      break;
    }
    status = advance(traffic, until, deadlock, error);
  }
  return status;
}

/* Gives each host two packets for each port, so that one is always waiting. */
static enum tny_status fill_hosts(struct traffic *traffic, uint32_t ports, struct tny_error *error)
{
  enum tny_status status = TNY_OK;
  for (uint32_t i = 0; !status && i < 2 * ports; i++)
    for (uint32_t host = 0; !status && host < traffic->host_count; host++)
      status = make_packet(traffic, host, 1, error);
  traffic->next = UINT64_MAX;
  return status;
}

static enum tny_status run(struct traffic *traffic, char **deadlock, struct tny_error *error)
{
  const uint64_t last = traffic->end + DRAIN_TIMES * traffic->load->measured_cycles;
  enum tny_status status = TNY_OK;
  for (;;) {
    const uint64_t now = tny_fabric_cycle(traffic->fabric) + 1;
    const bool is_over = traffic->is_saturated || traffic->pending == 0 || now >= last;
    if (status || (now >= traffic->end && is_over))
      return status;
    status = make_packets(traffic, now, error);
    uint64_t until = traffic->next / traffic->host_count - 1;
    if (now < traffic->end && until >= traffic->end)
      until = traffic->end - 1;
    if (now >= traffic->end && until >= last)
      until = last - 1;
    if (!status)
      status = run_to(traffic, until, deadlock, error);
  }
}

/* All packets at once; the fabric begins them host by host, in order, as its ports are free. */
static enum tny_status run_batch(struct traffic *traffic, char **deadlock, struct tny_error *error)
{
  enum tny_status status = TNY_OK;
  for (uint32_t i = 0; !status && i < traffic->load->batch_packets; i++)
    for (uint32_t host = 0; !status && host < traffic->host_count; host++)
      status = make_packet(traffic, host, 1, error);
  while (!status && !tny_fabric_is_empty(traffic->fabric))
    status = advance(traffic, UINT64_MAX, deadlock, error);
  return status;
}

static uint64_t count_hops(const struct tny_fabric *fabric, const struct tny_cluster *cluster)
{
  const uint64_t *flits = tny_fabric_link_flits(fabric);
  uint64_t hops = 0;
  for (uint32_t link = 0; link < cluster->link_count; link++)
    if (tny_link_is_trunk(cluster, link))
      hops += flits[link];
  return hops;
}

static enum tny_status begin(struct traffic *traffic, const struct tny_network_model *network,
                             struct tny_error *error)
{
  const struct tny_load *load = traffic->load;
  const bool is_batch = load->batch_packets > 0;
  if (load->packet_flits == 0 || (!is_batch && (!(load->load > 0) || load->measured_cycles == 0)))
    return tny_error_set(error, TNY_REFUSED,
                         "random traffic needs a load over 0, packets of at least 1 flit, and "
                         "cycles in which it is measured");
  traffic->cluster = network->routes->cluster;
  if (traffic->cluster->switch_count == 0)
    return tny_error_set(error, TNY_REFUSED, "random traffic needs a switch");
  enum tny_status status = tny_traffic_check(traffic->cluster, load->traffic, error);
  if (status)
    return status;
  traffic->host_count = traffic->cluster->host_count;
  traffic->random = network->seed ^ 0x6c6f6164; /* other random numbers than the fabric's */
  traffic->is_saturated = !is_batch && load->load > 1;
  traffic->rate = load->load / load->packet_flits;
  traffic->first = is_batch ? 1 : 1 + load->warm_up_cycles;
  traffic->end = is_batch ? UINT64_MAX : traffic->first + load->measured_cycles;
  status = tny_fabric_new(network, &traffic->fabric, error);
  if (status || is_batch)
    return status;
  if (traffic->is_saturated)
    return fill_hosts(traffic, network->ports, error);
  traffic->next = traffic->host_count - 1;
  skip_to_next(traffic);
  return TNY_OK;
}

static void report_on(const struct traffic *traffic, struct tny_load_report *report)
{
  const bool is_batch = traffic->load->batch_packets > 0;
  const bool has_latency = !traffic->is_saturated && traffic->pending == 0 && traffic->count > 0;
  const uint64_t last = tny_fabric_cycle(traffic->fabric);
  const uint64_t cycles = is_batch ? last : traffic->load->measured_cycles;
  report->latency = has_latency ? traffic->sum / (double)traffic->count : (double)INFINITY;
  report->accepted = (double)traffic->taken_flits / ((double)traffic->host_count * (double)cycles);
  report->packets = traffic->count;
  report->flit_hops = count_hops(traffic->fabric, traffic->cluster);
  report->batch_cycles = is_batch ? last : 0;
}

enum tny_status tny_simulate_load(const struct tny_network_model *network,
                                  const struct tny_load *load, struct tny_load_report *report,
                                  char **deadlock, struct tny_error *error)
{
  struct traffic traffic = {.load = load};
  *report = (struct tny_load_report){0};
  if (deadlock)
    *deadlock = NULL;
  enum tny_status status = begin(&traffic, network, error);
  if (!status)
    status = load->batch_packets > 0 ? run_batch(&traffic, deadlock, error)
                                     : run(&traffic, deadlock, error);
  if (!status)
    report_on(&traffic, report);
  tny_fabric_free(traffic.fabric);
  tny_free(traffic.made);
  tny_free(traffic.from);
  tny_free(traffic.free);
  return status;
}
