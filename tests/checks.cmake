# Checks on the source and the build, the tool's golden tests, the
# README's commands. Each script says what it wants; exit 77 skips.

function(add_check name)
  add_test(NAME ${name} COMMAND ${ARGN})
  set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 120 LABELS check)
endfunction()

set(HERE ${PROJECT_SOURCE_DIR}/tests)
add_check(folders_include_only_what_the_design_allows ${HERE}/check_arrows ${PROJECT_SOURCE_DIR})
add_check(functions_and_files_stay_within_their_limits ${HERE}/check_sizes ${PROJECT_SOURCE_DIR})
add_check(only_their_table_asks_which_collective_it_is
  ${HERE}/check_collectives ${PROJECT_SOURCE_DIR} $<TARGET_FILE:tourney_tool>)
add_check(the_compiler_names_who_must_know_a_new_kind_of_step
  ${HERE}/check_kinds ${PROJECT_SOURCE_DIR} ${CMAKE_C_COMPILER} ${MPI_C_INCLUDE_DIRS})
add_check(sources_are_formatted ${HERE}/check_format ${PROJECT_SOURCE_DIR})
add_check(every_algorithm_names_its_paper ${HERE}/check_papers ${PROJECT_SOURCE_DIR})
add_check(the_page_of_algorithms_is_made_from_the_sources
  ${HERE}/check_algorithms_doc ${PROJECT_SOURCE_DIR})
add_check(every_folder_says_what_lives_there ${HERE}/check_folders ${PROJECT_SOURCE_DIR})
add_check(scripts_can_be_executed ${HERE}/check_scripts ${PROJECT_SOURCE_DIR})
add_check(man_pages_are_clean_and_explain_every_option
  ${HERE}/check_man ${PROJECT_SOURCE_DIR} $<TARGET_FILE:tourney_tool>)
add_check(an_installation_works_from_its_own_folder
  ${HERE}/check_install ${PROJECT_BINARY_DIR})
add_check(the_readmes_commands_work
  ${HERE}/test_readme.sh ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR} plain)
if(NOT TOURNEY_SANITIZE)
  add_check(the_runtime_exports_and_needs_only_what_it_may
    ${HERE}/check_exports $<TARGET_FILE:tourney_openmpi>)
endif()

# What measures or brings up a lab runs alone, and isn't part of make check-quick.
function(add_lab_check name)
  add_check(${name} ${ARGN})
  set_tests_properties(${name} PROPERTIES RUN_SERIAL ON TIMEOUT 300 LABELS slow)
endfunction()

add_lab_check(the_readmes_lab_commands_work
  ${HERE}/test_readme.sh ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR} lab)
foreach(page add-an-algorithm add-a-collective)
  string(REPLACE - _ name ${page})
  add_lab_check(the_tutorial_${name}_works_to_the_letter
    ${HERE}/test_tutorial.sh ${PROJECT_SOURCE_DIR} docs/${page}.md)
endforeach()
add_lab_check(the_example_programs_give_the_same_bits_twice
  ${HERE}/check_examples ${PROJECT_BINARY_DIR})

file(GLOB CASES CONFIGURE_DEPENDS ${HERE}/golden/*.cmd)
foreach(case ${CASES})
  get_filename_component(name ${case} NAME_WE)
  add_check(golden_${name} ${HERE}/test_golden.sh ${name} ${PROJECT_BINARY_DIR})
endforeach()
