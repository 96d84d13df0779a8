# SPDX-License-Identifier: GPL-3.0-or-later
"""Started by the script schedule, once for each number of threads: whole runs of workflows, in
turn. Prints a line of JSON for each case."""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

import times

parser = times.parser(__doc__)
parser.add_argument("build")
parser.add_argument("--cases", required=True)
parser.add_argument("--short", action="store_true")
parser.add_argument("--nside", help="not used by runs")
args = parser.parse_args()
here = os.path.dirname(os.path.abspath(__file__))
armilla = os.path.join(args.build, "armilla")
rounds = 3 if args.short else 7
MEAN = """[mean]
stage = collect
input = spectrum
[all]
stage = write-cl
cl = mean.mean
file = mean.fits
"""


def workflow(name, skies, nside, mean=False):
    """One in a folder of its own; what it writes goes there, too."""
    os.makedirs(name, exist_ok=True)
    before = os.getcwd()
    os.chdir(name)
    times.write_realisations("run.workflow", skies, nside, 0)
    if mean:
        with open("run.workflow") as file:
            text = file.read()
        with open("run.workflow", "w") as file:
            file.write(text[:text.index("[out]")] + MEAN)
    os.chdir(before)
    return name


def begin(name, launcher=(), **environment):
    """Starts a run; of variables that are None the user's value goes."""
    variables = {**os.environ, **{k: v for k, v in environment.items() if v is not None}}
    for key in environment:
        if environment[key] is None:
            variables.pop(key, None)
    return subprocess.Popen([*launcher, armilla, "run", "--overwrite", "run.workflow"], cwd=name,
                            env=variables, text=True, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT)


def end(run):
    """Waits for it; seconds as it prints them."""
    text = run.communicate()[0]
    found = re.search(r"^done in ([0-9.]+) s", text, re.M)
    if run.returncode != 0 or not found:
        sys.exit(f"{sys.argv[0]}: {armilla} says\n{text}")
    return float(found.group(1))


def compare(kind, case, ours, peers):
    """Runs of each, in turn; the first round does not count. A peer's are functions, too."""
    contestants = {"armilla": ours, **peers}
    took = {name: [] for name in contestants}
    for i in range(rounds + 1):
        for name in times.order(list(contestants), i):
            seconds = contestants[name]()
            if i > 0:
                took[name].append(seconds)
    # of several the best one is the peer
    peer = min(peers, key=lambda name: sorted(took[name])[rounds // 2])
    print(json.dumps(dict(times.compared(took["armilla"], took[peer]), kind=kind, case=case,
                          direction="run", threads=args.threads, peer=peer)), flush=True)


def whole(*words, **environment):
    """Seconds from start to end of a run."""
    def call():
        began = time.perf_counter()
        end(begin(*words, **environment))
        return time.perf_counter() - began
    return call


def measure_skies(cases, repeats):
    """By the script monte-carlo.py, which has a peer of its own."""
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        command = [sys.executable, os.path.join(here, "monte-carlo.py"), "--threads", args.threads,
                   "--json", file.name, "--repeats", repeats, armilla, *cases]
        run = subprocess.run([str(word) for word in command], text=True, stdout=subprocess.PIPE)
        if run.returncode != 0:
            print("skies are left out: monte-carlo.py ended; it says why above")
            return
        for line in file:
            record = json.loads(line)
            print(json.dumps({"kind": "skies", "case": record["case"], "direction": "run",
                              "threads": args.threads,
                              "peer": f"{record['peer']} {record['version']}",
                              **{key: record[key] for key in times.COMPARED}}), flush=True)


def measure_default():
    """GPU and cores, which a run uses if it is told nothing, against each alone."""
    if not shutil.which("nvidia-smi"):
        print("default is left out: there is no GPU")
        return
    for skies, nside in ((48, 512 if args.short else 1024), (1, 1024 if args.short else 4096)):
        name = workflow(f"default-{nside}", skies, nside)
        all_of_it = {"STARPU_NCUDA": None, "STARPU_NCPU": None}
        compare("default", f"skies of nside {nside}: {skies}",
                lambda: end(begin(name, **all_of_it)),
                {"GPU alone": lambda: end(begin(name, **dict(all_of_it, STARPU_NCPU="0"))),
                 "cores alone": lambda: end(begin(name, **dict(all_of_it, STARPU_NCUDA="0")))})


def measure_ranks():
    """Whole processes, launcher and all: seconds that a run prints leave out mpirun."""
    if not shutil.which("mpirun"):
        print("ranks are left out: there is no mpirun")
        return
    # Nothing is chosen: ranks divide the cores
    free = {"STARPU_NCPU": None, "STARPU_WORKERS_NOBIND": None, "OMP_NUM_THREADS": None}
    cases = [(32, 256)] if args.short else [(32, 512), (128, 512), (16, 1024), (1, 2048)]
    for n in [n for n in (2, 4) if n <= args.threads]:
        for skies, nside in cases:
            name = workflow(f"ranks-{skies}-{nside}", skies, nside, mean=skies > 1)
            launcher = ["mpirun", "-n", str(n), "--bind-to", "none"]
            compare("ranks", f"skies of nside {nside}: {skies}; ranks: {n}",
                    whole(name, launcher, **free), {"one process": whole(name, **free)})


def measure_pair():
    nside = 256 if args.short else 512
    names = [workflow(f"pair-{i}", 32, nside) for i in range(2)]

    def both():
        runs = [begin(name) for name in names]
        return max(end(run) for run in runs)

    compare("pair", f"two runs of 32 skies of nside {nside} at once", both,
            {"one after the other": lambda: sum(end(begin(name)) for name in names)})


# Skies pin their processes themselves
cores = os.sched_getaffinity(0)
for kind in args.cases.split(","):
    if kind == "skies":
        measure_skies([32, 64] if args.short else [256, 64, 128, 256, 32, 512], rounds)
    elif kind == "large":
        measure_skies([1, 4096], 3)
if set(args.cases.split(",")) & {"default", "ranks", "pair"}:
    args.gpus = 0
    times.start(args)
    with tempfile.TemporaryDirectory(prefix="armilla-schedule-") as folder:
        os.chdir(folder)
        for kind in args.cases.split(","):
            if kind == "default":
                os.sched_setaffinity(0, cores)
                measure_default()
            elif kind == "ranks":
                measure_ranks()
            elif kind == "pair":
                measure_pair()
        os.chdir("/")
