#include "carry.h"

#include <stdlib.h>
#include <string.h>

#include "core/alloc.h"
#include "core/error.h"
#include "core/text.h"

/* Slurm hands SLURM_* over always. */
static const char prefix[] = "SLURM_TOURNEY_";

extern char **environ;

const char *tny_slurm_carried(char *const *environment, size_t *name)
{
  *name = sizeof prefix - 1;
  for (; environment && *environment; environment++)
    if (strncmp(*environment, prefix, *name) == 0 && strchr(*environment, '='))
      return *environment;
  return NULL;
}

void tny_slurm_carry_nothing(void)
{
  const char *carried;
  size_t name;
  while ((carried = tny_slurm_carried(environ, &name))) {
    char *copy = tny_copy_text(carried);
    if (!copy)
      return;
    *strchr(copy, '=') = '\0';
    unsetenv(copy);
    tny_free(copy);
  }
}

enum tny_status tny_slurm_carry(const char *bytes, size_t count, struct tny_error *error)
{
  for (const char *at = bytes; at && at < bytes + count; at += strlen(at) + 1) {
    const char *value = strchr(at, '=');
    if (!value)
      continue;
    struct tny_text name = {0};
    tny_text_add(&name, "%s%.*s", prefix, (int)(value - at), at);
    const bool is_set = !name.failed && setenv(name.bytes, value + 1, 1) == 0;
    tny_text_release(&name);
    if (!is_set) {
      tny_slurm_carry_nothing();
      return tny_error_memory(error);
    }
  }
  return TNY_OK;
}
