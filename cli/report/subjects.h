/* The subjects of a report: `tourney report SUBJECT ...`. */
#ifndef TOURNEY_CLI_REPORT_SUBJECTS_H
#define TOURNEY_CLI_REPORT_SUBJECTS_H

/* Of all subjects. */
extern const char report_help[];
/* Each gets the arguments from the subject's name on, and returns the exit code. */
int report_bench(int argc, char **argv);
int report_plan(int argc, char **argv);
int report_run(int argc, char **argv);

#endif
