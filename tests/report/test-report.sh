#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The page that armilla run --report writes: what is in it, and how it does in a browser. TAP.
. "${srcdir:-.}/tests/lib/test-functions.sh"
command -v python3 > /dev/null || skip_all "there is no python3"
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome)

awk 'BEGIN { for (l = 0; l <= 60; l++) print l, 1 / (l + 1) }' > theory.txt
cat > sky.workflow << 'END'
[workflow]
title = Skies <of> "noise" & more; a%s ]]> é
[theory]
stage = read-cl
file = theory.txt
[draw]
stage = random-alm
cl = theory
seed = 2026
[sky]
stage = alm2map
alm = draw
nside = 32
[again]
stage = map2alm
map = sky
lmax = 60
iterations = 2
[spectra]
stage = alm2cl
alm = again
[out]
stage = write-map
map = sky
file = out.fits
[picture]
stage = render
map = sky
width = 300
file = sky.png
[plot]
stage = render
cl = spectra
file = plot.svg
[spectrum]
stage = write-cl
cl = spectra
file = cl.fits
[read]
stage = read-cl
file = cl.fits
[copy]
stage = write-cl
cl = read
file = copy.fits
END

sed 's/^iterations = 2/method = cg\nmax-iterations = 1/' sky.workflow > failing.workflow

# page FILE TEXT...: it is well-formed, and each text is a line of what it holds
page ()
{
  python3 "$source/tests/report/check-page.py" "$1" > holds || return 1
  cat holds
  shift
  for line in "$@"; do grep -qxF -e "$line" holds || { echo "not: $line"; return 1; }; done
}
well_formed () { ! command -v xmllint > /dev/null || xmllint --noout "$1"; }
plain ()
{
  ends 0 "$armilla" run --report report.html --trace t.json sky.workflow && says 'report in report.html' &&
    well_formed report.html &&
    page report.html 'title: Skies <of> "noise" & more; a%s ]]> é' 'state: The run succeeded.' \
      'nodes: 11 edges: 10 pictures: 2' 'rows: 11' 'seeds: [draw] 2026' &&
    n=$(grep -c '"cat":"\(task\|host\)"' t.json) && grep -q "^tasks: $n lanes: CPU 0" holds
}
sums () { sha256sum out.fits cl.fits copy.fits sky.png plot.svg | sort > sums && test "$(wc -l < sums)" -eq 5 && grep -E '^[0-9a-f]{64}  ' holds | sort | diff sums -; }
no_folders () { rm -rf temporary && mkdir temporary && TMPDIR=$room/temporary "$@" && test -z "$(ls temporary)"; }
by_key ()
{
  no_folders run --overwrite --set workflow.report=key.html sky.workflow && page key.html 'nodes: 11 edges: 10 pictures: 2'
}
failed ()
{
  no_folders fails 'conjugate gradients' run --overwrite --report failed.html failing.workflow && page failed.html 'rows: 11' &&
    grep -q '^state: The run failed. .*conjugate gradients' holds
}
early ()
{
  fails 'no report in early.html: no task was run' run --overwrite --set out.file=no/such/x.fits --report early.html \
    sky.workflow && not test -e early.html
}
kept ()
{
  echo precious > kept.html
  fails '--report: kept.html exists already' run --set out.file=new.fits --report kept.html sky.workflow &&
    grep -q precious kept.html && not test -e new.fits
}
resumed () { run --resume --overwrite --report r.html sky.workflow && run --resume --report r.html sky.workflow && page r.html; }
many ()
{
  run --overwrite --set workflow.repeat=40 --set 'out.file=o-${index}.fits' --set 'picture.file=p-${index}.png' \
    --set 'plot.file=q-${index}.svg' --set 'spectrum.file=c-${index}.fits' --set 'read.file=c-${index}.fits' \
    --set 'copy.file=d-${index}.fits' --set 'draw.seed=${index}' --report many.html sky.workflow &&
    page many.html 'nodes: 11 edges: 10 pictures: 8' && grep -q '^seeds: \[draw\] 0 (${index})' holds &&
    test "$(grep -cE '^[0-9a-f]{64}  ' holds)" -eq 160 && test "$(wc -c < many.html)" -lt 4000000
}
shared ()
{
  ranks 2 "$armilla" run --quiet --overwrite --report two.html sky.workflow && well_formed two.html &&
    page two.html 'nodes: 11 edges: 10 pictures: 2' && grep -q 'lanes: rank 0 CPU 0 rank 1 CPU 0 rank 0 files 1' holds && sums
}

# in_browser WIDTH PAGE OPTION...: how its timeline does, in .results; an error on the console is one
in_browser ()
{
  width=$1 file=$2
  shift 2
  # a browser that shows nothing draws no frames; and its window has a least width
  sed "/^<\/body>/d; /^<\/html>/d; s|^<title>|<script>window.requestAnimationFrame = (f) => setTimeout(f, 0);</script>&|" \
    "$file" > used.html
  { echo '<script>//<![CDATA['; cat "$source/tests/report/use-page.js"; echo '//]]></script></body></html>'; } >> used.html
  cat > frame.html << END
<meta name="color-scheme" content="light dark"><body><script>
window.addEventListener ('message', (event) => { document.body.setAttribute ('data-results', event.data); });
</script><iframe src="used.html" width="$width" height="900" style="border: 0"></iframe></body>
END
  timeout 120 "$browser" --headless --no-sandbox --disable-gpu --enable-logging=stderr --user-data-dir="$room/browser" \
    --virtual-time-budget=20000 --window-size=1400,1000 "$@" --dump-dom "file://$room/frame.html" > dom 2> console
  grep CONSOLE console && return 1
  sed -n 's/.*data-results="\([^"]*\)".*/\1/p' dom | sed 's/; /\n/g' > .results
  cat .results
  test -s .results
}
used ()
{
  in_browser "$@" && for line in 'in changes' 'right changes' 'left changes' 'plus changes' 'minus changes' \
    'drag changes' 'wheel changes' 'plain wheel does nothing' 'all changes' 'as at first' 'legend changes' \
    '1 pressed' 'pictures'; do grep -qx "$line" .results || { echo "not: $line"; return 1; }; done &&
    grep -q '^told: \[[a-z]*\] .* on CPU 0: [0-9.]* .s from' .results && grep -qx "fits $1" .results
}
light () { used 1280 report.html && grep -qxF 'rgb(246, 247, 249)' .results; }
dark () { used 1280 report.html --blink-settings=preferredColorScheme=0 && grep -qxF 'rgb(20, 24, 28)' .results; }
narrow () { used 400 report.html; }
# the test of the console can fail
broken () { sed 's/function duration/function/' report.html > broken.html; not in_browser 1280 broken.html && grep -q CONSOLE console; }

ok "a page of a run" plain
ok "its checksums are those of sha256sum" sums
ok "[workflow] report, and no folder stays" by_key
ok "a run that fails has a page" failed
ok "a run that fails before its first task has none" early
ok "a page that exists stays" kept
ok "a dry run has none" gives 2 'leave out --report' "$armilla" run --dry-run --report dry.html sky.workflow
ok "a run that is resumed replaces it" resumed
ok "many realisations" many
if has_ranks; then
  ok "of two ranks" shared
else
  skip "of two ranks" "built without MPI, or no mpirun"
fi
if [ -n "$browser" ]; then
  ok "in a browser" light
  ok "in the dark" dark
  ok "400 pixels wide" narrow
  ok "an error on the console is seen" broken
else
  skip "in a browser" "there is no chromium"
fi
finish
