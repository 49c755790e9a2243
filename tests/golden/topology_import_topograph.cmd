tourney topology import ../clusters/topograph/model.yaml --link 400Gbit/s --trunk 800Gbit/s
