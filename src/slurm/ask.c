/* The caller is srun: its signals and its children are its own, so a child is waited for by its
   number, and what is blocked or ignored here isn't there. */
#include "ask.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/alloc.h"
#include "core/error.h"

enum { ROOM_AT_FIRST = 4096 };

extern char **environ;

/* A pipe's end that is read. */
struct stream {
  int file; /* -1: at its end */
  char *bytes;
  size_t count, room;
};

static long long now_ms(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

/* Reads what is there. One byte is left for a zero behind. */
static enum tny_status read_some(struct stream *stream, struct tny_error *error)
{
  if (stream->room - stream->count < 2) {
    const size_t room = stream->room ? 2 * stream->room : ROOM_AT_FIRST;
    char *bytes = tny_resize(stream->bytes, room, 1);
    if (!bytes)
      return tny_error_memory(error);
    stream->bytes = bytes;
    stream->room = room;
  }
  const ssize_t got =
      read(stream->file, stream->bytes + stream->count, stream->room - stream->count - 1);
  if (got > 0)
    stream->count += (size_t)got;
  else if (got == 0 || errno != EINTR) {
    close(stream->file);
    stream->file = -1;
  }
  stream->bytes[stream->count] = '\0';
  return TNY_OK;
}

/* Reads both to their ends. */
static enum tny_status read_all(struct stream streams[2], int seconds, struct tny_error *error)
{
  const long long until_ms = now_ms() + 1000LL * seconds;
  enum tny_status status = TNY_OK;
  while (status == TNY_OK && (streams[0].file >= 0 || streams[1].file >= 0)) {
    struct pollfd files[2] = {{.fd = streams[0].file, .events = POLLIN},
                              {.fd = streams[1].file, .events = POLLIN}};
    const long long left_ms = until_ms - now_ms();
    if (left_ms <= 0)
      return tny_error_set(error, TNY_SYSTEM, "it takes more than %d s", seconds);
    if (poll(files, 2, (int)left_ms) < 0 && errno != EINTR)
      return tny_error_set(error, TNY_SYSTEM, "poll: %s", strerror(errno));
    for (int i = 0; i < 2; i++)
      if (status == TNY_OK && streams[i].file >= 0 && files[i].revents)
        status = read_some(&streams[i], error);
  }
  return status;
}

/* Starts the command; its output and its errors go to these files. */
static enum tny_status start(char *const *command, const int outputs[2], pid_t *child,
                             struct tny_error *error)
{
  sigset_t none, all;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_t actions;
  sigemptyset(&none);
  sigfillset(&all);
  if (posix_spawnattr_init(&attributes) != 0)
    return tny_error_memory(error);
  if (posix_spawn_file_actions_init(&actions) != 0) {
    posix_spawnattr_destroy(&attributes);
    return tny_error_memory(error);
  }
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  int fault = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  for (int i = 0; i < 2 && fault == 0; i++)
    fault = posix_spawn_file_actions_adddup2(&actions, outputs[i], STDOUT_FILENO + i);
  if (fault == 0)
    fault = posix_spawn(child, command[0], &actions, &attributes, command, environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  return fault == 0 ? TNY_OK
                    : tny_error_set(error, TNY_SYSTEM, "it can't be started: %s", strerror(fault));
}

static enum tny_status take_end(pid_t child, const char *complaint, struct tny_error *error)
{
  int wait_status = 0;
  pid_t ended;
  do
    ended = waitpid(child, &wait_status, 0);
  while (ended < 0 && errno == EINTR);
  if (ended < 0 || (WIFEXITED(wait_status) && WEXITSTATUS(wait_status) == 0))
    return TNY_OK; /* where srun itself took the end, what was said counts */
  return tny_error_set(error, TNY_SYSTEM, "%s", complaint[0] ? complaint : "it fails");
}

static void keep_complaint(const struct stream *stream, struct tny_slurm_answer *answer)
{
  const size_t length = stream->bytes ? strcspn(stream->bytes, "\n") : 0;
  const size_t most = sizeof answer->complaint - 1, kept = length < most ? length : most;
  if (kept)
    memcpy(answer->complaint, stream->bytes, kept);
  answer->complaint[kept] = '\0';
}

enum tny_status tny_slurm_ask(char *const *command, int seconds, struct tny_slurm_answer *answer,
                              struct tny_error *error)
{
  *answer = (struct tny_slurm_answer){0};
  int out[2], err[2];
  if (pipe2(out, O_CLOEXEC) != 0)
    return tny_error_set(error, TNY_SYSTEM, "pipe: %s", strerror(errno));
  if (pipe2(err, O_CLOEXEC) != 0) {
    close(out[0]);
    close(out[1]);
    return tny_error_set(error, TNY_SYSTEM, "pipe: %s", strerror(errno));
  }
  struct stream streams[2] = {{.file = out[0]}, {.file = err[0]}};
  pid_t child = 0;
  enum tny_status status = start(command, (const int[]){out[1], err[1]}, &child, error);
  close(out[1]);
  close(err[1]);
  if (status == TNY_OK) {
    status = read_all(streams, seconds, error);
    if (status != TNY_OK)
      kill(child, SIGKILL);
    keep_complaint(&streams[1], answer);
    const enum tny_status end = take_end(child, answer->complaint, error);
    status = status == TNY_OK ? end : status;
  }
  for (int i = 0; i < 2; i++)
    if (streams[i].file >= 0)
      close(streams[i].file);
  tny_free(streams[1].bytes);
  answer->said = streams[0].bytes;
  answer->said_bytes = streams[0].count;
  return status;
}

void tny_slurm_answer_release(struct tny_slurm_answer *answer)
{
  tny_free(answer->said);
  answer->said = NULL;
}
