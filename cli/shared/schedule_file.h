/* A schedule from a file, in any of the known forms: ours, GOAL, MSCCL's XML. */
#ifndef TOURNEY_SCHEDULE_FILE_H
#define TOURNEY_SCHEDULE_FILE_H

#include <tourney/exchange.h>

/* One of the two, owned. */
struct schedule_file {
  struct tny_schedule *schedule; /* our own form */
  struct tny_foreign *foreign;   /* the others */
};

/* The form is told by how the file begins. Owns: schedule_file_close, also after a failure. */
enum tny_status schedule_file_open(struct schedule_file *file, const char *path,
                                   struct tny_error *error) TNY_MUST_CHECK;
void schedule_file_close(struct schedule_file *file);

#endif
