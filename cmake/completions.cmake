# The completions of the shells: what may stand where is one text for both, completions/offers.sh.
file(READ ${PROJECT_SOURCE_DIR}/completions/offers.sh OFFERS)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/completions/offers.sh)
configure_file(${PROJECT_SOURCE_DIR}/completions/tourney.bash.in ${PROJECT_BINARY_DIR}/completions/tourney @ONLY)
configure_file(${PROJECT_SOURCE_DIR}/completions/_tourney.in ${PROJECT_BINARY_DIR}/completions/_tourney @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/completions/tourney DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${PROJECT_BINARY_DIR}/completions/_tourney DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
