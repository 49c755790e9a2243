/* Clusters from a line of text: "single:16,link=20Mbit/s". A generator is an entry in a table. */
#include "cluster/build.h"
#include "core/alloc.h"
#include "core/error.h"
#include "core/units.h"

const char tny_generator_usage[] =
    "single:N (N hosts on one switch), switches:A+B+... (a line of switches with A, B, ... hosts), "
    "both with ,link=20Mbit/s ,latency=5us ,buffer=64KiB, and switches with ,trunk=1Gbit/s";

/* What the options say. */
struct options {
  struct tny_build_cable link, trunk;
  bool has[4]; /* which option was given, by its index in the table */
};

/* From the arguments ("8+8") to nodes and cables. */
typedef enum tny_status maker(struct tny_build *build, const char *arguments,
                              const struct options *options, struct tny_error *error);

/* The name of the n-th node of a kind. */
static enum tny_status add_numbered(struct tny_build *build, char letter, uint32_t number,
                                    uint32_t *node, struct tny_error *error)
{
  char name[16];
  snprintf(name, sizeof name, "%c%u", letter, number);
  return tny_build_add(build, name, letter == 'h' ? TNY_KIND_HOST : TNY_KIND_SWITCH, node, error);
}

/* A number of hosts at *text, which ends at a '+' or at the end. */
static enum tny_status read_count(const char **text, uint32_t already, uint32_t *count,
                                  struct tny_error *error)
{
  const char *start = *text;
  uint32_t number = 0;
  for (; **text >= '0' && **text <= '9' && number <= TNY_HOSTS_MAX; ++*text)
    number = number * 10 + (uint32_t)(**text - '0');
  if (number + already > TNY_HOSTS_MAX)
    return tny_error_set(error, TNY_BAD_INPUT, "more than %u hosts", TNY_HOSTS_MAX);
  if (*text == start || (**text && **text != '+'))
    return tny_error_set(error, TNY_BAD_INPUT, "\"%.40s\" is no number of hosts", start);
  if (number == 0)
    return tny_error_set(error, TNY_BAD_INPUT, "a switch with 0 hosts: give each at least 1");
  *count = number;
  return TNY_OK;
}

static enum tny_status make_switches(struct tny_build *build, const char *arguments,
                                     const struct options *options, struct tny_error *error)
{
  uint32_t host_count = 0, switch_count = 0, before = TNY_NONE;
  for (const char *text = arguments;; text++) {
    uint32_t count = 0, node = 0, host = 0;
    enum tny_status status = read_count(&text, host_count, &count, error);
    if (!status)
      status = add_numbered(build, 's', switch_count++, &node, error);
    if (!status && before != TNY_NONE) {
      struct tny_build_cable trunk = options->trunk;
      trunk.from = before;
      trunk.to = node;
      status = tny_build_connect(build, &trunk, error);
    }
    for (uint32_t i = 0; !status && i < count; i++) {
      status = add_numbered(build, 'h', host_count++, &host, error);
      struct tny_build_cable link = options->link;
      link.from = node;
      link.to = host;
      if (!status)
        status = tny_build_connect(build, &link, error);
    }
    if (status || !*text)
      return status;
    before = node;
  }
}

static enum tny_status make_single(struct tny_build *build, const char *arguments,
                                   const struct options *options, struct tny_error *error)
{
  if (strchr(arguments, '+'))
    return tny_error_set(error, TNY_BAD_INPUT, "single has one switch; write switches:%.40s",
                         arguments);
  if (options->has[1])
    return tny_error_set(error, TNY_BAD_INPUT, "single has no trunks: leave out trunk=");
  return make_switches(build, arguments, options, error);
}

static const struct {
  const char *name; /* with its colon */
  maker *make;
} generators[] = {{"single:", make_single}, {"switches:", make_switches}};

#define GENERATOR_COUNT (sizeof generators / sizeof *generators)

static size_t find_generator(const char *text)
{
  size_t i = 0;
  while (i < GENERATOR_COUNT && strncmp(text, generators[i].name, strlen(generators[i].name)))
    i++;
  return i;
}

bool tny_cluster_is_generator(const char *text)
{
  return find_generator(text) < GENERATOR_COUNT;
}

static const char *const option_names[] = {"link=", "trunk=", "latency=", "buffer="};

static enum tny_status read_option(const char *text, struct options *options,
                                   struct tny_error *error)
{
  size_t i = 0;
  while (i < 4 && strncmp(text, option_names[i], strlen(option_names[i])))
    i++;
  if (i == 4)
    return tny_error_set(
        error, TNY_BAD_INPUT,
        "unknown option \"%.40s\": there are link=, trunk=, latency= and buffer=", text);
  if (options->has[i])
    return tny_error_set(error, TNY_BAD_INPUT, "the option %s is given twice", option_names[i]);
  options->has[i] = true;
  const char *value = text + strlen(option_names[i]);
  enum tny_status status = TNY_OK;
  if (i == 0)
    return tny_bandwidth_parse(value, &options->link.bandwidth_bps, error);
  if (i == 1)
    return tny_bandwidth_parse(value, &options->trunk.bandwidth_bps, error);
  if (i == 2) {
    status = tny_time_parse(value, &options->link.latency_ns, error);
    options->trunk.latency_ns = options->link.latency_ns;
    return status;
  }
  status = tny_bytes_parse(value, &options->link.buffer_bytes, error);
  options->link.back_buffer_bytes = options->link.buffer_bytes;
  options->trunk.buffer_bytes = options->trunk.back_buffer_bytes = options->link.buffer_bytes;
  return status;
}

/* `text` is ours to cut at its commas. */
static enum tny_status read_options(char *text, struct options *options, struct tny_error *error)
{
  for (char *option = text; option;) {
    char *comma = strchr(option, ',');
    if (comma)
      *comma = '\0';
    const enum tny_status status = read_option(option, options, error);
    if (status)
      return status;
    option = comma ? comma + 1 : NULL;
  }
  if (!options->has[1])
    options->trunk.bandwidth_bps = options->link.bandwidth_bps;
  return TNY_OK;
}

/* `text` is a copy of the generator's, ours to cut. */
static enum tny_status generate(struct tny_build *build, size_t generator, char *text,
                                struct tny_error *error)
{
  struct options options = {.link = tny_build_default_cable, .trunk = tny_build_default_cable};
  char *arguments = text + strlen(generators[generator].name);
  char *comma = strchr(arguments, ',');
  if (comma)
    *comma = '\0';
  const enum tny_status status = comma ? read_options(comma + 1, &options, error) : TNY_OK;
  return status ? status : generators[generator].make(build, arguments, &options, error);
}

enum tny_status tny_cluster_generate(const char *text, struct tny_cluster **cluster,
                                     struct tny_error *error)
{
  *cluster = NULL;
  const size_t generator = find_generator(text);
  if (generator == GENERATOR_COUNT)
    return tny_error_set(error, TNY_BAD_INPUT, "\"%.100s\" names no generator: generators are %s",
                         text, tny_generator_usage);
  char *copy = tny_copy_text(text);
  if (!copy)
    return tny_error_memory(error);
  struct tny_build build;
  tny_build_init(&build, text, NULL);
  struct tny_error cause = {0};
  enum tny_status status = generate(&build, generator, copy, &cause);
  if (!status)
    status = tny_build_finish(&build, cluster, &cause);
  if (status)
    tny_error_set(error, status, "%.100s: %.390s", text, cause.text);
  tny_build_release(&build);
  tny_free(copy);
  return status;
}
