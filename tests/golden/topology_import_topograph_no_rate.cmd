tourney topology import ../clusters/topograph/model.yaml
