#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The tables and pictures that are made of measurements against peers, and that the published picture is
# that of the published results. TAP.
. "${srcdir:-.}/tests/lib/test-functions.sh"
peers=$source/tests/peers
doc=$source/doc
python=${PYTHON-python3}
"$python" -c 'import json' > /dev/null 2>&1 || skip_all "there is no $python"

# record SPIN DATE [MORE]: a line of results
record ()
{
  echo "{\"name\": \"alm2map\", \"grid\": \"healpix\", \"size\": 64, \"lmax\": 128, \"batch\": 1, \"spin\": \"$1\"," \
    "\"peer\": \"ducc0\", \"version\": \"1.0\", \"threads\": 1, \"ratio\": 1.5, \"seconds\": 2.0," \
    "\"peer_seconds\": 3.0, \"date\": \"$2\"${3-}}"
}

one_date ()
{
  record 0 2026-11-22 > one.json
  timeout 60 "$python" "$peers/plot.py" one.json one.svg \
    && grep '>Times as fast as a peer, CPU (2026-11-22)<' one.svg
}

# Not in order: the first row is neither the first nor the last day.
range_of_dates ()
{
  { record 0 2026-11-22; record 2 2026-11-21; record 0 2026-11-23; record 0 2026-11-22; } > range.json
  timeout 60 "$python" "$peers/plot.py" range.json range.svg \
    && grep '(2026-11-21 to 2026-11-23)<' range.svg
}

spins_and_widths ()
{
  { record 2 2026-11-22; record 0 2026-11-22 ', "fwhm": 4.7'; } > kinds.json
  timeout 60 "$python" "$peers/plot.py" kinds.json kinds.svg \
    && grep 'lmax 128, spin 2<' kinds.svg \
    && grep 'lmax 128, FWHM 4.7 arcmin<' kinds.svg \
    && timeout 60 "$python" "$peers/tables.py" kinds.json > table \
    && grep '^| alm2map, nside 64, lmax 128, spin 2 | 1 | 2.0000 | ducc0 1.0 | 3.0000 | 1.50 |$' table \
    && grep 'lmax 128, FWHM 4.7 arcmin |' table
}

published ()
{
  timeout 60 "$python" "$peers/plot.py" "$doc/speed.json" speed.svg && diff "$doc/speed.svg" speed.svg
}

# call NSIDE DIRECTION THREADS RATIO: what schedule has measured of a loop of calls
call ()
{
  echo "{\"kind\": \"loops\", \"case\": \"nside $1\", \"direction\": \"$2\", \"threads\": $3, \"ratio\": $4," \
    "\"peer\": \"ducc0 1.0\", \"seconds\": 0.001, \"best_seconds\": 0.0009, \"seconds_95\": 0.002," \
    "\"peer_seconds\": 0.0015, \"peer_best_seconds\": 0.001, \"peer_seconds_95\": 2}"
}

# A line for each number of threads, in the order of nside: the second point of one thread is at the
# right, at 1.5 of 2, and that of two threads at 1.
schedule_of ()
{
  {
    echo '{"machine": {"processor": "A & B", "cores": 2, "gpus": [], "program": "p", "load": 0, "date": "2026-11-28"},'
    echo '"results": ['
    call 128 alm2map 1 1.5; echo ,; call 64 alm2map 1 0.5; echo ,
    call 64 alm2map 2 1; echo ,; call 128 alm2map 2 1; echo ']}'
  } > calls.json
  timeout 60 "$python" "$peers/schedule" --from calls.json > table \
    && grep '^| nside 128 | alm2map | 1 | 1 ms, 0.9 ms, 2 ms | 1.5 ms, 1 ms, 2 s | ducc0 1.0 | 1.50 |$' table \
    && grep '<polyline points="56.0,251.0 456.0,121.0"' calls.svg \
    && grep '<polyline points="56.0,186.0 456.0,186.0"' calls.svg \
    && grep 'A &amp; B (2026-11-28)<' calls.svg
}

# schedule takes no case that it does not know, and no more threads than there are cores
schedule_refuses ()
{
  fails "skys is none of loops" "$python" "$peers/schedule" --cases skys "$build" \
    && fails "at most" "$python" "$peers/schedule" --threads 100000 "$build" \
    && fails "BUILD must hold" "$python" "$peers/schedule" "$room"
}

ok "the date of results of one day" one_date
ok "the dates of results of several days" range_of_dates
ok "spins and widths are told apart" spins_and_widths
ok "table and picture of calls on several numbers of threads" schedule_of
ok "schedule refuses what it does not know" schedule_refuses
ok "doc/speed.svg is the picture of doc/speed.json" published
finish
