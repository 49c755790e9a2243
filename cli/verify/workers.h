/* Tasks done side by side by worker processes. */
#ifndef TOURNEY_VERIFY_WORKERS_H
#define TOURNEY_VERIFY_WORKERS_H

#include <stddef.h>
#include <stdint.h>

#include <tourney/status.h>

enum { VERIFY_WORKERS_MAX = 256 };

struct verify_workers {
  uint32_t worker_count, task_count; /* at most VERIFY_WORKERS_MAX workers */
  size_t result_bytes;
  /* In a worker: does a task. `result` is zero; what it becomes is handed to `take`. */
  enum tny_status (*work)(void *context, uint32_t task, void *result, struct tny_error *error);
  /* In this process: takes the result of a task, in the order in which tasks are done. */
  void (*take)(void *context, uint32_t task, const void *result);
  void *context; /* each worker has its own copy of what it points to */
};

/* Does all tasks, each once, in about the order of their numbers. The first that fails ends them
   all, and its error is what is returned. The workers end with this process, however it ends.
   Threads: the caller must have only one. */
enum tny_status verify_workers_run(const struct verify_workers *workers,
                                   struct tny_error *error) TNY_MUST_CHECK;
/* As many as there are processors, at most 8. */
uint32_t verify_workers_standard(void);

#endif
