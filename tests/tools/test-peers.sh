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

ok "the date of results of one day" one_date
ok "the dates of results of several days" range_of_dates
ok "spins and widths are told apart" spins_and_widths
ok "doc/speed.svg is the picture of doc/speed.json" published
finish
