/* The network is built in this order: mounts; a namespace for each node, with its kernel
   settings; all cables, in a few batches; then, in each node, its addresses, routes, rates and
   buffers; and at last the relay. */
#include "lab/build.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "lab/congestion.h"
#include "lab/process.h"
#include "lab/relay.h"
#include "lab/state.h"
#include "lab/wiring.h"

/* ip keeps a file open for each end of each cable of a batch: four where the relay is between. */
enum { CABLES_AT_ONCE = 128, REPORT_EVERY = 16 };

static uint32_t node_count(const struct tny_cluster *cluster)
{
  return cluster->host_count + cluster->switch_count;
}

static enum tny_status fail(const char *what, struct tny_error *error)
{
  const char *hint = errno == EPERM || errno == EACCES ? "; run as root" : "";
  return tny_error_set(error, TNY_SYSTEM, "can't %s: %s%s", what, strerror(errno), hint);
}

void tny_lab_mount_proc(void)
{
  (void)mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL);
}

static enum tny_status write_hosts_file(const struct tny_lab_spec *spec, const char *path,
                                        struct tny_error *error)
{
  struct tny_text text = {0};
  char *hosts;
  tny_lab_wiring_hosts_file(spec->cluster, &text);
  enum tny_status status = tny_text_take(&text, &hosts, error);
  if (status == TNY_OK)
    status = tny_lab_file_write(path, hosts, error);
  tny_text_free(hosts);
  return status;
}

/* The lab's mounts are a slave of the machine's: what is mounted on the machine later is seen in
   the lab, and what is mounted in the lab isn't seen on the machine. */
static enum tny_status make_mounts(const struct tny_lab_spec *spec, struct tny_error *error)
{
  char in[TNY_LAB_PATH_MAX], path[TNY_LAB_PATH_MAX];
  tny_lab_folder_path(spec->directory, "in", in);
  if (mount("", "/", NULL, MS_REC | MS_SLAVE, NULL) < 0)
    return fail("make the mounts private", error);
  tny_lab_mount_proc();
  if (mount("tourney-lab", in, "tmpfs", MS_NOSUID | MS_NODEV, "mode=0700") < 0)
    return fail("mount a tmpfs", error);
  tny_lab_folder_path(spec->directory, "in/net", path);
  if (mkdir(path, 0700) < 0)
    return fail("make a folder", error);
  tny_lab_folder_path(spec->directory, "in/hosts", path);
  const enum tny_status status = write_hosts_file(spec, path, error);
  if (status != TNY_OK)
    return status;
  if (chmod(path, 0644) == 0 && mount(path, "/etc/hosts", NULL, MS_BIND, NULL) == 0)
    return TNY_OK;
  if (errno == ENOENT)
    return tny_error_set(
        error, TNY_SYSTEM,
        "this machine has no /etc/hosts, over which the lab mounts its own so that "
        "hosts find each other by name: make an empty one (touch /etc/hosts)");
  return fail("mount the lab's file over /etc/hosts", error);
}

/* Writes a kernel setting of the network namespace that the caller is in. */
static bool write_setting(const char *setting, const char *value)
{
  char path[128];
  snprintf(path, sizeof path, "/proc/sys/net/%s", setting);
  const int file = open(path, O_WRONLY | O_CLOEXEC);
  const bool fine = file >= 0 && write(file, value, strlen(value)) > 0;
  if (file >= 0)
    close(file);
  return fine;
}

/* Has the kernel process all packets of a connection on one processor, by a mask that interfaces
   made later get. A veth pair otherwise hands packets over on whichever processor sends them, and
   those of one connection overtake each other, which TCP takes for loss. Kernels before 6.3 don't
   have the setting. */
static void keep_flows_in_order(void)
{
  enum { WORD_BITS = 32, WORDS_MAX = 64 };
  char mask[WORDS_MAX * 9 + 1] = "";
  const long online = sysconf(_SC_NPROCESSORS_ONLN);
  const long count = online < WORDS_MAX * WORD_BITS ? online : WORDS_MAX * WORD_BITS;
  size_t length = 0;
  for (long word = (count - 1) / WORD_BITS; word >= 0; word--) {
    const long bits = count - word * WORD_BITS;
    const unsigned ones = bits >= WORD_BITS ? UINT32_MAX : (1U << bits) - 1;
    length += (size_t)snprintf(mask + length, sizeof mask - length, "%x%s", ones, word ? "," : "");
  }
  (void)write_setting("core/rps_default_mask", mask);
}

static enum tny_status write_settings(bool is_switch, const char *congestion,
                                      struct tny_error *error)
{
  if (!write_setting("ipv4/ip_forward", is_switch ? "1" : "0"))
    return fail("set net.ipv4.ip_forward in a namespace", error);
  static const char *const off[] = {"rp_filter", "send_redirects", "accept_redirects"};
  for (size_t i = 0; i < sizeof off / sizeof *off; i++)
    for (int all = 0; all < 2; all++) {
      char setting[64];
      snprintf(setting, sizeof setting, "ipv4/conf/%s/%s", all ? "all" : "default", off[i]);
      if (!write_setting(setting, "0"))
        return fail("switch off redirects and reverse path filters in a namespace", error);
    }
  /* These fail where the kernel has no IPv6, and then there is nothing to switch off. */
  (void)write_setting("ipv6/conf/all/disable_ipv6", "1");
  (void)write_setting("ipv6/conf/default/disable_ipv6", "1");
  /* This is often forbidden in a namespace. The routes name the congestion control as well, for all
     that crosses the network. */
  (void)write_setting("ipv4/tcp_congestion_control", congestion);
  return TNY_OK;
}

/* Makes the node's network namespace. The caller is in it afterwards. */
static enum tny_status make_node(const struct tny_lab_spec *spec, const char *name, bool is_switch,
                                 bool in_order, struct tny_error *error)
{
  char folder[TNY_LAB_PATH_MAX], path[TNY_LAB_PATH_MAX + 80];
  tny_lab_folder_path(spec->directory, "in/net", folder);
  snprintf(path, sizeof path, "%s/%.64s", folder, name);
  if (unshare(CLONE_NEWNET) < 0)
    return fail("make a network namespace", error);
  const int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0)
    return fail("make the file of a network namespace", error);
  close(file);
  if (mount("/proc/self/ns/net", path, NULL, MS_BIND, NULL) < 0)
    return fail("mount a network namespace", error);
  if (in_order)
    keep_flows_in_order();
  return write_settings(is_switch, spec->congestion, error);
}

/* Runs a tool in its batch mode, with the text as its input, and releases the text. */
static enum tny_status run_batch(const char *tool, struct tny_text *batch, int netns,
                                 struct tny_error *error)
{
  char *input;
  char *const argv[] = {(char *)tool, "-batch", "-", NULL};
  enum tny_status status = tny_text_take(batch, &input, error);
  if (status == TNY_OK)
    status = tny_lab_helper_run(
        &(struct tny_lab_helper){.argv = argv, .input = input, .netns = netns}, NULL, error);
  tny_text_free(input);
  return status;
}

static enum tny_status build_node(const struct tny_lab_spec *spec,
                                  const struct tny_lab_wiring *wiring, uint32_t node,
                                  struct tny_error *error)
{
  char path[TNY_LAB_PATH_MAX + 80];
  snprintf(path, sizeof path, "%s/%.64s", wiring->netns_directory, spec->cluster->node_names[node]);
  const int netns = open(path, O_RDONLY | O_CLOEXEC);
  if (netns < 0)
    return fail("open a network namespace", error);
  struct tny_text batch = {0};
  tny_lab_wiring_node(wiring, node, &batch);
  struct tny_error said = {0};
  enum tny_status status = run_batch(spec->ip, &batch, netns, &said);
  if (status == TNY_OK) {
    tny_lab_wiring_shape(wiring, node, &batch);
    status = run_batch(spec->tc, &batch, netns, &said);
  }
  close(netns);
  if (status == TNY_OK)
    return TNY_OK;
  return tny_lab_congestion_explain(spec->congestion, spec->cluster->node_names[node], &said,
                                    error);
}

/* Whether tc says that the kernel, or tc itself, doesn't have this kind of qdisc. Old kernels only
   give ENOENT. */
static bool says_unknown_qdisc(const char *text)
{
  static const char *const sayings[] = {"qdisc kind is unknown", "Unknown qdisc",
                                        "RTNETLINK answers: No such file or directory"};
  bool says = false;
  for (size_t i = 0; i < sizeof sayings / sizeof *sayings; i++)
    says |= strstr(text, sayings[i]) != NULL;
  return says;
}

/* Finds out whether the relay must make the latencies of links: the cluster has some, and this
   kernel can't delay packets. That is tried out on the keeper's own loopback interface. */
static enum tny_status find_relayed(const struct tny_lab_spec *spec, bool *relayed,
                                    struct tny_error *error)
{
  *relayed = false;
  if (!tny_lab_wiring_delays(spec->cluster))
    return TNY_OK;
  struct tny_text batch = {0};
  tny_text_add(&batch, "qdisc add dev lo root netem delay 1ms\n");
  struct tny_error said = {0};
  const enum tny_status status = run_batch(spec->tc, &batch, -1, &said);
  if (status == TNY_OK)
    return TNY_OK;
  if (!says_unknown_qdisc(said.text))
    return tny_error_set(error, status, "can't try out a delay: %s", said.text);
  *relayed = true;
  return tny_lab_relay_check(spec->cluster, error);
}

/* Has the inner ends of cables come up, and starts the relay. */
static enum tny_status start_relay(const struct tny_lab_spec *spec,
                                   const struct tny_lab_wiring *wiring, pid_t *relay,
                                   struct tny_error *error)
{
  char path[TNY_LAB_PATH_MAX + 80], counts[TNY_LAB_PATH_MAX];
  snprintf(path, sizeof path, "%s/" TNY_LAB_RELAY_NODE, wiring->netns_directory);
  tny_lab_folder_path(spec->directory, TNY_LAB_RELAY_COUNTS, counts);
  const int netns = open(path, O_RDONLY | O_CLOEXEC);
  if (netns < 0)
    return fail("open a network namespace", error);
  struct tny_text batch = {0};
  tny_lab_wiring_relay(wiring, &batch);
  enum tny_status status = run_batch(spec->ip, &batch, netns, error);
  if (status == TNY_OK)
    status = tny_lab_relay_start(spec->cluster, netns, counts, relay, error);
  close(netns);
  return status;
}

static void report(const struct tny_lab_spec *spec, const char *what, uint32_t done, uint32_t count)
{
  if (done % REPORT_EVERY == 0)
    spec->report(&(struct tny_lab_progress){what, done, count});
}

/* Makes all network namespaces, the relay's too where there is one. The caller stays in its own. */
static enum tny_status make_nodes(const struct tny_lab_spec *spec, bool relayed,
                                  struct tny_error *error)
{
  const uint32_t nodes = node_count(spec->cluster);
  const int own = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
  const bool in_order = relayed || tny_lab_wiring_is_fast(spec->cluster);
  enum tny_status status = own < 0 ? fail("open a network namespace", error) : TNY_OK;
  for (uint32_t node = 0; status == TNY_OK && node < nodes; node++) {
    report(spec, "namespaces", node, nodes);
    status = make_node(spec, spec->cluster->node_names[node], node >= spec->cluster->host_count,
                       in_order, error);
  }
  if (status == TNY_OK && relayed)
    status = make_node(spec, TNY_LAB_RELAY_NODE, false, true, error);
  if (status == TNY_OK && setns(own, CLONE_NEWNET) < 0)
    status = fail("return to the keeper's network namespace", error);
  if (own >= 0)
    close(own);
  return status;
}

enum tny_status tny_lab_build(const struct tny_lab_spec *spec, pid_t *relay,
                              struct tny_error *error)
{
  char folder[TNY_LAB_PATH_MAX];
  tny_lab_folder_path(spec->directory, "in/net", folder);
  struct tny_lab_wiring wiring = {.cluster = spec->cluster,
                                  .routes = spec->routes,
                                  .congestion = spec->congestion,
                                  .netns_directory = folder};
  const uint32_t nodes = node_count(spec->cluster), cables = spec->cluster->link_count / 2;
  *relay = 0;
  enum tny_status status = make_mounts(spec, error);
  if (status == TNY_OK)
    status = find_relayed(spec, &wiring.relayed, error);
  if (status == TNY_OK)
    status = make_nodes(spec, wiring.relayed, error);
  struct tny_text batch = {0};
  for (uint32_t cable = 0; status == TNY_OK && cable < cables; cable += CABLES_AT_ONCE) {
    const uint32_t rest = cables - cable;
    report(spec, "cables", cable, cables);
    tny_lab_wiring_cables(&wiring, cable, rest < CABLES_AT_ONCE ? rest : CABLES_AT_ONCE, &batch);
    status = run_batch(spec->ip, &batch, -1, error);
  }
  for (uint32_t node = 0; status == TNY_OK && node < nodes; node++) {
    report(spec, "nodes", node, nodes);
    status = build_node(spec, &wiring, node, error);
  }
  if (status == TNY_OK && wiring.relayed)
    status = start_relay(spec, &wiring, relay, error);
  return status;
}
