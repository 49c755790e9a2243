#include "command.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/arena.h"
#include "core/error.h"

static const char is_default_name[] = "default=", tool_name[] = "tool=";

static bool begins_with(const char *text, const char *start)
{
  return strncmp(text, start, strlen(start)) == 0;
}

enum tny_status tny_slurm_site_read(int count, char *const *arguments, char **moved,
                                    struct tny_slurm_site *site, struct tny_error *error)
{
  *site = (struct tny_slurm_site){.settings = moved};
  for (int i = 0; i < count; i++) {
    const char *value = strchr(arguments[i], '=');
    if (begins_with(arguments[i], tool_name)) {
      site->tool = value + 1;
    } else if (!begins_with(arguments[i], is_default_name)) {
      moved[site->setting_count++] = arguments[i];
    } else if (strcmp(value + 1, "on") == 0 || strcmp(value + 1, "off") == 0) {
      site->is_default = value[2] == 'n';
    } else {
      return tny_error_set(error, TNY_BAD_INPUT,
                           "plugstack.conf: '%s' is neither default=on nor default=off",
                           arguments[i]);
    }
  }
  return TNY_OK;
}

void tny_slurm_find_tool(const char *plugin, char tool[PATH_MAX])
{
  static const char *const places[] = {"tourney", "../../bin/tourney"};
  const char *slash = strrchr(plugin, '/');
  const int folder = slash ? (int)(slash + 1 - plugin) : 0;
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
    const int length = snprintf(tool, PATH_MAX, "%.*s%s", folder, plugin, places[i]);
    if (length < PATH_MAX && access(tool, X_OK) == 0)
      return;
  }
}

/* The length of the option that begins here. */
static size_t measure(const char *text)
{
  size_t length = strcspn(text, " \t,=");
  if (text[length] == '=')
    length += strcspn(text + length, " \t");
  return length;
}

/* An option of the tool's, with its dashes. */
static char *dashed(struct tny_arena *arena, const char *text, size_t length)
{
  char *option = tny_arena_take(arena, length + sizeof "--", 1);
  if (option)
    snprintf(option, length + sizeof "--", "%s%.*s", text[0] == '-' ? "" : "--", (int)length, text);
  return option;
}

static size_t count_words(char *const *words)
{
  size_t count = 0;
  while (words[count])
    count++;
  return count;
}

char **tny_slurm_command(struct tny_arena *arena, const struct tny_slurm_site *site,
                         const char *options, char *const *words)
{
  static const char between[] = " \t,";
  const char *const first[] = {site->tool, "run", "--environment"};
  const size_t first_count = sizeof first / sizeof *first, word_count = count_words(words);
  const size_t room = first_count + (size_t)site->setting_count + (options ? strlen(options) : 0) +
                      1 + word_count + 1;
  char **command = tny_arena_take(arena, room, sizeof *command);
  if (!command)
    return NULL;
  size_t to = 0;
  bool is_complete = true;
  for (; to < first_count; to++)
    command[to] = (char *)first[to];
  for (int i = 0; i < site->setting_count; i++) {
    command[to] = dashed(arena, site->settings[i], strlen(site->settings[i]));
    is_complete &= command[to++] != NULL;
  }
  for (const char *at = options ? options + strspn(options, between) : ""; *at;) {
    const size_t length = measure(at);
    command[to] = dashed(arena, at, length);
    is_complete &= command[to++] != NULL;
    at += length;
    at += strspn(at, between);
  }
  command[to++] = (char *)"--";
  memcpy(command + to, words, word_count * sizeof *words);
  return is_complete ? command : NULL;
}
