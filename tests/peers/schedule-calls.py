# SPDX-License-Identifier: GPL-3.0-or-later
"""Started by the script schedule, once for each number of threads: calls of the Python package
armilla and of its peers in one process. Prints a line of JSON for each case."""
import json
import os
import subprocess
import sys
import time

import times

SIZES = [16, 32, 64, 128, 256, 512, 1024, 2048, 4096]
SHORT = [16, 64, 256]

parser = times.parser(__doc__)
parser.add_argument("build")
parser.add_argument("--cases", required=True)
parser.add_argument("--short", action="store_true")
parser.add_argument("--nside")
args = parser.parse_args()
times.start(args)
np, ducc0 = times.need("numpy"), times.need("ducc0")
try:
    import armilla
except ImportError as error:
    print(f"calls are left out: the package armilla is not there ({error})")
    sys.exit(0)
try:
    import shtns
except ImportError:
    shtns = None
sizes = [int(n) for n in args.nside.split(",")] if args.nside else SHORT if args.short else SIZES
BUDGET = 0.5 if args.short else 4  # s of a case, if single calls are shorter


class Case:
    """A transform: arrays, and for each direction the calls of Armilla and of its peers."""

    def __init__(self, lmax, nside=None, spins=(0,), batch=1):
        self.lmax, self.spins, self.batch = lmax, spins, batch
        if nside:
            self.name = f"nside {nside}"
            self.rings = ducc0.healpix.Healpix_Base(nside, "RING").sht_info()
            self.geometry = armilla.geometry.healpix(nside)
        else:
            self.name = f"Gauss-Legendre, lmax {lmax}"
            n, width = lmax + 1, 2 * lmax + 2
            self.rings = dict(theta=ducc0.misc.GL_thetas(n),
                              nphi=np.full(n, width, dtype=np.uint64), phi0=np.zeros(n),
                              ringstart=np.arange(n, dtype=np.uint64) * width)
            self.geometry = armilla.geometry.gauss_legendre(n, width)
        if spins != (0,):
            self.name += f", spin {','.join(str(spin) for spin in spins)}"
        if batch > 1:
            self.name += f", {batch} maps"
        self.parts = [2 if spin else 1 for spin in spins]
        self.alm = np.stack([self.random(part) for part in range(sum(self.parts))], axis=1)
        self.map = np.zeros((batch, sum(self.parts), self.geometry.n_pixels))
        self.back = np.zeros_like(self.alm)
        self.peer_map, self.peer_back = np.zeros_like(self.map), np.zeros_like(self.alm)
        if spins == (0,):  # the package takes a lone field without an axis for it
            self.alm, self.map, self.back = self.alm[:, 0], self.map[:, 0], self.back[:, 0]

    def random(self, seed):
        alm = armilla.random_alm(np.ones(self.lmax + 1), seed=seed + 1, copies=self.batch)
        alm = np.asarray(alm).reshape(self.batch, -1)
        for l in range(max(self.spins)):  # fields with a spin have no multipoles below it
            for m in range(l + 1):
                alm[:, m * (2 * self.lmax + 1 - m) // 2 + l] = 0
        return alm

    def common(self):
        return {"spin": self.spins if len(self.spins) > 1 else self.spins[0],
                "geometry": self.geometry}

    def alm2map(self):
        alm, out = (self.alm, self.map) if self.batch > 1 else (self.alm[0], self.map[0])
        armilla.alm2map(alm, lmax=self.lmax, out=out, **self.common())

    def adjoint(self):
        map, out = (self.map, self.back) if self.batch > 1 else (self.map[0], self.back[0])
        armilla.adjoint_alm2map(map, self.lmax, out=out, **self.common())

    def ducc0(self, function, alm, map):
        first = 0
        alm, map = (a.reshape(self.batch, sum(self.parts), -1) for a in (alm, map))
        for spin, parts in zip(self.spins, self.parts):
            part = slice(first, first + parts)
            function(alm=alm[:, part], map=map[:, part], lmax=self.lmax, spin=spin,
                     nthreads=args.threads, **self.rings)
            first += parts

    def calls(self):
        """For each direction: names and functions, Armilla first."""
        sht = ducc0.sht.experimental
        result = {
            "alm2map": {"armilla": self.alm2map,
                        "ducc0": lambda: self.ducc0(sht.synthesis, self.alm, self.peer_map)},
            "adjoint": {"armilla": self.adjoint,
                        "ducc0": lambda: self.ducc0(sht.adjoint_synthesis, self.peer_back,
                                                    self.map)},
        }
        if shtns and "Gauss" in self.name:
            peer = shtns.sht(self.lmax, norm=shtns.sht_orthonormal, nthreads=args.threads)
            peer.set_grid(self.lmax + 1, 2 * self.lmax + 2, flags=shtns.sht_gauss
                          | shtns.SHT_PHI_CONTIGUOUS | shtns.SHT_SCALAR_ONLY)
            alm, map, given = peer.spec_array(), peer.spat_array(), peer.spat_array()
            alm[:] = self.alm[0]
            result["alm2map"]["SHTns"] = lambda: peer.SH_to_spat(alm, map)
            result["adjoint"]["SHTns"] = lambda: peer.spat_to_SH(given, alm)
        return result

    def difference(self):
        """Of the maps, over the largest pixel."""
        return float(np.abs(self.map.reshape(-1) - self.peer_map.reshape(-1)).max()
                     / np.abs(self.map).max())


def contest(functions, pause):
    """Seconds of each call, in blocks of calls by each program in turn, 3 blocks at least."""
    names, took = list(functions), {name: [] for name in functions}
    for name in names:
        functions[name]()
    once = sum(times.timed(functions[name]) + pause for name in names)
    calls = int(min(60, max(1, BUDGET / 10 / once)))
    for block in range(int(min(20, max(3, BUDGET / (calls * once))))):
        for name in times.order(names, block):
            for _ in range(calls):
                time.sleep(pause)
                took[name].append(times.timed(functions[name]))
    return took


def measure(kind, case, pause=0.0):
    for direction, functions in case.calls().items():
        took = contest(functions, pause)
        if direction == "alm2map" and case.difference() > 1e-9:
            sys.exit(f"{sys.argv[0]}: {case.name}: maps differ by {case.difference():.1e} of the "
                     "largest pixel")
        for peer in list(took)[1:]:
            version = (ducc0 if peer == "ducc0" else shtns).__version__
            print(json.dumps(dict(times.compared(took["armilla"], took[peer]), kind=kind,
                                  case=case.name, direction=direction, threads=args.threads,
                                  peer=f"{peer} {version}")), flush=True)


def beside():
    """A process that computes on all cores; the sizes of its products are those of OpenBLAS's
    threads."""
    environment = dict(os.environ)
    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        environment[name] = str(args.threads)
    product = "import numpy\na = numpy.ones((1500, 1500))\nwhile True:\n    a @ a"
    return subprocess.Popen([sys.executable, "-c", product], env=environment)


def measure_busy(case):
    """Armilla and ducc0 alone, then beside another process, each against itself alone."""
    for direction, functions in case.calls().items():
        alone = contest(functions, 0)
        other = beside()
        try:
            time.sleep(1)
            loaded = contest(functions, 0)
        finally:
            other.kill()
            other.wait()
        for name in functions:
            print(json.dumps(dict(times.compared(loaded[name], alone[name]), kind="busy",
                                  case=f"{name}, {case.name}", direction=direction,
                                  threads=args.threads, peer="itself alone")), flush=True)


small = [n for n in sizes if n <= 256]
middle = [n for n in sizes if 256 <= n <= (256 if args.short else 2048)]
for kind in args.cases.split(","):
    if kind == "loops":
        for nside in sizes:
            measure(kind, Case(2 * nside, nside))
    elif kind == "pauses":
        for nside in small:
            measure(kind, Case(2 * nside, nside), 0.02)
    elif kind == "spins":
        for nside in middle:
            measure(kind, Case(2 * nside, nside, (2,)))
            measure(kind, Case(2 * nside, nside, (0, 2)))
    elif kind == "gauss":
        for nside in middle:
            measure(kind, Case(2 * nside - 1))
    elif kind == "batches":
        for nside in [n for n in middle if n <= 1024]:
            for batch in (8, 32):
                measure(kind, Case(2 * nside, nside, batch=batch))
    elif kind == "busy":
        for nside in [n for n in sizes if n in (64, 256, 1024)]:
            measure_busy(Case(2 * nside, nside))
