/* The list of all algorithms: by collective, simple before clever. */
#include "collectives/list.h"
#include "core/error.h"

const struct tny_algorithm *const tny_algorithms[] = {
    &tny_bcast_linear,
    &tny_bcast_pipelined_linear,
    &tny_bcast_switch_ordered_chain,
    &tny_bcast_binomial,
    &tny_bcast_switch_ordered_binomial,
    &tny_bcast_van_de_geijn,
    &tny_bcast_round_robin,
    &tny_bcast_two_tree,
    &tny_bcast_bine,
    &tny_bcast_circulant,
    &tny_bcast_switch_circulant,
    &tny_bcast_host_chain,
    &tny_bcast_hierarchical,
    &tny_allgather_ring,
    &tny_allgather_switch_ordered_ring,
    &tny_allgather_contention_free_rings,
    &tny_allgather_simultaneous_broadcast,
    &tny_allgather_combining,
    &tny_allgather_recursive_doubling,
    &tny_allgather_circulant_halving,
    &tny_allgather_circulant,
    &tny_allgather_bine,
    &tny_allgather_swing,
    &tny_allgather_trivance,
    &tny_allgather_pat,
    &tny_allgather_round_robin,
    &tny_allgather_ls2,
    &tny_allgather_ls,
    &tny_allgather_two_way_ring,
    &tny_allgather_hierarchical,
    &tny_gather_linear,
    &tny_gather_binomial,
    &tny_gather_bine,
    &tny_gather_hierarchical,
    &tny_scatter_linear,
    &tny_scatter_binomial,
    &tny_scatter_bine,
    &tny_scatter_hierarchical,
    &tny_reduce_binomial,
    &tny_reduce_switch_ordered_binomial,
    &tny_reduce_switch_ordered_chain,
    &tny_reduce_two_tree,
    &tny_reduce_van_de_geijn,
    &tny_reduce_bine,
    &tny_reduce_circulant,
    &tny_reduce_switch_circulant,
    &tny_reduce_host_chain,
    &tny_reduce_hierarchical,
    &tny_reduce_scatter_pairwise,
    &tny_reduce_scatter_recursive_halving,
    &tny_reduce_scatter_circulant_halving,
    &tny_reduce_scatter_circulant,
    &tny_reduce_scatter_combining,
    &tny_reduce_scatter_bine,
    &tny_reduce_scatter_swing,
    &tny_reduce_scatter_trivance,
    &tny_reduce_scatter_pat,
    &tny_reduce_scatter_ring,
    &tny_reduce_scatter_switch_ordered_ring,
    &tny_reduce_scatter_two_way_ring,
    &tny_reduce_scatter_contention_free_rings,
    &tny_reduce_scatter_hierarchical,
    &tny_allreduce_recursive_doubling,
    &tny_allreduce_trivance,
    &tny_allreduce_trivance_bandwidth,
    &tny_allreduce_rabenseifner,
    &tny_allreduce_circulant_halving,
    &tny_allreduce_ring,
    &tny_allreduce_switch_ordered_ring,
    &tny_allreduce_two_way_ring,
    &tny_allreduce_contention_free_rings,
    &tny_allreduce_switch_ordered_binomial,
    &tny_allreduce_bine,
    &tny_allreduce_circulant,
    &tny_allreduce_switch_circulant,
    &tny_allreduce_switch_ordered_chain,
    &tny_allreduce_hierarchical,
    &tny_barrier_dissemination,
    &tny_barrier_n_way_dissemination,
    &tny_barrier_tournament,
    &tny_barrier_hierarchical,
    &tny_alltoall_shift,
    &tny_alltoall_shuffle,
    &tny_alltoall_pairwise_xor,
    &tny_alltoall_pairwise,
    &tny_alltoall_group_shuffle,
    &tny_alltoall_bruck,
    &tny_alltoall_retri,
    &tny_alltoall_hierarchical_bruck,
    &tny_alltoall_tuna,
    &tny_alltoall_multi_leader,
    &tny_alltoall_lg,
    &tny_alltoall_lg_zones,
    &tny_alltoall_tree_phases,
    &tny_alltoall_planned_phases,
    &tny_alltoall_hierarchical_open_shop,
    &tny_alltoall_open_shop,
    &tny_alltoall_phases,
    &tny_alltoall_phases_unidirectional,
    &tny_alltoall_message_passing,
    &tny_alltoall_message_passing_random,
    &tny_alltoall_store_and_forward,
    &tny_alltoall_two_stage,
    &tny_alltoall_dimension_wise,
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

/* --- parameters --- */

enum { NUMBER_BITS = 8, NUMBER_MAX = (1 << NUMBER_BITS) - 1 };

uint32_t tny_parameter_all(const struct tny_parameter *parameter, uint32_t number)
{
  uint32_t all = number;
  for (uint32_t i = 1; i < parameter->numbers; i++)
    all = all << NUMBER_BITS | number;
  return all;
}

void tny_algorithm_choice_write(const struct tny_algorithm_choice *choice, char *text)
{
  const struct tny_parameter *parameter = &choice->algorithm->parameter;
  const uint32_t count = parameter->numbers > 1 ? parameter->numbers : 1;
  const size_t room = TNY_ALGORITHM_CHOICE_CHARS;
  size_t length = (size_t)snprintf(text, room, "%s", choice->algorithm->name);
  if (!parameter->name || choice->parameter == 0)
    return;
  for (uint32_t i = 0; i < count && length < room; i++) {
    const uint32_t number =
        count == 1 ? choice->parameter : choice->parameter >> NUMBER_BITS * i & NUMBER_MAX;
    length += (size_t)snprintf(text + length, room - length, "%c%u", i ? '.' : ':', number);
  }
}

/* A whole number below `end` that is at least the parameter's least; moves *text behind it. */
static bool read_number(const struct tny_parameter *parameter, uint64_t end, const char **text,
                        uint32_t *number)
{
  uint64_t value = 0;
  const char *digit = *text;
  for (; *digit >= '0' && *digit <= '9' && value < end; digit++)
    value = value * 10 + (uint64_t)(*digit - '0');
  const bool is_one = digit != *text && value >= parameter->least && value < end;
  *text = digit;
  *number = (uint32_t)value;
  return is_one;
}

static enum tny_status refuse_numbers(const struct tny_algorithm *algorithm, const char *text,
                                      struct tny_error *error)
{
  const struct tny_parameter *parameter = &algorithm->parameter;
  char standard[TNY_ALGORITHM_CHOICE_CHARS];
  const uint32_t number = parameter->standard ? parameter->standard : parameter->least;
  tny_algorithm_choice_write(&(struct tny_algorithm_choice){algorithm, number}, standard);
  if (parameter->numbers > 1)
    return tny_error_set(error, TNY_BAD_INPUT,
                         "%s:%.40s: the %s are up to %u whole numbers from %u to %u with dots "
                         "between, as in %s",
                         algorithm->name, text, parameter->name, parameter->numbers,
                         parameter->least, NUMBER_MAX, standard);
  return tny_error_set(error, TNY_BAD_INPUT,
                       "%s:%.40s: the %s is a whole number from %u on, as in %s", algorithm->name,
                       text, parameter->name, parameter->least, standard);
}

/* What follows the colon. */
static enum tny_status read_parameter(const struct tny_algorithm *algorithm, const char *text,
                                      uint32_t *parameter, struct tny_error *error)
{
  const struct tny_parameter *taken = &algorithm->parameter;
  const char *at = text;
  if (taken->numbers <= 1)
    return read_number(taken, TNY_NONE, &at, parameter) && !*at
               ? TNY_OK
               : refuse_numbers(algorithm, text, error);
  for (uint32_t i = 0; i < taken->numbers; i++) {
    uint32_t number;
    if (!read_number(taken, NUMBER_MAX + 1, &at, &number))
      return refuse_numbers(algorithm, text, error);
    *parameter &= ~((uint32_t)NUMBER_MAX << NUMBER_BITS * i);
    *parameter |= number << NUMBER_BITS * i;
    if (!*at)
      return TNY_OK;
    if (*at++ != '.')
      return refuse_numbers(algorithm, text, error);
  }
  return refuse_numbers(algorithm, text, error);
}

enum tny_status tny_algorithm_parse(enum tny_collective collective, const char *text,
                                    struct tny_algorithm_choice *choice, struct tny_error *error)
{
  const size_t length = strcspn(text, ":");
  const char *colon = text[length] ? text + length : NULL;
  *choice = (struct tny_algorithm_choice){.algorithm = tny_algorithm_find(collective, text)};
  if (!choice->algorithm)
    return tny_error_set(error, TNY_BAD_INPUT,
                         "%s has no algorithm '%.*s'; see 'tourney algorithms'",
                         tny_collective_name(collective), (int)length, text);
  choice->parameter = choice->algorithm->parameter.name ? choice->algorithm->parameter.standard : 0;
  if (!colon)
    return TNY_OK;
  if (!choice->algorithm->parameter.name)
    return tny_error_set(error, TNY_BAD_INPUT, "%s takes no parameter: leave out '%.40s'",
                         choice->algorithm->name, colon);
  return read_parameter(choice->algorithm, colon + 1, &choice->parameter, error);
}
