/* Looks a plan's file up by its name, which has the fingerprint of all that it follows from. */
#include "mpi/handout/store.h"

#include <dirent.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/alloc.h"
#include "core/file.h"
#include "model/fingerprint.h"
#include "mpi/explain.h"
#include "mpi/world.h"
#include "plan/stored.h"

/* Says once that the store has plans of this name but for another cluster. */
static void tell_of_others(const char *store, const struct tny_stored_name *name)
{
  static atomic_bool is_told;
  DIR *folder = opendir(store);
  const struct dirent *entry = NULL;
  while (folder && (entry = readdir(folder)) && strncmp(entry->d_name, name->text, name->common))
    continue;
  if (entry && !atomic_exchange(&is_told, true))
    tny_explain_warn(
        "%s/%s isn't used: it is for another cluster, for ranks on other hosts, or of "
        "another version of Tourney (`tourney plan --store` makes plans for this one); "
        "it is planned now, and others like it too",
        store, entry->d_name);
  if (folder)
    closedir(folder);
}

static enum tny_status read_plan(const char *path, const struct tny_stored_key *key,
                                 struct tny_parts *parts, struct tny_error *error)
{
  char *bytes;
  size_t count;
  enum tny_status status = tny_file_read_bytes(path, &bytes, &count, error);
  if (status == TNY_OK)
    status = tny_stored_read(key, (const uint8_t *)bytes, count, parts, error);
  tny_free(bytes);
  return status;
}

bool tny_store_take(const struct tny_group *group, const struct tny_plan_request *request,
                    struct tny_parts *parts)
{
  const char *store = group->world->store;
  *parts = (struct tny_parts){0};
  if (!store || group->pattern.id != 0 || request->counts.id != 0)
    return false;
  const struct tny_stored_key key = {.choice = request->choice,
                                     .rank_count = group->rank_count,
                                     .root = request->root,
                                     .step_bytes = tny_model_size_step(request->block_bytes),
                                     .fingerprint =
                                         tny_model_fingerprint(&group->model, &group->network)};
  const struct tny_stored_name name = tny_stored_name(&key);
  char path[PATH_MAX];
  struct tny_error error = {0};
  const int length = snprintf(path, sizeof path, "%s/%s", store, name.text);
  if (length >= (int)sizeof path || access(path, F_OK) != 0) {
    tell_of_others(store, &name);
    return false;
  }
  if (read_plan(path, &key, parts, &error) == TNY_OK)
    return true;
  tny_explain_warn("%s can't be used, so it is planned now: %s", path, error.text);
  return false;
}
