# A package for CMake's find_package(tourney): targets for what pkg-config's files are for (cmake/pkg_config.cmake). The prefix
# follows from where the package lies here too.
include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/tourney)
file(RELATIVE_PATH PREFIX_FROM_PACKAGE /${package_folder} /)
configure_file(${PROJECT_SOURCE_DIR}/cmake/tourney-config.cmake.in ${PROJECT_BINARY_DIR}/package/tourney-config.cmake @ONLY)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/package/tourney-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/package/tourney-config.cmake ${PROJECT_BINARY_DIR}/package/tourney-config-version.cmake
  DESTINATION ${package_folder})
