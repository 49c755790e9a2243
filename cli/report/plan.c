/* `tourney report plan`: a plan, made and proved as `tourney plan` does it, as a page. */
#include <getopt.h>
#include <sys/stat.h>

#include "cli/shared/help.h"
#include "cli/shared/options.h"
#include "cli/shared/pattern.h"
#include "cli/shared/profile/profile_file.h"
#include "cli/shared/progress.h"
#include "cli/shared/report.h"
#include "cli/shared/routing.h"
#include "core/error.h"
#include "page.h"
#include "plan_file.h"
#include "sections.h"
#include "subjects.h"

struct options {
  struct plan_request request;
  const char *file; /* with a plan; NULL: it is made here */
  const char *output, *profile;
  bool bytes_given, help;
};

static enum tny_status read_table(int argc, char **argv, struct options *options,
                                  struct tny_error *error)
{
  struct plan_request *request = &options->request;
  const struct cli_option table[] = {
      {.name = "output", .text = &options->output, .letter = 'o'},
      {.name = "algorithm", .text = &request->algorithm},
      {.name = "profile", .text = &options->profile},
      {.name = "ranks", .number = &request->ranks, .least = 1, .most = CLI_COUNT_MAX},
      {.name = "map", .map = &request->map},
      {.name = "routing", .text = &request->routing},
      {.name = "root", .number = &request->root, .most = CLI_COUNT_MAX},
      {.name = "bytes", .bytes = &request->bytes, .given = &options->bytes_given},
      {.name = "chunks",
       .number = &request->chunks,
       .least = 1,
       .most = CLI_COUNT_MAX,
       .given = &request->chunks_given},
      {.name = "window",
       .number = &request->window,
       .most = CLI_COUNT_MAX,
       .given = &request->window_given},
      {.name = "separate", .take = plan_separation_read, .into = &request->separation},
      {.name = "pattern", .text = &request->pattern},
      {.name = "help", .flag = &options->help},
      {0}};
  return cli_options_read(argc, argv, table, error);
}

/* What is no collective is a file, which says itself what is planned. */
static enum tny_status check_file(struct options *options, const char *path,
                                  struct tny_error *error)
{
  const struct plan_request *request = &options->request;
  const char *option = request->algorithm      ? "--algorithm"
                       : options->profile      ? "--profile"
                       : request->ranks        ? "--ranks"
                       : request->root         ? "--root"
                       : request->chunks_given ? "--chunks"
                       : request->window_given ? "--window"
                       : request->separation   ? "--separate"
                       : request->pattern      ? "--pattern"
                                               : NULL;
  struct stat found;
  options->file = path;
  if (stat(path, &found) != 0)
    return tny_error_set(error, TNY_BAD_INPUT,
                         "'%.200s' is no collective (%s), nor is there such a file", path,
                         tny_collective_names(NULL, ", ", ", ").text);
  if (!option)
    return TNY_OK;
  return tny_error_set(error, TNY_BAD_INPUT,
                       "%s is for what is planned here: %.200s isn't a collective, so it's taken "
                       "for a file with a plan",
                       option, path);
}

static enum tny_status read_options(int argc, char **argv, struct options *options,
                                    struct tny_error *error)
{
  struct plan_request *request = &options->request;
  *options = (struct options){.request = {.bytes = 65536, .proof = PLAN_PROOF_IN_FLIGHT}};
  const enum tny_status status = read_table(argc, argv, options, error);
  if (status != TNY_OK || options->help)
    return status;
  if (argc - optind != 2)
    return tny_error_set(error, TNY_BAD_INPUT, "a cluster and a collective are wanted");
  request->cluster = argv[optind];
  if (tny_collective_parse(argv[optind + 1], &request->collective, NULL) != TNY_OK)
    return check_file(options, argv[optind + 1], error);
  if (request->pattern && !tny_collective_is_pairwise(request->collective))
    return tny_error_set(error, TNY_BAD_INPUT, "only alltoall has a --pattern");
  return options->bytes_given ? plan_check_bytes(request, error) : TNY_OK;
}

static enum tny_status write_sections(const struct plan_steps *steps, const struct layout *layout,
                                      struct tny_text *html, struct tny_error *error)
{
  const struct plan *plan = steps->plan;
  char title[128], about[256];
  const struct certificate *certificate = &plan->proof.certificate;
  snprintf(title, sizeof title, "%s by %s on", tny_collective_name(plan->schedule->collective),
           plan->schedule->algorithm);
  snprintf(about, sizeof about, "%u ranks, %u %s%s, proved; %.3g %% over the bound",
           (unsigned)plan->problem.rank_count, (unsigned)steps->count, plan_steps_word(steps),
           steps->count == 1 ? "" : "s", certificate->gap_percent);
  page_begin(html, title, plan->request->cluster, about);
  section_summary(steps, html);
  enum tny_status status = section_network(steps, layout, html, error);
  if (status == TNY_OK)
    status = section_heat(steps, html, error);
  if (status == TNY_OK)
    status = section_certificate(steps, html, error);
  page_end(html);
  return status;
}

static enum tny_status write_page(const struct plan *plan, struct progress *progress,
                                  struct tny_text *html, struct tny_error *error)
{
  struct plan_steps steps;
  struct layout layout = {0};
  progress_show(progress, "writing the page");
  enum tny_status status = plan_steps_make(plan, &steps, error);
  if (status == TNY_OK)
    status = layout_make(plan->mapping.cluster, &layout, error);
  if (status == TNY_OK)
    status = write_sections(&steps, &layout, html, error);
  layout_release(&layout);
  plan_steps_release(&steps);
  return status;
}

int report_plan(int argc, char **argv)
{
  struct options options;
  struct tny_error error = {0};
  if (read_options(argc, argv, &options, &error) != TNY_OK)
    return cli_usage_error("report plan", "%s", error.text);
  if (options.help)
    return cli_print_help(report_help);
  struct plan plan = {.request = &options.request};
  struct progress progress = progress_begin();
  struct profile_file file = {0};
  struct tny_text html = {0};
  enum tny_status status =
      options.profile ? profile_file_read(options.profile, &file, &error) : TNY_OK;
  options.request.profile = file.profile;
  if (status == TNY_OK)
    status = options.file ? plan_from_file(&plan, options.file, &progress, &error)
                          : plan_make(&plan, &progress, &error);
  if (status == TNY_OK)
    status = write_page(&plan, &progress, &html, &error);
  progress_clear(&progress);
  const int code = status == TNY_OK ? page_write(&html, options.output) : cli_fail(&error);
  tny_text_release(&html);
  plan_release(&plan);
  profile_file_release(&file);
  return code;
}
