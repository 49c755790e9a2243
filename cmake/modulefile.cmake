# An environment module, as share/modulefiles/tourney/VERSION; where it lies says what the prefix is.
set(module_folder ${CMAKE_INSTALL_DATADIR}/modulefiles/tourney)
file(RELATIVE_PATH PREFIX_FROM_MODULE /${module_folder} /)
configure_file(${PROJECT_SOURCE_DIR}/packaging/modulefile.in ${PROJECT_BINARY_DIR}/modulefile @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/modulefile DESTINATION ${module_folder} RENAME ${PROJECT_VERSION})
