/* Programs, spawned and waited for. */
#include "program.h"

#include <errno.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/error.h"

/* Returns 0 or an errno. */
static int add_actions(const struct program *program, posix_spawn_file_actions_t *actions)
{
  int failure = 0;
  if (program->input >= 0)
    failure = posix_spawn_file_actions_adddup2(actions, program->input, STDIN_FILENO);
  if (failure == 0 && program->output >= 0)
    failure = posix_spawn_file_actions_adddup2(actions, program->output, STDOUT_FILENO);
  if (failure == 0 && program->folder)
    failure = posix_spawn_file_actions_addchdir_np(actions, program->folder);
  return failure;
}

/* Returns 0 or an errno. */
static int spawn(const struct program *program, pid_t *child)
{
  extern char **environ;
  posix_spawn_file_actions_t actions;
  int failure = posix_spawn_file_actions_init(&actions);
  if (failure)
    return failure;
  failure = add_actions(program, &actions);
  if (failure == 0)
    failure =
        posix_spawnp(child, program->arguments[0], &actions, NULL, program->arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  return failure;
}

enum tny_status program_run(const struct program *program, struct tny_error *error)
{
  const char *name = program->arguments[0];
  pid_t child;
  int outcome;
  const int failure = spawn(program, &child);
  if (failure == ENOENT)
    return tny_error_set(error, TNY_SYSTEM, "%s", program->missing);
  if (failure)
    return tny_error_set(error, TNY_SYSTEM, "can't run %s: %s", name, strerror(failure));
  while (waitpid(child, &outcome, 0) < 0)
    if (errno != EINTR)
      return tny_error_set(error, TNY_SYSTEM, "can't wait for %s: %s", name, strerror(errno));
  if (!WIFEXITED(outcome) || WEXITSTATUS(outcome))
    return tny_error_set(error, TNY_SYSTEM, "%s couldn't draw %.200s", name, program->drawn);
  return TNY_OK;
}
