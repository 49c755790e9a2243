/* The round-optimal broadcast's circulant graph: who gets which piece when. */
#ifndef TOURNEY_COLLECTIVES_SHARED_CIRCULANT_H
#define TOURNEY_COLLECTIVES_SHARED_CIRCULANT_H

#include <tourney/algorithm.h>

enum { TNY_CIRCULANT_TURNS_MAX = 32 };

/* p places. Their rounds are the turns of periods (which Traeff calls phases): in turn k each sends
   to the place skip[k] ahead and receives from the one skip[k] behind. skip[turns] is p. */
struct tny_circulant {
  uint32_t p;
  uint32_t turns; /* ceil(log2 p) */
  uint32_t skip[TNY_CIRCULANT_TURNS_MAX + 1];
};

struct tny_circulant tny_circulant_make(uint32_t p);

/* The turn in which `place` first has news of place 0: the last of the skips that lead there,
   longer ones first. `turns` for place 0 itself. */
uint32_t tny_circulant_base(const struct tny_circulant *graph, uint32_t place);

/* What a place receives and sends in the turns of a period, `turns` entries each. Place 0 sends
   piece k of the period in turn k; -turns .. -1 are the pieces 0 .. turns-1 of the period before.
   Cost: O(turns^2), and O(turns^3) for sends. */
void tny_circulant_receives(const struct tny_circulant *graph, uint32_t place, int32_t *receives);
void tny_circulant_sends(const struct tny_circulant *graph, uint32_t place, int32_t *sends);

/* A place's schedule. */
struct tny_circulant_rows {
  int32_t receives[TNY_CIRCULANT_TURNS_MAX], sends[TNY_CIRCULANT_TURNS_MAX];
};
/* The broadcast's steps of a rank that keeps to these rows (bcast/circulant.c). What the rows send
   without having it is sent without a wait, and the verifier tells. */
void tny_circulant_emit(const struct tny_problem *problem, uint32_t rank,
                        const struct tny_circulant_rows *rows, struct tny_builder *builder);

#endif
