# tourney verify: its workers as a unit test, and every algorithm proved on some of the clusters.
target_sources(test_verify_workers PRIVATE ${PROJECT_SOURCE_DIR}/cli/verify/workers.c)
target_include_directories(test_verify_workers PRIVATE ${PROJECT_SOURCE_DIR})

add_test(NAME every_algorithm_is_proved_on_many_clusters COMMAND tourney_tool verify --quick)
set_tests_properties(every_algorithm_is_proved_on_many_clusters
  PROPERTIES PROCESSORS 2 TIMEOUT 300 LABELS slow)

# Sanitizers take memory and time of their own.
if(NOT TOURNEY_SANITIZE)
  add_test(NAME many_held_links_are_planned_in_seconds
    COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/test_plan_cost.sh $<TARGET_FILE:tourney_tool>)
  set_tests_properties(many_held_links_are_planned_in_seconds PROPERTIES TIMEOUT 240 LABELS check)
endif()
