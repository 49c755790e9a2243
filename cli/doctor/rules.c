/* The table of rules, and what carries them. To add a rule: a check in the file of its subject, its
   name in checks.h, a row here, a row in docs/doctor.md, and a test of each verdict. */
#include "rules.h"

#include "checks.h"
#include "core/alloc.h"
#include "core/error.h"

#define SYSCTL_LAB(setting)                                                                        \
  "for host in {hosts}; do tourney lab exec{lab} $host -- sysctl -w " setting "; done"

const struct doctor_rule doctor_rules[] = {
    {"unknown-host", DOCTOR_WARNING, "ranks run on hosts that the cluster file doesn't have",
     "the ranks' hosts are in the cluster file", doctor_check_unknown_hosts,
     "the runtime plans nothing for such a job: every collective is the MPI's own",
     "tourney topology show {1}   # the names that it has; write those of the ranks' hosts into it",
     NULL},
    {"port-rate", DOCTOR_WARNING, "hosts' ports have another rate than the cluster file says",
     "the rate of each host's port", doctor_check_ports,
     "algorithms and chunks are chosen for another network than there is; where the file's rate is "
     "too high, plans put more on a link than it carries",
     "tourney topology dot {1} >cluster.dot   # set bandwidth=\"{2}\" there, and use that file",
     NULL},
    {"trunk-rate", DOCTOR_WARNING, "trunks have another rate than the cluster file says",
     "the rate of the trunks, with several transfers across each at once", doctor_check_trunks,
     "plans share out a trunk that isn't so: where it is slower, all that crosses it is as much "
     "slower; where it is faster, what it could carry is left unused",
     "tourney topology dot {1} >cluster.dot   # set bandwidth=\"{2}\" there, and use that file",
     NULL},
    {"placement", DOCTOR_WARNING, "hosts aren't on the switches that the cluster file has them on",
     "every host can send to its neighbour on the switch at the full rate, all at once",
     doctor_check_placement,
     "what a plan takes for traffic within a switch crosses trunks, and meets there; swapped "
     "cables or switches do that, or a switch that can't carry all its ports at once",
     "tourney topology dot {1} >cluster.dot   # put these hosts on the switches they are on", NULL},
    {"latency", DOCTOR_WARNING, "messages take another time than the cluster file says",
     "the latency between neighbours and across the trunks", doctor_check_latency,
     "zones, windows and short messages are planned by the file's latency; windows for a shorter "
     "way leave a long one idle",
     "tourney topology dot {1} >cluster.dot   # set latency=\"{2}\" there, and use that file",
     NULL},
    {"port-buffer", DOCTOR_WARNING, "ports hold less than the cluster file says",
     "the buffers of some ports hold most of what the file says", doctor_check_port_buffers,
     "plans keep in flight what the file's buffers hold; a smaller buffer drops it, and TCP then "
     "waits 200 ms or more for each loss that it can't repair at once",
     "tourney topology dot {1} >cluster.dot   # set buffer=\"{2}\" there, and use that file", NULL},
    {"losses", DOCTOR_WARNING, "packets are lost while a planned collective runs",
     "nothing is lost during a planned all-to-all", doctor_check_losses,
     "planned traffic fits the port buffers of the file, so something else drops it: a smaller "
     "buffer, other traffic, a bad cable; a loss costs up to 200 ms, as long as a whole call",
     "ip -s link show; nstat -az TcpRetransSegs TcpExtTCPTimeouts   # on those hosts: who drops",
     "tourney lab status{lab} --links   # which port drops"},
    {"congestion-control", DOCTOR_WARNING, "TCP's congestion control is bbr",
     "TCP's congestion control", doctor_check_congestion,
     "bbr probes for rate by sending more than a small port buffer holds, so that pacing can't "
     "keep packets from being lost: a planned all-to-all over a trunk reaches 65 % of the bound "
     "where cubic and reno reach 92 %",
     "sudo sysctl -w net.ipv4.tcp_congestion_control=cubic   # on each of the hosts",
     "for host in {hosts}; do tourney lab exec{lab} $host -- sh -c 'ip route change $(ip route "
     "show "
     "10.77.0.0/16 | sed s/bbr/cubic/)'; done"},
    {"idle-restart", DOCTOR_ADVICE, "TCP starts slowly again after each pause",
     "TCP keeps its window over pauses, or 10 segments fill the paths", doctor_check_idle_restart,
     "a connection that was idle for longer than its time-out begins again with 10 segments, and "
     "doubles that each round trip: on long or fast paths the first messages after a program's "
     "computing take several round trips more",
     "sudo sysctl -w net.ipv4.tcp_slow_start_after_idle=0   # on each of the hosts",
     SYSCTL_LAB("net.ipv4.tcp_slow_start_after_idle=0")},
    {"socket-buffers", DOCTOR_WARNING, "TCP's largest socket buffers are too small for the network",
     "TCP's largest socket buffers hold what must be under way", doctor_check_socket_buffers,
     "a connection can't have as much under way as the path there and back holds, so that it never "
     "fills the link, however large the messages are",
     "sudo sysctl -w net.ipv4.tcp_rmem='4096 131072 {1}' net.ipv4.tcp_wmem='4096 16384 {1}'   # on "
     "each of the hosts",
     SYSCTL_LAB("net.ipv4.tcp_rmem='4096 131072 {1}' net.ipv4.tcp_wmem='4096 16384 {1}'")},
    {"window-scaling", DOCTOR_WARNING, "TCP's window scaling is off", "TCP's window scaling",
     doctor_check_window_scaling,
     "a connection has at most 64 KiB under way, whatever its buffers are",
     "sudo sysctl -w net.ipv4.tcp_window_scaling=1   # on each of the hosts",
     SYSCTL_LAB("net.ipv4.tcp_window_scaling=1")},
    {"oversubscription", DOCTOR_WARNING, "hosts have more ranks than processors",
     "no host has more ranks than processors", doctor_check_oversubscription,
     "a rank that waits for a message takes the processor from the one that is to send it; each "
     "step of a plan then waits for the kernel to switch between them",
     "mpirun -n {1} ...   # at most so many ranks on these hosts", NULL},
    {"binding", DOCTOR_WARNING, "ranks are bound to fewer processors than they are",
     "ranks aren't bound to the same processors", doctor_check_binding,
     "ranks take turns on some processors while others are idle",
     "mpirun --bind-to core --map-by core ...   # or --bind-to none", NULL},
    {"cgroup-limit", DOCTOR_WARNING, "a cgroup gives the ranks less processor time than they need",
     "no cgroup limits the ranks' processor time", doctor_check_cgroup,
     "the kernel stops all ranks of the host for the rest of a period, mostly 100 ms, each time "
     "the limit is used up, and every collective waits for them",
     "cat /proc/self/cgroup; cat /sys/fs/cgroup/cpu.max   # on these hosts; ask for {1} processors",
     NULL},
    {"shared-machine", DOCTOR_ADVICE,
     "hosts share one machine's processors, which can't fill their links",
     "hosts have machines of their own, or slow links", doctor_check_shared_machine,
     "times are those of the processors, not of the network: fewer hosts or slower links show what "
     "a plan does",
     "tourney lab up 'single:{1},link={2}'   # what these processors can carry", NULL},
    {"governor", DOCTOR_ADVICE, "processors are clocked down while they wait",
     "the processors' governor", doctor_check_governor,
     "a message finds the processor at a low clock, and waits until it's raised: tens of "
     "microseconds each",
     "sudo cpupower frequency-set -g performance   # on each of the hosts", NULL},
    {"mtu", DOCTOR_WARNING, "hosts' interfaces have different MTUs",
     "the MTU is the same everywhere", doctor_check_mtu,
     "a large frame doesn't fit its receiver's port: it is dropped, until TCP finds the smaller "
     "size out, or for good",
     "sudo ip link set dev {1} mtu {2}   # on each of the hosts",
     "for host in {hosts}; do tourney lab exec{lab} $host -- ip link set dev {1} mtu {2}; done"},
    {"offloads", DOCTOR_ADVICE, "network cards leave segmenting to the processors",
     "segmentation and receive offloads are on", doctor_check_offloads,
     "the kernel handles each frame of 1500 bytes by itself, at several times the processor time "
     "a byte; links of 1 Gbit/s and more aren't filled",
     "sudo ethtool -K {1} tso on gso on gro on   # on each of the hosts", NULL},
    {"nic-speed", DOCTOR_WARNING, "network cards run slower than the cluster file says",
     "network cards run at the file's rate", doctor_check_nic_speed,
     "a bad cable or port makes the two ends agree on a lower rate; every collective is as slow as "
     "its slowest port",
     "sudo ethtool {1}   # on these hosts: Speed, Link partner; then the cable and the port", NULL},
    {"interface-errors", DOCTOR_WARNING, "interfaces count errors",
     "interfaces count no errors meanwhile", doctor_check_interface_errors,
     "damaged frames are lost, each costs TCP a pause; cables, transceivers or duplex settings do "
     "that",
     "ip -s -s link show   # on these hosts: which interface, which kind", NULL},
    {"eager-limit", DOCTOR_WARNING, "Open MPI's eager limit is smaller than a chunk",
     "the MPI's eager limit", doctor_check_eager,
     "each chunk of a plan waits for an answer before it is sent, a round trip each",
     "mpirun --mca btl_tcp_eager_limit 65536 ...", "unset OMPI_MCA_btl_tcp_eager_limit"},
    {"yield", DOCTOR_WARNING,
     "ranks that wait don't yield, on hosts with more ranks than processors",
     "ranks yield where they share processors", doctor_check_yield,
     "a waiting rank polls to the end of its time slice, 4 ms and more, while the one it waits for "
     "isn't run",
     "mpirun --mca mpi_yield_when_idle 1 ...", NULL},
    {"mpi-interfaces", DOCTOR_ADVICE, "Open MPI chooses among several networks",
     "which network the MPI takes is clear", doctor_check_interfaces,
     "it spreads messages over all of them, also over virtual bridges and slow ones, where plans "
     "don't reckon with it; it may also wait long for addresses that can't be reached",
     "mpirun --mca btl_tcp_if_include {1} --mca oob_tcp_if_include {1} ...", NULL},
    {"nagle", DOCTOR_WARNING, "Open MPI lets TCP hold short messages back (Nagle)",
     "the MPI sends short messages at once", doctor_check_nagle,
     "a short message waits for the acknowledgement of the one before, up to 40 ms",
     "mpirun --mca btl_tcp_use_nagle 0 ...", "unset OMPI_MCA_btl_tcp_use_nagle"},
    {"progress-thread", DOCTOR_ADVICE, "Open MPI's progress thread has no processor of its own",
     "no progress thread competes with the ranks", doctor_check_progress_thread,
     "each rank's thread takes turns with the ranks themselves",
     "mpirun --mca btl_tcp_progress_thread 0 ...", "unset OMPI_MCA_btl_tcp_progress_thread"},
    {"mpi-buffers", DOCTOR_WARNING, "Open MPI fixes its socket buffers, too small for the network",
     "the MPI leaves the socket buffers to the kernel, or has them large enough",
     doctor_check_mpi_buffers,
     "a connection can't have as much under way as the path there and back holds, and the kernel "
     "may not enlarge what was fixed",
     "mpirun --mca btl_tcp_sndbuf 0 --mca btl_tcp_rcvbuf 0 ...",
     "unset OMPI_MCA_btl_tcp_sndbuf OMPI_MCA_btl_tcp_rcvbuf"},
};
const uint32_t doctor_rule_count = sizeof doctor_rules / sizeof *doctor_rules;

enum tny_status doctor_judge(const struct doctor_facts *facts, struct doctor_finding *findings,
                             struct tny_error *error)
{
  bool failed = false;
  for (uint32_t i = 0; i < doctor_rule_count; i++) {
    findings[i] = (struct doctor_finding){.rule = &doctor_rules[i]};
    findings[i].verdict = doctor_rules[i].check(facts, &findings[i]);
    failed |= findings[i].failed;
  }
  return failed ? tny_error_memory(error) : TNY_OK;
}

void doctor_findings_release(struct doctor_finding *findings)
{
  for (uint32_t i = 0; i < doctor_rule_count; i++)
    tny_free(findings[i].seen);
}
