# The runtime under Open MPI on this machine: ranks are placed by number on a generated cluster.
add_executable(mpi_collectives mpi/collectives.c)
target_compile_options(mpi_collectives PRIVATE -Wall -Wextra)
target_link_libraries(mpi_collectives PRIVATE MPI::MPI_C)
add_test(NAME planned_collectives_give_what_native_ones_give
  COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/test_runtime.sh $<TARGET_FILE:mpi_collectives>
    $<TARGET_FILE:tourney_openmpi>)
set_tests_properties(planned_collectives_give_what_native_ones_give PROPERTIES
  SKIP_RETURN_CODE 77 TIMEOUT 600 PROCESSORS 2 LABELS slow)
