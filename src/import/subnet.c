/* A subnet while it is read: its nodes and ports, and the joining of their ends. */
#include "import/subnet.h"

#include <inttypes.h>

#include "core/alloc.h"
#include "core/error.h"

/* Switches that reduce as they forward have an adapter each for it. */
#define AGGREGATION "Aggregation Node"

void tny_subnet_release(struct tny_subnet *subnet)
{
  for (uint32_t i = 0; subnet->texts && i < subnet->import->file_count; i++)
    tny_free(subnet->texts[i]);
  tny_free(subnet->texts);
  tny_free(subnet->nodes);
  tny_free(subnet->ports);
  tny_free(subnet->hosts);
  tny_free(subnet->by_id);
  tny_free(subnet->order);
  tny_free(subnet->switch_order);
  *subnet = (struct tny_subnet){0};
}

/* Cuts the next line off *text; NULL: there is none. */
static char *cut_line(char **text)
{
  char *line = *text;
  if (!*line)
    return NULL;
  char *end = strchr(line, '\n');
  *text = end ? end + 1 : line + strlen(line);
  if (!end)
    end = *text;
  if (end > line && end[-1] == '\r')
    end--;
  *end = '\0';
  return line;
}

enum tny_status tny_subnet_read_lines(char *text, struct tny_subnet_place *place,
                                      tny_subnet_line_reader read, void *reader,
                                      struct tny_error *error)
{
  enum tny_status status = TNY_OK;
  for (char *line; !status && (line = cut_line(&text));) {
    place->line++;
    status = read(reader, line, error);
  }
  return status;
}

enum tny_status tny_subnet_read_file(const struct tny_import_file *file,
                                     struct tny_subnet_place *place, tny_subnet_line_reader read,
                                     void *reader, struct tny_error *error)
{
  char *copy = tny_copy_text(file->text);
  if (!copy)
    return tny_error_memory(error);
  *place = (struct tny_subnet_place){.file = file->name};
  const enum tny_status status = tny_subnet_read_lines(copy, place, read, reader, error);
  tny_free(copy);
  return status;
}

const char *tny_subnet_skip_comments(const char *text)
{
  while (*text && strchr("#\n\r", *text)) {
    text += strcspn(text, "\n");
    text += *text == '\n';
  }
  return text;
}

bool tny_subnet_is_aggregation(const char *description)
{
  return strstr(description, AGGREGATION) != NULL;
}

bool tny_subnet_read_hex(const char **text, uint64_t *number)
{
  static const char digits[] = "0123456789abcdef0123456789ABCDEF";
  const char *start = *text;
  *number = 0;
  for (const char *digit; **text && (digit = strchr(digits, **text)); ++*text)
    *number = *number << 4 | (uint64_t)((digit - digits) & 15);
  return *text > start && *text - start <= 16;
}

struct tny_subnet_name tny_subnet_name(const struct tny_subnet *subnet, uint32_t node)
{
  const struct tny_subnet_node *named = &subnet->nodes[node];
  struct tny_subnet_name name;
  if (*named->description)
    snprintf(name.text, sizeof name.text, "\"%.64s\"", named->description);
  else
    snprintf(name.text, sizeof name.text, "%c-%016" PRIx64, named->id.letter, named->id.guid);
  return name;
}

/* --- nodes and ports --- */

static void *grow(void *array, uint32_t count, uint32_t *room, size_t element_bytes)
{
  if (count < *room)
    return array;
  const uint32_t more = *room ? 2 * *room : 64;
  void *grown = tny_resize(array, more, element_bytes);
  if (grown)
    *room = more;
  return grown;
}

enum tny_status tny_subnet_add_node(struct tny_subnet *subnet, const struct tny_subnet_node *node,
                                    struct tny_error *error)
{
  struct tny_subnet_node *grown =
      grow(subnet->nodes, subnet->node_count, &subnet->node_room, sizeof *grown);
  if (!grown)
    return tny_error_memory(error);
  subnet->nodes = grown;
  grown[subnet->node_count] = *node;
  grown[subnet->node_count].first_port = subnet->port_count;
  grown[subnet->node_count].port_count = 0;
  subnet->node_count++;
  return TNY_OK;
}

enum tny_status tny_subnet_add_port(struct tny_subnet *subnet, const struct tny_subnet_port *port,
                                    struct tny_error *error)
{
  const uint32_t node = subnet->node_count - 1;
  const uint32_t taken = tny_subnet_find_port(subnet, node, port->number);
  if (taken != TNY_NONE)
    return tny_error_at(error, TNY_BAD_INPUT, port->place.file, port->place.line, 0,
                        "port %u of %s is there already (line %u): leave one out", port->number,
                        tny_subnet_name(subnet, node).text, subnet->ports[taken].place.line);
  struct tny_subnet_port *grown =
      grow(subnet->ports, subnet->port_count, &subnet->port_room, sizeof *grown);
  if (!grown)
    return tny_error_memory(error);
  subnet->ports = grown;
  grown[subnet->port_count] = *port;
  grown[subnet->port_count].node = node;
  grown[subnet->port_count].peer = TNY_NONE;
  subnet->port_count++;
  subnet->nodes[node].port_count++;
  return TNY_OK;
}

uint32_t tny_subnet_find_port(const struct tny_subnet *subnet, uint32_t node, uint32_t number)
{
  const struct tny_subnet_node *of = &subnet->nodes[node];
  for (uint32_t port = of->first_port; port < of->first_port + of->port_count; port++)
    if (subnet->ports[port].number == number)
      return port;
  return TNY_NONE;
}

/* --- the ends of cables --- */

static int compare_ids(struct tny_subnet_id a, struct tny_subnet_id b)
{
  if (a.letter != b.letter)
    return a.letter < b.letter ? -1 : 1;
  return (a.guid > b.guid) - (a.guid < b.guid);
}

struct indexed {
  struct tny_subnet_id id;
  uint32_t node;
};

static int compare_indexed(const void *a, const void *b)
{
  const struct indexed *left = a, *right = b;
  const int order = compare_ids(left->id, right->id);
  return order ? order : (left->node > right->node) - (left->node < right->node);
}

static enum tny_status sort_nodes(struct tny_subnet *subnet, struct tny_error *error)
{
  struct indexed *sorted = tny_new(subnet->node_count, sizeof *sorted);
  subnet->by_id = tny_new(subnet->node_count, sizeof *subnet->by_id);
  if (!sorted || !subnet->by_id) {
    tny_free(sorted);
    return tny_error_memory(error);
  }
  for (uint32_t node = 0; node < subnet->node_count; node++)
    sorted[node] = (struct indexed){subnet->nodes[node].id, node};
  qsort(sorted, subnet->node_count, sizeof *sorted, compare_indexed);
  for (uint32_t i = 0; i < subnet->node_count; i++)
    subnet->by_id[i] = sorted[i].node;
  tny_free(sorted);
  for (uint32_t i = 1; i < subnet->node_count; i++) {
    const struct tny_subnet_node *one = &subnet->nodes[subnet->by_id[i - 1]];
    const struct tny_subnet_node *other = &subnet->nodes[subnet->by_id[i]];
    if (!compare_ids(one->id, other->id))
      return tny_error_at(error, TNY_BAD_INPUT, other->place.file, other->place.line, 0,
                          "%c-%016" PRIx64 " has a block already (line %u of %.80s): leave one out",
                          one->id.letter, one->id.guid, one->place.line, one->place.file);
  }
  return TNY_OK;
}

uint32_t tny_subnet_find(const struct tny_subnet *subnet, struct tny_subnet_id id)
{
  uint32_t low = 0, high = subnet->node_count;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    const int order = compare_ids(subnet->nodes[subnet->by_id[middle]].id, id);
    if (order == 0)
      return subnet->by_id[middle];
    if (order < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return TNY_NONE;
}

static enum tny_status refuse_ends(const struct tny_subnet *subnet, uint32_t port, uint32_t far,
                                   struct tny_error *error)
{
  const struct tny_subnet_port *near = &subnet->ports[port], *there = &subnet->ports[far];
  const struct tny_subnet_name a = tny_subnet_name(subnet, near->node),
                               b = tny_subnet_name(subnet, there->node);
  return tny_error_at(error, TNY_BAD_INPUT, near->place.file, near->place.line, 0,
                      "port %u of %s leads to port %u of %s, but that one (line %u) leads to port "
                      "%u of %c-%016" PRIx64
                      ": one of both lines is wrong; run ibnetdiscover again",
                      near->number, a.text, there->number, b.text, there->place.line,
                      there->far_number, there->far_node.letter, there->far_node.guid);
}

/* Rates of the two ends: one that isn't known is the other's. */
static enum tny_status join_rates(const struct tny_subnet *subnet, struct tny_subnet_port *near,
                                  struct tny_subnet_port *far, struct tny_error *error)
{
  if (!near->bps)
    near->bps = far->bps;
  if (!far->bps)
    far->bps = near->bps;
  if (near->bps == far->bps)
    return TNY_OK;
  return tny_error_at(error, TNY_BAD_INPUT, near->place.file, near->place.line, 0,
                      "port %u of %s has another rate than the far end of its cable (line %u): one "
                      "of both lines is wrong; run ibnetdiscover again",
                      near->number, tny_subnet_name(subnet, near->node).text, far->place.line);
}

static enum tny_status join_port(struct tny_subnet *subnet, uint32_t port, struct tny_error *error)
{
  struct tny_subnet_port *near = &subnet->ports[port];
  const struct tny_subnet_node *of = &subnet->nodes[near->node];
  const uint32_t node = tny_subnet_find(subnet, near->far_node);
  if (node == TNY_NONE)
    return tny_error_at(error, TNY_BAD_INPUT, near->place.file, near->place.line, 0,
                        "port %u of %s leads to %c-%016" PRIx64
                        ", which has no block: is the file whole? Run ibnetdiscover again",
                        near->number, tny_subnet_name(subnet, near->node).text,
                        near->far_node.letter, near->far_node.guid);
  const uint32_t far = tny_subnet_find_port(subnet, node, near->far_number);
  if (far == TNY_NONE)
    return tny_error_at(error, TNY_BAD_INPUT, near->place.file, near->place.line, 0,
                        "port %u of %s leads to port %u of %s, which isn't listed there (line %u): "
                        "is the file whole? Run ibnetdiscover again",
                        near->number, tny_subnet_name(subnet, near->node).text, near->far_number,
                        tny_subnet_name(subnet, node).text, subnet->nodes[node].place.line);
  struct tny_subnet_port *there = &subnet->ports[far];
  if (compare_ids(there->far_node, of->id) || there->far_number != near->number)
    return refuse_ends(subnet, port, far, error);
  if (of->kind == TNY_SUBNET_OTHER || subnet->nodes[node].kind == TNY_SUBNET_OTHER)
    return TNY_OK;
  near->peer = far;
  return join_rates(subnet, near, there, error);
}

enum tny_status tny_subnet_join(struct tny_subnet *subnet, struct tny_error *error)
{
  enum tny_status status = sort_nodes(subnet, error);
  for (uint32_t port = 0; !status && port < subnet->port_count; port++)
    status = join_port(subnet, port, error);
  return status;
}
