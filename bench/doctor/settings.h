/* The MPI's settings. */
#ifndef TOURNEY_PROBE_SETTINGS_H
#define TOURNEY_PROBE_SETTINGS_H

#include "core/text.h"

/* Adds "host NAME mpi.SETTING VALUE" lines, by the MPI's tool interface; after MPI_Init. */
void probe_mpi_add(struct tny_text *text, const char *name);

#endif
