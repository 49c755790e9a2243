! As entry_points.c, but MPI is initialised, where no library has done that, and finalised by Fortran; letters: f Fortran, m MPI_* in C, p PMPI_*
! in C.
program entry_points
  use iso_c_binding
  use mpi
  implicit none
  interface
    subroutine exchange_c(by_pmpi, wrong) bind(C)
      import
      integer(c_int) :: by_pmpi, wrong
    end subroutine
    subroutine exchange_fortran(wrong) bind(C)
      import
      integer(c_int) :: wrong
    end subroutine
  end interface
  character(len=64) :: letters
  integer(c_int) :: wrong, by_pmpi
  integer :: rank, code, total
  logical :: is_initialised

  call MPI_Initialized(is_initialised, code)
  if (.not. is_initialised) call MPI_Init(code)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, code)
  call get_command_argument(1, letters)
  wrong = 0
  by_pmpi = 0
  if (letters(rank+1:rank+1) == 'f') then
    call exchange_fortran(wrong)
  else
    if (letters(rank+1:rank+1) == 'p') by_pmpi = 1
    call exchange_c(by_pmpi, wrong)
  end if
  call MPI_Allreduce(wrong, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, code)
  if (rank == 0) print '(i0, a)', total, ' wrong'
  call MPI_Finalize(code)
  if (total /= 0) stop 1
end program
