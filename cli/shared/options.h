/* A subcommand's options, as a table, and the values that several subcommands take. What an option
   means stays with its subcommand; --routing and --pattern have files of their own (routing.h,
   pattern.h), as they read files. */
#ifndef TOURNEY_CLI_OPTIONS_H
#define TOURNEY_CLI_OPTIONS_H

#include <tourney/cluster.h>

/* How a subcommand prints what it found. */
enum cli_format { CLI_TEXT, CLI_CSV, CLI_JSON };

/* An option, "--name". Exactly one of the pointers from `flag` to `take` is set: it says what
   values there are, and where the value goes. */
struct cli_option {
  const char *name;  /* NULL at the end of a table */
  char letter;       /* -o is short for it, with its value behind it; 0: none is */
  bool *flag;        /* there is no value: becomes true */
  const char **text; /* any value; kept as it is, borrowed from argv */
  uint32_t *number;  /* a whole number from `least` to `most` */
  uint64_t *bytes;   /* a size from 1 to CLI_BYTES_MAX */
  enum tny_map *map;
  enum cli_format *format; /* text, json and, with csv_too, csv; or no value: see `shorthand` */
  /* Reads any other value into `into`. */
  enum tny_status (*take)(void *into, const char *value, struct tny_error *error);

  void *into;
  uint32_t least, most;
  bool csv_too;
  enum cli_format shorthand; /* --csv, --json: the option is this format, and takes no value */
  bool *given;               /* also becomes true; NULL: nobody wants to know */
  const char **given_name;   /* also becomes the option's name */
};
enum { CLI_COUNT_MAX = 1000000 }; /* the most of many options: ranks, chunks, repetitions */

/* Reads all options of a table that ends with {0}; -h is short for its "help". What is left of argv
   begins at optind. Errors: TNY_BAD_INPUT. */
enum tny_status cli_options_read(int argc, char **argv, const struct cli_option *options,
                                 struct tny_error *error) TNY_MUST_CHECK;
/* The same up to the first argument that is no option: a command's own options follow. */
enum tny_status cli_options_read_front(int argc, char **argv, const struct cli_option *options,
                                       struct tny_error *error) TNY_MUST_CHECK;

/* --- values --- */

#define CLI_BYTES_MAX (UINT64_C(1) << 40) /* where no MPI call sets a limit */

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
