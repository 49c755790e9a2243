/* Quotation marks within a field are doubled. */
#include "csv.h"

#include <string.h>

void csv_add_quoted(struct tny_text *text, const char *field)
{
  tny_text_add(text, "\"");
  for (const char *c = field; *c; c++)
    tny_text_add(text, *c == '"' ? "\"\"" : "%c", *c);
  tny_text_add(text, "\"");
}

void csv_add_field(struct tny_text *text, const char *field)
{
  if (strpbrk(field, ",\"\r\n"))
    csv_add_quoted(text, field);
  else
    tny_text_add(text, "%s", field);
}
