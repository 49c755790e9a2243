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

# Unit tests of the runtime's parts. What calls the MPI gets one of the test's own.
function(add_runtime_parts test)
  list(TRANSFORM ARGN PREPEND ${PROJECT_SOURCE_DIR}/src/mpi/)
  target_sources(${test} PRIVATE ${ARGN})
  target_link_libraries(${test} PRIVATE MPI::MPI_C)
endfunction()
add_runtime_parts(test_context_ids context_ids.c)
add_runtime_parts(test_explain explain.c)
add_runtime_parts(test_prepared prepared.c planned_sizes.c)
add_runtime_parts(test_execute execute.c plan.c strided_types.c)

# Legal programs that use communicators in unusual ways, or enter collectives by different names.
find_package(Threads REQUIRED)
add_executable(mpi_communicators mpi/communicators.c)
add_executable(mpi_entry_points mpi/entry_points.c mpi/entry_points_exchange.c)
add_library(counting_tool MODULE mpi/counting_tool.c)
add_library(few_tags MODULE mpi/few_tags.c)
target_link_libraries(mpi_communicators PRIVATE Threads::Threads)
foreach(target mpi_communicators mpi_entry_points counting_tool few_tags)
  target_compile_options(${target} PRIVATE -Wall -Wextra -fvisibility=default)
  target_compile_definitions(${target} PRIVATE _GNU_SOURCE)
  target_link_libraries(${target} PRIVATE MPI::MPI_C)
endforeach()
foreach(target mpi_collectives mpi_communicators)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/include)
endforeach()
function(add_conformance_test name)
  add_test(NAME ${name} COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/test_conformance.sh ${ARGN})
  set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 600 RUN_SERIAL ON
    ENVIRONMENT "ASAN_OPTIONS=detect_leaks=0" LABELS ${LABEL})
endfunction()
add_conformance_test(communicators_cost_nothing_and_never_hang
  communicators $<TARGET_FILE:mpi_communicators> ${SANITIZERS}$<TARGET_FILE:tourney_openmpi>
    $<TARGET_FILE:few_tags>)
add_conformance_test(calls_arrive_by_every_name_and_beside_another_tool
  entry-points $<TARGET_FILE:mpi_entry_points> ${SANITIZERS}$<TARGET_FILE:tourney_openmpi> $<TARGET_FILE:counting_tool>)
add_conformance_test(fortran_is_served_and_mixes_with_c
  fortran ${CMAKE_CURRENT_SOURCE_DIR}/mpi ${SANITIZERS}$<TARGET_FILE:tourney_openmpi>)
if(NOT TOURNEY_SANITIZE)
  add_conformance_test(ranks_on_other_hosts_say_whether_they_have_the_runtime
    lab $<TARGET_FILE:mpi_entry_points> $<TARGET_FILE:tourney_openmpi> $<TARGET_FILE:tourney_tool>)
endif()

add_executable(mpi_erroneous mpi/erroneous.c)
target_compile_options(mpi_erroneous PRIVATE -Wall -Wextra)
target_link_libraries(mpi_erroneous PRIVATE MPI::MPI_C)
add_test(NAME erroneous_calls_get_the_answers_of_native_ones
  COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/test_erroneous.sh $<TARGET_FILE:mpi_erroneous>
    ${SANITIZERS}$<TARGET_FILE:tourney_openmpi>)
set_tests_properties(erroneous_calls_get_the_answers_of_native_ones PROPERTIES
  SKIP_RETURN_CODE 77 TIMEOUT 900 RUN_SERIAL ON ENVIRONMENT "ASAN_OPTIONS=detect_leaks=0"
  LABELS slow)

if(NOT TOURNEY_SANITIZE)
  add_executable(mpi_economy mpi/economy.c)
  add_library(watch MODULE mpi/watch.c)
  target_compile_options(watch PRIVATE -fvisibility=default -fno-builtin)
  foreach(target mpi_economy watch)
    target_compile_options(${target} PRIVATE -Wall -Wextra)
    target_compile_definitions(${target} PRIVATE _GNU_SOURCE)
    target_link_libraries(${target} PRIVATE MPI::MPI_C)
  endforeach()
  add_test(NAME planned_calls_allocate_nothing_and_plain_bytes_are_not_packed
    COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/test_economy.sh $<TARGET_FILE:mpi_economy>
      $<TARGET_FILE:tourney_openmpi> $<TARGET_FILE:watch>)
  set_tests_properties(planned_calls_allocate_nothing_and_plain_bytes_are_not_packed PROPERTIES
    SKIP_RETURN_CODE 77 TIMEOUT 300 RUN_SERIAL ON LABELS slow)
  add_executable(mpi_memory mpi/memory.c)
  target_compile_options(mpi_memory PRIVATE -Wall -Wextra)
  target_link_libraries(mpi_memory PRIVATE MPI::MPI_C)
  add_test(NAME long_blocks_take_a_segment_of_memory
    COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/test_runtime_memory.sh $<TARGET_FILE:mpi_memory>
      $<TARGET_FILE:tourney_openmpi>)
  set_tests_properties(long_blocks_take_a_segment_of_memory PROPERTIES
    SKIP_RETURN_CODE 77 TIMEOUT 900 RUN_SERIAL ON LABELS slow)
endif()
# A runtime whose verifier finds fault with broadcasts.
add_runtime(refusing_openmpi ${CMAKE_CURRENT_SOURCE_DIR}/mpi/refuse.c)
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
target_include_directories(mpi_every PRIVATE ${PROJECT_SOURCE_DIR}/include)
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
