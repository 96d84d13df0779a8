#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The tables and pictures that are made of measurements against peers, and that the published picture is
# that of the published results. TAP.
peers=${srcdir:-.}/tests/peers
doc=${srcdir:-.}/doc
python=${PYTHON-python3}
if ! "$python" -c 'import json' > /dev/null 2>&1; then
  echo "1..0 # SKIP there is no $python"
  exit 0
fi
folder=$(mktemp -d) || exit 99
trap 'rm -rf "$folder"' EXIT
number=0

# ok NAME COMMAND...
ok ()
{
  name=$1
  shift
  number=$((number + 1))
  if "$@" > "$folder/said" 2>&1; then
    echo "ok $number - $name"
  else
    sed 's/^/# /' "$folder/said"
    echo "not ok $number - $name"
  fi
}

# record SPIN DATE [MORE]: a line of results
record ()
{
  echo "{\"name\": \"alm2map\", \"grid\": \"healpix\", \"size\": 64, \"lmax\": 128, \"batch\": 1, \"spin\": \"$1\"," \
    "\"peer\": \"ducc0\", \"version\": \"1.0\", \"threads\": 1, \"ratio\": 1.5, \"seconds\": 2.0," \
    "\"peer_seconds\": 3.0, \"date\": \"$2\"${3-}}"
}

one_date ()
{
  record 0 2026-11-22 > "$folder/one.json"
  timeout 60 "$python" "$peers/plot.py" "$folder/one.json" "$folder/one.svg" \
    && grep '>Times as fast as a peer, CPU (2026-11-22)<' "$folder/one.svg"
}

# Not in order: the first row is neither the first nor the last day.
range_of_dates ()
{
  { record 0 2026-11-22; record 2 2026-11-21; record 0 2026-11-23; record 0 2026-11-22; } > "$folder/range.json"
  timeout 60 "$python" "$peers/plot.py" "$folder/range.json" "$folder/range.svg" \
    && grep '(2026-11-21 to 2026-11-23)<' "$folder/range.svg"
}

spins_and_widths ()
{
  { record 2 2026-11-22; record 0 2026-11-22 ', "fwhm": 4.7'; } > "$folder/kinds.json"
  timeout 60 "$python" "$peers/plot.py" "$folder/kinds.json" "$folder/kinds.svg" \
    && grep 'lmax 128, spin 2<' "$folder/kinds.svg" \
    && grep 'lmax 128, FWHM 4.7 arcmin<' "$folder/kinds.svg" \
    && timeout 60 "$python" "$peers/tables.py" "$folder/kinds.json" > "$folder/table" \
    && grep '^| alm2map, nside 64, lmax 128, spin 2 | 1 | 2.0000 | ducc0 1.0 | 3.0000 | 1.50 |$' "$folder/table" \
    && grep 'lmax 128, FWHM 4.7 arcmin |' "$folder/table"
}

published ()
{
  timeout 60 "$python" "$peers/plot.py" "$doc/speed.json" "$folder/speed.svg" && diff "$doc/speed.svg" "$folder/speed.svg"
}

echo 1..4
ok "the date of results of one day" one_date
ok "the dates of results of several days" range_of_dates
ok "spins and widths are told apart" spins_and_widths
ok "doc/speed.svg is the picture of doc/speed.json" published
