/* What a proof found, as a JSON object. */
#include "certificate.h"
#include "cli/shared/json.h"
#include "proof.h"

/* What is in flight is null where it wasn't looked at. */
static json_t *link_json(const struct proof_subject *subject, const struct proof *proof,
                         uint32_t link)
{
  const struct tny_cluster *cluster = subject->network->routes->cluster;
  const double seconds = proof_link_seconds(subject, proof, link);
  const struct in_flight *in_flight = &proof->in_flight;
  const bool counted = in_flight->messages != NULL;
  return json_pack(
      "{s:s, s:s, s:I, s:f, s:o, s:o, s:o, s:I}", "from",
      cluster->node_names[cluster->links[link].from], "to",
      cluster->node_names[cluster->links[link].to], "carries_bytes",
      (json_int_t)proof->load_bytes[link], "seconds_min", seconds, "in_flight_messages_max",
      counted ? json_integer(in_flight->messages[link]) : json_null(), "in_flight_bytes_max",
      counted ? json_integer((json_int_t)in_flight_bytes(in_flight, link)) : json_null(),
      "in_flight_exact", counted ? json_boolean(in_flight->is_exact[link]) : json_null(),
      "buffer_bytes", (json_int_t)cluster->links[link].buffer_bytes);
}

static json_t *network_json(const struct proof_subject *subject, const struct proof *proof)
{
  const struct tny_cluster *cluster = subject->network->routes->cluster;
  json_t *links = json_array();
  for (uint32_t link = 0; link < cluster->link_count; link++)
    json_add(&links, link_json(subject, proof, link));
  return json_pack("{s:I, s:I, s:o, s:o, s:o}", "phases", (json_int_t)proof->report.phases,
                   "phase_link_messages_max", (json_int_t)proof->report.phase_link_messages,
                   "phase_link", json_link(cluster, proof->report.phase_link), "links", links,
                   "certificate", certificate_json(subject, proof));
}

json_t *proof_json(const struct proof_subject *subject, const struct proof *proof)
{
  const struct tny_report *report = &proof->report;
  json_t *json = json_pack(
      "{s:b, s:I, s:I, s:I, s:I, s:I, s:I, s:o}", "proved", 1, "steps", (json_int_t)report->steps,
      "messages", (json_int_t)report->messages, "tokens", (json_int_t)report->tokens, "rounds",
      (json_int_t)report->rounds, "blocks_sent_max", (json_int_t)report->blocks_sent_max,
      "message_bytes_max", (json_int_t)proof->message_bytes_max, "network",
      subject->network ? network_json(subject, proof) : json_null());
  if (json && subject->schedule->collective == TNY_ALLGATHER)
    json_object_set_new(json, "in_place", json_boolean(proof->in_place == TNY_OK));
  return json;
}
