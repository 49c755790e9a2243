/* All ranks' parts of a plan, packed: what one rank makes and hands out to the others, and what a
   store keeps. A part is the rank's own steps. Where links are limited, these are finished; else
   they are as the algorithm emits them, which is a fraction of the bytes, and who gets them cuts
   and paces them. */
#ifndef TOURNEY_PLAN_PARTS_H
#define TOURNEY_PLAN_PARTS_H

#include "core/bytes.h"
#include "plan/stages.h"

enum tny_parts_form {
  TNY_PARTS_NONE,     /* every rank makes its own steps, for this pace */
  TNY_PARTS_EMITTED,  /* to be cut and paced */
  TNY_PARTS_FINISHED, /* to be run as they are */
};

/* What all parts of a plan have in common. No pointers: it is sent as it lies in memory. */
struct tny_parts_head {
  enum tny_parts_form form;
  uint32_t segment_count; /* the plan is run so many times (tny_model_segments) */
  struct tny_pace pace;
  struct tny_stages stages; /* of finished parts: pieces and scratch blocks as they are */
  /* Tells this plan from any other one of the same ranks: a hash of the head and all parts. */
  int64_t id; /* positive */
};

/* A head's numbers but for the id, in the order in which they are kept. */
enum { TNY_PARTS_HEAD_NUMBERS = 11 };
void tny_parts_head_numbers(const struct tny_parts_head *head,
                            uint64_t numbers[TNY_PARTS_HEAD_NUMBERS]);

struct tny_parts {
  struct tny_parts_head head;
  uint32_t rank_count;
  uint64_t *first;        /* rank_count + 1: where each rank's part begins */
  struct tny_bytes bytes; /* one part after the other */
};

/* What is to be made. The problem is a prepared one; borrowed. */
struct tny_parts_wanted {
  struct tny_algorithm_choice choice;
  const struct tny_problem *problem;
  struct tny_pace pace;
  uint32_t segment_count;
  bool with_parts; /* also where every rank could make its own */
};
/* Makes all parts. Owns: tny_parts_release, also after a failure. Cost: that of all ranks' steps;
   memory: where links are limited, all ranks' steps, else one rank's and the packed parts. */
enum tny_status tny_parts_make(const struct tny_parts_wanted *wanted, struct tny_parts *parts,
                               struct tny_error *error) TNY_MUST_CHECK;
void tny_parts_release(struct tny_parts *parts);
/* The id that the parts should have. */
int64_t tny_parts_id(const struct tny_parts *parts);

/* A part, as a rank has it. Borrowed. */
struct tny_part_view {
  const struct tny_parts_head *head;
  enum tny_collective collective;
  uint32_t rank_count, root, rank;
  const uint8_t *bytes;
  size_t count;
};
/* The rank's steps, as they run. Trusts nothing: what would read or write beyond the rank's
   buffers, or send to no rank, is an error. Owns: *steps is the caller's (tny_steps_release).
   Errors: TNY_BAD_INPUT, TNY_BROKEN. */
enum tny_status tny_part_steps(const struct tny_part_view *part, struct tny_steps *steps,
                               struct tny_error *error) TNY_MUST_CHECK;
/* All ranks' steps of an algorithm's plan, made of their parts, to be proved. Owns: *schedule is
   the caller's (tny_schedule_free). */
enum tny_status tny_parts_schedule(const struct tny_parts *parts,
                                   const struct tny_algorithm *algorithm, uint32_t root,
                                   struct tny_schedule **schedule,
                                   struct tny_error *error) TNY_MUST_CHECK;

#endif
