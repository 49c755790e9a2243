/* Recognises the MPI of a command: what programs are linked with, what scripts start, which MPI a
   launcher is of. Nothing of the user's is run but the dynamic loader, an MPI's launcher with
   --version, and Python, to ask where mpi4py is. */
#include "which_mpi.h"

#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "lab/lab.h"
#include "lab/process.h"
#include "programs.h"

enum { SCRIPT_BYTES_MAX = 65536, DEPTH_MAX = 3 };

static const struct {
  const char *name, *title;
  const char *library; /* that a program needs */
} mpis[LAUNCH_MPI_COUNT] = {
    [LAUNCH_OPENMPI] = {"openmpi", "Open MPI", "libmpi.so.40"},
    [LAUNCH_MPICH] = {"mpich", "MPICH", "libmpich.so.12"},
};

const char *launch_mpi_name(enum launch_mpi mpi)
{
  return mpis[mpi].name;
}

const char *launch_mpi_title(enum launch_mpi mpi)
{
  return mpis[mpi].title;
}

enum tny_status launch_mpi_parse(const char *name, enum launch_mpi *mpi, struct tny_error *error)
{
  for (int i = 0; i < LAUNCH_MPI_COUNT; i++)
    if (strcmp(name, mpis[i].name) == 0) {
      *mpi = (enum launch_mpi)i;
      return TNY_OK;
    }
  return tny_error_set(error, TNY_BAD_INPUT,
                       "there is no runtime for '%s', only for openmpi and mpich", name);
}

enum tny_status launch_mpi_take(void *mpi, const char *name, struct tny_error *error)
{
  return launch_mpi_parse(name, mpi, error);
}

/* --- programs --- */

/* A file in memory. */
struct image {
  const char *bytes; /* NULL: it can't be read */
  size_t count;
};

static struct image map_file(const char *path)
{
  struct image image = {0};
  struct stat info;
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file >= 0 && fstat(file, &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0) {
    void *bytes = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    if (bytes != MAP_FAILED)
      image = (struct image){bytes, (size_t)info.st_size};
  }
  if (file >= 0)
    close(file);
  return image;
}

static void unmap(const struct image *image)
{
  if (image->bytes)
    munmap((void *)image->bytes, image->count);
}

/* The dynamic loader that a program of this machine's kind asks for; NULL: none. */
static const char *find_loader(const struct image *image)
{
  const Elf64_Ehdr *header = (const Elf64_Ehdr *)image->bytes;
  if (image->count < sizeof *header || header->e_ident[EI_CLASS] != ELFCLASS64 ||
      header->e_phoff + (size_t)header->e_phnum * sizeof(Elf64_Phdr) > image->count)
    return NULL;
  const Elf64_Phdr *parts = (const Elf64_Phdr *)(image->bytes + header->e_phoff);
  for (int i = 0; i < header->e_phnum; i++)
    if (parts[i].p_type == PT_INTERP && parts[i].p_filesz > 0 &&
        parts[i].p_offset + parts[i].p_filesz <= image->count &&
        image->bytes[parts[i].p_offset + parts[i].p_filesz - 1] == '\0')
      return image->bytes + parts[i].p_offset;
  return NULL;
}

static bool settle(struct launch_uses *uses, enum launch_found found, const char *where)
{
  uses->found = found;
  snprintf(uses->where, sizeof uses->where, "%.200s", where);
  return true;
}

/* The library of several MPIs that go back to MPICH. */
static const char many[] = "libmpi.so.12";

/* Whether a line of the loader's list, "libmpi.so.40 => PATH (ADDRESS)", is an MPI's library. */
static bool read_library(const char *line, struct launch_uses *uses, const char *where)
{
  line += strspn(line, " \t");
  const size_t length = strcspn(line, " \t\n");
  for (int i = 0; i < LAUNCH_MPI_COUNT; i++) {
    if (strlen(mpis[i].library) != length || strncmp(line, mpis[i].library, length) != 0)
      continue;
    uses->mpi = (enum launch_mpi)i;
    return settle(uses, LAUNCH_FOUND, where);
  }
  if (strncmp(line, "libmpi.so.", 10) != 0 && strncmp(line, "libmpich.so.", 12) != 0)
    return false;
  const bool is_one_of_many = strncmp(line, many, length) == 0 && strlen(many) == length;
  snprintf(uses->library, sizeof uses->library, "%.*s%s", (int)length, line,
           is_one_of_many ? " (Intel MPI, MVAPICH, or an MPICH of its own build)" : "");
  return settle(uses, LAUNCH_OTHER, where);
}

/* What a program or library needs, all that its libraries need too. */
static bool look_at_libraries(const char *loader, const char *path, struct launch_uses *uses)
{
  char *const argv[] = {(char *)loader, (char *)"--list", (char *)path, NULL};
  const struct tny_lab_helper helper = {.argv = argv, .input = "", .netns = -1};
  char *said = NULL;
  bool is_settled = false;
  if (tny_lab_helper_run(&helper, &said, NULL) == TNY_OK)
    for (const char *line = said; line && !is_settled; line = strchr(line, '\n')) {
      line += *line == '\n';
      is_settled = read_library(line, uses, path);
    }
  tny_text_free(said);
  return is_settled;
}

/* Where the program is a Python: its module mpi4py. */
static bool look_at_python(const char *loader, const char *path, struct launch_uses *uses)
{
  static const char question[] =
      "import importlib.util as u; s = u.find_spec('mpi4py.MPI'); print(s.origin if s else '')";
  const char *slash = strrchr(path, '/');
  if (strncmp(slash ? slash + 1 : path, "python", strlen("python")) != 0)
    return false;
  char *const argv[] = {(char *)path, (char *)"-c", (char *)question, NULL};
  const struct tny_lab_helper helper = {.argv = argv, .input = "", .netns = -1};
  char *said = NULL;
  bool is_settled = false;
  if (tny_lab_helper_run(&helper, &said, NULL) == TNY_OK && said[0] == '/') {
    said[strcspn(said, "\n")] = '\0';
    is_settled = look_at_libraries(loader, said, uses);
  }
  tny_text_free(said);
  return is_settled;
}

static bool look_at_binary(const struct image *image, const char *path, struct launch_uses *uses)
{
  static const char symbol[] = "\0PMPI_Init"; /* in a table of names, with both its zeros */
  const char *loader = find_loader(image);
  if (loader && (look_at_libraries(loader, path, uses) || look_at_python(loader, path, uses)))
    return true;
  return memmem(image->bytes, image->count, symbol, sizeof symbol) &&
         settle(uses, LAUNCH_STATIC, path);
}

/* --- scripts and words --- */

static bool look_at_word(const char *word, int depth, struct launch_uses *uses);

/* Every word of a script that names a program; a script of another language than the shell's names
   its interpreter. */
static bool look_at_script(const struct image *image, int depth, struct launch_uses *uses)
{
  static const char between[] = " \t\n\"'`()[]{};&|<>=$!";
  char word[PATH_MAX];
  bool is_settled = false;
  const size_t end = image->count < SCRIPT_BYTES_MAX ? image->count : SCRIPT_BYTES_MAX;
  for (size_t i = 2; i < end && !is_settled;) {
    size_t length = 0;
    while (i + length < end && !strchr(between, image->bytes[i + length]))
      length++;
    if (length > 0 && length < sizeof word) {
      memcpy(word, image->bytes + i, length);
      word[length] = '\0';
      is_settled = look_at_word(word, depth + 1, uses);
    }
    i += length + 1;
  }
  return is_settled;
}

/* The MPI that a launcher is of, by its name, by what that is a link to, or by what it says. */
static bool look_at_launcher(const char *path, struct launch_uses *uses)
{
  static const char *const names[] = {"mpirun", "mpiexec", "orterun", "prterun", "hydra"};
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  bool is_launcher = false;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    is_launcher |= strncmp(name, names[i], strlen(names[i])) == 0;
  if (!is_launcher)
    return false;
  uses->mpi = tny_lab_is_other_mpi(path) ? LAUNCH_MPICH : LAUNCH_OPENMPI;
  snprintf(uses->launcher, sizeof uses->launcher, "%.200s", path);
  return settle(uses, LAUNCH_FOUND, path);
}

/* This tool names what it looks for, and is no MPI program. */
static bool is_this_tool(const char *path)
{
  struct stat own, other;
  return stat("/proc/self/exe", &own) == 0 && stat(path, &other) == 0 &&
         own.st_ino == other.st_ino && own.st_dev == other.st_dev;
}

/* Whether a word settles it. A launcher is kept as a hint, while nothing else is found. */
static bool look_at_word(const char *word, int depth, struct launch_uses *uses)
{
  char path[PATH_MAX];
  if (depth > DEPTH_MAX || word[0] == '-' || !launch_find_program(word, path) || is_this_tool(path))
    return false;
  if (uses->found == LAUNCH_UNKNOWN && look_at_launcher(path, uses))
    return false;
  const struct image image = map_file(path);
  bool is_settled = false;
  if (image.count > SELFMAG && memcmp(image.bytes, ELFMAG, SELFMAG) == 0)
    is_settled = look_at_binary(&image, path, uses);
  else if (image.count > 2 && memcmp(image.bytes, "#!", 2) == 0)
    is_settled = look_at_script(&image, depth, uses);
  unmap(&image);
  return is_settled;
}

bool launch_is_lab_run(char *const *words)
{
  const char *slash = strrchr(words[0], '/');
  return strcmp(slash ? slash + 1 : words[0], "tourney") == 0 && words[1] && words[2] &&
         strcmp(words[1], "lab") == 0 && strcmp(words[2], "run") == 0;
}

/* `tourney lab run --mpi NAME` is told. */
static bool look_at_lab_run(char *const *words, struct launch_uses *uses)
{
  if (!launch_is_lab_run(words))
    return false;
  for (char *const *word = words + 3; *word && strcmp(*word, "--") != 0; word++) {
    const char *name = strncmp(*word, "--mpi=", 6) == 0 ? *word + 6
                       : strcmp(*word, "--mpi") == 0    ? word[1]
                                                        : NULL;
    if (name && launch_mpi_parse(name, &uses->mpi, NULL) == TNY_OK)
      return settle(uses, LAUNCH_FOUND, *word);
  }
  return false;
}

void launch_mpi_recognise(char *const *words, struct launch_uses *uses)
{
  *uses = (struct launch_uses){.found = LAUNCH_UNKNOWN};
  if (*words && look_at_lab_run(words, uses))
    return;
  for (; *words; words++)
    if (look_at_word(*words, 0, uses))
      return;
}
