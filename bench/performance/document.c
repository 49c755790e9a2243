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

/* A fraction as a percentage; 0 is one too. */
static struct field percent(double fraction)
{
  struct field field;
  snprintf(field.text, sizeof field.text, "%.1f %%", 100 * fraction);
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

static void add_means(const struct measured *all, struct tny_text *text)
{
  tny_text_add(text, "| network | cells of 8 KiB and more | geometric mean of the ratios to native "
                     "| target |\n|---|---:|---:|---:|\n");
  for (int g = 0; g < JUDGE_GROUPS; g++) {
    size_t measured;
    const double mean = judge_mean(&judge_groups[g], all, &measured);
    tny_text_add(text, "| %s | %zu | %s | %.1f |\n", judge_groups[g].title, measured,
                 number(mean, "").text, judge_groups[g].least);
  }
  tny_text_add(text, "\n");
}

/* An algorithm's row; none where it served nothing that was predicted. */
static void add_errors_of(const char *algorithm, const struct measured *all, struct tny_text *text)
{
  double errors[JUDGE_GROUPS];
  size_t predicted[JUDGE_GROUPS], sum = 0;
  for (int g = 0; g < JUDGE_GROUPS; g++) {
    errors[g] = judge_error(&judge_groups[g], algorithm, all, &predicted[g]);
    sum += predicted[g];
  }
  if (!sum)
    return;
  tny_text_add(text, "| %s ", algorithm ? algorithm : "all");
  for (int g = 0; g < JUDGE_GROUPS; g++)
    tny_text_add(text, "| %zu | %s ", predicted[g], predicted[g] ? percent(errors[g]).text : "–");
  tny_text_add(text, "|\n");
}

static bool is_first_of_its_algorithm(const struct measured *all, size_t index)
{
  const char *algorithm = outcome_predicted(all->journal->outcomes[index])->algorithm;
  for (size_t i = 0; i < index; i++)
    if (!strcmp(outcome_predicted(all->journal->outcomes[i])->algorithm, algorithm))
      return false;
  return *algorithm;
}

/* What the model predicted for what served, set against what was measured. */
static void add_errors(const struct measured *all, struct tny_text *text)
{
  tny_text_add(text, "How far the model's predictions are from the medians: the median over the "
                     "cells that an algorithm served.\n\n| algorithm ");
  for (int g = 0; g < JUDGE_GROUPS; g++)
    tny_text_add(text, "| cells | %s ", judge_groups[g].title);
  tny_text_add(text, "|\n|---|---:|---:|---:|---:|---:|---:|\n");
  for (size_t i = 0; i < all->count; i++)
    if (is_first_of_its_algorithm(all, i))
      add_errors_of(outcome_predicted(all->journal->outcomes[i])->algorithm, all, text);
  add_errors_of(NULL, all, text);
  tny_text_add(text, "| target ");
  for (int g = 0; g < JUDGE_GROUPS; g++)
    tny_text_add(text, "| | %s ", percent(judge_groups[g].error_most).text);
  tny_text_add(text, "|\n\n");
}

static void add_overview(const struct measured *all, struct tny_text *text)
{
  size_t measured = 0, good = 0, unable = 0, profiled = 0;
  for (size_t i = 0; i < all->count; i++) {
    char words[512];
    explain(&all->cells[i], all->journal->outcomes[i], words);
    unable += *all->journal->outcomes[i][MODE_PLAIN].unable != '\0';
    measured += is_measured(&all->journal->outcomes[i][MODE_PLAIN]);
    good += !*words;
    profiled += all->journal->outcomes[i][MODE_PEERS].has_profile;
  }
  tny_text_add(text,
               "%zu cells: %zu measured, %zu of them good; %zu can't be measured here; %zu not "
               "measured yet. With a profile: %zu; what is wanted of the best peer is judged for "
               "those alone.\n\n",
               all->count, measured, good, unable, all->count - measured - unable, profiled);
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

void document_write(const struct measured *all, const char *command, struct tny_text *text)
{
  tny_text_add(text, "# Performance\n\nMade by `%s`; don't edit it.\n\n", command);
  tny_text_add(text, "%s", explanation);
  tny_text_add(text, "Measured on: %s, %s.\n\n",
               *all->journal->machine ? all->journal->machine : "no machine yet",
               *all->journal->date ? all->journal->date : "no date yet");
  add_overview(all, text);
  add_means(all, text);
  add_errors(all, text);
  tny_text_add(text,
               "| cluster | network | control | collective | block | native ms | planned ms | "
               "algorithm | ratio | profile | planned ms beside peers | ratio to native | best "
               "peer ms | best peer | ratio to it | share of the bound | |\n"
               "|---|---|---|---|---|---:|---:|---|---:|---|---:|---:|---:|---|---:|---:|---|\n");
  for (size_t i = 0; i < all->count; i++)
    add_row(&all->cells[i], all->journal->outcomes[i], text);
}

size_t document_complain(const struct measured *all, struct tny_text *text)
{
  size_t complaints = 0;
  for (size_t i = 0; i < all->count; i++) {
    char words[512];
    explain(&all->cells[i], all->journal->outcomes[i], words);
    if (!*words)
      continue;
    tny_text_add(text, "%s: %s\n", cell_name_of(&all->cells[i]).text, words);
    complaints++;
  }
  for (int g = 0; g < JUDGE_GROUPS; g++) {
    size_t measured;
    const double mean = judge_mean(&judge_groups[g], all, &measured);
    if (!measured || mean >= judge_groups[g].least)
      continue;
    tny_text_add(text, "mean of the ratios at %s: %.2f under %.1f\n", judge_groups[g].title, mean,
                 judge_groups[g].least);
    complaints++;
  }
  for (int g = 0; g < JUDGE_GROUPS; g++) {
    size_t predicted;
    const double error = judge_error(&judge_groups[g], NULL, all, &predicted);
    if (!predicted || error <= judge_groups[g].error_most)
      continue;
    tny_text_add(text, "median error of predictions at %s: %s over %s\n", judge_groups[g].title,
                 percent(error).text, percent(judge_groups[g].error_most).text);
    complaints++;
  }
  return complaints;
}
