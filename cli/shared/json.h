/* JSON objects, built by jansson, as text. jansson's own functions pass a missing value on: what is
   made of NULL is NULL, so that running out of memory shows once, at the end. */
#ifndef TOURNEY_JSON_H
#define TOURNEY_JSON_H

#include <jansson.h>

#include <tourney/algorithm.h>

#include "core/text.h"

/* Appends `value`, which is taken over; where that fails, *array is freed and NULL from then on. */
void json_add(json_t **array, json_t *value);
/* An algorithm's parameter: a number, or "2.2.1.1" where it has several; null where it has none. */
json_t *json_parameter(const struct tny_algorithm_choice *choice);
/* A link as an object with the names of its ends; null for TNY_NONE. */
json_t *json_link(const struct tny_cluster *cluster, uint32_t link);
/* The text of `root`, which is taken over. Owns: *text is the caller's, by tny_text_free. */
enum tny_status json_take(json_t *root, char **text, struct tny_error *error) TNY_MUST_CHECK;

/* Adds a string as JSON has it, for output that is laid out by hand. */
void json_quote(struct tny_text *text, const char *value);

#endif
