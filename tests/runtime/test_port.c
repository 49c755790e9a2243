/* How full a rank may make its own host's port (src/mpi/network/port.c): never fuller than half of
   its buffer, its part where ranks share a host, but by a message that has it for itself; and the
   port is never idle for it. */
#include "support/cluster.h"

#include "core/random.h"
#include "mpi/network/port.h"

enum { RANKS = 8, MESSAGES = 2000, HEADERS = 40 + 66, FRAME = 1448 };

/* A port as a queue of bytes that its link empties. */
struct queue {
  double bytes, at_ns, bytes_a_ns;
};

static void let_pass(struct queue *queue, double now_ns)
{
  const double sent = (now_ns - queue->at_ns) * queue->bytes_a_ns;
  queue->bytes = queue->bytes > sent ? queue->bytes - sent : 0;
  queue->at_ns = now_ns;
}

/* The bytes of a message's frames, in whole frames' headers: not fewer than it has. */
static double wire_bytes(uint64_t bytes)
{
  return (double)(bytes + HEADERS + (bytes + 40 - 1) / FRAME * 66);
}

static struct tny_port find(const char *text, uint32_t ranks_a_host)
{
  uint32_t host_of_rank[RANKS];
  struct tny_cluster *cluster = open_cluster(text);
  struct tny_port port = {0};
  for (uint32_t r = 0; r < RANKS; r++)
    host_of_rank[r] = r / ranks_a_host;
  tny_port_find(&port, cluster, host_of_rank, RANKS, RANKS - 1);
  tny_cluster_free(cluster);
  return port;
}

/* Sends messages as soon as they may go, now and then after a pause. */
static void send_all(uint32_t ranks_a_host, uint64_t bps, const char *text, uint64_t seed)
{
  struct tny_port port = find(text, ranks_a_host);
  const double room = 65536.0 / 2 / ranks_a_host;
  struct queue queue = {.bytes_a_ns = (double)bps / 8e9};
  uint64_t state = seed, now_ns = 1000000000;
  queue.at_ns = (double)now_ns;
  for (int i = 0; i < MESSAGES; i++) {
    const double rounding = 1 + (1 + i) * queue.bytes_a_ns; /* of whole nanoseconds a message */
    const uint64_t bytes = (uint64_t)(tny_random_share(&state) * room * 1.2);
    if (tny_random_share(&state) < 0.02)
      now_ns += (uint64_t)(tny_random_share(&state) * 100e6);
    const uint64_t wait_ns = tny_port_enter(&port, ranks_a_host, bytes, now_ns);
    let_pass(&queue, (double)now_ns);
    if (wait_ns > 0)
      assert_true(queue.bytes > 0 && queue.bytes + wire_bytes(bytes) > room - rounding);
    now_ns += wait_ns;
    if (wait_ns > 0)
      assert_int_equal(tny_port_enter(&port, ranks_a_host, bytes, now_ns), 0);
    let_pass(&queue, (double)now_ns);
    assert_true(queue.bytes < rounding || queue.bytes + wire_bytes(bytes) <= room + rounding);
    queue.bytes += wire_bytes(bytes);
  }
}

static void a_port_is_never_fuller_than_its_room(void **state)
{
  (void)state;
  send_all(1, 20000000, "single:8,link=20Mbit/s,buffer=64KiB", 1);
  send_all(2, 20000000, "single:8,link=20Mbit/s,buffer=64KiB", 2);
  send_all(4, 20000000, "single:8,link=20Mbit/s,buffer=64KiB", 3);
  send_all(1, 10000000000, "single:8,link=10Gbit/s,buffer=64KiB", 4);
}

static void nothing_waits_where_a_host_has_several_ports(void **state)
{
  (void)state;
  const struct tny_link links[] = {{.from = 0, .to = 1, .bandwidth_bps = 20000000},
                                   {.from = 0, .to = 2, .bandwidth_bps = 20000000}};
  const uint32_t first_out[] = {0, 2, 2, 2}, out_links[] = {0, 1}, host_of_rank[] = {0};
  const struct tny_cluster cluster = {.host_count = 1,
                                      .switch_count = 2,
                                      .link_count = 2,
                                      .links = links,
                                      .first_out = first_out,
                                      .out_links = out_links};
  struct tny_port port = {0};
  tny_port_find(&port, &cluster, host_of_rank, 1, 0);
  for (int i = 0; i < 100; i++)
    assert_int_equal(tny_port_enter(&port, port.sharing, 100000, 1), 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_port_is_never_fuller_than_its_room),
      cmocka_unit_test(nothing_waits_where_a_host_has_several_ports),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
