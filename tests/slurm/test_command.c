/* What the plugin asks the tool, by its line in plugstack.conf and the option of the user's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/alloc.h"
#include "core/arena.h"
#include "slurm/command.h"

enum { ARGUMENTS_MAX = 8 };

static char *const program[] = {(char *)"./app", (char *)"-n", NULL};

/* The command as one line, its words divided by bars. */
static void expect_command(const struct tny_slurm_site *site, const char *options,
                           const char *wanted)
{
  struct tny_arena *arena = tny_arena_new();
  assert_non_null(arena);
  char **command = tny_slurm_command(arena, site, options, program), line[400] = "";
  assert_non_null(command);
  for (size_t i = 0; command[i]; i++)
    snprintf(line + strlen(line), sizeof line - strlen(line), "%s%s", i ? "|" : "", command[i]);
  assert_string_equal(line, wanted);
  tny_arena_free(arena);
}

static void a_step_without_options_asks_for_its_program(void **state)
{
  (void)state;
  const struct tny_slurm_site site = {.tool = "/t"};
  expect_command(&site, NULL, "/t|run|--environment|--|./app|-n");
  expect_command(&site, "", "/t|run|--environment|--|./app|-n");
  expect_command(&site, " , ", "/t|run|--environment|--|./app|-n");
}

static void options_are_divided_by_commas_and_spaces(void **state)
{
  (void)state;
  const struct tny_slurm_site site = {.tool = "/t"};
  expect_command(&site, "explain", "/t|run|--environment|--explain|--|./app|-n");
  expect_command(&site, "explain,no-guard",
                 "/t|run|--environment|--explain|--no-guard|--|./app|-n");
  expect_command(&site, " explain \t--prove ",
                 "/t|run|--environment|--explain|--prove|--|./app|-n");
}

static void a_value_keeps_its_commas_and_ends_at_a_space(void **state)
{
  (void)state;
  const struct tny_slurm_site site = {.tool = "/t"};
  expect_command(
      &site,
      "explain,algorithm=alltoall=shuffle,allgather=ring no-guard,cluster=single:4,link=1Gbit/s",
      "/t|run|--environment|--explain|--algorithm=alltoall=shuffle,allgather=ring|"
      "--no-guard|--cluster=single:4,link=1Gbit/s|--|./app|-n");
}

static void the_sites_settings_come_before_the_users(void **state)
{
  (void)state;
  char *const arguments[] = {(char *)"link=25Gbit/s", (char *)"default=on", (char *)"tool=/t",
                             (char *)"no-guard"};
  char *moved[ARGUMENTS_MAX];
  struct tny_slurm_site site;
  assert_int_equal(tny_slurm_site_read(4, arguments, moved, &site, NULL), TNY_OK);
  assert_true(site.is_default);
  expect_command(&site, "link=1Gbit/s",
                 "/t|run|--environment|--link=25Gbit/s|--no-guard|--link=1Gbit/s|--|./app|-n");
}

static void a_site_has_no_default_unless_it_says_so(void **state)
{
  (void)state;
  static const struct {
    const char *argument;
    enum tny_status status;
    bool is_default;
  } rows[] = {{"default=on", TNY_OK, true},
              {"default=off", TNY_OK, false},
              {"explain", TNY_OK, false},
              {"default=", TNY_BAD_INPUT, false},
              {"default=yes", TNY_BAD_INPUT, false},
              {"default=one", TNY_BAD_INPUT, false}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char *const arguments[] = {(char *)rows[i].argument};
    char *moved[ARGUMENTS_MAX];
    struct tny_slurm_site site;
    struct tny_error error = {0};
    assert_int_equal(tny_slurm_site_read(1, arguments, moved, &site, &error), rows[i].status);
    assert_int_equal(site.is_default, rows[i].is_default);
    assert_null(site.tool);
    if (rows[i].status != TNY_OK)
      assert_non_null(strstr(error.text, rows[i].argument));
  }
}

static void put_tool(const char *path)
{
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fclose(file);
  assert_int_equal(chmod(path, 0700), 0);
}

static void the_tool_is_found_by_where_the_plugin_lies(void **state)
{
  (void)state;
  char folder[] = "/tmp/tourney_command_XXXXXX", plugin[100], beside[100], path[120],
       tool[PATH_MAX];
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/lib", folder);
  assert_int_equal(mkdir(path, 0700), 0);
  snprintf(path, sizeof path, "%s/bin", folder);
  assert_int_equal(mkdir(path, 0700), 0);
  snprintf(plugin, sizeof plugin, "%s/lib/tourney/tourney_spank.so", folder);
  snprintf(beside, sizeof beside, "%s/lib/tourney", folder);
  assert_int_equal(mkdir(beside, 0700), 0);

  snprintf(path, sizeof path, "%s/lib/tourney/../../bin/tourney", folder);
  tny_slurm_find_tool(plugin, tool);
  assert_string_equal(tool, path);
  put_tool(path);
  tny_slurm_find_tool(plugin, tool);
  assert_string_equal(tool, path);
  unlink(path);

  snprintf(path, sizeof path, "%s/lib/tourney/tourney", folder);
  put_tool(path);
  tny_slurm_find_tool(plugin, tool);
  assert_string_equal(tool, path);
  unlink(path);
  rmdir(beside);
  snprintf(path, sizeof path, "%s/lib", folder);
  rmdir(path);
  snprintf(path, sizeof path, "%s/bin", folder);
  rmdir(path);
  rmdir(folder);
}

static void where_memory_runs_out_there_is_no_command(void **state)
{
  (void)state;
  const struct tny_slurm_site site = {.tool = "/t"};
  struct tny_arena *arena = tny_arena_new();
  assert_non_null(arena);
  char long_value[40000] = "cluster=";
  memset(long_value + strlen(long_value), 'x', sizeof long_value - strlen(long_value) - 1);
  tny_alloc_fail_from(1);
  assert_null(tny_slurm_command(arena, &site, long_value, program));
  tny_alloc_fail_from(2);
  assert_null(tny_slurm_command(arena, &site, long_value, program));
  tny_alloc_fail_from(0);
  assert_non_null(tny_slurm_command(arena, &site, long_value, program));
  tny_arena_free(arena);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_step_without_options_asks_for_its_program),
      cmocka_unit_test(options_are_divided_by_commas_and_spaces),
      cmocka_unit_test(a_value_keeps_its_commas_and_ends_at_a_space),
      cmocka_unit_test(the_sites_settings_come_before_the_users),
      cmocka_unit_test(a_site_has_no_default_unless_it_says_so),
      cmocka_unit_test(the_tool_is_found_by_where_the_plugin_lies),
      cmocka_unit_test(where_memory_runs_out_there_is_no_command),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
