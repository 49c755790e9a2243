/* Numbers with units as people write them: "20Mbit/s", "5us", "64KiB". Decimal fractions are
   allowed ("2.5Gbit/s") where they come out as a whole number of the smallest unit. */
#ifndef TOURNEY_CORE_UNITS_H
#define TOURNEY_CORE_UNITS_H

#include <stdint.h>

#include <tourney/status.h>

/* bit/s, kbit/s, Mbit/s, Gbit/s, Tbit/s, or bps, kbps, Mbps, Gbps, Tbps; powers of ten; the unit
   must be there. */
enum tny_status tny_bandwidth_parse(const char *text, uint64_t *bandwidth_bps,
                                    struct tny_error *error) TNY_MUST_CHECK;
/* ns, us, ms, s; the unit must be there unless the number is 0. */
enum tny_status tny_time_parse(const char *text, uint64_t *time_ns,
                               struct tny_error *error) TNY_MUST_CHECK;
/* Plain bytes or B; KiB, MiB, GiB, and K, M, G for the same, are powers of 1024; kB, MB, GB are
   powers of 1000. */
enum tny_status tny_bytes_parse(const char *text, uint64_t *bytes,
                                struct tny_error *error) TNY_MUST_CHECK;

/* A formatted number; passed by value, so it needs no storage of the caller's. */
struct tny_quantity {
  char text[40];
};

/* The shortest text that parses back to exactly this number. */
struct tny_quantity tny_bandwidth_format(uint64_t bandwidth_bps);
struct tny_quantity tny_time_format(uint64_t time_ns);
struct tny_quantity tny_bytes_format(uint64_t bytes);

#endif
