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

# A runtime whose verifier finds fault with broadcasts.
file(GLOB RUNTIME CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/mpi/*.c)
add_library(refusing_openmpi MODULE ${RUNTIME} mpi/refuse.c)
target_link_libraries(refusing_openmpi PRIVATE tourney_plain MPI::MPI_C)
target_link_options(refusing_openmpi PRIVATE -Wl,-z,now -Wl,--exclude-libs,ALL
  -Wl,--version-script,${PROJECT_SOURCE_DIR}/src/mpi/exports.map)
add_test(NAME plans_are_proved_before_they_run_and_refused_ones_go_native
  COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/test_prove.sh $<TARGET_FILE:mpi_every>
    ${SANITIZERS}$<TARGET_FILE:tourney_openmpi> ${SANITIZERS}$<TARGET_FILE:refusing_openmpi>)
set_tests_properties(plans_are_proved_before_they_run_and_refused_ones_go_native PROPERTIES
  SKIP_RETURN_CODE 77 TIMEOUT 300 RUN_SERIAL ON ENVIRONMENT "ASAN_OPTIONS=detect_leaks=0"
  LABELS ${LABEL})

# Every algorithm that the tool lists: here on the communicators of 2 to 17 ranks, and in a lab.
add_executable(mpi_every mpi/every.c)
target_compile_options(mpi_every PRIVATE -Wall -Wextra)
target_link_libraries(mpi_every PRIVATE MPI::MPI_C)
if(NOT TOURNEY_SANITIZE)
  foreach(where here lab)
    add_test(NAME every_algorithm_gives_what_native_ones_give_${where}
      COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/test_every_algorithm.sh $<TARGET_FILE:tourney_tool>
        $<TARGET_FILE:mpi_every> $<TARGET_FILE:tourney_openmpi> ${where})
    set_tests_properties(every_algorithm_gives_what_native_ones_give_${where} PROPERTIES
      SKIP_RETURN_CODE 77 TIMEOUT 900 RUN_SERIAL ON LABELS slow)
  endforeach()
  # The promise is 5 ms for a rank at 4096 ranks.
  add_test(NAME a_rank_plans_its_steps_in_milliseconds COMMAND plan_speed 4096 5 4096)
  set_tests_properties(a_rank_plans_its_steps_in_milliseconds PROPERTIES RUN_SERIAL ON TIMEOUT 60 LABELS slow)
endif()
