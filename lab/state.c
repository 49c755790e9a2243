/* Finding, locking, reading, writing and removing the state folder; looking whether a keeper
   lives. */
#include "lab/state.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "core/text.h"

static enum tny_status check_name(const char *name, struct tny_error *error)
{
  const size_t length = strlen(name);
  bool fine = length > 0 && length <= TNY_LAB_NAME_MAX && isalnum((unsigned char)name[0]);
  for (size_t i = 0; i < length && fine; i++)
    fine = isalnum((unsigned char)name[i]) || strchr("._-", name[i]);
  if (!fine)
    return tny_error_set(error, TNY_BAD_INPUT,
                         "'%.40s' can't name a lab: use up to %d letters, digits, '.', '_' or '-', "
                         "a letter or digit first",
                         name, TNY_LAB_NAME_MAX);
  return TNY_OK;
}

/* `ip -batch` and mpirun cut their arguments at spaces, and quotes, '#' and the like have a meaning
   to them. A path with such a character can't be given to them. */
static bool is_plain_path(const char *path)
{
  for (const char *at = path; *at; at++)
    if (!isalnum((unsigned char)*at) && (unsigned char)*at < 128 && !strchr("/._-+=@,:~%", *at))
      return false;
  return path[0] == '/';
}

/* Writes the folder of all labs of this user: in the user's runtime folder, where that can
   serve. */
static void base_directory(char base[128])
{
  const char *runtime = getenv("XDG_RUNTIME_DIR");
  struct stat info;
  if (runtime && is_plain_path(runtime) && strlen(runtime) < 100 && stat(runtime, &info) == 0 &&
      info.st_uid == geteuid() && access(runtime, W_OK) == 0)
    snprintf(base, 128, "%.100s/tourney", runtime);
  else
    snprintf(base, 128, "/tmp/tourney-lab-%u", (unsigned)geteuid());
}

/* Looks whether the folder exists. Refuses one that others could have made or may write to. */
static enum tny_status check_folder(const char *path, bool *exists, struct tny_error *error)
{
  struct stat info;
  *exists = lstat(path, &info) == 0;
  if (!*exists && errno == ENOENT)
    return TNY_OK;
  if (!*exists)
    return tny_error_set(error, TNY_SYSTEM, "can't look at %s: %s", path, strerror(errno));
  if (!S_ISDIR(info.st_mode) || info.st_uid != geteuid() || (info.st_mode & 077))
    return tny_error_set(error, TNY_SYSTEM,
                         "%s isn't a folder of this user alone: remove it, or set XDG_RUNTIME_DIR",
                         path);
  return TNY_OK;
}

/* Checks the base first: once that is this user's alone, nobody else can change what is below
   it. */
static enum tny_status check_folders(struct tny_lab_folder *folder, struct tny_error *error)
{
  char base[128];
  base_directory(base);
  enum tny_status status = check_folder(base, &folder->exists, error);
  if (status == TNY_OK && folder->exists)
    status = check_folder(folder->directory, &folder->exists, error);
  return status;
}

/* The name of the lab that is meant where none is given. */
static const char *default_name(void)
{
  const char *name = getenv("TOURNEY_LAB");
  return name && name[0] ? name : "lab";
}

void tny_lab_command(const char *verb, const char *name, char command[TNY_LAB_COMMAND_MAX])
{
  const bool named = strcmp(name, default_name()) != 0;
  snprintf(command, TNY_LAB_COMMAND_MAX, "tourney lab %s%s%s", verb, named ? " --name " : "",
           named ? name : "");
}

enum tny_status tny_lab_refuse_missing(const char *name, struct tny_error *error)
{
  char command[TNY_LAB_COMMAND_MAX];
  tny_lab_command("up", name, command);
  return tny_error_set(error, TNY_REFUSED,
                       "no lab named '%s' is up: bring one up with '%s CLUSTER'", name, command);
}

void tny_lab_folder_path(const char *directory, const char *file, char path[TNY_LAB_PATH_MAX])
{
  snprintf(path, TNY_LAB_PATH_MAX, "%s/%s", directory, file);
}

enum tny_status tny_lab_folder_find(const char *name, struct tny_lab_folder *folder,
                                    struct tny_error *error)
{
  *folder = (struct tny_lab_folder){.lock = -1};
  if (!name || !name[0])
    name = default_name();
  const enum tny_status status = check_name(name, error);
  if (status != TNY_OK)
    return status;
  char base[128];
  base_directory(base);
  snprintf(folder->name, sizeof folder->name, "%s", name);
  snprintf(folder->directory, sizeof folder->directory, "%.120s/%.32s", base, name);
  return check_folders(folder, error);
}

/* Locks a folder that exists. Returns 0, or errno. */
static int lock_existing(struct tny_lab_folder *folder)
{
  for (;;) {
    const int lock = open(folder->directory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (lock < 0)
      return errno;
    struct stat locked, named;
    if (flock(lock, LOCK_EX) == 0 && fstat(lock, &locked) == 0 &&
        stat(folder->directory, &named) == 0 && locked.st_ino == named.st_ino) {
      folder->lock = lock;
      return 0;
    }
    close(lock); /* Another process removed the folder while this one waited. */
  }
}

/* Makes the folder where there is none. Returns TNY_OK also where another process has removed it
   again meanwhile; locking then finds that out. */
static enum tny_status make_directory(const struct tny_lab_folder *folder, struct tny_error *error)
{
  char base[128];
  bool exists;
  base_directory(base);
  if (mkdir(base, 0700) < 0 && errno != EEXIST)
    return tny_error_set(error, TNY_SYSTEM, "can't make the folder %s: %s", base, strerror(errno));
  const enum tny_status status = check_folder(base, &exists, error);
  if (status != TNY_OK)
    return status;
  if (mkdir(folder->directory, 0700) < 0 && errno != EEXIST && errno != ENOENT)
    return tny_error_set(error, TNY_SYSTEM, "can't make the folder %s: %s", folder->directory,
                         strerror(errno));
  return TNY_OK;
}

enum tny_status tny_lab_folder_lock(struct tny_lab_folder *folder, bool make,
                                    struct tny_error *error)
{
  for (;;) {
    const enum tny_status status = make ? make_directory(folder, error) : TNY_OK;
    if (status != TNY_OK)
      return status;
    const int reason = lock_existing(folder);
    if (!reason) {
      /* What is locked may be another folder than the one that was found. */
      const enum tny_status checked = check_folders(folder, error);
      if (checked != TNY_OK)
        tny_lab_folder_unlock(folder);
      return checked;
    }
    if (reason == ENOENT && make)
      continue;
    if (reason == ENOENT)
      return tny_lab_refuse_missing(folder->name, error);
    return tny_error_set(error, TNY_SYSTEM, "can't open the folder %s: %s", folder->directory,
                         strerror(reason));
  }
}

void tny_lab_folder_remove(const struct tny_lab_folder *folder)
{
  static const char *const files[] = {"lab", "lab.new", "cluster", "measuring"};
  char path[TNY_LAB_PATH_MAX];
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    tny_lab_folder_path(folder->directory, files[i], path);
    unlink(path);
  }
  tny_lab_folder_path(folder->directory, "in", path);
  rmdir(path);
  rmdir(folder->directory);
  char base[128];
  base_directory(base);
  rmdir(base); /* This fails where another lab has its folder there. */
}

void tny_lab_folder_unlock(struct tny_lab_folder *folder)
{
  if (folder->lock >= 0)
    close(folder->lock);
  folder->lock = -1;
}

/* The fields of /proc/PID/stat by which a keeper is recognised. */
struct process {
  char state;
  unsigned flags;
  unsigned long long start_ticks;
};

/* Returns 0, or errno: ESRCH where there is no such process. */
static int read_process(pid_t pid, struct process *process)
{
  char path[64], line[1024];
  if (pid <= 0)
    return ESRCH;
  snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
  FILE *file = fopen(path, "re");
  if (!file)
    return errno == ENOENT ? ESRCH : errno;
  errno = EIO;
  const bool got = fgets(line, sizeof line, file);
  const int reason = errno; /* ESRCH where the process ended meanwhile */
  fclose(file);
  const char *rest = got ? strrchr(line, ')') : NULL;
  if (rest && sscanf(rest,
                     ") %c %*d %*d %*d %*d %*d %u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d "
                     "%*d %llu",
                     &process->state, &process->flags, &process->start_ticks) == 3)
    return 0;
  return got ? EIO : reason;
}

/* Whether the process is the keeper; a zombie has ended. */
static bool is_keeper(const struct process *process, const struct tny_lab_keeper *keeper)
{
  return process->start_ticks == keeper->start_ticks && process->state != 'Z' &&
         process->state != 'X';
}

bool tny_lab_keeper_date(struct tny_lab_keeper *keeper)
{
  struct process process;
  if (read_process(keeper->pid, &process) != 0)
    return false;
  keeper->start_ticks = process.start_ticks;
  return true;
}

enum tny_status tny_lab_keeper_look(const struct tny_lab_keeper *keeper, bool *exists,
                                    struct tny_error *error)
{
  struct process process;
  const int reason = read_process(keeper->pid, &process);
  *exists = reason == 0 && is_keeper(&process, keeper);
  if (reason == 0 || reason == ESRCH)
    return TNY_OK;
  return tny_error_set(error, TNY_SYSTEM,
                       "can't tell whether the lab's keeper, process %d, lives: %s",
                       (int)keeper->pid, strerror(reason));
}

bool tny_lab_keeper_lives(const struct tny_lab_keeper *keeper)
{
  const unsigned exiting = 4; /* the kernel's PF_EXITING */
  struct process process;
  return read_process(keeper->pid, &process) == 0 && is_keeper(&process, keeper) &&
         !(process.flags & exiting);
}

enum tny_status tny_lab_file_read(const char *path, char **text, struct tny_error *error)
{
  struct tny_text all = {0};
  *text = NULL;
  FILE *file = fopen(path, "re");
  if (!file)
    return tny_error_set(error, TNY_SYSTEM, "can't read %s: %s", path, strerror(errno));
  char piece[4096];
  size_t got;
  while ((got = fread(piece, 1, sizeof piece, file)) > 0)
    tny_text_add(&all, "%.*s", (int)got, piece);
  fclose(file);
  return tny_text_take(&all, text, error);
}

enum tny_status tny_lab_file_write(const char *path, const char *text, struct tny_error *error)
{
  FILE *file = fopen(path, "we");
  bool fine = file && fputs(text, file) >= 0;
  int reason = errno;
  if (file && fclose(file) != 0 && fine) {
    fine = false;
    reason = errno;
  }
  if (!fine)
    return tny_error_set(error, TNY_SYSTEM, "can't write %s: %s", path, strerror(reason));
  return TNY_OK;
}

enum tny_status tny_lab_state_write(const struct tny_lab_folder *folder,
                                    const struct tny_lab_keeper *keeper, const char *congestion,
                                    const struct tny_cluster *cluster, struct tny_error *error)
{
  char path[TNY_LAB_PATH_MAX], made[TNY_LAB_PATH_MAX], text[160], *flat;
  enum tny_status status = tny_cluster_write_flat(cluster, &flat, error);
  if (status != TNY_OK)
    return status;
  tny_lab_folder_path(folder->directory, "cluster", path);
  status = tny_lab_file_write(path, flat, error);
  tny_text_free(flat);
  if (status != TNY_OK)
    return status;
  snprintf(text, sizeof text, "tourney-lab 1\nkeeper %d %llu\ncongestion %s\n", (int)keeper->pid,
           keeper->start_ticks, congestion);
  tny_lab_folder_path(folder->directory, "lab.new", path);
  tny_lab_folder_path(folder->directory, "lab", made);
  status = tny_lab_file_write(path, text, error);
  if (status == TNY_OK && rename(path, made) < 0)
    status = tny_error_set(error, TNY_SYSTEM, "can't write %s: %s", made, strerror(errno));
  return status;
}

bool tny_lab_state_read(const char *directory, struct tny_lab_keeper *keeper, char *congestion)
{
  char path[TNY_LAB_PATH_MAX], name[32];
  tny_lab_folder_path(directory, "lab", path);
  FILE *file = fopen(path, "re");
  if (!file)
    return false;
  errno = 0;
  const int got = fscanf(file, "tourney-lab 1 keeper %d %llu congestion %31s", &keeper->pid,
                         &keeper->start_ticks, name);
  fclose(file);
  if (got == 3 && congestion)
    snprintf(congestion, sizeof name, "%s", name);
  return got == 3;
}
