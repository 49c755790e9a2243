/* Inputs of formats that tell of ports, as tables: what a cluster comes to, or how it is refused.
   In their texts ' stands for ". Included once by each test program. */
#ifndef TOURNEY_TESTS_IMPORT_CASES_H
#define TOURNEY_TESTS_IMPORT_CASES_H

#include "import_support.h"

#define FILES_MAX 6
#define GBIT 1000000000ull

struct input {
  struct {
    const char *name, *text;
  } files[FILES_MAX];
  const char *format; /* NULL: as it begins */
  uint64_t link_bps, trunk_bps;
  const char *interfaces, *without;
};

struct good {
  struct input input;
  uint32_t hosts, switches, cables;
  struct {
    const char *from, *to;
    uint64_t bps; /* of all cables between them, in Gbit/s */
  } joined[4];
};

struct fault {
  struct input input;
  const char *file; /* NULL: none */
  unsigned line;
  const char *says;
};

static inline enum tny_status import_input(const struct input *input, struct tny_cluster **cluster,
                                           struct tny_error *error)
{
  static char names[FILES_MAX][64]; /* errors borrow them */
  struct tny_import_file files[FILES_MAX];
  char *texts[FILES_MAX];
  uint32_t count = 0;
  for (; count < FILES_MAX && input->files[count].text; count++) {
    const size_t bytes = strlen(input->files[count].text) + 1;
    texts[count] = test_malloc(bytes);
    for (size_t i = 0; i < bytes; i++)
      texts[count][i] = input->files[count].text[i] == '\'' ? '"' : input->files[count].text[i];
    snprintf(names[count], sizeof names[count], "%s", input->files[count].name);
    files[count] = (struct tny_import_file){.name = names[count], .text = texts[count]};
  }
  const struct tny_import_request import = {.files = files,
                                            .file_count = count,
                                            .format = input->format,
                                            .link_bps = input->link_bps,
                                            .trunk_bps = input->trunk_bps,
                                            .interfaces = input->interfaces,
                                            .without = input->without};
  const char *format;
  const enum tny_status status = tny_cluster_import(&import, cluster, &format, error);
  for (uint32_t i = 0; i < count; i++)
    test_free(texts[i]);
  return status;
}

/* The same for starve(). */
static inline enum tny_status import_and_free(const void *input, struct tny_error *error)
{
  struct tny_cluster *cluster;
  const enum tny_status status = import_input(input, &cluster, error);
  tny_cluster_free(cluster);
  return status;
}

static inline uint64_t rate_between(const struct tny_cluster *cluster, const char *a, const char *b)
{
  const uint32_t from = node_called(cluster, a), to = node_called(cluster, b);
  uint64_t bps = 0;
  for (uint32_t link = 0; link < cluster->link_count; link++)
    if (cluster->links[link].from == from && cluster->links[link].to == to)
      bps += cluster->links[link].best_bps;
  return bps;
}

static inline void check_good(const struct good *good, size_t count)
{
  for (size_t i = 0; i < count; i++) {
    const struct good *one = &good[i];
    struct tny_cluster *cluster;
    struct tny_error error = {0};
    if (import_input(&one->input, &cluster, &error))
      fail_msg("number %zu: %s:%u: %s", i, error.file, error.line, error.text);
    if (cluster->host_count != one->hosts || cluster->switch_count != one->switches ||
        cluster->link_count / 2 != one->cables)
      fail_msg("number %zu: %u hosts, %u switches, %u cables:\n%s", i, cluster->host_count,
               cluster->switch_count, cluster->link_count / 2, flat_of(cluster));
    for (size_t k = 0; k < 4 && one->joined[k].from; k++) {
      const uint64_t bps = rate_between(cluster, one->joined[k].from, one->joined[k].to);
      if (bps != one->joined[k].bps * GBIT)
        fail_msg("number %zu: %s and %s are joined by %llu bit/s", i, one->joined[k].from,
                 one->joined[k].to, (unsigned long long)bps);
    }
    tny_cluster_free(cluster);
  }
}

static inline void check_faults(const struct fault *faults, size_t count)
{
  for (size_t i = 0; i < count; i++) {
    struct tny_cluster *cluster;
    struct tny_error error = {0};
    if (import_input(&faults[i].input, &cluster, &error) != TNY_BAD_INPUT)
      fail_msg("number %zu isn't refused", i);
    if (error.line != faults[i].line || !strstr(error.text, faults[i].says) ||
        strcmp(error.file, faults[i].file ? faults[i].file : "") != 0)
      fail_msg("number %zu: %s:%u: %s", i, error.file, error.line, error.text);
    assert_null(strchr(error.text, '\n'));
  }
}

#endif
