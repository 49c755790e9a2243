# tourney run and tourney bench: the bench's own code as a unit test, the commands as scripts.
target_sources(test_bench_stats PRIVATE ${PROJECT_SOURCE_DIR}/cli/bench/stats.c
  ${PROJECT_SOURCE_DIR}/cli/shared/csv.c
  ${PROJECT_SOURCE_DIR}/cli/bench/reader.c ${PROJECT_SOURCE_DIR}/bench/pattern.c)
target_include_directories(test_bench_stats PRIVATE ${PROJECT_SOURCE_DIR})

add_test(NAME run_hands_the_program_over_with_the_runtime_preloaded
  COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/test_run.sh $<TARGET_FILE:tourney_tool>)
add_library(broken_runtime MODULE broken_runtime.c)
target_link_libraries(broken_runtime PRIVATE tourney_options MPI::MPI_C)

add_test(NAME bench_measures_by_a_launcher_and_cleans_up
  COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/test_bench.sh $<TARGET_FILE:tourney_tool> launcher
    $<TARGET_FILE:broken_runtime>)
set_tests_properties(run_hands_the_program_over_with_the_runtime_preloaded
  bench_measures_by_a_launcher_and_cleans_up
  PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 120 PROCESSORS 2 LABELS check)
add_test(NAME bench_measures_in_the_lab
  COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/test_bench.sh $<TARGET_FILE:tourney_tool> lab)
set_tests_properties(bench_measures_in_the_lab
  PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 120 RUN_SERIAL ON LABELS slow)
