/* --output DIR: writes the document, and each entry's numbers and chart. */
#include "reproduced.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/shared/whole_file.h"
#include "core/error.h"

#define FILES_FOLDER "reproduction"

/* PAPER-NAME.ENDING */
struct file_name {
  char text[128];
};

static struct file_name name_of(const struct reproduced *reproduced, const char *ending)
{
  struct file_name name;
  snprintf(name.text, sizeof name.text, "%s-%s.%s", reproduced->entry->paper,
           reproduced->entry->name, ending);
  return name;
}

/* A file's or a folder's path: FOLDER/NAME. */
struct path {
  char text[PATH_MAX];
};

static enum tny_status join(const char *folder, const char *name, struct path *path,
                            struct tny_error *error)
{
  const int length = snprintf(path->text, sizeof path->text, "%s/%s", folder, name);
  if (length > 0 && (size_t)length < sizeof path->text)
    return TNY_OK;
  return tny_error_set(error, TNY_BAD_INPUT, "the name of the folder is too long");
}

static enum tny_status make_folder(const char *path, struct tny_error *error)
{
  if (mkdir(path, 0777) == 0 || errno == EEXIST)
    return TNY_OK;
  return tny_error_at(error, TNY_SYSTEM, path, 0, 0, "can't be made: %s", strerror(errno));
}

enum tny_status reproduced_make_folders(const char *folder, struct tny_error *error)
{
  struct path files;
  enum tny_status status = join(folder, FILES_FOLDER, &files, error);
  if (status == TNY_OK)
    status = make_folder(folder, error);
  return status == TNY_OK ? make_folder(files.text, error) : status;
}

static enum tny_status write_file(const char *folder, struct file_name name, struct tny_text *text,
                                  struct tny_error *error)
{
  struct path path;
  char *taken;
  enum tny_status status = tny_text_take(text, &taken, error);
  if (status == TNY_OK)
    status = join(folder, name.text, &path, error);
  if (status == TNY_OK)
    status = whole_file_write(path.text, taken, error);
  tny_text_free(taken);
  return status;
}

static bool has_chart(const struct reproduced *reproduced)
{
  for (size_t i = 0; i < reproduced->findings.count; i++)
    if (reproduced_is_point(reproduced, &reproduced->findings.list[i]))
      return true;
  return false;
}

static enum tny_status write_chart(const struct reproduced *reproduced, const char *files,
                                   struct tny_error *error)
{
  struct path path;
  const enum tny_status status = join(files, name_of(reproduced, "svg").text, &path, error);
  return status == TNY_OK ? reproduced_draw(reproduced, path.text, error) : status;
}

enum tny_status reproduced_write_files(const struct reproduced *reproduced, const char *folder,
                                       struct tny_error *error)
{
  struct path files;
  struct tny_text text = {0};
  enum tny_status status = join(folder, FILES_FOLDER, &files, error);
  if (status != TNY_OK)
    return status;
  tny_text_add(&text, "%s", reproduced_csv_header);
  reproduced_write_csv(reproduced, &text);
  status = write_file(files.text, name_of(reproduced, "csv"), &text, error);
  return status == TNY_OK && has_chart(reproduced) ? write_chart(reproduced, files.text, error)
                                                   : status;
}

static void add_section(const struct reproduced *reproduced, struct tny_text *text)
{
  char picture[PATH_MAX];
  snprintf(picture, sizeof picture, FILES_FOLDER "/%s", name_of(reproduced, "svg").text);
  reproduced_write_markdown(reproduced, has_chart(reproduced) ? picture : NULL, text);
}

/* A line for each entry. */
static void add_overview(const struct reproduced *list, size_t count, struct tny_text *text)
{
  tny_text_add(text, "| table or figure | what | limits: in | out |\n|---|---|---:|---:|\n");
  for (size_t i = 0; i < count; i++)
    tny_text_add(text, "| %s/%s | %s | %zu | %zu |\n", list[i].entry->paper, list[i].entry->name,
                 list[i].entry->title, reproduced_count(&list[i], REPRODUCED_IN),
                 reproduced_count(&list[i], REPRODUCED_OUT));
  tny_text_add(text, "\n");
}

enum tny_status reproduced_write_document(const struct reproduced *list, size_t count,
                                          const char *command, const char *folder,
                                          struct tny_error *error)
{
  const struct file_name name = {"reproduction.md"};
  struct tny_text text = {0};
  tny_text_add(&text,
               "# The papers' tables and figures, made again\n\n"
               "Written by `%s`. The papers are named as in papers.bib. Ours is simulated, or\n"
               "counted in our schedules, with its quartiles where it is a median; the ratio is "
               "ours to the paper's; the\nlimits are those in which `--check` wants ours. The "
               "numbers of each are in reproduction/ as CSV.\n\n",
               command);
  add_overview(list, count, &text);
  for (size_t i = 0; i < count; i++) {
    if (i == 0 || strcmp(list[i - 1].entry->paper, list[i].entry->paper) != 0)
      tny_text_add(&text, "## %s\n\n", list[i].entry->paper);
    add_section(&list[i], &text);
  }
  return write_file(folder, name, &text, error);
}
