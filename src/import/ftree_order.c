/* The order of hosts that OpenSM's fat-tree routing (ftree) writes, opensm-ftree-ca-order.dump: a
   line for each adapter's port on a leaf switch, with its LID and the adapter's description behind
   a tab, and one for each port that a leaf lacks to as many as the fullest has.

     0x0007  node01 HCA-1
     0xFFFF  DUMMY

   Where ranks sit on the hosts in this order, rounds in which each sends to the one so many behind
   it meet no contention by these routes. Hosts are found by their descriptions; LIDs change from
   one start of OpenSM to the next, and aren't looked at. */
#include "import/subnet.h"

#include "core/alloc.h"
#include "core/error.h"

#define SPACE " \t"
/* Of a port that a leaf lacks. */
#define LID_ABSENT 0xffff
#define ABSENT "DUMMY"

/* What adapters are found by: the name of the host, or where the description has none, all of
   it. */
struct key {
  const char *text;
  size_t length;
  uint32_t node;
};

struct reader {
  struct tny_subnet *subnet;
  struct tny_subnet_place place;
  struct key *keys; /* of all adapters, sorted */
  uint32_t key_count;
  struct tny_subnet_place *first; /* by node: where it is named first; line 0: nowhere so far */
  uint32_t *named;                /* by node: how often */
};

/* --- adapters by their descriptions --- */

static struct key key_of(const char *description, uint32_t node)
{
  struct key key = {.node = node};
  key.length = tny_subnet_host_name(description, &key.text);
  if (key.length)
    return key;
  key.text = description;
  key.length = strlen(description);
  return key;
}

static int compare_texts(const struct key *a, const struct key *b)
{
  const size_t least = a->length < b->length ? a->length : b->length;
  const int order = memcmp(a->text, b->text, least);
  return order ? order : (a->length > b->length) - (a->length < b->length);
}

static int compare_keys(const void *a, const void *b)
{
  const struct key *left = a, *right = b;
  const int order = compare_texts(left, right);
  return order ? order : (left->node > right->node) - (left->node < right->node);
}

static enum tny_status begin(struct reader *reader, struct tny_error *error)
{
  struct tny_subnet *subnet = reader->subnet;
  reader->keys = tny_new(subnet->node_count, sizeof *reader->keys);
  reader->first = tny_new(subnet->node_count, sizeof *reader->first);
  reader->named = tny_new(subnet->node_count, sizeof *reader->named);
  subnet->order = tny_new(subnet->node_count, sizeof *subnet->order);
  if (!reader->keys || !reader->first || !reader->named || !subnet->order)
    return tny_error_memory(error);
  for (uint32_t node = 0; node < subnet->node_count; node++)
    if (subnet->nodes[node].kind == TNY_SUBNET_ADAPTER)
      reader->keys[reader->key_count++] = key_of(subnet->nodes[node].description, node);
  qsort(reader->keys, reader->key_count, sizeof *reader->keys, compare_keys);
  return TNY_OK;
}

static void release(struct reader *reader)
{
  tny_free(reader->keys);
  tny_free(reader->first);
  tny_free(reader->named);
}

/* The adapters of a host: those of the keys from `first` to before `end`. */
struct found {
  uint32_t first, end;
};

static struct found find(const struct reader *reader, const char *description)
{
  const struct key wanted = key_of(description, 0);
  uint32_t low = 0, high = reader->key_count;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (compare_texts(&reader->keys[middle], &wanted) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  struct found found = {low, low};
  while (found.end < reader->key_count && !compare_texts(&reader->keys[found.end], &wanted))
    found.end++;
  return found;
}

static uint32_t count_cables(const struct tny_subnet *subnet, uint32_t node)
{
  const struct tny_subnet_node *adapter = &subnet->nodes[node];
  uint32_t count = 0;
  for (uint32_t i = 0; i < adapter->port_count; i++)
    count += subnet->ports[adapter->first_port + i].peer != TNY_NONE;
  return count;
}

/* --- lines --- */

/* Which of a host's adapters is meant: the one of that description, else the first for all of them.
   *cables says how often it may be named. */
static uint32_t choose_adapter(const struct reader *reader, struct found found,
                               const char *description, uint32_t *cables)
{
  const struct tny_subnet *subnet = reader->subnet;
  *cables = 0;
  for (uint32_t i = found.first; i < found.end; i++) {
    const uint32_t node = reader->keys[i].node, count = count_cables(subnet, node);
    if (!strcmp(subnet->nodes[node].description, description)) {
      *cables = count;
      return node;
    }
    *cables += count;
  }
  return reader->keys[found.first].node;
}

static enum tny_status take(struct reader *reader, const char *description, struct tny_error *error)
{
  struct tny_subnet *subnet = reader->subnet;
  const struct tny_subnet_place *place = &reader->place;
  const char *name;
  const struct found found = find(reader, description);
  const uint32_t count = found.end - found.first;
  if (count == 0)
    return tny_error_at(error, TNY_BAD_INPUT, place->file, place->line, 0,
                        "no host of the network is called \"%.64s\": let OpenSM route once more, "
                        "and run ibnetdiscover right after it, or leave this line out",
                        description);
  if (count > 1 && !tny_subnet_host_name(description, &name))
    return tny_error_at(error, TNY_BAD_INPUT, place->file, place->line, 0,
                        "%u adapters are called \"%.64s\", so which one is it? Set the nodes' "
                        "descriptions, as rdma-ndd does, and let OpenSM route once more",
                        count, description);
  uint32_t cables;
  const uint32_t node = choose_adapter(reader, found, description, &cables);
  struct tny_subnet_place *first = &reader->first[node];
  if (first->line && reader->named[node] >= cables)
    return tny_error_at(error, TNY_BAD_INPUT, place->file, place->line, 0,
                        "\"%.64s\" is in the order already (line %u of %.80s), and has %u cable%s: "
                        "leave one line out",
                        description, first->line, first->file, cables, cables == 1 ? "" : "s");
  reader->named[node]++;
  if (first->line)
    return TNY_OK;
  *first = *place;
  subnet->order[subnet->order_count++] = node;
  return TNY_OK;
}

/* Cuts the description off a line; NULL: it has no LID with a tab and a description behind it. */
static const char *cut_description(char *line, uint64_t *lid)
{
  const char *at = line + 2;
  char *tab = strchr(line, '\t');
  if (strncmp(line, "0x", 2) || !tny_subnet_read_hex(&at, lid) || *lid > LID_ABSENT || at != tab)
    return NULL;
  char *description = tab + strspn(tab, SPACE);
  size_t length = strlen(description);
  while (length && strchr(SPACE, description[length - 1]))
    description[--length] = '\0';
  return length ? description : NULL;
}

static enum tny_status read_line(void *context, char *line, struct tny_error *error)
{
  struct reader *reader = context;
  uint64_t lid;
  if (*line == '#' || !line[strspn(line, SPACE)])
    return TNY_OK;
  const char *description = cut_description(line, &lid);
  if (!description)
    return tny_error_at(error, TNY_BAD_INPUT, reader->place.file, reader->place.line, 0,
                        "a LID, a tab and an adapter's description belong here, as in 0x0007 "
                        "node01 HCA-1, not \"%.40s\": give the file as OpenSM writes it",
                        line);
  const bool is_absent = lid == LID_ABSENT && !strcmp(description, ABSENT);
  if (is_absent || tny_subnet_is_aggregation(description))
    return TNY_OK;
  return take(reader, description, error);
}

/* --- switches --- */

/* Appends the switches that have cables to a node and weren't reached before. */
static void reach(struct tny_subnet *subnet, uint32_t node, bool *reached)
{
  const struct tny_subnet_node *from = &subnet->nodes[node];
  for (uint32_t port = from->first_port; port < from->first_port + from->port_count; port++) {
    const uint32_t peer = subnet->ports[port].peer;
    const uint32_t far = peer == TNY_NONE ? TNY_NONE : subnet->ports[peer].node;
    if (far == TNY_NONE || reached[far] || subnet->nodes[far].kind != TNY_SUBNET_SWITCH)
      continue;
    reached[far] = true;
    subnet->switch_order[subnet->switch_count++] = far;
  }
}

/* Breadth-first from the hosts in their order, so that the switch order, which takes the switches
   next to one as they are numbered, comes to leaves and their groups in that order too. */
static enum tny_status order_switches(struct tny_subnet *subnet, struct tny_error *error)
{
  bool *reached = tny_new(subnet->node_count, sizeof *reached);
  subnet->switch_order = tny_new(subnet->node_count, sizeof *subnet->switch_order);
  if (!reached || !subnet->switch_order) {
    tny_free(reached);
    return tny_error_memory(error);
  }
  for (uint32_t i = 0; i < subnet->order_count; i++)
    reach(subnet, subnet->order[i], reached);
  for (uint32_t i = 0; i < subnet->switch_count; i++)
    reach(subnet, subnet->switch_order[i], reached);
  for (uint32_t node = 0; node < subnet->node_count; node++)
    if (subnet->nodes[node].kind == TNY_SUBNET_SWITCH && !reached[node])
      subnet->switch_order[subnet->switch_count++] = node;
  tny_free(reached);
  return TNY_OK;
}

/* --- the whole --- */

bool tny_ftree_order_recognize(const char *text)
{
  uint64_t lid;
  text = tny_subnet_skip_comments(text);
  if (strncmp(text, "0x", 2))
    return false;
  text += 2;
  return tny_subnet_read_hex(&text, &lid) && *text == '\t';
}

enum tny_status tny_ftree_order_read(struct tny_subnet *subnet, struct tny_error *error)
{
  const struct tny_import_request *import = subnet->import;
  struct reader reader = {.subnet = subnet};
  enum tny_status status = begin(&reader, error);
  for (uint32_t i = 0; !status && i < import->file_count; i++)
    if (tny_ftree_order_recognize(import->files[i].text))
      status = tny_subnet_read_file(&import->files[i], &reader.place, read_line, &reader, error);
  release(&reader);
  return status ? status : order_switches(subnet, error);
}
