/* Parts of lines that the text form and our comments in GOAL files share. What is wrong is the line
   reader's failure. */
#ifndef TOURNEY_SCHEDULE_SPAN_READ_H
#define TOURNEY_SCHEDULE_SPAN_READ_H

#include <tourney/schedule.h>

#include "schedule/line_reader.h"

/* "output[1..3] 0/2": blocks and chunks that a schedule with this head has; of a barrier,
   "nothing". */
struct tny_span tny_line_span(struct tny_line_reader *lines, const struct tny_schedule *schedule);
/* "1,3..5": receivers, upwards, of whom `sender` has something; notes that it's wanted. */
void tny_line_receivers(struct tny_line_reader *lines, struct tny_schedule *schedule,
                        uint32_t sender);

#endif
