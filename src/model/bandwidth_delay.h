/* The bandwidth-delay product, in bytes, and the shortest chunks. */
#ifndef TOURNEY_MODEL_BANDWIDTH_DELAY_H
#define TOURNEY_MODEL_BANDWIDTH_DELAY_H

#include <tourney/model.h>

/* No chunk is cut shorter than half of this, in bytes: below that, headers cost more than
   chunks too long for a buffer do. */
enum { TNY_CHUNK_BYTES_MIN = 1024, TNY_CHUNK_BYTES_LEAST = TNY_CHUNK_BYTES_MIN / 2 };

/* Links of at most this rate are slow: a message's bytes cost more than its software. */
enum { TNY_SLOW_BPS = 100000000 };

/* The bytes that the slowest link could carry in the time of a step (tny_model.step_ns). */
uint64_t tny_model_bandwidth_delay_bytes(const struct tny_model *model);

#endif
