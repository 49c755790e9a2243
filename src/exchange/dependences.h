/* Which earlier steps of a rank use the same places as a step, one of the two writing there: where
   our form leaves it to the order of a queue to keep them apart, another form has to say it. */
#ifndef TOURNEY_EXCHANGE_USES_H
#define TOURNEY_EXCHANGE_USES_H

#include <tourney/schedule.h>

struct tny_use {
  uint32_t step;
  uint32_t next; /* TNY_NONE: the last */
};

struct tny_uses {
  const struct tny_schedule *schedule; /* borrowed */
  size_t places;
  /* By place: 1 + the last step that wrote it, and 1 + the newest of those that read it since. */
  uint32_t *written, *read;
  struct tny_use *readers;
  uint32_t reader_count, reader_room;
  uint32_t *found; /* by the last tny_uses_add; a step may be there more than once */
  uint32_t found_count, found_room;
};

/* Owns: the caller's, tny_uses_release, also after an error. */
enum tny_status tny_uses_init(struct tny_uses *uses, const struct tny_schedule *schedule,
                              struct tny_error *error) TNY_MUST_CHECK;
void tny_uses_release(struct tny_uses *uses);
/* Ready for another rank. */
void tny_uses_clear(struct tny_uses *uses);
/* The rank's next step: finds the earlier ones that it has to come behind. */
enum tny_status tny_uses_add(struct tny_uses *uses, uint32_t index, const struct tny_step *step,
                             struct tny_error *error) TNY_MUST_CHECK;

#endif
