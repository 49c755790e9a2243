tourney doctor --facts doctor_well.txt --cluster single:3,link=20Mbit/s
