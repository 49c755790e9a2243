/* What the launchers share: whose one is, a command line's words, settings, and what ranks preload.
   */
#include "lab/launch.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/alloc.h"
#include "core/text.h"
#include "lab/process.h"

void tny_lab_words_add(struct tny_lab_words *words, const char *word)
{
  char **longer = words->failed ? NULL : tny_resize(words->list, words->count + 2, sizeof *longer);
  char *copy = longer ? tny_copy_text(word) : NULL;
  if (longer)
    words->list = longer;
  if (!copy) {
    words->failed = true;
    return;
  }
  longer[words->count++] = copy;
  longer[words->count] = NULL;
}

void tny_lab_words_add_list(struct tny_lab_words *words, const char *const *list)
{
  for (; list && *list; list++)
    tny_lab_words_add(words, *list);
}

void tny_lab_words_add_number(struct tny_lab_words *words, const char *option, uint32_t number)
{
  char text[16];
  snprintf(text, sizeof text, "%" PRIu32, number);
  tny_lab_words_add(words, option);
  tny_lab_words_add(words, text);
}

bool tny_lab_environment_set(const char *const (*settings)[2])
{
  for (; (*settings)[0]; settings++)
    if (setenv((*settings)[0], (*settings)[1], 1) < 0)
      return false;
  return true;
}

void tny_lab_preload_add(struct tny_text *value, const char *more)
{
  const char *const libraries[] = {getenv("TOURNEY_PRELOAD"), more, getenv("LD_PRELOAD")};
  for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++)
    if (libraries[i] && libraries[i][0])
      tny_text_add(value, "%s%s", value->length ? ":" : "", libraries[i]);
}

/* An mpirun of another MPI understands neither our agent nor our hostfile. */
bool tny_lab_is_other_mpi(const char *mpirun)
{
  char path[PATH_MAX], *said = NULL;
  struct tny_error error = {0};
  if (!realpath(mpirun, path))
    return false;
  if (strstr(path, "mpich") || strstr(path, "hydra"))
    return true;
  if (strstr(path, "openmpi") || strstr(path, "orterun") || strstr(path, "prterun"))
    return false;
  char *const argv[] = {(char *)mpirun, (char *)"--version", NULL};
  const struct tny_lab_helper helper = {.argv = argv, .input = "", .netns = -1};
  const bool other = tny_lab_helper_run(&helper, &said, &error) == TNY_OK &&
                     (strstr(said, "HYDRA") || strstr(said, "MPICH"));
  tny_text_free(said);
  return other;
}
