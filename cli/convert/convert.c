/* `tourney convert`: brings a schedule from one form into another, and proves it before. The forms
   are read and written by the library (<tourney/exchange.h>, <tourney/schedule.h>). */

#include <getopt.h>

#include <tourney/verify.h>

#include "cli/shared/options.h"
#include "cli/shared/report.h"
#include "cli/shared/schedule_file.h"
#include "cli/shared/subcommands.h"
#include "cli/shared/whole_file.h"
#include "core/error.h"

static const char help[] =
    "usage: tourney convert FILE --to steps|goal|msccl [OPTION...]\n"
    "Reads a schedule in any of these forms, proves it, and writes it in another: our own text\n"
    "form, GOAL (LogGOPSim, ATLAHS), or MSCCL's XML. What doesn't fit is refused.\n\n"
    "  --to steps|goal|msccl   the form to write\n"
    "  --bytes B          for GOAL: what one rank has for one receiver (64KiB, or what a GOAL\n"
    "                     FILE says)\n"
    "  --output FILE      write it there instead of printing it\n"
    "  --help             this text\n";

struct options {
  enum tny_form to;
  bool to_given, help;
  uint64_t bytes; /* 0: not given */
  const char *output;
};

static enum tny_status read_form(void *into, const char *text, struct tny_error *error)
{
  struct options *options = into;
  for (int form = TNY_FORM_STEPS; form <= TNY_FORM_MSCCL; form++)
    if (strcmp(text, tny_form_name((enum tny_form)form)) == 0) {
      options->to = (enum tny_form)form;
      options->to_given = true;
      return TNY_OK;
    }
  return tny_error_set(error, TNY_BAD_INPUT, "--to is steps, goal or msccl, not '%s'", text);
}

/* Proves what was read, and has it as a schedule of ours, proved again. */
static enum tny_status take_over(struct schedule_file *file, struct tny_error *error)
{
  struct tny_foreign_report report;
  struct tny_error cause = {0};
  if (!file->foreign)
    return tny_verify_schedule(file->schedule, NULL, error);
  enum tny_status status = tny_foreign_verify(file->foreign, NULL, &report, error);
  if (status == TNY_OK)
    status = tny_foreign_schedule(file->foreign, &file->schedule, error);
  if (status != TNY_OK)
    return status;
  status = tny_verify_schedule(file->schedule, NULL, &cause);
  if (status != TNY_BROKEN)
    return status == TNY_OK ? TNY_OK : tny_error_set(error, status, "%s", cause.text);
  return tny_error_set(error, TNY_REFUSED,
                       "it's right, but not with each rank's sends and its receives kept in one "
                       "order, as our form does: %s",
                       cause.text);
}

static enum tny_status write_form(const struct options *options, const struct schedule_file *file,
                                  char **text, struct tny_error *error)
{
  const uint64_t said = file->foreign ? tny_foreign_about(file->foreign).block_bytes : 0;
  const uint64_t bytes = options->bytes ? options->bytes : said ? said : 65536;
  switch (options->to) {
  case TNY_FORM_STEPS:
    return tny_schedule_write(file->schedule, text, error);
  case TNY_FORM_GOAL:
    return tny_schedule_write_goal(file->schedule, bytes, text, error);
  case TNY_FORM_MSCCL:
    break;
  }
  return tny_schedule_write_msccl(file->schedule, text, error);
}

static int convert(const struct options *options, const char *path)
{
  struct schedule_file file;
  struct tny_error error = {0};
  char *text = NULL;
  enum tny_status status = schedule_file_open(&file, path, &error);
  if (status == TNY_OK)
    status = take_over(&file, &error);
  if (status == TNY_OK)
    status = write_form(options, &file, &text, &error);
  schedule_file_close(&file);
  if (status != TNY_OK && !error.file[0])
    snprintf(error.file, sizeof error.file, "%s", path);
  if (status == TNY_OK && options->output)
    status = whole_file_write(options->output, text, &error);
  int code = status == TNY_OK ? CLI_OK : cli_fail(&error);
  if (code == CLI_OK && !options->output)
    code = cli_print(text);
  tny_text_free(text);
  return code;
}

int cli_convert(int argc, char **argv)
{
  struct options options = {0};
  const struct cli_option table[] = {{.name = "to", .take = read_form, .into = &options},
                                     {.name = "bytes", .bytes = &options.bytes},
                                     {.name = "output", .text = &options.output},
                                     {.name = "help", .flag = &options.help},
                                     {0}};
  struct tny_error error = {0};
  if (cli_options_read(argc, argv, table, &error) != TNY_OK)
    return cli_usage_error("convert", "%s", error.text);
  if (options.help)
    return cli_print(help);
  if (argc - optind != 1)
    return cli_usage_error("convert", "a file is wanted");
  if (!options.to_given)
    return cli_usage_error("convert", "--to steps, goal or msccl is wanted");
  if (options.bytes && options.to != TNY_FORM_GOAL)
    return cli_usage_error("convert", "only GOAL has --bytes");
  return convert(&options, argv[optind]);
}
