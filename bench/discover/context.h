/* The ranks of `tourney discover`: the first of each host measures, the others wait for the end. */
#ifndef TOURNEY_BENCH_DISCOVER_CONTEXT_H
#define TOURNEY_BENCH_DISCOVER_CONTEXT_H

#include <stdbool.h>
#include <stdint.h>

#include <mpi.h>

enum discover_tag {
  DISCOVER_ORDER = 1,
  DISCOVER_GO,
  DISCOVER_PING,
  DISCOVER_DATA,
  DISCOVER_CALLS,
  DISCOVER_RESULT,
};

struct discover_pair {
  int32_t first, second; /* hosts; a stream leads from the first to the second */
  int32_t number;        /* among all that are measured at once */
};

enum discover_kind { DISCOVER_STOP, DISCOVER_ROUND_TRIPS, DISCOVER_STREAMS };

/* What host 0 asks of a host that takes part; `count` pairs follow it, which it is in. */
struct discover_order {
  int32_t kind, count;
  int32_t message_bytes;        /* of streams: about what takes 5 ms is best */
  struct discover_pair pinging; /* beside streams: from the first to the second; -1: none */
  double seconds;               /* of streams */
};

/* What came of it, by pair. */
struct discover_result {
  double value;                           /* a round trip in ns, or bytes a second */
  double first_calls_ns, second_calls_ns; /* of round trips: what the same calls took */
};

struct discover_host {
  MPI_Comm hosts; /* the first rank of each host */
  int32_t host, host_count;
  struct discover_pair *pairs;     /* of the order: host_count + 2 */
  struct discover_result *results; /* at host 0, by a pair's number */
  double *ping_ns;                 /* at who pings, and at host 0: DISCOVER_PINGS_MAX */
  int32_t ping_count;
};
#define DISCOVER_PINGS_MAX 20000

/* Receives without using the processor while nothing comes: it is slept in steps of up to 2 ms. */
void discover_wait(void *buffer, int bytes, int from, enum discover_tag tag, MPI_Comm comm);
_Noreturn void discover_give_up(const char *why);
/* Whoever measured gives host 0 the result of a pair; host 0 gets it from there. */
void discover_report(struct discover_host *host, const struct discover_result *result,
                     int32_t number);
void discover_await(struct discover_host *host, int32_t number, int32_t from);

/* Carry out an order; whoever takes part calls it. The first host of a pair tells host 0 the least
   round trip, and the receiver of a stream, all of which run at once, what it got without the time
   in which streams find their rate; the one who pings what that took meanwhile, which host 0 keeps
   if it's itself. */
void discover_measure_round_trips(struct discover_host *host, const struct discover_order *order);
void discover_measure_streams(struct discover_host *host, const struct discover_order *order);

#endif
