# tourney reproduce: what it writes, and how it ends; and a sample of everything, in its limits. One of
# these is the simulator's speed: nothing else may run beside it.
add_test(NAME reproduce_writes_and_ends_as_it_says
  COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/test_reproduce.sh $<TARGET_FILE:tourney_tool>)
set_tests_properties(reproduce_writes_and_ends_as_it_says
  PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 120 LABELS check)
add_test(NAME the_papers_figures_are_in_their_limits COMMAND tourney_tool reproduce all --quick --check)
set_tests_properties(the_papers_figures_are_in_their_limits
  PROPERTIES RUN_SERIAL TRUE TIMEOUT 600 LABELS slow)
