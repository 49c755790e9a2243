/* Every algorithm of this folder, for the registry. */
#ifndef TOURNEY_COLLECTIVES_LIST_H
#define TOURNEY_COLLECTIVES_LIST_H

#include <tourney/algorithm.h>

extern const struct tny_algorithm tny_bcast_linear;
extern const struct tny_algorithm tny_bcast_pipelined_linear;
extern const struct tny_algorithm tny_bcast_switch_ordered_chain;
extern const struct tny_algorithm tny_bcast_binomial;
extern const struct tny_algorithm tny_bcast_switch_ordered_binomial;
extern const struct tny_algorithm tny_bcast_van_de_geijn;
extern const struct tny_algorithm tny_bcast_round_robin;
extern const struct tny_algorithm tny_bcast_two_tree;
extern const struct tny_algorithm tny_bcast_bine;
extern const struct tny_algorithm tny_bcast_circulant;
extern const struct tny_algorithm tny_bcast_switch_circulant;
extern const struct tny_algorithm tny_bcast_host_chain;
extern const struct tny_algorithm tny_bcast_hierarchical;
extern const struct tny_algorithm tny_allgather_ring;
extern const struct tny_algorithm tny_allgather_switch_ordered_ring;
extern const struct tny_algorithm tny_allgather_simultaneous_broadcast;
extern const struct tny_algorithm tny_allgather_combining;
extern const struct tny_algorithm tny_allgather_circulant_halving;
extern const struct tny_algorithm tny_allgather_recursive_doubling;
extern const struct tny_algorithm tny_allgather_bine;
extern const struct tny_algorithm tny_allgather_swing;
extern const struct tny_algorithm tny_allgather_round_robin;
extern const struct tny_algorithm tny_allgather_ls2;
extern const struct tny_algorithm tny_allgather_ls;
extern const struct tny_algorithm tny_allgather_contention_free_rings;
extern const struct tny_algorithm tny_allgather_two_way_ring;
extern const struct tny_algorithm tny_allgather_hierarchical;
extern const struct tny_algorithm tny_gather_linear;
extern const struct tny_algorithm tny_gather_binomial;
extern const struct tny_algorithm tny_gather_bine;
extern const struct tny_algorithm tny_scatter_linear;
extern const struct tny_algorithm tny_scatter_binomial;
extern const struct tny_algorithm tny_scatter_bine;
extern const struct tny_algorithm tny_reduce_binomial;
extern const struct tny_algorithm tny_reduce_switch_ordered_binomial;
extern const struct tny_algorithm tny_reduce_switch_ordered_chain;
extern const struct tny_algorithm tny_reduce_two_tree;
extern const struct tny_algorithm tny_reduce_circulant;
extern const struct tny_algorithm tny_reduce_switch_circulant;
extern const struct tny_algorithm tny_reduce_scatter_pairwise;
extern const struct tny_algorithm tny_reduce_scatter_ring;
extern const struct tny_algorithm tny_reduce_scatter_switch_ordered_ring;
extern const struct tny_algorithm tny_reduce_scatter_recursive_halving;
extern const struct tny_algorithm tny_reduce_scatter_circulant_halving;
extern const struct tny_algorithm tny_reduce_scatter_two_way_ring;
extern const struct tny_algorithm tny_reduce_scatter_contention_free_rings;
extern const struct tny_algorithm tny_allreduce_recursive_doubling;
extern const struct tny_algorithm tny_allreduce_ring;
extern const struct tny_algorithm tny_allreduce_switch_ordered_ring;
extern const struct tny_algorithm tny_allreduce_rabenseifner;
extern const struct tny_algorithm tny_allreduce_circulant_halving;
extern const struct tny_algorithm tny_allreduce_two_way_ring;
extern const struct tny_algorithm tny_allreduce_contention_free_rings;
extern const struct tny_algorithm tny_allreduce_switch_ordered_binomial;
extern const struct tny_algorithm tny_allreduce_circulant;
extern const struct tny_algorithm tny_allreduce_switch_circulant;
extern const struct tny_algorithm tny_allreduce_switch_ordered_chain;
extern const struct tny_algorithm tny_alltoall_shift;
extern const struct tny_algorithm tny_alltoall_shuffle;
extern const struct tny_algorithm tny_alltoall_pairwise_xor;
extern const struct tny_algorithm tny_alltoall_pairwise;
extern const struct tny_algorithm tny_alltoall_group_shuffle;
extern const struct tny_algorithm tny_alltoall_bruck;
extern const struct tny_algorithm tny_alltoall_hierarchical_bruck;
extern const struct tny_algorithm tny_alltoall_lg;
extern const struct tny_algorithm tny_alltoall_lg_zones;
extern const struct tny_algorithm tny_alltoall_tree_phases;
extern const struct tny_algorithm tny_alltoall_planned_phases;
extern const struct tny_algorithm tny_alltoall_phases;
extern const struct tny_algorithm tny_alltoall_phases_unidirectional;
extern const struct tny_algorithm tny_alltoall_message_passing;
extern const struct tny_algorithm tny_alltoall_message_passing_random;
extern const struct tny_algorithm tny_alltoall_store_and_forward;
extern const struct tny_algorithm tny_alltoall_two_stage;

#endif
