/* What tests of InfiniBand's files share. Included once by each test program. */
#ifndef TOURNEY_TESTS_INFINIBAND_SUPPORT_H
#define TOURNEY_TESTS_INFINIBAND_SUPPORT_H

#include <inttypes.h>

#include "import_support.h"

#include <tourney/routing.h>

struct imported {
  struct tny_cluster *cluster;
  char *routes; /* NULL: none */
};

static inline void release_imported(struct imported *imported)
{
  tny_cluster_free(imported->cluster);
  tny_text_free(imported->routes);
}

/* The text of a file of tests/clusters/infiniband/good; the caller's. */
static inline char *infiniband_file(const char *name)
{
  char path[4096], *text;
  struct tny_error error = {0};
  snprintf(path, sizeof path, "%s/tests/clusters/infiniband/good/%s", getenv("TOURNEY_SOURCE"),
           name);
  if (tny_file_read(path, &text, &error))
    fail_msg("%s: %s", path, error.text);
  return text;
}

/* Two texts as files "net" and "tables", the second of which may be NULL. */
static inline enum tny_status import_texts(const char *net, const char *tables,
                                           struct imported *imported, struct tny_error *error)
{
  const struct tny_import_file files[] = {{.name = "net", .text = net},
                                          {.name = "tables", .text = tables}};
  const struct tny_import_request import = {.files = files,
                                            .file_count = tables ? 2 : 1,
                                            .link_bps = 25000000000,
                                            .routes = &imported->routes};
  const char *format;
  const enum tny_status status = tny_cluster_import(&import, &imported->cluster, &format, error);
  assert_true((imported->cluster == NULL) == (status != TNY_OK));
  assert_true(status == TNY_OK || imported->routes == NULL);
  if (status == TNY_OK)
    assert_string_equal(format, "ibnetdiscover");
  return status;
}

/* Files of tests/clusters/infiniband/good. */
static inline struct imported import_files(const char *topology, const char *tables)
{
  char *texts[] = {infiniband_file(topology), tables ? infiniband_file(tables) : NULL};
  struct imported imported;
  struct tny_error error = {0};
  if (import_texts(texts[0], texts[1], &imported, &error))
    fail_msg("%s, %s: %s:%u: %s", topology, tables ? tables : "", error.file, error.line,
             error.text);
  tny_text_free(texts[0]);
  tny_text_free(texts[1]);
  return imported;
}

/* Two hosts on a switch, the first of which has these rates at the two ends of its cable. */
static inline struct imported import_pair(const char *near, const char *far, const char *first,
                                          const char *second)
{
  char text[1000];
  struct imported imported;
  struct tny_error error = {0};
  snprintf(text, sizeof text,
           "Switch 36 \"S-0000000000000001\" # \"leaf\" base port 0 lid 1 lmc 0\n"
           "[1] \"H-0000000000000002\"[1](a) # \"%s\" lid 2 %s\n"
           "[2] \"H-0000000000000003\"[1](b) # \"%s\" lid 3 4xQDR\n\n"
           "Ca 1 \"H-0000000000000002\" # \"%s\"\n"
           "[1](a) \"S-0000000000000001\"[1] # lid 2 lmc 0 \"leaf\" lid 1 %s\n\n"
           "Ca 1 \"H-0000000000000003\" # \"%s\"\n"
           "[1](b) \"S-0000000000000001\"[2] # lid 3 lmc 0 \"leaf\" lid 1 4xQDR\n",
           first, far, second, first, near, second);
  if (import_texts(text, NULL, &imported, &error))
    fail_msg("%u: %s\n%s", error.line, error.text, text);
  return imported;
}

#endif
