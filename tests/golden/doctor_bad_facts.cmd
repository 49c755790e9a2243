tourney doctor --facts doctor_bad.txt
