/* What came out of a simulation, as JSON. */
#include "cli/shared/json.h"
#include "cli/shared/link.h"
#include "cli/shared/options.h"
#include "cli/shared/words.h"
#include "simulated.h"

static json_t *models_json(const struct simulated *simulated)
{
  static const char *const bufferings[] = {[TNY_BUFFER_FIFO] = "fifo",
                                           [TNY_BUFFER_CHANNELS] = "channels",
                                           [TNY_BUFFER_SHARED] = "shared"};
  const struct tny_network_model *network = &simulated->network;
  const struct tny_host_model *hosts = &simulated->hosts;
  return json_pack(
      "{s:s, s:s, s:I, s:I, s:s, s:s, s:b, s:b, s:I, s:I, s:f, s:I, s:I, s:I, s:I, s:f, s:f, s:b, "
      "s:s, s:f}",
      "switching", simulate_switching_name(network->switching), "buffers",
      bufferings[network->buffering], "channels", (json_int_t)network->channels, "depth_flits",
      (json_int_t)network->depth, "allocator", simulate_allocator_name(network->allocator),
      "routes", network->routes->name, "adaptive", (int)network->is_adaptive, "one_lane",
      (int)network->ignores_lanes, "switch_cycles", (json_int_t)network->switch_cycles, "seed",
      (json_int_t)network->seed, "cycle_ns", network->cycle_ns, "flit_bytes",
      (json_int_t)hosts->flit_bytes, "packet_flits", (json_int_t)hosts->packet_flits,
      "header_flits", (json_int_t)hosts->header_flits, "ports", (json_int_t)network->ports,
      "overhead_ns", hosts->send_ns, "combine_byte_ns", hosts->combine_byte_ns, "tokens_apart",
      (int)hosts->tokens_apart, "separation",
      simulate_separation_name(simulated->options->separation), "barrier_ns", hosts->barrier_ns);
}

static json_t *bound_json(const struct simulated *simulated)
{
  if (!simulated->has_bound)
    return json_null();
  const uint32_t link = simulated->bound.link;
  char name[LINK_NAME_CHARS] = "";
  if (link != TNY_NONE)
    link_name(simulated->plan.mapping.cluster, link, name);
  return json_pack("{s:f, s:s, s:s?}", "cycles", simulate_bound_cycles(simulated), "reason",
                   simulated->bound.text, "link", link != TNY_NONE ? name : NULL);
}

static json_t *phases_json(const struct tny_simulation *simulation)
{
  json_t *phases = json_array();
  for (uint32_t phase = 0; phase < simulation->phase_count; phase++)
    json_add(&phases, json_pack("{s:I, s:I}", "begin", (json_int_t)simulation->phase_begin[phase],
                                "end", (json_int_t)simulation->phase_end[phase]));
  return phases;
}

static json_t *links_json(const struct simulated *simulated)
{
  json_t *links = json_array();
  for (uint32_t link = 0; link < simulated->plan.mapping.cluster->link_count; link++) {
    char name[LINK_NAME_CHARS];
    link_name(simulated->plan.mapping.cluster, link, name);
    json_add(&links, json_pack("{s:s, s:I, s:f}", "link", name, "flits",
                               (json_int_t)simulated->simulation->link_flits[link], "busy_percent",
                               simulate_use_percent(simulated, link)));
  }
  return links;
}

/* What ran, without what came out. */
static json_t *subject_json(const struct simulated *simulated)
{
  const struct tny_schedule *schedule = simulated->schedule;
  const struct simulate_options *options = simulated->options;
  const bool has_data = schedule && !tny_collective_synchronizes(schedule->collective);
  const uint64_t block_bytes = has_data ? options->plan.bytes : 0;
  return json_pack(
      "{s:s, s:s?, s:s?, s:s?, s:I, s:s, s:o, s:o, s:o}", "cluster", options->plan.cluster, "file",
      options->file, "collective", schedule ? tny_collective_name(schedule->collective) : NULL,
      "algorithm", schedule ? schedule->algorithm : NULL, "ranks",
      (json_int_t)simulated->plan.mapping.rank_count, "map", cli_map_name(options->plan.map),
      "block_bytes", schedule ? json_integer((json_int_t)block_bytes) : json_null(), "chunk_count",
      schedule ? json_integer(schedule->chunk_count) : json_null(), "models",
      models_json(simulated));
}

enum tny_status simulate_write_json(const struct simulated *simulated, char **shown,
                                    struct tny_error *error)
{
  const struct tny_simulation *simulation = simulated->simulation;
  json_t *root = subject_json(simulated);
  json_t *outcome = json_pack(
      "{s:I, s:f, s:o, s:I, s:I, s:I, s:I, s:o, s:o}", "cycles", (json_int_t)simulation->cycles,
      "us", simulate_us(simulated, (double)simulation->cycles), "bound", bound_json(simulated),
      "messages", (json_int_t)simulation->messages, "packets", (json_int_t)simulation->packets,
      "flits", (json_int_t)simulation->flits, "flit_hops", (json_int_t)simulation->flit_hops,
      "phases", phases_json(simulation), "links", links_json(simulated));
  if (json_object_update_missing(root, outcome)) {
    json_decref(root);
    root = NULL;
  }
  json_decref(outcome);
  return json_take(root, shown, error);
}

enum tny_status simulate_write_deadlock_json(const struct simulated *simulated, char **shown,
                                             struct tny_error *error)
{
  json_t *root = subject_json(simulated), *cycle = json_array();
  for (const char *rest = simulated->deadlock; *rest;) {
    const char *line = rest;
    const int length = words_take_line(&rest);
    json_add(&cycle, json_stringn(line, (size_t)length));
  }
  if (json_object_set_new(root, "deadlock", cycle)) {
    json_decref(root);
    root = NULL;
  }
  return json_take(root, shown, error);
}
