tourney topology import ../clusters/simgrid/good/shared_backbone.xml
