/* Reads a schedule of any form. */
#include "schedule_file.h"

#include "core/file.h"

enum tny_status schedule_file_open(struct schedule_file *file, const char *path,
                                   struct tny_error *error)
{
  char *text = NULL;
  *file = (struct schedule_file){0};
  enum tny_status status = tny_file_read(path, &text, error);
  if (status != TNY_OK)
    return status;
  switch (tny_form_of(text)) {
  case TNY_FORM_STEPS:
    status = tny_schedule_read(text, path, &file->schedule, error);
    break;
  case TNY_FORM_GOAL:
    status = tny_goal_read(text, path, &file->foreign, error);
    break;
  case TNY_FORM_MSCCL:
    status = tny_msccl_read(text, path, &file->foreign, error);
    break;
  }
  tny_text_free(text);
  return status;
}

void schedule_file_close(struct schedule_file *file)
{
  tny_schedule_free(file->schedule);
  tny_foreign_free(file->foreign);
  *file = (struct schedule_file){0};
}
