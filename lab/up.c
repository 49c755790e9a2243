/* Bringing labs up and down, finding and listing them. */
#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cluster/links.h"
#include "core/alloc.h"
#include "core/error.h"
#include "lab/capacity.h"
#include "lab/congestion.h"
#include "lab/keeper.h"
#include "lab/process.h"
#include "lab/wiring.h"

static bool caller_is_inside(void)
{
  const char *inside = getenv(TNY_LAB_INSIDE);
  return inside && inside[0];
}

static enum tny_status refuse_inside(struct tny_error *error)
{
  if (!caller_is_inside())
    return TNY_OK;
  return tny_error_set(error, TNY_REFUSED, "this is inside a lab: leave it first");
}

/* Starts the keeper and writes its state; after an error there is neither. */
static enum tny_status raise_lab(const struct tny_lab_folder *folder,
                                 const struct tny_lab_spec *spec, struct tny_error *error)
{
  char path[TNY_LAB_PATH_MAX];
  struct tny_lab_keeper keeper;
  int connection;
  tny_lab_folder_path(folder->directory, "in", path);
  if (mkdir(path, 0700) < 0 && errno != EEXIST)
    return tny_error_set(error, TNY_SYSTEM, "can't make the folder %s: %s", path, strerror(errno));
  enum tny_status status = tny_lab_keeper_start(spec, &keeper, &connection, error);
  if (status != TNY_OK)
    return status;
  status = tny_lab_state_write(folder, &keeper, spec->congestion, spec->cluster, error);
  if (status == TNY_OK && tny_lab_signals_pending())
    status = tny_error_set(error, TNY_SYSTEM, "interrupted: no lab was brought up");
  if (status == TNY_OK)
    return tny_lab_keeper_release(connection, error);
  close(connection);
  const enum tny_status ended = tny_lab_keeper_end(&keeper, error);
  return status != TNY_OK ? status : ended;
}

/* Reads which keeper the state folder names; *found is false where it names none. */
static enum tny_status find_keeper(const struct tny_lab_folder *folder,
                                   struct tny_lab_keeper *keeper, bool *found,
                                   struct tny_error *error)
{
  *found = tny_lab_state_read(folder->directory, keeper, NULL);
  if (*found || !errno || errno == ENOENT)
    return TNY_OK;
  return tny_error_set(error, TNY_SYSTEM, "can't read %s/lab: %s", folder->directory,
                       strerror(errno));
}

/* Clears what a killed lab of this name left. Refuses where a lab of this name is up. */
static enum tny_status clear_name(const struct tny_lab_folder *folder, struct tny_error *error)
{
  char down[TNY_LAB_COMMAND_MAX];
  struct tny_lab_keeper keeper;
  bool found;
  const enum tny_status status = find_keeper(folder, &keeper, &found, error);
  if (status != TNY_OK || !found)
    return status;
  tny_lab_command("down", folder->name, down);
  if (tny_lab_keeper_lives(&keeper))
    return tny_error_set(error, TNY_REFUSED,
                         "a lab named '%s' is up already: end it with '%s', or give this one "
                         "another name with --name",
                         folder->name, down);
  return tny_lab_keeper_end(&keeper, error);
}

/* Locks the name and brings the lab up. A signal that comes meanwhile is blocked until what was
   begun is undone; once the lab stands it stays blocked, or it would end a caller that hasn't yet
   said so. */
static enum tny_status raise_named(const char *name, struct tny_lab_spec *spec,
                                   struct tny_error *error)
{
  struct tny_lab_folder folder;
  enum tny_status status = tny_lab_folder_find(name, &folder, error);
  if (status == TNY_OK)
    status = tny_lab_folder_lock(&folder, true, error);
  if (status != TNY_OK)
    return status;
  sigset_t before;
  tny_lab_signals_block(&before);
  spec->directory = folder.directory;
  status = clear_name(&folder, error);
  if (status == TNY_OK) {
    status = raise_lab(&folder, spec, error);
    if (status != TNY_OK)
      tny_lab_folder_remove(&folder);
  }
  tny_lab_folder_unlock(&folder);
  if (status != TNY_OK)
    tny_lab_signals_restore(&before);
  return status;
}

/* Makes the cluster as the lab has it, every port with the buffer that was asked for. Owns: *links
   is the caller's, tny_free. */
static enum tny_status set_buffers(const struct tny_cluster *cluster, uint64_t buffer_bytes,
                                   struct tny_cluster *changed, struct tny_link **links,
                                   struct tny_error *error)
{
  *links = tny_new(cluster->link_count, sizeof **links);
  if (!*links)
    return tny_error_memory(error);
  for (uint32_t l = 0; l < cluster->link_count; l++) {
    (*links)[l] = cluster->links[l];
    if (buffer_bytes)
      (*links)[l].buffer_bytes = buffer_bytes * tny_link_relied_cables(&(*links)[l]);
  }
  *changed = *cluster;
  changed->links = *links;
  return tny_lab_wiring_check(changed, error);
}

enum tny_status tny_lab_up(const struct tny_cluster *cluster, const struct tny_lab_options *options,
                           struct tny_error *error)
{
  char ip[256], tc[256];
  struct tny_cluster changed;
  struct tny_link *links = NULL;
  struct tny_routes *routes = NULL;
  struct tny_lab_needs needs;
  struct tny_lab_capacity capacity;
  struct tny_lab_spec spec = {.cluster = &changed, .ip = ip, .tc = tc, .options = options};
  spec.congestion = options->congestion ? options->congestion : "cubic";
  enum tny_status status = refuse_inside(error);
  if (status == TNY_OK)
    status = tny_lab_congestion_check(spec.congestion, error);
  if (status == TNY_OK)
    status = tny_lab_tool_find("ip", "iproute2", ip, error);
  if (status == TNY_OK)
    status = tny_lab_tool_find("tc", "iproute2", tc, error);
  if (status == TNY_OK)
    status = set_buffers(cluster, options->buffer_bytes, &changed, &links, error);
  tny_lab_needs_of(cluster, &needs);
  tny_lab_capacity_find(&capacity);
  if (status == TNY_OK)
    status = tny_lab_capacity_check(&needs, &capacity, error);
  if (status == TNY_OK)
    status = tny_routes_make(&changed, &routes, error);
  spec.routes = routes;
  if (status == TNY_OK)
    status = raise_named(options->name, &spec, error);
  if (routes)
    tny_routes_free(routes);
  tny_free(links);
  return status;
}

enum tny_status tny_lab_down(const char *name, struct tny_error *error)
{
  struct tny_lab_folder folder;
  struct tny_lab_keeper keeper;
  bool found = false;
  enum tny_status status = refuse_inside(error);
  if (status == TNY_OK)
    status = tny_lab_folder_find(name, &folder, error);
  if (status == TNY_OK)
    status = tny_lab_folder_lock(&folder, false, error);
  if (status != TNY_OK)
    return status;
  status = find_keeper(&folder, &keeper, &found, error);
  if (status == TNY_OK && found)
    status = tny_lab_keeper_end(&keeper, error);
  if (status == TNY_OK)
    tny_lab_folder_remove(&folder);
  tny_lab_folder_unlock(&folder);
  return status;
}

static double seconds_since(unsigned long long start_ticks)
{
  struct timespec now;
  clock_gettime(CLOCK_BOOTTIME, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec -
         (double)start_ticks / (double)sysconf(_SC_CLK_TCK);
}

/* The state folder of the lab that the caller runs in. */
static void find_inside(struct tny_lab_folder *folder)
{
  const char *directory = getenv(TNY_LAB_INSIDE);
  const char *name = strrchr(directory, '/');
  *folder = (struct tny_lab_folder){.lock = -1, .exists = true};
  snprintf(folder->directory, sizeof folder->directory, "%s", directory);
  snprintf(folder->name, sizeof folder->name, "%s", name ? name + 1 : directory);
}

static enum tny_status read_lab(const struct tny_lab_folder *folder, struct tny_lab *lab,
                                struct tny_error *error)
{
  char path[TNY_LAB_PATH_MAX], *flat;
  struct tny_lab_keeper keeper;
  lab->inside = caller_is_inside();
  if (!folder->exists || !tny_lab_state_read(folder->directory, &keeper, lab->congestion) ||
      (!lab->inside && !tny_lab_keeper_lives(&keeper)))
    return tny_lab_refuse_missing(folder->name, error);
  snprintf(lab->name, sizeof lab->name, "%s", folder->name);
  snprintf(lab->directory, sizeof lab->directory, "%s", folder->directory);
  lab->keeper = keeper.pid;
  lab->up_seconds = seconds_since(keeper.start_ticks);
  tny_lab_folder_path(folder->directory, "cluster", path);
  enum tny_status status = tny_lab_file_read(path, &flat, error);
  if (status == TNY_OK)
    status = tny_cluster_read_flat(flat, &lab->cluster, error);
  tny_text_free(flat);
  return status;
}

enum tny_status tny_lab_open(const char *name, struct tny_lab **lab, struct tny_error *error)
{
  struct tny_lab_folder folder;
  enum tny_status status = TNY_OK;
  *lab = NULL;
  if (caller_is_inside())
    find_inside(&folder);
  else
    status = tny_lab_folder_find(name, &folder, error);
  if (status != TNY_OK)
    return status;
  struct tny_lab *opened = tny_new(1, sizeof *opened);
  if (!opened)
    return tny_error_memory(error);
  opened->measuring = -1;
  status = read_lab(&folder, opened, error);
  if (status == TNY_OK)
    *lab = opened;
  else
    tny_lab_close(opened);
  return status;
}

void tny_lab_close(struct tny_lab *lab)
{
  if (!lab)
    return;
  if (lab->measuring >= 0)
    close(lab->measuring);
  tny_cluster_free(lab->cluster);
  tny_free(lab);
}

/* Appends a copy of the name to the list, which ends with NULL. */
static bool append(char ***names, size_t *count, const char *name)
{
  char **longer = tny_resize(*names, *count + 2, sizeof **names);
  if (!longer)
    return false;
  *names = longer;
  longer[*count] = tny_copy_text(name);
  longer[*count + 1] = NULL;
  return longer[(*count)++] != NULL;
}

enum tny_status tny_lab_list(char ***names, struct tny_error *error)
{
  struct tny_lab_folder folder;
  size_t count = 0;
  *names = NULL;
  const enum tny_status status = tny_lab_folder_find("lab", &folder, error);
  if (status != TNY_OK)
    return status;
  *strrchr(folder.directory, '/') = '\0';
  *names = tny_new(1, sizeof **names);
  bool fine = *names != NULL;
  DIR *listing = fine ? opendir(folder.directory) : NULL;
  for (struct dirent *entry; fine && listing && (entry = readdir(listing));)
    if (entry->d_name[0] != '.')
      fine = append(names, &count, entry->d_name);
  if (listing)
    closedir(listing);
  if (fine)
    return TNY_OK;
  tny_lab_list_free(*names);
  *names = NULL;
  return tny_error_memory(error);
}

void tny_lab_list_free(char **names)
{
  for (size_t i = 0; names && names[i]; i++)
    tny_free(names[i]);
  tny_free(names);
}
