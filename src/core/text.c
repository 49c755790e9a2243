/* A text that grows as it is appended to. */
#include "core/text.h"

#include <stdarg.h>

#include "core/alloc.h"
#include "core/error.h"

static bool make_room(struct tny_text *text, size_t wanted)
{
  if (wanted <= text->room)
    return true;
  const size_t room = wanted < 128 ? 256 : 2 * wanted;
  char *bytes = tny_resize(text->bytes, room, 1);
  if (!bytes)
    return false;
  text->bytes = bytes;
  text->room = room;
  return true;
}

void tny_text_add(struct tny_text *text, const char *format, ...)
{
  if (text->failed)
    return;
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  const int added = vsnprintf(NULL, 0, format, arguments);
  if (added < 0 || !make_room(text, text->length + (size_t)added + 1)) {
    text->failed = true;
  } else {
    vsnprintf(text->bytes + text->length, (size_t)added + 1, format, again);
    text->length += (size_t)added;
  }
  va_end(again);
  va_end(arguments);
}

enum tny_status tny_text_take(struct tny_text *text, char **taken, struct tny_error *error)
{
  *taken = NULL;
  tny_text_add(text, "%s", "");
  if (text->failed) {
    tny_text_release(text);
    return tny_error_memory(error);
  }
  *taken = text->bytes;
  *text = (struct tny_text){0};
  return TNY_OK;
}

void tny_text_release(struct tny_text *text)
{
  tny_free(text->bytes);
  *text = (struct tny_text){0};
}

void tny_text_free(char *text)
{
  tny_free(text);
}
