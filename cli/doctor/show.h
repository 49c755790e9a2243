/* What `tourney doctor` found, as text for people, JSON or CSV. Nothing here prints. */
#ifndef TOURNEY_DOCTOR_SHOW_H
#define TOURNEY_DOCTOR_SHOW_H

#include "cli/shared/options.h"
#include "rules.h"

/* Owns: *shown is the caller's, tny_text_free. */
enum tny_status doctor_show(const struct doctor_facts *facts, const struct doctor_finding *findings,
                            enum cli_format format, char **shown,
                            struct tny_error *error) TNY_MUST_CHECK;
/* The table of rules. Owns: as above. */
enum tny_status doctor_show_rules(char **shown, struct tny_error *error) TNY_MUST_CHECK;
/* How many rules found something. */
uint32_t doctor_count(const struct doctor_finding *findings, enum doctor_verdict verdict);

#endif
