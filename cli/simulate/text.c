/* What came out of a simulation, as text and CSV. */
#include <inttypes.h>
#include <math.h>

#include "cli/shared/csv.h"
#include "cli/shared/link.h"
#include "cli/shared/options.h"
#include "cli/shared/words.h"
#include "core/alloc.h"
#include "simulated.h"

enum { LINKS_SHOWN = 3 }; /* the fullest, unless all are wanted */

static void describe_subject(const struct simulated *simulated, struct tny_text *text)
{
  const struct plan_request *request = &simulated->options->plan;
  const uint32_t ranks = simulated->plan.mapping.rank_count;
  simulate_title(simulated, text);
  tny_text_add(text, " on %s, %" PRIu32 " rank%s, %s\n", request->cluster, ranks, plural(ranks),
               cli_map_name(request->map));
  if (simulated->options->file) {
    tny_text_add(text, "schedule      %s\n", simulated->options->file);
  } else {
    tny_text_add(text, "algorithm     %s (", simulated->schedule->algorithm);
    plan_choice_why(&simulated->plan, text);
    tny_text_add(text, ")\n");
  }
  if (!simulated->schedule || tny_collective_synchronizes(simulated->schedule->collective))
    return;
  const uint32_t chunks = simulated->schedule->chunk_count;
  tny_text_add(
      text, "blocks        %s in %" PRIu32 " chunk%s",
      tny_bytes_format(simulated->options->file ? request->bytes : simulated->plan.block_bytes)
          .text,
      chunks, plural(chunks));
  const char *pacing = simulated->options->file ? NULL : plan_pacing(&simulated->plan);
  if (pacing)
    tny_text_add(text, ", window %" PRIu32 " (%s)", simulated->plan.pace.window, pacing);
  tny_text_add(text, "\n");
}

static void describe_buffers(const struct tny_network_model *network, struct tny_text *text)
{
  switch (network->buffering) {
  case TNY_BUFFER_FIFO:
    tny_text_add(text, "a queue of %" PRIu32 " flits an input and lane", network->depth);
    break;
  case TNY_BUFFER_CHANNELS:
    tny_text_add(text, "%" PRIu32 " channel%s of %" PRIu32 " flits an input and lane",
                 network->channels, plural(network->channels), network->depth);
    break;
  case TNY_BUFFER_SHARED:
    tny_text_add(text, "a store of %" PRIu32 " flits a port", network->depth);
    break;
  }
}

/* A flit takes whole cycles. Says for which link that rounding is worst, where it is more than 1 %.
   */
static void describe_rounding(const struct simulated *simulated, struct tny_text *text)
{
  const struct tny_cluster *cluster = simulated->plan.mapping.cluster;
  double most = 0.01, counted_bps = 0;
  uint64_t bandwidth_bps = 0;
  for (uint32_t link = 0; link < cluster->link_count; link++) {
    const double bps = (double)cluster->links[link].bandwidth_bps;
    const double counted = 8e9 * simulated->hosts.flit_bytes /
                           (simulate_flit_cycles(simulated, link) * simulated->network.cycle_ns);
    if (fabs(counted / bps - 1) > most) {
      most = fabs(counted / bps - 1);
      counted_bps = counted;
      bandwidth_bps = cluster->links[link].bandwidth_bps;
    }
  }
  if (bandwidth_bps > 0)
    tny_text_add(text,
                 "              a link of %s counts as %.4g Mbit/s, as a flit takes whole cycles\n",
                 tny_bandwidth_format(bandwidth_bps).text, counted_bps / 1e6);
}

static void describe_bundles(const struct tny_cluster *cluster, struct tny_text *text)
{
  bool any = false;
  for (uint32_t link = 0; link < cluster->link_count; link++)
    any |= cluster->links[link].cable_count > 1;
  if (any)
    tny_text_add(text,
                 "              a bundle is a link of what is relied on: one cable where it is "
                 "spread by flow,\n              all of them where by packet\n");
}

static void describe_models(const struct simulated *simulated, struct tny_text *text)
{
  const struct tny_network_model *network = &simulated->network;
  const struct tny_host_model *hosts = &simulated->hosts;
  const uint32_t lanes = network->ignores_lanes ? 1 : tny_routes_lane_count(network->routes);
  tny_text_add(text, "network       %s, ", simulate_switching_name(network->switching));
  describe_buffers(network, text);
  tny_text_add(text, ", %s; %s%s, %" PRIu32 " lane%s\n",
               simulate_allocator_name(network->allocator), network->routes->name,
               network->is_adaptive ? ", adaptive" : "", lanes, plural(lanes));
  tny_text_add(text, "              a cycle is %.4g ns: a flit of %" PRIu32 " byte%s",
               network->cycle_ns, hosts->flit_bytes, plural(hosts->flit_bytes));
  if (hosts->packet_flits > 0)
    tny_text_add(text, "; packets of %" PRIu32 " flit%s", hosts->packet_flits,
                 plural(hosts->packet_flits));
  if (hosts->header_flits > 0)
    tny_text_add(text, ", %" PRIu32 " more for the header", hosts->header_flits);
  if (!hosts->tokens_apart)
    tny_text_add(text, "; tokens among data");
  tny_text_add(text, "\n");
  describe_rounding(simulated, text);
  describe_bundles(simulated->plan.mapping.cluster, text);
  if (hosts->send_ns > 0)
    tny_text_add(text, "hosts         %s to send a message, as much to receive one\n",
                 tny_time_format((uint64_t)hosts->send_ns).text);
  if (hosts->combine_byte_ns > 0)
    tny_text_add(text, "combining     at %s\n",
                 tny_bandwidth_format((uint64_t)(8e9 / hosts->combine_byte_ns + 0.5)).text);
  if (hosts->with_barrier)
    tny_text_add(text, "apart         every two phases, by barriers of %s\n",
                 tny_time_format((uint64_t)hosts->barrier_ns).text);
  else if (network->is_synchronizing)
    tny_text_add(text, "apart         every two phases, by the switches\n");
  else if (simulated->options->separation == SIMULATE_TOKENS)
    tny_text_add(text, "apart         every two phases on a link, by %" PRIu64 " tokens\n",
                 simulated->plan.separated.tokens);
}

static void describe_time(const struct simulated *simulated, const struct simulate_phases *phases,
                          struct tny_text *text)
{
  const struct tny_simulation *simulation = simulated->simulation;
  const double bound = simulated->has_bound ? simulate_bound_cycles(simulated) : 0;
  tny_text_add(text, "time          %" PRIu64 " cycle%s, %.2f us\n", simulation->cycles,
               plural(simulation->cycles), simulate_us(simulated, (double)simulation->cycles));
  if (bound > 0)
    tny_text_add(text, "bound         %.0f cycles, %.2f us, %.1f %% of the time: %s\n", bound,
                 1e6 * simulated->bound.seconds, 100 * bound / (double)simulation->cycles,
                 simulated->bound.text);
  if (phases->count > 0)
    tny_text_add(text,
                 "phases        %" PRIu32 ": %" PRIu64 " cycles the shortest, %" PRIu64
                 " the median, %" PRIu64 " the longest\n",
                 phases->count, phases->shortest, phases->median, phases->longest);
  tny_text_add(text,
               "traffic       %" PRIu64 " message%s in %" PRIu64 " packet%s, %" PRIu64
               " flits, all arrived; %" PRIu64 " flits over links\n",
               simulation->messages, plural(simulation->messages), simulation->packets,
               plural(simulation->packets), simulation->flits, simulation->flit_hops);
}

static enum tny_status describe_links(const struct simulated *simulated, struct tny_text *text,
                                      struct tny_error *error)
{
  const uint32_t count = simulated->plan.mapping.cluster->link_count;
  const bool all = simulated->options->all_links;
  uint32_t *links;
  const enum tny_status status = simulate_fullest(simulated, &links, error);
  if (status != TNY_OK)
    return status;
  tny_text_add(text, "\n  %-24s %12s %8s\n", all ? "link" : "fullest links", "flits", "busy");
  for (uint32_t i = 0; i < count && (all || i < LINKS_SHOWN); i++) {
    const uint32_t link = all ? i : links[i];
    char name[LINK_NAME_CHARS];
    link_name(simulated->plan.mapping.cluster, link, name);
    tny_text_add(text, "  %-24s %12" PRIu64 " %6.1f %%\n", name,
                 simulated->simulation->link_flits[link], simulate_use_percent(simulated, link));
  }
  tny_free(links);
  return TNY_OK;
}

enum tny_status simulate_write_text(const struct simulated *simulated, char **shown,
                                    struct tny_error *error)
{
  struct tny_text text = {0};
  struct simulate_phases phases;
  enum tny_status status = simulate_phases(simulated, &phases, error);
  if (status != TNY_OK)
    return status;
  describe_subject(simulated, &text);
  describe_models(simulated, &text);
  describe_time(simulated, &phases, &text);
  status = describe_links(simulated, &text, error);
  if (status == TNY_OK)
    return tny_text_take(&text, shown, error);
  tny_text_release(&text);
  return status;
}

enum tny_status simulate_write_csv(const struct simulated *simulated, char **shown,
                                   struct tny_error *error)
{
  const struct tny_simulation *simulation = simulated->simulation;
  struct tny_text text = {0};
  struct simulate_phases phases;
  enum tny_status status = simulate_phases(simulated, &phases, error);
  uint32_t *links = NULL;
  if (status == TNY_OK)
    status = simulate_fullest(simulated, &links, error);
  if (status != TNY_OK)
    return status;
  char name[LINK_NAME_CHARS];
  link_name(simulated->plan.mapping.cluster, links[0], name);
  tny_text_add(&text, "cluster,what,algorithm,ranks,seed,cycles,us,bound_cycles,phases,"
                      "phase_shortest,phase_median,phase_longest,messages,packets,flits,flit_hops,"
                      "fullest_link,fullest_percent\n");
  csv_add_quoted(&text, simulated->options->plan.cluster);
  const struct tny_schedule *schedule = simulated->schedule;
  tny_text_add(&text, ",");
  csv_add_quoted(&text, simulated->options->file ? simulated->options->file
                                                 : tny_collective_name(schedule->collective));
  tny_text_add(&text, ",");
  csv_add_quoted(&text, schedule ? schedule->algorithm : "");
  tny_text_add(&text, ",%" PRIu32 ",%" PRIu64 ",%" PRIu64 ",%.3f,",
               simulated->plan.mapping.rank_count, simulated->network.seed, simulation->cycles,
               simulate_us(simulated, (double)simulation->cycles));
  if (simulated->has_bound)
    tny_text_add(&text, "%.0f", simulate_bound_cycles(simulated));
  tny_text_add(&text, ",%" PRIu32 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64, phases.count,
               phases.shortest, phases.median, phases.longest);
  tny_text_add(&text, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",", simulation->messages,
               simulation->packets, simulation->flits, simulation->flit_hops);
  csv_add_quoted(&text, name);
  tny_text_add(&text, ",%.2f\n", simulate_use_percent(simulated, links[0]));
  tny_free(links);
  return tny_text_take(&text, shown, error);
}

static uint32_t count_lines(const char *lines)
{
  uint32_t count = 0;
  for (; *lines; lines++)
    count += *lines == '\n' || !lines[1];
  return count;
}

enum tny_status simulate_write_deadlock(const struct simulated *simulated, char **shown,
                                        struct tny_error *error)
{
  struct tny_text text = {0};
  tny_text_add(&text,
               "deadlock: each of these %" PRIu32
               " waits for the next one, and the last for the first\n",
               count_lines(simulated->deadlock));
  for (const char *rest = simulated->deadlock; *rest;) {
    const char *line = rest;
    const int length = words_take_line(&rest);
    tny_text_add(&text, "  %.*s\n", length, line);
  }
  return tny_text_take(&text, shown, error);
}
