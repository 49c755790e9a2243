/* The machine of Hinrichs and others 1994: an iWarp of 8 x 8 nodes, and the ways in which the paper
   has its nodes exchange blocks. Units: bytes, ns; "cycles" are the machine's, of 50 ns. */
#ifndef TOURNEY_REPRODUCE_HINRICHS1994_H
#define TOURNEY_REPRODUCE_HINRICHS1994_H

#include "reproduce/shared/entry.h"
#include "reproduce/shared/experiment.h"

#define TNY_HINRICHS_KEY "hinrichs1994"
#define TNY_HINRICHS_NODES 64
#define TNY_HINRICHS_BLOCKS (TNY_HINRICHS_NODES * TNY_HINRICHS_NODES)
#define TNY_HINRICHS_CYCLE_NS 50.0
#define TNY_HINRICHS_PEAK 2560.0 /* MB/s: Eq. 1 */

struct tny_hinrichs_method {
  const char *title, *algorithm;
  enum tny_separation separation; /* by tokens or not at all */
  bool is_eager;                  /* Sends wait for nothing but their order. */
  bool is_synchronizing;          /* There is a synchronizing switch. */
  bool with_barrier;              /* There is a global barrier between phases. */
  uint32_t message_cycles;        /* of the sender's processor, for each message */
  uint32_t phase_cycles;          /* of a synchronizing switch, from phase to phase */
  uint32_t ports;                 /* messages that a node injects, and receives, at once */
  uint32_t channels;              /* of each of the two lanes of a link */
};
extern const struct tny_hinrichs_method tny_hinrichs_local, tny_hinrichs_global,
    tny_hinrichs_messages, tny_hinrichs_in_order, tny_hinrichs_eager, tny_hinrichs_forward,
    tny_hinrichs_stages, tny_hinrichs_tokened, tny_hinrichs_paced;

/* A method, planned on the machine. It may be run many times. */
struct tny_hinrichs_run {
  const struct tny_hinrichs_method *method;
  const struct tny_reproduce_options *options; /* borrowed */
  struct tny_site site;
  struct tny_schedule *schedule;
};
/* `pattern` as in struct tny_plan_wanted. Owns: tny_hinrichs_close, also after a failure. */
enum tny_status tny_hinrichs_open(struct tny_hinrichs_run *run,
                                  const struct tny_hinrichs_method *method,
                                  const struct tny_pattern *pattern,
                                  const struct tny_reproduce_options *options,
                                  struct tny_error *error) TNY_MUST_CHECK;
void tny_hinrichs_close(struct tny_hinrichs_run *run);
/* Simulates it with blocks of so many bytes; or with those of `bytes_of`, as in tny_program_make,
   of which none may be longer. */
enum tny_status tny_hinrichs_time(const struct tny_hinrichs_run *run, uint64_t bytes,
                                  const uint64_t *bytes_of, double *ns,
                                  struct tny_error *error) TNY_MUST_CHECK;

/* Rates, in MB/s, over the size of the blocks. */
enum { TNY_HINRICHS_SIZES_MAX = 12 };
struct tny_hinrichs_curve {
  size_t count;
  double bytes[TNY_HINRICHS_SIZES_MAX], rate[TNY_HINRICHS_SIZES_MAX];
};
/* Finds the rates of all-to-alls of equal blocks. Each node's block to itself counts, as in the
   paper. `bytes` ends with 0. */
enum tny_status tny_hinrichs_sweep(const struct tny_hinrichs_method *method, const uint64_t *bytes,
                                   const struct tny_reproduce_options *options,
                                   struct tny_hinrichs_curve *curve,
                                   struct tny_error *error) TNY_MUST_CHECK;
/* Finds the rate of a pattern of blocks. The phased methods send all blocks, empty ones too; the
   others send only those that have bytes. */
enum tny_status tny_hinrichs_pattern(const struct tny_hinrichs_method *method,
                                     const struct tny_pattern *pattern,
                                     const struct tny_reproduce_options *options, double *rate,
                                     struct tny_error *error) TNY_MUST_CHECK;

/* The entries. */
extern const struct tny_reproduction tny_hinrichs_figure_7, tny_hinrichs_figure_8,
    tny_hinrichs_figure_9a, tny_hinrichs_figure_9b, tny_hinrichs_table_1, tny_hinrichs_fft,
    tny_hinrichs_figure_10, tny_hinrichs_tokens;

#endif
