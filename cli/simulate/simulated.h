/* `tourney simulate`: what its files share. options.c reads what is wanted, run.c makes the program
   and the models and runs them, the others say what came out. The simulator itself is the library's
   (<tourney/simulate.h>). Units: cycles, unless a name says otherwise. */
#ifndef TOURNEY_CLI_SIMULATE_H
#define TOURNEY_CLI_SIMULATE_H

#include <tourney/simulate.h>

#include "cli/shared/planning/plan.h"
#include "cli/shared/schedule_file.h"

/* What keeps phases apart. */
enum simulate_separation {
  SIMULATE_NONE,
  SIMULATE_BARRIER, /* the hosts wait for each other */
  SIMULATE_TOKENS,  /* in the schedule */
  SIMULATE_SWITCH,  /* the synchronizing switch */
};

struct simulate_options {
  struct plan_request plan; /* what is to be planned; its cluster, routing and map for files too */
  const char *file;         /* simulated instead of a plan; NULL: none */
  const char *timeline, *heatmap; /* NULL: not wanted */
  enum simulate_separation separation;
  struct tny_network_model network; /* without routes; depth 0: not given */
  struct tny_host_model hosts;      /* without hosts */
  uint32_t flits;                   /* of a block; 0: not given */
  uint32_t seed;
  bool bytes_given, packet_given, all_links, csv, json, help;
};

extern const char simulate_help[];
/* Reads the command line. Errors: TNY_BAD_INPUT. */
enum tny_status simulate_options_read(int argc, char **argv, struct simulate_options *options,
                                      struct tny_error *error) TNY_MUST_CHECK;
/* As on the command line. */
const char *simulate_switching_name(enum tny_switching switching);
const char *simulate_allocator_name(enum tny_allocator allocator);
const char *simulate_separation_name(enum simulate_separation separation);

/* What ran, and what came out. */
struct simulated {
  const struct simulate_options *options;
  struct plan plan;                    /* of a file, only its mapping; owned */
  struct schedule_file file;           /* owned */
  const struct tny_schedule *schedule; /* that ran; NULL: it was a GOAL file; borrowed */
  struct tny_network_model network;
  struct tny_host_model hosts;
  struct tny_program *program;       /* owned */
  struct tny_simulation *simulation; /* owned */
  char *deadlock; /* the cycle of a deadlock, a line for each that waits; owned; NULL: none */
  bool has_bound;
  struct tny_bound bound;
};

/* Owns: simulate_release, also after a failure. */
enum tny_status simulate_run(struct simulated *simulated, struct progress *progress,
                             struct tny_error *error) TNY_MUST_CHECK;
void simulate_release(struct simulated *simulated);

/* --- figures of what came out --- */

double simulate_us(const struct simulated *simulated, double cycles);
/* The bound in cycles. */
double simulate_bound_cycles(const struct simulated *simulated);
/* How long phases took, in cycles. */
struct simulate_phases {
  uint32_t count; /* of those with messages */
  uint64_t shortest, median, longest;
};
enum tny_status simulate_phases(const struct simulated *simulated, struct simulate_phases *phases,
                                struct tny_error *error) TNY_MUST_CHECK;
/* The cycles for which a link takes a flit: 1 on the fastest. */
double simulate_flit_cycles(const struct simulated *simulated, uint32_t link);
/* The share of the time for which the link was busy, in percent. */
double simulate_use_percent(const struct simulated *simulated, uint32_t link);
/* All links, the fullest first. Owns: *links by tny_free. */
enum tny_status simulate_fullest(const struct simulated *simulated, uint32_t **links,
                                 struct tny_error *error) TNY_MUST_CHECK;
/* Adds what ran: "alltoall phases", or the file's name. */
void simulate_title(const struct simulated *simulated, struct tny_text *text);

/* What is to be printed. Owns: *shown by tny_text_free. */
enum tny_status simulate_write_text(const struct simulated *simulated, char **shown,
                                    struct tny_error *error) TNY_MUST_CHECK;
enum tny_status simulate_write_csv(const struct simulated *simulated, char **shown,
                                   struct tny_error *error) TNY_MUST_CHECK;
enum tny_status simulate_write_json(const struct simulated *simulated, char **shown,
                                    struct tny_error *error) TNY_MUST_CHECK;
/* A deadlock's cycle, as text and as JSON. */
enum tny_status simulate_write_deadlock(const struct simulated *simulated, char **shown,
                                        struct tny_error *error) TNY_MUST_CHECK;
enum tny_status simulate_write_deadlock_json(const struct simulated *simulated, char **shown,
                                             struct tny_error *error) TNY_MUST_CHECK;
/* SVG: ranks over time, and links over time. Owns: *drawn by tny_text_free. */
enum tny_status simulate_draw_timeline(const struct simulated *simulated, char **drawn,
                                       struct tny_error *error) TNY_MUST_CHECK;
enum tny_status simulate_draw_heatmap(const struct simulated *simulated, char **drawn,
                                      struct tny_error *error) TNY_MUST_CHECK;

#endif
