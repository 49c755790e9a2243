tourney verify bad_peer.txt
