# tourney reproduce: what it writes, and how it ends.
add_test(NAME reproduce_writes_and_ends_as_it_says
  COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/test_reproduce.sh $<TARGET_FILE:tourney_tool>)
set_tests_properties(reproduce_writes_and_ends_as_it_says
  PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 120 LABELS check)
