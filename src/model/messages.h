/* The messages that an algorithm has its ranks send, with their bytes on the wire. */
#ifndef TOURNEY_MODEL_MESSAGES_H
#define TOURNEY_MODEL_MESSAGES_H

#include <tourney/model.h>

/* What is predicted, and how it is cut. */
struct tny_subject {
  const struct tny_algorithm *algorithm;
  const struct tny_problem *problem; /* prepared, with a network */
  uint64_t block_bytes;              /* of a pattern's longest block; others are in proportion */
  uint64_t pattern_longest;          /* in the pattern's own bytes; 0: there is none */
  struct tny_pace pace;              /* one chunk, until it is paced */
  struct tny_problem whole, paced;   /* the problem settled for one piece, and for those it has */
  struct tny_claim whole_claim, paced_claim;
};

struct tny_subject tny_subject_make(const struct tny_algorithm *algorithm,
                                    const struct tny_problem *problem, uint64_t block_bytes);
/* Of what the algorithm mirrors, which sends as much the other way: once, or of an all-reduce its
   part of a block, there and back. Borrows `problem`, which it fills.
   Else `subject` itself. */
struct tny_subject tny_subject_origin(const struct tny_subject *subject,
                                      struct tny_problem *problem);
/* Sets the pace that it runs with. */
void tny_subject_set_pace(struct tny_subject *subject, struct tny_pace pace);

/* Are all chunks of a message sent the same way, so that it can be looked at whole? */
bool tny_is_cut_by_pass(const struct tny_algorithm *algorithm);

/* Or, where it's from a rank to itself, what that combines. */
struct tny_wire_message {
  uint32_t phase, from, to;
  uint32_t chunks;
  uint64_t bytes; /* on the wire; those that are combined */
};

/* All messages, or those of a sample of the phases, which stand for `total` / `looked_at` times as
   many. */
struct tny_messages {
  struct tny_wire_message *list;
  size_t count, room;
  uint64_t bytes_max;        /* in one that travels as it is */
  uint32_t total, looked_at; /* phases; both 1 where all is there */
  bool is_drawn;             /* phases here and there */
};

/* What the root and a rank in the middle have to do, taken for every rank; of a mirror, in its
   origin. */
struct tny_work {
  uint64_t steps;      /* of all ranks */
  uint64_t blocks_max; /* in a message */
};
enum tny_status tny_messages_work(const struct tny_subject *subject, struct tny_work *work,
                                  struct tny_error *error) TNY_MUST_CHECK;

/* All of them: plans every rank. Owns: tny_messages_release, also after a failure. */
enum tny_status tny_messages_collect(const struct tny_subject *subject,
                                     struct tny_messages *messages,
                                     struct tny_error *error) TNY_MUST_CHECK;
/* Those of some phases (model/sample.h), of an algorithm that has a `peer`, or whose origin has.
   Owns: as above. Cost: O(ranks). */
enum tny_status tny_messages_sample(const struct tny_subject *subject,
                                    struct tny_messages *messages,
                                    struct tny_error *error) TNY_MUST_CHECK;
/* Do all messages that some ranks send go back by the cables by which they come? Else what doesn't
   meet on the way there may on the way back, and what the origin of a mirror promises is worth
   nothing for that. */
bool tny_goes_back_alike(const struct tny_subject *origin);
/* Does an algorithm that cuts blocks itself have phases of their own for each piece, and not only
   one more? */
bool tny_has_phases_for_each(const struct tny_subject *subject);
/* Of an algorithm that cuts blocks itself: those of a plan for `pieces` instead of all, each as
   long as it is among all. Where pieces are a pipeline, the later half of the phases, in which no
   rank waits for its first piece any more, stands for all. Owns: as above. */
enum tny_status tny_messages_of_pieces(const struct tny_subject *subject, uint32_t pieces,
                                       struct tny_messages *messages,
                                       struct tny_error *error) TNY_MUST_CHECK;
void tny_messages_release(struct tny_messages *messages);

#endif
