/* The network against its cluster file. */
#ifndef TOURNEY_PROBE_NETWORK_H
#define TOURNEY_PROBE_NETWORK_H

#include "job.h"

/* Measures what the cluster of TOURNEY_CLUSTER says; rank 0 prints it. All ranks call it. */
void probe_measure_network(const struct probe_job *job);

#endif
