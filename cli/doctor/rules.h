/* The rules of `tourney doctor`: facts in, findings out. Nothing here measures, reads or prints.
   A rule is a row of the table in rules.c; its check is in the file of its subject. */
#ifndef TOURNEY_DOCTOR_RULES_H
#define TOURNEY_DOCTOR_RULES_H

#include "finding.h"

enum doctor_severity {
  DOCTOR_ADVICE,  /* may cost speed */
  DOCTOR_WARNING, /* costs speed, or makes plans wrong */
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

#endif
