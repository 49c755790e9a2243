/* The machine's parameters, made of what the ranks measured. Units: ns, bytes, bit/s. */
#ifndef TOURNEY_TUNE_MACHINE_H
#define TOURNEY_TUNE_MACHINE_H

#include <tourney/cluster.h>
#include <tourney/machine.h>

enum { TUNE_RAWS_MAX = 64 };

/* A line of the ranks, as bench/tune_machine.c says. */
struct tune_raw {
  char what[24];
  uint64_t bytes, number;
};
/* All zero is none yet. */
struct tune_raws {
  uint32_t count;
  struct tune_raw list[TUNE_RAWS_MAX];
};

/* Reads what follows "raw " of a line. False where it can't be understood. */
bool tune_raws_add(struct tune_raws *raws, const char *line);
/* Have all come? */
bool tune_raws_are_complete(const struct tune_raws *raws);
/* The parameters. The way between the two ranks that were measured is taken away from the latency.
   What couldn't be measured is as tny_machine_default has it. */
struct tny_machine tune_machine_make(const struct tune_raws *raws,
                                     const struct tny_network *network);

#endif
