# SPDX-License-Identifier: GPL-3.0-or-later
"""Images of the sky in the projection CAR against astropy and pixell: geometries, files, a_lm."""
import re
import sys
import warnings

import numpy as np
import pytest

import armilla
from armilla import geometry, stages

RESOLUTION = 3  # degrees: rings of a Fejer 1 grid are 60, so it determines a_lm up to lmax = 59
SPINS = (0, 2)


def header(n_x, crpix1, crpix2, cdelt1=-3.0, cdelt2=3.0, crval1=1.5):
    return {"CTYPE1": "RA---CAR", "CTYPE2": "DEC--CAR", "CRPIX1": crpix1, "CRPIX2": crpix2,
            "CDELT1": cdelt1, "CDELT2": cdelt2, "CRVAL1": crval1, "CRVAL2": 0.0}


# Name: shape, header, n_theta of the whole sky.
IMAGES = {
    "fejer1": ((60, 120), header(120, 60.5, 30.5), 60),
    "fejer1-act": ((60, 120), header(120, 61, 30.5, crval1=0), 60),
    "fejer1-eastwards": ((60, 120), header(120, 60.5, 30.5, 3.0), 60),
    "fejer1-southwards": ((60, 120), header(120, 60.5, 30.5, cdelt2=-3.0), 60),
    "fejer1-rings": ((60, 120), header(120, 60.5, 30.5, 3.0, -3.0), 60),
    "fejer1-turned": ((60, 120), header(120, 60.5, 30.5, crval1=100.123), 60),
    "fejer1-shifted": ((60, 120), header(120, -1000.5, 30.5), 60),
    "fejer1-fine": ((60, 240), header(240, 120.5, 30.5, -1.5, crval1=0.75), 60),
    "clenshaw-curtis": ((61, 120), header(120, 60.5, 31), 61),
    "clenshaw-curtis-half": ((61, 120), header(120, 60, 31), 61),
    "clenshaw-curtis-rings": ((61, 120), header(120, 60, 31, 3.0, -3.0), 61),
    "driscoll-healy": ((60, 120), header(120, 60.5, 30), 60),
    "band": ((20, 120), header(120, 60.5, 25.5), 60),
    "band-act": ((21, 120), header(120, 61, 18.5, crval1=0), 60),
    "band-clenshaw-curtis": ((20, 120), header(120, 60.5, 5), 61),
    "patch": ((20, 35), header(35, 10.5, 25.5), 60),
    "patch-over-180": ((20, 35), header(35, 15, 8.5, crval1=180), 60),
    "patch-from-far": ((20, 35), header(35, 75.5, 8.5), 60),
    "patch-rings": ((20, 35), header(35, 75.5, 8.5, 3.0, -3.0), 60),
    "patch-clenshaw-curtis": ((20, 35), header(35, 15, 31, crval1=179.3), 61),
    "patch-at-the-pole": ((5, 35), header(35, 15, -24.5, crval1=180), 60),
}
WHOLE = [name for name in IMAGES if name.startswith(("fejer1", "clenshaw", "driscoll"))]


@pytest.fixture(params=IMAGES)
def image(request):
    shape, cards, n_theta = IMAGES[request.param]
    return request.param, shape, cards, n_theta


def wcs_of(cards):
    wcs = pytest.importorskip("astropy.wcs")
    made = wcs.WCS(naxis=2)
    made.wcs.ctype = [cards["CTYPE1"], cards["CTYPE2"]]
    for name in "crpix", "cdelt", "crval":
        setattr(made.wcs, name, [cards[name.upper() + "1"], cards[name.upper() + "2"]])
    made.wcs.bounds_check(False, False)  # the reference point may be more than 180 degrees away
    return made


def pixell_of(cards):
    """pixell's enmap, and a WCS that it accepts."""
    pytest.importorskip("pixell")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pixell import curvedsky, enmap
    return enmap, curvedsky, wcs_of(cards)


def angles(made):
    """Longitude and latitude, degrees, of the pixels of a geometry as an image: from its own numbers
    of rings, by a synthesis of the three functions of l = 1."""
    alm = np.zeros((3, 3), complex)
    alm[0, 1] = np.sqrt(4 * np.pi / 3)
    alm[1, 2] = -np.sqrt(2 * np.pi / 3)
    alm[2, 2] = 1j * np.sqrt(2 * np.pi / 3)
    z, x, y = armilla.alm2map(alm, geometry=made)
    return np.degrees(np.arctan2(y, x)), np.degrees(np.arctan2(z, np.hypot(x, y)))


def test_corners(image):
    """Positions are those of astropy, to 1e-9 of a pixel."""
    _, shape, cards, n_theta = image
    wcs = wcs_of(cards)
    made = geometry.car(shape, wcs)
    assert made.n_theta == n_theta and made.image_shape == shape
    assert made == geometry.car((3,) + shape, cards)  # a dict has the same numbers
    longitude, latitude = angles(made)
    rows = np.array([0, 0, shape[0] - 1, shape[0] - 1, shape[0] // 2])
    columns = np.array([0, shape[1] - 1, 0, shape[1] - 1, shape[1] // 3])
    there = wcs.wcs_pix2world(np.stack((columns, rows), -1), 0)
    pole = np.abs(there[:, 1]) > 89.9
    apart = (longitude[rows, columns] - there[:, 0] + 180) % 360 - 180
    assert np.abs(apart[~pole]).max(initial=0) < 1e-9 * abs(cards["CDELT1"])
    assert np.abs(latitude[rows, columns] - there[:, 1])[~pole].max() < 1e-9 * abs(cards["CDELT2"])


def test_back_to_astropy(image):
    _, shape, cards, _ = image
    wcs = wcs_of(cards)
    sky = armilla.Map(np.arange(np.prod(shape), dtype=float).reshape(shape),
                      geometry=geometry.car(shape, wcs))
    for name in "crpix", "cdelt", "crval":
        assert list(getattr(sky.wcs.wcs, name)) == list(getattr(wcs.wcs, name))
    assert list(sky.wcs.wcs.ctype) == list(wcs.wcs.ctype)
    assert np.array_equal(sky.array, np.arange(np.prod(shape)).reshape(shape))
    assert np.asarray(sky).shape == shape


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_files_of_pixell(image, dtype, rng, tmp_path, monkeypatch):
    """pixell reads what Armilla writes and the other way round, with the same geometry and bits."""
    _, shape, cards, _ = image
    enmap, _, wcs = pixell_of(cards)
    monkeypatch.chdir(tmp_path)
    given = enmap.ndmap(rng.standard_normal((3,) + shape).astype(dtype), wcs)
    enmap.write_map("in.fits", given)
    sky = stages.read_map("in.fits", fields="all")
    assert sky.spins == SPINS and sky.coordinates == "C"
    assert np.array_equal(sky.array, given)
    for name in "out.fits", "out.fits.gz":
        stages.write_map(sky, name, dtype=np.dtype(dtype).name)
        back = enmap.read_map(name)
        assert back.dtype == dtype and back.shape == given.shape
        assert np.array_equal(back, given)
        corners = [[-0.5, -0.5], [shape[0] - 0.5, shape[1] - 0.5]]
        assert np.abs(back.pix2sky(np.transpose(corners), safe=False)
                      - given.pix2sky(np.transpose(corners), safe=False)).max() < 1e-9 * np.pi / 60
    header = enmap.read_map_geometry("out.fits")  # reads the first 2880 bytes only
    assert header[0] == given.shape and header[1].wcs.compare(enmap.read_map("out.fits").wcs.wcs)


@pytest.mark.parametrize("polcconv, sign", [(None, -1), ("IAU", -1), ("COSMO", 1)])
def test_conventions(polcconv, sign, rng, tmp_path, monkeypatch):
    """The sign of U is that of pixell, with a Stokes axis and without POLCCONV, too."""
    shape, cards, _ = IMAGES["patch"]
    enmap, _, wcs = pixell_of(cards)
    monkeypatch.chdir(tmp_path)
    given = enmap.ndmap(rng.standard_normal((3,) + shape), wcs)
    extra = {"CTYPE3": "STOKES", "CRVAL3": 1.0, "CRPIX3": 1.0, "CDELT3": 1.0}
    if polcconv:
        extra["POLCCONV"] = polcconv
    enmap.write_fits("in.fits", given, extra=extra)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = enmap.read_map("in.fits")
    ours = stages.read_map("in.fits", fields="all")
    assert np.array_equal(ours.array, theirs)
    assert np.array_equal(ours.array[2], sign * given[2])
    stages.write_map(ours, "iau.fits", polcconv="iau")
    assert np.array_equal(enmap.read_map("iau.fits"), theirs)


def sky_of(made, lmax, rng):
    alm = rng.standard_normal((3, armilla.alm_size(lmax))) \
        + 1j * rng.standard_normal((3, armilla.alm_size(lmax)))
    alm[:, :lmax + 1] = alm[:, :lmax + 1].real
    alm[1:, [0, 1, lmax + 1]] = 0
    return alm


def test_synthesis_of_pixell(image, rng):
    _, shape, cards, n_theta = image
    enmap, curvedsky, wcs = pixell_of(cards)
    alm = sky_of(None, 40, rng)
    theirs = curvedsky.alm2map(alm, enmap.zeros((3,) + shape, wcs))
    ours = armilla.alm2map(alm, spin=SPINS, geometry=theirs)
    assert np.abs(ours - theirs).max() < 1e-12 * np.abs(theirs).max()
    out = np.empty_like(ours)
    assert armilla.alm2map(alm, spin=SPINS, geometry=theirs, out=out) is out
    assert np.array_equal(out, ours)
    single = armilla.alm2map(alm.astype(np.complex64), spin=SPINS, geometry=theirs)
    assert single.dtype == np.float32 and np.allclose(single, ours, atol=1e-4)
    like = stages.alm2map(armilla.Alm(alm), like=theirs)
    assert np.abs(like.array - ours).max() < 1e-13 * np.abs(ours).max()
    back = enmap.ndmap(like.array, like.wcs)
    assert back.shape == theirs.shape and back.wcs.wcs.compare(theirs.wcs.wcs, tolerance=1e-12)


def test_analysis_of_pixell(image, rng):
    """Of white noise: at the lmax that the rings hold, where pixell resamples the whole sky too, and
    of parts of the sky below the limit of the quadrature, where it sums over pixels."""
    name, shape, cards, n_theta = image
    enmap, curvedsky, wcs = pixell_of(cards)
    noise = enmap.ndmap(rng.standard_normal((3,) + shape), wcs)
    held = {61: 59, 60: 29 if name == "driscoll-healy" else 59}[n_theta]
    for lmax, method in ((held, "2d"), ((n_theta - 2) // 2, "cyl")):
        if method == "cyl" and name in WHOLE or held == 29:
            continue
        theirs = curvedsky.map2alm(noise, lmax=lmax, method=method)
        ours = armilla.map2alm(noise, lmax, spin=SPINS, iter=0)
        assert np.abs(ours - theirs).max() < 1e-12 * np.abs(theirs).max(), method
        assert np.array_equal(ours, armilla.map2alm(np.asarray(noise), lmax, spin=SPINS, iter=0,
                                                    geometry=geometry.car(shape, cards)))
        through = stages.map2alm(noise, lmax=lmax, iterations=0).array
        assert np.abs(through - ours).max() < 1e-13 * np.abs(ours).max()


@pytest.mark.parametrize("name", WHOLE)
def test_round_trip(name, rng):
    """a_lm of the whole sky come back, in double and in single precision."""
    shape, cards, n_theta = IMAGES[name]
    made = geometry.car(shape, cards)
    lmax = 29 if name == "driscoll-healy" else 59
    alm = sky_of(made, lmax, rng)
    sky = armilla.alm2map(alm, spin=SPINS, geometry=made)
    assert np.abs(armilla.map2alm(sky, lmax, spin=SPINS, geometry=made) - alm).max() < 1e-12
    single = armilla.map2alm(sky.astype(np.float32), lmax, spin=SPINS, geometry=made)
    assert single.dtype == np.complex64 and np.abs(single - alm).max() < 1e-3
    assert np.array_equal(armilla.map2alm(armilla.Map(sky, geometry=made), lmax, spin=SPINS),
                          armilla.map2alm(sky, lmax, spin=SPINS, geometry=made))
    several = armilla.map2alm(np.stack((sky, 2 * sky)), lmax, spin=SPINS, geometry=made)
    assert np.abs(several[1] - 2 * alm).max() < 1e-12


@pytest.mark.parametrize("lmax", [20, 45])
def test_outside(lmax):
    """A part of the sky is a map that is 0 outside, in iterations and in coupling matrices, too."""
    shape, cards, _ = IMAGES["patch"]
    part = armilla.Map(np.ones(shape), geometry=geometry.car(shape, cards))
    sky = np.zeros((60, 120))
    sky[5:25, 50:85] = 1  # where the reference points of both images are the same point
    whole = armilla.Map(sky, geometry=geometry.car((60, 120), IMAGES["fejer1"][1]))
    expected = armilla.map2alm(whole, lmax, iter=0)
    for options in {}, {"iter": 0}, {"iter": 3}:
        assert np.abs(armilla.map2alm(part, lmax, **options) - expected).max() < 1e-14
    matrix = stages.coupling(whole, lmax=lmax, spins="0").array
    assert np.abs(stages.coupling(part, lmax=lmax, spins="0").array - matrix).max() < 1e-14
    cl = armilla.alm2cl(armilla.map2alm(whole, 59, iter=0))  # all multipoles that the rings hold
    assert np.abs(stages.coupling(cl=armilla.Cl(cl), lmax=lmax, spins="0").array - matrix
                  ).max() < 1e-14


@pytest.mark.parametrize("method", ["harmonic", "ring"])
def test_convolution(method, rng):
    """A part of the sky is smoothed like a map that is 0 outside."""
    shape, cards, _ = IMAGES["patch"]
    values = rng.standard_normal(shape)
    part = armilla.Map(values, geometry=geometry.car(shape, cards))
    sky = np.zeros((60, 120))
    sky[5:25, 50:85] = values
    whole = armilla.Map(sky, geometry=geometry.car((60, 120), IMAGES["fejer1"][1]))
    expected = stages.convolve(whole, fwhm="12 deg", method=method).array[5:25, 50:85]
    found = stages.convolve(part, fwhm="12 deg", method=method).array
    assert np.abs(found - expected).max() < 1e-13


def test_adjoints(image, rng):
    _, shape, cards, _ = image
    made = geometry.car(shape, cards)
    alm = sky_of(made, 20, rng)[0]
    noise = rng.standard_normal(shape)
    scale = np.where(np.arange(alm.size) > 20, 2, 1)
    for forth, back in ((armilla.alm2map, armilla.adjoint_alm2map),
                        (armilla.adjoint_map2alm, lambda m, lmax, geometry:
                         armilla.map2alm(m, lmax, iter=0, geometry=geometry))):
        one = np.sum(forth(alm, geometry=made) * noise)
        other = np.sum(scale * (alm.conj() * back(noise, 20, geometry=made)).real)
        assert abs(one - other) < 1e-11 * np.abs(noise).sum()


def test_stages(rng):
    """A map from a stage has the same image, whose outside is UNSEEN for the next one."""
    shape, cards, _ = IMAGES["patch-over-180"]
    sky = armilla.Map(rng.standard_normal(shape), geometry=geometry.car(shape, cards), unit="K")
    masked = stages.mask(sky, sky, weights="seen", outside="unseen")
    assert masked.geometry == sky.geometry and np.array_equal(masked.array, sky.array)
    smooth = stages.convolve(sky, fwhm="10 deg")
    assert smooth.geometry == sky.geometry and smooth.array.shape == shape
    twice = stages.combine(sky, sky, weights="1, 1")
    assert np.array_equal(twice.array, 2 * sky.array) and twice.unit == "K"
    assert stages.rotate_map(sky, phi="3 deg", like=sky).array.shape == shape
    whole = stages.rotate_map(sky, phi="6 deg")  # by two columns, to an image of the whole sky
    assert whole.array.shape == (60, 120)
    seen = whole.array > -1e30
    assert seen.sum() == sky.array.size
    assert np.allclose(np.sort(whole.array[seen]), np.sort(sky.array.ravel()), atol=1e-9)
    with pytest.raises(ValueError, match="HEALPix"):
        stages.ud_grade(sky, nside=8)


@pytest.mark.parametrize("name", ["patch-over-180", "patch-at-the-pole", "band", "clenshaw-curtis"])
def test_apodisation(name, rng):
    """By the distances between all pixels of the sky; outside the image all weights are 0."""
    shape, cards, n_theta = IMAGES[name]
    made = geometry.car(shape, cards)
    mask = (rng.uniform(size=shape) > 0.02).astype(float)
    found = stages.mask(mask=armilla.Map(mask, geometry=made), apodise="20 deg").array
    longitude, latitude = np.radians(angles(made))
    rows = 90 - 180 * (np.arange(n_theta) + (0.5 if n_theta == 60 else 0)) / (
        n_theta if n_theta == 60 else n_theta - 1)
    all_longitudes = longitude[shape[0] // 2, 0] + np.radians(3) * np.arange(120)
    sky = np.stack(np.broadcast_arrays(all_longitudes, np.radians(rows)[:, None]), -1).reshape(-1, 2)
    vector = np.stack((np.cos(sky[:, 1]) * np.cos(sky[:, 0]), np.cos(sky[:, 1]) * np.sin(sky[:, 0]),
                       np.sin(sky[:, 1])), -1)
    here = np.stack((np.cos(latitude) * np.cos(longitude), np.cos(latitude) * np.sin(longitude),
                     np.sin(latitude)), -1)
    column = np.round((sky[:, 0] - longitude[shape[0] // 2, 0]) / np.radians(cards["CDELT1"]))
    row = np.round(((90 - np.degrees(latitude[0, 0])) - (90 - np.degrees(sky[:, 1]))) / cards["CDELT2"])
    column = column.astype(int) % 120
    inside = (row >= 0) & (row < shape[0]) & (column < shape[1])
    weight = np.zeros(len(sky))
    weight[inside] = mask[row[inside].astype(int), column[inside]]
    chord = np.sqrt(((here[:, :, None] - vector[weight == 0]) ** 2).sum(-1)).min(-1)
    x = np.minimum(chord / (2 * np.sin(np.radians(10))), 1)
    expected = mask * np.where(x < 1, x - np.sin(2 * np.pi * x) / (2 * np.pi), 1)
    assert np.abs(found - expected).max() < 1e-9


def test_footprint_of_pixell():
    """resolution and footprint have the pixels of pixell's geometries."""
    enmap, curvedsky, _ = pixell_of(IMAGES["patch"][1])
    alm = np.zeros(armilla.alm_size(30), complex)
    alm[5], alm[40] = 1, 1 + 2j
    for kind, variant in ("fejer1", "fejer1"), ("clenshaw-curtis", "CC"):
        shape, wcs = enmap.fullsky_geometry(res=np.radians(RESOLUTION), variant=variant)
        theirs = curvedsky.alm2map(alm, enmap.zeros(shape, wcs))
        whole = stages.alm2map(alm, grid=kind, resolution=f"{RESOLUTION} deg")
        assert whole.array.shape == tuple(shape)
        assert np.abs(whole.array - theirs).max() < 1e-12
        part = stages.alm2map(alm, grid=kind, resolution=f"{RESOLUTION} deg",
                              footprint="-30 deg, 45 deg, 150 deg, 230 deg")
        there = enmap.extract(theirs, part.array.shape, part.wcs)
        assert np.abs(part.array - there).max() < 1e-12
        posmap = np.degrees(enmap.posmap(part.array.shape, part.wcs, safe=False))
        assert posmap[0].min() >= -30 and posmap[0].max() <= 45
        assert (posmap[1] % 360).min() >= 150 and (posmap[1] % 360).max() <= 230 + 1e-9


@pytest.mark.parametrize("change, message", [
    ({"CTYPE1": "RA---TAN", "CTYPE2": "DEC--TAN"}, "only projection of images"),
    ({"CRVAL2": 10.0}, "CRVAL2 = 10: the projection has other poles"),
    ({"CDELT1": -3.1}, "must be a whole number"),
    ({"CD1_2": 0.1}, "rotated or skewed"),
    ({"CRPIX2": 30.7}, "in the middle or at the edge of a row"),
    ({"CRPIX2": 35.5}, "extend beyond a pole"),
    ({"CTYPE1": None}, "CTYPE1 or CTYPE2 is missing"),
    ({"CRPIX1": float("nan")}, "not a finite number"),
])
def test_other_images(change, message):
    shape, cards, _ = IMAGES["fejer1"]
    changed = {key: value for key, value in {**cards, **change}.items() if value is not None}
    with pytest.raises(ValueError, match=re.escape(message)) as error:
        geometry.car(shape, changed)
    assert str(error.value).startswith("wcs: ")


def test_wrong_arguments():
    shape, cards, _ = IMAGES["fejer1"]
    made = geometry.car(shape, cards)
    with pytest.raises(ValueError, match="must be 60 rows and 120 columns"):
        armilla.map2alm(np.zeros((3, 120, 60)), 10, geometry=made)
    with pytest.raises(ValueError, match="must be 60 rows and 120 columns"):
        armilla.Map(np.zeros(7200), geometry=made)
    with pytest.raises(ValueError, match="the last two numbers"):
        geometry.car((60,), cards)
    with pytest.raises(TypeError, match="WCS of astropy"):
        geometry.car(shape, 3)
    with pytest.raises(TypeError, match="not an image"):
        geometry.healpix(4).wcs()
    assert geometry.healpix(4).image_shape is None and armilla.Map(np.zeros(48)).wcs is None
    with pytest.raises(ValueError, match="out: its shape"):
        armilla.alm2map(np.zeros(6, complex), geometry=made, out=np.zeros(7200))


@pytest.mark.parametrize("name", ["patch-over-180", "patch-clenshaw-curtis", "fejer1-turned",
                                  "fejer1-rings"])
def test_objects(name, rng):
    """Objects at the centres of pixels are in these pixels, and have their values."""
    shape, cards, _ = IMAGES[name]
    values = rng.standard_normal(shape)
    sky = armilla.Map(values, geometry=geometry.car(shape, cards), coordinates="C")
    row, column = np.divmod(rng.choice(values.size, 40, replace=False), shape[1])
    there = wcs_of(cards).wcs_pix2world(np.stack((column, row), -1), 0)
    away_from_poles = np.abs(there[:, 1]) < 89
    row, column, there = row[away_from_poles], column[away_from_poles], there[away_from_poles]
    objects = {"longitude": there[:, 0] % 360, "latitude": there[:, 1]}
    counts = np.zeros(shape)
    counts[row, column] = 1
    assert np.array_equal(stages.bin_catalogue(objects, like=sky).array, counts)
    sampled = stages.sample_map(sky, objects, method="nearest")
    assert np.array_equal(np.asarray(sampled["TEMPERATURE"]), values[row, column])


@pytest.mark.parametrize("name", ["patch-over-180", "patch-clenshaw-curtis", "fejer1-turned"])
def test_formulas(name):
    """Angles in formulas are those of astropy."""
    shape, cards, _ = IMAGES[name]
    sky = armilla.Map(np.ones(shape), geometry=geometry.car(shape, cards))
    row, column = np.mgrid[:shape[0], :shape[1]]
    longitude, latitude = np.radians(wcs_of(cards).wcs_pix2world(column, row, 0))
    found = stages.expression("map * sin(theta) * cos(phi)", sky).array
    assert np.abs(found - np.cos(latitude) * np.cos(longitude)).max() < 1e-12


def test_without_astropy(monkeypatch):
    """Only the attribute wcs of a map needs it."""
    for name in "astropy", "astropy.wcs":
        monkeypatch.setitem(sys.modules, name, None)
    alm = armilla.Alm(np.ones(6, complex))
    image = armilla.stages.alm2map(alm, grid="fejer1", resolution="6 deg",
                                   footprint="-30 deg, 30 deg, 20 deg, 80 deg")
    assert armilla.map2alm(image, lmax=2).shape == (6,)
    with pytest.raises(ImportError):
        image.wcs
