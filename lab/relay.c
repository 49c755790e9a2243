/* The relay's process: one thread, which waits by epoll for frames and, by a timer of nanoseconds,
   for the time at which the next frame is due.

   Frames are read and sent by packet sockets, with the header by which network cards and virtual
   machines tell of work left to do (virtio_net_hdr): a segment of TCP that its sender hasn't cut
   yet, and whose checksum isn't there yet, passes as it is. A packet socket needs no device file,
   so a plain user's relay works wherever their network namespaces do.

   A frame is due a latency after the kernel took it in at the inner end, so that a relay that reads
   late doesn't send late. Each inner end has one socket: it reads what came in there, and sends
   what came in at the other end of the cable. */
#include "lab/relay.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/if_packet.h>
#include <linux/virtio_net.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <sched.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/alloc.h"
#include "core/error.h"
#include "lab/delay_queue.h"

enum {
  BATCH = 32, /* frames read or sent by one system call */
  FRAME_BYTES_MAX = 66 << 10,
  SOCKET_BYTES = 16 << 20, /* a socket's buffer, where the user may have as much */
  AGAIN_NS = 100000,       /* until sending is tried again where the kernel took nothing */
  LOOK_NS = 200000000,     /* until the kernel's own drops are asked for again */
  LATE_NS = 20000000,      /* how late a queue's room lets the relay be */
};

/* One direction of a cable: from the inner end at which its frames come in, to the other one. */
struct direction {
  uint32_t link;
  uint64_t latency_ns;
  int in, out;   /* sockets; `in` is the other direction's `out` */
  bool has_come; /* frames, since the kernel's drops were asked for */
  struct tny_lab_delay_queue queue;
  struct tny_lab_relay_count *count; /* in the shared file */
};

/* What recvmmsg fills in. */
struct batch {
  unsigned char *bytes; /* BATCH frames of FRAME_BYTES_MAX */
  struct mmsghdr messages[BATCH];
  struct iovec pieces[BATCH];
  _Alignas(struct cmsghdr) char times[BATCH][CMSG_SPACE(sizeof(struct timespec))];
};

struct relay {
  struct direction *directions;
  uint32_t count;
  int epoll, timer;
  uint64_t armed_ns;  /* when the timer goes off; UINT64_MAX: never */
  uint64_t looked_ns; /* when the kernel's drops were last asked for */
  struct batch batch;
};

static uint64_t now_ns(clockid_t clock)
{
  struct timespec now;
  clock_gettime(clock, &now);
  return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* The room of a link's queue: what comes in its latency and while the relay may be late, and what a
   full bucket lets through at once. */
static uint64_t queue_room(const struct tny_link *link)
{
  const uint64_t time = link->latency_ns + LATE_NS;
  const uint64_t room = tny_lab_delay_queue_room(link->bandwidth_bps, time);
  const uint64_t more = 2 * tny_lab_wiring_burst(link) + 2 * (uint64_t)FRAME_BYTES_MAX;
  return room < UINT64_MAX - more ? room + more : UINT64_MAX;
}

uint64_t tny_lab_relay_bytes(const struct tny_cluster *cluster)
{
  uint64_t bytes = 0;
  for (uint32_t l = 0; l < cluster->link_count; l++)
    if (tny_lab_wiring_is_delayed(cluster, l)) {
      const uint64_t room = queue_room(&cluster->links[l]);
      bytes = room < UINT64_MAX - bytes ? bytes + room : UINT64_MAX;
    }
  return bytes;
}

enum tny_status tny_lab_relay_check(const struct tny_cluster *cluster, struct tny_error *error)
{
  for (uint32_t l = 0; l < cluster->link_count; l++) {
    const struct tny_link *link = &cluster->links[l];
    if (tny_lab_wiring_is_delayed(cluster, l) && link->bandwidth_bps > TNY_LAB_RELAY_BANDWIDTH_MAX)
      return tny_error_set(
          error, TNY_REFUSED,
          "the link %s -> %s has a latency of %llu us and more than 1 Gbit/s: this kernel can't "
          "delay packets (it has no netem), and the lab's own relay carries no more than that; "
          "take "
          "out the link's latency, or give it 1 Gbit/s, or use a kernel with sch_netem",
          cluster->node_names[link->from], cluster->node_names[link->to],
          (unsigned long long)(link->latency_ns / 1000));
  }
  return TNY_OK;
}

static enum tny_status fail(const char *what, struct tny_error *error)
{
  const char *hint =
      errno == EMFILE || errno == ENFILE
          ? "; it needs a file for each end of each link with a latency: raise the limit (ulimit "
            "-n)"
      : errno == EPERM || errno == EACCES
          ? "; it needs packet sockets (CAP_NET_RAW): run as root, or take the latency out of the "
            "cluster file"
      : errno == EAFNOSUPPORT
          ? "; it needs packet sockets (CONFIG_PACKET): take the latency out of the cluster file, "
            "or use a kernel with them or with sch_netem"
          : "";
  return tny_error_set(error, TNY_SYSTEM, "the relay of links with a latency can't %s: %s%s", what,
                       strerror(errno), hint);
}

static bool set_option(int file, int level, int option, int value)
{
  return setsockopt(file, level, option, &value, sizeof value) == 0;
}

/* Opens the packet socket of the inner end that takes in the link's frames. */
static int open_socket(uint32_t link)
{
  char name[16];
  tny_lab_wiring_inner(link, name);
  /* Nothing comes before it is bound, since it has no protocol until then. */
  const int file = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  const struct sockaddr_ll address = {.sll_family = AF_PACKET,
                                      .sll_protocol = htons(ETH_P_ALL),
                                      .sll_ifindex = (int)if_nametoindex(name)};
  if (file < 0)
    return -1;
  /* What the kernel may not grant is done without: frames then are dropped sooner, and counted. */
  if (!set_option(file, SOL_SOCKET, SO_RCVBUFFORCE, SOCKET_BYTES))
    (void)set_option(file, SOL_SOCKET, SO_RCVBUF, SOCKET_BYTES);
  if (!set_option(file, SOL_SOCKET, SO_SNDBUFFORCE, SOCKET_BYTES))
    (void)set_option(file, SOL_SOCKET, SO_SNDBUF, SOCKET_BYTES);
  (void)set_option(file, SOL_PACKET, PACKET_QDISC_BYPASS, 1);
  if (set_option(file, SOL_PACKET, PACKET_VNET_HDR, 1) &&
      set_option(file, SOL_PACKET, PACKET_IGNORE_OUTGOING, 1) &&
      set_option(file, SOL_SOCKET, SO_TIMESTAMPNS, 1) &&
      bind(file, (const struct sockaddr *)&address, sizeof address) == 0)
    return file;
  const int reason = errno;
  close(file);
  errno = reason;
  return -1;
}

/* Has the batch's messages point to its memory. */
static bool init_batch(struct batch *batch)
{
  batch->bytes = tny_new(BATCH, FRAME_BYTES_MAX);
  for (size_t i = 0; batch->bytes && i < BATCH; i++) {
    batch->pieces[i] = (struct iovec){batch->bytes + i * FRAME_BYTES_MAX, FRAME_BYTES_MAX};
    batch->messages[i].msg_hdr = (struct msghdr){
        .msg_iov = &batch->pieces[i], .msg_iovlen = 1, .msg_control = batch->times[i]};
  }
  return batch->bytes != NULL;
}

/* Adds the two directions of a cable, of which `link` is one. */
static enum tny_status add_cable(struct relay *relay, const struct tny_cluster *cluster,
                                 uint32_t link, struct tny_lab_relay_count *counts,
                                 struct tny_error *error)
{
  struct direction *pair = &relay->directions[relay->count];
  for (uint32_t i = 0; i < 2; i++) {
    pair[i].link = link + i;
    pair[i].latency_ns = cluster->links[link + i].latency_ns;
    pair[i].count = &counts[link + i];
    pair[i].count->relayed = 1;
    pair[i].in = pair[!i].out = open_socket(link + i);
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = relay->count + i};
    if (pair[i].in < 0 || epoll_ctl(relay->epoll, EPOLL_CTL_ADD, pair[i].in, &event) < 0)
      return fail("open a packet socket", error);
    const enum tny_status status =
        tny_lab_delay_queue_init(&pair[i].queue, queue_room(&cluster->links[link + i]), error);
    if (status != TNY_OK)
      return status;
  }
  relay->count += 2;
  return TNY_OK;
}

/* Makes the file of the counts, one for each link, all zero. */
static struct tny_lab_relay_count *make_counts(const char *path, uint32_t link_count)
{
  const size_t bytes = link_count * sizeof(struct tny_lab_relay_count);
  const int file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  void *counts = MAP_FAILED;
  if (file >= 0 && ftruncate(file, (off_t)bytes) == 0)
    counts = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (file >= 0)
    close(file);
  return counts == MAP_FAILED ? NULL : counts;
}

static enum tny_status open_relay(struct relay *relay, const struct tny_cluster *cluster,
                                  const char *path, struct tny_error *error)
{
  struct rlimit files;
  if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
    files.rlim_cur = files.rlim_max;
    (void)setrlimit(RLIMIT_NOFILE, &files);
  }
  struct tny_lab_relay_count *counts = make_counts(path, cluster->link_count);
  if (!counts)
    return fail("make the file of its counts", error);
  relay->directions = tny_new(cluster->link_count, sizeof *relay->directions);
  if (!relay->directions || !init_batch(&relay->batch))
    return tny_error_memory(error);
  relay->epoll = epoll_create1(EPOLL_CLOEXEC);
  relay->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
  struct epoll_event event = {.events = EPOLLIN, .data.u32 = UINT32_MAX};
  if (relay->epoll < 0 || relay->timer < 0 ||
      epoll_ctl(relay->epoll, EPOLL_CTL_ADD, relay->timer, &event) < 0)
    return fail("wait for frames", error);
  relay->armed_ns = UINT64_MAX;
  enum tny_status status = TNY_OK;
  for (uint32_t l = 0; status == TNY_OK && l < cluster->link_count; l += 2)
    if (tny_lab_wiring_is_delayed(cluster, l))
      status = add_cable(relay, cluster, l, counts, error);
  return status;
}

/* How long ago the kernel took a frame in. Its time is that of the wall clock, which may be set
   meanwhile: an age that can't be counts as none. */
static uint64_t frame_age(struct msghdr *message, uint64_t wall_ns)
{
  struct timespec time;
  const struct cmsghdr *control = CMSG_FIRSTHDR(message);
  if (!control || control->cmsg_level != SOL_SOCKET || control->cmsg_type != SCM_TIMESTAMPNS)
    return 0;
  memcpy(&time, CMSG_DATA(control), sizeof time);
  const uint64_t taken_ns = (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
  return taken_ns < wall_ns && wall_ns - taken_ns < 1000000000 ? wall_ns - taken_ns : 0;
}

/* Reads up to a batch of frames. What is left makes epoll come back. */
static void receive(struct relay *relay, struct direction *direction)
{
  struct batch *batch = &relay->batch;
  for (size_t i = 0; i < BATCH; i++)
    batch->messages[i].msg_hdr.msg_controllen = sizeof batch->times[i];
  const int got = recvmmsg(direction->in, batch->messages, BATCH, MSG_TRUNC, NULL);
  const uint64_t wall = now_ns(CLOCK_REALTIME), now = now_ns(CLOCK_MONOTONIC);
  for (int i = 0; i < got; i++) {
    const struct mmsghdr *message = &batch->messages[i];
    const uint64_t taken = now - frame_age(&batch->messages[i].msg_hdr, wall);
    if (message->msg_len > FRAME_BYTES_MAX ||
        !tny_lab_delay_queue_put(&direction->queue, taken + direction->latency_ns,
                                 batch->pieces[i].iov_base, message->msg_len))
      direction->count->dropped_packets++;
  }
  direction->has_come |= got > 0;
}

static void count_sent(struct tny_lab_relay_count *count, const struct tny_lab_delayed *frames,
                       uint32_t sent, uint64_t now)
{
  for (uint32_t i = 0; i < sent; i++) {
    const uint64_t late = now - frames[i].due_ns;
    count->packets++;
    count->bytes += frames[i].length - sizeof(struct virtio_net_hdr);
    count->late_sum_ns += late;
    if (late > count->late_max_ns)
      count->late_max_ns = late;
  }
}

/* Sends what is due. Returns when the next frame is to be sent. */
static uint64_t send_due(struct direction *direction, uint64_t now)
{
  struct tny_lab_delayed frames[BATCH];
  struct mmsghdr messages[BATCH];
  struct iovec pieces[BATCH];
  for (uint32_t due; (due = tny_lab_delay_queue_due(&direction->queue, now, frames, BATCH)) > 0;) {
    for (uint32_t i = 0; i < due; i++) {
      pieces[i] = (struct iovec){(void *)frames[i].bytes, frames[i].length};
      messages[i] = (struct mmsghdr){.msg_hdr = {.msg_iov = &pieces[i], .msg_iovlen = 1}};
    }
    const int sent = sendmmsg(direction->out, messages, due, 0);
    if (sent < 0 && (errno == EAGAIN || errno == EINTR))
      return now + AGAIN_NS;
    if (sent > 0)
      count_sent(direction->count, frames, (uint32_t)sent, now);
    else
      direction->count->dropped_packets++; /* The kernel refuses this frame, not those behind. */
    tny_lab_delay_queue_take(&direction->queue, sent > 0 ? (uint32_t)sent : 1);
  }
  return tny_lab_delay_queue_next(&direction->queue);
}

/* Counts what the kernel dropped since it was last asked, since a socket's buffer was full. */
static void look_for_drops(struct relay *relay)
{
  for (uint32_t i = 0; i < relay->count; i++) {
    struct direction *direction = &relay->directions[i];
    struct tpacket_stats stats;
    socklen_t length = sizeof stats;
    if (direction->has_come &&
        getsockopt(direction->in, SOL_PACKET, PACKET_STATISTICS, &stats, &length) == 0)
      direction->count->dropped_packets += stats.tp_drops;
    direction->has_come = false;
  }
}

static void arm_timer(struct relay *relay, uint64_t when_ns)
{
  if (when_ns == relay->armed_ns)
    return;
  struct itimerspec time = {0};
  if (when_ns != UINT64_MAX) {
    time.it_value.tv_sec = (time_t)(when_ns / 1000000000);
    time.it_value.tv_nsec = (long)(when_ns % 1000000000);
  }
  timerfd_settime(relay->timer, TFD_TIMER_ABSTIME, &time, NULL);
  relay->armed_ns = when_ns;
}

static _Noreturn void run_relay(struct relay *relay)
{
  struct epoll_event events[BATCH];
  for (;;) {
    uint64_t expirations;
    const int ready = epoll_wait(relay->epoll, events, BATCH, -1);
    for (int i = 0; i < ready; i++) {
      if (events[i].data.u32 != UINT32_MAX)
        receive(relay, &relay->directions[events[i].data.u32]);
      else if (read(relay->timer, &expirations, sizeof expirations) == sizeof expirations)
        relay->armed_ns = UINT64_MAX;
    }
    const uint64_t now = now_ns(CLOCK_MONOTONIC);
    uint64_t next = UINT64_MAX;
    for (uint32_t i = 0; i < relay->count; i++) {
      const uint64_t due = send_due(&relay->directions[i], now);
      next = due < next ? due : next;
    }
    if (next == UINT64_MAX || now - relay->looked_ns > LOOK_NS) {
      relay->looked_ns = now;
      look_for_drops(relay);
    }
    arm_timer(relay, next);
  }
}

/* Lets the relay run before the programs in the lab, as far as its user may: a link's latency
   mustn't depend on how busy the hosts are. */
static void take_precedence(void)
{
  prctl(PR_SET_TIMERSLACK, 1);
  if (sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){.sched_priority = 1}) < 0)
    (void)setpriority(PRIO_PROCESS, 0, -20);
}

/* The child: keeps nothing of the keeper's open, tells by the pipe how it went, and relays. */
static _Noreturn void become_relay(const struct tny_cluster *cluster, int netns, const char *counts,
                                   int tell)
{
  struct relay relay = {.epoll = -1, .timer = -1};
  struct tny_error error = {0};
  prctl(PR_SET_NAME, "tourney-relay");
  enum tny_status status = TNY_OK;
  if (setns(netns, CLONE_NEWNET) < 0)
    status = fail("enter its network namespace", &error);
  tell = dup2(tell, STDERR_FILENO + 1);
  close_range((unsigned)tell + 1, ~0U, 0);
  if (status == TNY_OK)
    status = open_relay(&relay, cluster, counts, &error);
  if (status == TNY_OK)
    take_precedence();
  if (write(tell, &error, sizeof error) != sizeof error || status != TNY_OK)
    _exit(1);
  close(tell);
  run_relay(&relay);
}

enum tny_status tny_lab_relay_start(const struct tny_cluster *cluster, int netns,
                                    const char *counts, pid_t *relay, struct tny_error *error)
{
  int ends[2];
  struct tny_error said = {0};
  if (pipe2(ends, O_CLOEXEC) < 0)
    return fail("be started", error);
  *relay = fork();
  if (*relay == 0) {
    close(ends[0]);
    become_relay(cluster, netns, counts, ends[1]);
  }
  close(ends[1]);
  const bool told = *relay > 0 && read(ends[0], &said, sizeof said) == sizeof said;
  const int reason = errno;
  close(ends[0]);
  errno = reason;
  if (*relay < 0)
    return fail("be started", error);
  if (!told)
    return tny_error_set(error, TNY_SYSTEM, "the relay of links with a latency died");
  return said.status == TNY_OK ? TNY_OK : tny_error_set(error, said.status, "%s", said.text);
}
