/* The ranks of `tourney discover`: an MPI program whose hosts measure what host 0 asks, which finds
   the network from that (src/discover) and prints lines, which cli/discover/network.c reads:

   - discover 1: the version of this form
   - plan SECONDS, progress DONE COUNT WHAT: how far it is
   - hosts N trunks T noise NS hop NS misfits M
   - host NAME SWITCH BPS BUFFER MEASURED, in the order of the ranks: BUFFER in bytes, 0: unknown;
     MEASURED 1, or 0 where the buffer is that of like ports
   - trunk A B BPS LEAST BUFFER MEASURED NS: LEAST 1: no streams could fill it; NS: its part of a
     round trip
   - done */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/discover/context.h"
#include "discover/alike.h"
#include "discover/discover.h"

enum {
  BYTES_MIN = 8 << 10, /* of a message of a stream */
  BYTES_MAX = 1 << 20,
  BOOT_ID_BYTES = 40,
  LIMIT_SECONDS = 3600, /* a job that hangs ends itself */
};

/* Host 0, who asks the others. */
struct asker {
  struct discover_host *host;
  int32_t message_bytes; /* of the next streams */
};

static void carry_out(struct discover_host *host, const struct discover_order *order)
{
  if (order->kind == DISCOVER_ROUND_TRIPS)
    discover_measure_round_trips(host, order);
  else
    discover_measure_streams(host, order);
}

static void obey(struct discover_host *host)
{
  for (;;) {
    struct discover_order order;
    discover_wait(&order, sizeof order, 0, DISCOVER_ORDER, host->hosts);
    if (order.kind == DISCOVER_STOP)
      return;
    MPI_Recv(host->pairs, order.count * (int)sizeof *host->pairs, MPI_BYTE, 0, DISCOVER_ORDER,
             host->hosts, MPI_STATUS_IGNORE);
    carry_out(host, &order);
  }
}

/* --- host 0 --- */

static bool takes_part(const struct discover_host *host, const struct discover_order *order,
                       int32_t other)
{
  bool does = other == order->pinging.first || other == order->pinging.second;
  for (int i = 0; i < order->count; i++)
    does |= other == host->pairs[i].first || other == host->pairs[i].second;
  return does;
}

/* Host 0 always takes part, for it gets the results. */
static void give_and_follow(struct discover_host *host, const struct discover_order *order)
{
  for (int32_t other = 1; other < host->host_count; other++)
    if (takes_part(host, order, other)) {
      MPI_Send(order, sizeof *order, MPI_BYTE, other, DISCOVER_ORDER, host->hosts);
      MPI_Send(host->pairs, order->count * (int)sizeof *host->pairs, MPI_BYTE, other,
               DISCOVER_ORDER, host->hosts);
    }
  carry_out(host, order);
}

static bool ask_round_trips(void *state, struct tny_pair_probe *pairs, uint32_t count)
{
  struct discover_host *host = ((struct asker *)state)->host;
  const struct discover_order order = {
      .kind = DISCOVER_ROUND_TRIPS, .count = (int32_t)count, .pinging = {-1, -1}};
  for (uint32_t i = 0; i < count; i++)
    host->pairs[i] = (struct discover_pair){(int32_t)pairs[i].first, (int32_t)pairs[i].second};
  give_and_follow(host, &order);
  for (uint32_t i = 0; i < count; i++) {
    pairs[i].ns = host->results[i].value;
    pairs[i].first_calls_ns = host->results[i].first_calls_ns;
    pairs[i].second_calls_ns = host->results[i].second_calls_ns;
  }
  return true;
}

/* Messages that take about 5 ms by the rate that was seen last. */
static void learn_bytes(struct asker *asker, double bytes_per_second)
{
  const double wanted = bytes_per_second / 200;
  asker->message_bytes = wanted < BYTES_MIN   ? BYTES_MIN
                         : wanted > BYTES_MAX ? BYTES_MAX
                                              : (int32_t)wanted;
}

static bool take_pings(struct discover_host *host, struct tny_ping_probe *ping)
{
  if (host->ping_count == 0)
    return false;
  tny_sort_numbers(host->ping_ns, (size_t)host->ping_count);
  ping->ns = host->ping_ns[host->ping_count * 9 / 10];
  return true;
}

static bool ask_streams(void *state, struct tny_stream_probe *streams, uint32_t count,
                        double seconds, struct tny_ping_probe *ping)
{
  struct asker *asker = state;
  struct discover_host *host = asker->host;
  double most = 0;
  struct discover_order order = {.kind = DISCOVER_STREAMS,
                                 .count = (int32_t)count,
                                 .message_bytes = asker->message_bytes,
                                 .pinging = {-1, -1},
                                 .seconds = seconds};
  if (ping)
    order.pinging = (struct discover_pair){(int32_t)ping->from, (int32_t)ping->to};
  for (uint32_t i = 0; i < count; i++)
    host->pairs[i] = (struct discover_pair){(int32_t)streams[i].from, (int32_t)streams[i].to};
  give_and_follow(host, &order);
  for (uint32_t i = 0; i < count; i++) {
    streams[i].bps = 8 * host->results[i].value;
    most = fmax(most, host->results[i].value);
  }
  learn_bytes(asker, most);
  return !ping || take_pings(host, ping);
}

static void tell(void *state, const char *what, uint32_t done, uint32_t count)
{
  (void)state;
  printf("progress %" PRIu32 " %" PRIu32 " %s\n", done, count, what);
  fflush(stdout);
}

static void print(const struct tny_discovery *found, char (*names)[MPI_MAX_PROCESSOR_NAME])
{
  const struct tny_tree *tree = &found->tree;
  printf("hosts %" PRIu32 " trunks %" PRIu32 " noise %.0f hop %.0f misfits %" PRIu32 "\n",
         tree->host_count, tree->trunk_count, tree->error_ns, tree->hop_ns, tree->misfits);
  for (uint32_t host = 0; host < tree->host_count; host++) {
    const struct tny_found_cable *cable = &found->hosts[host];
    printf("host %s %" PRIu32 " %.0f %.0f %d\n", names[host], tree->switch_of[host], cable->bps,
           cable->buffer_bytes, cable->is_measured);
  }
  for (uint32_t t = 0; t < tree->trunk_count; t++) {
    const struct tny_found_cable *cable = &found->trunks[t];
    printf("trunk %" PRIu32 " %" PRIu32 " %.0f %d %.0f %d %.0f\n", tree->trunks[t].a,
           tree->trunks[t].b, cable->bps, cable->is_least, cable->buffer_bytes, cable->is_measured,
           tree->trunks[t].ns);
  }
}

static void ask(struct discover_host *host, uint32_t machines,
                char (*names)[MPI_MAX_PROCESSOR_NAME])
{
  struct asker asker = {.host = host, .message_bytes = BYTES_MIN};
  const struct tny_probes probes = {&asker, machines, ask_round_trips, ask_streams, tell};
  const struct discover_order stop = {.kind = DISCOVER_STOP};
  const uint32_t n = (uint32_t)host->host_count;
  struct tny_discovery found;
  struct tny_error error = {0};
  printf("discover 1\nplan %.0f\n", tny_discover_seconds(n, machines));
  fflush(stdout);
  const enum tny_status status = tny_discover(&probes, n, &found, &error);
  for (int32_t other = 1; other < host->host_count; other++)
    MPI_Send(&stop, sizeof stop, MPI_BYTE, other, DISCOVER_ORDER, host->hosts);
  if (status != TNY_OK)
    discover_give_up(error.text);
  print(&found, names);
  tny_discovery_release(&found);
}

/* --- who takes part --- */

/* Hosts whose kernel was started at once are namespaces of one machine. */
static uint32_t count_machines(const struct discover_host *host)
{
  char own[BOOT_ID_BYTES] = "";
  FILE *file = fopen("/proc/sys/kernel/random/boot_id", "r");
  if (file) {
    if (!fgets(own, sizeof own, file))
      own[0] = '\0';
    fclose(file);
  }
  char(*all)[BOOT_ID_BYTES] = calloc((size_t)host->host_count, sizeof *all);
  if (!all)
    discover_give_up("out of memory");
  MPI_Allgather(own, sizeof own, MPI_CHAR, all, sizeof own, MPI_CHAR, host->hosts);
  uint32_t count = 0;
  for (int a = 0; a < host->host_count; a++) {
    bool is_new = true;
    for (int b = 0; b < a; b++)
      is_new &= strcmp(all[a], all[b]) != 0;
    count += is_new;
  }
  free(all);
  return count;
}

/* Opens all connections, so that a round trip doesn't depend on how many there are yet. */
static void connect_all(const struct discover_host *host)
{
  const int n = host->host_count;
  char out = 0, in;
  for (int away = 1; away < n; away++)
    MPI_Sendrecv(&out, 1, MPI_BYTE, (host->host + away) % n, DISCOVER_GO, &in, 1, MPI_BYTE,
                 (host->host + n - away) % n, DISCOVER_GO, host->hosts, MPI_STATUS_IGNORE);
}

static void take_part(struct discover_host *host, char (*names)[MPI_MAX_PROCESSOR_NAME])
{
  const size_t n = (size_t)host->host_count;
  host->pairs = calloc(n + 2, sizeof *host->pairs);
  host->results = calloc(n + 2, sizeof *host->results);
  host->ping_ns = calloc(DISCOVER_PINGS_MAX, sizeof *host->ping_ns);
  if (!host->pairs || !host->results || !host->ping_ns)
    discover_give_up("out of memory");
  connect_all(host);
  const uint32_t machines = count_machines(host);
  if (host->host == 0)
    ask(host, machines, names);
  else
    obey(host);
  free(host->pairs);
  free(host->results);
  free(host->ping_ns);
}

/* The names of the ranks' hosts, each once in the order of their first ranks; is this rank the
   first of its host? */
static bool find_hosts(char (*names)[MPI_MAX_PROCESSOR_NAME], int *count)
{
  int rank, rank_count, length;
  char own[MPI_MAX_PROCESSOR_NAME] = "";
  bool is_first = false;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &rank_count);
  MPI_Get_processor_name(own, &length);
  MPI_Allgather(own, sizeof own, MPI_CHAR, names, sizeof own, MPI_CHAR, MPI_COMM_WORLD);
  *count = 0;
  for (int r = 0; r < rank_count; r++) {
    bool is_new = true;
    for (int h = 0; h < *count; h++)
      is_new &= strcmp(names[h], names[r]) != 0;
    if (is_new && *count != r)
      memcpy(names[*count], names[r], sizeof *names);
    *count += is_new;
    is_first |= is_new && r == rank;
  }
  return is_first;
}

static void check_hosts(int count)
{
  if (count < 2)
    discover_give_up("all ranks are on one host: start one on each host of the network");
  if (count > (int)TNY_DISCOVER_HOSTS_MAX)
    discover_give_up("more than 2048 hosts: start on a part of them at a time");
}

int main(int argc, char **argv)
{
  struct discover_host host = {0};
  char end = 0;
  int rank, rank_count;
  alarm(LIMIT_SECONDS);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &rank_count);
  char(*names)[MPI_MAX_PROCESSOR_NAME] = calloc((size_t)rank_count, sizeof *names);
  if (!names)
    discover_give_up("out of memory");
  const bool is_first = find_hosts(names, &host.host_count);
  if (rank == 0)
    check_hosts(host.host_count);
  MPI_Comm_split(MPI_COMM_WORLD, is_first ? 0 : MPI_UNDEFINED, rank, &host.hosts);
  if (is_first) {
    MPI_Comm_rank(host.hosts, &host.host);
    take_part(&host, names);
    MPI_Comm_free(&host.hosts);
  }
  for (int other = 1; rank == 0 && other < rank_count; other++)
    MPI_Send(&end, 1, MPI_BYTE, other, DISCOVER_GO, MPI_COMM_WORLD);
  if (rank != 0)
    discover_wait(&end, 1, 0, DISCOVER_GO, MPI_COMM_WORLD);
  free(names);
  MPI_Finalize();
  if (rank == 0)
    puts("done");
  return 0;
}
