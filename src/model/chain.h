/* Chains of messages that wait for each other: how long the longest takes, in a plan whose bytes
   don't count. */
#ifndef TOURNEY_MODEL_CHAIN_H
#define TOURNEY_MODEL_CHAIN_H

#include "model/messages.h"

/* From the begin of all ranks, at once, until the last step of the plan is complete, by what
   messages cost and the latency of their ways, without their bytes. Cost: that of all ranks'
   steps. */
enum tny_status tny_chain_ns(const struct tny_model *model, const struct tny_subject *subject,
                             uint64_t *ns, struct tny_error *error) TNY_MUST_CHECK;

#endif
