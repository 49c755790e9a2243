cd ../clusters/infiniband/good && tourney topology import fat_tree.topo fat_tree.order | sed -n '/rank=sink/,/}/p'
