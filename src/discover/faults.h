/* What differs, as a list that grows. Private to this folder. */
#ifndef TOURNEY_DISCOVER_FAULTS_H
#define TOURNEY_DISCOVER_FAULTS_H

#include "core/units.h"
#include "discover/describe.h"

/* Room for one more; NULL: no memory. */
struct tny_fault *tny_faults_add(struct tny_faults *faults, enum tny_fault_kind kind);
/* False: no memory. */
bool tny_faults_add_host(struct tny_faults *faults, enum tny_fault_kind kind, const char *host,
                         const char *text);
/* A rate as faults say it. */
struct tny_quantity tny_faults_rate(double bps);

#endif
