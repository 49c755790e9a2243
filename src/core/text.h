/* A text that grows as it is appended to. A failed append makes all later ones fail, so that it is
   enough to ask once, at the end. The text is NUL-terminated when it is taken. */
#ifndef TOURNEY_CORE_TEXT_H
#define TOURNEY_CORE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include <tourney/status.h>

/* All zero is an empty text. */
struct tny_text {
  char *bytes; /* NULL while empty */
  size_t length, room;
  bool failed;
};

void tny_text_add(struct tny_text *text, const char *format, ...) TNY_PRINTF(2, 3);
/* Hands the text over (Owns: caller's, tny_text_free) and empties `text`. */
enum tny_status tny_text_take(struct tny_text *text, char **taken,
                              struct tny_error *error) TNY_MUST_CHECK;
void tny_text_release(struct tny_text *text);

#endif
