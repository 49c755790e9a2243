/* `tourney algorithms`: what there is to choose from. */
#include "cli.h"

#include <getopt.h>
#include <inttypes.h>

#include <tourney/algorithm.h>

#include "core/text.h"

enum { EXAMPLE_RANKS = 16 };

static const char help[] =
    "usage: tourney algorithms\n"
    "Lists the algorithms: collective, name, where it is published, what it needs, its rounds and\n"
    "the blocks that a rank sends for 16 ranks and whole blocks, and a line about it.\n\n"
    "  --help   this text\n";

static void describe(const struct tny_algorithm *algorithm, struct tny_text *text)
{
  const struct tny_problem problem = {.collective = algorithm->collective,
                                      .rank_count = EXAMPLE_RANKS};
  const struct tny_claim claim = algorithm->claim(&problem);
  tny_text_add(text, "%-10s %-23s %-12s %-27s %6" PRIu32 " %6" PRIu64 "  %s\n",
               tny_collective_name(algorithm->collective), algorithm->name, algorithm->source,
               algorithm->needs, claim.rounds, claim.blocks_sent_max, algorithm->summary);
}

int cli_algorithms(int argc, char **argv)
{
  enum { LETTER_HELP = 1 };
  static const struct option names[] = {{"help", no_argument, NULL, LETTER_HELP},
                                        {NULL, 0, NULL, 0}};
  struct tny_error error = {0};
  opterr = 0;
  optind = 0;
  const int letter = getopt_long(argc, argv, ":h", names, NULL);
  if (letter == 'h' || letter == LETTER_HELP)
    return cli_print(help);
  if (letter != -1 && cli_option_refuse(letter, argv, &error) != TNY_OK)
    return cli_usage_error("algorithms", "%s", error.text);
  if (optind < argc)
    return cli_usage_error("algorithms", "unknown argument '%s'", argv[optind]);
  struct tny_text text = {0};
  char *taken;
  tny_text_add(&text, "%-10s %-23s %-12s %-27s %6s %6s  %s\n", "collective", "name", "source",
               "needs", "rounds", "blocks", "what it does");
  for (uint32_t i = 0; tny_algorithms[i]; i++)
    describe(tny_algorithms[i], &text);
  if (tny_text_take(&text, &taken, &error) != TNY_OK)
    return cli_fail(&error);
  const int code = cli_print(taken);
  tny_text_free(taken);
  return code;
}
