folder=$(mktemp -d) && sed 's/  - gb019/  - gb101/' ../clusters/topograph/model.yaml >"$folder/m.yaml" && cd "$folder" && tourney topology import m.yaml --link 400Gbit/s; rm -r "$folder"
