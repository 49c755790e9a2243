/* What `tourney tune` was asked for. */
#ifndef TOURNEY_TUNE_OPTIONS_H
#define TOURNEY_TUNE_OPTIONS_H

#include "cli/shared/launch/which_mpi.h"
#include "cli/shared/rows.h"
#include "export.h"

struct tune_options {
  const char *cluster, *output, *launcher, *lab; /* as given; NULL: not */
  const char *profile, *base;                    /* to export from, as given */
  enum tune_export export;
  enum tny_map map;
  enum launch_mpi mpi;
  bool map_given, mpi_given, fresh, help;
  bool natives;        /* the MPI's own algorithms too */
  uint32_t candidates; /* planned algorithms a row, beside native */
  uint32_t ranks;      /* 0: a rank a host */
  uint32_t max_minutes;
  struct cli_rows rows; /* without sizes: chosen */
};

/* Reads the command line. Errors: TNY_BAD_INPUT, the text says which. */
enum tny_status tune_options_read(int argc, char **argv, struct tune_options *options,
                                  struct tny_error *error) TNY_MUST_CHECK;

#endif
