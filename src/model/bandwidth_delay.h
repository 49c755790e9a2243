/* The bandwidth-delay product, in bytes, and the shortest chunks. */
#ifndef TOURNEY_MODEL_BANDWIDTH_DELAY_H
#define TOURNEY_MODEL_BANDWIDTH_DELAY_H

#include <tourney/model.h>

/* No chunk is cut shorter than half of this, in bytes: below that, headers cost more than
   chunks too long for a buffer do. */
enum { TNY_CHUNK_BYTES_MIN = 1024, TNY_CHUNK_BYTES_LEAST = TNY_CHUNK_BYTES_MIN / 2 };

/* The bytes that the slowest link could carry in the time of a step (tny_model.step_ns). */
uint64_t tny_model_bandwidth_delay_bytes(const struct tny_model *model);
/* The shortest of so many messages at once that overfill a port's buffer. */
uint64_t tny_model_overfilling_bytes(uint64_t buffer_bytes, uint64_t messages);

/* The chunk budget as the algorithm's promise gives it, where it holds for this cluster; 0: the
   messages must be counted (pace.c). */
uint64_t tny_model_promised_budget(const struct tny_algorithm *algorithm,
                                   const struct tny_problem *problem,
                                   const struct tny_network *network);

#endif
