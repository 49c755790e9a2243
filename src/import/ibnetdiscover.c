/* What `ibnetdiscover` of infiniband-diags prints (-f and -g too): a block for each node of an
   InfiniBand subnet, a line for each of its ports that has a cable. Both ends of a cable have a
   line. Other lines tell vendors, GUIDs and chassis, and are passed over.

     Switch 36 "S-0002c902..."      # "leaf01" base port 0 lid 1 lmc 0
     [1]  "H-0002c903..."[1](2c903...)   # "node01 HCA-1" lid 2 4xQDR
     Ca 1 "H-0002c903..."           # "node01 HCA-1"
     [1](2c903...)  "S-0002c902..."[1]   # lid 2 lmc 0 "leaf01" lid 1 4xQDR

   The same request may have files with forwarding tables (forwarding.c), and with an order of the
   hosts (ftree_order.c). */
#include "core/alloc.h"
#include "core/error.h"
#include "core/scan.h"
#include "import/format.h"
#include "import/subnet.h"

#define SPACE " \t"

struct reader {
  struct tny_subnet *subnet;
  struct tny_subnet_place place;
  bool in_block; /* ports may follow */
};

static const struct {
  const char *word;
  char letter;
  enum tny_subnet_kind kind;
} headings[] = {
    {"Switch", 'S', TNY_SUBNET_SWITCH}, {"Ca", 'H', TNY_SUBNET_ADAPTER},
    {"Hca", 'H', TNY_SUBNET_ADAPTER},   {"Rt", 'R', TNY_SUBNET_OTHER},
    {"???", '?', TNY_SUBNET_OTHER},
};
#define HEADING_COUNT (sizeof headings / sizeof *headings)

/* How lines begin that say nothing about cables. */
static const char *const passed_over[] = {
    "#",        "vendid=", "devid=",   "sysimgguid=", "switchguid=", "caguid=",
    "hcaguid=", "rtguid=", "???guid=", "Chassis ",    "Hostname: ",  "Non-Chassis Nodes",
};
#define PASSED_OVER_COUNT (sizeof passed_over / sizeof *passed_over)

/* --- rates --- */

/* Of one lane: the signal, and what the line's code leaves of it (InfiniBand Architecture
   Specification, volume 2): 8b/10b, 64b/66b, and from HDR on 256b/257b with Reed-Solomon 544/514.
   FDR10 is Mellanox's. */
static const struct {
  const char *name;
  uint64_t signal_bps;
  uint32_t data, coded;
} speeds[] = {
    {"SDR", 2500000000, 8, 10},     {"DDR", 5000000000, 8, 10},    {"QDR", 10000000000, 8, 10},
    {"FDR10", 10312500000, 64, 66}, {"FDR", 14062500000, 64, 66},  {"EDR", 25781250000, 64, 66},
    {"HDR", 53125000000, 16, 17},   {"NDR", 106250000000, 16, 17}, {"XDR", 212500000000, 16, 17},
};
#define SPEED_COUNT (sizeof speeds / sizeof *speeds)

/* "4xQDR". 0 where a part is unknown to ibnetdiscover itself: "??" or "???". */
static bool read_rate(const char *text, size_t length, uint64_t *bps)
{
  static const unsigned widths[] = {1, 2, 4, 8, 12};
  uint64_t width;
  const char *speed = text;
  *bps = 0;
  if (!strncmp(text, "??", 2) || (length > 3 && !strncmp(text + length - 3, "???", 3)))
    return true;
  if (tny_scan_number(&speed, 12, &width) != TNY_SCAN_NUMBER || *speed++ != 'x')
    return false;
  length -= (size_t)(speed - text);
  for (size_t w = 0; w < sizeof widths / sizeof *widths; w++)
    for (size_t i = 0; width == widths[w] && i < SPEED_COUNT; i++)
      if (strlen(speeds[i].name) == length && !strncmp(speeds[i].name, speed, length))
        *bps = speeds[i].signal_bps * width * speeds[i].data / speeds[i].coded;
  return *bps != 0;
}

/* --- parts of lines --- */

/* "S-0002c902..." in quotes. */
static bool read_id(const char **at, struct tny_subnet_id *id)
{
  const char *c = *at;
  if (c[0] != '"' || !c[1] || !strchr("SHR?", c[1]) || c[2] != '-')
    return false;
  id->letter = c[1];
  c += 3;
  if (!tny_subnet_read_hex(&c, &id->guid) || *c != '"')
    return false;
  *at = c + 1;
  return true;
}

/* "[17]", and the outer number of a chassis behind it, "[ext 3]". */
static bool read_number(const char **at, uint32_t *number)
{
  uint64_t read;
  if (*(*at)++ != '[' || tny_scan_number(at, TNY_SUBNET_PORT_MAX, &read) != TNY_SCAN_NUMBER ||
      read == 0 || *(*at)++ != ']')
    return false;
  *number = (uint32_t)read;
  if (!strncmp(*at, "[ext ", 5))
    *at += strcspn(*at, "]") + (strchr(*at, ']') != NULL);
  return true;
}

/* "(2c903...)" and space around it, where it is there. */
static bool read_port_guid(const char **at, uint64_t *guid)
{
  *at += strspn(*at, SPACE);
  if (**at == '(') {
    ++*at;
    if (!tny_subnet_read_hex(at, guid) || *(*at)++ != ')')
      return false;
  }
  *at += strspn(*at, SPACE);
  return true;
}

static enum tny_status refuse(const struct reader *reader, const char *what, const char *line,
                              struct tny_error *error)
{
  return tny_error_at(error, TNY_BAD_INPUT, reader->place.file, reader->place.line, 0,
                      "%s, not \"%.60s\": give what ibnetdiscover prints, as it is", what, line);
}

/* --- lines --- */

/* What stands behind the #: the lid of the port itself, of an adapter's; then the far node's
   description, its lid, and the rate. */
static enum tny_status read_comment(const struct reader *reader, const char *comment,
                                    struct tny_subnet_port *port, struct tny_error *error)
{
  uint64_t number;
  const char *at = comment + 1 + strspn(comment + 1, SPACE);
  if (!strncmp(at, "lid ", 4)) {
    at += 4;
    if (tny_scan_number(&at, UINT16_MAX, &number) == TNY_SCAN_NUMBER)
      port->lid = (uint32_t)number;
    at += strspn(at, SPACE);
    at += strncmp(at, "lmc ", 4) ? 0 : 4;
    if (tny_scan_number(&at, 7, &number) == TNY_SCAN_NUMBER)
      port->lmc = (uint32_t)number;
  }
  const char *quote = strrchr(comment, '"');
  if (!quote)
    return TNY_OK;
  at = quote + 1 + strspn(quote + 1, SPACE);
  if (!strncmp(at, "lid ", 4)) {
    at += 4;
    at += strspn(at, "0123456789");
    at += strspn(at, SPACE);
  }
  if (*at && !read_rate(at, strcspn(at, SPACE), &port->bps))
    return tny_error_at(error, TNY_BAD_INPUT, reader->place.file, reader->place.line, 0,
                        "\"%.20s\" is no rate that is known here: a width of 1x, 2x, 4x, 8x or 12x "
                        "and SDR, DDR, QDR, FDR10, FDR, EDR, HDR, NDR or XDR, as in 4xHDR",
                        at);
  return TNY_OK;
}

static enum tny_status read_port(const struct reader *reader, const char *line,
                                 struct tny_error *error)
{
  struct tny_subnet_port port = {.place = reader->place};
  uint64_t far_guid;
  const char *at = line;
  if (!reader->in_block)
    return tny_error_at(error, TNY_BAD_INPUT, reader->place.file, reader->place.line, 0,
                        "whose port is it? A block begins with a line of a Switch or Ca: is the "
                        "file whole?");
  if (!read_number(&at, &port.number) || !read_port_guid(&at, &port.guid) ||
      !read_id(&at, &port.far_node) || !read_number(&at, &port.far_number) ||
      !read_port_guid(&at, &far_guid) || (*at && *at != '#'))
    return refuse(reader,
                  "a port belongs here, as in [1] \"S-0002c90200000001\"[12] # \"leaf01\" lid 3 "
                  "4xQDR",
                  line, error);
  const enum tny_status status = *at ? read_comment(reader, at, &port, error) : TNY_OK;
  return status ? status : tny_subnet_add_port(reader->subnet, &port, error);
}

/* The line that begins a block, behind its first word. `line` is ours to cut. */
static enum tny_status read_node(struct reader *reader, size_t heading, char *line,
                                 struct tny_error *error)
{
  struct tny_subnet_node node = {.kind = headings[heading].kind,
                                 .description = "",
                                 .place = reader->place,
                                 .next_adapter = TNY_NONE};
  const char *at = line + strlen(headings[heading].word);
  at += strspn(at, SPACE);
  at += strspn(at, "0123456789");
  at += strspn(at, SPACE);
  if (!read_id(&at, &node.id) || node.id.letter != headings[heading].letter)
    return refuse(reader,
                  "a node belongs here, as in Switch 36 \"S-0002c90200000001\" # \"leaf01\"", line,
                  error);
  char *first = strchr(at, '"'), *last = strrchr(at, '"');
  if (first && first < last) {
    *last = '\0';
    node.description = first + 1;
  }
  if (tny_subnet_is_aggregation(node.description))
    node.kind = TNY_SUBNET_OTHER;
  reader->in_block = true;
  return tny_subnet_add_node(reader->subnet, &node, error);
}

/* The heading that the line begins like; HEADING_COUNT: none. */
static size_t find_heading(const char *line)
{
  size_t heading = 0;
  for (; heading < HEADING_COUNT; heading++) {
    const size_t length = strlen(headings[heading].word);
    if (!strncmp(line, headings[heading].word, length) &&
        (line[length] == ' ' || line[length] == '\t'))
      break;
  }
  return heading;
}

static bool is_passed_over(const char *line)
{
  for (size_t i = 0; i < PASSED_OVER_COUNT; i++)
    if (!strncmp(line, passed_over[i], strlen(passed_over[i])))
      return true;
  return line[strspn(line, SPACE)] == '\0';
}

static enum tny_status read_line(void *context, char *line, struct tny_error *error)
{
  struct reader *reader = context;
  if (*line == '[')
    return read_port(reader, line, error);
  const size_t heading = find_heading(line);
  if (heading < HEADING_COUNT)
    return read_node(reader, heading, line, error);
  reader->in_block = reader->in_block && *line == '#';
  if (is_passed_over(line))
    return TNY_OK;
  return refuse(reader, "a block of a Switch or Ca belongs here", line, error);
}

/* --- the files --- */

static enum tny_status read_file(struct tny_subnet *subnet, uint32_t index, struct tny_error *error)
{
  const struct tny_import_file *file = &subnet->import->files[index];
  struct reader reader = {.subnet = subnet, .place.file = file->name};
  char *text = subnet->texts[index] = tny_copy_text(file->text);
  return text ? tny_subnet_read_lines(text, &reader.place, read_line, &reader, error)
              : tny_error_memory(error);
}

static enum tny_status read_all(struct tny_subnet *subnet, struct tny_build *build,
                                struct tny_error *error)
{
  const struct tny_import_request *import = subnet->import;
  enum tny_status status = TNY_OK;
  uint32_t tables = 0, orders = 0;
  for (uint32_t i = 0; !status && i < import->file_count; i++) {
    if (tny_forwarding_recognize(import->files[i].text))
      tables++;
    else if (tny_ftree_order_recognize(import->files[i].text))
      orders++;
    else
      status = read_file(subnet, i, error);
  }
  if (!status && subnet->node_count == 0)
    status = tny_error_at(error, TNY_BAD_INPUT, import->files[0].name, 0, 0,
                          "no Switch and no Ca is in it: give what ibnetdiscover prints%s",
                          tables   ? " beside the forwarding tables"
                          : orders ? " beside OpenSM's order of the hosts"
                                   : "");
  if (!status)
    status = tny_subnet_join(subnet, error);
  if (!status && orders)
    status = tny_ftree_order_read(subnet, error);
  if (!status)
    status = tny_subnet_build(subnet, tables > 0, build, error);
  char *routes = NULL;
  if (!status && tables)
    status = tny_forwarding_read(subnet, build, &routes, error);
  if (import->routes)
    *import->routes = routes;
  else
    tny_text_free(routes);
  return status;
}

enum tny_status tny_ibnetdiscover_read(const struct tny_import_request *import,
                                       struct tny_build *build, struct tny_error *error)
{
  struct tny_subnet subnet = {.import = import,
                              .texts = tny_new(import->file_count, sizeof *subnet.texts)};
  const enum tny_status status =
      subnet.texts ? read_all(&subnet, build, error) : tny_error_memory(error);
  tny_subnet_release(&subnet);
  return status;
}

bool tny_ibnetdiscover_recognize(const char *text)
{
  static const char *const beginnings[] = {"vendid=", "Chassis ", "Non-Chassis Nodes"};
  text = tny_subnet_skip_comments(text);
  for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
    if (!strncmp(text, beginnings[i], strlen(beginnings[i])))
      return true;
  return find_heading(text) < HEADING_COUNT || tny_forwarding_recognize(text) ||
         tny_ftree_order_recognize(text);
}
