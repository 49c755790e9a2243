/* What latency costs, as bytes. */
#ifndef TOURNEY_MODEL_BANDWIDTH_DELAY_H
#define TOURNEY_MODEL_BANDWIDTH_DELAY_H

#include <tourney/model.h>

/* No chunk is cut shorter than half of this, in bytes: below it headers cost more than a full
   buffer does. */
enum { TNY_CHUNK_BYTES_MIN = 1024, TNY_CHUNK_BYTES_LEAST = TNY_CHUNK_BYTES_MIN / 2 };

/* What the slowest link could carry while a message is on its way. */
uint64_t tny_model_bandwidth_delay_bytes(const struct tny_model *model);

#endif
