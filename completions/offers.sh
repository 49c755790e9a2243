# What may stand at the end of a command line of tourney. Nothing is listed here: subcommands, options and their values are read
# from what the tool's own --help says at that moment, algorithms and collectives from `tourney algorithms`.

# _tourney_offers TOOL WORD...: an offer a line, for the last WORD, which may be empty; behind a tab what it means. An offer that
# begins with = stands for what the shell knows: =files, =folders, =commands.
_tourney_offers() {
  [ -z "${ZSH_VERSION-}" ] || emulate -L sh
  _tourney_tool=$1
  case $1 in "~/"*) _tourney_tool=$HOME/${1#"~/"} ;; esac
  shift
  case $#:$1 in
  0:*) ;;
  1:-*) printf '%s\n' --help --version ;;
  1:* | 2:help) _tourney_subcommands ;;
  *)
    "$_tourney_tool" "$1" --help 2>/dev/null | _tourney_read_help "$@" | while IFS= read -r _tourney_offer; do
      case $_tourney_offer in
      =clusters) _tourney_generators && echo =files ;;
      =collectives) _tourney_algorithms "$@" | cut -d , -f 1 | uniq | _tourney_lead "$@" ;;
      =algorithms) _tourney_algorithms "$@" | cut -d , -f 2 | sort -u ;;
      =assignments) _tourney_algorithms "$@" | _tourney_assign "$@" ;;
      =reproduced) "$_tourney_tool" reproduce --list | sed 's/: /\t/' ;;
      *) printf '%s\n' "$_tourney_offer" ;;
      esac
    done
    ;;
  esac
}

_tourney_subcommands() {
  "$_tourney_tool" --help 2>/dev/null | sed -n 's/^  \([a-z][a-z]*\)   *\([^ ].*\)/\1\t\2/p'
  printf 'help\tthe help of a subcommand\n'
}

# The examples of generators that the help of topology has.
_tourney_generators() {
  "$_tourney_tool" topology --help 2>/dev/null | tr ' ' '\n' | sed -n 's/,$//; /^[a-z]*:[0-9].*/p'
}

# COLLECTIVE,NAME,... for each algorithm; of one collective, where one of the words is its name.
_tourney_algorithms() {
  "$_tourney_tool" algorithms --format csv 2>/dev/null | sed 1d | awk -F , '
    BEGIN { for (i = 1; i < ARGC - 1; i++) words[ARGV[i]]; ARGC = 1 }
    { rows[NR] = $0; of[NR] = $1; if ($1 in words) wanted = $1 }
    END { for (i = 1; i <= NR; i++) if (wanted == "" || of[i] == wanted) print rows[i] }' "$@"
}

# Puts before each offer what stands before the last comma of the last word: a list goes on.
_tourney_lead() {
  awk 'BEGIN { last = ARGV[ARGC - 1]; ARGC = 1; sub(/[^,]*$/, "", last) } { print last $0 }' "$@"
}

# COLLECTIVE=NAME, or as long as there is no =, COLLECTIVE=.
_tourney_assign() {
  awk -F , '
    BEGIN { last = ARGV[ARGC - 1]; ARGC = 1; sub(/.*,/, "", last); named = last ~ /=/ }
    !($1 in seen) { seen[$1]; print named ? $1 "=native" : $1 "=" }
    named { print $1 "=" $2 }' "$@" | _tourney_lead "$@"
}

# What the help of a subcommand, which is the first word, says of the last one.
_tourney_read_help() {
  awk '
  # Keeps all options of a text, with the placeholder of their values: --map block|interleaved, --links.
  function keep(text, usage, meaning,    found, name, value) {
    if (match(text, /(^|[ [])-[a-zA-Z],? /) && text ~ /^-[a-zA-Z], --[a-z-]* [^ ]/)
      takes[substr(text, 1, 2)] = "FILE"
    while (match(text, /-[a-z]? [A-Z]+|--[a-z][a-z-]*( [^] ,-][^] ,]*)?/)) {
      found = substr(text, RSTART, RLENGTH)
      text = substr(text, RSTART + RLENGTH)
      name = value = found
      sub(/ .*/, "", name)
      if (!sub(/^[^ ]* /, "", value))
        value = ""
      if (!(name in takes)) {
        names[++name_count] = name
        only[name] = usage
      } else if (!usage)
        only[name] = 0
      if (takes[name] == "" || !usage)
        takes[name] = value
      if (meaning != "")
        means[name] = meaning
    }
  }
  # Keeps the arguments of the usage that is number n.
  function keep_usage(n, text,    i, count, parts) {
    keep(text, n, "")
    gsub(/\[-[^][]*(\[[^]]*\])?[^][]*\]/, "", text)
    gsub(/-[a-z-]* [^ ]+/, "", text)
    sub(/^ *(usage: )?tourney [a-z]+ */, "", text)
    count = split(text, parts, / +/)
    for (i = 1; i <= count; i++) {
      if (parts[i] == "[OPTION...]" || parts[i] == "..." || parts[i] == "--" || parts[i] == "")
        continue
      arguments[n, ++argument_count[n]] = parts[i]
      if (parts[i] ~ /\.\.\./)
        repeats[n] = argument_count[n]
    }
  }
  function offer(placeholder, option,    i, count, parts, part) {
    if (option == "--algorithm") {
      if (placeholder ~ /=/)
        print "=assignments"
      if (placeholder ~ /^NAME/)
        print "=algorithms"
      return
    }
    if (option == "--collective") {
      print "=collectives"
      return
    }
    gsub(/\[[:,].*/, "", placeholder)
    gsub(/[][]/, "", placeholder)
    sub(/\.\.\.$/, "", placeholder)
    count = split(placeholder, parts, "|")
    for (i = 1; i <= count; i++) {
      part = parts[i]
      if (part ~ /^(FILE|FILE\..*)$/) print "=files"
      else if (part ~ /^(FOLDER|DIR)$/) print "=folders"
      else if (part ~ /^(CLUSTER|C)$/) print "=clusters"
      else if (part ~ /^(COMMAND|\.\/app)$/) print "=commands"
      else if (part == "ARG") print "=files"
      else if (part == "COLLECTIVE") print "=collectives"
      else if (part == "WHAT") print "=reproduced"
      else if (part == "PAPER") for (key in papers) print key
      else if (part ~ /^[a-z]/) {
        sub(/[A-Z].*/, "", part)
        print part
      }
    }
  }
  function offer_options(    i) {
    for (i = 1; i <= name_count; i++)
      if (names[i] ~ /^--/ && (!only[names[i]] || only[names[i]] == usage || usage_count == 1))
        print names[i] "\t" means[names[i]]
  }
  BEGIN {
    last = ARGV[ARGC - 1]
    for (i = 2; i < ARGC - 1; i++)
      words[i] = ARGV[i]
    word_count = ARGC - 2
    ARGC = 1
  }
  /^usage: / { in_usage = 1 }
  in_usage && /^(usage:|      ) *tourney / { usage_text[++usage_count] = $0; next }
  in_usage && /^        / { usage_text[usage_count] = usage_text[usage_count] " " $0; next }
  { in_usage = 0 }
  wants_meaning && /^          / {
    sub(/^ */, "")
    option_meanings[option_line_count] = $0
  }
  { wants_meaning = 0 }
  /^  (-[a-z], )?--[a-z]/ {
    line = $0
    sub(/^ */, "", line)
    meaning = ""
    if (match(line, /   *[^ ]/)) {
      meaning = substr(line, RSTART + RLENGTH - 1)
      line = substr(line, 1, RSTART - 1)
    }
    option_lines[++option_line_count] = line
    option_meanings[option_line_count] = meaning
    wants_meaning = meaning == ""
  }
  {
    for (i = 1; i <= NF; i++)
      if ($i ~ /^[a-z]+[0-9][0-9][0-9][0-9],?$/) {
        key = $i
        sub(/,/, "", key)
        papers[key]
      }
  }
  END {
    for (i = 1; i <= option_line_count; i++)
      keep(option_lines[i], 0, option_meanings[i])
    for (i = 1; i <= usage_count; i++)
      keep_usage(i, usage_text[i])
    if (!usage_count)
      exit
    keep("--help", 0, "this text")

    # What stands before the last word: arguments, options and their values, and behind -- a command.
    given = command = 0
    option = ""
    for (i = 2; i <= word_count; i++) {
      if (command)
        command++
      else if (option != "")
        option = ""
      else if (words[i] == "--")
        command = 1
      else if (words[i] ~ /^-/) {
        if (takes[words[i]] != "")
          option = words[i]
      } else {
        given++
        for (k = 1; given == 1 && usage_count > 1 && k <= usage_count; k++)
          if (("|" arguments[k, 1] "|") ~ ("[|]" words[i] "[|]"))
            usage = k
        # What follows a program are its own arguments.
        if (usage && arguments[usage, given] ~ /^(\.\/app|COMMAND)/)
          command = 2
      }
    }
    if (command) {
      print command == 1 ? "=commands" : "=files"
      exit
    }
    if (option != "") {
      offer(takes[option], option)
      exit
    }
    if (last ~ /^-/) {
      offer_options()
      exit
    }
    for (k = usage ? usage : 1; k <= (usage ? usage : usage_count); k++) {
      n = given + 1
      if (repeats[k] && n > repeats[k])
        n = repeats[k]
      if (n <= argument_count[k])
        offer(arguments[k, n], "")
    }
    if (last == "")
      offer_options()
  }' "$@"
}
