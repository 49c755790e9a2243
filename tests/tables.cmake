# The figures of docs/broadcast.md.
add_check(the_table_of_broadcasts_is_made_from_proved_schedules
  ${PROJECT_SOURCE_DIR}/tests/check_broadcast_doc ${PROJECT_SOURCE_DIR}
  $<TARGET_FILE:broadcast_rounds>)
