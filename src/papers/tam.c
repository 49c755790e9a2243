/* Tam, Wang, "Efficient scheduling of complete exchange on clusters", 2 and 3, Equations 1 to 5,
   and Table 1. Units: ns, bytes.

   The table gives g_s = 122 and g_r = 123 us; g is the greater. Its L is printed as 0.3387p + 149,
   where p can only be the number of nodes. Blocks are k = M/b packets, k whole: a last, short
   packet counts as a full one. */
#include <tourney/papers.h>

const struct tny_tam tny_tam_cluster = {
    .nodes = 16,
    .fan_out = 5,
    .block_bytes = 1492,
    .packet_bytes = 1492,
    .send_ns = 12500,
    .receive_ns = 20000,
    .user_ns = 7000,
    .gap_ns = 123000,
    .latency_ns = 154419.2,
};

double tny_tam_latency_ns(uint32_t nodes, bool is_shared_buffered)
{
  return is_shared_buffered ? 341.3 * nodes + 264000 : 338.7 * nodes + 149000;
}

uint64_t tny_tam_packets(const struct tny_tam *tam)
{
  return tam->block_bytes / tam->packet_bytes + (tam->block_bytes % tam->packet_bytes != 0);
}

double tny_tam_round_ns(const struct tny_tam *tam)
{
  return tam->send_ns + tam->latency_ns - tam->gap_ns + tam->receive_ns + tam->user_ns;
}

/* The packets of so many messages, one every g, and the rounds that they are sent in. */
static double rounds_ns(const struct tny_tam *tam, double messages, double rounds)
{
  return messages * (double)tny_tam_packets(tam) * tam->gap_ns + rounds * tny_tam_round_ns(tam);
}

double tny_tam_point_to_point_ns(const struct tny_tam *tam)
{
  return rounds_ns(tam, 1, 1);
}

double tny_tam_least_ns(const struct tny_tam *tam)
{
  return rounds_ns(tam, tam->nodes - 1, 1);
}

double tny_tam_shift_ns(const struct tny_tam *tam)
{
  return rounds_ns(tam, tam->nodes - 1, tam->nodes - 1);
}

/* Of edge colouring: one more for odd numbers, in each of which a node is idle. */
static uint32_t pair_rounds(const struct tny_tam *tam)
{
  return tam->nodes % 2 == 0 ? tam->nodes - 1 : tam->nodes;
}

/* Eq. 3 is for even numbers. A round with idle nodes is as long as any other. */
double tny_tam_pairwise_ns(const struct tny_tam *tam)
{
  return rounds_ns(tam, pair_rounds(tam), pair_rounds(tam));
}

/* 2^ceil(log2 p) - 1 rounds. */
double tny_tam_pairwise_xor_ns(const struct tny_tam *tam)
{
  uint64_t power = 1;
  while (power < tam->nodes)
    power *= 2;
  return rounds_ns(tam, (double)(power - 1), (double)(power - 1));
}

double tny_tam_shuffle_ns(const struct tny_tam *tam)
{
  return rounds_ns(tam, tam->nodes - 1, 1);
}

/* Printed for even numbers and a fan-out that divides p-1; Algorithm 3 rounds up where it doesn't,
   and here the last group is then shorter. */
double tny_tam_group_shuffle_ns(const struct tny_tam *tam)
{
  const uint32_t messages = pair_rounds(tam);
  return rounds_ns(tam, messages, messages / tam->fan_out + (messages % tam->fan_out != 0));
}

double tny_tam_bandwidth(const struct tny_tam *tam, double ns)
{
  return (double)tam->block_bytes * (tam->nodes - 1) / ns;
}
