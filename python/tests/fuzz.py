# SPDX-License-Identifier: GPL-3.0-or-later
"""Calls of Armilla with mutated arguments, workflows and attributes, which end with a result or a
clear exception: never with a crash, a hang, a report of a sanitizer or a file left over.

    python fuzz.py [FIRST [N]]

Case n is always the same, except for what its second thread meets: arrays and attributes change
between calls, and during them. A process of its own tries the cases, so that one that crashes or
hangs is named, and the others follow. Prints what failed, and how many of each outcome there were.
"""
import copy
import dataclasses
import faulthandler
import inspect
import mmap
import os
import pickle
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import threading
import time
import traceback
import warnings
from collections import Counter

import numpy as np

import armilla
import armilla.healpy

SECONDS = 120  # a case that takes longer hangs
BATCH = 2000   # cases of a process
ENOUGH = 20    # failures, after which no more cases are tried
NSIDE, LMAX = 4, 8
N_PIXELS, N_ALM = 12 * NSIDE**2, armilla.alm_size(LMAX)
# What a wrong argument or attribute may raise. Others, KeyError say, name nothing.
CLEAR = (ValueError, TypeError, AttributeError, armilla.Error, MemoryError, OverflowError)

WORKFLOWS = [
    "[a]\nstage = map2alm\nmap = map\nlmax = 6\niterations = 1\n[c]\nstage = alm2cl\nalm = a\n"
    "[s]\nstage = smooth-alm\nalm = a\nfwhm = 20 deg\n[m]\nstage = alm2map\nalm = s\nnside = 2\n",
    "[workflow]\nrepeat = 3\n[a]\nstage = random-alm\ncl = cl\nseed = 1\nlmax = 6\n[m]\n"
    "stage = alm2map\nalm = a\nnside = 2\n[c]\nstage = alm2cl\nalm = a\n[all]\nstage = collect\n"
    "input = c\n",
    "[far]\nstage = select-rows\ncatalogue = stars\ncondition = z > 0.5\n[m]\n"
    "stage = bin-catalogue\ncatalogue = far\nnside = 2\n[w]\nstage = pair-correlation\n"
    "catalogue = stars\nrandom = random\nmin = 1 deg\nmax = 60 deg\nbins = 4\n[random]\n"
    "stage = random-catalogue\nnumber = 40\nseed = 2\n",
    "[t]\nstage = expression\ntable = table\nexpression = 2 * a + 1\n[e]\n"
    "stage = expression\nmap = map\nexpression = T * 2\n[o]\nstage = write-table\ntable = t\n"
    "file = out.ecsv\n",
    "[x]\nstage = combine\ninput = map\ninput2 = map\nweights = 1, -1\n[u]\nstage = ud-grade\nmap = x\n"
    "nside = 2\n[f]\nstage = write-map\nmap = u\nfile = out.fits\n[p]\nstage = render\nmap = u\n"
    "file = out.svg\nwidth = 100\n",
]
WORDS = ["[a]\n", "stage = ", "alm2map", "map2alm", "map = map\n", "alm = alm\n", "cl = cl\n",
         "table = table\n", "catalogue = stars\n", "lmax = ", "nside = ", "repeat = 2\n", "deg",
         "fields = all\n", "spin = 2\n", "${", "}", "\0", "é", "\ud800", "= =", "]", "1e99", "-1",
         "0", "nan", "method = cg\n", "fwhm = ", "weights = seen\n", "expression = "]
# Of properties of stages; no number that is right and takes long.
VALUES = [0, 1, 2, 4, 8, -1, 0.5, True, "4", "10 deg", "1 deg", "60 deg", "0, 1", "1 deg, 60 deg",
          "all", "auto", "T", "T * 2", "TT", "a", "z > 0", "2, 4, 8", "1, -1", "", "\n", "${x}",
          "a = b", "]", "é", (1, 2), ["T", "Q"], np.float32(2), float("nan"), 1e300, -2**70]
JUNK = [None, True, 0, 1, -1, 2**31, 2**63, 2**64, -2**70, 1e308, float("nan"), float("inf"), 3.5,
        "", "a", "G", "T\0", b"x", (), [], {}, (0,), (0, 2), (0,) * 9, ("a",), ("a", "b", "c"),
        {"a": 1}, np.float32(2), np.int8(3), np.zeros(0), np.zeros(3), np.arange(5.0), object(),
        "é" * 50, 2 + 1j, slice(None), range(4), np.array("x"), [[1], [2, 3]], Ellipsis, type]


def mutated(choose, text):
    """The text with some pieces changed."""
    for _ in range(choose.choice((0, 0, 0, 1, 1, 2, 4))):
        at, n = choose.randrange(len(text) + 1), choose.randrange(1, 12)
        lines = text.split("\n")
        kind = choose.randrange(5)
        if kind == 0:
            text = text[:at] + text[at + n:]
        elif kind == 1:
            text = text[:at] + choose.choice(WORDS) + text[at:]
        elif kind == 2:
            text = text[:at] + chr(choose.randrange(1, 128)) + text[at + 1:]
        elif kind == 3:
            lines.insert(choose.randrange(len(lines)), choose.choice(lines))
            text = "\n".join(lines)
        else:
            text = re.sub(r"\d+", lambda found: found[0] if choose.random() < 0.7
                          else choose.choice(("0", "-3", "99", "1e400", "7.5")), text)
    return text


class Case:
    """One case: what it makes depends on its number alone."""

    def __init__(self, number):
        self.choose = random.Random(number)
        self.given = []  # arrays that objects were made of
        self.things = []
        self.over = threading.Event()

    def maybe(self, share):
        return self.choose.random() < share

    def junk(self):
        return self.choose.choice(JUNK)

    def or_junk(self, value, share=0.03):
        return self.junk() if self.maybe(share) else value

    def array(self, shape, dtype=float):
        """Numbers of this shape; one in five is mutated."""
        numbers = np.random.default_rng(self.choose.randrange(2**32))
        array = numbers.normal(size=shape).astype(dtype)
        if array.dtype.kind == "c":
            array = array + 1j * numbers.normal(size=shape)
        for _ in range(self.choose.choice((0, 0, 0, 0, 0, 0, 0, 1, 2))):
            array = self.mutate_array(array)
        if isinstance(array, np.ndarray):
            self.given.append(array)
        return array

    def mutate_array(self, array):
        if not isinstance(array, np.ndarray) or array.dtype.kind not in "fciub":
            return array
        kind = self.choose.randrange(16)
        flat = array.reshape(-1)
        if kind == 0:
            return array.astype(self.choose.choice((">f8", "f4", "i2", "?", "c8", "O", "U3", "S2",
                                                    "<c16", "f2", "u8", "longdouble")))
        if kind == 1:
            return np.repeat(array, 2, axis=-1)[..., ::2]
        if kind == 2:
            return array[..., ::-1]
        if kind == 3:
            return np.broadcast_to(array.mean(), array.shape)
        if kind == 4:
            memory = bytearray(array.nbytes + 3)
            odd = np.frombuffer(memory, array.dtype, array.size, offset=3).reshape(array.shape)
            odd[...] = array
            return odd
        if kind == 5:
            return array.reshape(self.choose.choice(((1, -1), (-1, 1), (-1,), (1, 1, -1))))
        if kind == 6:
            return np.asfortranarray(array) if array.ndim > 1 else array.reshape(1, -1).T
        if kind == 7:
            return flat[:self.choose.randrange(flat.size + 1)]
        if kind == 8:
            return np.concatenate((flat, flat[:self.choose.randrange(1, 4)]))
        if kind == 9 and flat.size and array.dtype.kind in "fc":
            wrong = array.copy()
            wrong.flat[self.choose.randrange(flat.size)] = self.choose.choice(
                (np.nan, np.inf, -np.inf, armilla.UNSEEN, 1e300, 5e-324))
            return wrong
        if kind == 10:
            array = array.copy()
            array.flags.writeable = False
            return array
        if kind == 11:
            return np.ma.masked_array(array, mask=self.maybe(0.5))
        if kind == 12 and array.ndim <= 2:
            return np.asmatrix(array)
        if kind == 13:
            return array.tolist()
        if kind == 14:
            return array.astype(array.dtype.newbyteorder())
        return array.copy()

    def geometry(self):
        kind = self.choose.randrange(7)
        if kind == 0:
            return armilla.geometry.rings(self.or_junk(self.array(3) ** 2), self.or_junk([4, 8, 4]),
                                          **({"phi0": self.array(3)} if self.maybe(0.3) else {}))
        if kind == 1:
            made = self.choose.choice((armilla.geometry.gauss_legendre, armilla.geometry.fejer1,
                                       armilla.geometry.clenshaw_curtis,
                                       armilla.geometry.driscoll_healy))
            return made(self.or_junk(self.choose.randrange(1, 9)), self.or_junk(12))
        if kind == 2:
            grid = armilla.geometry.healpix(NSIDE)
            name = self.choose.choice([field.name for field in dataclasses.fields(grid)])
            return dataclasses.replace(grid, **{name: self.junk()})
        return self.choose.choice((None, armilla.geometry.healpix(NSIDE)))

    def field(self, kind=None):
        """A map, a_lm, spectra, a table, a catalogue: what a workflow takes."""
        kind = self.choose.randrange(6) if kind is None else kind
        n = self.choose.choice((1, 1, 2, 3))
        words = {}
        for name, value in (("names", tuple("TQU"[:n])), ("unit", "K"), ("coordinates", "G")):
            if self.maybe(0.2):
                words[name] = self.or_junk(value, 0.3)
        if kind == 0:
            return "alm", armilla.Alm(self.array((n, N_ALM), complex), **words)
        if kind == 1:
            return "cl", armilla.Cl(abs(self.array((1, LMAX + 1))), **words)
        if kind == 2:
            rows = self.choose.choice((0, 1, 7))
            columns = {"a": self.array(rows), "t": ["x"] * rows, "n": np.arange(rows),
                       "w": np.array([2**100] * rows, object)}
            return "table", armilla.Table({name: self.or_junk(values)
                                           for name, values in columns.items()},
                                          self.or_junk({"a": "K"}))
        if kind == 3:
            return "stars", self.catalogue()
        spin = {"spin": self.or_junk(0)} if self.maybe(0.3) else {}
        return "map", armilla.Map(self.array((n, N_PIXELS)), **spin, **words)

    def catalogue(self):
        n = self.choose.choice((0, 1, 30))
        columns = {"ra": self.array(n), "dec": self.array(n), "z": abs(np.asarray(self.array(n)))}
        if self.maybe(0.2):
            columns = {"x": np.ones(n), "y": np.zeros(n), "z": np.zeros(n)}
        for name in ("weight", "g1", "g2", "Z", "mag"):
            if self.maybe(0.2):
                columns[name] = self.array(n)
        if self.maybe(0.2):
            columns["patch"] = np.arange(n) % 3
        columns = {name: self.or_junk(values, 0.03) for name, values in columns.items()}
        return armilla.Catalogue(columns, coordinates=self.or_junk("G", 0.2))

    def points(self):
        n = self.choose.choice((0, 1, 30))
        words = {name: self.array(n) for name in ("weight", "g1", "g2") if self.maybe(0.2)}
        if self.maybe(0.2):
            return armilla.Points(vectors=np.tile([0.0, 0, 1], (n, 1)), **words)
        return armilla.Points(self.array(n), self.array(n), **words)

    def change(self, thing):
        """Attributes are set, deleted and changed in place; public ones behind the class's back,
        too. Refusals are what is expected."""
        names = [name for name in dir(thing) if not name.startswith("_")] or ["n"]
        name, kind = self.choose.choice(names), self.choose.randrange(6)
        try:
            if kind == 0:
                setattr(thing, name, self.junk())
            elif kind == 1:
                delattr(thing, name)
            elif kind == 2 and name != "handle" and name in getattr(thing, "__dict__", {}):
                vars(thing)[name] = self.junk()
            elif kind == 3 and hasattr(thing, "array"):
                thing.array.shape = (-1,)
                thing.array.resize(3, refcheck=False)
            elif kind == 4 and isinstance(thing, armilla.Table) and "t" in thing:
                thing["t"].clear()
                thing[self.choose.choice(list(thing))][:] = self.junk()
                thing.units["a"] = self.junk()
            else:
                setattr(thing, "_" + name, self.junk())
        except CLEAR:
            pass

    def disturb(self, *_):
        """Changes arrays and attributes, perhaps while a call runs."""
        try:
            for array in list(self.given):
                kind = self.choose.randrange(5)
                if kind == 0:
                    array.resize(self.choose.choice((0, 3)), refcheck=False)
                elif kind == 1:
                    array.shape = (-1, 1)
                elif kind == 2:
                    array[...] = self.choose.choice((0, np.nan, 1e308))
                elif kind == 3:
                    array.dtype = np.int8
            for thing in list(self.things):
                self.change(thing)
        except CLEAR + (IndexError, RuntimeError):
            pass

    def disturb_until_the_end(self):
        while not self.over.wait(0.001):
            self.disturb()

    # What is tried.

    def transform(self):
        name = self.choose.choice(("alm2map", "adjoint_map2alm", "map2alm", "adjoint_alm2map",
                                   "gradient", "adjoint_gradient"))
        spin = self.choose.choice((0, 0, 1, 2, (0, 2)))
        parts = {0: (), 1: (2,), 2: (2,), (0, 2): (3,)}[spin]
        batch = self.choose.choice(((), (), (2,), (2, 2)))
        options = {}
        to_map = name in ("alm2map", "adjoint_map2alm", "gradient")
        if name in ("gradient", "adjoint_gradient"):
            parts = () if to_map else (2,)
        else:
            options["spin"] = self.or_junk(spin)
        array = self.array(batch + parts + (N_ALM if to_map else N_PIXELS,),
                           complex if to_map else float)
        if self.maybe(0.2):
            options["geometry"] = self.geometry()
        if self.maybe(0.2):
            out_parts = (2,) if name == "gradient" else () if name == "adjoint_gradient" else parts
            options["out"] = self.or_junk(self.array(
                batch + out_parts + (N_PIXELS if to_map else N_ALM,), float if to_map else complex))
        if name == "map2alm" and self.maybe(0.3):
            options["iter"] = self.or_junk(1)
        place = self.or_junk(NSIDE if to_map else LMAX)
        if to_map and isinstance(place, int) and place > 64:
            place = -1  # right, but large
        if options.get("geometry") is not None and to_map:
            place = None
        return getattr(armilla, name)(array, place, **options)

    def tools(self):
        alm = self.array(self.choose.choice(((), (2,), (3,))) + (N_ALM,), complex)
        kind = self.choose.randrange(5)
        if kind == 0:
            return armilla.alm2cl(alm, self.choose.choice((None, alm)), cross=self.maybe(0.5),
                                  lmax_out=self.or_junk(None))
        if kind == 1:
            return armilla.almxfl(alm, self.array(self.choose.randrange(1, 12)))
        if kind == 2:
            angles = [self.or_junk(0.5), self.or_junk(1.0), self.or_junk(-0.3)]
            turn = self.choose.choice((armilla.rotate_alm, armilla.adjoint_rotate_alm))
            return turn(alm, *angles, lmax=self.or_junk(None))
        if kind == 3:
            cl = abs(self.array(self.choose.choice(((), (4,), (6,))) + (LMAX + 1,)))
            return armilla.random_alm(cl, seed=self.or_junk(1),
                                      copies=self.choose.choice((None, 1, 2, 0, -1)))
        return armilla.alm_lmax(self.or_junk(N_ALM)), armilla.alm_size(self.or_junk(LMAX))

    def convolve(self):
        how = self.choose.choice(({"fwhm": 0.5}, {"radius": 0.4}, {"window": self.array(9)},
                                  {"profile": (np.linspace(0, 1, 5), self.array(5))},
                                  {"fwhm": self.junk()}, {}))
        function = self.choose.choice((armilla.convolve, armilla.adjoint_convolve))
        return function(self.array(N_PIXELS), accuracy=self.or_junk(1e-3), **how)

    def count(self):
        a = self.points()
        b = self.points() if self.maybe(0.5) else None
        self.things += [a, b] if b is not None else [a]
        for thing in self.things:
            if self.maybe(0.3):
                self.change(thing)
        edges = self.or_junk(np.array([0.0, 0.1, 1, 3]))
        if self.maybe(0.5):
            return armilla.count_pairs(a, b, edges=edges, separations=self.maybe(0.3))
        return armilla.count_triangles(a, b, edges=edges)

    def run(self):
        text = mutated(self.choose, self.choose.choice(WORKFLOWS))
        flow = armilla.Workflow(text if "\n" in text else text + "\n")
        if self.maybe(0.2):
            flow.set(self.choose.choice(("a.lmax", "x", "m.nside", "a.b.c")), self.or_junk(4))
        inputs = {"map": armilla.Map(self.array(N_PIXELS)), "cl": armilla.Cl(np.ones(LMAX + 1)),
                  "table": armilla.Table({"a": np.arange(4.0)}), "stars": {
                      "ra": np.arange(9.0), "dec": np.arange(9.0), "z": np.linspace(0, 1, 9)}}
        for _ in range(self.choose.choice((0, 1, 1, 2))):
            name, value = self.field()
            inputs[self.or_junk(name)] = self.or_junk(value)
        self.things += [value for value in inputs.values()
                        if isinstance(value, (armilla.Map, armilla.Alm, armilla.Cl, armilla.Table,
                                              armilla.Catalogue))]
        for thing in self.things:
            if self.maybe(0.15):
                self.change(thing)
        if re.search(r"[0-9.]{3}|e\d\d|/", text):
            return flow.check(inputs)  # its numbers may be large, its files elsewhere
        progress = self.choose.choice((None, None, False, self.disturb, self.junk))
        results = flow.run(self.or_junk(inputs), self.choose.choice((None, None, ["a"], (), "m")),
                           overwrite=True, progress=progress)
        found = [one for value in results.values()
                 for one in (value if isinstance(value, list) else [value])]
        for one in found[:2]:
            self.change(one)
            np.asarray(one).sum() if isinstance(one, armilla.Map) else repr(one)
            name = self.choose.choice(("map", "alm", "cl", "table", "stars"))
            armilla.Workflow(self.choose.choice(WORKFLOWS)).run({**inputs, name: one},
                                                                overwrite=True)
        return results

    def stage(self):
        """A stage as a function, with its inputs and a few of its properties."""
        function = getattr(armilla.stages, self.choose.choice(dir(armilla.stages)))
        words = {}
        for name, parameter in inspect.signature(function).parameters.items():
            needed = parameter.default is parameter.empty
            if parameter.kind is parameter.KEYWORD_ONLY:
                if needed or self.maybe(0.1):
                    words[name] = self.choose.choice(VALUES)
            elif needed or self.maybe(0.2):
                words[name] = self.or_junk(self.input_of(name))
        if self.maybe(0.03):
            words[self.choose.choice(("nside", "unknown", "map"))] = 1
        self.things = [value for value in words.values() if hasattr(value, "__dict__")]
        if self.maybe(0.1) and self.things:
            self.change(self.choose.choice(self.things))
        return function(**words)

    def input_of(self, name):
        """What an input of this name takes, mostly."""
        if name == "file":
            return self.choose.choice(("out.fits", "out.ecsv", "out.svg", "none.fits"))
        kinds = {"alm": 0, "cl": 1, "table": 2, "catalogue": 3, "random": 3, "map": 5, "mask": 5}
        return self.field(kinds.get(name.rstrip("0123456789")))[1]

    def copies(self):
        _, thing = self.field()
        self.change(thing)
        made = self.choose.choice((copy.copy, copy.deepcopy,
                                   lambda one: pickle.loads(pickle.dumps(one))))(thing)
        return armilla.Workflow(self.choose.choice(WORKFLOWS)).check({"map": made})

    def healpy(self):
        ours = armilla.healpy
        alm, map = self.array(N_ALM, complex), self.array(N_PIXELS)
        kind = self.choose.randrange(7)
        if kind == 0:
            return ours.alm2map(alm, self.or_junk(NSIDE, 0), pixwin=self.maybe(0.2))
        if kind == 1:
            return ours.map2alm(map, lmax=self.choose.choice((None, LMAX, 0, -1)))
        if kind == 2:
            return ours.anafast(map, lmax=LMAX, gal_cut=self.choose.choice((0, 10, 91)))
        if kind == 3:
            return ours.smoothing(map, fwhm=self.choose.choice((0.1, 0, 1e9)))
        if kind == 4:
            return ours.synfast(abs(self.array(LMAX + 1)), NSIDE, seed=1)
        if kind == 5:
            return ours.alm2map_spin([alm, alm], NSIDE, self.choose.choice((1, 2, 3)), LMAX)
        return ours.almxfl(alm, self.array(LMAX + 1))

    def sessions(self):
        with armilla.session(cores=self.or_junk(1, 0.3), memory=self.or_junk(2**28, 0.3),
                             gpus=False) as session:
            self.change(session)
            armilla.alm2map(self.array(N_ALM, complex), NSIDE)
            if self.maybe(0.3):
                session.stop()
            return session.cores

    def attempt(self):
        """Returns what it was, and how it ended; raises what is no clear exception."""
        what = self.choose.choices(
            (self.transform, self.tools, self.convolve, self.count, self.run, self.copies,
             self.healpy, self.sessions, self.stage), (8, 5, 2, 4, 9, 3, 4, 0.3, 6))[0]
        helper = threading.Thread(target=self.disturb_until_the_end) if self.maybe(0.1) else None
        if helper:
            helper.start()
        try:
            what()
            return what.__name__, "result"
        except CLEAR as error:
            if not str(error) and not isinstance(error, MemoryError):
                raise RuntimeError("an exception without a text") from error
            return what.__name__, type(error).__name__
        finally:
            self.over.set()
            if helper:
                helper.join()


def work(first, n, room, fd):
    """Tries cases until one fails, whose traceback is printed."""
    state = mmap.mmap(fd, 16)
    faulthandler.enable()
    np.seterr(all="ignore")
    warnings.simplefilter("ignore")
    outcomes = Counter()
    os.chdir(room)
    with armilla.session(cores=2, memory=2**28, gpus=False):
        for number in range(first, first + n):
            state[:] = struct.pack("<qd", number, time.monotonic())
            try:
                outcomes[" ".join(Case(number).attempt())] += 1
                stray = [name for name in os.listdir(".")
                         if name.startswith(".") or name.endswith(".tmp")]
                if stray:
                    raise RuntimeError(f"left over: {stray}")
            except BaseException:
                traceback.print_exc()
                sys.stderr.flush()
                os._exit(1)
            for name in os.listdir("."):
                shutil.rmtree(name) if os.path.isdir(name) else os.remove(name)
        state[:] = struct.pack("<qd", first + n, time.monotonic())
    for outcome, times in outcomes.items():
        print(f"outcome {times} {outcome}")


def environment(room):
    """What ASan keeps of freed memory counts against the memory of a session: little of it."""
    options = os.environ.get("ASAN_OPTIONS", "") + ":quarantine_size_mb=1"
    return {**os.environ, "TMPDIR": room, "ASAN_OPTIONS": options}


def supervise(first, n):
    """Lets processes try the cases; how many failed."""
    last, failed, outcomes = first + n, 0, Counter()
    fd = os.memfd_create("state", 0)
    os.ftruncate(fd, 16)
    state = mmap.mmap(fd, 16)
    while first < last and failed < ENOUGH:
        batch = min(BATCH, last - first)
        state[:] = struct.pack("<qd", first, time.monotonic())
        with tempfile.TemporaryDirectory() as top, tempfile.TemporaryFile() as said:
            room = os.path.join(top, "room")
            os.mkdir(room)
            process = subprocess.Popen([sys.executable, __file__, "--work", str(first), str(batch),
                                        room, str(fd)], pass_fds=[fd], stdout=said, stderr=said,
                                       env=environment(room))
            wrong = wait(process, state)
            number = struct.unpack("<qd", state[:])[0]
            said.seek(0)
            text = said.read().decode("utf-8", "replace")
        for times, outcome in re.findall(r"^outcome (\d+) (.*)$", text, re.MULTILINE):
            outcomes[outcome] += int(times)
        if re.search("runtime error: |Sanitizer", text):
            wrong = wrong or "a sanitizer has reported"
        if wrong is None and number != first + batch:
            wrong = "the process ended early"
        if wrong is not None:
            failed += 1
            print(f"# case {number}: {wrong}")
            print("".join(f"#   {line}\n" for line in text.splitlines()[-40:]), flush=True)
        first = number + 1 if wrong is not None and number < first + batch else number
    for outcome, times in sorted(outcomes.items()):
        print(f"# {outcome}: {times}")
    return failed


def wait(process, state):
    """What became of a process; None if all is well."""
    while process.poll() is None:
        time.sleep(0.05)
        if time.monotonic() - struct.unpack("<qd", state[:])[1] > SECONDS:
            process.kill()
            process.wait()
            return f"took more than {SECONDS} seconds"
    if process.returncode < 0:
        return f"ended by signal {-process.returncode}"
    return None if process.returncode == 0 else f"exit status {process.returncode}"


def main():
    if sys.argv[1:2] == ["--work"]:
        first, n, room, fd = int(sys.argv[2]), int(sys.argv[3]), sys.argv[4], int(sys.argv[5])
        work(first, n, room, fd)
        return 0
    first, n = [int(word) for word in sys.argv[1:]] + [0, 1000][len(sys.argv) - 1:]
    failed = supervise(first, n)
    print(f"{n} cases from {first} on, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
