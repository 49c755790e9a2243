/* A cycle of channels, put in words. */
#include "cluster/channel_cycle.h"

#include "core/error.h"

/* So many channels of a cycle are named in an error's text. */
#define SHOWN_MAX 6

void tny_link_add_name(struct tny_text *text, const struct tny_cluster *cluster, uint32_t link)
{
  const struct tny_link *self = &cluster->links[link];
  uint32_t number = 0, cables = 0;
  for (uint32_t i = cluster->first_out[self->from]; i < cluster->first_out[self->from + 1]; i++) {
    const uint32_t other = cluster->out_links[i];
    number += other < link && cluster->links[other].to == self->to;
    cables += cluster->links[other].to == self->to;
  }
  tny_text_add(text, "%s -> %s", cluster->node_names[self->from], cluster->node_names[self->to]);
  if (cables > 1)
    tny_text_add(text, "#%u", number);
}

/* Writes the cycle: *shown is a line for an error, shortened where the cycle is long; *whole (may
   be NULL) is all of it, a line a channel. After an error there is neither. */
static enum tny_status write_cycle(const struct tny_channel_cycle *cycle, char **shown,
                                   char **whole, struct tny_error *error)
{
  struct tny_text line = {0}, lines = {0};
  for (uint32_t i = 0; i < cycle->length; i++) {
    cycle->add_name(&lines, cycle->of, cycle->channels[i]);
    tny_text_add(&lines, "\n");
    if (i == SHOWN_MAX - 1 && cycle->length > SHOWN_MAX) {
      tny_text_add(&line, "... (%u in all), ", cycle->length);
    } else if (i < SHOWN_MAX || i == cycle->length - 1) {
      cycle->add_name(&line, cycle->of, cycle->channels[i]);
      tny_text_add(&line, i == cycle->length - 1 ? "" : ", ");
    }
  }
  enum tny_status status = tny_text_take(&line, shown, error);
  if (status == TNY_OK && whole)
    status = tny_text_take(&lines, whole, error);
  if (status != TNY_OK) {
    tny_text_free(*shown);
    *shown = NULL;
  }
  tny_text_release(&line);
  tny_text_release(&lines);
  return status;
}

enum tny_status tny_channel_cycle_refuse(const struct tny_channel_cycle *cycle, const char *what,
                                         char **whole, struct tny_error *error)
{
  char *shown;
  enum tny_status status = write_cycle(cycle, &shown, whole, error);
  if (status == TNY_OK)
    status = tny_error_set(error, TNY_BROKEN, "%s in a cycle: %.440s", what, shown);
  tny_text_free(shown);
  return status;
}
