/* What has been measured so far: a text file that tools/performance only appends to, so that a run
   which was interrupted goes on where it was. A line is one of

     machine,TEXT                            where it is measured
     date,TEXT                               when
     NAME,MODE,ATTEMPT,row,LINE              a line of the CSV of `tourney bench`
     NAME,MODE,ATTEMPT,end,SECONDS,PROFILE   the rows above are complete; PROFILE 1: with a profile
     NAME,MODE,ATTEMPT,unable,REASON         it can't be measured

   NAME is a cell's, MODE plain (native and planned, no profile) or peers (also the native
   algorithms), ATTEMPT counts from 1. Units: milliseconds, but for SECONDS. */
#ifndef TOURNEY_PERFORMANCE_JOURNAL_H
#define TOURNEY_PERFORMANCE_JOURNAL_H

#include <tourney/status.h>

#include "bench/performance/cells.h"

enum mode { MODE_PLAIN, MODE_PEERS };
#define MODE_COUNT 2
extern const char *const mode_names[MODE_COUNT];

struct quartiles_ms {
  double median, q1, q3;
};

/* How the last complete attempt came out. */
struct outcome {
  uint32_t attempt; /* 0: there is none */
  bool has_profile;
  char unable[160]; /* why it can't be measured; "": it was */
  double seconds;
  uint32_t samples;                          /* of native and of planned, each */
  struct quartiles_ms native, planned, peer; /* peer: the best of them; a median of 0: none */
  uint32_t peer_samples;
  char algorithm[64], peer_name[64];
  double share;        /* planned's, of the bound */
  double predicted_ms; /* planned's, by the model; 0: it wasn't predicted */
};

struct journal {
  char machine[160], date[40];
  struct outcome (*outcomes)[MODE_COUNT]; /* owned; by cell */
};

/* Reads the outcomes of these cells; what is said of others is left aside. A file that isn't there
   is an empty journal. Owns: journal_release. */
enum tny_status journal_read(const char *path, const struct cell *cells, size_t count,
                             struct journal *journal, struct tny_error *error) TNY_MUST_CHECK;
void journal_release(struct journal *journal);

/* Cells, and what was measured of them. Borrowed. */
struct measured {
  const struct cell *cells;
  size_t count;
  const struct journal *journal;
};

#endif
