/* JSON as text. */
#include "json.h"

#include "core/error.h"
#include "core/text.h"

void json_add(json_t **array, json_t *value)
{
  if (json_array_append_new(*array, value) == 0)
    return;
  json_decref(*array);
  *array = NULL;
}

json_t *json_parameter(const struct tny_algorithm_choice *choice)
{
  char text[TNY_ALGORITHM_CHOICE_CHARS];
  if (choice->parameter == 0)
    return json_null();
  if (choice->algorithm->parameter.numbers <= 1)
    return json_integer(choice->parameter);
  tny_algorithm_choice_write(choice, text);
  return json_string(strchr(text, ':') + 1);
}

static int add_bytes(const char *bytes, size_t count, void *text)
{
  tny_text_add(text, "%.*s", (int)count, bytes);
  return 0;
}

enum tny_status json_take(json_t *root, char **text, struct tny_error *error)
{
  struct tny_text written = {0};
  *text = NULL;
  const int failed = !root || json_dump_callback(root, add_bytes, &written,
                                                 JSON_INDENT(2) | JSON_REAL_PRECISION(9));
  json_decref(root);
  if (failed) {
    tny_text_release(&written);
    return tny_error_memory(error);
  }
  tny_text_add(&written, "\n");
  return tny_text_take(&written, text, error);
}
