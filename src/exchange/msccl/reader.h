/* What the files that read MSCCL's XML share. */
#ifndef TOURNEY_EXCHANGE_MSCCL_READER_H
#define TOURNEY_EXCHANGE_MSCCL_READER_H

#include <expat.h>

#include "exchange/foreign/foreign.h"

struct tny_msccl_step {
  unsigned line;
  uint32_t first, last; /* its operations */
  int32_t depid, deps;  /* -1: none */
  bool hasdep, is_nop;
};

struct tny_msccl_block {
  unsigned line;
  uint32_t id;
  int32_t send, recv, channel;
  uint32_t first_step, step_count;
  bool sends, receives;
};

/* The element that is being read. */
enum tny_msccl_level { TNY_IN_FILE, TNY_IN_ALGO, TNY_IN_GPU, TNY_IN_BLOCK, TNY_IN_STEP };

struct tny_msccl {
  XML_Parser parser;
  struct tny_foreign *foreign;
  enum tny_msccl_level level;
  bool has_algo;
  bool *seen;                   /* by rank */
  uint32_t ranks_max;           /* that the text has room for */
  uint32_t rank;                /* that is being read */
  uint32_t declared[3];         /* chunks of its buffers, as the gpu says */
  struct tny_msccl_step *steps; /* of this rank, threadblock by threadblock */
  struct tny_msccl_block *blocks;
  uint32_t step_count, step_room, block_count, block_room;
  const char **attributes; /* of the element that is being read */
  const char *element;
  enum tny_status status;
  struct tny_error *error;
};

/* Records the first failure, with the line that is being read, and stops reading. */
void tny_msccl_fail(struct tny_msccl *reader, enum tny_status status, const char *format, ...)
    TNY_PRINTF(3, 4);
/* Stops reading where `status` isn't TNY_OK; the error is recorded already. */
void tny_msccl_note(struct tny_msccl *reader, enum tny_status status);

/* The value of an attribute that the element must have. */
const char *tny_msccl_attribute(struct tny_msccl *reader, const char *name);
/* Fails where the element has an attribute that isn't one of `names`, of which the last is NULL. */
void tny_msccl_check_attributes(struct tny_msccl *reader, const char *const *names);
/* An attribute that is a number; `least` after a failure. */
int32_t tny_msccl_number(struct tny_msccl *reader, const char *name, int32_t least, int32_t most);
/* The same, refused where it is above the limit of MSCCL's executors. */
int32_t tny_msccl_limited(struct tny_msccl *reader, const char *name, int32_t least, int32_t limit);

#endif
