/* What tells whether a plan that was made before is the plan that would be made now. */
#ifndef TOURNEY_MODEL_FINGERPRINT_H
#define TOURNEY_MODEL_FINGERPRINT_H

#include <tourney/model.h>

/* A number for all that plans follow from beside the call: the cluster's links with their rates,
   latencies and buffers, its routes, the ranks' hosts, and what the model says of them. Names of
   hosts and of the cluster aren't in it. Cost: nodes times hosts. */
uint64_t tny_model_fingerprint(const struct tny_model *model, const struct tny_network *network);

#endif
