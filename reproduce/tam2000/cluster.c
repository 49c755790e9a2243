/* The model of Tam and Wang's cluster. A packet of 1492 bytes is 24 flits, which take the paper's g
   on a link; bytes are counted in flits, so that blocks are exactly k packets. The processor spends
   O_s before a packet and O_r + U_r after it. L, from memory to memory, is the time of a packet on
   the wire, or twice that where the switch stores it first; the rest of L is spent on the two
   cables. Nothing is fitted. How deep the switches' buffers are isn't known, and hardly matters
   where packets are never dropped: 32 packets a port. */
#include "reproduce/tam2000/tam2000.h"

#include "reproduce/shared/blocking_calls.h"

enum { PACKET_FLITS = 24, BUFFER_PACKETS = 32 };
static const double cycle_ns = TNY_TAM_GAP_NS / PACKET_FLITS;

const struct tny_tam_switch tny_tam_326 = {
    .title = "8275-326",
    .node_latency_ns = 0.3387e3,
    .latency_ns = 149e3,
    .wire_cycles = 3,
};
const struct tny_tam_switch tny_tam_416 = {
    .title = "8275-416",
    .node_latency_ns = 0.3413e3,
    .latency_ns = 264e3,
    .is_shared = true,
    .wire_cycles = 2,
};

const struct tny_tam_method tny_tam_shift = {"shift", "shift", 1};
const struct tny_tam_method tny_tam_pairwise = {"pairwise", "pairwise", 1};
const struct tny_tam_method tny_tam_group = {"group shuffle", "group-shuffle:5", TNY_TAM_FAN_OUT};
const struct tny_tam_method tny_tam_shuffle = {"synchronous shuffle", "shuffle", 0};

static struct tny_network_model network_of(const struct tny_tam_switch *at)
{
  return (struct tny_network_model){
      .switching = at->is_shared ? TNY_SWITCH_STORE_AND_FORWARD : TNY_SWITCH_CUT_THROUGH,
      .buffering = at->is_shared ? TNY_BUFFER_SHARED : TNY_BUFFER_FIFO,
      .allocator = TNY_ALLOCATE_ROUND_ROBIN,
      .channels = 1,
      .depth = BUFFER_PACKETS * PACKET_FLITS,
      .link_cycles = 1,
      .inject_cycles = at->wire_cycles,
      .eject_cycles = at->wire_cycles,
      .credit_cycles = 1,
      .ports = 1,
      .cycle_ns = cycle_ns,
      .seed = 1,
  };
}

/* Plans with blocks cut in packets, and with rounds that follow each other as in the paper's
   loops. */
static enum tny_status plan(const struct tny_tam_run *run, const struct tny_site *site,
                            struct tny_schedule **schedule, struct tny_error *error)
{
  const struct tny_plan_wanted wanted = {
      .collective = TNY_ALLTOALL, .algorithm = run->method->algorithm, .chunk_count = run->packets};
  struct tny_schedule *planned;
  enum tny_status status = tny_site_plan(site, &wanted, &planned, error);
  if (status != TNY_OK || run->method->fan_out == 0) {
    *schedule = planned;
    return status;
  }
  status = tny_blocking_in_rounds(planned, run->method->fan_out * run->packets, schedule, error);
  tny_schedule_free(planned);
  return status;
}

static enum tny_status simulate(const struct tny_tam_run *run, const struct tny_site *site,
                                const struct tny_program *program, double *ns,
                                struct tny_error *error)
{
  struct tny_network_model network = network_of(run->at);
  network.routes = site->routes;
  const struct tny_host_model hosts = {.host_of_rank = site->host_of_rank,
                                       .send_packet_ns = TNY_TAM_SEND_NS,
                                       .recv_packet_ns = TNY_TAM_RECV_NS,
                                       .flit_bytes = 1,
                                       .packet_flits = PACKET_FLITS};
  struct tny_simulation *simulation;
  const enum tny_status status =
      tny_simulate(&network, &hosts, program, run->watch, &simulation, NULL, error);
  if (status != TNY_OK)
    return status;
  *ns = (double)simulation->cycles * cycle_ns;
  tny_simulation_free(simulation);
  return TNY_OK;
}

static enum tny_status make_program(const struct tny_tam_run *run,
                                    const struct tny_schedule *schedule,
                                    struct tny_program **program, struct tny_error *error)
{
  struct tny_program *calm;
  enum tny_status status =
      tny_program_make(schedule, (uint64_t)run->packets * PACKET_FLITS, NULL, &calm, error);
  *program = calm;
  if (status != TNY_OK || !run->noise)
    return status;
  status = tny_program_add_noise(calm, run->noise, program, error);
  tny_program_free(calm);
  return status;
}

enum tny_status tny_tam_time(const struct tny_tam_run *run, double *ns, struct tny_error *error)
{
  struct tny_site site;
  struct tny_schedule *schedule = NULL;
  struct tny_program *program = NULL;
  enum tny_status status = tny_site_open(
      &site, &(struct tny_site_wanted){.cluster = "single:16,link=100Mbit/s,latency=0"}, error);
  if (status == TNY_OK)
    status = plan(run, &site, &schedule, error);
  if (status == TNY_OK)
    status = make_program(run, schedule, &program, error);
  if (status == TNY_OK)
    status = simulate(run, &site, program, ns, error);
  tny_program_free(program);
  tny_schedule_free(schedule);
  tny_site_close(&site);
  return status;
}

double tny_tam_formula(const struct tny_tam_run *run)
{
  const double others = TNY_TAM_NODES - 1;
  const double latency = run->at->node_latency_ns * TNY_TAM_NODES + run->at->latency_ns;
  const double start_up = TNY_TAM_SEND_NS + latency - TNY_TAM_GAP_NS + TNY_TAM_RECV_NS;
  const uint32_t fan_out = run->method ? run->method->fan_out : 0;
  const double rounds = fan_out ? others / fan_out : 1;
  return run->packets * others * TNY_TAM_GAP_NS + rounds * start_up;
}

double tny_tam_rate(uint32_t packets, double ns)
{
  return (TNY_TAM_NODES - 1.0) * packets * TNY_TAM_PACKET_BYTES / ns * 1e3;
}
