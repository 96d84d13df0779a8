# SPDX-License-Identifier: GPL-3.0-or-later
# The ten usual jobs among the example workflows, and what those read that Debian's healpy-data has
# not: sourced by scripts that run or plan them, after test-functions.sh.

# The tenth is hundred-skies, on two ranks, killed and resumed.
jobs="smooth-and-plot masked-spectrum hundred-skies nested-to-equatorial e-and-b-maps w-of-theta
  shear-bins beam-profile difference-map"

# job_inputs: nested.fits, iqu.fits, galaxies.csv, shapes.fits and beam.txt, in this folder. The first is WMAP's, or
# random where there are no maps.
job_inputs ()
{
  temperature=sky
  ! has_maps || temperature=wmap
  cat > inputs.workflow << END || return 1
$(! has_maps || input wmap map "$data/test/data/wmap_band_iqumap_r9_7yr_W_v4_udgraded32_masked.fits")
[nested]
stage = change-order
map = $temperature
order = nested
$(output nested-out map nested nested.fits)
partial = true
[theory]
stage = read-camb
file = $data/data/totcls.dat
[sky]
stage = synfast
cl = theory
nside = 32
lmax = 2*32
fwhm = 5 deg
$(output sky-out map sky iqu.fits)
$(input shapes catalogue shapes.csv)
longitude-unit = deg
latitude-unit = deg
g1 = g1
g2 = g2
values = Z
$(output shapes-out catalogue shapes shapes.fits)
END
  # Pairs of objects within half a degree
  awk 'BEGIN { print "ra,dec"; srand (2)
    for (i = 0; i < 2000; i++) {
      a = 80 * rand (); d = 80 * rand () - 40
      print a "," d; print a + rand () / 2 "," d + rand () / 2
    } }' > galaxies.csv
  # A wave in g1 that grows with redshift, and shapes of their own
  awk 'BEGIN { print "ra,dec,g1,g2,Z"; srand (3)
    for (i = 0; i < 8000; i++) {
      a = 20 * rand (); d = 20 * rand () - 10; z = 0.2 + 0.8 * rand ()
      printf "%.5f,%.5f,%.5f,%.5f,%.4f\n", a, d, 0.1 * z * sin (a / 2) + 0.1 * (rand () - 0.5),
        0.1 * (rand () - 0.5), z
    } }' > shapes.csv
  # (1 + (t / 6 deg)^2)^-3 down to 0 at 20 degrees, over its integral
  awk 'BEGIN { pi = atan2 (0, -1); n = 400
    for (i = 0; i <= n; i++) {
      t = 1200 * i / n
      b[i] = (1 + cos (pi * i / n)) / (1 + (t / 360) ^ 2) ^ 3
      sum += b[i] * 2 * pi * sin (t * pi / 10800) * 1200 / n * pi / 10800
    }
    for (i = 0; i <= n; i++) printf "%g %.9g\n", 1200 * i / n, b[i] / sum }' > beam.txt
  "$armilla" run --quiet inputs.workflow && rm inputs.workflow shapes.csv
}
