! The broadcasts of short.c by MPI's Fortran bindings: BINDING is 1 for mpif.h, 2 for `use mpi`, 3 for
! `use mpi_f08`.
subroutine broadcast(calls) bind(C)
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
  integer(c_int), value :: calls
  integer :: i, code
  double precision :: number

  number = 0
  do i = 1, calls
    call MPI_Bcast(number, 1, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, code)
  end do
end subroutine broadcast
