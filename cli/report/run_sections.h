/* The sections of a run's page. Each adds HTML. */
#ifndef TOURNEY_CLI_REPORT_RUN_SECTIONS_H
#define TOURNEY_CLI_REPORT_RUN_SECTIONS_H

#include "core/text.h"
#include "recorded.h"

/* "1.23 ms": three or four digits that matter, never an exponent. */
struct run_time {
  char text[32];
};
struct run_time run_time_format(double ns);

/* The run in a sentence or two, and its facts. */
void run_section_summary(const struct recorded *recorded, struct tny_text *html);
/* The time that each collective took, native and by plans, as bars. */
void run_section_bars(const struct recorded *recorded, struct tny_text *html);
/* What was served by what, the longest in all first: sorts the rows. */
void run_section_calls(struct recorded *recorded, struct tny_text *html);
/* What the guard settled, in its order. */
void run_section_decisions(const struct recorded *recorded, struct tny_text *html);
/* What each host's TCP sent again: sorts the hosts. */
void run_section_drops(struct recorded *recorded, struct tny_text *html);

#endif
