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

/* The steps of all ranks (tny_messages_work), and how many may be looked at. */
struct tny_steps_room {
  uint64_t needed, most;
};

/* The same where all ranks' steps are more than that: from a sample of the phases, or of the
   pieces, or as what the algorithm promises; as far as that can be had. */
bool tny_can_estimate(const struct tny_subject *subject, struct tny_steps_room room);
enum tny_status tny_predict_roughly(const struct tny_model *model,
                                    const struct tny_subject *subject, struct tny_steps_room room,
                                    struct tny_prediction *prediction,
                                    struct tny_error *error) TNY_MUST_CHECK;

#endif
