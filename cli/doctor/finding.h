/* What one rule finds: its verdict, and what was seen. The checks fill it in. */
#ifndef TOURNEY_DOCTOR_FINDING_H
#define TOURNEY_DOCTOR_FINDING_H

#include "facts.h"

struct doctor_rule; /* rules.h */

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

#endif
