#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What inputs of a stage have to have in common, what is refused where they do not, and what outputs
# and files know of unit and coordinates. TAP.
. "${srcdir:-.}/tests/lib/test-functions.sh"

# No monopole and no dipole, as CAMB's: 0 at l = 0 and 1.
awk 'BEGIN { for (l = 0; l <= 20; l++) printf "%d %.17g\n", l, l < 2 ? 0 : 9 / (l * l) }' > theory.dat
awk 'BEGIN { for (l = 0; l <= 20; l++) printf "%d %.17g\n", l, l < 2 ? 0 : 3 / l }' > root.dat
awk 'BEGIN { for (l = 0; l <= 20; l++) printf "%d %d\n", l, l < 2 ? 0 : 1 }' > step.dat
cat > sky.workflow << END
$(random_alm draw theory theory.dat)
seed = 3
unit = K
[low]
stage = resize-alm
alm = draw
lmax = 10
$(synthesis sky draw 8)
$(synthesis coarse low 4)
[plain]
stage = random-alm
cl = theory
seed = 4
$(synthesis unknown plain 8)
[milli]
stage = combine
input = sky
weights = 1000
unit = mK
END
# write NODE NAME [COORDSYS]
write ()
{
  printf '[%s-out]\nstage = write-map\nmap = %s\nfile = %s.fits\n' "$2" "$1" "$2"
  [ $# -lt 3 ] || printf 'coordsys = %s\n' "$3"
}
{
  cat sky.workflow
  write sky g G
  write sky c C
  write unknown n
  write coarse coarse G
  write milli milli G
} > make.workflow
ok "maps of several kinds are made" run make.workflow

# two STAGE PORT A PORT B LINE...: a workflow of one stage with two maps
two ()
{
  printf '[a]\nstage = read-map\nfile = %s.fits\n[b]\nstage = read-map\nfile = %s.fits\n' "$3" "$5"
  printf '[x]\nstage = %s\n%s = a\n%s = b\n' "$1" "$2" "$4"
  shift 5
  for line in "$@"; do printf '%s\n' "$line"; done
}
maps () { two "$@"; printf '[x-out]\nstage = write-map\nmap = x\nfile = x.fits\n'; }
# The same for the a_lm of both maps.
harmonics ()
{
  two "$@" | sed '/^\(alm\|input\)2* = .$/s/$/lm/'
  for i in a b; do printf '[%slm]\nstage = map2alm\nmap = %s\nlmax = 10\n' $i $i; done
}
spectra () { harmonics "$@"; printf '[x-out]\nstage = write-cl\ncl = x\nfile = x.fits\n'; }
sums () { harmonics "$@"; printf '[x-out]\nstage = write-alm\nalm = x\nfile = x.fits\n'; }
key () { "$fits" key "$@"; }
anew () { run --overwrite "$@"; }
turn="convert one of them to those of the other with"

# --- mask

maps mask map g mask c > mask.workflow
ok "mask in other coordinates" refused mask.workflow \
  "map has the coordinates G (galactic), but mask has C (equatorial); $turn rotate-map"
maps mask map g mask coarse > mask.workflow
ok "mask of other pixels" refused mask.workflow "must have the same pixels: convert one"
maps mask map n mask c > mask.workflow
ok "a map without coordinates" anew mask.workflow
ok "takes those of the mask" key x.fits COORDSYS C
maps mask map g mask milli > mask.workflow
ok "the unit of a mask does not matter" anew mask.workflow
ok "that of the map stays" key x.fits TUNIT1 K

# --- combine

maps combine input g input2 c > combine.workflow
ok "combine, other coordinates" refused combine.workflow "input has the coordinates G (galactic), but input2"
maps combine input n input2 c > combine.workflow
ok "combine, coordinates unknown of one" anew combine.workflow
ok "coordinates of the sum" key x.fits COORDSYS C
ok "unit of the sum" key x.fits TUNIT1 K
printf '[third]\nstage = read-map\nfile = g.fits\n' | cat combine.workflow - |
  sed 's/^input2 = b/&\ninput3 = third/' > three.workflow
ok "two of three differ" refused three.workflow "input2 has the coordinates C (equatorial), but input3 has G"
maps combine input g input2 milli > combine.workflow
ok "combine, other units" refused combine.workflow 'input has the unit "K", but input2 has "mK"'
maps combine input g input2 milli "weights = 1000, 1" "unit = mK" > combine.workflow
ok "weights may convert them" anew combine.workflow
ok "unit that was said" key x.fits TUNIT1 mK
maps combine input g input2 coarse > combine.workflow
ok "combine, other pixels" refused combine.workflow "must have the same pixels"

# --- a_lm

spectra alm2cl alm g alm2 c > cl.workflow
ok "cross spectrum, other coordinates" refused cl.workflow \
  "alm has the coordinates G (galactic), but alm2 has C (equatorial); $turn rotate"
spectra alm2cl alm n alm2 c > cl.workflow
ok "cross spectrum, coordinates unknown of one" anew cl.workflow
ok "coordinates of the spectra" key x.fits COORDSYS C
spectra alm2cl alm g alm2 milli > cl.workflow
ok "a cross spectrum may have two units" anew cl.workflow
ok "and says them" key x.fits TUNIT1 "K mK"
spectra alm2cl alm g alm2 g > cl.workflow
ok "spectrum of one unit" anew cl.workflow
ok "which is squared" key x.fits TUNIT1 "K^2"
sed '/^\[blm\]/,$s/lmax = 10/lmax = 9/' cl.workflow > lmax.workflow
ok "cross spectrum, other lmax" refused lmax.workflow \
  "alm has lmax 10 and mmax 10, but alm2 lmax 9 and mmax 9; make them equal with resize-alm"
sums combine input g input2 c > alm.workflow
ok "combine of a_lm, other coordinates" refused alm.workflow "but input2 has C (equatorial)"
sums combine input g input2 milli > alm.workflow
ok "combine of a_lm, other units" refused alm.workflow 'input has the unit "K", but input2 has "mK"'
sums combine input n input2 c > alm.workflow
ok "combine of a_lm, unknown of one" anew alm.workflow
ok "coordinates of the a_lm" key x.fits COORDSYS C
ok "unit of the a_lm" key x.fits TUNIT2 K

# --- Pictures of several maps have one range of values

if "$armilla" inspect render-patches > /dev/null 2>&1; then
  patches () { two render-patches map "$1" map2 "$2" "file = x.png" "centres = 0 0" "size = 20 deg"; }
  patches g c > patches.workflow
  ok "patches in other coordinates" refused patches.workflow "but map2 has C (equatorial)"
  patches g milli > patches.workflow
  ok "patches in other units" refused patches.workflow 'map has the unit "K", but map2 has "mK"'
  patches g coarse > patches.workflow
  ok "patches of other pixels" run patches.workflow
fi

# --- Files of a_lm and spectra say what they are

cat > files.workflow << END
$(input sky map g.fits)
$(analysis harmonics sky 20)
$(output alm-out alm harmonics alm.fits)
$(spectrum spectrum harmonics)
$(output cl-out cl spectrum cl.fits)
END
cat > back.workflow << END
$(input alm alm alm.fits)
[rotated]
stage = rotate
alm = alm
to = ecliptic
$(output rotated-out alm rotated ecliptic.fits)
[back]
stage = rotate
alm = rotated
to = galactic
$(output back-out alm back back.fits)
$(input cl cl cl.fits)
$(output cl-out cl cl cl-copy.fits)
[white]
stage = filter-alm
alm = alm
cl = cl
power = -0.5
$(output white-out alm white white.fits)
[draw]
stage = random-alm
cl = cl
$(output draw-out alm draw draw.fits)
END
ok "a_lm and spectra are written" run files.workflow
ok "unit of a_lm" key alm.fits TUNIT2 K
ok "and of imaginary parts" key alm.fits TUNIT3 K
ok "coordinates of a_lm" key alm.fits COORDSYS G
ok "unit of spectra" key cl.fits TUNIT1 "K^2"
ok "coordinates of spectra" key cl.fits COORDSYS G
ok "rotate needs no from" run back.workflow
ok "coordinates that they were turned into" key ecliptic.fits COORDSYS E
ok "unit after reading" key ecliptic.fits TUNIT2 K
# two rotations of degrees up to 20
ok "there and back" "$fits" alm back.fits alm.fits 1e-13
ok "spectra read and written: unit" key cl-copy.fits TUNIT1 "K^2"
ok "spectra read and written: coordinates" key cl-copy.fits COORDSYS G
ok "what is whitened has no unit" key white.fits TUNIT2 unknown
ok "what is drawn has the root" key draw.fits TUNIT2 K
printf '[alm]\nstage = read-alm\nfile = alm.fits\nunit = uK\n' > unit.workflow
printf '[out]\nstage = write-alm\nalm = alm\nfile = unit.fits\n' >> unit.workflow
ok "a unit that the user says" run unit.workflow
ok "goes before" key unit.fits TUNIT2 uK

for python in ${HEALPY_PYTHON:-python3 /usr/bin/python3}; do
  if "$python" -c 'import healpy' > /dev/null 2>&1; then
    # healpy's alm2cl of the file and its reading of the spectra: another order of the same sums
    ok "healpy reads both" "$python" -B -c "
import healpy, numpy
alm, mmax = healpy.read_alm('alm.fits', return_mmax=True)
cl = healpy.read_cl('cl.fits')
assert (healpy.Alm.getlmax(alm.size), mmax, cl.shape) == (20, 20, (21,)), (alm.size, mmax, cl.shape)
assert numpy.abs(healpy.alm2cl(alm) - cl).max() <= 1e-14 * cl.max()"
    break
  fi
done

# --- A negative power of a spectrum that is 0 somewhere

cat > whiten.workflow << END
$(input theory cl theory.dat)
$(input root cl root.dat)
$(random_alm draw step step.dat)
seed = 5
[colour]
stage = filter-alm
alm = draw
cl = root
[white]
stage = filter-alm
alm = colour
cl = theory
power = -0.5
$(output white-out alm white whitened.fits)
$(output draw-out alm draw step.fits)
END
ok "power = -0.5 of a spectrum without monopole and dipole" "$armilla" run whiten.workflow
# sqrt (9 / l^2) = 3 / l, with three roundings; at l = 0 and 1 both are 0
ok "what was coloured is white" "$fits" alm whitened.fits step.fits 1e-15
# notes FILE TEXT: a run says TEXT once, although there are three realisations
notes ()
{
  printf '[workflow]\nrepeat = 3\n' | cat - "$1" | sed 's/\.fits$/-${index}.fits/' > three.workflow
  ends 0 "$armilla" run --overwrite three.workflow && [ "$(grep -cF -e "$2" "$room/.said")" = 1 ]
}
ok "and a note reports it, once" notes whiten.workflow \
  "[white]: note: spectrum 0 (from 0) is 0 at 2 multipoles, from l = 0 to 1"
sed 's/^power = -0.5/power = 0.5/' whiten.workflow > half.workflow
# silent FILE: a run that has nothing to note
silent () { ends 0 "$armilla" run --overwrite "$1" && not says "note:"; }
ok "a positive power needs no note" silent half.workflow
sed 's/cl = theory/cl = negative/; $a [negative]\nstage = read-cl\nfile = negative.dat' \
  whiten.workflow > negative.workflow
printf '0 0\n1 0\n2 -1\n' > negative.dat
ok "the root of a negative C_l" refused negative.workflow "spectrum 0 (from 0) is -1 at l = 2" --overwrite

# --- Degrees finer than pixels

cat > fine.workflow << END
$(random_alm draw theory theory.dat)
$(synthesis sky draw 4)
$(analysis harmonics sky 12)
$(output out alm harmonics fine.fits)
END
ok "alm2map beyond 3 nside - 1" notes fine.workflow \
  "[sky]: note: lmax = 20 at nside 4 is beyond 3 nside - 1 = 11"
ok "map2alm beyond 3 nside - 1" notes fine.workflow \
  "[harmonics]: note: lmax = 12 at nside 4 is beyond 3 nside - 1 = 11"
ok "in HISTORY, too" "$fits" history fine-0.fits "lmax = 12 at nside 4 is beyond 3 nside - 1 = 11"
sed 's/lmax = 12/lmax = 11/; s/^alm = draw/alm = low/
     $a [low]\nstage = resize-alm\nalm = draw\nlmax = 11' fine.workflow > right.workflow
ok "none at 3 nside - 1" silent right.workflow
finish
