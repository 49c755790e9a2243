tourney topology simgrid ../clusters/good/names_for_xml.dot
