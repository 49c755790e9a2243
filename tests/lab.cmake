# The lab: what it is to tell the kernel as a unit test, the tool in a script, as root and as a plain
# user.
target_include_directories(test_lab_wiring PRIVATE ${PROJECT_SOURCE_DIR})
add_executable(mpi_stream mpi/stream.c)
target_compile_options(mpi_stream PRIVATE -Wall -Wextra)
target_link_libraries(mpi_stream PRIVATE MPI::MPI_C)
foreach(who root user)
  add_test(NAME the_lab_works_and_leaves_nothing_as_${who}
    COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/test_lab.sh $<TARGET_FILE:tourney_tool>
      $<TARGET_FILE:mpi_stream> ${who})
  set_tests_properties(the_lab_works_and_leaves_nothing_as_${who} PROPERTIES
    SKIP_RETURN_CODE 77 TIMEOUT 300 RUN_SERIAL ON LABELS slow)
endforeach()
