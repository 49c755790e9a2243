/* The round-optimal broadcast's circulant graph: who gets which piece when. */
#ifndef TOURNEY_COLLECTIVES_SHARED_CIRCULANT_H
#define TOURNEY_COLLECTIVES_SHARED_CIRCULANT_H

#include <tourney/algorithm.h>

enum { TNY_CIRCULANT_TURNS_MAX = 32 };

/* A graph of p vertices. Rounds are counted in periods (which Traeff calls phases) of `turns`
   rounds, the turns of the period. In turn k each vertex sends to the vertex skip[k] after it,
   modulo p, and receives from the vertex skip[k] before it. skip[turns] is p. */
struct tny_circulant {
  uint32_t p;
  uint32_t turns; /* ceil(log2 p) */
  uint32_t skip[TNY_CIRCULANT_TURNS_MAX + 1];
};

struct tny_circulant tny_circulant_make(uint32_t p);

/* The turn in which a piece that is new at vertex 0 first reaches `vertex`: the last of the skips
   that lead there, longer ones first. `turns` for vertex 0 itself. */
uint32_t tny_circulant_base(const struct tny_circulant *graph, uint32_t vertex);

/* The pieces that a vertex receives and sends in the turns of a period, `turns` entries each.
   Vertex 0 sends piece k of the period in turn k; -turns .. -1 are the pieces 0 .. turns-1 of the
   period before.
   Cost: O(turns^2), and O(turns^3) for sends. */
void tny_circulant_receives(const struct tny_circulant *graph, uint32_t vertex, int32_t *receives);
void tny_circulant_sends(const struct tny_circulant *graph, uint32_t vertex, int32_t *sends);

/* --- a message of several pieces --- */

/* How many rounds it takes to bring each piece to all vertices. The last period is whole; so the
   first may lack some turns, in which there would be nothing to send. */
uint32_t tny_circulant_rounds(const struct tny_circulant *graph, uint32_t pieces);
/* The turn of one of these rounds. */
uint32_t tny_circulant_turn(const struct tny_circulant *graph, uint32_t pieces, uint32_t round);
/* The piece that a vertex's receives or sends name in the turn of a round; TNY_NONE: there is none
   yet. */
uint32_t tny_circulant_piece(int32_t scheduled, uint32_t pieces, uint32_t round, uint32_t turn);
/* A vertex that receives these sends a piece in a turn: how many rounds before has it come?
   TNY_NONE: it hasn't. Vertex 0 has all pieces from the start. */
uint32_t tny_circulant_age(const struct tny_circulant *graph, const int32_t *receives, int32_t sent,
                           uint32_t turn);

/* A vertex's schedule. */
struct tny_circulant_rows {
  int32_t receives[TNY_CIRCULANT_TURNS_MAX], sends[TNY_CIRCULANT_TURNS_MAX];
};
/* Emits the broadcast's steps of a rank that follows these rows (bcast/circulant.c). A piece that
   the rows send before they receive it is sent without a wait, and the verifier finds that. */
void tny_circulant_emit(const struct tny_problem *problem, uint32_t rank,
                        const struct tny_circulant_rows *rows, struct tny_builder *builder);

#endif
