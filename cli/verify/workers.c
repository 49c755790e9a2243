/* Worker processes. Each takes the next number from memory that all share, does the task of that
   number, and writes its result into a pipe of its own. */
#include "workers.h"

#include <errno.h>
#include <limits.h>
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/alloc.h"
#include "core/error.h"

enum { WORKERS_STANDARD_MAX = 8 };

/* What a worker writes before each result. */
struct heading {
  uint32_t task;
  enum tny_status status;
};

/* All workers, and what they share. */
struct team {
  const struct verify_workers *wanted;
  _Atomic uint32_t *next_task; /* shared */
  void *result;
  uint32_t started, taken;
  pid_t pids[VERIFY_WORKERS_MAX];            /* 0: ended */
  struct pollfd readers[VERIFY_WORKERS_MAX]; /* descriptor -1: at its end */
};

uint32_t verify_workers_standard(void)
{
  const long processors = sysconf(_SC_NPROCESSORS_ONLN);
  if (processors < 1)
    return 1;
  return processors < WORKERS_STANDARD_MAX ? (uint32_t)processors : WORKERS_STANDARD_MAX;
}

/* --- in a worker --- */

static bool write_all(int descriptor, const void *bytes, size_t count)
{
  const char *next = bytes;
  while (count > 0) {
    const ssize_t written = write(descriptor, next, count);
    if (written < 0 && errno != EINTR)
      return false;
    if (written > 0) {
      next += written;
      count -= (size_t)written;
    }
  }
  return true;
}

/* Writes a heading and the result, or the error instead of it. */
static bool report(const struct team *team, int descriptor, struct heading heading,
                   const struct tny_error *error)
{
  if (!write_all(descriptor, &heading, sizeof heading))
    return false;
  if (heading.status == TNY_OK)
    return write_all(descriptor, team->result, team->wanted->result_bytes);
  return write_all(descriptor, error, sizeof *error);
}

/* Each task asks for about the same memory. It isn't handed back in between, which would take a
   sixth of the time. */
static void keep_memory(void)
{
  enum { MAPPED_BYTES_MIN = 32 << 20 }; /* the most that the C library takes here */
  mallopt(M_MMAP_THRESHOLD, MAPPED_BYTES_MIN);
  mallopt(M_TRIM_THRESHOLD, INT_MAX);
}

static _Noreturn void work(const struct team *team, int descriptor)
{
  const struct verify_workers *wanted = team->wanted;
  uint32_t task;
  keep_memory();
  while ((task = atomic_fetch_add(team->next_task, 1)) < wanted->task_count) {
    struct tny_error error = {0};
    memset(team->result, 0, wanted->result_bytes);
    const enum tny_status status = wanted->work(wanted->context, task, team->result, &error);
    if (!report(team, descriptor, (struct heading){task, status}, &error) || status != TNY_OK)
      _exit(1);
  }
  _exit(0);
}

/* --- in this process --- */

static enum tny_status start_worker(struct team *team, struct tny_error *error)
{
  int ends[2];
  const pid_t parent = getpid();
  if (pipe(ends))
    return tny_error_set(error, TNY_SYSTEM, "can't make a pipe: %s", strerror(errno));
  const pid_t pid = fork();
  if (pid == 0) {
    close(ends[0]);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
      _exit(1);
    work(team, ends[1]);
  }
  close(ends[1]);
  if (pid < 0) {
    close(ends[0]);
    return tny_error_set(error, TNY_SYSTEM, "can't start a worker: %s", strerror(errno));
  }
  team->pids[team->started] = pid;
  team->readers[team->started++] = (struct pollfd){.fd = ends[0], .events = POLLIN};
  return TNY_OK;
}

/* False at the end of the pipe, or where it ends too early. */
static bool read_all(int descriptor, void *bytes, size_t count)
{
  char *next = bytes;
  while (count > 0) {
    const ssize_t got = read(descriptor, next, count);
    if (got == 0 || (got < 0 && errno != EINTR))
      return false;
    if (got > 0) {
      next += got;
      count -= (size_t)got;
    }
  }
  return true;
}

/* One result of a worker; a failed task is a failure here. */
static enum tny_status take_result(struct team *team, uint32_t worker, struct tny_error *error)
{
  struct pollfd *reader = &team->readers[worker];
  struct heading heading;
  struct tny_error cause;
  if (!read_all(reader->fd, &heading, sizeof heading)) {
    close(reader->fd);
    reader->fd = -1;
    return TNY_OK;
  }
  if (heading.status != TNY_OK) {
    if (!read_all(reader->fd, &cause, sizeof cause))
      return tny_error_set(error, TNY_SYSTEM, "a worker ended while it reported a failure");
    *error = cause;
    return heading.status;
  }
  if (read_all(reader->fd, team->result, team->wanted->result_bytes)) {
    team->wanted->take(team->wanted->context, heading.task, team->result);
    team->taken++;
  }
  return TNY_OK;
}

static bool any_open(const struct team *team)
{
  for (uint32_t worker = 0; worker < team->started; worker++)
    if (team->readers[worker].fd >= 0)
      return true;
  return false;
}

static enum tny_status take_results(struct team *team, struct tny_error *error)
{
  enum tny_status status = TNY_OK;
  while (status == TNY_OK && any_open(team)) {
    if (poll(team->readers, team->started, -1) < 0) {
      if (errno == EINTR)
        continue;
      return tny_error_set(error, TNY_SYSTEM, "can't wait for workers: %s", strerror(errno));
    }
    for (uint32_t worker = 0; status == TNY_OK && worker < team->started; worker++)
      if (team->readers[worker].fd >= 0 && team->readers[worker].revents)
        status = take_result(team, worker, error);
  }
  return status;
}

static void end_workers(struct team *team)
{
  for (uint32_t worker = 0; worker < team->started; worker++) {
    kill(team->pids[worker], SIGKILL); /* one that is done is still there to be waited for */
    while (waitpid(team->pids[worker], NULL, 0) < 0 && errno == EINTR)
      continue;
    if (team->readers[worker].fd >= 0)
      close(team->readers[worker].fd);
  }
}

static enum tny_status run_team(struct team *team, struct tny_error *error)
{
  const struct verify_workers *wanted = team->wanted;
  enum tny_status status = TNY_OK;
  fflush(stdout);
  fflush(stderr);
  for (uint32_t worker = 0;
       status == TNY_OK && worker < wanted->worker_count && worker < wanted->task_count; worker++)
    status = start_worker(team, error);
  if (status == TNY_OK)
    status = take_results(team, error);
  end_workers(team);
  if (status == TNY_OK && team->taken < wanted->task_count)
    return tny_error_set(error, TNY_SYSTEM, "a worker ended early: %u of %u jobs are done",
                         team->taken, wanted->task_count);
  return status;
}

enum tny_status verify_workers_run(const struct verify_workers *workers, struct tny_error *error)
{
  struct team team = {.wanted = workers};
  void *shared =
      mmap(NULL, sizeof *team.next_task, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED)
    return tny_error_set(error, TNY_SYSTEM, "can't share memory: %s", strerror(errno));
  team.next_task = shared;
  team.result = tny_new(1, workers->result_bytes);
  const enum tny_status status = team.result ? run_team(&team, error) : tny_error_memory(error);
  tny_free(team.result);
  munmap(shared, sizeof *team.next_task);
  return status;
}
