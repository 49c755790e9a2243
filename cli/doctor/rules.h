/* The rules of `tourney doctor`: facts in, findings out. Nothing here measures, reads or prints.
   A rule is a row of the table in rules.c; its check is in the file of its subject. */
#ifndef TOURNEY_DOCTOR_RULES_H
#define TOURNEY_DOCTOR_RULES_H

#include "core/text.h"
#include "facts.h"

enum doctor_severity {
  DOCTOR_ADVICE,  /* may cost speed */
  DOCTOR_WARNING, /* costs speed, or makes plans wrong */
};

enum doctor_verdict {
  DOCTOR_ABSENT,  /* looked at, and not so */
  DOCTOR_FOUND,   /* it is so */
  DOCTOR_UNKNOWN, /* the facts that it takes aren't there */
};

/* What was seen, on which host, or on none in particular (TNY_NONE). */
struct doctor_seen {
  uint32_t host;
  char text[160];
};

struct doctor_finding {
  const struct doctor_rule *rule;
  enum doctor_verdict verdict;
  struct doctor_seen *seen; /* owned */
  uint32_t seen_count, seen_room;
  char arguments[3][160]; /* what {1}, {2} and {3} stand for in the rule's texts */
  const char *reason;     /* why it is unknown; a literal, or of the facts */
  bool failed;            /* out of memory */
};

struct doctor_rule {
  const char *id;
  enum doctor_severity severity;
  const char *title;   /* what is so, where it is found */
  const char *checked; /* what was looked at, where it isn't */
  enum doctor_verdict (*check)(const struct doctor_facts *facts, struct doctor_finding *finding);
  const char *cost; /* what it costs, in words that a user understands */
  /* The command that changes it, on a real cluster and in the lab (NULL: the same). {hosts} is the
     hosts it was seen on, with blanks between them; {lab} the option that names the lab. */
  const char *command, *lab_command;
};

extern const struct doctor_rule doctor_rules[];
extern const uint32_t doctor_rule_count;

/* Judges facts by all rules; `findings` has doctor_rule_count elements, in the rules' order.
   Owns: doctor_findings_release, also after a failure. */
enum tny_status doctor_judge(const struct doctor_facts *facts, struct doctor_finding *findings,
                             struct tny_error *error) TNY_MUST_CHECK;
void doctor_findings_release(struct doctor_finding *findings);

/* Adds something seen; host: an index into the facts' hosts, or TNY_NONE. */
void doctor_see(struct doctor_finding *finding, uint32_t host, const char *format, ...)
    TNY_PRINTF(3, 4);
/* Sets what {1} (index 0) to {3} stand for. */
void doctor_argue(struct doctor_finding *finding, int index, const char *format, ...)
    TNY_PRINTF(3, 4);
/* Says that it can't be told, and why. */
enum doctor_verdict doctor_unknown(struct doctor_finding *finding, const char *reason);
/* Found where something was seen. */
enum doctor_verdict doctor_verdict_of(const struct doctor_finding *finding);

/* What one rule sees on single hosts where a fact is there: FOUND, ABSENT, or UNKNOWN where no host
   has it. `fits` says whether a host's fact is what the rule is about. */
enum doctor_verdict doctor_check_hosts(const struct doctor_facts *facts,
                                       struct doctor_finding *finding, const char *key,
                                       bool (*fits)(const struct doctor_host *host,
                                                    const char *value));

/* --- the checks, by the file they are in --- */

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

/* --- what several of them ask --- */

/* The bytes that TCP must have under way to fill the longest path of a host, by what was measured
   and the cluster file; 0 where neither says. */
double doctor_bytes_under_way(const struct doctor_facts *facts, uint32_t host);
/* The rate of a host's port by the file; 0 where it isn't known. */
double doctor_port_rate(const struct doctor_facts *facts, uint32_t host);
/* Hosts on the machine that this host is on, by its boot id; and the processors of that machine. */
uint32_t doctor_hosts_on_machine(const struct doctor_facts *facts, uint32_t host,
                                 double *processors);
/* Processors that a host's ranks have: the least of those allowed and a cgroup's limit. */
double doctor_processors_for(const struct doctor_host *host);

#endif
