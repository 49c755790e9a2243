/* The state of a reading: its first failure, and the attributes of the element at hand. */
#include "exchange/msccl/reader.h"

#include <stdarg.h>

#include "core/error.h"
#include "core/scan.h"
#include "schedule/steps.h"

void tny_msccl_fail(struct tny_msccl *reader, enum tny_status status, const char *format, ...)
{
  char text[400];
  if (reader->status != TNY_OK)
    return;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  reader->status = tny_error_at(reader->error, status, reader->foreign->name,
                                (unsigned)XML_GetCurrentLineNumber(reader->parser), 0, "%s", text);
  XML_StopParser(reader->parser, XML_FALSE);
}

void tny_msccl_note(struct tny_msccl *reader, enum tny_status status)
{
  if (status == TNY_OK || reader->status != TNY_OK)
    return;
  reader->status = status;
  XML_StopParser(reader->parser, XML_FALSE);
}

const char *tny_msccl_attribute(struct tny_msccl *reader, const char *name)
{
  for (const char **at = reader->attributes; *at; at += 2)
    if (strcmp(at[0], name) == 0)
      return at[1];
  tny_msccl_fail(reader, TNY_BAD_INPUT, "<%s> wants the attribute %s", reader->element, name);
  return "";
}

void tny_msccl_check_attributes(struct tny_msccl *reader, const char *const *names)
{
  for (const char **at = reader->attributes; *at; at += 2) {
    const char *const *name = names;
    while (*name && strcmp(at[0], *name) != 0)
      name++;
    if (!*name)
      tny_msccl_fail(reader, TNY_BAD_INPUT, "<%s> has no attribute %.60s", reader->element, at[0]);
  }
}

int32_t tny_msccl_number(struct tny_msccl *reader, const char *name, int32_t least, int32_t most)
{
  const char *text = tny_msccl_attribute(reader, name);
  const bool is_negative = *text == '-';
  const char *at = text + is_negative;
  uint64_t digits;
  const enum tny_scan scanned = tny_scan_number(&at, INT32_MAX, &digits);
  const int32_t value = is_negative ? -(int32_t)digits : (int32_t)digits;
  if (scanned != TNY_SCAN_NUMBER || *at || value < least || value > most) {
    tny_msccl_fail(reader, TNY_BAD_INPUT, "%s of <%s> is a number from %d to %d, not \"%.40s\"",
                   name, reader->element, least, most, text);
    return least;
  }
  return value;
}

int32_t tny_msccl_limited(struct tny_msccl *reader, const char *name, int32_t least, int32_t limit)
{
  const int32_t value = tny_msccl_number(reader, name, least, TNY_CHUNKS_MAX);
  if (value <= limit)
    return value;
  tny_msccl_fail(reader, TNY_REFUSED, "%s of <%s> is %d, and MSCCL's executors take %d at most",
                 name, reader->element, value, limit);
  return least;
}
