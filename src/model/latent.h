/* What latency costs, as bytes. */
#ifndef TOURNEY_MODEL_LATENT_H
#define TOURNEY_MODEL_LATENT_H

#include <tourney/model.h>

/* What the slowest link could carry while a message is on its way. */
uint64_t tny_model_latent_bytes(const struct tny_model *model);

#endif
