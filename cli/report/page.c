/* Head, foot and output of a page. */
#include "page.h"

#include <string.h>

#include "cli/shared/report.h"
#include "cli/shared/whole_file.h"
#include "html.h"

static void write_title(struct tny_text *html, const char *title, const char *name)
{
  html_words(html, title);
  html_add(html, " ");
  html_words(html, name);
}

void page_begin(struct tny_text *html, const char *title, const char *name, const char *about)
{
  html_add(html, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                 "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                 "<meta name=\"color-scheme\" content=\"light dark\">\n"
                 "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                 "style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">\n"
                 "<link rel=\"icon\" href=\"data:,\">\n<title>");
  write_title(html, title, name);
  html_add(html, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<header>\n<h1>", report_style);
  write_title(html, title, name);
  html_add(html, "</h1>\n<p>");
  html_words(html, about);
  html_add(html, "</p>\n</header>\n<main>\n");
}

void page_end(struct tny_text *html)
{
  html_add(html,
           "</main>\n<footer><p>Written by tourney " TOURNEY_VERSION
           ". This page loads nothing from elsewhere.</p></footer>\n<script>\n%s</script>\n"
           "</body>\n</html>\n",
           report_script);
}

int page_write(struct tny_text *html, const char *path)
{
  struct tny_error error = {0};
  char *page = NULL;
  enum tny_status status = tny_text_take(html, &page, &error);
  if (status == TNY_OK && path && strcmp(path, "-") != 0)
    status = whole_file_write(path, page, &error);
  int code = status == TNY_OK ? CLI_OK : cli_fail(&error);
  if (code == CLI_OK && (!path || strcmp(path, "-") == 0))
    code = cli_print(page);
  tny_text_free(page);
  return code;
}
