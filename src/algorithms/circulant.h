/* The round-optimal broadcast's circulant graph: who gets which piece when. */
#ifndef TOURNEY_ALGORITHMS_CIRCULANT_H
#define TOURNEY_ALGORITHMS_CIRCULANT_H

#include <tourney/status.h>

#include <stdint.h>

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

/* Do these broadcast? `receives` has p rows of `turns` entries; what a place sends is what its
   receiver receives. In a period each place but the first must receive, once each, the piece of its
   base and those of the period before but for that one; and it must have what it sends: from an
   earlier turn, or as the piece of its base from the period before. Errors: TNY_BROKEN, with the
   place and the turn. Cost: O(p * turns^2). */
enum tny_status tny_circulant_check(const struct tny_circulant *graph, const int32_t *receives,
                                    struct tny_error *error) TNY_MUST_CHECK;

#endif
