# SPDX-License-Identifier: GPL-3.0-or-later
"""Armilla as software is used: by threads, after a fork, stopped, and told what it cannot do."""
import os
import signal
import subprocess
import sys
import textwrap
import threading

import numpy as np
import pytest
from numpy.lib.stride_tricks import as_strided

import armilla
from armilla import geometry

MONOPOLE = np.zeros(armilla.alm_size(16), complex)
MONOPOLE[0] = np.sqrt(4 * np.pi)


def script(text, **environment):
    """What a Python of its own prints."""
    result = subprocess.run([sys.executable, "-c", textwrap.dedent(text)], timeout=60, text=True,
                            env={**os.environ, **environment}, stdout=subprocess.PIPE, check=True)
    return result.stdout.strip()


def test_threads():
    failures = []

    def work(value):
        for _ in range(20):
            if not np.allclose(armilla.alm2map(value * MONOPOLE, nside=8), value):
                failures.append(value)
    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_stop_and_start():
    for _ in range(3):
        armilla.stop()
        np.testing.assert_allclose(armilla.alm2map(MONOPOLE, nside=8), 1)


def test_sessions():
    with armilla.session(cores=1) as session:
        assert session.cores == 0
        np.testing.assert_allclose(armilla.alm2map(MONOPOLE, nside=8), 1)
        assert session.cores == 1
        assert not session.cancel()
    np.testing.assert_allclose(armilla.alm2map(MONOPOLE, nside=8), 1)
    with pytest.raises(ValueError, match="cores"):
        armilla.session(cores=-1)


def test_sessions_within_each_other():
    with armilla.session(cores=1) as outer:
        with armilla.session() as inner:
            armilla.alm2map(MONOPOLE, nside=8)
            assert inner.cores > 0 and outer.cores == 0
        armilla.alm2map(MONOPOLE, nside=8)
        assert inner.cores == 0 and outer.cores == 1
    armilla.alm2map(MONOPOLE, nside=8)
    assert outer.cores == 0


def test_sessions_are_replaced_while_others_compute():
    failures, done = [], threading.Event()

    def work():
        while not done.is_set():
            try:
                armilla.alm2map(MONOPOLE, nside=8)
            except armilla.Error as error:
                failures.append(error)
    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for i in range(20):
        armilla.session(cores=1 + i % 2)
        armilla.alm2map(MONOPOLE, nside=8)
    done.set()
    for thread in threads:
        thread.join()
    armilla.session()
    assert not failures


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_fork_while_a_thread_computes():
    """The fork has the locks, but not the thread that would open them."""
    said = script("""
        import os, signal, sys, threading, time, numpy, armilla
        alm, done = numpy.zeros(armilla.alm_size(256), complex), threading.Event()

        def work():
            while not done.is_set():
                armilla.alm2map(alm, nside=128)
        thread = threading.Thread(target=work)
        thread.start()
        time.sleep(0.3)
        for _ in range(5):
            child = os.fork()
            if child == 0:
                signal.alarm(20)
                try:
                    armilla.alm2map(alm, nside=64)
                except armilla.SessionError:
                    sys.exit(0)
                os._exit(1)
            print(os.waitpid(child, 0)[1], flush=True)
        done.set()
        thread.join()
    """)
    assert said.split() == ["0"] * 5


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_fork():
    said = script("""
        import os, numpy, armilla
        alm = numpy.zeros(6, complex)
        armilla.alm2map(alm, nside=4)
        if os.fork() == 0:
            try:
                armilla.alm2map(alm, nside=4)
            except armilla.SessionError as error:
                print("fork" in str(error), flush=True)
            os._exit(0)
        os.wait()
        print(armilla.alm2map(alm, nside=4).shape)
    """)
    assert said.split("\n") == ["True", "(192,)"]


def test_cores_of_the_environment():
    text = """
        import numpy, armilla
        from armilla import _session
        armilla.alm2map(numpy.zeros(6, complex), nside=4)
        print(_session.current().cores)
    """
    assert script(text, STARPU_NCPU="1") == "1"
    environment = {name: value for name, value in os.environ.items() if name != "STARPU_NCPU"}
    result = subprocess.run([sys.executable, "-c", textwrap.dedent(text)], timeout=60, text=True,
                            env={**environment, "OMP_NUM_THREADS": "1"}, stdout=subprocess.PIPE)
    assert result.stdout.strip() == "1"


def test_signals_are_the_programs():
    said = script("""
        import signal
        before = [signal.getsignal(s) for s in (signal.SIGINT, signal.SIGTERM, signal.SIGSEGV)]
        import numpy, armilla
        armilla.alm2map(numpy.zeros(6, complex), nside=4)
        print(before == [signal.getsignal(s)
                         for s in (signal.SIGINT, signal.SIGTERM, signal.SIGSEGV)])
    """)
    assert said == "True"
    assert signal.getsignal(signal.SIGINT) is not None


def test_not_converged(rng):
    with pytest.raises(armilla.NotConverged):
        armilla.map2alm(rng.uniform(-1, 1, 768), 30, tolerance=1e-15, max_iter=1)


def test_nan_spreads():
    alm = MONOPOLE.copy()
    alm[3] = np.nan
    assert np.isnan(armilla.alm2map(alm, nside=8)).all()
    np.testing.assert_allclose(armilla.alm2map(MONOPOLE, nside=8), 1)
    l = np.concatenate([np.arange(m, 17) for m in range(17)])
    assert (np.isnan(armilla.rotate_alm(alm, 0.1, 0.2, 0.3)) == (l == 3)).all()
    map = np.ones(768)
    map[5] = np.nan
    assert np.isnan(armilla.convolve(map, fwhm=0.5)[5])
    with pytest.raises(armilla.WorkflowError, match="1 of 768 pixels .* are NaN"):
        armilla.stages.convolve(map, fwhm="5 deg")


READ_ONLY = np.zeros(768)
READ_ONLY.flags.writeable = False
SHARED = np.zeros(2000)
WRONG = [
    (lambda: armilla.alm2map(MONOPOLE), ValueError, "nside"),
    (lambda: armilla.alm2map(MONOPOLE, nside=0), ValueError, "nside"),
    (lambda: armilla.alm2map(MONOPOLE, nside=8, geometry=geometry.healpix(8)), ValueError,
     "geometry"),
    (lambda: armilla.alm2map(MONOPOLE, geometry="healpix"), TypeError, "geometry"),
    (lambda: armilla.alm2map(MONOPOLE[:-1], nside=8), ValueError, "alm: there is no lmax"),
    (lambda: armilla.alm2map(MONOPOLE, nside=8, lmax=17), ValueError, "alm: it has"),
    (lambda: armilla.alm2map(MONOPOLE, nside=8, spin=4), ValueError, "spin"),
    (lambda: armilla.alm2map(MONOPOLE, nside=8, spin="two"), TypeError, "spin"),
    (lambda: armilla.alm2map(MONOPOLE, nside=8, spin=2), ValueError, "alm: its shape"),
    (lambda: armilla.alm2map(np.array("text"), nside=8), TypeError, "alm: its type"),
    (lambda: armilla.alm2map(1.0, nside=8), ValueError, "alm: it is a single number"),
    (lambda: armilla.alm2map(np.zeros((0, 6), complex), nside=8), ValueError, "batch"),
    (lambda: armilla.alm2map(MONOPOLE, nside=8, out=np.zeros(767)), ValueError, "out: its shape"),
    (lambda: armilla.alm2map(MONOPOLE, nside=8, out=np.zeros(768, int)), TypeError,
     "out: its type"),
    (lambda: armilla.alm2map(MONOPOLE, nside=8, out=READ_ONLY), ValueError, "out: it is read-only"),
    (lambda: armilla.alm2map(SHARED[:306].view(complex), nside=8, out=SHARED[300:1068]),
     ValueError, "out: it overlaps alm"),
    (lambda: armilla.almxfl(MONOPOLE, [1.0], out=MONOPOLE), ValueError, "out: it overlaps alm"),
    (lambda: armilla.rotate_alm(MONOPOLE, 1, 2, 3, out=MONOPOLE), ValueError, "out: it overlaps"),
    (lambda: armilla.alm2map(MONOPOLE, nside=8, out=[0.0] * 768), TypeError, "out: .* list"),
    (lambda: armilla.alm2map(MONOPOLE, nside=8, out=np.ma.masked_less(np.zeros(768), 1)),
     TypeError, "out: masked arrays are not supported"),
    (lambda: armilla.alm2map(MONOPOLE, nside=8, out=as_strided(np.zeros(1), (768,), (0,))),
     ValueError, "out: some of its elements overlap"),
    (lambda: armilla.alm2map([MONOPOLE, MONOPOLE], nside=8,
                             out=as_strided(np.zeros(800), (2, 768), (80, 8))),
     ValueError, "out: some of its elements overlap"),
    (lambda: armilla.map2alm(np.ma.masked_less(np.arange(768.0), 5)), TypeError,
     "map: masked arrays are not supported"),
    (lambda: armilla.map2alm(np.zeros(767)), ValueError, "map: 767 pixels"),
    (lambda: armilla.map2alm(np.zeros(768), 5, 6), ValueError, "mmax"),
    (lambda: armilla.map2alm(np.zeros(768), -1), ValueError, "mmax|lmax"),
    (lambda: armilla.map2alm(np.zeros(768, complex)), TypeError, "map: its type"),
    (lambda: armilla.map2alm(np.zeros(768), iter=-1), ValueError, "iter: -1 is not from 0"),
    (lambda: armilla.map2alm(np.zeros(768), tolerance=2), ValueError, "tolerance"),
    (lambda: armilla.map2alm(np.zeros(768), iter=1, tolerance=0.1), ValueError, "iter"),
    (lambda: armilla.map2alm(np.zeros(768), ring_weights=np.ones(3)), ValueError,
     "3 ring weights"),
    (lambda: armilla.map2alm(np.zeros(768), ring_weights=np.ones((4, 4))), ValueError,
     "ring_weights: their shape"),
    (lambda: armilla.gradient(np.zeros((2, 7), complex), nside=8), ValueError, "alm"),
    (lambda: armilla.adjoint_gradient(np.zeros(768)), ValueError, "map: its shape"),
    (lambda: armilla.alm2cl(MONOPOLE, MONOPOLE[:6]), ValueError, "alm2"),
    (lambda: armilla.alm2cl([MONOPOLE] * 2, [MONOPOLE] * 3), ValueError, "alm2: its shape"),
    (lambda: armilla.alm2cl(MONOPOLE, lmax_out=17), ValueError, "lmax_out"),
    (lambda: armilla.alm2cl(MONOPOLE, cross=True), ValueError, "alm: its shape"),
    (lambda: armilla.almxfl(MONOPOLE, np.zeros((2, 5))), ValueError, "window: its shape"),
    (lambda: armilla.almxfl(MONOPOLE, []), ValueError, "window"),
    (lambda: armilla.rotate_alm(MONOPOLE, 0, np.nan, 0), ValueError, "theta"),
    (lambda: armilla.rotate_alm(MONOPOLE, 0, 4, 0), ValueError, "theta"),
    (lambda: armilla.random_alm(np.ones((3, 5)), seed=1), ValueError, "cl: its shape"),
    (lambda: armilla.random_alm(-np.ones(5), seed=1), ValueError, "the spectrum is -1"),
    (lambda: armilla.random_alm(np.ones(5), seed=-1), ValueError, "seed"),
    (lambda: armilla.random_alm(np.ones(5), seed=1, copies=0), ValueError, "copies"),
    (lambda: armilla.convolve(np.zeros(768)), ValueError, "one of fwhm"),
    (lambda: armilla.convolve(np.zeros(768), fwhm=1, radius=1), ValueError, "one of fwhm"),
    (lambda: armilla.convolve(np.zeros(768), fwhm=-1), ValueError, "fwhm"),
    (lambda: armilla.convolve(np.zeros(768), fwhm=1, accuracy=2), ValueError, "accuracy"),
    (lambda: armilla.convolve(np.zeros(768), profile=([0, 1], [1])), ValueError, "profile"),
    (lambda: geometry.rings([], []), ValueError, "theta"),
    (lambda: geometry.rings([1, 2], [4]), ValueError, "n_phi"),
    (lambda: geometry.rings([1, 2], [4.5, 4]), TypeError, "n_phi"),
    (lambda: geometry.rings([1, 2], [4, 4], first=[0, 4.0]), TypeError, "first"),
    (lambda: armilla.session(cores="two"), TypeError, "cores: 'two' is not a whole number"),
    (lambda: armilla.session(memory=2**63), ValueError, "memory"),
    (lambda: armilla.alm_size(2, 3), ValueError, "mmax: 3 is not from 0 to lmax = 2"),
    (lambda: armilla.alm_size(2.5), TypeError, "lmax"),
    (lambda: armilla.alm_lmax(6.0), TypeError, "size"),
    (lambda: armilla.map2alm(np.zeros(768), 2**63), ValueError, "lmax"),
    (lambda: armilla.map2alm(np.zeros(768), iter="two"), TypeError, "iter"),
    (lambda: armilla.map2alm(np.zeros(768), iter=10**12), ValueError, "iter"),
    (lambda: armilla.map2alm(np.zeros(768), tolerance="1"), TypeError, "tolerance"),
    (lambda: armilla.map2alm(np.zeros(768), tolerance=0.1, max_iter=0), ValueError, "max_iter"),
    (lambda: armilla.convolve(np.zeros(768), fwhm=1j), TypeError, "fwhm"),
    (lambda: armilla.convolve(np.zeros(768), radius=[[1], [1, 2]]), TypeError, "radius"),
    (lambda: armilla.convolve(np.zeros(768), fwhm=1, accuracy="1e-4"), TypeError, "accuracy"),
    (lambda: armilla.convolve(np.zeros(768), profile=1), TypeError, "profile"),
    (lambda: armilla.convolve(np.zeros(768), window=[1, np.nan]), ValueError, "^window"),
    (lambda: armilla.convolve(np.zeros(768), profile=([0, np.inf], [1, 0])), ValueError,
     "^profile"),
    (lambda: armilla.rotate_alm(MONOPOLE, 0, "x", 0), TypeError, "theta"),
    (lambda: armilla.random_alm(np.ones(5), -1, seed=1), ValueError, "^lmax"),
    (lambda: geometry.healpix(2**29 + 1), ValueError, "nside"),
    (lambda: geometry.rings(["a"], [4]), TypeError, "theta"),
    (lambda: geometry.rings([1], [4], phi0=[None]), TypeError, "phi0"),
    (lambda: geometry.rings([1], [4], weight=1j), TypeError, "weight"),
    (lambda: armilla.Map(np.zeros(768), names=1), TypeError, "names"),
    (lambda: armilla.Map(np.zeros(768), unit=1), TypeError, "unit"),
    (lambda: armilla.Map(np.zeros(768), geometry="healpix"), TypeError, "geometry"),
    (lambda: armilla.Catalogue({"ra": [1.0], "dec": [2.0]}, coordinates=1), TypeError,
     "coordinates"),
    (lambda: armilla.Table({"a": [1.0]}, units=["K"]), TypeError, "units"),
    (lambda: armilla.Workflow(5), TypeError, "source"),
    (lambda: armilla.Workflow({"a": 5}), TypeError, r"source: \[a\]"),
    (lambda: armilla.Workflow({}).set(5, 5), TypeError, "name"),
    (lambda: armilla.Workflow({}).run([MONOPOLE]), TypeError, "inputs"),
    (lambda: armilla.Workflow({}).run({"sky": None}), TypeError, "^sky"),
    (lambda: armilla.Workflow({}).run(outputs=5), TypeError, "outputs"),
    (lambda: armilla.Workflow({}).run(outputs=(), progress=5), TypeError, "progress"),
    (lambda: geometry.gauss_legendre(0, 5), ValueError, "n_theta"),
    (lambda: geometry.healpix(2.5), TypeError, "nside"),
    (lambda: armilla.Points([1]), ValueError, "longitude"),
    (lambda: armilla.Points([1], [2, 3]), ValueError, "latitude"),
    (lambda: armilla.Points(vectors=np.zeros((2, 2))), ValueError, "vectors"),
    (lambda: armilla.count_pairs(armilla.Points([1], [99]), edges=[0, 1]), ValueError, "a: "),
    (lambda: armilla.count_pairs(None, edges=[0, 1]), TypeError, "a: "),
    (lambda: armilla.count_pairs(armilla.Points([1], [2]), edges=[1, 0]), ValueError, "edges"),
    (lambda: armilla.count_triangles(armilla.Points([1], [2]), edges=[1]), ValueError, "edges"),
]


@pytest.mark.parametrize("call, kind, says", WRONG)
def test_wrong(call, kind, says):
    with pytest.raises(kind, match=says):
        call()


def test_random_wrong_calls():
    hypothesis = pytest.importorskip("hypothesis")
    from hypothesis import strategies as st
    arrays = st.sampled_from([None, 1.0, [], [1, 2], "abc", np.zeros(6), np.zeros((3, 6)),
                              np.zeros((2, 3, 48)), np.zeros(48), np.zeros(48, complex),
                              np.full(48, np.nan), np.zeros((0, 48)), object()])
    numbers = st.sampled_from([None, -1, 0, 1, 2, 3, 2.5, 10**12, float("nan"), "two", (0, 2)])
    functions = st.sampled_from([armilla.alm2map, armilla.map2alm, armilla.adjoint_alm2map,
                                 armilla.adjoint_map2alm, armilla.gradient,
                                 armilla.adjoint_gradient, armilla.alm2cl, armilla.almxfl,
                                 armilla.convolve])
    names = st.sampled_from(["lmax", "mmax", "nside", "spin", "geometry", "iter", "out", "window",
                             "fwhm", "alm2", "tolerance", "ring_weights"])

    @hypothesis.settings(max_examples=1000, deadline=None, derandomize=True)
    @hypothesis.given(functions, arrays, st.dictionaries(names, st.one_of(numbers, arrays),
                                                         max_size=3))
    def call(function, array, options):
        try:
            function(array, **options)
        except (ValueError, TypeError, OverflowError, armilla.Error):
            pass
    call()


def test_types_of_arguments_are_known(tmp_path):
    """To mypy, through what ranks share, too."""
    mypy = pytest.importorskip("mypy.api")
    file = tmp_path / "script.py"
    file.write_text("import armilla\narmilla.alm2map([0j], nside='8')\n")
    said = mypy.run(["--cache-dir", str(tmp_path), str(file)])[0]
    assert 'Argument "nside" to "alm2map" has incompatible type "str"' in said


def test_demo(tmp_path):
    said = subprocess.run([sys.executable, "-m", "armilla.demo", "--nside", "32"], cwd=tmp_path,
                          timeout=60, text=True, stdout=subprocess.PIPE, check=True).stdout
    assert "nside 32" in said
    picture = (tmp_path / "armilla-demo.png").read_bytes()
    assert picture.startswith(b"\x89PNG") and len(picture) > 5000


def test_cuda_libraries_are_found(tmp_path):
    """Those of NVIDIA's packages, in whatever folder Python has packages in."""
    from armilla import _libraries
    text = "libcufft.so.12: cannot open shared object file: No such file or directory"
    assert _libraries.missing_library(text) == "libcufft.so.12"
    for other in "libfftw3.so.3: cannot open shared object file", "No module named 'numpy'":
        assert _libraries.missing_library(other) is None
    library = tmp_path / "second" / "nvidia" / "cu13" / "lib" / "libcufft.so.12"
    folders = [str(tmp_path / "first[1]"), str(tmp_path / "second")]
    assert _libraries.find("libcufft.so.12", folders) is None
    library.parent.mkdir(parents=True)
    library.touch()
    assert _libraries.find("libcufft.so.12", folders) == str(library)


def test_two_packages_of_one_name(tmp_path):
    from armilla import _libraries
    (tmp_path / "armilla-0.1.0.dist-info").mkdir()
    (tmp_path / "armilla_other-0.1.0.dist-info").mkdir()
    assert _libraries.installed(tmp_path) == ["armilla"]
    _libraries.warn_of_two(tmp_path)
    (tmp_path / "armilla_cuda13-0.2.dist-info").mkdir()
    with pytest.warns(RuntimeWarning, match="armilla and armilla-cuda13 are both installed"):
        _libraries.warn_of_two(tmp_path)


SKIES = {"workflow": {"repeat": 20000},
         "theory": {"stage": "read-cl", "file": "theory.txt"},
         "draw": {"stage": "random-alm", "cl": "theory", "seed": 1},
         "sky": {"stage": "alm2map", "alm": "draw", "nside": 256},
         "back": {"stage": "map2alm", "map": "sky"},
         "powers": {"stage": "alm2cl", "alm": "back"},
         "mean": {"stage": "collect", "input": "powers"}}


@pytest.mark.parametrize("call", ["armilla.map2alm(numpy.ones(12 * 256**2), iter=1000)",
                                  f"armilla.Workflow({SKIES}).run()"])
def test_daemon_at_exit(call, tmp_path):
    """The interpreter ends though a daemon thread computes all the time, and nothing is printed."""
    np.savetxt(tmp_path / "theory.txt", np.ones(513))
    program = f"""
import threading, time, numpy, armilla
def work():
    while True:
        {call}
threading.Thread(target=work, daemon=True).start()
time.sleep(1)
"""
    result = subprocess.run([sys.executable, "-c", program], timeout=60, text=True, check=False,
                            cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert (result.returncode, result.stdout) == (0, "")


def test_no_home(tmp_path):
    """StarPU gets a folder of its own where it cannot use that of the user, with one warning."""
    program = """
import numpy, armilla
for _ in range(3):
    assert numpy.allclose(armilla.alm2map(numpy.eye(1, 6, dtype=complex)[0], 2), 0.282094791773878)
print("good")
"""
    environment = {name: value for name, value in os.environ.items()
                   if name not in ("XDG_CACHE_HOME", "STARPU_HOME", "STARPU_PERF_MODEL_DIR")}
    (tmp_path / "file").touch()
    for home in "/proc", str(tmp_path / "file"):
        environment["HOME"] = home
        result = subprocess.run([sys.executable, "-c", program], timeout=60, text=True, check=False,
                                env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        assert (result.returncode, result.stdout) == (0, "good\n")
        assert result.stderr.count("StarPU measures this machine again") == 1
