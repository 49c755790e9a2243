/* `tourney plan`: has the schedule of one collective on one cluster made and proved
   (shared/planning), and shows it. */
#include "show.h"

#include "cli/shared/drawing/draw.h"
#include "cli/shared/help.h"
#include "cli/shared/options.h"
#include "cli/shared/profile/profile_file.h"
#include "cli/shared/progress.h"
#include "cli/shared/report.h"
#include "cli/shared/subcommands.h"
#include "cli/shared/whole_file.h"

static enum tny_status write_shown(const struct plan *plan, const struct plan_options *options,
                                   char **shown, struct tny_error *error)
{
  if (plan->is_outline)
    return plan_write_outline(plan, shown, error);
  if (options->summary_csv)
    return plan_write_csv(plan, shown, error);
  return options->format == CLI_JSON ? plan_write_json(plan, options, shown, error)
                                     : plan_write_text(plan, options, shown, error);
}

/* A picture goes to the file instead of being printed; else the file has the text form. */
static enum tny_status write_output(const struct plan *plan, const struct plan_options *options,
                                    char **shown, struct tny_error *error)
{
  if (!options->output)
    return TNY_OK;
  if (options->show == PLAN_PICTURE) {
    const enum tny_status status = draw_to_file(*shown, options->output, error);
    **shown = '\0';
    return status;
  }
  char *steps = NULL;
  enum tny_status status = tny_schedule_write(plan->schedule, &steps, error);
  if (status == TNY_OK)
    status = whole_file_write(options->output, steps, error);
  tny_text_free(steps);
  return status;
}

static int store(const struct plan_options *options)
{
  struct progress progress = progress_begin();
  struct tny_error error = {0};
  char *shown = NULL;
  const enum tny_status status = plan_store(options, &progress, &shown, &error);
  progress_clear(&progress);
  return cli_finish(status, shown, &error);
}

int cli_plan(int argc, char **argv)
{
  struct plan_options options;
  struct tny_error error = {0};
  if (plan_options_read(argc, argv, &options, &error) != TNY_OK)
    return cli_usage_error("plan", "%s", error.text);
  if (options.help)
    return cli_print_help(plan_help);
  if (options.store)
    return store(&options);
  struct plan plan = {.request = &options.request};
  struct progress progress = progress_begin();
  char *shown = NULL;
  struct profile_file file = {0};
  enum tny_status status =
      options.profile ? profile_file_read(options.profile, &file, &error) : TNY_OK;
  options.request.profile = file.profile;
  if (status == TNY_OK)
    status = plan_make(&plan, &progress, &error);
  progress_show(&progress, "writing the plan");
  if (status == TNY_OK)
    status = write_shown(&plan, &options, &shown, &error);
  if (status == TNY_OK)
    status = write_output(&plan, &options, &shown, &error);
  progress_clear(&progress);
  const int code = cli_finish(status, shown, &error);
  plan_release(&plan);
  profile_file_release(&file);
  return code;
}
