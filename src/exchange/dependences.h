/* Data dependences: which earlier users of a location come before a user, one of the two writing
   there. Our form leaves it to the order of a queue to keep some steps apart, another form has to
   say it. The prover of foreign schedules (check/races.c) does without this: it proves what is
   written with its help. */
#ifndef TOURNEY_EXCHANGE_DEPENDENCES_H
#define TOURNEY_EXCHANGE_DEPENDENCES_H

#include <tourney/schedule.h>

/* An element of a list of users that read a location. */
struct tny_location_reader {
  uint32_t user;
  uint32_t next; /* TNY_NONE: the last */
};

struct tny_dependences {
  size_t locations;
  /* By location: 1 + the last user that wrote it, and 1 + the newest that has read it since. */
  uint32_t *written, *read;
  struct tny_location_reader *readers;
  uint32_t reader_count, reader_room;
  uint32_t *found; /* may name a user more than once; the caller sets found_count to 0 */
  uint32_t found_count, found_room;
};

/* Owns: the caller's, tny_dependences_release, also after an error. */
enum tny_status tny_dependences_init(struct tny_dependences *dependences, uint64_t locations,
                                     struct tny_error *error) TNY_MUST_CHECK;
void tny_dependences_release(struct tny_dependences *dependences);
/* Ready for another rank. */
void tny_dependences_clear(struct tny_dependences *dependences);
/* The next user reads a location, or writes it: adds the earlier ones that it depends on to
   `found`. */
enum tny_status tny_dependences_read(struct tny_dependences *dependences, uint32_t user,
                                     uint64_t location, struct tny_error *error) TNY_MUST_CHECK;
enum tny_status tny_dependences_write(struct tny_dependences *dependences, uint32_t user,
                                      uint64_t location, struct tny_error *error) TNY_MUST_CHECK;

/* Locations of a schedule's outputs and scratch. Inputs are only read: nothing depends on that. */
uint64_t tny_dependences_locations(const struct tny_schedule *schedule);
/* The rank's next step, of a schedule for whose locations `dependences` was made: finds the earlier
   steps that it depends on. */
enum tny_status tny_dependences_find(struct tny_dependences *dependences,
                                     const struct tny_schedule *schedule, uint32_t step,
                                     const struct tny_step *used,
                                     struct tny_error *error) TNY_MUST_CHECK;

#endif
