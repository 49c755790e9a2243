/* The list of all algorithms: by collective, simple before clever. */
#include "algorithms/list.h"
#include "core/error.h"

const struct tny_algorithm *const tny_algorithms[] = {
    &tny_bcast_linear,
    &tny_bcast_pipelined_linear,
    &tny_bcast_switch_ordered_chain,
    &tny_bcast_binomial,
    &tny_bcast_switch_ordered_binomial,
    &tny_bcast_van_de_geijn,
    &tny_bcast_round_robin,
    &tny_bcast_circulant,
    &tny_allgather_ring,
    &tny_allgather_switch_ordered_ring,
    &tny_allgather_simultaneous_broadcast,
    &tny_allgather_combining,
    &tny_allgather_recursive_doubling,
    &tny_allgather_round_robin,
    &tny_allgather_ls2,
    &tny_allgather_ls,
    &tny_alltoall_shift,
    &tny_alltoall_shuffle,
    &tny_alltoall_pairwise_xor,
    &tny_alltoall_pairwise,
    &tny_alltoall_group_shuffle,
    &tny_alltoall_bruck,
    &tny_alltoall_lg,
    &tny_alltoall_phases,
    &tny_alltoall_phases_unidirectional,
    &tny_alltoall_message_passing,
    &tny_alltoall_message_passing_random,
    &tny_alltoall_store_and_forward,
    &tny_alltoall_two_stage,
    NULL,
};

const struct tny_algorithm *tny_algorithm_find(enum tny_collective collective, const char *name)
{
  const size_t length = strcspn(name, ":");
  for (const struct tny_algorithm *const *at = tny_algorithms; *at; at++)
    if ((*at)->collective == collective && strlen((*at)->name) == length &&
        strncmp((*at)->name, name, length) == 0)
      return *at;
  return NULL;
}

/* What follows the colon: a whole number of `least` or more. */
static enum tny_status read_parameter(const struct tny_algorithm *algorithm, const char *text,
                                      uint32_t *parameter, struct tny_error *error)
{
  uint64_t number = 0;
  const char *digit = text;
  for (; *digit >= '0' && *digit <= '9' && number <= TNY_NONE; digit++)
    number = number * 10 + (uint64_t)(*digit - '0');
  if (digit == text || *digit || number < algorithm->parameter.least || number >= TNY_NONE)
    return tny_error_set(
        error, TNY_BAD_INPUT, "%s:%.40s: the %s is a whole number from %u on, as in %s:%u",
        algorithm->name, text, algorithm->parameter.name, algorithm->parameter.least,
        algorithm->name, algorithm->parameter.standard);
  *parameter = (uint32_t)number;
  return TNY_OK;
}

enum tny_status tny_algorithm_parse(enum tny_collective collective, const char *text,
                                    struct tny_named *named, struct tny_error *error)
{
  const size_t length = strcspn(text, ":");
  const char *colon = text[length] ? text + length : NULL;
  *named = (struct tny_named){.algorithm = tny_algorithm_find(collective, text)};
  if (!named->algorithm)
    return tny_error_set(error, TNY_BAD_INPUT,
                         "%s has no algorithm '%.*s'; see 'tourney algorithms'",
                         tny_collective_name(collective), (int)length, text);
  named->parameter = named->algorithm->parameter.name ? named->algorithm->parameter.standard : 0;
  if (!colon)
    return TNY_OK;
  if (!named->algorithm->parameter.name)
    return tny_error_set(error, TNY_BAD_INPUT, "%s takes no parameter: leave out '%.40s'",
                         named->algorithm->name, colon);
  return read_parameter(named->algorithm, colon + 1, &named->parameter, error);
}
