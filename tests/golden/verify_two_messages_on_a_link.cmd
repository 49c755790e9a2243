tourney verify two_on_a_link.txt --cluster single:3 --link-messages 1
