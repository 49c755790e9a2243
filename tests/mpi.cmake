# The runtime under Open MPI on this machine: ranks are placed by number on a generated cluster.
add_executable(mpi_collectives mpi/collectives.c)
target_compile_options(mpi_collectives PRIVATE -Wall -Wextra)
target_link_libraries(mpi_collectives PRIVATE MPI::MPI_C)

# A sanitized library wants its sanitizers loaded before it.
set(SANITIZERS "")
set(LABEL slow)
if(TOURNEY_SANITIZE)
  set(LABEL unit)
  foreach(name asan ubsan)
    execute_process(COMMAND ${CMAKE_C_COMPILER} -print-file-name=lib${name}.so
      OUTPUT_VARIABLE library OUTPUT_STRIP_TRAILING_WHITESPACE)
    string(APPEND SANITIZERS "${library}:")
  endforeach()
endif()

add_test(NAME planned_collectives_give_what_native_ones_give
  COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/test_runtime.sh $<TARGET_FILE:mpi_collectives>
    ${SANITIZERS}$<TARGET_FILE:tourney_openmpi>)
set_tests_properties(planned_collectives_give_what_native_ones_give PROPERTIES
  SKIP_RETURN_CODE 77 TIMEOUT 600 RUN_SERIAL ON ENVIRONMENT "ASAN_OPTIONS=detect_leaks=0"
  LABELS ${LABEL})
