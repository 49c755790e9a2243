/* A short planned all-to-all and a short native one. */
#ifndef TOURNEY_PROBE_EXCHANGE_H
#define TOURNEY_PROBE_EXCHANGE_H

#include "job.h"

/* Makes this program's own collectives native, where the runtime is loaded. */
void probe_stay_native(void);
/* Runs both, and counts what is lost meanwhile. All ranks call it. */
void probe_measure_exchange(const struct probe_job *job, uint64_t block_bytes);

#endif
