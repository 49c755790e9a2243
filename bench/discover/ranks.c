/* The ranks of `tourney discover`: an MPI program whose hosts measure what host 0 asks, which finds
   the network from that (src/discover) and prints lines, which cli/discover/network.c reads:

   - discover 2: the version of this form
   - plan SECONDS, progress DONE COUNT WHAT: how far it is
   - hosts N trunks T noise NS hop NS misfits M
   - host NAME SWITCH BPS LEAST BUFFER MEASURED, in the order of the ranks: LEAST 1: no streams
     could fill its cable; BUFFER in bytes, 0: unknown; MEASURED 1, or 0 where the buffer is that of
     like ports
   - trunk A B BPS LEAST BUFFER MEASURED NS: the same; NS: its part of a round trip
   - done */
#include <inttypes.h>
#include <math.h>
#include <signal.h>
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
  LIMIT_SECONDS = 3600, /* a job that hangs ends itself: after that, */
  LIMIT_PLANS = 10,     /* or so many times what it should take */
};

struct identity {
  char name[MPI_MAX_PROCESSOR_NAME];
  char boot_id[BOOT_ID_BYTES]; /* of the kernel: namespaces of one machine have the same */
};

/* Host 0, who asks the others. */
struct asker {
  struct discover_host *host;
  int32_t message_bytes; /* of the next streams */
  /* All pairs of an order: host_count + 2. A host's ends of them, 2 * pair + 0 or 1, -1 after the
     last: the first by host, from each the next. */
  struct discover_pair *pairs;
  int32_t *first_end, *next_end;
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

static void link_end(struct asker *asker, int32_t host, int32_t end)
{
  asker->next_end[end] = asker->first_end[host];
  asker->first_end[host] = end;
}

static void link_ends(struct asker *asker, int32_t count)
{
  for (int32_t other = 0; other < asker->host->host_count; other++)
    asker->first_end[other] = -1;
  for (int32_t i = count; i-- > 0;) {
    asker->pairs[i].number = i;
    link_end(asker, asker->pairs[i].second, 2 * i + 1);
    link_end(asker, asker->pairs[i].first, 2 * i);
  }
}

/* The pairs that a host is in, into those of host 0's own order. */
static int32_t take_pairs(struct asker *asker, int32_t other)
{
  int32_t count = 0;
  for (int32_t end = asker->first_end[other]; end >= 0; end = asker->next_end[end])
    asker->host->pairs[count++] = asker->pairs[end / 2];
  return count;
}

/* What the others found. */
static void collect(struct asker *asker, const struct discover_order *order, int32_t count)
{
  struct discover_host *host = asker->host;
  for (int32_t i = 0; i < count; i++)
    discover_await(
        host, i, order->kind == DISCOVER_STREAMS ? asker->pairs[i].second : asker->pairs[i].first);
  if (order->pinging.first > 0) {
    MPI_Status status;
    MPI_Recv(host->ping_ns, DISCOVER_PINGS_MAX, MPI_DOUBLE, order->pinging.first, DISCOVER_PING,
             host->hosts, &status);
    MPI_Get_count(&status, MPI_DOUBLE, &host->ping_count);
  }
}

/* Each host that takes part gets its own pairs of the first `count`; host 0 does its part, too, and
   gets the results. */
static void give_and_follow(struct asker *asker, struct discover_order *order, int32_t count)
{
  struct discover_host *host = asker->host;
  link_ends(asker, count);
  for (int32_t other = host->host_count; other-- > 0;) {
    const bool pings = other == order->pinging.first || other == order->pinging.second;
    order->count = take_pairs(asker, other);
    if (other == 0 || (order->count == 0 && !pings))
      continue;
    MPI_Send(order, sizeof *order, MPI_BYTE, other, DISCOVER_ORDER, host->hosts);
    MPI_Send(host->pairs, order->count * (int)sizeof *host->pairs, MPI_BYTE, other, DISCOVER_ORDER,
             host->hosts);
  }
  carry_out(host, order);
  collect(asker, order, count);
}

static bool ask_round_trips(void *state, struct tny_pair_probe *pairs, uint32_t count)
{
  struct asker *asker = state;
  const struct discover_host *host = asker->host;
  struct discover_order order = {.kind = DISCOVER_ROUND_TRIPS,
                                 .pinging = {.first = -1, .second = -1}};
  for (uint32_t i = 0; i < count; i++)
    asker->pairs[i] = (struct discover_pair){.first = (int32_t)pairs[i].first,
                                             .second = (int32_t)pairs[i].second};
  give_and_follow(asker, &order, (int32_t)count);
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
                                 .message_bytes = asker->message_bytes,
                                 .pinging = {.first = -1, .second = -1},
                                 .seconds = seconds};
  if (ping)
    order.pinging =
        (struct discover_pair){.first = (int32_t)ping->from, .second = (int32_t)ping->to};
  for (uint32_t i = 0; i < count; i++)
    asker->pairs[i] =
        (struct discover_pair){.first = (int32_t)streams[i].from, .second = (int32_t)streams[i].to};
  give_and_follow(asker, &order, (int32_t)count);
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

static void print(const struct tny_discovery *found, const struct identity *names)
{
  const struct tny_tree *tree = &found->tree;
  printf("hosts %" PRIu32 " trunks %" PRIu32 " noise %.0f hop %.0f misfits %" PRIu32 "\n",
         tree->host_count, tree->trunk_count, tree->error_ns, tree->hop_ns, tree->misfits);
  for (uint32_t host = 0; host < tree->host_count; host++) {
    const struct tny_found_cable *cable = &found->hosts[host];
    printf("host %s %" PRIu32 " %.0f %d %.0f %d\n", names[host].name, tree->switch_of[host],
           cable->bps, cable->is_least, cable->buffer_bytes, cable->is_measured);
  }
  for (uint32_t t = 0; t < tree->trunk_count; t++) {
    const struct tny_found_cable *cable = &found->trunks[t];
    printf("trunk %" PRIu32 " %" PRIu32 " %.0f %d %.0f %d %.0f\n", tree->trunks[t].a,
           tree->trunks[t].b, cable->bps, cable->is_least, cable->buffer_bytes, cable->is_measured,
           tree->trunks[t].ns);
  }
}

static void ask(struct discover_host *host, uint32_t machines, const struct identity *names)
{
  const size_t n = (size_t)host->host_count;
  struct asker asker = {.host = host,
                        .message_bytes = BYTES_MIN,
                        .pairs = calloc(n + 2, sizeof *asker.pairs),
                        .first_end = calloc(n, sizeof *asker.first_end),
                        .next_end = calloc(2 * (n + 2), sizeof *asker.next_end)};
  const struct tny_probes probes = {&asker, machines, ask_round_trips, ask_streams, tell};
  const struct discover_order stop = {.kind = DISCOVER_STOP};
  struct tny_discovery found;
  struct tny_error error = {0};
  if (!asker.pairs || !asker.first_end || !asker.next_end)
    discover_give_up("out of memory");
  printf("discover 2\nplan %.0f\n", tny_discover_seconds((uint32_t)n, machines));
  fflush(stdout);
  const enum tny_status status = tny_discover(&probes, (uint32_t)n, &found, &error);
  for (int32_t other = 1; other < host->host_count; other++)
    MPI_Send(&stop, sizeof stop, MPI_BYTE, other, DISCOVER_ORDER, host->hosts);
  if (status != TNY_OK)
    discover_give_up(error.text);
  print(&found, names);
  tny_discovery_release(&found);
  free(asker.pairs);
  free(asker.first_end);
  free(asker.next_end);
}

/* --- who takes part --- */

/* Opens all connections, so that a round trip doesn't depend on how many there are yet. */
static void connect_all(const struct discover_host *host)
{
  const int n = host->host_count;
  char out = 0, in;
  for (int away = 1; away < n; away++)
    MPI_Sendrecv(&out, 1, MPI_BYTE, (host->host + away) % n, DISCOVER_GO, &in, 1, MPI_BYTE,
                 (host->host + n - away) % n, DISCOVER_GO, host->hosts, MPI_STATUS_IGNORE);
}

static void take_part(struct discover_host *host, uint32_t machines, const struct identity *names)
{
  const size_t n = (size_t)host->host_count;
  host->pairs = calloc(n + 2, sizeof *host->pairs);
  host->results = calloc(n + 2, sizeof *host->results);
  host->ping_ns = calloc(DISCOVER_PINGS_MAX, sizeof *host->ping_ns);
  if (!host->pairs || !host->results || !host->ping_ns)
    discover_give_up("out of memory");
  connect_all(host);
  if (host->host == 0)
    ask(host, machines, names);
  else
    obey(host);
  free(host->pairs);
  free(host->results);
  free(host->ping_ns);
}

static struct identity identify(void)
{
  struct identity own = {0};
  int length;
  FILE *file = fopen("/proc/sys/kernel/random/boot_id", "r");
  MPI_Get_processor_name(own.name, &length);
  if (file) {
    if (!fgets(own.boot_id, sizeof own.boot_id, file))
      own.boot_id[0] = '\0';
    fclose(file);
  }
  return own;
}

/* Machines of one name can't be told apart later. */
static void check_same(const struct identity *a, const struct identity *b)
{
  char why[MPI_MAX_PROCESSOR_NAME + 100];
  if (strcmp(a->boot_id, b->boot_id) == 0)
    return;
  snprintf(why, sizeof why, "two machines are called \"%s\": give each a name of its own", a->name);
  discover_give_up(why);
}

/* Who the ranks' hosts are, each once in the order of their first ranks; is this rank the first of
   its host? */
static bool find_hosts(struct identity *hosts, int *count)
{
  int rank, rank_count;
  const struct identity own = identify();
  bool is_first = false;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &rank_count);
  MPI_Allgather(&own, sizeof own, MPI_BYTE, hosts, sizeof own, MPI_BYTE, MPI_COMM_WORLD);
  *count = 0;
  for (int r = 0; r < rank_count; r++) {
    int at = 0;
    while (at < *count && strcmp(hosts[at].name, hosts[r].name) != 0)
      at++;
    if (at < *count) {
      check_same(&hosts[at], &hosts[r]);
      continue;
    }
    if (at != r)
      hosts[at] = hosts[r];
    *count = at + 1;
    is_first |= r == rank;
  }
  return is_first;
}

static uint32_t count_machines(const struct identity *hosts, int count)
{
  uint32_t machines = 0;
  for (int a = 0; a < count; a++) {
    bool is_new = true;
    for (int b = 0; b < a; b++)
      is_new &= strcmp(hosts[a].boot_id, hosts[b].boot_id) != 0;
    machines += is_new;
  }
  return machines;
}

static void check_hosts(int count)
{
  if (count < 2)
    discover_give_up("all ranks are on one host: start one on each host of the network");
  if (count > (int)TNY_DISCOVER_HOSTS_MAX)
    discover_give_up("more than 2048 hosts: start on a part of them at a time");
}

static void end_late(int signal_number)
{
  static const char why[] = "tourney-discover-ranks: takes far longer than it should, and ends\n";
  (void)signal_number;
  if (write(STDERR_FILENO, why, sizeof why - 1) < 0)
    _exit(2);
  _exit(1);
}

static void limit_time(double planned_seconds)
{
  const double seconds = fmax(LIMIT_SECONDS, LIMIT_PLANS * planned_seconds);
  signal(SIGALRM, end_late);
  alarm((unsigned)fmin(seconds, UINT32_MAX));
}

int main(int argc, char **argv)
{
  struct discover_host host = {0};
  char end = 0;
  int rank, rank_count;
  limit_time(0);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &rank_count);
  struct identity *names = calloc((size_t)rank_count, sizeof *names);
  if (!names)
    discover_give_up("out of memory");
  const bool is_first = find_hosts(names, &host.host_count);
  if (rank == 0)
    check_hosts(host.host_count);
  const uint32_t machines = count_machines(names, host.host_count);
  limit_time(tny_discover_seconds((uint32_t)host.host_count, machines));
  MPI_Comm_split(MPI_COMM_WORLD, is_first ? 0 : MPI_UNDEFINED, rank, &host.hosts);
  if (is_first) {
    MPI_Comm_rank(host.hosts, &host.host);
    take_part(&host, machines, names);
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
