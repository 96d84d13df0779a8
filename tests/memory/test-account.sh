#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What no memory can hold is refused before the first task, and before anything large is allocated,
# whatever stage would make it. TAP.

. "${srcdir:-.}/tests/lib/test-functions.sh"

printf '0 1\n1 1\n2 1\n3 1\n4 1\n' > cl.txt
cat > head <<END
$(random_alm alm theory cl.txt)
$(synthesis sky alm 4)
[objects]
stage = random-catalogue
number = 20
$(random_points random 20 2)
[last]
END

# needs MEMORY LINES: whether a run is refused on a machine that has so much, both as a plan and as
# a run, and nothing is left
needs ()
{
  { cat head; printf '%b' "$2"; } > case.workflow
  for option in --dry-run --quiet; do
    ARMILLA_MEMORY=$1 "$armilla" run "$option" case.workflow > out 2> err
    status=$?
    if [ $status -ne 1 ] || ! grep -q "GiB" err || [ "$(grep -vc '^ ' err)" -gt 9 ]; then
      echo "$option: exit status $status"
      head -5 err
      return 1
    fi
  done
  test "$(ls | grep -v txt | tr '\n' ' ')" = "case.workflow err head out "
}

# has MEMORY LINES: whether it is a plan there
has ()
{
  { cat head; printf '%b' "$2"; } > case.workflow
  ARMILLA_MEMORY=$1 "$armilla" run --dry-run case.workflow > out 2> err || { cat err; false; }
}

counts='catalogue = objects\nrandom = random\nmin = 1 deg\nmax = 10 deg\n'
ok "alm2map: rings and pixels" needs 1TiB 'stage = alm2map\nalm = alm\nnside = 16777216\n'
ok "alm2map: pixels" needs 1GiB 'stage = alm2map\nalm = alm\nnside = 8192\n'
ok "alm2map: on other grids" needs 1GiB \
  'stage = alm2map\nalm = alm\ngrid = gauss-legendre\nn-theta = 65536\nn-phi = 65536\n'
ok "alm2map: what fits" has 1GiB 'stage = alm2map\nalm = alm\nnside = 1024\n'
ok "ud-grade: rings and pixels" needs 1TiB 'stage = ud-grade\nmap = sky\nnside = 16777216\n'
ok "ud-grade: pixels" needs 1GiB 'stage = ud-grade\nmap = sky\nnside = 8192\n'
ok "bin-catalogue" needs 1TiB 'stage = bin-catalogue\ncatalogue = objects\nnside = 16777216\n'
ok "resize-alm" needs 1TiB 'stage = resize-alm\nalm = alm\nlmax = 16777216\n'
ok "resize-alm: one order" needs 128MiB 'stage = resize-alm\nalm = alm\nlmax = 16777216\nmmax = 0\n'
ok "convolve" needs 1TiB \
  'stage = convolve\nmap = sky\nfwhm = 40 deg\nmethod = harmonic\nlmax = 16777216\n'
ok "random-catalogue" needs 1TiB 'stage = random-catalogue\nnumber = 1099511627776\n'
ok "random-catalogue: what fits" has 1GiB 'stage = random-catalogue\nnumber = 10000000\n'
ok "pair-correlation: patches" needs 1GiB \
  "stage = pair-correlation\n${counts}bins = 4096\npatches = 4096\n"
ok "pair-correlation: the covariance" needs 256MiB "stage = pair-correlation\n${counts}bins = 4096\n"
ok "pair-correlation: what fits" has 256MiB "stage = pair-correlation\n${counts}patches = 20\n"
ok "triple-correlation" needs 1TiB "stage = triple-correlation\n${counts}bins = 4096\n"
ok "triple-correlation: equal sides fit" has 256MiB \
  "stage = triple-correlation\n${counts}bins = 4096\nsides = equal\n"
ok "render" needs 256MiB 'stage = render\nmap = sky\nfile = sky.png\nwidth = 8192\n'
ok "render: what fits" has 256MiB 'stage = render\nmap = sky\nfile = sky.png\nwidth = 1000\n'
ok "render-patches" needs 256MiB \
  'stage = render-patches\nmap = sky\nfile = sky.png\ncentres = 0 0, 0 10\nwidth = 4096\n'

# What is there beside outputs, or where all of an input must be: at nside 64 a map has 393216 bytes,
# and a_lm up to lmax 191 have 296448.
map='stage = alm2map\nalm = alm\nnside = 64\n[again]\nmap = last\nstage = '
ok "map2alm: the a_lm and the map fit" has '700 kB' "${map}map2alm\niterations = 0\n"
ok "map2alm: what an iteration adds" needs '900 kB' "${map}map2alm\niterations = 1\n"
ok "map2alm: it fits" has '1000 kB' "${map}map2alm\niterations = 1\n"
ok "map2alm: vectors of conjugate gradients" needs '1500 kB' \
  "${map}map2alm\nmethod = cg\ntolerance = 1e-3\n"
ok "map2alm: they fit" has '1600 kB' \
  "${map}map2alm\nmethod = cg\ntolerance = 1e-3\n"
ok "map2alm: they go to a disk" sh -c \
  "ARMILLA_MEMORY='700 kB' '$armilla' run --quiet --memory 1GiB case.workflow"
ok "ud-grade: all of its input" needs '450 kB' "${map}ud-grade\nnside = 32\n"
ok "ud-grade: it fits" has '500 kB' "${map}ud-grade\nnside = 32\n"
ok "rotate-map: all of its input" needs '700 kB' "${map}rotate-map\npsi = 10 deg\n"
ok "rotate-map: it fits" has '800 kB' "${map}rotate-map\npsi = 10 deg\n"

# A hundred thousand objects have 2.4 MB, sorted by position as many again, and a tenth for the cells
# (a leaf of 16 has 12 numbers of its own); shears and weights 4.8 MB, sorted 8.0.
many='stage = random-catalogue\nnumber = 100000\n[count]\nmin = 1 deg\nmax = 10 deg\nbins = 2\nstage = '
pairs='pair-correlation\ncatalogue = last\nrandom = random\n'
ok "pair-correlation: objects in cells" needs '5 MB' "${many}${pairs}mean-separation = false\n"
ok "pair-correlation: they fit" has '7 MB' "${many}${pairs}mean-separation = false\n"
ok "pair-correlation: and their weights" needs '7 MB' "${many}${pairs}"
ok "triple-correlation: objects in cells" needs '5 MB' \
  "${many}triple-correlation\ncatalogue = last\nrandom = random\n"
awk 'BEGIN { srand (1); print "lon lat weight g1 g2"
  for (i = 0; i < 20000; i++) print 360 * rand (), 90 * rand (), 1, 0.1, 0.1 }' > shears.txt
shears='stage = read-catalogue\nfile = shears.txt\nlongitude = lon\nlatitude = lat\nweight = weight\n'
shears="${shears}longitude-unit = deg\nlatitude-unit = deg\ng1 = g1\\ng2 = g2\\n[count]\\nmin = 1 deg\\nmax = 10 deg\\nbins = 2\\n"
ok "shear-correlation: objects in cells" needs '2 MB' \
  "${shears}stage = shear-correlation\ncatalogue = last\n"
ok "shear-correlation: they fit" has '4 MB' "${shears}stage = shear-correlation\ncatalogue = last\n"

# As on a machine of which hwloc sees only the memory that was there at boot.
printf '%s\n[sky]\nstage = alm2map\nalm = alm\nnside = 512\n%s' "$(random_alm alm theory cl.txt)" \
  "$(printf '[out]\nstage = write-map\nmap = sky\nfile = sky.fits\n')" > case.workflow
ok "what StarPU takes for the size of main memory bounds no run" \
  env STARPU_LIMIT_CPU_MEM=4 timeout 100 "$armilla" run --quiet case.workflow
finish
