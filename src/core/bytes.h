/* Bytes that grow as numbers are appended, and numbers read from bytes: what is handed from rank to
   rank or kept in files that no person reads. Short numbers take few bytes (LEB128). A failure on
   either side stays, so that it is enough to ask once, at the end. */
#ifndef TOURNEY_CORE_BYTES_H
#define TOURNEY_CORE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All zero is empty. Owns: `bytes`, tny_bytes_release. */
struct tny_bytes {
  uint8_t *bytes;
  size_t length, room;
  bool failed; /* no memory */
};

void tny_bytes_add(struct tny_bytes *into, const void *bytes, size_t count);
/* One byte for numbers below 128, five at most for those below 2^32. */
void tny_bytes_add_number(struct tny_bytes *into, uint64_t number);
/* Always 8 bytes, the lowest first. */
void tny_bytes_add_fixed(struct tny_bytes *into, uint64_t number);
void tny_bytes_release(struct tny_bytes *bytes);

/* Bytes that are read, borrowed. What is read after a failure is zero. */
struct tny_byte_reader {
  const uint8_t *at, *end;
  bool failed; /* there are too few bytes, or what they say can't be */
};

uint8_t tny_read_byte(struct tny_byte_reader *reader);
/* Fails where the number is greater than `most`. */
uint64_t tny_read_number(struct tny_byte_reader *reader, uint64_t most);
uint64_t tny_read_fixed(struct tny_byte_reader *reader);
/* So many bytes, borrowed from what is read; NULL after a failure. */
const uint8_t *tny_read_bytes(struct tny_byte_reader *reader, size_t count);

/* FNV-1a of 64 bits, continued from `hash`; it begins with TNY_HASH_START. Any one changed byte
   changes it. */
#define TNY_HASH_START UINT64_C(14695981039346656037)
uint64_t tny_hash_bytes(uint64_t hash, const void *bytes, size_t count);
uint64_t tny_hash_number(uint64_t hash, uint64_t number);

#endif
