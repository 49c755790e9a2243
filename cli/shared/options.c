/* Options and their values. */
#include "options.h"

#include <assert.h>
#include <getopt.h>
#include <inttypes.h>
#include <string.h>

#include "core/alloc.h"
#include "core/error.h"
#include "core/text.h"
#include "core/units.h"

/* What getopt_long returns for the first option of a table; beyond any short option's letter. */
enum { LETTER_FIRST = 256, OPTIONS_MAX = 64 };

/* The error for what getopt_long refused, with `letter` ':' or '?'. */
static enum tny_status refuse(int letter, char **argv, struct tny_error *error)
{
  const char *word = argv[optind - 1]; /* a long option's; a short one's may still be ahead */
  if (letter == ':')
    return tny_error_set(error, TNY_BAD_INPUT, "%s wants a value", word);
  if (optopt > 0 && optopt < LETTER_FIRST)
    return tny_error_set(error, TNY_BAD_INPUT, "unknown option -%c", optopt);
  if (optopt)
    return tny_error_set(error, TNY_BAD_INPUT, "%.*s takes no value", (int)strcspn(word, "="),
                         word);
  return tny_error_set(error, TNY_BAD_INPUT, "unknown option %s", word);
}

static enum tny_status parse_format(const char *text, bool csv_too, enum cli_format *format,
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

/* Reads an option's value, which is in optarg. */
static enum tny_status take_value(const struct cli_option *option, struct tny_error *error)
{
  char name[64];
  snprintf(name, sizeof name, "--%s", option->name);
  if (option->given)
    *option->given = true;
  if (option->given_name)
    *option->given_name = option->name;
  if (option->number)
    return cli_number_parse(name, optarg, (const uint32_t[]){option->least, option->most},
                            option->number, error);
  if (option->bytes)
    return cli_bytes_parse(optarg, CLI_BYTES_MAX, option->bytes, error);
  if (option->map)
    return cli_map_parse(name, optarg, option->map, error);
  if (option->format && option->shorthand) {
    *option->format = option->shorthand;
    return TNY_OK;
  }
  if (option->format)
    return parse_format(optarg, option->csv_too, option->format, error);
  if (option->take)
    return option->take(option->into, optarg, error);
  if (option->text)
    *option->text = optarg;
  else
    *option->flag = true;
  return TNY_OK;
}

/* The option that getopt_long means by `letter`; -h is the table's help. */
static const struct cli_option *find_option(const struct cli_option *options, int letter)
{
  if (letter >= LETTER_FIRST)
    return &options[letter - LETTER_FIRST];
  while (letter == 'h' ? strcmp(options->name, "help") != 0 : options->letter != letter)
    options++;
  return options;
}

static bool takes_no_value(const struct cli_option *option)
{
  return option->flag || option->shorthand != CLI_TEXT;
}

/* Reads them up to the end, or, where `letters` begins with +, to the first argument. */
static enum tny_status read_options(int argc, char **argv, const char *letters,
                                    const struct cli_option *options, struct tny_error *error)
{
  struct option names[OPTIONS_MAX + 1] = {0};
  char all_letters[2 * OPTIONS_MAX + 8];
  int length = snprintf(all_letters, sizeof all_letters, "%s", letters);
  for (int i = 0; options[i].name; i++) {
    assert(i < OPTIONS_MAX);
    names[i] =
        (struct option){.name = options[i].name,
                        .has_arg = takes_no_value(&options[i]) ? no_argument : required_argument,
                        .val = LETTER_FIRST + i};
    if (options[i].letter)
      length += snprintf(all_letters + length, sizeof all_letters - (size_t)length, "%c%s",
                         options[i].letter, takes_no_value(&options[i]) ? "" : ":");
  }
  enum tny_status status = TNY_OK;
  int letter;
  opterr = 0;
  optind = 0;
  while (status == TNY_OK && (letter = getopt_long(argc, argv, all_letters, names, NULL)) != -1) {
    if (letter == ':' || letter == '?')
      status = refuse(letter, argv, error);
    else
      status = take_value(find_option(options, letter), error);
  }
  return status;
}

enum tny_status cli_options_read(int argc, char **argv, const struct cli_option *options,
                                 struct tny_error *error)
{
  return read_options(argc, argv, ":h", options, error);
}

enum tny_status cli_options_read_front(int argc, char **argv, const struct cli_option *options,
                                       struct tny_error *error)
{
  return read_options(argc, argv, "+:h", options, error);
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
