tourney doctor --facts doctor_facts.txt --cluster single:3,link=20Mbit/s
