/* Options and their values. */
#include "options.h"

#include <getopt.h>
#include <inttypes.h>
#include <string.h>

#include "core/alloc.h"
#include "core/error.h"
#include "core/text.h"
#include "core/units.h"

enum tny_status cli_option_refuse(int letter, char **argv, struct tny_error *error)
{
  const char *word = argv[optind - 1]; /* a long option's; a short one's may still be ahead */
  if (letter == ':')
    return tny_error_set(error, TNY_BAD_INPUT, "%s wants a value", word);
  if (optopt > ' ')
    return tny_error_set(error, TNY_BAD_INPUT, "unknown option -%c", optopt);
  if (optopt)
    return tny_error_set(error, TNY_BAD_INPUT, "%.*s takes no value", (int)strcspn(word, "="),
                         word);
  return tny_error_set(error, TNY_BAD_INPUT, "unknown option %s", word);
}

enum tny_status cli_options_read(int argc, char **argv, const struct cli_options *options,
                                 struct tny_error *error)
{
  enum tny_status status = TNY_OK;
  int letter;
  opterr = 0;
  optind = 0;
  while (status == TNY_OK && (letter = getopt_long(argc, argv, ":h", options->names, NULL)) != -1) {
    if (letter == ':' || letter == '?')
      status = cli_option_refuse(letter, argv, error);
    else
      status = options->read(options->into, letter, error);
  }
  return status;
}

enum tny_status cli_format_parse(const char *text, bool csv_too, enum cli_format *format,
                                 struct tny_error *error)
{
  static const char *const words[] = {[CLI_TEXT] = "text", [CLI_CSV] = "csv", [CLI_JSON] = "json"};
  for (*format = CLI_TEXT; *format <= CLI_JSON; ++*format)
    if (strcmp(text, words[*format]) == 0 && (csv_too || *format != CLI_CSV))
      return TNY_OK;
  *format = CLI_TEXT;
  return tny_error_set(error, TNY_BAD_INPUT, "--format is text%s or json, not '%s'",
                       csv_too ? ", csv" : "", text);
}

const char *cli_map_name(enum tny_map map)
{
  return map == TNY_MAP_BLOCK ? "block" : "interleaved";
}

enum tny_status cli_map_parse(const char *option, const char *text, enum tny_map *map,
                              struct tny_error *error)
{
  for (*map = TNY_MAP_BLOCK; *map <= TNY_MAP_INTERLEAVED; ++*map)
    if (strcmp(text, cli_map_name(*map)) == 0)
      return TNY_OK;
  *map = TNY_MAP_BLOCK;
  return tny_error_set(error, TNY_BAD_INPUT, "%s is block or interleaved, not '%s'", option, text);
}

enum tny_status cli_bytes_parse(const char *text, uint64_t max, uint64_t *bytes,
                                struct tny_error *error)
{
  const enum tny_status status = tny_bytes_parse(text, bytes, error);
  if (status == TNY_OK && (*bytes == 0 || *bytes > max))
    return tny_error_set(error, TNY_BAD_INPUT,
                         "--bytes takes sizes from 1 to %" PRIu64 ", not '%s'", max, text);
  return status;
}

bool cli_number_read(const char *text, const uint32_t range[2], uint32_t *number)
{
  char *end;
  const unsigned long long value = strtoull(text, &end, 10);
  if (*text < '0' || *text > '9' || *end || value < range[0] || value > range[1])
    return false;
  *number = (uint32_t)value;
  return true;
}

enum tny_status cli_number_parse(const char *option, const char *text, const uint32_t range[2],
                                 uint32_t *number, struct tny_error *error)
{
  if (cli_number_read(text, range, number))
    return TNY_OK;
  return tny_error_set(error, TNY_BAD_INPUT, "%s is a whole number from %u to %u, not '%s'", option,
                       range[0], range[1], text);
}

enum tny_status cli_list_parse(const char *list,
                               enum tny_status (*take)(void *into, char *item,
                                                       struct tny_error *error),
                               void *into, struct tny_error *error)
{
  char *copy = tny_copy_text(list);
  if (!copy)
    return tny_error_memory(error);
  enum tny_status status = TNY_OK;
  char *rest = copy;
  for (char *item; status == TNY_OK && (item = strsep(&rest, ","));)
    status = take(into, item, error);
  tny_free(copy);
  return status;
}
