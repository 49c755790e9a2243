! The exchange of entry_points.c by MPI's Fortran bindings: BINDING is 1 for mpif.h, 2 for `use mpi`, 3 for
! `use mpi_f08`.
subroutine exchange_fortran(wrong) bind(C)
  use iso_c_binding
#if BINDING == 2
  use mpi
#elif BINDING == 3
  use mpi_f08
#endif
  implicit none
#if BINDING == 1
  include 'mpif.h'
#endif
  integer, parameter :: block = 9001
  integer(c_int), intent(inout) :: wrong
  integer :: rank, ranks, peer, turn, code
  integer, save, asynchronous, target :: numbers(block)
  integer, allocatable :: given(:, :), got(:, :)
  integer(kind=MPI_ADDRESS_KIND) :: address(1)
#if BINDING == 3
  type(MPI_Datatype) :: absolute
#else
  integer :: absolute
#endif

  call MPI_Comm_rank(MPI_COMM_WORLD, rank, code)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, code)
  allocate(given(block, 0:ranks-1), got(block, 0:ranks-1))

  numbers = numbers_of(rank, 0)
  call MPI_Bcast(numbers, block, MPI_INTEGER, 1, MPI_COMM_WORLD, code)
  wrong = wrong + count(numbers /= numbers_of(1, 0))
  numbers = numbers_of(rank, 1)
  call MPI_Get_address(numbers, address(1), code)
  call MPI_Type_create_hindexed(1, [block], address, MPI_INTEGER, absolute, code)
  call MPI_Type_commit(absolute, code)
  call MPI_Bcast(MPI_BOTTOM, 1, absolute, 1, MPI_COMM_WORLD, code)
  call MPI_Type_free(absolute, code)
  wrong = wrong + count(numbers /= numbers_of(1, 1))

  do turn = 0, 1
    given(:, 0) = numbers_of(rank, 2)
    got(:, rank) = numbers_of(rank, 2)
    if (turn == 0) then
      call MPI_Allgather(given, block, MPI_INTEGER, got, block, MPI_INTEGER, MPI_COMM_WORLD, code)
    else
      call MPI_Allgather(MPI_IN_PLACE, 0, MPI_INTEGER, got, block, MPI_INTEGER, MPI_COMM_WORLD, code)
    end if
    do peer = 0, ranks - 1
      wrong = wrong + count(got(:, peer) /= numbers_of(peer, 2))
    end do
    do peer = 0, ranks - 1
      given(:, peer) = numbers_of(rank, peer)
      got(:, peer) = numbers_of(rank, peer)
    end do
    if (turn == 0) then
      call MPI_Alltoall(given, block, MPI_INTEGER, got, block, MPI_INTEGER, MPI_COMM_WORLD, code)
    else
      call MPI_Alltoall(MPI_IN_PLACE, 0, MPI_INTEGER, got, block, MPI_INTEGER, MPI_COMM_WORLD, code)
    end if
    do peer = 0, ranks - 1
      wrong = wrong + count(got(:, peer) /= numbers_of(peer, rank))
    end do
  end do

contains

  function numbers_of(from, to) result(list)
    integer, intent(in) :: from, to
    integer :: list(block), i
    list = [(from * 1000003 + to * 10007 + i, i = 1, block)]
  end function
end subroutine
