/* Plans in files, made ahead of time: one file a plan, with all ranks' parts. */
#ifndef TOURNEY_PLAN_STORED_H
#define TOURNEY_PLAN_STORED_H

#include "plan/parts.h"

/* Which plan it is. */
struct tny_stored_key {
  struct tny_algorithm_choice choice;
  uint32_t rank_count, root;
  uint64_t step_bytes;  /* the blocks' size that it is planned for (tny_model_size_step) */
  uint64_t fingerprint; /* of what it follows from beside (tny_model_fingerprint) */
};

/* The name of its file, without a folder. Plans that differ in the fingerprint alone have names
   that begin with the same `common` characters. */
#define TNY_STORED_NAME_CHARS 256
struct tny_stored_name {
  char text[TNY_STORED_NAME_CHARS];
  size_t common;
};
struct tny_stored_name tny_stored_name(const struct tny_stored_key *key);
/* The file's bytes; a failure shows in `into`. */
void tny_stored_write(const struct tny_stored_key *key, const struct tny_parts *parts,
                      struct tny_bytes *into);
/* Reads it. Nothing that the bytes say is trusted; what the parts say is for tny_part_steps to look
   at. Owns: tny_parts_release, also after a failure. Errors: TNY_BAD_INPUT where the bytes aren't
   what tny_stored_write makes, or are of another plan; the text says which. */
enum tny_status tny_stored_read(const struct tny_stored_key *key, const uint8_t *bytes,
                                size_t count, struct tny_parts *parts,
                                struct tny_error *error) TNY_MUST_CHECK;

#endif
