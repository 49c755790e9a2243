/* Checks what the user asked for before anything starts: the cluster, the algorithms and the
   launcher. */
#include "launch.h"

#include <sys/stat.h>

#include <tourney/algorithm.h>

#include "cli/shared/mapping.h"
#include "cli/shared/options.h"
#include "core/alloc.h"
#include "core/error.h"
#include "core/file.h"
#include "core/text.h"

/* A single environment string may have 128 KiB; one command line holds a few of them. */
#define VALUE_BYTES_MAX 100000
#define FLAT_START "cluster 1 "

enum tny_status launch_cluster_value(const struct tny_cluster *cluster, const char *name,
                                     char **value, struct tny_error *error)
{
  const enum tny_status status = tny_cluster_write_flat(cluster, value, error);
  if (status != TNY_OK || strlen(*value) <= VALUE_BYTES_MAX)
    return status;
  tny_text_free(*value);
  *value = NULL;
  return tny_error_at(error, TNY_REFUSED, name, 0, 0,
                      "too large to be handed over by the environment: save it by 'tourney "
                      "topology flat %s > FILE' on a file system that all hosts share, and "
                      "give FILE to --cluster",
                      name);
}

/* A file in the flat form is handed over by its path, any other as the flat form itself. */
static enum tny_status open_file(const char *path, struct tny_cluster **cluster, char **value,
                                 struct tny_error *error)
{
  char *text = NULL;
  enum tny_status status = cli_cluster_open(path, cluster, error);
  if (status == TNY_OK)
    status = tny_file_read(path, &text, error);
  if (status != TNY_OK)
    return status;
  const bool flat = !strncmp(text, FLAT_START, strlen(FLAT_START));
  tny_text_free(text);
  char absolute[PATH_MAX];
  if (flat) {
    *value = realpath(path, absolute) ? tny_copy_text(absolute) : NULL;
    return *value ? TNY_OK : tny_error_memory(error);
  }
  return launch_cluster_value(*cluster, path, value, error);
}

/* A generator's text, or the flat form itself. */
static enum tny_status open_text(const char *text, struct tny_cluster **cluster, char **value,
                                 struct tny_error *error)
{
  const enum tny_status status = tny_cluster_is_generator(text)
                                     ? tny_cluster_generate(text, cluster, error)
                                     : tny_cluster_read_flat(text, cluster, error);
  if (status != TNY_OK)
    return status;
  *value = tny_copy_text(text);
  return *value ? TNY_OK : tny_error_memory(error);
}

enum tny_status launch_open_cluster(const char *text, struct tny_cluster **cluster, char **value,
                                    struct tny_error *error)
{
  *cluster = NULL;
  *value = NULL;
  const bool is_text =
      tny_cluster_is_generator(text) || !strncmp(text, FLAT_START, strlen(FLAT_START));
  const enum tny_status status =
      is_text ? open_text(text, cluster, value, error) : open_file(text, cluster, value, error);
  if (status != TNY_OK) {
    tny_cluster_free(*cluster);
    tny_text_free(*value);
    *cluster = NULL;
    *value = NULL;
  }
  return status;
}

enum tny_status launch_open_store(const char *folder, char **value, struct tny_error *error)
{
  char absolute[PATH_MAX];
  struct stat found;
  *value = NULL;
  if (!realpath(folder, absolute) || stat(absolute, &found) != 0 || !S_ISDIR(found.st_mode))
    return tny_error_at(error, TNY_BAD_INPUT, folder, 0, 0,
                        "no folder of stored plans: 'tourney plan CLUSTER COLLECTIVE --store "
                        "FOLDER' makes one");
  *value = tny_copy_text(absolute);
  return *value ? TNY_OK : tny_error_memory(error);
}

enum tny_status launch_list_algorithms(enum tny_collective collective, char **names,
                                       struct tny_error *error)
{
  struct tny_text text = {0};
  tny_text_add(&text, "native");
  for (size_t i = 0; tny_algorithms[i]; i++) {
    if (tny_algorithms[i]->collective == collective)
      tny_text_add(&text, ", %s", tny_algorithms[i]->name);
  }
  return tny_text_take(&text, names, error);
}

/* `item` is "COLLECTIVE=NAME"; it is cut in two here. `option` is what errors call the list. */
static enum tny_status check_item(void *option, char *item, struct tny_error *error)
{
  char *name = strchr(item, '=');
  if (!name || !name[1])
    return tny_error_set(error, TNY_BAD_INPUT,
                         "%s wants COLLECTIVE=NAME, as in alltoall=shuffle; not '%s'",
                         (const char *)option, item);
  *name++ = '\0';
  enum tny_collective collective;
  enum tny_status status = tny_collective_parse(item, &collective, error);
  if (status != TNY_OK || !strcmp(name, "native"))
    return status;
  struct tny_algorithm_choice choice;
  if (tny_algorithm_find(collective, name))
    return tny_algorithm_parse(collective, name, &choice, error);
  char *names = NULL;
  status = launch_list_algorithms(collective, &names, error);
  if (status == TNY_OK)
    status = tny_error_set(error, TNY_BAD_INPUT, "%s has no algorithm '%s'; it has: %s", item, name,
                           names);
  tny_text_free(names);
  return status;
}

enum tny_status launch_check_algorithms(const char *option, const char *list,
                                        struct tny_error *error)
{
  return cli_list_parse(list, check_item, (void *)option, error);
}

enum tny_status launch_check_exported(struct tny_error *error)
{
  const char *list = getenv("TOURNEY_ALGORITHM");
  return list && *list ? launch_check_algorithms("TOURNEY_ALGORITHM", list, error) : TNY_OK;
}

enum tny_status launch_split(const char *launcher, wordexp_t *words, struct tny_error *error)
{
  *words = (wordexp_t){0};
  if (launcher && (wordexp(launcher, words, WRDE_NOCMD) || !words->we_wordc))
    return tny_error_set(error, TNY_BAD_INPUT,
                         "--launcher '%s' can't be split into words: it is a command such as "
                         "'mpirun -n 16 --hostfile hosts', with quotes as in a shell",
                         launcher);
  return TNY_OK;
}

enum tny_status launch_choose_mpi(const char *launcher, bool given, enum launch_mpi *mpi,
                                  struct tny_error *error)
{
  wordexp_t words;
  const enum tny_status status = launch_split(launcher, &words, error);
  if (status != TNY_OK || !launcher)
    return status;
  struct launch_uses uses;
  if (!given) {
    launch_mpi_recognise(words.we_wordv, &uses);
    *mpi = uses.found == LAUNCH_FOUND ? uses.mpi : *mpi;
  }
  wordfree(&words);
  return TNY_OK;
}
