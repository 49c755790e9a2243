# A fat tree of two levels as ibnetdiscover prints it, or with -v tables=1 its forwarding tables as dump_lfts prints them:
# 20 spines over LEAVES leaves (at most 254) of 20 hosts each. awk -v leaves=250 -f fat_tree.awk </dev/null
BEGIN {
  spines = 20
  each = 20
  for (s = 0; s < spines; s++) {
    if (tables)
      head_table("5" sprintf("%04x", s), "spine" s)
    else
      printf "\nSwitch\t254 \"S-5%04x\"\t\t# \"spine%d\" base port 0 lid %d lmc 0\n", s, s, s + 1
    for (l = 0; l < leaves; l++)
      if (tables)
        for (h = l * each; h < (l + 1) * each; h++)
          entry(h, l + 1)
      else
        printf "[%d]\t\"S-6%04x\"[%d]\t\t# \"leaf%d\" lid %d 4xHDR\n", l + 1, l, s + 1, l, l + 100
  }
  for (l = 0; l < leaves; l++) {
    if (tables) {
      head_table("6" sprintf("%04x", l), "leaf" l)
      for (h = 0; h < leaves * each; h++)
        entry(h, int(h / each) == l ? spines + 1 + h % each : 1 + h % spines)
      continue
    }
    printf "\nSwitch\t40 \"S-6%04x\"\t\t# \"leaf%d\" base port 0 lid %d lmc 0\n", l, l, l + 100
    for (s = 0; s < spines; s++)
      printf "[%d]\t\"S-5%04x\"[%d]\t\t# \"spine%d\" lid %d 4xHDR\n", s + 1, s, l + 1, s, s + 1
    for (h = l * each; h < (l + 1) * each; h++)
      printf "[%d]\t\"H-7%04x\"[1](8%04x) \t\t# \"node%05d mlx5_0\" lid %d 4xHDR\n", spines + 1 + h % each, h, h, h, h + 1000
  }
  for (h = 0; !tables && h < leaves * each; h++)
    printf "\nCa\t1 \"H-7%04x\"\t\t# \"node%05d mlx5_0\"\n[1](8%04x) \t\"S-6%04x\"[%d]\t\t# lid %d lmc 0 \"leaf%d\" lid %d 4xHDR\n", \
      h, h, h, int(h / each), spines + 1 + h % each, h + 1000, int(h / each), int(h / each) + 100
}
function head_table(guid, name) {
  printf "Unicast lids [0x0-0xffff] of switch DR path slid 0; dlid 0; 0 guid 0x%s (%s):\n", guid, name
}
function entry(h, port) {
  printf "0x%04x %03d : (Channel Adapter portguid 0x8%04x: 'node%05d mlx5_0')\n", h + 1000, port, h, h
}
