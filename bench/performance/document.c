/* The page: what was measured where, the means, and a row for each cell. */
#include "bench/performance/document.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "bench/performance/judge.h"
#include "core/units.h"

struct field {
  char text[80];
};

/* Three digits that matter. */
static struct field number(double value, const char *unit)
{
  struct field field = {"–"};
  if (value > 0)
    snprintf(field.text, sizeof field.text, "%.*f%s",
             value < 10    ? 2
             : value < 100 ? 1
                           : 0,
             value, unit);
  return field;
}

static bool is_measured(const struct outcome *outcome)
{
  return outcome->attempt && !*outcome->unable;
}

/* What keeps a cell from being good, of both modes; "" where nothing does. */
static void explain(const struct cell *cell, const struct outcome outcomes[MODE_COUNT],
                    char words[512])
{
  words[0] = '\0';
  for (int m = 0; m < MODE_COUNT; m++) {
    const struct outcome *outcome = &outcomes[m];
    const struct verdict verdict = judge_mode(cell, outcomes, (enum mode)m);
    const size_t length = strlen(words);
    if (m == MODE_PEERS && *outcomes[MODE_PLAIN].unable)
      return;
    const char *mode = m == MODE_PEERS ? "peers: " : "";
    if (*outcome->unable)
      snprintf(words + length, 512 - length, "%s%scan't be measured: %s", length ? "; " : "", mode,
               outcome->unable);
    else if (!outcome->attempt)
      snprintf(words + length, 512 - length, "%s%snot measured yet", length ? "; " : "", mode);
    else if (verdict.is_short)
      snprintf(words + length, 512 - length, "%sSHORT: %s", length ? "; " : "", verdict.reasons);
  }
}

static void add_row(const struct cell *cell, const struct outcome outcomes[MODE_COUNT],
                    struct tny_text *text)
{
  const struct outcome *plain = &outcomes[MODE_PLAIN], *peers = &outcomes[MODE_PEERS];
  const struct cell_row *row = &cell_rows[cell->row];
  const struct outcome *best = peers->has_profile ? peers : plain;
  const char *served = is_measured(plain) ? plain->algorithm : "–";
  char words[512];
  explain(cell, outcomes, words);
  tny_text_add(text, "| %s | %s, %s | %s | %s | %s ", cell_clusters[cell->cluster].title,
               cell_networks[cell->network].rate, cell_networks[cell->network].buffer,
               cell_congestions[cell->congestion], tny_collective_name(row->collective),
               tny_bytes_format(row->bytes).text);
  tny_text_add(text, "| %s | %s | %s | %s ", number(plain->native.median, "").text,
               number(plain->planned.median, "").text, served,
               number(outcome_ratio(plain), "").text);
  tny_text_add(text, "| %s | %s | %s | %s | %s ", peers->has_profile ? "yes" : "no",
               number(peers->planned.median, "").text, number(outcome_ratio(peers), "").text,
               number(peers->peer.median, "").text, *peers->peer_name ? peers->peer_name : "–");
  tny_text_add(text, "| %s | %s | %s |\n", number(outcome_peer_ratio(peers), "").text,
               number(100 * best->share, " %").text, *words ? words : "good");
}

static void add_means(const struct cell *cells, size_t count, const struct journal *journal,
                      struct tny_text *text)
{
  tny_text_add(text, "| network | cells of 8 KiB and more | geometric mean of the ratios to native "
                     "| target |\n|---|---:|---:|---:|\n");
  for (int g = 0; g < JUDGE_GROUPS; g++) {
    size_t measured;
    const double mean = judge_mean(&judge_groups[g], cells, count, journal, &measured);
    tny_text_add(text, "| %s | %zu | %s | %.1f |\n", judge_groups[g].title, measured,
                 number(mean, "").text, judge_groups[g].least);
  }
  tny_text_add(text, "\n");
}

static void add_overview(const struct cell *cells, size_t count, const struct journal *journal,
                         struct tny_text *text)
{
  size_t measured = 0, good = 0, unable = 0, profiled = 0;
  for (size_t i = 0; i < count; i++) {
    char words[512];
    explain(&cells[i], journal->outcomes[i], words);
    unable += *journal->outcomes[i][MODE_PLAIN].unable != '\0';
    measured += is_measured(&journal->outcomes[i][MODE_PLAIN]);
    good += !*words;
    profiled += journal->outcomes[i][MODE_PEERS].has_profile;
  }
  tny_text_add(text,
               "%zu cells: %zu measured, %zu of them good; %zu can't be measured here; %zu not "
               "measured yet. With a profile: %zu; what is wanted of the best peer is judged for "
               "those alone.\n\n",
               count, measured, good, unable, count - measured - unable, profiled);
}

static const char explanation[] =
    "A cell is a cluster in the lab (`tourney lab`), a network (rate, buffer of every port), "
    "TCP's\n"
    "congestion control, a collective and the size of a block. Networks up to 100 Mbit/s have 16 "
    "hosts,\nfaster ones 8 (a torus 9); with 4 ranks a host there are always 8 hosts. The cells "
    "cover each pair of\nvalues that can occur together. Times are medians of runs in turns; "
    "planned is first measured beside\nnative alone, without a profile, then beside native and "
    "all of its algorithms (`tourney bench\n--peers`), with a profile where the column says yes. "
    "A ratio is the other's time over planned's. The\nshare is that of the bound which planned "
    "reaches, with the profile where there is one.\n\n"
    "What each cell must reach is said in [measuring.md](measuring.md).\n\n";

void document_write(const struct cell *cells, size_t count, const struct journal *journal,
                    const char *command, struct tny_text *text)
{
  tny_text_add(text, "# Performance\n\nMade by `%s`; don't edit it.\n\n", command);
  tny_text_add(text, "%s", explanation);
  tny_text_add(text, "Measured on: %s, %s.\n\n",
               *journal->machine ? journal->machine : "no machine yet",
               *journal->date ? journal->date : "no date yet");
  add_overview(cells, count, journal, text);
  add_means(cells, count, journal, text);
  tny_text_add(text,
               "| cluster | network | control | collective | block | native ms | planned ms | "
               "algorithm | ratio | profile | planned ms beside peers | ratio to native | best "
               "peer ms | best peer | ratio to it | share of the bound | |\n"
               "|---|---|---|---|---|---:|---:|---|---:|---|---:|---:|---:|---|---:|---:|---|\n");
  for (size_t i = 0; i < count; i++)
    add_row(&cells[i], journal->outcomes[i], text);
}

size_t document_complain(const struct cell *cells, size_t count, const struct journal *journal,
                         struct tny_text *text)
{
  size_t complaints = 0;
  for (size_t i = 0; i < count; i++) {
    char words[512];
    explain(&cells[i], journal->outcomes[i], words);
    if (!*words)
      continue;
    tny_text_add(text, "%s: %s\n", cell_name_of(&cells[i]).text, words);
    complaints++;
  }
  for (int g = 0; g < JUDGE_GROUPS; g++) {
    size_t measured;
    const double mean = judge_mean(&judge_groups[g], cells, count, journal, &measured);
    if (!measured || mean >= judge_groups[g].least)
      continue;
    tny_text_add(text, "mean of the ratios at %s: %.2f under %.1f\n", judge_groups[g].title, mean,
                 judge_groups[g].least);
    complaints++;
  }
  return complaints;
}
