/* The sections of a plan's page. Each adds HTML; what can fail is made before (steps.h, layout.h).
   */
#ifndef TOURNEY_CLI_REPORT_SECTIONS_H
#define TOURNEY_CLI_REPORT_SECTIONS_H

#include "core/text.h"
#include "layout.h"
#include "steps.h"

/* What is planned, by what, and what is proved of it. */
void section_summary(const struct plan_steps *steps, struct tny_text *html);
/* The network, and the steps on it. */
enum tny_status section_network(const struct plan_steps *steps, const struct layout *layout,
                                struct tny_text *html, struct tny_error *error) TNY_MUST_CHECK;
/* The heat map: how busy links are, step by step. */
enum tny_status section_heat(const struct plan_steps *steps, struct tny_text *html,
                             struct tny_error *error) TNY_MUST_CHECK;
/* The certificate, and what each link carries. */
enum tny_status section_certificate(const struct plan_steps *steps, struct tny_text *html,
                                    struct tny_error *error) TNY_MUST_CHECK;

/* The steps as numbers, for page.js. */
enum tny_status steps_data(const struct plan_steps *steps, struct tny_text *html,
                           struct tny_error *error) TNY_MUST_CHECK;

#endif
