/* The formulas of papers, as they print them: what their authors expect of their algorithms; in the
   first five papers from a few numbers of a machine. Pure functions, no errors: what the fields say
   of their values is the caller's to keep. Keys such as jacunski1999 are those of docs/papers.bib.

   Units: ns and bytes; rates are bytes a ns, which are GB/s; byte_ns is what a byte takes on a
   link, so a link of 1 Gbit/s has 8. Where a paper counts in cycles, words or packets, the field
   says so. */
#ifndef TOURNEY_PAPERS_H
#define TOURNEY_PAPERS_H

#include <stdbool.h>
#include <stdint.h>

/* --- jacunski1999: all-gather on one switch, by LogP (3.2) --- */

struct tny_jacunski {
  uint32_t nodes;     /* P, at least 2 */
  double latency_ns;  /* L: of a message with one node's block */
  double overhead_ns; /* o: of sending a message, and of receiving one */
};
/* Table 1's: L >= 2o; o <= L < 2o; L < o. */
enum tny_jacunski_case { TNY_JACUNSKI_CASE_1, TNY_JACUNSKI_CASE_2, TNY_JACUNSKI_CASE_3 };
enum tny_jacunski_case tny_jacunski_case(const struct tny_jacunski *jacunski);
/* g, the least time from one send to the next, and g_s, where sends and receives alternate. */
double tny_jacunski_gap_ns(const struct tny_jacunski *jacunski);
double tny_jacunski_steady_gap_ns(const struct tny_jacunski *jacunski);
/* The logical ring, simultaneous broadcasts (t_SB) and combining (t_combine). */
double tny_jacunski_ring_ns(const struct tny_jacunski *jacunski);
double tny_jacunski_broadcasts_ns(const struct tny_jacunski *jacunski);
double tny_jacunski_combining_ns(const struct tny_jacunski *jacunski);
/* Table 1: are simultaneous broadcasts faster than combining? */
bool tny_jacunski_broadcasts_win(const struct tny_jacunski *jacunski);
/* Table 1's condition: they are where L/o is greater than this, within the case that L and o are
   in. INFINITY: nowhere, which is so for 2 nodes; -INFINITY: everywhere. */
double tny_jacunski_threshold(const struct tny_jacunski *jacunski);
/* The bounds: start-ups that any algorithm needs, and the time on a node's link. */
uint32_t tny_jacunski_startups_min(const struct tny_jacunski *jacunski);
double tny_jacunski_link_ns(const struct tny_jacunski *jacunski);

/* --- hinrichs1994: all-to-all in phases on a ring or torus (2 and 2.1), nodes with a message for
   themselves among them --- */

struct tny_hinrichs {
  uint32_t side;       /* n: nodes in each dimension, a multiple of 8 (of 4: unidirectional) */
  uint32_t dimensions; /* d: 1 or 2 */
  bool is_unidirectional;
  double startup_ns;  /* T_s, of a phase */
  double byte_ns;     /* T_t / (4 S) */
  double block_bytes; /* 4 B */
};
/* Eq. 2: the least number of phases, which the algorithm has. */
double tny_hinrichs_phases(const struct tny_hinrichs *hinrichs);
/* The time of all phases, n^3/8 (T_s + T_t B) on a torus; and without start-ups, Eq. 1's. */
double tny_hinrichs_ns(const struct tny_hinrichs *hinrichs);
double tny_hinrichs_least_ns(const struct tny_hinrichs *hinrichs);
/* What all nodes together send in that time: Eq. 3, and Eq. 1, the peak. */
double tny_hinrichs_phased_rate(const struct tny_hinrichs *hinrichs);
double tny_hinrichs_peak_rate(const struct tny_hinrichs *hinrichs);
/* The start-up of a phase that follows from a measured time; startup_ns isn't read. */
double tny_hinrichs_startup_ns(const struct tny_hinrichs *hinrichs, double measured_ns);
/* 4.4: an application that spends a share of its time in all-to-alls: how long it takes when they
   take another time. */
struct tny_hinrichs_frame {
  double alltoall_share, alltoall_ns; /* as measured: of a frame's time, and the time */
  double other_alltoall_ns;
};
double tny_hinrichs_frame_ns(const struct tny_hinrichs_frame *frame);
double tny_hinrichs_other_frame_ns(const struct tny_hinrichs_frame *frame);

/* --- axida2009: broadcasts (Table 1) and all-gather (4.2), one port, full duplex --- */

struct tny_axida {
  uint32_t nodes;    /* P, at least 2 */
  double startup_ns; /* s */
  double byte_ns;    /* 1/b */
  double bytes;      /* D: the whole message; of an all-gather, all nodes' parts together */
};
double tny_axida_linear_ns(const struct tny_axida *axida);
double tny_axida_pipelined_linear_ns(const struct tny_axida *axida);
double tny_axida_binomial_ns(const struct tny_axida *axida);
double tny_axida_van_de_geijn_ns(const struct tny_axida *axida);
/* The pipelined round-robin broadcast. */
double tny_axida_round_robin_ns(const struct tny_axida *axida);
/* 5.3 and Table 2: what its D/b is multiplied by; 1 for even numbers of nodes, and for 2 nodes. */
double tny_axida_idle_factor(uint32_t nodes);
/* Global data exchange. */
double tny_axida_exchange_ns(const struct tny_axida *axida);

/* --- tam2000: complete exchange on one switch (2 and 3) --- */

struct tny_tam {
  uint32_t nodes;       /* p, at least 2 */
  uint32_t fan_out;     /* omega, of group shuffle, at least 1 */
  uint64_t block_bytes; /* M: from each node for each other one; k packets, the last may be short */
  uint32_t packet_bytes;
  double send_ns, receive_ns, user_ns; /* O_s, O_r, U_r: of a packet */
  double gap_ns;                       /* g, between packets */
  double latency_ns;                   /* L, of a packet */
};
/* The paper's cluster (Table 1): 16 nodes, its fan-out, full packets; one packet a block. */
extern const struct tny_tam tny_tam_cluster;
/* Its L for so many nodes; on its two switches, the input-buffered and the shared-buffered one. */
double tny_tam_latency_ns(uint32_t nodes, bool is_shared_buffered);
uint64_t tny_tam_packets(const struct tny_tam *tam);
/* T_w: what each round costs beside its packets. */
double tny_tam_round_ns(const struct tny_tam *tam);
double tny_tam_point_to_point_ns(const struct tny_tam *tam); /* Eq. 1 */
double tny_tam_least_ns(const struct tny_tam *tam);          /* Eq. 2 */
double tny_tam_shift_ns(const struct tny_tam *tam);          /* Eq. 3 */
double tny_tam_pairwise_ns(const struct tny_tam *tam);       /* 3.2, with edge colouring */
double tny_tam_pairwise_xor_ns(const struct tny_tam *tam);   /* 3.2, with exclusive or */
double tny_tam_shuffle_ns(const struct tny_tam *tam);        /* Eq. 4 */
double tny_tam_group_shuffle_ns(const struct tny_tam *tam);  /* Eq. 5 */
/* 4.1's achieved bandwidth: what a node sends in that time. */
double tny_tam_bandwidth(const struct tny_tam *tam, double ns);

/* --- jeannot2007: messages of an all-to-all on two clusters (4) --- */

struct tny_jeannot {
  uint32_t nodes[2]; /* n1 and n2, in either order, at least 1 */
};
/* Over the backbone, both ways together: of LG, and where each pair exchanges its own. */
uint64_t tny_jeannot_wide_messages(const struct tny_jeannot *jeannot);
uint64_t tny_jeannot_direct_messages(const struct tny_jeannot *jeannot);
/* Steps of LG's second phase, in which both ways are used at once. */
uint32_t tny_jeannot_wide_steps(const struct tny_jeannot *jeannot);

/* --- desensi2024 and desensi2025: Swing and Bine --- */

/* delta(s), between partners in step s (0 to 61), round a ring of 2^k ranks: 1, 1, 3, 5, 11, .. */
uint64_t tny_desensi_distance(uint32_t step);

/* --- traeff2024 and traeff2024b: circulant graphs --- */

/* n - 1 + ceil(log2 p) for n blocks, at least 1; 0 for a single node. A reduction needs as many, an
   all-reduction by both twice that. */
uint64_t tny_traeff_rounds(uint32_t nodes, uint32_t blocks);

/* --- juerss2026b: Trivance --- */

/* log3 n along a ring of n nodes, rounded up. */
uint32_t tny_juerss_steps(uint32_t side);

#endif
