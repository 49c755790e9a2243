/* What the model predicts for the algorithms that a bench saw, to set beside what was measured. */
#ifndef TOURNEY_BENCH_PREDICT_H
#define TOURNEY_BENCH_PREDICT_H

#include "stats.h"

/* Sets predicted_seconds of the complete rows that a plan served and that can be predicted. The
   machine's parameters are those of the profile, a JSON file; without one, the model's own. */
enum tny_status bench_predict(struct bench_result *result, const struct tny_cluster *cluster,
                              const uint32_t *host_of_rank, const char *profile,
                              struct tny_error *error) TNY_MUST_CHECK;

#endif
