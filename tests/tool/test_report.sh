#!/bin/sh
# tourney report: pages that load nothing, escape names and appear whole or not at all; and in a
# browser (Chromium, headless): what is shown after stepping, the keys, no error in the console, no
# page wider than a phone.
# usage: test_report.sh TOOL plain|browser
set -eu
tool=$1
part=$2
golden=$(cd "$(dirname "$0")/../golden" && pwd)
measured=$golden/report_bench.csv recorded=$golden/report_run.record
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

fail() {
  echo "$*"
  exit 1
}

# Names that would be markup. A cluster's names can't have quotation marks, its file's can.
cat >'net"<i>&.dot' <<'END'
graph cluster {
  edge [bandwidth="1Gbit/s"]
  s0 -- "<b>&amp;"
  s0 -- "</script><script>console.error(1)//"
  s0 -- "it's"
  s0 -- "a-host-of-a-very-long-name-that-is-cut.example.org"
}
END
"$tool" report plan 'net"<i>&.dot' alltoall -o names.html
"$tool" report plan switches:8+8 alltoall --bytes 64KiB --chunks 1 --output phases.html
"$tool" report plan switches:4+4 alltoall --algorithm message-passing >rounds.html
"$tool" report plan single:4 barrier >barrier.html
"$tool" report plan single:1 alltoall >alone.html
"$tool" report bench "$measured" -o bench.html
"$tool" plan switches:4+4 alltoall --chunks 2 --output plan.txt >plan.out
"$tool" report plan switches:4+4 plan.txt --bytes 8KiB -o read.html

# The record of a run of 64 ranks in the lab, as it is, and with names that would be markup.
"$tool" report run "$recorded" -o run.html
sed 's/"fft_frames"/"<i>\\"p\\""/; s/"name": "h/"name": "<b>h/; s/"why": "a trial"/"why": "<em>"/; s/"the lab"/"<u>"/' \
  "$recorded" >marked.record
"$tool" report run marked.record -o marked.html
pages="names phases rounds barrier alone bench read run marked"

# --- what is written ---

check_written() {
  for page in $pages; do
    grep -q '^</html>$' "$page.html" || fail "$page.html has no end"
    if grep -n -i -E '(src|href)="[^"#]' "$page.html" | grep -v 'href="data:,"'; then
      fail "$page.html loads something"
    fi
    if grep -n -i -E 'https?://|@import|url\([^#]' "$page.html"; then
      fail "$page.html names something elsewhere"
    fi
  done
  if grep -n -F -e '<b>' -e '<script>console' -e '<i>' -e '<em>' -e '<u>' names.html bench.html marked.html; then
    fail "a name is markup"
  fi
  grep -q -F 'net&#34;&#60;i&#62;&#38;.dot' names.html || fail "the cluster's name isn't escaped"
  grep -q -F '>host &#60;b&#62;&#38;amp;, rank 0</title>' names.html || fail "a host's name isn't escaped"
  [ "$(grep -c 'class="node host"' phases.html)" -eq 16 ] || fail "not every host is drawn"
  [ "$(grep -c 'class="link"' phases.html)" -eq 34 ] || fail "not every direction of a cable is drawn"
  grep -q -F '<tr><th scope="row">gap</th><td>0 %: the bound is reached</td></tr>' phases.html ||
    fail "the certificate's gap isn't there"
  grep -q 'The messages of this algorithm have no phases' rounds.html || fail "rounds aren't told"
  grep -q '4 rows with native and planned: 3 at least as fast as native; the geometric mean of the ratios is 1.55' \
    bench.html || fail "the bench has no summary"
  grep -q -F 'planned, 8KiB: 228 ms, quartiles 227.1 and 229.4</title>' bench.html || fail "a mark isn't named"
  grep -q -F '<td>&#60;i&#62;ring&#60;/i&#62; &#34;&#38;&#34;</td>' bench.html || fail "an algorithm's name isn't escaped"
  [ "$(grep -o '<th scope="row">[^<]*' bench.html | head -n 3 | tr '\n' ' ')" = \
    '<th scope="row">512B <th scope="row">512B <th scope="row">8KiB ' ] || fail "lines aren't in the order of their sizes"
  grep -q -F '<td>shuffle, read from a file</td>' read.html || fail "a plan from a file isn't told"
  grep -q -F '<td>8KiB in 2 chunks</td>' read.html || fail "a file's chunks aren't told"
  grep -q -F '0 %: the bound is reached' read.html || fail "a plan from a file has no certificate"
  grep -q -F 'A run of &#60;i&#62;&#34;p&#34;</h1>' marked.html || fail "a program's name isn't escaped"
  grep -q -F '<td>&#60;em&#62;</td>' marked.html || fail "a reason isn't escaped"
  check_run
  grep -q 'No message is sent' alone.html || fail "a rank alone isn't told"
}

# The numbers of the record, added up here from its lines, are those of the page.
check_run() {
  calls=$(awk '/"decisions"/ { exit } sub(/.*"calls": /, "") && /bytes/ { sum += $1 } END { print sum }' "$recorded")
  planned=$(awk '/"decisions"/ { exit } !/"algorithm": null/ && sub(/.*"calls": /, "") && /bytes/ { sum += $1 } END { print sum }' "$recorded")
  again=$(awk 'sub(/.*"retransmitted": /, "") { sum += $1 } END { print sum }' "$recorded")
  grep -q "Rank 0 made $calls collective calls, of which plans served $planned\." run.html || fail "the run's calls are others"
  grep -q "<td>$again of [0-9]* segments" run.html || fail "what was sent again is another number"
  [ "$(grep -c 'class="node host"' run.html)" -eq 64 ] || fail "not every host of the run is drawn"
  [ "$(grep -c '<th scope="row">h[0-9]*</th>' run.html)" -eq 64 ] || fail "not every host's counters are there"
  # 1 KiB to each of 64 ranks over two switches' trunk of 100 Mbit/s: 32 * 32 KiB at least, 83.9 ms.
  awk '/"decisions"/ { exit } /"alltoall", "algorithm": "/ {
      calls = $0; sub(/.*"timed": /, "", calls); total = $0; sub(/.*"total_ns": /, "", total)
      printf "%.1f %%\n", 100 * calls * 32 * 32 * 1024 * 8 / 100e6 / (total / 1e9) }' "$recorded" >shares
  [ -s shares ] || fail "the record has no planned all-to-alls"
  while read -r share; do
    grep -q "<th scope=\"row\">alltoall</th>.*<td class=\"number\">$share</td>" run.html || fail "no calls have $share of the bound"
  done <shares
}

check_outputs() {
  echo before >kept.html
  code=0
  "$tool" report plan switches:8+8 alltoall --root 99 -o kept.html 2>error.txt || code=$?
  [ "$code" -eq 2 ] || fail "a wrong root gives exit code $code"
  [ "$(cat kept.html)" = before ] || fail "a failure has touched the file"
  code=0
  "$tool" report plan single:4 alltoall -o missing/page.html 2>error.txt || code=$?
  [ "$code" -eq 3 ] || fail "a missing folder gives exit code $code"
  grep -q "missing/page.html: can't be written" error.txt || fail "a missing folder says: $(cat error.txt)"
  sed '0,/ send /s/ send / recv /' plan.txt >wrong.txt
  code=0
  "$tool" report plan switches:4+4 wrong.txt -o wrong.html 2>error.txt || code=$?
  [ "$code" -eq 1 ] || [ "$code" -eq 2 ] || fail "a wrong plan gives exit code $code"
  grep -q '^tourney: wrong.txt:' error.txt || fail "a wrong plan says: $(cat error.txt)"
  [ ! -e wrong.html ] || fail "a wrong plan has a page"
  code=0
  mkdir empty
  PATH=$scratch/empty "$tool" report plan single:4 alltoall -o none.html 2>error.txt || code=$?
  [ "$code" -eq 3 ] || fail "without dot the exit code is $code"
  grep -q 'install the package graphviz' error.txt || fail "without dot it says: $(cat error.txt)"
  [ ! -e none.html ] || fail "without dot a page is written"
  [ -z "$(ls | grep '\.html\.' || true)" ] || fail "temporary files are left"
}

# 64 ranks: under 3 MB.
check_size() {
  "$tool" report plan fattree:8 alltoall --ranks 64 --output large.html
  [ "$(wc -c <large.html)" -lt 3000000 ] || fail "a plan of 64 ranks has $(wc -c <large.html) bytes"
  # As many rows and decisions as a record can have.
  awk '/"algorithm": null/ && !rows { for (rows = 1; rows < 4096; rows++) print }
    /"at_ns"/ { entry = $0; sub(/\]}$/, ",", entry); for (i = 1; i < 4096; i++) print entry }
    { print }' "$recorded" >large.record
  "$tool" report run large.record -o large.html
  grep -q 'rows of less time are left out' large.html || fail "the largest record has few rows"
  [ "$(wc -c <large.html)" -lt 3000000 ] || fail "a run of 64 ranks has $(wc -c <large.html) bytes"
}

# --- in the browser ---

# Opens PAGE at ADDRESS; the document as it is then goes to dom.html, the console to console.txt.
open_page() {
  HOME=$scratch timeout 60 chromium --headless --no-sandbox --disable-gpu --user-data-dir="$scratch/profile" \
    --hide-scrollbars --enable-logging=stderr --window-size=1400,800 --dump-dom "file://$scratch/$1.html$2" \
    >dom.html 2>log.txt || fail "chromium fails: $(tail -n 5 log.txt)"
  grep 'CONSOLE' log.txt >console.txt || true
}

# All pages in frames as wide as a phone and as a desk's screen, as frames.html; its title says how wide each page is in
# its frame. (Chromium's own window can't be as narrow as a phone's.)
frame_pages() {
  echo '<!DOCTYPE html><title>none</title>' >frames.html
  for page in $pages; do
    for width in 360 1400; do
      printf '<iframe style="width:%spx;height:800px;border:0" srcdoc="' $width
      sed 's/&/\&amp;/g; s/"/\&quot;/g' $page.html
      echo '"></iframe>'
    done
  done >>frames.html
  echo '<script>onload = function () {
    document.title = [].map.call(document.querySelectorAll("iframe"), function (frame) {
      return frame.offsetWidth + "=" + frame.contentDocument.documentElement.scrollWidth;
    }).join(" ");
  };</script>' >>frames.html
}

# PAGE with a script at its end, as probe.html.
probe() {
  sed '/^<\/body>$/d; /^<\/html>$/d' "$1.html" >probe.html
  printf '<script>%s</script>\n</body>\n</html>\n' "$2" >>probe.html
}

shows() {
  grep -q -F -e "$1" dom.html || fail "$2 doesn't show: $1"
}

check_browser() {
  # The check of the console can fail.
  probe phases 'console.error("seen")'
  open_page probe ''
  grep -q seen console.txt || fail "errors in the console aren't seen"

  wanted=
  for page in $pages; do
    wanted="$wanted${wanted:+ }360=360 1400=1400"
  done
  frame_pages
  open_page frames ''
  shows "<title>$wanted</title>" "a page for each of $pages, in two frames, ($(grep -o '<title>[^<]*' dom.html | head -n 1))"
  [ ! -s console.txt ] || fail "$(cat console.txt)"

  open_page phases '#step=3'
  shows 'Phase 3 of 0 to 14: 16 messages of 64 KiB at most, at most 4 on a link' 'phase 3'
  shows '<td>h12' 'phase 3'
  open_page names '#step=1'
  shows '&lt;/script&gt;&lt;script&gt;console.error(1)//' 'the page of names'
  open_page rounds '#step=1'
  shows 'Round 1 of 0 to ' 'round 1'
  open_page phases '#step=99'
  shows 'Phase 14 of 0 to 14' 'an address beyond the end'

  # Keys and buttons.
  probe phases 'function press(key) { document.dispatchEvent(new KeyboardEvent("keydown", {key: key, bubbles: true})); }
    function at() { return document.getElementById("number").value; }
    var seen = [at()];
    press("ArrowRight"); press("ArrowRight"); seen.push(at());
    press("ArrowLeft"); seen.push(at());
    press("End"); press("ArrowRight"); seen.push(at());
    press("Home"); press("ArrowLeft"); seen.push(at());
    document.getElementById("next").click(); seen.push(at());
    document.getElementById("last").click(); seen.push(at());
    document.title = seen.join(" ") + " " + location.hash;'
  open_page probe ''
  shows '<title>0 2 1 14 0 1 14 #step=14</title>' 'the page after keys and buttons'
  [ ! -s console.txt ] || fail "keys: $(cat console.txt)"
}

case $part in
plain)
  check_written
  check_outputs
  check_size
  ;;
browser)
  command -v chromium >/dev/null || {
    echo "needs Chromium: install the package chromium"
    exit 77
  }
  check_browser
  ;;
esac
