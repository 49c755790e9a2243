tourney doctor --facts doctor_well.txt --json
