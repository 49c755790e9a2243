! Neighbourhood collectives by MPI's Fortran bindings: BINDING is 1 for mpif.h, 2 for `use mpi`, 3 for `use mpi_f08`.
! Each of the five is called on a ring of all ranks and on a distributed graph; all memory around the blocks is compared,
! too. Prints how many numbers were wrong. No rank has two edges to one other, so that every MPI gives the same.
program neighbours_calls
#if BINDING == 2
  use mpi
#elif BINDING == 3
  use mpi_f08
#endif
  implicit none
#if BINDING == 1
  include 'mpif.h'
#endif
  integer, parameter :: block = 9001, slots = 2, gap = 7
  integer :: rank, ranks, code, wrong, total
  integer :: weights(slots), sources(slots), destinations(slots)
#if BINDING == 3
  type(MPI_Comm) :: ring, graph
#else
  integer :: ring, graph
#endif

  call MPI_Init(code)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, code)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, code)
  wrong = 0
  sources = [modulo(rank - 1, ranks), modulo(rank + 1, ranks)]
  call MPI_Cart_create(MPI_COMM_WORLD, 1, [ranks], [.true.], .false., ring, code)
  call exchange(ring, sources, sources)
  weights = 1
  sources = [modulo(rank - 2, ranks), modulo(rank - 1, ranks)]
  destinations = [modulo(rank + 1, ranks), modulo(rank + 2, ranks)]
  call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, slots, sources, weights, slots, destinations, weights, &
    MPI_INFO_NULL, .false., graph, code)
  call exchange(graph, sources, destinations)
  call MPI_Comm_free(ring, code)
  call MPI_Comm_free(graph, code)
  call MPI_Allreduce(wrong, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, code)
  if (rank == 0) print '(i0, a)', total, ' wrong'
  call MPI_Finalize(code)
  if (total /= 0) stop 1

contains

  subroutine exchange(comm, from, to)
#if BINDING == 3
    type(MPI_Comm), intent(in) :: comm
    type(MPI_Datatype) :: types(ranks)
#else
    integer, intent(in) :: comm
    integer :: types(ranks)
#endif
    integer, intent(in) :: from(slots), to(slots)
    integer :: sent(slots * (block + gap)), got(slots * (block + gap)), wanted(slots * (block + gap))
    ! Open MPI 4's binding of MPI_Neighbor_alltoallw reads as many as there are ranks.
    integer :: given(ranks), taken(ranks), places(ranks), slot, topology
    integer(kind=MPI_ADDRESS_KIND) :: offsets(ranks)

    types = MPI_INTEGER
    given = 0
    taken = 0
    places = 0
    do slot = 1, slots ! the last one first in memory
      places(slot) = (slots - slot) * (block + gap)
    end do
    offsets = places * (storage_size(rank) / 8)

    ! Blocks of one size, one behind another.
    sent = -2
    got = -1
    wanted = -1
    sent(:block) = numbers_of(rank, 0, block)
    do slot = 1, slots
      wanted((slot - 1) * block + 1:slot * block) = numbers_of(from(slot), 0, block)
    end do
    call MPI_Neighbor_allgather(sent, block, MPI_INTEGER, got, block, MPI_INTEGER, comm, code)
    wrong = wrong + count(got /= wanted)
    got = -1
    do slot = 1, slots
      sent((slot - 1) * block + 1:slot * block) = numbers_of(rank, to(slot), block)
      wanted((slot - 1) * block + 1:slot * block) = numbers_of(from(slot), rank, block)
    end do
    call MPI_Neighbor_alltoall(sent, block, MPI_INTEGER, got, block, MPI_INTEGER, comm, code)
    wrong = wrong + count(got /= wanted)

    ! Of unlike sizes, with gaps between them.
    got = -1
    wanted = -1
    sent = -2
    sent(:length(rank, 0)) = numbers_of(rank, 0, length(rank, 0))
    do slot = 1, slots
      taken(slot) = length(from(slot), 0)
      wanted(places(slot) + 1:places(slot) + taken(slot)) = numbers_of(from(slot), 0, taken(slot))
    end do
    call MPI_Neighbor_allgatherv(sent, length(rank, 0), MPI_INTEGER, got, taken, places, MPI_INTEGER, comm, code)
    wrong = wrong + count(got /= wanted)
    got = -1
    wanted = -1
    do slot = 1, slots
      given(slot) = length(rank, to(slot))
      taken(slot) = length(from(slot), rank)
      sent(places(slot) + 1:places(slot) + given(slot)) = numbers_of(rank, to(slot), given(slot))
      wanted(places(slot) + 1:places(slot) + taken(slot)) = numbers_of(from(slot), rank, taken(slot))
    end do
    call MPI_Neighbor_alltoallv(sent, given, places, MPI_INTEGER, got, taken, places, MPI_INTEGER, comm, code)
    wrong = wrong + count(got /= wanted)
    call MPI_Topo_test(comm, topology, code)
    if (lacks_alltoallw(topology)) return
    got = -1
    call MPI_Neighbor_alltoallw(sent, given, offsets, types, got, taken, offsets, types, comm, code)
    wrong = wrong + count(got /= wanted)
  end subroutine

  ! MPICH 4.0.2's own, by `use mpi_f08`, asks for a distributed graph's neighbours whatever the topology.
  logical function lacks_alltoallw(topology)
    integer, intent(in) :: topology
    character(len=MPI_MAX_LIBRARY_VERSION_STRING) :: version
    integer :: length
    call MPI_Get_library_version(version, length, code)
    lacks_alltoallw = BINDING == 3 .and. index(version(:length), 'MPICH') > 0 .and. topology /= MPI_DIST_GRAPH
  end function

  integer function length(from, to)
    integer, intent(in) :: from, to
    length = block - 1000 * modulo(from + 2 * to, 3)
  end function

  function numbers_of(from, to, count) result(list)
    integer, intent(in) :: from, to, count
    integer :: list(count), i
    list = [(from * 1000003 + to * 10007 + i, i = 1, count)]
  end function
end program
