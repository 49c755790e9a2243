/* The drawing of a network. */
#ifndef TOURNEY_CLI_REPORT_NETWORK_H
#define TOURNEY_CLI_REPORT_NETWORK_H

#include "core/text.h"
#include "layout.h"

/* Draws hosts with their ranks, switches, and each direction of a cable as a line. The names that
   page.js finds its nodes and links by are their ids: n0, l0. */
void network_draw(const struct tny_network *network, const struct layout *layout,
                  struct tny_text *html);

#endif
