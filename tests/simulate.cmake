# tourney simulate: what it draws, and how it ends.
add_test(NAME simulate_draws_and_ends_as_it_says
  COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/test_simulate.sh $<TARGET_FILE:tourney_tool>)
set_tests_properties(simulate_draws_and_ends_as_it_says
  PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 120 LABELS check)

add_test(NAME files_are_as_long_as_memory_has_room_for
  COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/test_large_file.sh $<TARGET_FILE:tourney_tool>)
set_tests_properties(files_are_as_long_as_memory_has_room_for
  PROPERTIES TIMEOUT 120 SKIP_RETURN_CODE 77 LABELS "check;slow")
