/* Values of attributes in SimGrid's platform files. */
#ifndef TOURNEY_IMPORT_SIMGRID_VALUES_H
#define TOURNEY_IMPORT_SIMGRID_VALUES_H

#include "import/platform.h"
#include "import/xml.h"

/* The rate that an attribute has, "125MBps", "1Gibps"; a number alone is in bytes per second. */
enum tny_status tny_simgrid_read_rate(const struct tny_xml_element *element, const char *name,
                                      uint64_t *bps, struct tny_error *error) TNY_MUST_CHECK;
/* The time that an attribute has, "50us", "1.5ms"; a number alone is in seconds; without the
   attribute it is 0. */
enum tny_status tny_simgrid_read_time(const struct tny_xml_element *element, const char *name,
                                      uint64_t *time_ns, struct tny_error *error) TNY_MUST_CHECK;
enum tny_status tny_simgrid_read_sharing(const struct tny_xml_element *element, const char *name,
                                         enum tny_sharing *sharing,
                                         struct tny_error *error) TNY_MUST_CHECK;

#endif
