/* Small helpers for text that people read. */
#ifndef TOURNEY_CLI_WORDS_H
#define TOURNEY_CLI_WORDS_H

#include <stdint.h>
#include <string.h>

/* What a noun behind this number ends with: "" or "s". */
static inline const char *plural(uint64_t count)
{
  return count == 1 ? "" : "s";
}

/* The length of the line at *rest, without its line end; *rest moves to the next line. To be called
   while **rest isn't '\0'. */
static inline int words_take_line(const char **rest)
{
  const size_t length = strcspn(*rest, "\n");
  *rest += length + ((*rest)[length] == '\n');
  return (int)length;
}

#endif
