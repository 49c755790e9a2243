tourney doctor --local --facts doctor_facts.txt
