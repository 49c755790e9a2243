/* The sections of a run's page but the network. Times are rank 0's. */
#include "run_sections.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/shared/words.h"
#include "core/units.h"
#include "html.h"

enum { ROWS_MAX = 2000, HOSTS_MAX = 2000, BARS_MAX = 40 };

struct run_time run_time_format(double ns)
{
  static const struct {
    double factor;
    const char *unit;
  } scales[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}, {1, "ns"}};
  struct run_time time;
  size_t i = 0;
  while (i < 3 && ns < scales[i].factor)
    i++;
  const double value = ns / scales[i].factor;
  snprintf(time.text, sizeof time.text, "%.*f %s",
           value < 9.995   ? 2
           : value < 99.95 ? 1
                           : 0,
           value, scales[i].unit);
  return time;
}

static double percent(double part, double all)
{
  return all > 0 ? 100 * part / all : 0;
}

/* --- sums --- */

struct sums {
  uint64_t calls, timed, planned_calls;
  double native_ns, planned_ns;
};

/* Of all rows, or of a collective's. */
static struct sums sum_up(const struct recorded *recorded, const char *collective)
{
  struct sums sums = {0};
  for (size_t i = 0; i < recorded->row_count; i++) {
    const struct recorded_row *row = &recorded->rows[i];
    if (collective && strcmp(row->collective, collective) != 0)
      continue;
    sums.calls += row->calls;
    sums.timed += row->timed;
    sums.planned_calls += row->algorithm ? row->calls : 0;
    *(row->algorithm ? &sums.planned_ns : &sums.native_ns) += row->total_ns;
  }
  return sums;
}

static struct recorded_host sum_hosts(const struct recorded *recorded)
{
  struct recorded_host sum = {0};
  for (size_t i = 0; i < recorded->host_count; i++) {
    const struct recorded_host *host = &recorded->hosts[i];
    sum.is_counted |= host->is_counted;
    sum.segments += host->segments;
    sum.retransmitted += host->retransmitted;
    sum.timeouts += host->timeouts;
    sum.interface_drops += host->interface_drops;
  }
  return sum;
}

/* --- the summary --- */

static void write_begin(uint64_t began_s, struct tny_text *html)
{
  const time_t began = (time_t)began_s;
  struct tm parts;
  char text[64];
  if (gmtime_r(&began, &parts) && strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S UTC", &parts) > 0)
    html_fact(html, "MPI_Init", "%s", text);
}

static void write_sentence(const struct recorded *recorded, const struct sums *sums,
                           struct tny_text *html)
{
  const double all_ns = sums->native_ns + sums->planned_ns;
  html_add(html, "<p id=\"summary\">");
  html_say(html, "Rank 0 made %" PRIu64 " collective call%s, of which plans served %" PRIu64 ". ",
           sums->calls, plural(sums->calls), sums->planned_calls);
  html_say(html, "They took %s, %.1f %% of the run's %s: %s native", run_time_format(all_ns).text,
           percent(all_ns, recorded->took_ns), run_time_format(recorded->took_ns).text,
           run_time_format(sums->native_ns).text);
  html_say(html, ", %s by plans.", run_time_format(sums->planned_ns).text);
  if (sums->timed < sums->calls)
    html_say(html, " The time of %" PRIu64 " call%s isn't known: nonblocking and persistent ones.",
             sums->calls - sums->timed, plural(sums->calls - sums->timed));
  html_add(html, "</p>\n");
}

static void write_words_fact(const char *name, const char *words, struct tny_text *html)
{
  html_row(html, name);
  html_add(html, "<td>");
  html_words(html, words);
  html_add(html, "</td></tr>\n");
}

void run_section_summary(const struct recorded *recorded, struct tny_text *html)
{
  const struct sums sums = sum_up(recorded, NULL);
  const struct recorded_host drops = sum_hosts(recorded);
  html_section_begin(html, "run", "The run");
  write_sentence(recorded, &sums, html);
  html_table_begin(html, "The run's facts");
  html_add(html, "<tbody>\n");
  write_words_fact("program", recorded->program, html);
  write_begin(recorded->began_s, html);
  html_fact(html, "until MPI_Finalize", "%s", run_time_format(recorded->took_ns).text);
  if (recorded->has_all_hosts)
    html_fact(html, "ranks", "%" PRIu64 " on %zu host%s", recorded->ranks, recorded->host_count,
              plural(recorded->host_count));
  else
    html_fact(html, "ranks", "%" PRIu64, recorded->ranks);
  write_words_fact("MPI", recorded->mpi, html);
  write_words_fact("Tourney", recorded->version, html);
  write_words_fact("cluster",
                   recorded->cluster ? recorded->cluster->name : "none that all ranks agreed on",
                   html);
  if (recorded->why_native)
    write_words_fact("all native", recorded->why_native, html);
  html_fact(html, "guard", "%s",
            recorded->has_guard ? "on: native and plans are tried in the first calls" : "off");
  if (recorded->trials_ns > 0)
    html_fact(html, "trials and agreements", "%s, %.1f %% of the run",
              run_time_format(recorded->trials_ns).text,
              percent(recorded->trials_ns, recorded->took_ns));
  if (drops.is_counted)
    html_fact(html, "sent again by TCP", "%" PRIu64 " of %" PRIu64 " segments, %.2f %%",
              drops.retransmitted, drops.segments,
              percent((double)drops.retransmitted, (double)drops.segments));
  if (recorded->left_out > 0)
    html_fact(html, "left out", "%" PRIu64 " calls and decisions for which there was no room",
              recorded->left_out);
  html_add(html, "</tbody>\n");
  html_table_end(html);
  html_section_end(html);
}

/* --- bars --- */

struct bar {
  const char *collective;
  struct sums sums;
};

/* The longest first. */
static int compare_bars(const void *a, const void *b)
{
  const struct bar *x = a, *y = b;
  const double x_ns = x->sums.native_ns + x->sums.planned_ns;
  const double y_ns = y->sums.native_ns + y->sums.planned_ns;
  return x_ns > y_ns ? -1 : x_ns < y_ns ? 1 : strcmp(x->collective, y->collective);
}

/* The collectives whose time is known, the longest first; returns how many there are. */
static size_t find_bars(const struct recorded *recorded, struct bar bars[BARS_MAX])
{
  size_t count = 0;
  for (size_t i = 0; i < recorded->row_count && count < BARS_MAX; i++) {
    const char *collective = recorded->rows[i].collective;
    size_t same = 0;
    while (same < count && strcmp(bars[same].collective, collective) != 0)
      same++;
    if (same == count && recorded->rows[i].timed > 0)
      bars[count++] = (struct bar){collective, sum_up(recorded, collective)};
  }
  qsort(bars, count, sizeof *bars, compare_bars);
  return count;
}

static void write_bar(const struct bar *bar, double longest_ns, struct tny_text *html)
{
  const struct sums *sums = &bar->sums;
  const double native = percent(sums->native_ns, longest_ns);
  const double planned = percent(sums->planned_ns, longest_ns);
  html_add(html, "<li><strong>");
  html_words(html, bar->collective);
  html_add(html, "</strong> ");
  if (sums->native_ns > 0)
    html_say(html, "%s native%s", run_time_format(sums->native_ns).text,
             sums->planned_ns > 0 ? ", " : "");
  if (sums->planned_ns > 0)
    html_say(html, "%s by plans", run_time_format(sums->planned_ns).text);
  html_add(html,
           "\n<svg class=\"bar\" viewBox=\"0 0 100 4\" preserveAspectRatio=\"none\" "
           "aria-hidden=\"true\"><rect class=\"native\" width=\"%.2f\" height=\"4\"/>"
           "<rect class=\"planned\" x=\"%.2f\" y=\"1\" width=\"%.2f\" height=\"2\"/></svg></li>\n",
           native, native, planned);
}

void run_section_bars(const struct recorded *recorded, struct tny_text *html)
{
  struct bar bars[BARS_MAX];
  const size_t count = find_bars(recorded, bars);
  if (count == 0)
    return;
  html_section_begin(html, "time", "Time by collective");
  html_add(html, "<ul class=\"legend\">\n<li><span class=\"key native\"></span>native</li>\n"
                 "<li><span class=\"key planned\"></span>by plans, a thinner bar</li>\n</ul>\n"
                 "<ul class=\"bars\">\n");
  for (size_t i = 0; i < count; i++)
    write_bar(&bars[i], bars[0].sums.native_ns + bars[0].sums.planned_ns, html);
  html_add(html, "</ul>\n");
  html_section_end(html);
}

/* --- calls --- */

/* The longest in all first, then the most calls, then by name and size. */
static int compare_rows(const void *a, const void *b)
{
  const struct recorded_row *x = a, *y = b;
  if (x->total_ns > y->total_ns || x->total_ns < y->total_ns)
    return x->total_ns > y->total_ns ? -1 : 1;
  if (x->calls != y->calls)
    return x->calls > y->calls ? -1 : 1;
  const int order = strcmp(x->collective, y->collective);
  return order ? order : (x->class_bytes > y->class_bytes) - (x->class_bytes < y->class_bytes);
}

static void write_count(uint64_t count, struct tny_text *html)
{
  if (count > 0)
    html_number(html, "%" PRIu64, count);
  else
    html_number(html, "-");
}

static void write_time(double ns, bool is_known, struct tny_text *html)
{
  html_number(html, "%s", is_known ? run_time_format(ns).text : "-");
}

static void write_row(const struct recorded_row *row, struct tny_text *html)
{
  const bool is_timed = row->timed > 0;
  html_row(html, row->collective);
  html_add(html, "<td>");
  html_words(html, row->algorithm ? row->algorithm : "native");
  html_add(html, "</td>");
  html_number(html, "%s",
              row->class_bytes > 0 ? tny_bytes_format(row->bytes / row->calls).text : "-");
  write_time(row->total_ns, is_timed, html);
  if (row->bound_ns > 0 && row->total_ns > 0)
    html_number(html, "%.1f %%", 100 * row->bound_ns * (double)row->timed / row->total_ns);
  else
    html_number(html, "-");
  write_count(row->calls, html);
  write_time(row->median_ns, is_timed, html);
  if (row->timed > 1)
    html_number(html, "%s to %s", run_time_format(row->q1_ns).text,
                run_time_format(row->q3_ns).text);
  else
    html_number(html, "-");
  write_time(row->least_ns, is_timed, html);
  write_time(row->most_ns, is_timed, html);
  write_count(row->ranks, html);
  html_add(html, "<td>");
  html_words(html, row->why);
  html_add(html, "</td></tr>\n");
}

void run_section_calls(struct recorded *recorded, struct tny_text *html)
{
  const size_t shown = recorded->row_count < ROWS_MAX ? recorded->row_count : ROWS_MAX;
  qsort(recorded->rows, recorded->row_count, sizeof *recorded->rows, compare_rows);
  html_section_begin(html, "calls", "What was served by what");
  if (shown == 0) {
    html_add(html, "<p>No collective was called.</p>\n");
    html_section_end(html);
    return;
  }
  html_add(html,
           "<p>Times are rank 0's: from the call until rank 0 goes on, waiting for other ranks and "
           "planning included. The bound is the least time that any schedule takes on this network "
           "at the raw rates, for blocks of the mean size. It counts bytes and no latency, so that "
           "short blocks are far from it; and a root may go on before others have its data, which "
           "shows as more than 100 %%.</p>\n");
  html_table_begin(html, "Calls that are alike, the longest in all first; sizes from a power of "
                         "two to the next are together, by their mean");
  html_table_headers(html, (const char *const[]){"collective", "served by", "block", "in all",
                                                 "of the bound", "calls", "median", "quartiles",
                                                 "least", "most", "ranks", "why", NULL});
  html_add(html, "<tbody>\n");
  for (size_t i = 0; i < shown; i++)
    write_row(&recorded->rows[i], html);
  html_add(html, "</tbody>\n");
  html_table_end(html);
  if (shown < recorded->row_count)
    html_add(html, "<p>%zu rows of less time are left out.</p>\n", recorded->row_count - shown);
  html_section_end(html);
}

/* --- decisions --- */

static void write_tried(const struct recorded_decision *decision, struct tny_text *html)
{
  const char *comma = "";
  html_add(html, "<td>");
  for (size_t i = 0; i < sizeof decision->tried / sizeof *decision->tried; i++) {
    const char *name = decision->tried[i].name;
    const double seen_ns = decision->tried[i].seen_ns;
    if (!name)
      continue;
    html_add(html, "%s", comma);
    html_words(html, name);
    if (!decision->tried[i].can_run)
      html_add(html, " can't run");
    else if (seen_ns > 0)
      html_say(html, " %s", run_time_format(seen_ns).text);
    else
      html_add(html, " not tried yet");
    if (decision->tried[i].predicted_ns > 0)
      html_say(html, " (predicted %s)", run_time_format(decision->tried[i].predicted_ns).text);
    comma = ", ";
  }
  html_add(html, "%s</td>", *comma ? "" : "-");
}

static void write_decision(const struct recorded_decision *decision, struct tny_text *html)
{
  html_row(html, run_time_format(decision->at_ns).text);
  html_add(html, "<td>");
  html_words(html, decision->collective);
  html_add(html, "%s</td>", decision->own_op ? " (own op)" : "");
  html_number(html, "%s", tny_bytes_format(decision->class_bytes).text);
  html_add(html, "<td>");
  html_words(html, decision->served);
  html_add(html, "</td>");
  if (decision->native_ns > 0)
    html_number(html, "%s", run_time_format(decision->native_ns).text);
  else
    html_number(html, "-");
  write_tried(decision, html);
  write_count(decision->trials, html);
  write_count(decision->ranks, html);
  html_add(html, "</tr>\n");
}

void run_section_decisions(const struct recorded *recorded, struct tny_text *html)
{
  const size_t shown = recorded->decision_count < ROWS_MAX ? recorded->decision_count : ROWS_MAX;
  if (!recorded->has_guard)
    return;
  html_section_begin(html, "decisions", "What the guard decided");
  if (shown == 0) {
    html_add(html, "<p>Nothing was decided: there were too few calls of a size for its trials to "
                   "end, or none that a plan could serve.</p>\n");
    html_section_end(html);
    return;
  }
  html_table_begin(html, "Decisions in their order; blocks of so many bytes up to twice as many, "
                         "times of a call that the ranks agreed on");
  html_table_headers(html, (const char *const[]){"after", "collective", "block from", "served by",
                                                 "native", "tried", "trials", "ranks", NULL});
  html_add(html, "<tbody>\n");
  for (size_t i = 0; i < shown; i++)
    write_decision(&recorded->decisions[i], html);
  html_add(html, "</tbody>\n");
  html_table_end(html);
  if (shown < recorded->decision_count)
    html_add(html, "<p>%zu later decisions are left out.</p>\n", recorded->decision_count - shown);
  html_section_end(html);
}

/* --- drops --- */

/* The most sent again first. */
static int compare_hosts(const void *a, const void *b)
{
  const struct recorded_host *x = a, *y = b;
  if (x->retransmitted != y->retransmitted)
    return x->retransmitted > y->retransmitted ? -1 : 1;
  return strcmp(x->name, y->name);
}

static void write_host(const struct recorded_host *host, struct tny_text *html)
{
  html_row(html, host->name);
  if (host->is_counted) {
    html_number(html, "%" PRIu64, host->segments);
    html_number(html, "%" PRIu64, host->retransmitted);
    html_number(html, "%.2f %%", percent((double)host->retransmitted, (double)host->segments));
    html_number(html, "%" PRIu64, host->timeouts);
    html_number(html, "%" PRIu64, host->interface_drops);
  } else {
    for (int i = 0; i < 5; i++)
      html_number(html, "-");
  }
  html_add(html, "</tr>\n");
}

void run_section_drops(struct recorded *recorded, struct tny_text *html)
{
  const size_t shown = recorded->host_count < HOSTS_MAX ? recorded->host_count : HOSTS_MAX;
  qsort(recorded->hosts, recorded->host_count, sizeof *recorded->hosts, compare_hosts);
  html_section_begin(html, "drops", "Drops");
  html_add(html, "<p>What each host's kernel counted from MPI_Init to MPI_Finalize, of all its "
                 "programs. What a switch drops, TCP sends again; other transports (InfiniBand, "
                 "memory within a host) aren't counted.</p>\n");
  if (!recorded->has_all_hosts)
    html_add(html, "<p>Only rank 0's host is known, as not all ranks had the runtime.</p>\n");
  html_table_begin(html, "TCP segments sent, and sent again, the most first");
  html_table_headers(html, (const char *const[]){"host", "segments", "sent again", "share",
                                                 "timeouts", "dropped by interfaces", NULL});
  html_add(html, "<tbody>\n");
  for (size_t i = 0; i < shown; i++)
    write_host(&recorded->hosts[i], html);
  html_add(html, "</tbody>\n");
  html_table_end(html);
  if (shown < recorded->host_count)
    html_add(html, "<p>%zu hosts that sent less again are left out.</p>\n",
             recorded->host_count - shown);
  html_section_end(html);
}
