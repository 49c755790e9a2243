/* The clusters and cabinets of SimGrid's platform files. */
#ifndef TOURNEY_IMPORT_SIMGRID_CLUSTER_H
#define TOURNEY_IMPORT_SIMGRID_CLUSTER_H

#include "import/platform.h"
#include "import/xml.h"

/* A <cluster>: its hosts, and what joins them. */
enum tny_status tny_simgrid_add_cluster(struct tny_platform *platform,
                                        const struct tny_xml_element *element,
                                        struct tny_error *error) TNY_MUST_CHECK;
/* A <cabinet>: hosts with a link each to the place in the middle of their zone. */
enum tny_status tny_simgrid_add_cabinet(struct tny_platform *platform,
                                        const struct tny_xml_element *element, uint32_t middle,
                                        struct tny_error *error) TNY_MUST_CHECK;

#endif
