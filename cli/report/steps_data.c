/* The steps as JSON for page.js, numbers only: {"word": W, "pairs": [from, to, ...], "ways":
   [[link, ...], ...], "steps": [[messages, bytes, us, fullest], ...]}. A step's messages are
   indices of pairs, or the number of an earlier step that has the same ones, or null where they are
   left out. bytes are those of its longest message, us is when it ends, fullest is the most
   messages on a link. */
#include <inttypes.h>

#include "cli/shared/route.h"
#include "core/alloc.h"
#include "core/error.h"
#include "html.h"
#include "sections.h"

enum { MESSAGES_MAX = 250000 }; /* that are written: some 1.5 MB */

struct writer {
  const struct plan_steps *steps;
  struct tny_text *html;
  uint32_t *pair_of; /* by sender * ranks + receiver: 1 + the pair's index; 0: none yet */
  uint32_t *table;   /* by the hash of a step's messages: 1 + the step; 0: none */
  uint32_t table_mask;
};

static size_t key_of(const struct writer *writer, const struct plan_step_message *message)
{
  return (size_t)message->from * writer->steps->plan->schedule->rank_count + message->to;
}

static void write_way(const struct writer *writer, const struct plan_step_message *message)
{
  struct route route =
      route_begin(&writer->steps->plan->mapping.network, message->from, message->to);
  const char *before = "[";
  uint32_t link;
  while ((link = route_next(&route)) != TNY_NONE) {
    html_add(writer->html, "%s%" PRIu32, before, link);
    before = ",";
  }
  html_add(writer->html, *before == '[' ? "[]" : "]");
}

/* Numbers the pairs as they come, and writes them and their ways. */
static void write_pairs(const struct writer *writer)
{
  const struct plan_steps *steps = writer->steps;
  uint32_t count = 0;
  html_add(writer->html, "\"pairs\":[");
  for (size_t i = 0; i < steps->message_count; i++) {
    uint32_t *pair = &writer->pair_of[key_of(writer, &steps->messages[i])];
    if (*pair)
      continue;
    *pair = ++count;
    html_add(writer->html, "%s%" PRIu32 ",%" PRIu32, count > 1 ? "," : "", steps->messages[i].from,
             steps->messages[i].to);
  }
  html_add(writer->html, "],\n\"ways\":[");
  uint32_t written = 0;
  for (size_t i = 0; i < steps->message_count; i++) {
    if (writer->pair_of[key_of(writer, &steps->messages[i])] != written + 1)
      continue;
    html_add(writer->html, "%s", written++ > 0 ? "," : "");
    write_way(writer, &steps->messages[i]);
  }
  html_add(writer->html, "]");
}

/* FNV-1a, by Fowler, Noll and Vo. */
static uint32_t hash_of(const struct writer *writer, uint32_t step)
{
  const struct plan_steps *steps = writer->steps;
  uint64_t hash = UINT64_C(14695981039346656037);
  for (size_t i = steps->first[step]; i < steps->first[step + 1]; i++)
    hash = (hash ^ key_of(writer, &steps->messages[i])) * UINT64_C(1099511628211);
  return (uint32_t)(hash >> 32);
}

static bool are_same(const struct plan_steps *steps, uint32_t a, uint32_t b)
{
  const size_t count = steps->first[a + 1] - steps->first[a];
  if (steps->first[b + 1] - steps->first[b] != count)
    return false;
  const struct plan_step_message *x = &steps->messages[steps->first[a]],
                                 *y = &steps->messages[steps->first[b]];
  for (size_t i = 0; i < count; i++)
    if (x[i].from != y[i].from || x[i].to != y[i].to)
      return false;
  return true;
}

/* An earlier step with the same messages; else the step itself, which is noted. */
static uint32_t find_same(const struct writer *writer, uint32_t step)
{
  uint32_t place = hash_of(writer, step) & writer->table_mask;
  for (; writer->table[place]; place = (place + 1) & writer->table_mask)
    if (are_same(writer->steps, writer->table[place] - 1, step))
      return writer->table[place] - 1;
  writer->table[place] = step + 1;
  return step;
}

static void write_messages(const struct writer *writer, uint32_t step)
{
  const struct plan_steps *steps = writer->steps;
  html_add(writer->html, "[");
  for (size_t i = steps->first[step]; i < steps->first[step + 1]; i++)
    html_add(writer->html, "%s%" PRIu32, i > steps->first[step] ? "," : "",
             writer->pair_of[key_of(writer, &steps->messages[i])] - 1);
  html_add(writer->html, "]");
}

static uint64_t longest_bytes(const struct plan_steps *steps, uint32_t step)
{
  uint64_t longest = 0;
  for (size_t i = steps->first[step]; i < steps->first[step + 1]; i++)
    longest = steps->messages[i].bytes > longest ? steps->messages[i].bytes : longest;
  return longest;
}

static void write_steps(const struct writer *writer)
{
  const struct plan_steps *steps = writer->steps;
  size_t left = MESSAGES_MAX;
  html_add(writer->html, ",\n\"steps\":[");
  for (uint32_t step = 0; step < steps->count; step++) {
    const size_t count = steps->first[step + 1] - steps->first[step];
    html_add(writer->html, "%s[", step > 0 ? "," : "");
    const uint32_t same = count <= left ? find_same(writer, step) : step;
    if (same != step) {
      html_add(writer->html, "%" PRIu32, same);
    } else if (count > left) {
      html_add(writer->html, "null");
    } else {
      left -= count;
      write_messages(writer, step);
    }
    html_add(writer->html, ",%" PRIu64 ",%.6g,%" PRIu32 "]", longest_bytes(steps, step),
             1e6 * steps->end[step], steps->fullest[step]);
  }
  html_add(writer->html, "]");
}

enum tny_status steps_data(const struct plan_steps *steps, struct tny_text *html,
                           struct tny_error *error)
{
  const size_t ranks = steps->plan->schedule->rank_count;
  struct writer writer = {.steps = steps, .html = html, .table_mask = 1};
  while (writer.table_mask < 2 * (uint64_t)steps->count)
    writer.table_mask = 2 * writer.table_mask + 1;
  writer.pair_of = tny_new(ranks * ranks, sizeof *writer.pair_of);
  writer.table = tny_new((size_t)writer.table_mask + 1, sizeof *writer.table);
  const enum tny_status status = writer.pair_of && writer.table ? TNY_OK : tny_error_memory(error);
  if (status == TNY_OK) {
    html_add(html, "<script type=\"application/json\" id=\"steps\">{\"word\":\"%s\",",
             plan_steps_word(steps));
    write_pairs(&writer);
    write_steps(&writer);
    html_add(html, "}</script>\n");
  }
  tny_free(writer.table);
  tny_free(writer.pair_of);
  return status;
}
