/* The rates of a network whose description has none: by the kernel's list of interfaces. What the
   environment and a site's file say is in test_run.sh. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/shared/launch/rates.h"

static char system_folder[] = "/tmp/tourney_rates_XXXXXX";

/* A file below the folder, with the folders that it needs. */
static void put(const char *name, const char *text)
{
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s/%s", system_folder, name);
  for (char *slash = path + strlen(system_folder) + 1; (slash = strchr(slash, '/')); slash++) {
    *slash = '\0';
    mkdir(path, 0700);
    *slash = '/';
  }
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
}

static void put_ethernet(const char *name, const char *state, const char *speed, int has_device)
{
  char path[128];
  snprintf(path, sizeof path, "class/net/%s/operstate", name);
  put(path, state);
  snprintf(path, sizeof path, "class/net/%s/speed", name);
  put(path, speed);
  snprintf(path, sizeof path, "class/net/%s/device/vendor", name);
  if (has_device)
    put(path, "0x8086\n");
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *place)
{
  (void)info, (void)kind, (void)place;
  return remove(path);
}

static int make_folder(void **state)
{
  (void)state;
  snprintf(system_folder, sizeof system_folder, "/tmp/tourney_rates_XXXXXX");
  unsetenv("TOURNEY_LINK");
  unsetenv("TOURNEY_TRUNK");
  return mkdtemp(system_folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
  (void)state;
  return nftw(system_folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static struct launch_rates find(void)
{
  struct launch_rates rates = {0};
  struct tny_error error = {0};
  assert_int_equal(launch_rates_find(&rates, NULL, system_folder, &error), TNY_OK);
  assert_true(rates.trunk.bps == 0);
  return rates;
}

static void without_an_interface_nothing_is_known(void **state)
{
  (void)state;
  assert_true(find().link.bps == 0);
}

static void the_fastest_interface_with_a_device_that_is_up_counts(void **state)
{
  (void)state;
  put_ethernet("lo", "unknown\n", "", 0);
  put_ethernet("veth0", "up\n", "10000\n", 0);
  put_ethernet("eno1", "up\n", "1000\n", 1);
  put_ethernet("eno2", "up\n", "2500\n", 1);
  put_ethernet("eno3", "down\n", "100000\n", 1);
  put_ethernet("eno4", "up\n", "-1\n", 1);
  const struct launch_rates rates = find();
  assert_true(rates.link.bps == 2500000000);
  assert_string_equal(rates.link.by, "eno2's speed on this host");
}

static void infiniband_counts_where_its_port_is_active(void **state)
{
  (void)state;
  put_ethernet("eno1", "up\n", "10000\n", 1);
  put("class/infiniband/mlx5_0/ports/1/state", "4: ACTIVE\n");
  put("class/infiniband/mlx5_0/ports/1/rate", "100 Gb/sec (4X EDR)\n");
  put("class/infiniband/mlx5_1/ports/1/state", "1: DOWN\n");
  put("class/infiniband/mlx5_1/ports/1/rate", "200 Gb/sec (4X HDR)\n");
  const struct launch_rates rates = find();
  assert_true(rates.link.bps == 100000000000);
  assert_string_equal(rates.link.by, "mlx5_0's speed on this host");
}

static void what_is_said_goes_before_interfaces(void **state)
{
  (void)state;
  struct launch_rates rates = {0};
  put_ethernet("eno1", "up\n", "10000\n", 1);
  setenv("TOURNEY_LINK", "1Gbit/s", 1);
  setenv("TOURNEY_TRUNK", "4Gbit/s", 1);
  assert_int_equal(launch_rate_take(&rates.link, "--link", "3Gbit/s", NULL), TNY_OK);
  assert_int_equal(launch_rates_find(&rates, NULL, system_folder, NULL), TNY_OK);
  assert_true(rates.link.bps == 3000000000);
  assert_string_equal(rates.link.by, "--link");
  assert_true(rates.trunk.bps == 4000000000);
  rates = (struct launch_rates){0};
  assert_int_equal(launch_rates_find(&rates, NULL, system_folder, NULL), TNY_OK);
  assert_true(rates.link.bps == 1000000000);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(without_an_interface_nothing_is_known, make_folder,
                                      remove_folder),
      cmocka_unit_test_setup_teardown(the_fastest_interface_with_a_device_that_is_up_counts,
                                      make_folder, remove_folder),
      cmocka_unit_test_setup_teardown(infiniband_counts_where_its_port_is_active, make_folder,
                                      remove_folder),
      cmocka_unit_test_setup_teardown(what_is_said_goes_before_interfaces, make_folder,
                                      remove_folder),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
