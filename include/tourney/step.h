/* A step: what a rank does at once. What each kind does stands in one place here; everything else
   asks that place, or has a switch over all kinds, without a default. So whoever adds a kind is
   told by the compiler where it must be known. */
#ifndef TOURNEY_STEP_H
#define TOURNEY_STEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tourney/collective.h>

enum tny_step_kind {
  TNY_SEND,
  TNY_RECV,
  TNY_COPY,
  TNY_TOKEN_OUT,
  TNY_TOKEN_IN,
  TNY_REDUCE_LEFT,  /* target = span op target: the span is the left operand */
  TNY_REDUCE_RIGHT, /* target = target op span */
};

/* `count` consecutive blocks from `first`; of each of them `chunks` consecutive pieces from
   `chunk`, of the `chunk_count` that it is cut in (one piece of one: whole). */
struct tny_span {
  enum tny_buffer buffer;
  uint32_t first, count;
  uint32_t chunk, chunk_count;
  uint32_t chunks;
};

struct tny_step {
  enum tny_step_kind kind;
  uint32_t peer;          /* send, recv, tokens: the other rank; else TNY_NONE */
  struct tny_span span;   /* what a recv writes; what all others read; tokens: zero */
  struct tny_span target; /* copy and reduce: what it writes; a reduce reads it as well */
  uint32_t phase;         /* TNY_NONE: none */
  uint32_t after_first, after_count; /* in the rank's `after` array: indices of earlier steps */
};

/* --- what a kind does --- */

enum tny_step_trait {
  TNY_STEP_SENDS = 1,    /* the beginning of a message or token: in the queue of sends */
  TNY_STEP_RECEIVES = 2, /* the end of one: in the queue of receives */
  TNY_STEP_LOCAL = 4,    /* within the rank, without a peer: in the queue of sends */
  TNY_STEP_TOKEN = 8,    /* of no data */
  TNY_STEP_READS = 16,   /* its span */
  TNY_STEP_WRITES = 32,  /* its target where it is local, else its span */
  TNY_STEP_REDUCES = 64, /* what it reads into what is in its target */
};

/* The traits of a kind, together; 0: there is no such kind. */
static inline unsigned tny_step_traits(enum tny_step_kind kind)
{
  switch (kind) {
  case TNY_SEND:
    return TNY_STEP_SENDS | TNY_STEP_READS;
  case TNY_RECV:
    return TNY_STEP_RECEIVES | TNY_STEP_WRITES;
  case TNY_COPY:
    return TNY_STEP_LOCAL | TNY_STEP_READS | TNY_STEP_WRITES;
  case TNY_REDUCE_LEFT:
  case TNY_REDUCE_RIGHT:
    return TNY_STEP_LOCAL | TNY_STEP_READS | TNY_STEP_WRITES | TNY_STEP_REDUCES;
  case TNY_TOKEN_OUT:
    return TNY_STEP_SENDS | TNY_STEP_TOKEN;
  case TNY_TOKEN_IN:
    return TNY_STEP_RECEIVES | TNY_STEP_TOKEN;
  }
  return 0;
}

static inline bool tny_step_is_known(enum tny_step_kind kind)
{
  return tny_step_traits(kind) != 0;
}

/* Does it begin a message or token? */
static inline bool tny_step_sends(enum tny_step_kind kind)
{
  return tny_step_traits(kind) & TNY_STEP_SENDS;
}

/* Does it end one? Then it is in the queue of receives, else in that of sends. */
static inline bool tny_step_receives(enum tny_step_kind kind)
{
  return tny_step_traits(kind) & TNY_STEP_RECEIVES;
}

static inline bool tny_step_is_token(enum tny_step_kind kind)
{
  return tny_step_traits(kind) & TNY_STEP_TOKEN;
}

/* Does it stay within the rank? Then it has no peer, and a target. */
static inline bool tny_step_is_local(enum tny_step_kind kind)
{
  return tny_step_traits(kind) & TNY_STEP_LOCAL;
}

/* Does it combine what it reads with what is in its target? */
static inline bool tny_step_reduces(enum tny_step_kind kind)
{
  return tny_step_traits(kind) & TNY_STEP_REDUCES;
}

/* Does it write what it reads, within the rank? */
static inline bool tny_step_copies(enum tny_step_kind kind)
{
  return tny_step_is_local(kind) && !tny_step_reduces(kind);
}

/* Is it one end of a message with data? */
static inline bool tny_step_is_message(enum tny_step_kind kind)
{
  return !(tny_step_traits(kind) & (TNY_STEP_TOKEN | TNY_STEP_LOCAL));
}

/* Does it begin a message with data? */
static inline bool tny_step_starts_message(enum tny_step_kind kind)
{
  return tny_step_sends(kind) && tny_step_is_message(kind);
}

/* Does it end one? */
static inline bool tny_step_ends_message(enum tny_step_kind kind)
{
  return tny_step_receives(kind) && tny_step_is_message(kind);
}

/* What the step reads, but for the target of a reduce; NULL: nothing. */
static inline const struct tny_span *tny_step_read(const struct tny_step *step)
{
  return tny_step_traits(step->kind) & TNY_STEP_READS ? &step->span : NULL;
}

/* What the step writes; NULL: nothing. */
static inline const struct tny_span *tny_step_written(const struct tny_step *step)
{
  if (!(tny_step_traits(step->kind) & TNY_STEP_WRITES))
    return NULL;
  return tny_step_is_local(step->kind) ? &step->target : &step->span;
}

/* As the text form has them: "send", "recv", "copy", "token-out", "token-in", "reduce-left",
   "reduce-right". */
const char *tny_step_word(enum tny_step_kind kind);
/* "input", "output", "scratch" */
const char *tny_buffer_word(enum tny_buffer buffer);

#endif
