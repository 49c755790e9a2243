/* How long an algorithm would take: for the ranking. */
#ifndef TOURNEY_MODEL_PREDICT_H
#define TOURNEY_MODEL_PREDICT_H

#include "model/messages.h"

/* Paces what is predicted as it would run. The problem is prepared, and has a network. */
enum tny_status tny_subject_pace(const struct tny_model *model, struct tny_subject *subject,
                                 struct tny_error *error) TNY_MUST_CHECK;

/* Cost: all ranks' steps and their routes. */
enum tny_status tny_predict_exactly(const struct tny_model *model,
                                    const struct tny_subject *subject,
                                    struct tny_prediction *prediction,
                                    struct tny_error *error) TNY_MUST_CHECK;

/* The same where all ranks' steps (tny_messages_work) are more than steps_max: from a sample of
   the phases, or of the pieces, or as what the algorithm promises; as far as that can be had. Cost:
   at most as if there were steps_max. */
bool tny_can_estimate(const struct tny_subject *subject, uint64_t steps, uint64_t steps_max);
enum tny_status tny_predict_roughly(const struct tny_model *model,
                                    const struct tny_subject *subject, uint64_t steps,
                                    uint64_t steps_max, struct tny_prediction *prediction,
                                    struct tny_error *error) TNY_MUST_CHECK;

#endif
