# Files for pkg-config. The prefix follows from where a file lies, so that what is installed may be moved. The MPI's own
# flags aren't in them: programs are linked by its compiler wrapper.
file(RELATIVE_PATH PREFIX_FROM_HERE /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" PREFIX_FROM_HERE ${PREFIX_FROM_HERE})

# add_pkg_config(NAME DESCRIPTION FOLDER LIBS): of a library installed in that folder of the prefix.
function(add_pkg_config NAME DESCRIPTION FOLDER LIBS)
  set(file ${PROJECT_BINARY_DIR}/pkgconfig/${NAME}.pc)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/library.pc.in ${file} @ONLY)
  install(FILES ${file} DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()

# What MPI's runtime and plans are called by for those who link them. A program that calls the MPI from Fortran only has no
# symbol that the runtime resolves: linkers that drop what isn't needed are told to keep it.
# add_mpi_pkg_config(MPI TITLE): mpi, as in libtourney_openmpi; title, as people call it.
function(add_mpi_pkg_config mpi title)
  add_pkg_config(tourney-${mpi} "plans under an unmodified program of ${title}: linked before the MPI, takes over its collectives"
    lib/tourney "-Wl,--push-state,--no-as-needed -ltourney_${mpi} -Wl,--pop-state")
  add_pkg_config(tourney-plans-${mpi} "planned collectives for programs of ${title} that ask for them; takes over nothing"
    ${CMAKE_INSTALL_LIBDIR} -ltourney_plans_${mpi})
endfunction()
