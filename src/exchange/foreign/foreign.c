/* The schedule of another tool as an object, and its parts in words. */
#include "exchange/foreign/foreign.h"

#include <assert.h>
#include <stdarg.h>

#include "core/alloc.h"
#include "core/error.h"
#include "exchange/list.h"

const char *tny_form_name(enum tny_form form)
{
  static const char *const names[] = {
      [TNY_FORM_STEPS] = "steps", [TNY_FORM_GOAL] = "goal", [TNY_FORM_MSCCL] = "msccl"};
  return names[form];
}

static bool begins(const char *text, const char *with)
{
  return strncmp(text, with, strlen(with)) == 0;
}

enum tny_form tny_form_of(const char *text)
{
  if (begins(text, "\xef\xbb\xbf"))
    text += 3;
  text += strspn(text, " \t\r\n");
  if (*text == '<')
    return TNY_FORM_MSCCL;
  const bool is_goal = begins(text, "//") || begins(text, "/*") || begins(text, "num_ranks") ||
                       begins(text, "rank ");
  return is_goal ? TNY_FORM_GOAL : TNY_FORM_STEPS;
}

enum tny_status tny_foreign_new(enum tny_form form, const char *name, struct tny_foreign **foreign,
                                struct tny_error *error)
{
  *foreign = tny_new(1, sizeof **foreign);
  if (!*foreign)
    return tny_error_memory(error);
  (*foreign)->form = form;
  (*foreign)->name = tny_copy_text(name);
  if ((*foreign)->name)
    return TNY_OK;
  tny_free(*foreign);
  *foreign = NULL;
  return tny_error_memory(error);
}

void tny_foreign_free(struct tny_foreign *foreign)
{
  if (!foreign)
    return;
  tny_schedule_free(foreign->head);
  tny_free(foreign->operations);
  tny_free(foreign->first);
  tny_free(foreign->end);
  tny_free(foreign->needs);
  tny_free(foreign->edges);
  tny_free(foreign->name);
  tny_free(foreign);
}

enum tny_status tny_foreign_set_ranks(struct tny_foreign *foreign, uint32_t rank_count,
                                      struct tny_error *error)
{
  assert(!foreign->first);
  foreign->rank_count = rank_count;
  foreign->first = tny_new(rank_count, sizeof *foreign->first);
  foreign->end = tny_new(rank_count, sizeof *foreign->end);
  return foreign->first && foreign->end ? TNY_OK : tny_error_memory(error);
}

enum tny_status tny_foreign_add(struct tny_foreign *foreign, const struct tny_operation *operation,
                                struct tny_error *error)
{
  struct tny_operation *operations = tny_list_reserve(foreign->operations, foreign->operation_count,
                                                      &foreign->operation_room, sizeof *operations);
  if (!operations)
    return tny_error_memory(error);
  foreign->operations = operations;
  struct tny_operation *added = &operations[foreign->operation_count++];
  *added = *operation;
  added->partner = added->previous = TNY_NONE;
  return TNY_OK;
}

enum tny_status tny_foreign_need(struct tny_foreign *foreign, struct tny_edge edge,
                                 struct tny_error *error)
{
  struct tny_edge *edges =
      tny_list_reserve(foreign->edges, foreign->edge_count, &foreign->edge_room, sizeof *edges);
  if (!edges)
    return tny_error_memory(error);
  foreign->edges = edges;
  edges[foreign->edge_count++] = edge;
  return TNY_OK;
}

enum tny_status tny_foreign_finish(struct tny_foreign *foreign, struct tny_error *error)
{
  struct tny_operation *operations = foreign->operations;
  foreign->needs = tny_new(foreign->edge_count, sizeof *foreign->needs);
  if (!foreign->needs)
    return tny_error_memory(error);
  for (uint32_t i = 0; i < foreign->edge_count; i++)
    operations[foreign->edges[i].operation].need_count++;
  uint32_t first = 0;
  for (uint32_t i = 0; i < foreign->operation_count; i++) {
    operations[i].need_first = first;
    first += operations[i].need_count;
    operations[i].need_count = 0;
  }
  for (uint32_t i = 0; i < foreign->edge_count; i++) {
    struct tny_operation *operation = &operations[foreign->edges[i].operation];
    foreign->needs[operation->need_first + operation->need_count++] = foreign->edges[i].need;
  }
  tny_free(foreign->edges);
  foreign->edges = NULL;
  return TNY_OK;
}

struct tny_foreign_about tny_foreign_about(const struct tny_foreign *foreign)
{
  return (struct tny_foreign_about){.form = foreign->form,
                                    .rank_count = foreign->rank_count,
                                    .head = foreign->head,
                                    .block_bytes = foreign->block_bytes,
                                    .in_place = foreign->in_place};
}

uint64_t tny_foreign_reads_max(const struct tny_foreign *foreign)
{
  uint64_t most = 0;
  for (uint32_t rank = 0; rank < foreign->rank_count; rank++) {
    uint64_t reads = 0;
    for (uint32_t i = foreign->first[rank]; i < foreign->end[rank]; i++)
      reads += tny_region_chunks(&foreign->operations[i].from);
    most = reads > most ? reads : most;
  }
  return most;
}

struct tny_foreign_words tny_foreign_words(const struct tny_foreign *foreign, uint32_t operation)
{
  struct tny_foreign_words words;
  const struct tny_operation *at = &foreign->operations[operation];
  if (at->act == TNY_ACT_LOCAL)
    snprintf(words.text, sizeof words.text, "rank %u's %s (line %u)", at->rank,
             at->to.runs > 0                   ? "copy"
             : foreign->form == TNY_FORM_MSCCL ? "nop"
                                               : "calc",
             at->line);
  else
    snprintf(words.text, sizeof words.text, "rank %u's %s %u (line %u)", at->rank,
             at->act == TNY_ACT_SEND ? "send to" : "recv from", at->peer, at->line);
  return words;
}

enum tny_buffer tny_foreign_buffer_of(const struct tny_foreign *foreign, uint64_t *location)
{
  enum tny_buffer buffer = TNY_SCRATCH;
  while (*location < tny_foreign_buffer_first(foreign, buffer))
    buffer = buffer == TNY_SCRATCH ? TNY_OUTPUT : TNY_INPUT;
  *location -= tny_foreign_buffer_first(foreign, buffer);
  return buffer;
}

struct tny_foreign_words tny_foreign_location_words(const struct tny_foreign *foreign,
                                                    uint64_t location)
{
  struct tny_foreign_words words;
  const enum tny_buffer buffer = tny_foreign_buffer_of(foreign, &location);
  snprintf(words.text, sizeof words.text, "%s chunk %llu", tny_buffer_word(buffer),
           (unsigned long long)location);
  return words;
}

struct message {
  char text[480];
};

static struct message compose(const char *format, va_list arguments) TNY_PRINTF(1, 0);
static struct message compose(const char *format, va_list arguments)
{
  struct message message;
  vsnprintf(message.text, sizeof message.text, format, arguments);
  return message;
}

static enum tny_status record(const struct tny_foreign *foreign, uint32_t operation,
                              enum tny_status status, struct message message,
                              struct tny_error *error)
{
  return tny_error_at(error, status, foreign->name, foreign->operations[operation].line, 0, "%s",
                      message.text);
}

enum tny_status tny_foreign_fail(const struct tny_foreign *foreign, uint32_t operation,
                                 struct tny_error *error, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  const struct message message = compose(format, arguments);
  va_end(arguments);
  return record(foreign, operation, TNY_BROKEN, message, error);
}

enum tny_status tny_foreign_refuse(const struct tny_foreign *foreign, uint32_t operation,
                                   struct tny_error *error, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  const struct message message = compose(format, arguments);
  va_end(arguments);
  return record(foreign, operation, TNY_REFUSED, message, error);
}
