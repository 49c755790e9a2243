! The conformance suite's program in Fortran, and the calls that it makes: BINDING is 1 for mpif.h, 2 for `use mpi`,
! 3 for `use mpi_f08`. Buffers are passed by address: what C takes them from, and Fortran's own MPI_IN_PLACE and
! MPI_BOTTOM.
module suite
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
  integer, parameter :: peers_max = 16

  ! As in calls_fortran.c.
  type, bind(C) :: one_side
    type(c_ptr) :: buffer
    integer(c_int) :: counts(peers_max), places(peers_max), types(peers_max)
  end type
  type, bind(C) :: one_call
    type(one_side) :: send, receive
    integer(c_int) :: collective, root, op, comm, request, code, omits_code
  end type

  ! What the calls get; it stays until a request is complete.
  integer, pointer, contiguous, asynchronous, save :: from(:), to(:)
  integer, asynchronous, save :: from_counts(peers_max), from_places(peers_max)
  integer, asynchronous, save :: to_counts(peers_max), to_places(peers_max)
  integer, save :: root, code
#if BINDING == 3
  type(MPI_Datatype), asynchronous, save :: from_types(peers_max), to_types(peers_max)
  type(MPI_Comm), save :: comm
  type(MPI_Request), save :: request
  type(MPI_Op), save :: op
#else
  integer, asynchronous, save :: from_types(peers_max), to_types(peers_max)
  integer, save :: comm, request, op
#endif

contains

  subroutine take(given)
    type(one_call), intent(in) :: given
    call c_f_pointer(given%send%buffer, from, [1])
    call c_f_pointer(given%receive%buffer, to, [1])
    from_counts = given%send%counts
    from_places = given%send%places
    to_counts = given%receive%counts
    to_places = given%receive%places
    root = given%root
    code = MPI_SUCCESS
#if BINDING == 3
    from_types%MPI_VAL = given%send%types
    to_types%MPI_VAL = given%receive%types
    comm%MPI_VAL = given%comm
    op%MPI_VAL = given%op
#else
    from_types = given%send%types
    to_types = given%receive%types
    comm = given%comm
    op = given%op
#endif
  end subroutine

  subroutine fortran_blocking(given) bind(C)
    type(one_call), intent(inout) :: given
    call take(given)
#if BINDING == 3
    if (given%omits_code /= 0) then
      call make_without_code(given%collective)
      return
    end if
#endif
    select case (given%collective)
    case (0)
      call MPI_Bcast(to, to_counts(1), to_types(1), root, comm, code)
    case (1)
      call MPI_Allgather(from, from_counts(1), from_types(1), to, to_counts(1), to_types(1), &
        comm, code)
    case (2)
      call MPI_Alltoall(from, from_counts(1), from_types(1), to, to_counts(1), to_types(1), &
        comm, code)
    case (3)
      call MPI_Allgatherv(from, from_counts(1), from_types(1), to, to_counts, to_places, &
        to_types(1), comm, code)
    case (4)
      call MPI_Alltoallv(from, from_counts, from_places, from_types(1), to, to_counts, &
        to_places, to_types(1), comm, code)
    case (5)
      call MPI_Alltoallw(from, from_counts, from_places, from_types, to, to_counts, to_places, &
        to_types, comm, code)
    case (6)
      call MPI_Gatherv(from, from_counts(1), from_types(1), to, to_counts, to_places, &
        to_types(1), root, comm, code)
    case (7)
      call MPI_Scatterv(from, from_counts, from_places, from_types(1), to, to_counts(1), &
        to_types(1), root, comm, code)
    case (8)
      call MPI_Reduce(from, to, from_counts(1), from_types(1), op, root, comm, code)
    case (9)
      call MPI_Allreduce(from, to, from_counts(1), from_types(1), op, comm, code)
    case (10)
      call MPI_Reduce_scatter_block(from, to, from_counts(1), from_types(1), op, comm, code)
    case (11)
      call MPI_Reduce_scatter(from, to, from_counts, from_types(1), op, comm, code)
    end select
    given%code = code
  end subroutine

#if BINDING == 3
  subroutine make_without_code(collective)
    integer(c_int), intent(in) :: collective
    select case (collective)
    case (0)
      call MPI_Bcast(to, to_counts(1), to_types(1), root, comm)
    case (1)
      call MPI_Allgather(from, from_counts(1), from_types(1), to, to_counts(1), to_types(1), comm)
    case (2)
      call MPI_Alltoall(from, from_counts(1), from_types(1), to, to_counts(1), to_types(1), comm)
    case (3)
      call MPI_Allgatherv(from, from_counts(1), from_types(1), to, to_counts, to_places, &
        to_types(1), comm)
    case (4)
      call MPI_Alltoallv(from, from_counts, from_places, from_types(1), to, to_counts, &
        to_places, to_types(1), comm)
    case (5)
      call MPI_Alltoallw(from, from_counts, from_places, from_types, to, to_counts, to_places, &
        to_types, comm)
    case (6)
      call MPI_Gatherv(from, from_counts(1), from_types(1), to, to_counts, to_places, &
        to_types(1), root, comm)
    case (7)
      call MPI_Scatterv(from, from_counts, from_places, from_types(1), to, to_counts(1), &
        to_types(1), root, comm)
    case (8)
      call MPI_Reduce(from, to, from_counts(1), from_types(1), op, root, comm)
    case (9)
      call MPI_Allreduce(from, to, from_counts(1), from_types(1), op, comm)
    case (10)
      call MPI_Reduce_scatter_block(from, to, from_counts(1), from_types(1), op, comm)
    case (11)
      call MPI_Reduce_scatter(from, to, from_counts, from_types(1), op, comm)
    end select
  end subroutine
#endif

  subroutine fortran_nonblocking(given) bind(C)
    type(one_call), intent(inout) :: given
    call take(given)
    select case (given%collective)
    case (0)
      call MPI_Ibcast(to, to_counts(1), to_types(1), root, comm, request, code)
    case (1)
      call MPI_Iallgather(from, from_counts(1), from_types(1), to, to_counts(1), to_types(1), &
        comm, request, code)
    case (2)
      call MPI_Ialltoall(from, from_counts(1), from_types(1), to, to_counts(1), to_types(1), &
        comm, request, code)
    case (3)
      call MPI_Iallgatherv(from, from_counts(1), from_types(1), to, to_counts, to_places, &
        to_types(1), comm, request, code)
    case (4)
      call MPI_Ialltoallv(from, from_counts, from_places, from_types(1), to, to_counts, &
        to_places, to_types(1), comm, request, code)
    case (5)
      call MPI_Ialltoallw(from, from_counts, from_places, from_types, to, to_counts, to_places, &
        to_types, comm, request, code)
    case (6)
      call MPI_Igatherv(from, from_counts(1), from_types(1), to, to_counts, to_places, &
        to_types(1), root, comm, request, code)
    case (7)
      call MPI_Iscatterv(from, from_counts, from_places, from_types(1), to, to_counts(1), &
        to_types(1), root, comm, request, code)
    case (8)
      call MPI_Ireduce(from, to, from_counts(1), from_types(1), op, root, comm, request, code)
    case (9)
      call MPI_Iallreduce(from, to, from_counts(1), from_types(1), op, comm, request, code)
    case (10)
      call MPI_Ireduce_scatter_block(from, to, from_counts(1), from_types(1), op, comm, request, code)
    case (11)
      call MPI_Ireduce_scatter(from, to, from_counts, from_types(1), op, comm, request, code)
    end select
#if BINDING == 3
    given%request = request%MPI_VAL
#else
    given%request = request
#endif
    given%code = code
  end subroutine

  ! Where Fortran's constants are: what stands for them is their address.
  subroutine fortran_addresses(in_place, bottom) bind(C)
    integer(c_intptr_t), intent(out) :: in_place, bottom
    in_place = loc(MPI_IN_PLACE)
    bottom = loc(MPI_BOTTOM)
  end subroutine
end module

program main
  use suite
  implicit none
  interface
    function conformance_run() bind(C) result(failed)
      import :: c_int
      integer(c_int) :: failed
    end function
  end interface
  integer :: failed, status
  call MPI_Init(status)
  failed = conformance_run()
  call MPI_Finalize(status)
  if (failed /= 0) stop 1
end program
