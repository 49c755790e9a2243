/* The checks of the rules, by the file they are in. */
#ifndef TOURNEY_DOCTOR_CHECKS_H
#define TOURNEY_DOCTOR_CHECKS_H

#include "finding.h"

typedef enum doctor_verdict doctor_check(const struct doctor_facts *facts,
                                         struct doctor_finding *finding);

/* rules_tcp.c */
doctor_check doctor_check_idle_restart, doctor_check_congestion, doctor_check_socket_buffers,
    doctor_check_window_scaling, doctor_check_losses;
/* rules_host.c */
doctor_check doctor_check_oversubscription, doctor_check_binding, doctor_check_cgroup,
    doctor_check_governor, doctor_check_shared_machine, doctor_check_mtu, doctor_check_offloads,
    doctor_check_nic_speed, doctor_check_interface_errors;
/* rules_mpi.c */
doctor_check doctor_check_eager, doctor_check_yield, doctor_check_interfaces, doctor_check_nagle,
    doctor_check_progress_thread, doctor_check_mpi_buffers;
/* rules_network.c */
doctor_check doctor_check_unknown_hosts, doctor_check_ports, doctor_check_trunks,
    doctor_check_placement, doctor_check_latency, doctor_check_port_buffers;

#endif
