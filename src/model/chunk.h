/* How long chunks should be, and how many of them in flight. */
#ifndef TOURNEY_MODEL_CHUNK_H
#define TOURNEY_MODEL_CHUNK_H

#include <tourney/model.h>

/* A block that is to be cut. */
struct tny_stream {
  uint64_t block_bytes;
  uint32_t hops;  /* of a pipeline, after the first; 0: rank after rank gets a whole block */
  uint32_t peers; /* to which chunks go in turn, each with a window of its own */
  enum tny_pacing pacing;
  uint64_t budget_bytes; /* that may be in flight */
  uint64_t chunk_bytes_max;
  /* A window of more bytes has what is in flight over links limited, by tokens; UINT64_MAX: none
     has. */
  uint64_t free_bytes;
};

/* The length of the chunks by which the stream takes least, in whole frames, from
   TNY_CHUNK_BYTES_MIN to the whole block, or to chunk_bytes_max; of several that take about as
   long, a short one, in pipelines a long one. */
uint64_t tny_chunk_bytes(const struct tny_model *model, const struct tny_stream *stream);
/* How many chunks must be in flight to keep a link busy; at least 1, and as few as the budget has
   room for. */
uint64_t tny_chunk_window(const struct tny_model *model, const struct tny_stream *stream,
                          uint64_t chunk_bytes);

#endif
