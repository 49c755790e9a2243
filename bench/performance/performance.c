/* What tools/performance asks: which cell is to be measured next, and the page that comes of it. It
   measures nothing itself.
   usage: tourney-performance cells|next|document --journal FILE [--quick] [--plain] [--only TEXT]
                              [--profiles DIR [--tune]]
     cells     lists the cells, about how long each takes, and the whole
     next      one line with what to measure next, its fields parted by tabs; none: all is done
     document  the page; what falls short is named on standard error, and the exit code is 1
   --plain: what is beside the peers is left for a later run; --only: so are cells whose names don't
   have TEXT in them; --profiles: cells for which DIR/CLUSTER.NETWORK.json is there are measured
   with that profile; --tune: those that aren't there will be. */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "bench/performance/document.h"
#include "bench/performance/judge.h"
#include "core/error.h"

#define QUICK_SECONDS 560.0 /* of measuring; bringing labs up comes on top */
#define ATTEMPTS_MAX 2      /* where a shortfall may be noise */
#define MORE_SAMPLES 31     /* of the second attempt, at least: twice those of the first */
enum { SECONDS_PLAIN = 60, SECONDS_PEERS = 120, SECONDS_QUICK = 30 };

struct request {
  const char *what, *journal_path, *only, *profiles;
  bool quick, plain, tune;
};

static bool read_request(int argc, char **argv, struct request *request)
{
  static const struct option names[] = {{"journal", required_argument, NULL, 'j'},
                                        {"quick", no_argument, NULL, 'q'},
                                        {"plain", no_argument, NULL, 'l'},
                                        {"only", required_argument, NULL, 'o'},
                                        {"profiles", required_argument, NULL, 'p'},
                                        {"tune", no_argument, NULL, 't'},
                                        {NULL, 0, NULL, 0}};
  int letter;
  while ((letter = getopt_long(argc, argv, "", names, NULL)) != -1) {
    if (letter == 'j')
      request->journal_path = optarg;
    else if (letter == 'q')
      request->quick = true;
    else if (letter == 'l')
      request->plain = true;
    else if (letter == 'o')
      request->only = optarg;
    else if (letter == 'p')
      request->profiles = optarg;
    else if (letter == 't')
      request->tune = true;
    else
      return false;
  }
  if (optind + 1 != argc || !request->journal_path)
    return false;
  request->what = argv[optind];
  return true;
}

/* The cells asked for, and what is known of them. */
struct table {
  const struct request *request;
  size_t count;
  struct cell cells[CELLS_MAX];
  struct journal journal;
};

/* There is one, or one will be made. */
static bool has_profile(const struct table *table, const struct cell *cell)
{
  char path[4096];
  if (!table->request->profiles)
    return false;
  snprintf(path, sizeof path, "%s/%s.%s.json", table->request->profiles,
           cell_clusters[cell->cluster].key, cell_networks[cell->network].key);
  return table->request->tune || !access(path, R_OK);
}

/* The attempt that a cell needs in a mode; 0: none. */
static uint32_t attempt_needed(const struct table *table, size_t index, enum mode mode)
{
  const struct cell *cell = &table->cells[index];
  const struct outcome *outcomes = table->journal.outcomes[index];
  const struct outcome *outcome = &outcomes[mode];
  const struct request *request = table->request;
  if (*outcomes[MODE_PLAIN].unable || *outcome->unable || (mode == MODE_PEERS && request->plain) ||
      (request->only && !strstr(cell_name_of(cell).text, request->only)))
    return 0;
  if (!outcome->attempt)
    return 1;
  if (mode == MODE_PEERS && !outcome->has_profile && has_profile(table, cell))
    return 1; /* what was measured without it doesn't count */
  const struct verdict verdict = judge_mode(cell, outcomes, mode);
  return verdict.may_be_noise && outcome->attempt < ATTEMPTS_MAX ? outcome->attempt + 1 : 0;
}

/* What is left to do, in seconds; by how long the cells took so far, where some are done. */
static double seconds_left(const struct table *table)
{
  double expected = 0, took = 0, left = 0;
  for (size_t i = 0; i < table->count; i++) {
    for (int m = 0; m < MODE_COUNT; m++) {
      const struct outcome *outcome = &table->journal.outcomes[i][m];
      const double seconds = cell_seconds(&table->cells[i], m == MODE_PEERS);
      if (attempt_needed(table, i, (enum mode)m))
        left += seconds;
      if (outcome->attempt != 1 || outcome->seconds <= 0)
        continue;
      expected += seconds;
      took += outcome->seconds;
    }
  }
  return expected > 0 ? left * took / expected : left;
}

static size_t count_done(const struct table *table)
{
  size_t done = 0;
  for (size_t i = 0; i < table->count; i++)
    done += !attempt_needed(table, i, MODE_PLAIN) && !attempt_needed(table, i, MODE_PEERS);
  return done;
}

/* How many samples an attempt takes; 0: as many as the bench thinks right. */
static uint32_t samples_of(const struct outcome *before, uint32_t attempt)
{
  if (attempt == 1)
    return 0;
  return 2 * before->samples > MORE_SAMPLES ? 2 * before->samples : MORE_SAMPLES;
}

static void print_cell(const struct table *table, size_t index, enum mode mode, uint32_t attempt)
{
  const struct cell *cell = &table->cells[index];
  const struct cell_network *network = &cell_networks[cell->network];
  const struct cell_row *row = &cell_rows[cell->row];
  const struct cell_form form = cell_form_of(cell);
  const uint32_t most = table->request->quick ? SECONDS_QUICK
                        : mode == MODE_PEERS  ? SECONDS_PEERS
                                              : SECONDS_PLAIN;
  printf("%s\t%s\t%" PRIu32 "\t%s\t%s\t%s\t%s\t", cell_name_of(cell).text, mode_names[mode],
         attempt, cell_cluster_text_of(cell).text, network->rate, network->buffer,
         cell_congestions[cell->congestion]);
  printf("%s\t%" PRIu32 "\t%s\t%" PRIu64 "\t%d\t%" PRIu32 "\t", form.map, form.ranks,
         tny_collective_name(row->collective), row->bytes,
         samples_of(&table->journal.outcomes[index][mode], attempt), attempt > 1 ? 2 * most : most);
  printf("%s.%s\t%zu\t%zu\t%.0f\n", cell_clusters[cell->cluster].key, network->key,
         count_done(table) + 1, table->count, seconds_left(table));
}

static int print_next(const struct table *table)
{
  for (size_t i = 0; i < table->count; i++) {
    for (int m = 0; m < MODE_COUNT; m++) {
      const uint32_t attempt = attempt_needed(table, i, (enum mode)m);
      if (!attempt)
        continue;
      print_cell(table, i, (enum mode)m, attempt);
      return 0;
    }
  }
  return 0;
}

static int print_cells(const struct table *table)
{
  for (size_t i = 0; i < table->count; i++)
    printf("%-60s %5.0f s\n", cell_name_of(&table->cells[i]).text,
           cell_seconds(&table->cells[i], false) + cell_seconds(&table->cells[i], true));
  printf("%zu cells, %zu done; about %.0f minutes left\n", table->count, count_done(table),
         seconds_left(table) / 60);
  return 0;
}

static int print_document(const struct table *table)
{
  const struct measured all = {table->cells, table->count, &table->journal};
  struct tny_text page = {0}, complaints = {0};
  document_write(&all, table->request->quick ? "make performance-quick" : "make performance",
                 &page);
  const size_t count = document_complain(&all, &complaints);
  if (page.failed || complaints.failed)
    return 2;
  fputs(page.bytes, stdout);
  if (count)
    fputs(complaints.bytes, stderr);
  tny_text_release(&page);
  tny_text_release(&complaints);
  return count > 0;
}

int main(int argc, char **argv)
{
  struct request request = {0};
  struct tny_error error = {0};
  static struct table table;
  if (!read_request(argc, argv, &request)) {
    fprintf(stderr, "usage: tourney-performance cells|next|document --journal FILE [--quick] "
                    "[--plain] [--only TEXT] [--profiles DIR [--tune]]\n");
    return 2;
  }
  table.request = &request;
  table.count =
      request.quick ? cells_choose_quick(table.cells, QUICK_SECONDS) : cells_choose(table.cells);
  int code = 2;
  if (journal_read(request.journal_path, table.cells, table.count, &table.journal, &error) !=
      TNY_OK)
    fprintf(stderr, "tourney-performance: %s: %s\n", request.journal_path, error.text);
  else if (!strcmp(request.what, "cells"))
    code = print_cells(&table);
  else if (!strcmp(request.what, "next"))
    code = print_next(&table);
  else if (!strcmp(request.what, "document"))
    code = print_document(&table);
  else
    fprintf(stderr, "tourney-performance: '%s' is none of cells, next and document\n",
            request.what);
  journal_release(&table.journal);
  return code;
}
