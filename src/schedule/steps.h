/* What the schedule folder and the verifier share about steps, and no one else needs: the two
   queues, the builder's plain verbs and the merge. */
#ifndef TOURNEY_SCHEDULE_STEPS_H
#define TOURNEY_SCHEDULE_STEPS_H

#include <stdbool.h>

#include <tourney/schedule.h>

/* Far above any use; they keep a bad file or a bad problem from asking for all memory. */
#define TNY_STEPS_MAX (1u << 30)  /* steps of a rank, and its `after` entries */
#define TNY_CHUNKS_MAX (1u << 20) /* chunks a block */

/* A schedule with the head of `in` and no steps yet. Owns: the caller's (tny_schedule_free). */
enum tny_status tny_schedule_new_like(const struct tny_schedule *in, struct tny_schedule **schedule,
                                      struct tny_error *error) TNY_MUST_CHECK;

/* Appends a copy of `step` without what it waits for; returns its index. */
uint32_t tny_builder_append(struct tny_builder *builder, const struct tny_step *step);
/* The last appended step waits for `other`, which may not be appended yet: only for drafts. */
void tny_builder_wait(struct tny_builder *builder, uint32_t other);

/* Lists the steps of a draft, whose `after` may point to later steps, anew: each of the two queues
   keeps its order, every step comes after what it waits for, and else the draft's order stays.
   Errors: TNY_REFUSED where no such list exists. */
enum tny_status tny_steps_merge(const struct tny_steps *draft, struct tny_steps *out,
                                struct tny_error *error) TNY_MUST_CHECK;

#endif
