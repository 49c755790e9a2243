/* Schedules that were proved in full, to compare later ones with. */
#ifndef TOURNEY_VERIFY_PROVED_H
#define TOURNEY_VERIFY_PROVED_H

#include <tourney/verify.h>

/* An algorithm's schedules for one number of ranks: whole, and as a few networks have them cut and
   paced. */
enum { VERIFY_PROVED_MAX = 8 };

/* All zero is empty. */
struct verify_proved {
  struct {
    struct tny_schedule *schedule; /* owned; NULL: none */
    struct tny_report report;
  } kept[VERIFY_PROVED_MAX];
  uint32_t next; /* the one that is replaced next */
};

/* Is `schedule` one of those, with its ranks renamed? Then *report becomes its report, but for what
   it says of links. */
bool verify_proved_covers(const struct verify_proved *proved, const struct tny_schedule *schedule,
                          struct tny_report *report);
/* Owns: takes the schedule over. */
void verify_proved_keep(struct verify_proved *proved, struct tny_schedule *schedule,
                        const struct tny_report *report);
void verify_proved_clear(struct verify_proved *proved);

#endif
