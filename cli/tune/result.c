/* From the ranks' lines to a profile, and to a table. */
#include "result.h"

#include <inttypes.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "cli/shared/columns.h"
#include "cli/shared/peers.h"
#include "cli/shared/words.h"
#include "core/alloc.h"
#include "core/error.h"
#include "core/units.h"

/* --- the profile --- */

static enum tny_status add_native(const char *line, struct profile_file *file,
                                  struct tny_error *error)
{
  struct profile_native_point point;
  char name[32];
  if (sscanf(line,
             "native-point %31s %" SCNu64 " %" SCNu32 " %" SCNu32 " %" SCNu64 " %" SCNu64
             " %" SCNu64 " %" SCNu32,
             name, &point.block_bytes, &point.number, &point.segment_bytes, &point.median_ns,
             &point.q1_ns, &point.q3_ns, &point.sample_count) != 8 ||
      tny_collective_parse(name, &point.collective, NULL) != TNY_OK)
    return tny_error_set(error, TNY_BAD_INPUT, "'%.80s' isn't understood", line);
  return profile_file_add_native(file, &point, error);
}

/* The points are in the flat form: they are read behind a head of their own. */
static enum tny_status read_points(const struct tune_findings *findings, struct profile_file *file,
                                   struct tny_error *error)
{
  const struct tny_profile empty = {.fingerprint.rank_count = 1};
  struct tny_text text = {0};
  char *head, *flat;
  enum tny_status status = tny_profile_write_flat(&empty, &head, error);
  if (status != TNY_OK)
    return status;
  tny_text_add(&text, "%s", head);
  tny_text_free(head);
  for (const char *rest = findings->rows.length ? findings->rows.bytes : "";
       status == TNY_OK && *rest;) {
    char line[256];
    const char *start = rest;
    const int length = words_take_line(&rest);
    snprintf(line, sizeof line, "%.*s", length, start);
    if (strncmp(line, "native-point ", strlen("native-point ")) == 0)
      status = add_native(line, file, error);
    else
      tny_text_add(&text, "%s\n", line);
  }
  if (status == TNY_OK)
    status = tny_text_take(&text, &flat, error);
  tny_text_release(&text);
  if (status != TNY_OK)
    return status;
  status = tny_profile_read_flat(flat, &file->profile, error);
  tny_text_free(flat);
  return status;
}

/* The machine that measured, and when. */
static void describe(struct profile_file *file)
{
  struct utsname name;
  struct tm day;
  const time_t now = time(NULL);
  if (uname(&name) == 0)
    snprintf(file->machine, sizeof file->machine, "%.40s %.60s %.30s, %ld processors", name.sysname,
             name.release, name.machine, sysconf(_SC_NPROCESSORS_ONLN));
  if (gmtime_r(&now, &day))
    strftime(file->date, sizeof file->date, "%Y-%m-%dT%H:%M:%SZ", &day);
}

enum tny_status tune_result_make(const struct tune_findings *findings,
                                 const struct tny_network *network, struct profile_file *file,
                                 struct tny_error *error)
{
  *file = (struct profile_file){0};
  enum tny_status status = read_points(findings, file, error);
  if (status == TNY_OK)
    status = tny_fingerprint_make(network, &file->profile->fingerprint, error);
  if (status == TNY_OK)
    status = profile_file_offer_natives(file, error);
  if (status != TNY_OK)
    return status;
  file->profile->machine = tune_machine_make(&findings->raws, network);
  snprintf(file->cluster, sizeof file->cluster, "%s", network->routes->cluster->name);
  snprintf(file->mpi, sizeof file->mpi, "%s", findings->mpi);
  describe(file);
  return TNY_OK;
}

/* --- for people --- */

/* The MPI's own algorithms by their names there. */
static void write_choice(enum tny_collective collective, const struct tny_algorithm_choice *choice,
                         char cell[COLUMNS_CELL])
{
  const uint32_t segment_bytes = tny_native_segment_bytes(choice->parameter);
  const struct peer_algorithm *own =
      choice->algorithm ? NULL : peer_find(collective, tny_native_number(choice->parameter));
  if (own && segment_bytes)
    snprintf(cell, COLUMNS_CELL, "native, %s, %s", own->name, tny_bytes_format(segment_bytes).text);
  else if (own)
    snprintf(cell, COLUMNS_CELL, "native, %s", own->name);
  else
    tny_profile_choice_write(choice, cell);
}

/* One row of the table: a collective and size. */
static void show_row(const struct tny_profile *profile, const struct tny_profile_point *native,
                     struct columns *columns)
{
  struct tny_profile_candidate best;
  char(*cells)[COLUMNS_CELL] = columns_add(columns);
  if (!cells ||
      !tny_profile_candidates(profile, native->collective, profile->fingerprint.rank_count,
                              native->block_bytes, &best, 1))
    return;
  snprintf(cells[0], COLUMNS_CELL, "%s", tny_collective_name(native->collective));
  write_choice(native->collective, &best.choice, cells[1]);
  snprintf(cells[2], COLUMNS_CELL, "%s", tny_bytes_format(native->block_bytes).text);
  snprintf(cells[3], COLUMNS_CELL, "%.3f", (double)native->median_ns / 1e6);
  snprintf(cells[4], COLUMNS_CELL, "%.3f", (double)best.ns / 1e6);
  snprintf(cells[5], COLUMNS_CELL, "%.2f", (double)native->median_ns / (double)best.ns);
}

static int compare_points(const void *left, const void *right)
{
  const struct tny_profile_point *a = left, *b = right;
  if (a->collective != b->collective)
    return a->collective < b->collective ? -1 : 1;
  return a->block_bytes < b->block_bytes ? -1 : a->block_bytes > b->block_bytes;
}

static void show_machine(const struct tny_machine *machine, struct tny_text *text)
{
  tny_text_add(
      text,
      "a message costs %.1f us to send and %.1f us to receive, %.1f us more where the one "
      "before came from another rank,\nand %.3f ns a byte, %.3f ns more where it's combined; its "
      "latency is %.1f us;\nfrom %" PRIu64 " bytes on it needs a handshake of %.1f us; "
      "within a host: latency %.1f us, %s\n\n",
      (double)machine->send_overhead_ns / 1e3, (double)machine->receive_overhead_ns / 1e3,
      (double)machine->source_overhead_ns / 1e3, (double)machine->byte_overhead_ps / 1e3,
      (double)machine->combine_ps / 1e3, (double)machine->latency_ns / 1e3,
      machine->eager_bytes + 1, (double)machine->handshake_ns / 1e3,
      (double)machine->local_latency_ns / 1e3,
      tny_bandwidth_format(machine->local_bps / 1000000 * 1000000).text);
}

enum tny_status tune_result_show(const struct profile_file *file, char **text,
                                 struct tny_error *error)
{
  static const char *const headings[] = {"collective", "fastest",    "bytes",
                                         "native ms",  "fastest ms", "ratio"};
  struct tny_profile *profile = file->profile;
  struct columns columns = {.column_count = 6, .left_count = 2};
  struct tny_text shown = {0};
  char(*cells)[COLUMNS_CELL] = columns_add(&columns);
  for (size_t i = 0; cells && i < columns.column_count; i++)
    snprintf(cells[i], COLUMNS_CELL, "%s", headings[i]);
  qsort(profile->points, profile->point_count, sizeof *profile->points, compare_points);
  for (uint32_t i = 0; i < profile->point_count; i++)
    if (tny_choice_is_native(&profile->points[i].choice))
      show_row(profile, &profile->points[i], &columns);
  tny_text_add(&shown, "%s, %" PRIu32 " ranks: %" PRIu32 " points\n", file->cluster,
               profile->fingerprint.rank_count, profile->point_count);
  show_machine(&profile->machine, &shown);
  columns_write_text(&columns, &shown);
  columns_release(&columns);
  return tny_text_take(&shown, text, error);
}
