/* A subcommand's options: the loop around getopt_long, and the values that several subcommands
   take. What an option means stays with its subcommand; --routing and --pattern have files of their
   own (routing.h, pattern.h), as they read files. */
#ifndef TOURNEY_CLI_OPTIONS_H
#define TOURNEY_CLI_OPTIONS_H

#include <tourney/cluster.h>

struct option;

/* A subcommand's options: their names, and what takes one in, by its letter, into `into`. A long
   option's letter must lie under ' ', so that it isn't taken for a short option. */
struct cli_options {
  const struct option *names;
  enum tny_status (*read)(void *into, int letter, struct tny_error *error);
  void *into;
};
/* Reads all options, -h beside the named ones; what is left of argv begins at optind. */
enum tny_status cli_options_read(int argc, char **argv, const struct cli_options *options,
                                 struct tny_error *error) TNY_MUST_CHECK;
/* The error for what getopt_long refused, with `letter` ':' or '?', for a subcommand that has a
   loop of its own. */
enum tny_status cli_option_refuse(int letter, char **argv, struct tny_error *error);

/* --- values --- */

#define CLI_BYTES_MAX (UINT64_C(1) << 40) /* where no MPI call sets a limit */

/* How a subcommand prints what it found. */
enum cli_format { CLI_TEXT, CLI_CSV, CLI_JSON };
/* A value of --format: text, json and, where `csv_too`, csv. */
enum tny_status cli_format_parse(const char *text, bool csv_too, enum cli_format *format,
                                 struct tny_error *error) TNY_MUST_CHECK;
/* "block" or "interleaved". */
const char *cli_map_name(enum tny_map map);
/* One of these names; `option` is what errors call it. */
enum tny_status cli_map_parse(const char *option, const char *text, enum tny_map *map,
                              struct tny_error *error) TNY_MUST_CHECK;
/* A size for --bytes, from 1 to `max`. */
enum tny_status cli_bytes_parse(const char *text, uint64_t max, uint64_t *bytes,
                                struct tny_error *error) TNY_MUST_CHECK;
/* A whole number from range[0] to range[1]; `option` is what errors call it. */
enum tny_status cli_number_parse(const char *option, const char *text, const uint32_t range[2],
                                 uint32_t *number, struct tny_error *error) TNY_MUST_CHECK;
/* The same without an error; false where the text is no such number. */
bool cli_number_read(const char *text, const uint32_t range[2], uint32_t *number);
/* Hands each item of a list with commas to `take`, until one fails. `take` may change its item. */
enum tny_status cli_list_parse(const char *list,
                               enum tny_status (*take)(void *into, char *item,
                                                       struct tny_error *error),
                               void *into, struct tny_error *error) TNY_MUST_CHECK;

#endif
