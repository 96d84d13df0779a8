#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Files of whole workflows: there and back, and what goes wrong with them reports it and leaves
# nothing. TAP.

. "${srcdir:-.}/tests/lib/test-functions.sh"
maps=$data/test/data
w=$maps/wmap_band_iqumap_r9_7yr_W_v4_udgraded32
cl=$maps/cl_wmap_band_iqumap_r9_7yr_W
[ -e "$w.fits" ] || skip_all "there is no $w.fits; healpy-data of Debian 12 has it"

# --- Files there and back

enter files
cat > files.workflow << END
$(input sky map "${w}_masked.fits")
fields = all
[nested]
stage = change-order
map = sky
order = nested
$(output nested-out map nested nested.fits)
$(output partial-out map sky partial.fits)
partial = true
$(output gzip-out map sky packed.fits.gz)
dtype = float32
$(output ring-out map sky ring.fits)
END
ok "maps are written in several ways" run files.workflow
ok "fields = all keeps three" "$fits" key ring.fits TTYPE3 U_STOKES
ok "nested order" "$fits" key nested.fits ORDERING NESTED
ok "nested pixels are other ones" not "$fits" same nested.fits ring.fits
ok "partial sky" "$fits" key partial.fits INDXSCHM EXPLICIT
for way in nested.fits partial.fits packed.fits.gz; do
  cat > back.workflow << END
$(input sky map "$way")
fields = U_STOKES, 0
spin = 0
$(output out map sky "back-$way")
END
  ok "$way is read again" run back.workflow --set "out.file=back.fits" --overwrite
  ok "the first column of $way comes back second" \
    "$fits" max back.fits 2 ring.fits 1 0 "${w}_masked.fits"
  ok "the third column of $way comes back first" "$fits" max back.fits 1 ring.fits 3 0
  ok "UNSEEN stays UNSEEN in $way" "$fits" unseen back.fits 2 4686
done
cat > iau.workflow << END
$(input sky map "${w}_masked.fits")
fields = all
$(output iau-out map sky iau.fits)
polcconv = iau
END
cat > cosmo.workflow << END
$(input sky map iau.fits)
fields = all
$(input raw map iau.fits)
fields = all
spin = 0
$(output cosmo-out map sky cosmo.fits)
$(output raw-out map raw raw.fits)
END
ok "a map is written in the convention IAU" run iau.workflow
ok "which its header says" "$fits" key iau.fits POLCCONV IAU
ok "and is read again" run cosmo.workflow
ok "as COSMO" "$fits" key cosmo.fits POLCCONV COSMO
ok "with the pixels of before" "$fits" same cosmo.fits ring.fits
ok "or as they are in the file" "$fits" same raw.fits iau.fits
ok "of which Q is as before" "$fits" max raw.fits 2 ring.fits 2 0
ok "and U is not" not "$fits" max raw.fits 3 ring.fits 3 0.01
cat > cl.workflow << END
$(input theory cl "$data/data/totcls.dat")
scaling = dl
columns = 3, 0
$(output out cl theory theory.fits)
[again]
stage = render
cl = theory
file = theory.pdf
x-scale = log
END
ok "spectra are written" run cl.workflow
# D_2 = 1726.1 for TT: C_2 = D_2 2 pi / 6
awk 'BEGIN { pi = atan2(0, -1); while ((getline < ARGV[1]) > 0)
  printf "%d %.17g %.17g\n", $1, $1 ? $5 * 2 * pi / ($1 * ($1 + 1)) : 0,
    $1 ? $2 * 2 * pi / ($1 * ($1 + 1)) : 0 }' "$data/data/totcls.dat" > theory.dat
cat > dat.workflow << END
$(input theory cl theory.dat)
$(output out cl theory dat.fits)
END
ok "text spectra are written" run dat.workflow
ok "dl scaling and the order of columns, first" "$fits" max theory.fits 1 dat.fits 1 1e-12
ok "dl scaling and the order of columns, second" "$fits" max theory.fits 2 dat.fits 2 1e-12

# --- What goes wrong reports it and leaves nothing

enter wrong
cp "$w.fits" good.fits && chmod u+w good.fits
cat > wrong.workflow << END
$(input sky map good.fits)
$(analysis alm sky 32)
$(synthesis map alm 16)
$(output map-out map map out.fits)
$(output alm-out alm alm alm.fits)
[picture]
stage = render
map = map
file = out.png
END

# fails STATUS PATTERN FILE... -- OPTION...: the run fails so, and only FILEs are left
fails ()
{
  status=$1
  pattern=$2
  shift 2
  left=
  while [ "$1" != -- ]; do left="$left $1"; shift; done
  shift
  # shellcheck disable=SC2086
  ends $status run wrong.workflow "$@" && one_message && matches "$pattern" && only wrong.workflow $left
}

# late FILE PATTERN OPTION...: the run fails while FILE is written. Outputs that were whole before may
# stay; FILE is not there, nor anything temporary.
late ()
{
  file=$1
  pattern=$2
  shift 2
  ends 1 run wrong.workflow "$@" && matches "$pattern" || return 1
  rm -f out.fits alm.fits out.png
  [ ! -e "$file" ] || { echo "$file is there"; return 1; }
  only wrong.workflow good.fits full
}

ok "a missing file" fails 1 'sky.* file: missing.fits' good.fits -- --set sky.file=missing.fits
sed -i 's/good.fits/gone.fits/' wrong.workflow
ok "a missing file, with line and column" fails 1 'wrong.workflow:3:8: .sky. file: gone.fits' \
  good.fits --
sed -i 's/gone.fits/good.fits/' wrong.workflow
echo "This is not a FITS file." > text.fits
ok "not FITS" fails 1 'text.fits' good.fits text.fits -- --set sky.file=text.fits
head -c 100000 good.fits > text.fits
ok "truncated" fails 1 'text.fits' good.fits text.fits -- --set sky.file=text.fits
cp "$cl"_v4_udgraded32_II_lmax64_rmmono_3iter.fits text.fits
ok "of the wrong shape" fails 1 'text.fits' good.fits text.fits -- --set sky.file=text.fits
cp good.fits text.fits && chmod u+w text.fits
"$fits" poke text.fits 1 7000 nan && "$fits" poke text.fits 1 300 inf
"$fits" poke text.fits 1 12000 -inf
ok "NaN and infinity, with their number and the first" \
  fails 1 'text.fits.* 3 of 12288 .*pixel 300 ' good.fits text.fits -- --set sky.file=text.fits
run wrong.workflow --set sky.file=good.fits && mv out.fits text.fits && rm -f alm.fits out.png
"$fits" poke text.fits 1 100 1
ok "a bad checksum" fails 1 'text.fits.*[cC]hecksum\|text.fits.*DATASUM' good.fits text.fits -- \
  --set sky.file=text.fits
rm text.fits
ok "a folder that is not there" fails 1 'nowhere/out.fits' good.fits -- \
  --set map-out.file=nowhere/out.fits
cp good.fits there.fits
ok "an output that exists" fails 1 'there.fits exists' good.fits there.fits -- --set map-out.file=there.fits
rm there.fits
ok "an output that is the input" fails 2 'map-out writes this file, and depends on this node' good.fits -- \
  --set map-out.file=good.fits
ok "a wrong column" fails 1 'sky.* fields = 0, V_STOKES: good.fits has no column "V_STOKES"; it has 0 I_STOKES' good.fits -- "--set=sky.fields=0, V_STOKES"
ok "a value out of range" fails 2 'lmax' good.fits -- --set alm.lmax=-5
ok "values that contradict each other" fails 1 'alm.* iterations: .*max-iterations' good.fits -- \
  --set alm.method=cg --set alm.iterations=3
ok "a bare number for an angle" fails 2 'centre' good.fits -- --set picture.centre=30

if [ "$(id -u)" -ne 0 ]; then
  mkdir locked && chmod a-w locked
  ok "a folder that may not be written to" fails 1 'locked/out.fits' good.fits locked -- \
    --set map-out.file=locked/out.fits
fi
mkdir full
if [ "$(id -u)" -eq 0 ] && mount -t tmpfs -o size=64k tmpfs full 2> "$room/.mount"; then
  trap 'cd /; umount "$room/wrong/full"; rm -rf "$room"' EXIT
  trap 'exit 99' INT TERM
  ok "a full disk, while a map is written" late full/out.fits 'full/out.fits.*space' \
    --set map-out.file=full/out.fits --set map.nside=64
  ok "a full disk, while a_lm are written" late full/alm.fits 'full/alm.fits.*space' \
    --set alm-out.file=full/alm.fits --set alm.lmax=95
  ok "a full disk, while a picture is written" late full/out.png 'full/out.png.*space' \
    --set picture.file=full/out.png
  ok "nothing is left on the full disk" [ -z "$(ls -A full)" ]
  # Inflating a text stops while there is room left for other programs, 64 MiB, not when the disk is full.
  mount -o remount,size=72m "$room/wrong/full"
  { echo ra,dec; yes 1,2 | head -c 16777216; } | gzip -1 > text.csv.gz
  printf '[t]\nstage = read-table\nfile = text.csv.gz\n[o]\nstage = write-table\ntable = t\n' > inflate.workflow
  echo 'file = o.fits' >> inflate.workflow
  inflated () { ends 1 env TMPDIR="$room/wrong/full" "$armilla" run inflate.workflow &&
    matches 'text.csv.gz: decompressed, the file needs more than [0-9]* MiB in .*/full, which has less; if the file is not damaged, set TMPDIR'; }
  ok "a temporary folder that would be full" inflated
  rm -f text.csv.gz inflate.workflow
  mount -o remount,ro "$room/wrong/full"
  ok "a folder that cannot be written to" fails 1 'full/out.fits.*ead-only' good.fits full -- \
    --set map-out.file=full/out.fits
else
  skip "a full disk" "only root can mount a small one"
fi
finish
