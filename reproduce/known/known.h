/* What the entries share that compare our simulator with what is known of others: BookSim, an
   independent simulator (jiang2013), and the limit of switches with queues at their inputs
   (karol1987). */
#ifndef TOURNEY_REPRODUCE_KNOWN_H
#define TOURNEY_REPRODUCE_KNOWN_H

#include "reproduce/shared/entry.h"

/* A finding without limits; `known` is NAN where nothing is known. */
struct tny_finding tny_known_finding(double x, double value, double known);

/* The entries. */
extern const struct tny_reproduction tny_jiang_zero_load, tny_jiang_latency, tny_jiang_speed,
    tny_jiang_credit_loop, tny_jiang_saturation, tny_jiang_batch, tny_karol_blocking;

#endif
