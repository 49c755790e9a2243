/* What the entries for Tam and Wang share: their cluster of 16 PCs on a Fast Ethernet switch, by
   the paper's own measures of it (section 4, table 1). Units: ns, bytes, MB/s = bytes / us. */
#ifndef TOURNEY_REPRODUCE_TAM2000_H
#define TOURNEY_REPRODUCE_TAM2000_H

#include "reproduce/shared/entry.h"
#include "reproduce/shared/experiment.h"
#include "reproduce/shared/host_noise.h"

enum { TNY_TAM_NODES = 16, TNY_TAM_PACKET_BYTES = 1492, TNY_TAM_FAN_OUT = 5 };
#define TNY_TAM_GAP_NS 123e3                /* g = max(g_s, g_r) */
#define TNY_TAM_SEND_NS 12.5e3              /* O_s */
#define TNY_TAM_RECV_NS (20e3 + 7e3)        /* O_r + U_r */
#define TNY_TAM_WIRE_RATE (100e6 / 8 / 1e6) /* MB/s: 100 Mbit/s */

/* One of the two switches. */
struct tny_tam_switch {
  const char *title;
  double node_latency_ns, latency_ns; /* L = the first * p + the second */
  bool is_shared;                     /* store-and-forward, shared buffer; else virtual cut-through,
                                         input buffers */
  uint32_t wire_cycles; /* of each of the two cables that a packet crosses, so that L is right */
};
extern const struct tny_tam_switch tny_tam_326, tny_tam_416;

struct tny_tam_method {
  const char *title, *algorithm;
  uint32_t fan_out; /* partners in a round; 0: there is one round */
};
extern const struct tny_tam_method tny_tam_shift, tny_tam_pairwise, tny_tam_group, tny_tam_shuffle;

struct tny_tam_run {
  const struct tny_tam_switch *at;
  const struct tny_tam_method *method;
  uint32_t packets;                   /* of a block: the paper's k */
  const struct tny_host_noise *noise; /* NULL: there is none */
  const struct tny_simulate_watch *watch;
};
/* Simulates it. */
enum tny_status tny_tam_time(const struct tny_tam_run *run, double *ns,
                             struct tny_error *error) TNY_MUST_CHECK;
/* Returns the time by equations 3 to 5; where method is NULL, the optimum by equation 2. */
double tny_tam_formula(const struct tny_tam_run *run);
/* Returns the rate, in MB/s, at which a node sends so many packets to each other in that time. */
double tny_tam_rate(uint32_t packets, double ns);

/* The entries. */
extern const struct tny_reproduction tny_tam_figure_2, tny_tam_figure_3, tny_tam_section_4_3;

#endif
