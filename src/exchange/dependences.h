/* The data dependences of a rank's steps: which earlier steps use the same locations as a step, one
   of the two writing there. Our form leaves it to the order of a queue to keep some of them apart;
   another form has to say it. */
#ifndef TOURNEY_EXCHANGE_DEPENDENCES_H
#define TOURNEY_EXCHANGE_DEPENDENCES_H

#include <tourney/schedule.h>

/* An element of a list of steps that read a location. */
struct tny_location_reader {
  uint32_t step;
  uint32_t next; /* TNY_NONE: the last */
};

struct tny_dependences {
  const struct tny_schedule *schedule; /* borrowed */
  size_t locations;                    /* of outputs and scratch: inputs are only read */
  /* By location: 1 + the last step that wrote it, and 1 + the newest that has read it since. */
  uint32_t *written, *read;
  struct tny_location_reader *readers;
  uint32_t reader_count, reader_room;
  uint32_t *found; /* by the last tny_dependences_add; a step may be there more than once */
  uint32_t found_count, found_room;
};

/* Owns: the caller's, tny_dependences_release, also after an error. */
enum tny_status tny_dependences_init(struct tny_dependences *dependences,
                                     const struct tny_schedule *schedule,
                                     struct tny_error *error) TNY_MUST_CHECK;
void tny_dependences_release(struct tny_dependences *dependences);
/* Ready for another rank. */
void tny_dependences_clear(struct tny_dependences *dependences);
/* Adds the rank's next step, and finds the earlier ones that it depends on. */
enum tny_status tny_dependences_add(struct tny_dependences *dependences, uint32_t index,
                                    const struct tny_step *step,
                                    struct tny_error *error) TNY_MUST_CHECK;

#endif
