/* `tourney simulate`: runs a schedule on the cluster's network, flit by flit, and shows what came
   out. */
#include "simulated.h"

#include "cli/shared/progress.h"
#include "cli/shared/report.h"
#include "cli/shared/subcommands.h"
#include "cli/shared/whole_file.h"

static enum tny_status draw(const struct simulated *simulated, struct tny_error *error)
{
  const struct simulate_options *options = simulated->options;
  char *timeline = NULL, *heatmap = NULL;
  enum tny_status status = TNY_OK;
  if (options->timeline)
    status = simulate_draw_timeline(simulated, &timeline, error);
  if (status == TNY_OK && options->heatmap)
    status = simulate_draw_heatmap(simulated, &heatmap, error);
  if (status == TNY_OK && timeline)
    status = whole_file_write(options->timeline, timeline, error);
  if (status == TNY_OK && heatmap)
    status = whole_file_write(options->heatmap, heatmap, error);
  tny_text_free(timeline);
  tny_text_free(heatmap);
  return status;
}

static enum tny_status write_shown(const struct simulated *simulated, char **shown,
                                   struct tny_error *error)
{
  if (simulated->options->csv)
    return simulate_write_csv(simulated, shown, error);
  return simulated->options->json ? simulate_write_json(simulated, shown, error)
                                  : simulate_write_text(simulated, shown, error);
}

static int simulate_and_show(struct simulated *simulated)
{
  struct progress progress = progress_begin();
  struct tny_error error = {0};
  char *shown = NULL;
  enum tny_status status = simulate_run(simulated, &progress, &error);
  progress_clear(&progress);
  int code = CLI_OK;
  if (status == TNY_BROKEN && simulated->deadlock) {
    const bool is_text = !simulated->options->json;
    if ((is_text ? simulate_write_deadlock : simulate_write_deadlock_json)(simulated, &shown,
                                                                           NULL) == TNY_OK)
      code = cli_print(shown);
  } else if (status == TNY_OK) {
    status = write_shown(simulated, &shown, &error);
    if (status == TNY_OK)
      status = draw(simulated, &error);
    if (status == TNY_OK)
      code = cli_print(shown);
  }
  tny_text_free(shown);
  if (status != TNY_OK)
    code = cli_fail(&error);
  simulate_release(simulated);
  return code;
}

int cli_simulate(int argc, char **argv)
{
  struct simulate_options options;
  struct tny_error error = {0};
  if (simulate_options_read(argc, argv, &options, &error) != TNY_OK)
    return cli_usage_error("simulate", "%s", error.text);
  if (options.help)
    return cli_print(simulate_help);
  struct simulated simulated = {.options = &options};
  return simulate_and_show(&simulated);
}
