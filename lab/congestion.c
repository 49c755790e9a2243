/* Changing TCP's congestion control in a lab that is up: the hosts' routes name it. */
#include "lab/congestion.h"

#include <string.h>

#include "core/error.h"
#include "core/text.h"
#include "lab/enter.h"
#include "lab/wiring.h"

enum tny_status tny_lab_congestion_check(const char *congestion, struct tny_error *error)
{
  const size_t length = strlen(congestion);
  if (!length || length > 15 ||
      strspn(congestion, "abcdefghijklmnopqrstuvwxyz0123456789_-") != length)
    return tny_error_set(error, TNY_BAD_INPUT, "'%.40s' can't be a TCP congestion control",
                         congestion);
  return TNY_OK;
}

enum tny_status tny_lab_congestion_explain(const char *congestion, const char *node,
                                           const struct tny_error *said, struct tny_error *error)
{
  if (strstr(said->text, "congestion"))
    return tny_error_set(error, TNY_REFUSED,
                         "this kernel has no TCP congestion control '%s': 'sysctl "
                         "net.ipv4.tcp_available_congestion_control' lists those it has",
                         congestion);
  return tny_error_set(error, said->status, "%s: %s", node, said->text);
}

/* Gives one host its route anew. */
static enum tny_status change_host(const struct tny_lab_entered *entered, const char *ip,
                                   uint32_t host, struct tny_error *error)
{
  const struct tny_cluster *cluster = entered->lab->cluster;
  const char *congestion = entered->context;
  struct tny_text batch = {0};
  struct tny_error said = {0};
  char *input = NULL;
  char *const argv[] = {(char *)ip, "-batch", "-", NULL};
  tny_lab_wiring_host_route(cluster, host, congestion, &batch);
  enum tny_status status =
      tny_lab_node_enter(entered->lab->directory, cluster->node_names[host], error);
  if (status != TNY_OK) {
    tny_text_release(&batch);
    return status;
  }
  status = tny_text_take(&batch, &input, &said);
  if (status == TNY_OK)
    status = tny_lab_helper_run(&(struct tny_lab_helper){.argv = argv, .input = input, .netns = -1},
                                NULL, &said);
  tny_text_free(input);
  if (status == TNY_OK)
    return TNY_OK;
  return tny_lab_congestion_explain(congestion, cluster->node_names[host], &said, error);
}

static int change_hosts(const struct tny_lab_entered *entered)
{
  char ip[256];
  struct tny_error error = {0};
  enum tny_status status = tny_lab_tool_find("ip", "iproute2", ip, &error);
  for (uint32_t host = 0; status == TNY_OK && host < entered->lab->cluster->host_count; host++)
    status = change_host(entered, ip, host, &error);
  if (status != TNY_OK)
    tny_lab_entered_fail(entered, &error);
  return 0;
}

enum tny_status tny_lab_change_congestion(const struct tny_lab *lab, const char *congestion,
                                          struct tny_error *error)
{
  struct tny_lab_end end;
  struct tny_lab_task task = {.node = lab->cluster->node_names[0],
                              .body = change_hosts,
                              .context = (void *)congestion,
                              .watch = {.output = -1}};
  const enum tny_status status = tny_lab_congestion_check(congestion, error);
  return status == TNY_OK ? tny_lab_enter(lab, &task, &end, error) : status;
}
