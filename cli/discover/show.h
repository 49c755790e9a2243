/* What was found, and what differs from a file: as text, JSON, CSV; and as a cluster file. */
#ifndef TOURNEY_CLI_DISCOVER_SHOW_H
#define TOURNEY_CLI_DISCOVER_SHOW_H

#include "cli/shared/options.h"
#include "network.h"

/* Owns: *shown is the caller's, by tny_text_free. */
enum tny_status discover_show(const struct discover_network *network, enum cli_format format,
                              char **shown, struct tny_error *error) TNY_MUST_CHECK;
enum tny_status discover_show_faults(const struct tny_faults *faults, const char *file,
                                     enum cli_format format, char **shown,
                                     struct tny_error *error) TNY_MUST_CHECK;
/* The cluster file, with how sure each link is in comments. */
enum tny_status discover_write_graph(const struct discover_network *network, char **graph,
                                     struct tny_error *error) TNY_MUST_CHECK;

#endif
