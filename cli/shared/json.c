/* JSON objects and strings as text. */
#include "json.h"

#include "core/error.h"

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

json_t *json_link(const struct tny_cluster *cluster, uint32_t link)
{
  if (link == TNY_NONE)
    return json_null();
  return json_pack("{s:s, s:s}", "from", cluster->node_names[cluster->links[link].from], "to",
                   cluster->node_names[cluster->links[link].to]);
}

void json_quote(struct tny_text *text, const char *value)
{
  tny_text_add(text, "\"");
  for (const unsigned char *c = (const unsigned char *)value; *c; c++)
    if (*c < ' ')
      tny_text_add(text, "\\u%04x", *c);
    else
      tny_text_add(text, "%s%c", *c == '"' || *c == '\\' ? "\\" : "", *c);
  tny_text_add(text, "\"");
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
