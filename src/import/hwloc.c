/* hwloc's XML, as lstopo writes it, in the forms of versions 1 and later, by libxml2. Read are the
   host's name and its network devices: those of PCI class 02, whatever the numbers of hwloc's own
   kinds, which differ between versions. A device's pci_link_speed is what its slot passes on, in
   GB/s; devices on one bus share it. Processors and memory aren't looked at. */
#include "import/hwloc.h"

#include "core/alloc.h"
#include "core/error.h"
#include "core/scan.h"
#include "import/format.h"
#include "import/names.h"
#include "import/xml.h"

/* Of a link at this rate or below hwloc knows nothing: devices within a chipset tell the lowest
   rate there is, and aren't limited by it. */
#define NOMINAL_BPS 2000000000u
#define MBPS 1000000u /* rates are rounded down to it: hwloc has them as floats */
#define BUS_BYTES 24

/* A PCI bus with network devices: its slot. */
struct bus {
  char name[BUS_BYTES]; /* "0000:01" */
  uint64_t bps;         /* 0: not known */
  bool is_chosen;       /* it has an interface that the import names */
};

struct reader {
  const struct tny_import_request *import;
  struct tny_hwloc_host *host;
  struct bus *buses;
  uint32_t bus_count, bus_room;
  uint32_t depth;        /* of the elements that are open */
  uint32_t device_depth; /* of the network device that is open; 0: none is */
  uint32_t device_bus;   /* its bus */
  bool has_object;
  bool has_other; /* a port that is on no such bus */
};

/* --- network devices --- */

/* "7.876923" */
static enum tny_status read_speed(const struct tny_xml_element *element, uint64_t *bps,
                                  struct tny_error *error)
{
  const char *text = tny_xml_attribute(element, "pci_link_speed");
  uint64_t whole, digits = 0, billionths = 0;
  *bps = 0;
  if (!text)
    return TNY_OK;
  const char *at = text;
  enum tny_scan scan = tny_scan_number(&at, 1000000, &whole);
  if (scan == TNY_SCAN_NUMBER && *at == '.')
    for (at++; tny_is_digit(*at); at++, digits++)
      billionths = digits < 9 ? 10 * billionths + (uint64_t)(*at - '0') : billionths;
  if (scan != TNY_SCAN_NUMBER || *at)
    return tny_xml_refuse(element, error,
                          "pci_link_speed=\"%.40s\" isn't a rate in GB/s, as in 7.876923: let "
                          "lstopo write the file anew",
                          text);
  for (; digits < 9; digits++)
    billionths *= 10;
  *bps = (1000000000 * whole + billionths) / (MBPS / 8) * MBPS;
  if (*bps <= NOMINAL_BPS)
    *bps = 0;
  return TNY_OK;
}

static enum tny_status find_bus(struct reader *reader, const char *name, size_t length,
                                struct tny_error *error)
{
  uint32_t i = 0;
  while (i < reader->bus_count && (strncmp(reader->buses[i].name, name, length) != 0 ||
                                   reader->buses[i].name[length] != '\0'))
    i++;
  reader->device_bus = i;
  if (i < reader->bus_count)
    return TNY_OK;
  if (i == reader->bus_room) {
    const uint32_t room = reader->bus_room ? 2 * reader->bus_room : 8;
    struct bus *grown = tny_resize(reader->buses, room, sizeof *grown);
    if (!grown)
      return tny_error_memory(error);
    reader->buses = grown;
    reader->bus_room = room;
  }
  reader->buses[reader->bus_count++] = (struct bus){0};
  memcpy(reader->buses[i].name, name, length);
  return TNY_OK;
}

static enum tny_status begin_device(struct reader *reader, const struct tny_xml_element *element,
                                    struct tny_error *error)
{
  const char *bus_id;
  uint64_t bps;
  enum tny_status status = tny_xml_require(element, "pci_busid", &bus_id, error);
  if (status)
    return status;
  const char *end = strrchr(bus_id, ':');
  if (!end || end == bus_id || end - bus_id >= BUS_BYTES)
    return tny_xml_refuse(element, error,
                          "pci_busid=\"%.40s\" isn't a device's, as in 0000:01:00.0: let lstopo "
                          "write the file anew",
                          bus_id);
  status = read_speed(element, &bps, error);
  if (!status)
    status = find_bus(reader, bus_id, (size_t)(end - bus_id), error);
  if (status)
    return status;
  struct bus *bus = &reader->buses[reader->device_bus];
  bus->bps = bps > bus->bps ? bps : bus->bps;
  reader->device_depth = reader->depth;
  return TNY_OK;
}

static void begin_interface(struct reader *reader, const struct tny_xml_element *element)
{
  const char *name = tny_xml_attribute(element, "name");
  const char *wanted = reader->import->interfaces;
  if (reader->device_depth && name && wanted && tny_names_match(wanted, name))
    reader->buses[reader->device_bus].is_chosen = true;
}

static enum tny_status begin_object(struct reader *reader, const struct tny_xml_element *element,
                                    struct tny_error *error)
{
  const char *type;
  const enum tny_status status = tny_xml_require(element, "type", &type, error);
  if (status)
    return status;
  reader->has_object = true;
  const char *class = tny_xml_attribute(element, "pci_type");
  if (!strcmp(type, "OSDev"))
    begin_interface(reader, element);
  else if (!strcmp(type, "PCIDev") && !reader->device_depth && class && !strncmp(class, "02", 2))
    return begin_device(reader, element, error);
  return TNY_OK;
}

/* --- what is told of an object --- */

/* "0002:c903:0000:1234" as ibnetdiscover's nodes are called, H-0002c90300001234. */
static void add_guid(struct tny_text *ports, const char *guid)
{
  tny_text_add(ports, "H-");
  for (; *guid; guid++)
    if (*guid != ':')
      tny_text_add(ports, "%c", *guid);
  tny_text_add(ports, " ");
}

static enum tny_status begin_info(struct reader *reader, const struct tny_xml_element *element,
                                  struct tny_error *error)
{
  struct tny_hwloc_host *host = reader->host;
  const char *name = tny_xml_attribute(element, "name");
  const char *value = tny_xml_attribute(element, "value");
  if (!name || !value || !*value)
    return TNY_OK;
  if (!strcmp(name, "HostName") && !host->line) {
    if (strlen(value) > TNY_NAME_BYTES_MAX)
      return tny_xml_refuse(element, error, "a host's name has at most %d bytes, and this has %zu",
                            TNY_NAME_BYTES_MAX, strlen(value));
    memcpy(host->name, value, strlen(value) + 1);
    host->line = element->line;
  }
  const bool is_guid = !strcmp(name, "NodeGUID"), is_address = !strcmp(name, "Address");
  if (is_guid)
    add_guid(&host->ports, value);
  else if (is_address)
    tny_text_add(&host->ports, "%s ", value);
  reader->has_other |= (is_guid || is_address) && !reader->device_depth;
  return TNY_OK;
}

/* --- the file --- */

static enum tny_status begin(void *state, const struct tny_xml_element *element,
                             struct tny_error *error)
{
  struct reader *reader = state;
  if (reader->depth++ == 0 && strcmp(element->name, "topology") != 0)
    return tny_xml_refuse(element, error,
                          "<%.40s> isn't a host's: give what lstopo --of xml writes, which begins "
                          "with <topology>",
                          element->name);
  if (!strcmp(element->name, "object"))
    return begin_object(reader, element, error);
  if (!strcmp(element->name, "info"))
    return begin_info(reader, element, error);
  return TNY_OK;
}

static enum tny_status end(void *state, const char *name, struct tny_error *error)
{
  struct reader *reader = state;
  (void)name;
  (void)error;
  if (reader->depth-- == reader->device_depth)
    reader->device_depth = 0;
  return TNY_OK;
}

/* What the slots pass on that may have the host's cables: those with interfaces that the import
   names, else all. */
static uint64_t add_up(const struct reader *reader)
{
  uint64_t all_bps = 0, chosen_bps = 0;
  bool all_known = !reader->has_other, chosen_known = true, any_chosen = false;
  for (uint32_t i = 0; i < reader->bus_count; i++) {
    const struct bus *bus = &reader->buses[i];
    all_bps += bus->bps;
    all_known &= bus->bps > 0;
    any_chosen |= bus->is_chosen;
    chosen_bps += bus->is_chosen ? bus->bps : 0;
    chosen_known &= !bus->is_chosen || bus->bps > 0;
  }
  if (any_chosen)
    return chosen_known ? chosen_bps : 0;
  return all_known ? all_bps : 0;
}

bool tny_hwloc_recognize(const char *text)
{
  static const char root[] = "topology";
  size_t length;
  const char *name = tny_xml_first_element(text, &length);
  return name && length == strlen(root) && !strncmp(name, root, length);
}

enum tny_status tny_hwloc_load(const struct tny_import_request *import,
                               const struct tny_import_file *file, struct tny_hwloc_host *host,
                               struct tny_error *error)
{
  *host = (struct tny_hwloc_host){0};
  struct reader reader = {.import = import, .host = host};
  const struct tny_xml_reader xml = {.begin = begin, .end = end, .state = &reader};
  enum tny_status status = tny_xml_read(file, &xml, error);
  if (!status && !reader.has_object)
    status = tny_error_at(error, TNY_BAD_INPUT, file->name, 0, 0,
                          "there is no machine in it: give what lstopo --of xml writes, whole");
  if (!status && !host->line)
    status = tny_names_of_file(file->name, host->name, error);
  if (!status && host->ports.failed)
    status = tny_error_memory(error);
  host->slots_bps = add_up(&reader);
  tny_free(reader.buses);
  return status;
}

void tny_hwloc_release(struct tny_hwloc_host *host)
{
  tny_text_release(&host->ports);
}
