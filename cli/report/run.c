/* `tourney report run`: what `tourney run --record` kept, as a page. */
#include <getopt.h>
#include <inttypes.h>

#include "cli/shared/help.h"
#include "cli/shared/options.h"
#include "cli/shared/report.h"
#include "cli/shared/words.h"
#include "html.h"
#include "network.h"
#include "page.h"
#include "run_sections.h"
#include "subjects.h"

enum { NODES_DRAWN_MAX = 1000 };

static enum tny_status write_network(const struct recorded *recorded, struct tny_text *html,
                                     struct tny_error *error)
{
  const struct tny_cluster *cluster = recorded->cluster;
  const struct tny_network network = {.routes = recorded->routes,
                                      .host_of_rank = recorded->host_of_rank,
                                      .rank_count = (uint32_t)recorded->ranks};
  struct layout layout = {0};
  enum tny_status status = TNY_OK;
  html_section_begin(html, "network", "The network");
  html_add(html, "<p>");
  html_words(html, cluster->name);
  html_add(html, ", from ");
  html_words(html, recorded->origin);
  html_add(html, "</p>\n");
  if (cluster->host_count + cluster->switch_count > NODES_DRAWN_MAX) {
    html_add(html, "<p>It has more than %d hosts and switches, and isn't drawn.</p>\n",
             NODES_DRAWN_MAX);
  } else {
    status = layout_make(cluster, &layout, error);
    if (status == TNY_OK)
      network_draw(&network, &layout, html);
  }
  layout_release(&layout);
  html_section_end(html);
  return status;
}

static enum tny_status write_page(struct recorded *recorded, struct tny_text *html,
                                  struct tny_error *error)
{
  char about[256];
  snprintf(about, sizeof about, "%" PRIu64 " rank%s, %s", recorded->ranks, plural(recorded->ranks),
           run_time_format(recorded->took_ns).text);
  page_begin(html, "A run of", recorded->program, about);
  run_section_summary(recorded, html);
  run_section_bars(recorded, html);
  run_section_calls(recorded, html);
  run_section_decisions(recorded, html);
  run_section_drops(recorded, html);
  const enum tny_status status = recorded->cluster ? write_network(recorded, html, error) : TNY_OK;
  page_end(html);
  return status;
}

int report_run(int argc, char **argv)
{
  const char *output = NULL;
  bool wants_help = false;
  const struct cli_option table[] = {{.name = "output", .text = &output, .letter = 'o'},
                                     {.name = "help", .flag = &wants_help},
                                     {0}};
  struct tny_error error = {0};
  if (cli_options_read(argc, argv, table, &error) != TNY_OK)
    return cli_usage_error("report run", "%s", error.text);
  if (wants_help)
    return cli_print_help(report_help);
  if (argc - optind != 1)
    return cli_usage_error("report run", "a file is wanted, which tourney run --record wrote");
  struct recorded recorded;
  struct tny_text html = {0};
  enum tny_status status = recorded_read(argv[optind], &recorded, &error);
  if (status == TNY_OK)
    status = recorded_find_bounds(&recorded, &error);
  if (status == TNY_OK)
    status = write_page(&recorded, &html, &error);
  const int code = status == TNY_OK ? page_write(&html, output) : cli_fail(&error);
  tny_text_release(&html);
  recorded_release(&recorded);
  return code;
}
