/* iWarp as a model: what the paper gives, and what follows from it.

   Network. 20 MHz, 2 cycles for a word of 4 bytes on a link (4): a flit is a word. 2 to 4 cycles a
   hop (3.1): ours has 4. Routes by dimension with date-lines on two pools of channels (3.1): each
   is a lane of one channel. How long a channel's queue is, the paper doesn't say: 8 flits, but 2
   or 16 change message passing by 2 %. Above 4096 bytes a flit is four words, so that it takes a
   quarter of the time to run, for at most 100 cycles more of 8000.
   Memory. It lets a node source and sink half of what its four links carry (1, 4.1): store and
   forward has two messages in and two out at once, 160 MB/s. Blocks are gathered and scattered on
   the way from and to memory; copying takes no time.
   Library. 400 cycles a message (3.1), here the sender's. It moves one message in and one out at a
   time: with two, nearest neighbours would get 2500 MB/s, not the 1425 of table 1.
   Phased. The start-up of a phase is fitted, once: two transposes of 128-word messages take 184,400
   cycles (4.4). It lies between a phase's last tail and the next phase, in each node, as in figure
   4: empty messages pay it as well. With the global barrier it is the sender's.
   Barrier. The paper says that the best one known takes O(n) steps, and no more. Ours is the most
   that the best can take: the 6 rounds in which 64 nodes spread the news by messages of 400
   cycles. Only the curve of figure 8 depends on it. */
#include "reproduce/hinrichs1994/hinrichs1994.h"

enum { PHASE_CYCLES = 1180, LIBRARY_CYCLES = 400, BARRIER_CYCLES = 6 * LIBRARY_CYCLES };
enum { WORD_BYTES = 4, WORD_CYCLES = 2, QUEUE_FLITS = 8 };
enum { LONG_BYTES = 4096, LONG_FLIT_WORDS = 4 };

const struct tny_hinrichs_method tny_hinrichs_local = {
    .title = "phased, local synchronization",
    .algorithm = "phases",
    .is_synchronizing = true,
    .phase_cycles = PHASE_CYCLES,
    .ports = 1,
    .channels = 1,
};
const struct tny_hinrichs_method tny_hinrichs_global = {
    .title = "phased, global synchronization",
    .algorithm = "phases",
    .with_barrier = true,
    .message_cycles = PHASE_CYCLES,
    .ports = 1,
    .channels = 1,
};
/* The paper: "relies on a randomized message schedule" (1). */
const struct tny_hinrichs_method tny_hinrichs_messages = {
    .title = "message passing, random order",
    .algorithm = "message-passing-random",
    .message_cycles = LIBRARY_CYCLES,
    .ports = 1,
    .channels = 1,
};
/* This is the loop of the paper's figure 6 as it stands. */
const struct tny_hinrichs_method tny_hinrichs_in_order = {
    .title = "message passing, order of the ranks",
    .algorithm = "message-passing",
    .message_cycles = LIBRARY_CYCLES,
    .ports = 1,
    .channels = 1,
};
/* The paper: "following the phased AAPC schedule and using the basic message passing package"
   (3). */
const struct tny_hinrichs_method tny_hinrichs_eager = {
    .title = "message passing, order of the phases",
    .algorithm = "phases",
    .is_eager = true,
    .message_cycles = LIBRARY_CYCLES,
    .ports = 1,
    .channels = 1,
};
const struct tny_hinrichs_method tny_hinrichs_forward = {
    .title = "store and forward",
    .algorithm = "store-and-forward",
    .message_cycles = LIBRARY_CYCLES,
    .ports = 2,
    .channels = 1,
};
const struct tny_hinrichs_method tny_hinrichs_stages = {
    .title = "two-stage",
    .algorithm = "two-stage",
    .message_cycles = LIBRARY_CYCLES,
    .ports = 1,
    .channels = 1,
};
/* Tokens are messages as well. In wormhole switching they would wait behind the data, so they have
   channels of their own, two more pools, and a port of their own. */
const struct tny_hinrichs_method tny_hinrichs_tokened = {
    .title = "Tourney: planned phases, tokens",
    .algorithm = "planned-phases",
    .separation = TNY_SEPARATE_TOKENS,
    .message_cycles = LIBRARY_CYCLES,
    .ports = 2,
    .channels = 2,
};
/* The same machine, without tokens: a rank sends when its send and receive of the phase before are
   complete. */
const struct tny_hinrichs_method tny_hinrichs_paced = {
    .title = "Tourney: planned phases, own pacing",
    .algorithm = "planned-phases",
    .message_cycles = LIBRARY_CYCLES,
    .ports = 2,
    .channels = 2,
};

/* Rank r is on node r, so that the ranks' numbers are positions on the grid. */
static enum tny_status open_site(struct tny_site *site, struct tny_error *error)
{
  const struct tny_site_wanted wanted = {.cluster = "torus:8x8,link=320Mbit/s,latency=0",
                                         .routing = TNY_ROUTING_DIMENSION_ORDER,
                                         .map = TNY_MAP_BLOCK};
  const enum tny_status status = tny_site_open(site, &wanted, error);
  return status == TNY_OK ? tny_site_number(site, error) : status;
}

static void drop_waits(struct tny_schedule *schedule)
{
  for (uint32_t rank = 0; rank < schedule->rank_count; rank++)
    for (uint32_t i = 0; i < schedule->ranks[rank].count; i++)
      schedule->ranks[rank].steps[i].after_count = 0;
}

enum tny_status tny_hinrichs_open(struct tny_hinrichs_run *run,
                                  const struct tny_hinrichs_method *method,
                                  const struct tny_pattern *pattern,
                                  const struct tny_reproduce_options *options,
                                  struct tny_error *error)
{
  *run = (struct tny_hinrichs_run){.method = method, .options = options};
  const struct tny_plan_wanted wanted = {.collective = TNY_ALLTOALL,
                                         .algorithm = method->algorithm,
                                         .separation = method->separation,
                                         .pattern = pattern};
  enum tny_status status = open_site(&run->site, error);
  if (status == TNY_OK)
    status = tny_site_plan(&run->site, &wanted, &run->schedule, error);
  if (status == TNY_OK && method->is_eager)
    drop_waits(run->schedule);
  return status;
}

void tny_hinrichs_close(struct tny_hinrichs_run *run)
{
  tny_schedule_free(run->schedule);
  tny_site_close(&run->site);
  run->schedule = NULL;
}

static struct tny_network_model network_of(const struct tny_hinrichs_run *run, uint32_t flit_words)
{
  const struct tny_hinrichs_method *method = run->method;
  const uint32_t flit_cycles = flit_words * WORD_CYCLES;
  return (struct tny_network_model){
      .switching = TNY_SWITCH_WORMHOLE,
      .buffering = TNY_BUFFER_CHANNELS,
      .allocator = TNY_ALLOCATE_ROUND_ROBIN,
      .channels = method->channels,
      .depth = QUEUE_FLITS,
      .switch_cycles = 1,
      .link_cycles = 1,
      .inject_cycles = 1,
      .eject_cycles = 1,
      .credit_cycles = 1,
      .ports = method->ports,
      .cycle_ns = flit_cycles * TNY_HINRICHS_CYCLE_NS,
      .seed = run->options->seed,
      .is_synchronizing = method->is_synchronizing,
      .phase_cycles = method->phase_cycles / flit_cycles,
  };
}

static struct tny_host_model hosts_of(const struct tny_hinrichs_method *method, uint32_t flit_words)
{
  return (struct tny_host_model){
      .send_ns = method->message_cycles * TNY_HINRICHS_CYCLE_NS,
      .barrier_ns = BARRIER_CYCLES * TNY_HINRICHS_CYCLE_NS,
      .with_barrier = method->with_barrier,
      .flit_bytes = flit_words * WORD_BYTES,
  };
}

enum tny_status tny_hinrichs_time(const struct tny_hinrichs_run *run, uint64_t bytes,
                                  const uint64_t *bytes_of, double *ns, struct tny_error *error)
{
  const uint32_t flit_words = bytes > LONG_BYTES ? LONG_FLIT_WORDS : 1;
  const struct tny_experiment experiment = {.network = network_of(run, flit_words),
                                            .hosts = hosts_of(run->method, flit_words),
                                            .block_bytes = bytes,
                                            .block_bytes_of = bytes_of,
                                            .watch = run->options->watch};
  uint64_t cycles;
  const enum tny_status status =
      tny_experiment_cycles(&experiment, &run->site, run->schedule, &cycles, error);
  if (status == TNY_OK)
    *ns = (double)cycles * experiment.network.cycle_ns;
  return status;
}

enum tny_status tny_hinrichs_sweep(const struct tny_hinrichs_method *method, const uint64_t *bytes,
                                   const struct tny_reproduce_options *options,
                                   struct tny_hinrichs_curve *curve, struct tny_error *error)
{
  struct tny_hinrichs_run run;
  enum tny_status status = tny_hinrichs_open(&run, method, NULL, options, error);
  curve->count = 0;
  for (; status == TNY_OK && *bytes > 0; bytes++) {
    double ns = NAN;
    status = tny_hinrichs_time(&run, *bytes, NULL, &ns, error);
    curve->bytes[curve->count] = (double)*bytes;
    curve->rate[curve->count++] = TNY_HINRICHS_BLOCKS * (double)*bytes / ns * 1e3;
  }
  tny_hinrichs_close(&run);
  return status;
}

enum tny_status tny_hinrichs_pattern(const struct tny_hinrichs_method *method,
                                     const struct tny_pattern *pattern,
                                     const struct tny_reproduce_options *options, double *rate,
                                     struct tny_error *error)
{
  struct tny_hinrichs_run run;
  uint64_t longest = 0;
  double ns = NAN, total = 0;
  for (size_t i = 0; i < TNY_HINRICHS_BLOCKS; i++) {
    total += (double)pattern->bytes[i];
    longest = pattern->bytes[i] > longest ? pattern->bytes[i] : longest;
  }
  enum tny_status status =
      tny_hinrichs_open(&run, method, method->is_synchronizing ? NULL : pattern, options, error);
  if (status == TNY_OK)
    status = tny_hinrichs_time(&run, longest, pattern->bytes, &ns, error);
  *rate = total / ns * 1e3;
  tny_hinrichs_close(&run);
  return status;
}
