/* Programs, spawned and waited for. Their input is a temporary file, so that they can't block. */
#include "program.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/error.h"

/* Opens the text as a file without a name, at its beginning. */
static enum tny_status open_input(const char *text, FILE **file, struct tny_error *error)
{
  *file = tmpfile();
  if (*file && fputs(text, *file) != EOF && fflush(*file) != EOF && !fseek(*file, 0, SEEK_SET))
    return TNY_OK;
  const int reason = errno;
  if (*file)
    fclose(*file);
  return tny_error_set(error, TNY_SYSTEM, "can't write a temporary file: %s", strerror(reason));
}

/* Returns 0 or an errno. */
static int spawn(const struct program *program, int input, pid_t *child)
{
  extern char **environ;
  posix_spawn_file_actions_t files;
  int failure = posix_spawn_file_actions_init(&files);
  if (failure)
    return failure;
  failure = posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO);
  if (failure == 0 && program->output >= 0)
    failure = posix_spawn_file_actions_adddup2(&files, program->output, STDOUT_FILENO);
  if (failure == 0)
    failure = posix_spawnp(child, program->arguments[0], &files, NULL, program->arguments, environ);
  posix_spawn_file_actions_destroy(&files);
  return failure;
}

static enum tny_status await(const struct program *program, pid_t child, struct tny_error *error)
{
  int outcome;
  while (waitpid(child, &outcome, 0) < 0)
    if (errno != EINTR)
      return tny_error_set(error, TNY_SYSTEM, "can't wait for %s: %s", program->arguments[0],
                           strerror(errno));
  if (!WIFEXITED(outcome) || WEXITSTATUS(outcome))
    return tny_error_set(error, TNY_SYSTEM, "%s", program->failed);
  return TNY_OK;
}

enum tny_status program_run(const struct program *program, struct tny_error *error)
{
  FILE *input;
  pid_t child;
  const enum tny_status status = open_input(program->input, &input, error);
  if (status != TNY_OK)
    return status;
  const int failure = spawn(program, fileno(input), &child);
  fclose(input);
  if (failure == ENOENT)
    return tny_error_set(error, TNY_SYSTEM, "%s", program->missing);
  if (failure)
    return tny_error_set(error, TNY_SYSTEM, "can't run %s: %s", program->arguments[0],
                         strerror(failure));
  return await(program, child, error);
}
