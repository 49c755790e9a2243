/* Escapes, and writes tables. */
#include "html.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { SAID_MAX = 1024 };

void html_words(struct tny_text *html, const char *words)
{
  while (*words) {
    const size_t plain = strcspn(words, "&<>\"'");
    tny_text_add(html, "%.*s", (int)plain, words);
    words += plain;
    if (*words)
      tny_text_add(html, "&#%d;", *words++);
  }
}

static void say(struct tny_text *html, const char *format, va_list arguments)
{
  char said[SAID_MAX];
  vsnprintf(said, sizeof said, format, arguments);
  html_words(html, said);
}

void html_say(struct tny_text *html, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  say(html, format, arguments);
  va_end(arguments);
}

void html_section_begin(struct tny_text *html, const char *id, const char *heading)
{
  html_add(html,
           "<section id=\"%s\" aria-labelledby=\"%s-heading\">\n<h2 id=\"%s-heading\">%s</h2>\n",
           id, id, id, heading);
}

void html_section_end(struct tny_text *html)
{
  html_add(html, "</section>\n");
}

void html_table_begin(struct tny_text *html, const char *caption)
{
  html_add(html, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"");
  html_words(html, caption);
  html_add(html, "\">\n<table>\n<caption>");
  html_words(html, caption);
  html_add(html, "</caption>\n");
}

void html_table_headers(struct tny_text *html, const char *const *headers)
{
  html_add(html, "<thead><tr>");
  for (; *headers; headers++) {
    html_add(html, "<th scope=\"col\">");
    html_words(html, *headers);
    html_add(html, "</th>");
  }
  html_add(html, "</tr></thead>\n");
}

void html_table_end(struct tny_text *html)
{
  html_add(html, "</table>\n</div>\n");
}

void html_row(struct tny_text *html, const char *name)
{
  html_add(html, "<tr><th scope=\"row\">");
  html_words(html, name);
  html_add(html, "</th>");
}

static void add_cell(struct tny_text *html, const char *begin, const char *format,
                     va_list arguments)
{
  html_add(html, "%s", begin);
  say(html, format, arguments);
  html_add(html, "</td>");
}

void html_cell(struct tny_text *html, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  add_cell(html, "<td>", format, arguments);
  va_end(arguments);
}

void html_number(struct tny_text *html, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  add_cell(html, "<td class=\"number\">", format, arguments);
  va_end(arguments);
}

void html_fact(struct tny_text *html, const char *name, const char *format, ...)
{
  va_list arguments;
  html_row(html, name);
  va_start(arguments, format);
  add_cell(html, "<td>", format, arguments);
  va_end(arguments);
  html_add(html, "</tr>\n");
}
