/* `tourney plan`: the schedule of one collective on one cluster, proved. */
#include "plan.h"

#include "cli.h"
#include "draw.h"
#include "whole_file.h"

static enum tny_status write_shown(const struct plan *plan, char **shown, struct tny_error *error)
{
  const struct plan_options *options = plan->options;
  if (plan->is_outline)
    return plan_write_outline(plan, shown, error);
  if (options->summary_csv)
    return plan_write_csv(plan, shown, error);
  return options->format == SCENE_JSON ? plan_write_json(plan, shown, error)
                                       : plan_write_text(plan, shown, error);
}

/* A picture goes to the file instead of being printed; else the file has the text form. */
static enum tny_status write_output(const struct plan *plan, char **shown, struct tny_error *error)
{
  const char *path = plan->options->output;
  if (!path)
    return TNY_OK;
  if (plan->options->show == PLAN_PICTURE) {
    const enum tny_status status = draw_to_file(*shown, path, error);
    **shown = '\0';
    return status;
  }
  char *steps = NULL;
  enum tny_status status = tny_schedule_write(plan->schedule, &steps, error);
  if (status == TNY_OK)
    status = whole_file_write(path, steps, error);
  tny_text_free(steps);
  return status;
}

static int plan_and_show(struct plan *plan)
{
  const struct plan_options *options = plan->options;
  struct progress progress = progress_begin();
  struct tny_error error = {0};
  char *shown = NULL;
  progress_show(&progress, "planning");
  const struct scene_wanted wanted = {.cluster = options->cluster,
                                      .routing = options->routing,
                                      .map = options->map,
                                      .ranks = options->ranks};
  enum tny_status status = scene_open(&plan->scene, &wanted, &error);
  if (status == TNY_OK)
    status = plan_make(plan, &progress, &error);
  progress_show(&progress, "writing the plan");
  if (status == TNY_OK)
    status = write_shown(plan, &shown, &error);
  if (status == TNY_OK)
    status = write_output(plan, &shown, &error);
  progress_clear(&progress);
  const int code = status == TNY_OK ? cli_print(shown) : cli_fail(&error);
  tny_text_free(shown);
  plan_release(plan);
  return code;
}

int cli_plan(int argc, char **argv)
{
  struct plan_options options;
  struct tny_error error = {0};
  if (plan_options_read(argc, argv, &options, &error) != TNY_OK)
    return cli_usage_error("plan", "%s", error.text);
  if (options.help)
    return cli_print_help(plan_help);
  struct plan plan = {.options = &options,
                      .may_outline = options.show == PLAN_SUMMARY && !options.summary_csv &&
                                     options.format != SCENE_JSON && !options.output &&
                                     !options.pattern && options.separation == TNY_SEPARATE_NONE};
  return plan_and_show(&plan);
}
