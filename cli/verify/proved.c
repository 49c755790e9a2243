/* Keeps the last few schedules that were proved in full. A schedule that is one of them with its
   ranks renamed needs no proof of its own: a broadcast from another root, another order of the
   switches. */
#include "proved.h"

bool verify_proved_covers(const struct verify_proved *proved, const struct tny_schedule *schedule,
                          struct tny_report *report)
{
  for (uint32_t i = 0; i < VERIFY_PROVED_MAX && proved->kept[i].schedule; i++) {
    if (tny_verify_renamed(proved->kept[i].schedule, schedule, NULL) == TNY_OK) {
      *report = proved->kept[i].report;
      return true;
    }
  }
  return false;
}

void verify_proved_keep(struct verify_proved *proved, struct tny_schedule *schedule,
                        const struct tny_report *report)
{
  tny_schedule_free(proved->kept[proved->next].schedule);
  proved->kept[proved->next].schedule = schedule;
  proved->kept[proved->next].report = *report;
  proved->next = (proved->next + 1) % VERIFY_PROVED_MAX;
}

void verify_proved_clear(struct verify_proved *proved)
{
  for (uint32_t i = 0; i < VERIFY_PROVED_MAX; i++)
    tny_schedule_free(proved->kept[i].schedule);
  *proved = (struct verify_proved){0};
}
