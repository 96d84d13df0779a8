#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The stages alm2points, adjoint-alm2points and points2alm in workflows: the same bytes for any number
# of workers, the addition theorem, and bad input. TAP.
. "${srcdir:-.}/tests/lib/test-functions.sh"

awk 'BEGIN { for (l = 0; l <= 96; l++) {
  t = l < 2 ? 0 : 1 / (l * (l + 1)); print l, t, 0.02 * t, 0.001 * t, 0.1 * t } }' > theory.dat
cat > sky.workflow << END
[workflow]
repeat = 2
$(random_alm draw teb "$room/theory.dat")
seed = 1
$(random_points points 20000 3)
realisation = 0
[values]
stage = alm2points
alm = draw
points = points
columns = T, Q, U
[ends]
stage = select-rows
catalogue = values
condition = abs(lat) > 5
[back]
stage = adjoint-alm2points
points = ends
columns = Q, U
spin = 2
lmax = 80
mmax = 60
[other]
stage = adjoint-alm2points
points = values
columns = T
lmax = 31
epsilon = 1e-12
$(output values-out catalogue values "values-\${index}.fits")
$(output back-out alm back "back-\${index}.fits")
$(output other-out alm other "other-\${index}.fits")
END
mkdir plain && cd plain || exit 99
ok "values and adjoints" run ../sky.workflow
cd .. || exit 99
for n in 1 3; do
  ok "the same bytes with $n worker(s)" afresh env STARPU_NCPU=$n "$armilla" run --quiet ../sky.workflow
done
ok "the same bytes with little memory" afresh little ../sky.workflow
# Bands of few rings, whose halos belong to several others. many_bands COMMAND...: in a folder of its own
many_bands ()
{
  mkdir bands && (cd bands && "$@" ../sky.workflow --set workflow.ring-block=3) || return 1
  [ -e first ] || mv bands first
  [ ! -e bands ] || diff -r first bands && rm -rf bands
}
ok "many bands" many_bands "$armilla" run --quiet
for n in 2 3; do
  if has_ranks; then
    ok "the same bytes on $n ranks" afresh ranks $n "$armilla" run --quiet ../sky.workflow
    ok "many bands on $n ranks" many_bands ranks $n "$armilla" run --quiet
  else
    skip "$n ranks" "built without MPI, or no mpirun"
  fi
done
# Bands are dealt to ranks in order, by their points: here all are within 20 degrees of a pole.
cat > cap.workflow << END
$(random_alm draw teb "$room/theory.dat")
$(random_points points 100000 3)
latitude-min = 70 deg
[values]
stage = alm2points
alm = draw
points = points
columns = T, Q, U
$(output values-out catalogue values cap.fits)
END
tasks_of () { grep '"name":"points_interpolate"' T.json | grep -c "\"pid\":$1,"; }
if has_ranks; then
  ok "points of one region on 2 ranks" ranks 2 "$armilla" run --quiet cap.workflow --trace T.json \
    --set workflow.ring-block=3
  ok "tasks of rank 0" [ "$(tasks_of 0)" -ge 4 ]
  ok "tasks of rank 1" [ "$(tasks_of 1)" -ge 2 ]
else
  skip "points of one region" "built without MPI, or no mpirun"
fi
ok "a plan" "$armilla" plan --nodes "$source/doc/nodes/cpu.node" sky.workflow

# Two adjoints and a synthesis of the same layout share the sorted points; other positions do not.
cat > shared.workflow << END
$(random_alm draw teb "$room/theory.dat")
$(random_points points 20000 3)
[values]
stage = alm2points
alm = draw
points = points
columns = T, Q, U
[scalar]
stage = adjoint-alm2points
points = values
columns = T
lmax = 96
[vector]
stage = adjoint-alm2points
points = values
columns = Q, U
spin = 2
lmax = 96
$(output scalar-out alm scalar scalar.fits)
$(output vector-out alm vector vector.fits)
END
sorts () { [ "$(grep -c '"name":"sort-points"' T.json)" = "$1" ]; }
ok "a run that shares points" run shared.workflow --overwrite --trace T.json
ok "sorted once" sorts 1
ok "other points" run sky.workflow --overwrite --trace T.json
ok "sorted for each accuracy, catalogue and realisation" sorts 6

# Four points, two of them poles, at longitudes beyond a turn.
printf '%s\n' "ra,dec,f" "-360,0,1" "180,0,-2" "720,90,3" "25,-90,4" > few.csv
# few NODE: the four points
few ()
{
  input "$1" catalogue "$room/few.csv"
  printf '%s\n' "longitude-unit = deg" "latitude-unit = deg" "values = f"
}
cat > few.workflow << END
$(few points)
[alm]
stage = adjoint-alm2points
points = points
columns = f
lmax = 1
epsilon = 1e-12
[values]
stage = alm2points
alm = alm
points = points
columns = g
epsilon = 1e-12
$(output out catalogue values few-out.csv)
END
ok "four points" run few.workflow
# sum over l <= 1 and j of f_j (2 l + 1) P_l (cos of the angle) / (4 pi)
cat > expected.awk << 'END'
BEGIN { FS = ","; pi = atan2 (0, -1); split ("1 -2 3 4", f, " ")
  split ("1 -1 0 0", x, " "); split ("0 0 1 -1", z, " ") }
NR > 1 { i = NR - 1; sum = 0
  for (j = 1; j <= 4; j++) sum += f[j] * (1 + 3 * (x[i] * x[j] + z[i] * z[j])) / (4 * pi)
  d = $NF - sum; n++; if (d > 1e-11 || d < -1e-11) { print i, $NF, sum; bad = 1 } }
END { exit bad || n != 4 }
END
ok "by the addition theorem" awk -f expected.awk few-out.csv

# a_lm are fitted to values; the number of iterations and the residual are printed.
cat > fit.workflow << END
$(random_alm draw teb "$room/theory.dat")
$(random_points points 30000 3)
[values]
stage = alm2points
alm = draw
points = points
columns = T, Q, U
[scalar]
stage = points2alm
points = values
columns = T
lmax = 90
[vector]
stage = points2alm
points = values
columns = Q, U
spin = 2
lmax = 60
tolerance = 1e-7
$(output scalar-out alm scalar scalar-fit.fits)
$(output vector-out alm vector vector-fit.fits)
END
rm -rf plain
mkdir plain && cd plain || exit 99
ok "fits" run ../fit.workflow
"$armilla" run ../fit.workflow --overwrite > ../said 2>&1
cd .. || exit 99
ok "the number of iterations" grep -q '\[scalar\]: note: conjugate gradients: [0-9]* iterations, relative residual [0-9.]*e-' said
for n in 1 3; do
  ok "the same fits with $n worker(s)" afresh env STARPU_NCPU=$n "$armilla" run --quiet ../fit.workflow
done
ok "the same fits with little memory" afresh little ../fit.workflow
if has_ranks; then
  ok "the same fits on 2 ranks" afresh ranks 2 "$armilla" run --quiet ../fit.workflow
else
  skip "fits on ranks" "built without MPI, or no mpirun"
fi
not run fit.workflow --overwrite --set scalar.max-iterations=2 > said 2>&1
ok "too few iterations" grep -q '\[scalar\]: conjugate gradients: .* after 2 iterations' said
not run fit.workflow --overwrite --set vector.lmax=200 > said 2>&1
ok "too few points" grep -q '\[vector\] lmax: .*40397 unknowns, but there are 30000 points' said

# fails MESSAGE LINE...: a workflow with these lines after the points and a_lm fails with the message
fails ()
{
  message=$1
  shift
  { few points; printf '[alm]\nstage = adjoint-alm2points\npoints = points\ncolumns = f\nlmax = 3\n'
    printf '%s\n' "$@"; printf 'file = bad.fits\n'; } > bad.workflow
  not run bad.workflow > said 2>&1; cat said
  grep -q -e "$message" said && [ ! -e bad.fits ]
}
write="[w]
stage = write-alm
alm = alm"
ok "a column that is there already" fails "already is a column f" "[more]" "stage = alm2points" "alm = alm" \
  "points = points" "columns = f" "[w]" "stage = write-catalogue" "catalogue = more"
ok "epsilon too small" fails "epsilon" "epsilon = 1e-14" "$write"
ok "epsilon too large" fails "epsilon" "epsilon = 0.1" "$write"
ok "a single column of spin 2" fails "pairs" "spin = 2" "$write"
ok "mmax above lmax" fails "mmax" "mmax = 4" "$write"
printf '%s\n' "ra,dec,f" "0,0,1" "10,91,2" > few.csv
ok "a point beyond the pole" fails "91" "$write"
printf '%s\n' "ra,dec,f" "0,0,1" "nan,9,2" > few.csv
ok "a point that is not a number" fails "nan\|NaN\|finite\|number" "$write"
printf '%s\n' "ra,dec,f" "0,0,1" "10,9,nan" > few.csv
ok "a value that is not a number" fails "f: the value of object 2" "$write"
finish
