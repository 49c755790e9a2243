/* The papers' parameters, the rows that their formulas give, and the network and host models on
   which the same schedules are simulated. The formulas themselves: <tourney/papers.h>. Units:
   nanoseconds, bytes and bits per second, unless a name says otherwise. */
#include <inttypes.h>
#include <math.h>

#include <tourney/papers.h>

#include "cli/shared/options.h"
#include "table.h"

#define SECOND UINT64_C(1000000000)
#define GIGABIT UINT64_C(1000000000)
#define BROADCAST_MAX (UINT64_C(1) << 35)

enum { NODES_MAX = 4096, SIDE_MAX = 32, PIECES_MAX = 1 << 16 };

/* --- parameters --- */

const struct model_option model_options[MODEL_PARAMETER_COUNT] = {
    [MODEL_NODES] = {"nodes", MODEL_COUNT},      [MODEL_OTHERS] = {"others", MODEL_COUNT},
    [MODEL_SIDE] = {"side", MODEL_COUNT},        [MODEL_DIMENSIONS] = {"dimensions", MODEL_COUNT},
    [MODEL_FLITS] = {"flits", MODEL_COUNT},      [MODEL_FLIT] = {"flit", MODEL_TIME},
    [MODEL_BYTES] = {"bytes", MODEL_SIZE},       [MODEL_MESSAGE] = {"message", MODEL_SIZE},
    [MODEL_PACKET] = {"packet", MODEL_SIZE},     [MODEL_FAN_OUT] = {"fan-out", MODEL_COUNT},
    [MODEL_OVERHEAD] = {"overhead", MODEL_TIME}, [MODEL_STARTUP] = {"startup", MODEL_TIME},
    [MODEL_RATE] = {"rate", MODEL_BANDWIDTH},    [MODEL_SEND] = {"send", MODEL_TIME},
    [MODEL_RECEIVE] = {"receive", MODEL_TIME},   [MODEL_USER] = {"user", MODEL_TIME},
    [MODEL_GAP] = {"gap", MODEL_TIME},           [MODEL_LATENCY] = {"latency", MODEL_TIME},
};

const struct model_field *model_field_find(const struct model_paper *paper,
                                           enum model_parameter parameter)
{
  for (const struct model_field *field = paper->fields; field->what; field++)
    if (field->parameter == parameter)
      return field;
  return NULL;
}

/* --- rows --- */

static struct model_row *add(struct model_table *table, const char *name, const char *formula,
                             const char *source, double predicted)
{
  struct model_row *row = &table->rows[table->row_count++];
  *row = (struct model_row){.name = name,
                            .formula = formula,
                            .source = source,
                            .unit = "",
                            .predicted = predicted,
                            .ours = NAN};
  return row;
}

static struct model_row *add_time(struct model_table *table, const char *name, const char *formula,
                                  const char *source, double ns)
{
  struct model_row *row = add(table, name, formula, source, ns / 1e3);
  row->unit = "us";
  return row;
}

static struct model_row *add_rate(struct model_table *table, const char *name, const char *formula,
                                  const char *source, double rate)
{
  struct model_row *row = add(table, name, formula, source, rate);
  row->unit = "GB/s";
  return row;
}

/* --- trials --- */

/* What the models here have in common: wormhole switches without delay, whose links take a flit in
   that time, and hosts without overhead. */
static struct tny_experiment base_experiment(double flit_ns, uint32_t flit_bytes)
{
  return (struct tny_experiment){
      .network = {.switching = TNY_SWITCH_WORMHOLE,
                  .buffering = TNY_BUFFER_FIFO,
                  .allocator = TNY_ALLOCATE_ROUND_ROBIN,
                  .channels = 1,
                  .depth = 4,
                  .switch_cycles = 0,
                  .link_cycles = 1,
                  .inject_cycles = 1,
                  .eject_cycles = 1,
                  .credit_cycles = 1,
                  .ports = 1,
                  .cycle_ns = flit_ns,
                  .seed = 1},
      .hosts = {.flit_bytes = flit_bytes},
  };
}

/* Switches with a shared buffer of so many flits a port, without head-of-line blocking: the network
   that two papers assume, where pairs of nodes don't disturb each other. */
static void use_shared_buffer(struct tny_experiment *experiment, uint64_t flits)
{
  experiment->network.switching = TNY_SWITCH_CUT_THROUGH;
  experiment->network.buffering = TNY_BUFFER_SHARED;
  experiment->network.depth = (uint32_t)flits;
}

/* The time of that algorithm on one switch. */
static struct model_trial on_switch(uint64_t nodes, enum tny_collective collective,
                                    const char *algorithm, const struct tny_experiment *experiment)
{
  struct model_trial trial = {
      .kind = MODEL_SIMULATED_TIME, .collective = collective, .experiment = *experiment};
  snprintf(trial.cluster, sizeof trial.cluster, "single:%" PRIu64 ",latency=0", nodes);
  snprintf(trial.algorithm, sizeof trial.algorithm, "%s", algorithm);
  return trial;
}

static uint64_t divide_up(uint64_t whole, uint64_t part)
{
  return whole / part + (whole % part != 0);
}

/* Pieces that a block is cut in, where so many are asked for. */
static uint32_t pieces_for(uint64_t pieces)
{
  return (uint32_t)(pieces < PIECES_MAX ? pieces : PIECES_MAX);
}

/* --- jacunski1999 --- */

static const struct model_field jacunski_fields[] = {
    {MODEL_NODES, "P", "nodes on one switch", 32, 2, NODES_MAX},
    {MODEL_FLITS, "m", "flits of a node's message", 256, 1, 1 << 20},
    {MODEL_FLIT, "t_phy", "time of a flit", 16, 1, SECOND},
    {MODEL_OVERHEAD, "o", "overhead, fitted to Table 2's Ring", 1271, 0, SECOND},
    {0},
};

static void add_verdict(const struct tny_jacunski *jacunski, struct model_table *table)
{
  const double threshold = tny_jacunski_threshold(jacunski);
  const double ratio = jacunski->latency_ns / jacunski->overhead_ns;
  const unsigned number = tny_jacunski_case(jacunski) + 1;
  if (jacunski->nodes == 2)
    snprintf(table->verdict, sizeof table->verdict,
             "Table 1: with 2 nodes, all of them are one message.");
  else if (threshold <= 0)
    snprintf(table->verdict, sizeof table->verdict,
             "Table 1, case %u (L/o = %.3f): simultaneous broadcasts always beat combining.",
             number, ratio);
  else
    snprintf(table->verdict, sizeof table->verdict,
             "Table 1, case %u: simultaneous broadcasts beat combining where L/o is above %.3f.\n"
             "Here it is %.3f: they %s.",
             number, threshold, ratio, tny_jacunski_broadcasts_win(jacunski) ? "do" : "don't");
}

static void fill_jacunski(struct model_values *values, struct model_table *table)
{
  const uint64_t *of = values->of;
  const uint64_t p = of[MODEL_NODES];
  const struct tny_jacunski jacunski = {.nodes = (uint32_t)p,
                                        .latency_ns = (double)(of[MODEL_FLITS] * of[MODEL_FLIT]),
                                        .overhead_ns = (double)of[MODEL_OVERHEAD]};
  struct tny_experiment experiment = base_experiment((double)of[MODEL_FLIT], 1);
  experiment.hosts.send_ns = experiment.hosts.recv_ns = jacunski.overhead_ns;
  experiment.block_bytes = of[MODEL_FLITS];
  add_time(table, "ring", "(P-1)(2o + L)", "3.2", tny_jacunski_ring_ns(&jacunski))->trial =
      on_switch(p, TNY_ALLGATHER, "ring", &experiment);
  add_time(table, "simultaneous-broadcast", "2o + L + (P-3)g_s + g", "3.2",
           tny_jacunski_broadcasts_ns(&jacunski))
      ->trial = on_switch(p, TNY_ALLGATHER, "simultaneous-broadcast", &experiment);
  const struct model_trial combining = on_switch(p, TNY_ALLGATHER, "combining", &experiment);
  add_time(table, "combining", "ceil(log2 P) 2o + (P-1)L", "3.2",
           tny_jacunski_combining_ns(&jacunski))
      ->trial = combining;
  add_time(table, "transmission, at least", "(P-1)L", "3.2", tny_jacunski_link_ns(&jacunski));
  struct model_row *startups = add(table, "start-ups, at least", "ceil(log2 P)", "3.2",
                                   tny_jacunski_startups_min(&jacunski));
  startups->trial = combining;
  startups->trial.kind = MODEL_COUNTED_PHASES;
  add_verdict(&jacunski, table);
}

static const struct model_paper jacunski1999 = {"jacunski1999", "all-gather on one switch, by LogP",
                                                jacunski_fields, fill_jacunski};

/* --- hinrichs1994 --- */

static const struct model_field hinrichs_fields[] = {
    {MODEL_SIDE, "n", "nodes in each dimension", 8, 4, SIDE_MAX},
    {MODEL_DIMENSIONS, "d", "dimensions", 2, 1, 2},
    {MODEL_BYTES, "4B", "from each node to each", 512, 1, CLI_BYTES_MAX},
    {MODEL_RATE, "4S/T_t", "rate of a link", 320000000, 1000, 100 * GIGABIT},
    {MODEL_STARTUP, "T_s", "start-up of a phase, from 4.4's 184,400 cycles", 59231, 0,
     SECOND / 1000},
    {0},
};
enum { WORD_BYTES = 4 };

/* 4.4: two transposes of a 512 x 512 image on 8 x 8 nodes take 801,000 cycles of 50 ns by message
   passing, which is 52 % of the time. */
static void add_frames(struct model_table *table, const struct tny_hinrichs *hinrichs)
{
  struct tny_hinrichs transpose = *hinrichs;
  transpose.side = 8;
  transpose.dimensions = 2;
  transpose.block_bytes = 512;
  const struct tny_hinrichs_frame frame = {.alltoall_share = 0.52,
                                           .alltoall_ns = 801000 * 50.0,
                                           .other_alltoall_ns = 2 * tny_hinrichs_ns(&transpose)};
  add(table, "FFT by message passing", "P / 801000 cycles", "4.4",
      1e9 / tny_hinrichs_frame_ns(&frame))
      ->unit = "frames/s";
  add(table, "FFT in phases", "in 1 - P(1 - F) of the time", "4.4",
      1e9 / tny_hinrichs_other_frame_ns(&frame))
      ->unit = "frames/s";
}

/* The phases as they are counted in a schedule. */
static struct model_trial on_torus(const uint64_t *of, const char *algorithm)
{
  struct model_trial trial = {.kind = MODEL_COUNTED_PHASES, .collective = TNY_ALLTOALL};
  const uint64_t n = of[MODEL_SIDE];
  if (of[MODEL_DIMENSIONS] == 1)
    snprintf(trial.cluster, sizeof trial.cluster, "ring:%" PRIu64 ",latency=0", n);
  else
    snprintf(trial.cluster, sizeof trial.cluster, "torus:%" PRIu64 "x%" PRIu64 ",latency=0", n, n);
  snprintf(trial.algorithm, sizeof trial.algorithm, "%s", algorithm);
  return trial;
}

/* Their time on synchronizing switches, each of which takes T_s between two phases: on iWarp it's
   the node's processor that switches (Figure 4), whether it sends in the phase or not. */
static struct model_trial synchronized(const struct tny_hinrichs *hinrichs, const uint64_t *of)
{
  const double cycle_ns = WORD_BYTES * hinrichs->byte_ns;
  struct model_trial trial = on_torus(of, "phases");
  trial.kind = MODEL_SIMULATED_TIME;
  trial.experiment = base_experiment(cycle_ns, WORD_BYTES);
  trial.experiment.network.is_synchronizing = true;
  trial.experiment.network.phase_cycles = (uint32_t)round(hinrichs->startup_ns / cycle_ns);
  trial.experiment.block_bytes = of[MODEL_BYTES];
  return trial;
}

static void fill_hinrichs(struct model_values *values, struct model_table *table)
{
  const uint64_t *of = values->of;
  const struct tny_hinrichs both = {.side = (uint32_t)of[MODEL_SIDE],
                                    .dimensions = (uint32_t)of[MODEL_DIMENSIONS],
                                    .startup_ns = (double)of[MODEL_STARTUP],
                                    .byte_ns = 8e9 / (double)of[MODEL_RATE],
                                    .block_bytes = (double)of[MODEL_BYTES]};
  struct tny_hinrichs one_way = both;
  one_way.is_unidirectional = true;
  add(table, "phases", "n^(d+1)/8", "Eq. 2", tny_hinrichs_phases(&both))->trial =
      on_torus(of, "phases");
  add(table, "phases, links one way", "n^(d+1)/4", "Eq. 2", tny_hinrichs_phases(&one_way))->trial =
      on_torus(of, "phases-unidirectional");
  const uint32_t timed = table->row_count;
  add_time(table, "time of all phases", "n^(d+1)/8 (T_s + T_t B)", "2.1", tny_hinrichs_ns(&both))
      ->trial = synchronized(&both, of);
  struct model_row *rate = add_rate(table, "rate of all nodes", "32nBS / (T_s + T_t B)", "Eq. 3",
                                    tny_hinrichs_phased_rate(&both));
  rate->trial.kind = MODEL_RATE_OF_ROW;
  rate->trial.row = timed;
  add_rate(table, "rate, at most", "32nS / T_t", "Eq. 1", tny_hinrichs_peak_rate(&both));
  add_frames(table, &both);
}

static const struct model_paper hinrichs1994 = {
    "hinrichs1994", "all-to-all in phases on rings and tori", hinrichs_fields, fill_hinrichs};

/* --- axida2009 --- */

static const struct model_field axida_fields[] = {
    {MODEL_NODES, "P", "nodes on one switch", 16, 2, NODES_MAX},
    {MODEL_BYTES, "D", "the whole message", 240000000, 1, BROADCAST_MAX},
    {MODEL_MESSAGE, "", "a piece of it, where it's pipelined", 62500, 1, BROADCAST_MAX},
    {MODEL_RATE, "b", "rate of a link", GIGABIT, 1000, 1000 * GIGABIT},
    {MODEL_STARTUP, "s", "of a message; left out by section 3, 5", 0, 0, SECOND},
    {0},
};
/* Few flits, so that 240 MB are soon there; many enough that a hop is short next to a piece. */
enum { FLITS_A_PIECE = 16 };

static void fill_axida(struct model_values *values, struct model_table *table)
{
  const uint64_t *of = values->of;
  const struct tny_axida axida = {.nodes = (uint32_t)of[MODEL_NODES],
                                  .startup_ns = (double)of[MODEL_STARTUP],
                                  .byte_ns = 8e9 / (double)of[MODEL_RATE],
                                  .bytes = (double)of[MODEL_BYTES]};
  const uint32_t pieces = pieces_for(divide_up(of[MODEL_BYTES], of[MODEL_MESSAGE]));
  const struct {
    struct model_row *row;
    const char *algorithm;
    uint32_t pieces;
  } rows[] = {
      {add_time(table, "linear", "(P-1)(s + D/b)", "Table 1", tny_axida_linear_ns(&axida)),
       "linear", 1},
      {add_time(table, "pipelined-linear", "(P-1)s + D/b", "Table 1",
                tny_axida_pipelined_linear_ns(&axida)),
       "pipelined-linear", pieces},
      {add_time(table, "binomial", "log2 P (s + D/b)", "Table 1", tny_axida_binomial_ns(&axida)),
       "binomial", 1},
      {add_time(table, "van-de-geijn", "2 log2 P s + 2(P-1)/P D/b", "Table 1",
                tny_axida_van_de_geijn_ns(&axida)),
       "van-de-geijn", 1},
      {add_time(table, "round-robin", "(P-1)s + D/b, odd P: P/(P-1) D/b", "Tables 1, 2",
                tny_axida_round_robin_ns(&axida)),
       "round-robin", pieces},
  };
  const uint64_t flit_bytes = divide_up(of[MODEL_BYTES], (uint64_t)pieces * FLITS_A_PIECE);
  struct tny_experiment experiment =
      base_experiment((double)flit_bytes * axida.byte_ns, (uint32_t)flit_bytes);
  use_shared_buffer(&experiment, (uint64_t)pieces * FLITS_A_PIECE);
  experiment.hosts.send_ns = axida.startup_ns;
  experiment.block_bytes = of[MODEL_BYTES];
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    rows[i].row->trial = on_switch(of[MODEL_NODES], TNY_BROADCAST, rows[i].algorithm, &experiment);
    rows[i].row->trial.chunk_count = rows[i].pieces;
  }
  experiment.block_bytes = divide_up(of[MODEL_BYTES], of[MODEL_NODES]);
  add_time(table, "all-gather round-robin", "(P-1)(s + D/(P b)), odd P: P of them", "4.2",
           tny_axida_exchange_ns(&axida))
      ->trial = on_switch(of[MODEL_NODES], TNY_ALLGATHER, "round-robin", &experiment);
}

static const struct model_paper axida2009 = {"axida2009", "broadcasts and all-gather on one switch",
                                             axida_fields, fill_axida};

/* --- tam2000 --- */

static const struct model_field tam_fields[] = {
    {MODEL_NODES, "p", "nodes on one switch", 16, 2, NODES_MAX},
    {MODEL_FAN_OUT, "w", "fan-out of group shuffle", 5, 1, NODES_MAX},
    {MODEL_BYTES, "M", "from each node for each other one", 95488, 1, CLI_BYTES_MAX},
    {MODEL_PACKET, "b", "of a packet", 1492, 1, 1 << 30},
    {MODEL_SEND, "O_s", "software, of a packet sent", 12500, 0, SECOND},
    {MODEL_RECEIVE, "O_r", "kernel, of a packet received", 20000, 0, SECOND},
    {MODEL_USER, "U_r", "user space, of a packet received", 7000, 0, SECOND},
    {MODEL_GAP, "g", "between packets", 123000, 1, SECOND},
    {MODEL_LATENCY, "L", "of a packet; 0: what switch 326 has", 0, 0, SECOND},
    {0},
};
enum { FLITS_A_PACKET = 16, PACKETS_A_PORT = 64 };

/* A packet every g; L is what it takes from memory to memory, g of it on a link. */
static struct tny_experiment tam_experiment(const struct tny_tam *tam)
{
  const uint32_t flit_bytes = (uint32_t)divide_up(tam->packet_bytes, FLITS_A_PACKET);
  const double cycle_ns = tam->gap_ns / FLITS_A_PACKET;
  const double switch_cycles = round((tam->latency_ns - tam->gap_ns) / cycle_ns) - 2;
  struct tny_experiment experiment = base_experiment(cycle_ns, flit_bytes);
  use_shared_buffer(&experiment, FLITS_A_PACKET * PACKETS_A_PORT);
  experiment.hosts.packet_flits = FLITS_A_PACKET;
  experiment.network.switch_cycles = switch_cycles > 1 ? (uint32_t)switch_cycles : 1;
  experiment.hosts.send_packet_ns = tam->send_ns;
  experiment.hosts.recv_packet_ns = tam->receive_ns + tam->user_ns;
  experiment.block_bytes = tny_tam_packets(tam) * FLITS_A_PACKET * flit_bytes;
  return experiment;
}

static struct tny_tam tam_of(struct model_values *values)
{
  uint64_t *of = values->of;
  if (of[MODEL_LATENCY] == 0)
    of[MODEL_LATENCY] = (uint64_t)tny_tam_latency_ns((uint32_t)of[MODEL_NODES], false);
  return (struct tny_tam){.nodes = (uint32_t)of[MODEL_NODES],
                          .fan_out = (uint32_t)of[MODEL_FAN_OUT],
                          .block_bytes = of[MODEL_BYTES],
                          .packet_bytes = (uint32_t)of[MODEL_PACKET],
                          .send_ns = (double)of[MODEL_SEND],
                          .receive_ns = (double)of[MODEL_RECEIVE],
                          .user_ns = (double)of[MODEL_USER],
                          .gap_ns = (double)of[MODEL_GAP],
                          .latency_ns = (double)of[MODEL_LATENCY]};
}

static void fill_tam(struct model_values *values, struct model_table *table)
{
  const struct tny_tam tam = tam_of(values);
  const struct tny_experiment experiment = tam_experiment(&tam);
  const uint64_t k = tny_tam_packets(&tam);
  const uint32_t packets = pieces_for(k);
  char group_shuffle[TNY_ALGORITHM_CHOICE_CHARS];
  snprintf(group_shuffle, sizeof group_shuffle, "group-shuffle:%" PRIu32, tam.fan_out);
  const struct {
    struct model_row *row;
    const char *algorithm;
    uint32_t chunks;
  } rows[] = {
      {add_time(table, "shift", "(p-1)(kg + T_w)", "Eq. 3", tny_tam_shift_ns(&tam)), "shift", 1},
      {add_time(table, "pairwise", "(p-1)(kg + T_w), odd p: p", "3.2", tny_tam_pairwise_ns(&tam)),
       "pairwise", 1},
      {add_time(table, "pairwise-xor", "(2^ceil(log2 p) - 1)(kg + T_w)", "3.2",
                tny_tam_pairwise_xor_ns(&tam)),
       "pairwise-xor", 1},
      {add_time(table, "shuffle", "k(p-1)g + T_w", "Eq. 4", tny_tam_shuffle_ns(&tam)), "shuffle",
       packets},
      {add_time(table, "group-shuffle", "kg(p-1) + ceil((p-1)/w)T_w, odd p: p", "Eq. 5",
                tny_tam_group_shuffle_ns(&tam)),
       group_shuffle, packets},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    rows[i].row->trial = on_switch(tam.nodes, TNY_ALLTOALL, rows[i].algorithm, &experiment);
    rows[i].row->trial.chunk_count = rows[i].chunks;
  }
  add_time(table, "at least", "k(p-1)g + T_w", "Eq. 2", tny_tam_least_ns(&tam));
  add_time(table, "one message", "kg + T_w", "Eq. 1", tny_tam_point_to_point_ns(&tam))->trial =
      on_switch(2, TNY_ALLTOALL, "shift", &experiment);
  snprintf(table->verdict, sizeof table->verdict,
           "T_w = O_s + L - g + O_r + U_r = %.1f us, k = %" PRIu64
           ". A node of shuffle sends %.2f MB/s, packets alone allow %.2f.",
           tny_tam_round_ns(&tam) / 1e3, k, 1e3 * tny_tam_bandwidth(&tam, tny_tam_shuffle_ns(&tam)),
           1e3 * tam.packet_bytes / tam.gap_ns);
}

static const struct model_paper tam2000 = {"tam2000", "complete exchange on one switch", tam_fields,
                                           fill_tam};

/* --- jeannot2007 --- */

static const struct model_field jeannot_fields[] = {
    {MODEL_NODES, "n1", "nodes in the one cluster", 20, 1, NODES_MAX},
    {MODEL_OTHERS, "n2", "nodes in the other", 40, 1, NODES_MAX},
    {0},
};

static struct model_trial between_clusters(const struct tny_jeannot *jeannot,
                                           enum model_trial_kind kind, const char *algorithm)
{
  struct model_trial trial = {.kind = kind, .collective = TNY_ALLTOALL};
  snprintf(trial.cluster, sizeof trial.cluster, "zones:%" PRIu32 "+%" PRIu32 ",delay=10ms",
           jeannot->nodes[0], jeannot->nodes[1]);
  snprintf(trial.algorithm, sizeof trial.algorithm, "%s", algorithm);
  return trial;
}

static void fill_jeannot(struct model_values *values, struct model_table *table)
{
  const struct tny_jeannot jeannot = {
      .nodes = {(uint32_t)values->of[MODEL_NODES], (uint32_t)values->of[MODEL_OTHERS]}};
  add(table, "messages across, LG", "2 max(n1, n2)", "4.2",
      (double)tny_jeannot_wide_messages(&jeannot))
      ->trial = between_clusters(&jeannot, MODEL_COUNTED_CROSSINGS, "lg");
  add(table, "messages across, direct", "2 n1 n2", "4.2",
      (double)tny_jeannot_direct_messages(&jeannot))
      ->trial = between_clusters(&jeannot, MODEL_COUNTED_CROSSINGS, "shift");
  add(table, "steps across, LG", "ceil(n2/n1)", "4.1", tny_jeannot_wide_steps(&jeannot))->trial =
      between_clusters(&jeannot, MODEL_COUNTED_CROSSING_PHASES, "lg");
}

static const struct model_paper jeannot2007 = {"jeannot2007", "all-to-all on two clusters",
                                               jeannot_fields, fill_jeannot};

const struct model_paper *const model_papers[] = {&jacunski1999, &hinrichs1994, &axida2009,
                                                  &tam2000,      &jeannot2007,  NULL};
