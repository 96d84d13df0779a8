#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The stage noise-map: scaled as its input says, the same however it is run. TAP.
. "${srcdir:-.}/tests/lib/test-functions.sh"
python=${PYTHON:-/usr/bin/python3}

cat > noise.workflow << END
[workflow]
repeat = 2
[flat]
stage = noise-map
nside = 64
sigma = 1
sigma-polarised = 1
polarised = true
seed = 11
[hits]
stage = expression
map = flat
expression = floor(abs(10*cos(theta)))
[deviation]
stage = expression
map = flat
expression = where(lon > 180, 3, UNSEEN)
unit = uK
[variance]
stage = expression
map = flat
expression = 4 + 0*T, 9 + 0*T, 0*T
unit = uK^2
spin = 0
[by-hits]
stage = noise-map
map = hits
sigma = 2
unit = uK
seed = 11
[polarised]
stage = noise-map
map = hits
sigma = 2
sigma-polarised = 5
polarised = true
seed = 11
[by-sigma]
stage = noise-map
map = deviation
holds = sigma
seed = 11
[by-variance]
stage = noise-map
map = variance
holds = variance
seed = 11
realisation = 1
[like]
stage = noise-map
like = flat
sigma = 3
sigma-polarised = 2
seed = 11
[both]
stage = noise-map
map = hits
like = flat
sigma = 2
sigma-polarised = 5
seed = 11
$(for map in like both flat hits by-hits polarised by-sigma by-variance; do output "$map-out" map $map "$map-\${index}.fits"; done)
END
mkdir plain && cd plain || exit 99
ok "noise of hits, sigma and variance" run ../noise.workflow
cat > ../check.py << 'END'
import healpy, numpy as np
UNSEEN = healpy.UNSEEN
def maps(name):
    return np.atleast_2d(healpy.read_map(name + ".fits", field=None, dtype=np.float64))
for i in "01":
    t, q, u = maps("flat-" + i)
    hits, = maps("hits-" + i)
    seen = hits > 0
    root = np.sqrt(np.where(seen, hits, 1))
    assert 0 < seen.sum() < seen.size
    assert np.array_equal(maps("by-hits-" + i)[0], np.where(seen, 2 / root * t, UNSEEN))
    a, b, c = maps("polarised-" + i)
    assert np.array_equal(maps("both-" + i), [a, b, c])
    assert np.array_equal(maps("like-" + i), [3 * t, 2 * q, 2 * u])
    assert np.array_equal(a, np.where(seen, 2 / root * t, UNSEEN))
    assert np.array_equal(b, np.where(seen, 5 / root * q, UNSEEN))
    assert np.array_equal(c, np.where(seen, 5 / root * u, UNSEEN))
    lon = healpy.pix2ang(64, np.arange(t.size), lonlat=True)[0]
    clear = np.abs(lon - 180) > 1e-6
    assert np.array_equal(maps("by-sigma-" + i)[0][clear], np.where(lon > 180, 3 * t, UNSEEN)[clear])
    v = maps("by-variance-" + i)
    t, q, u = maps("flat-1")
    assert np.array_equal(v, [2 * t, 3 * q, 0 * u])
assert not np.array_equal(maps("flat-0"), maps("flat-1"))
h = dict((k, v) for k, v, *_ in healpy.read_map("by-variance-0.fits", h=True)[1])
assert (h["TUNIT1"], h["TUNIT2"], h["TTYPE2"], h["POLCCONV"]) == ("uK", "uK", "Q_POLARISATION", "COSMO"), h
h = dict((k, v) for k, v, *_ in healpy.read_map("by-sigma-0.fits", h=True)[1])
assert h["TUNIT1"] == "uK", h
# white: the spectrum of what is flat is 4 pi / n_pixels, in T, E and B
cl = healpy.anafast(maps("flat-0"), lmax=127, iter=0, use_pixel_weights=False)
l = np.arange(128)
for spectrum in cl[:3]:
    s = slice(2, 128)
    mean = np.average(spectrum[s], weights=2 * l[s] + 1) / (4 * np.pi / 49152)
    print(mean)
    assert abs(mean - 1) < 5 * np.sqrt(2 / (128 ** 2 - 4)) + 2e-3
END
if "$python" -c 'import healpy, numpy' 2> /dev/null; then
  ok "as NumPy and healpy have it" "$python" -B ../check.py
else
  skip "as NumPy and healpy have it" "no healpy"
fi
cd .. || exit 99
same_everywhere ../noise.workflow

# --- What is refused
# refused TEXT NODE SED-COMMAND: with that node so changed
refused () { sed "/^\[$2\]/,/^\[/{$3}" noise.workflow > bad.workflow && gives 1 "$1" "$armilla" run --dry-run bad.workflow; }
ok "no grid" refused "nside is not set; set it, or connect map or like" flat '/^nside/d'
ok "two grids" refused "nside and map are both given" by-hits 's/^seed/nside = 8\nseed/'
ok "two grids with like" refused "nside and like are both given; leave out nside" like \
  's/^seed/nside = 8\nseed/'
sed '/^\[both\]/,/^sigma-/s/^like = flat/like = coarse/; /^\[both\]/,/^seed/{/^sigma-p/d}' noise.workflow > bad.workflow
printf '[coarse]\nstage = noise-map\nnside = 32\nsigma = 1\n' >> bad.workflow
ok "other pixels" gives 1 "map is HEALPix nside 64, but like is HEALPix nside 32" \
  "$armilla" run --dry-run bad.workflow
ok "two fields of like" refused "like has 2 fields" both 's/^like = flat/like = two/
  s/^\[both\]/[two]\nstage = set-fields\ninput = variance\nfields = 0, 1\n&/'
ok "no sigma" refused "set the noise of one hit" by-hits '/^sigma/d'
ok "no sigma of a pixel" refused "set the noise of a pixel" flat '/^sigma/d'
ok "a sigma too many" refused "otherwise map determines the noise" by-sigma 's/^seed/sigma = 2\nseed/'
ok "sigma of Q and U without them" refused "sigma-polarised requires sigma" by-hits 's/^seed/sigma-polarised = 2\nseed/'
ok "two fields" refused "map has 2 fields" variance 's/, 0\*T//'
sed 's/^expression = 4 + 0\*T/expression = T/' noise.workflow > bad.workflow
mkdir negative && cd negative || exit 99
ok "a negative variance" gives 1 "map has the variance -" "$armilla" run --quiet ../bad.workflow
ok "leaves no map" not test -e by-variance-0.fits
cd .. || exit 99
finish
