#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Pair counts and shears: tests/bench-pairs against Corrfunc and TreeCorr, in turns.

    pairs.py BUILD [--threads N] [--rounds N] [--catalogue FILE.fits]

BUILD holds tests/bench-pairs (make tests/bench-pairs). All count the same points, in 20 logarithmic
bins; the best of the rounds counts, with sorting into cells on either side, without reading. Counts
must be equal, bin by bin: half of Corrfunc's, which has every pair twice. With a catalogue (columns
RA and DEC, degrees) counts are compared on it, too, also with TreeCorr's arc metric and exact bins.
Peers that are not installed are left out."""
import argparse
import os
import subprocess
import sys
import tempfile
import time

try:
    import numpy as np
except ImportError as error:
    sys.exit(f'{sys.argv[0]}: needs the Python package numpy, which is not there ({error}); this script'
             ' installs nothing')
try:
    from Corrfunc.mocks import DDtheta_mocks
except ImportError:
    DDtheta_mocks = None
try:
    import treecorr
except ImportError:
    treecorr = None

CASES = [(100000, 0.01, 10), (1000000, 0.01, 1), (1000000, 0.01, 10)]


def ours(build, threads, points, first, last, bins, sums=0):
    """Seconds and counts of bench-pairs."""
    with tempfile.NamedTemporaryFile() as file:
        np.concatenate(points).tofile(file)
        file.flush()
        environment = dict(os.environ, STARPU_NCPU=str(threads), STARPU_SILENT='1')
        text = subprocess.run(
            [os.path.join(build, 'tests/bench-pairs'), str(len(points[0])), repr(first), repr(last),
             str(bins), str(sums), 'cells', file.name],
            env=environment, check=True, capture_output=True, text=True).stdout.split('\n')
    seconds = float(text[bins].split(' s, ')[0].split()[-1])
    return seconds, np.array([int(line) for line in text[:bins]])


def corrfunc(threads, ra, dec, edges):
    """Seconds and ordered counts of Corrfunc."""
    start = time.perf_counter()
    result = DDtheta_mocks(1, threads, edges, ra, dec)
    return time.perf_counter() - start, result['npairs']


def tree(threads, ra, dec, edges, shears=None):
    """Seconds and counts of TreeCorr, exact bins and the arc metric."""
    kind = treecorr.GGCorrelation if shears else treecorr.NNCorrelation
    extra = dict(g1=shears[0], g2=shears[1]) if shears else {}
    catalogue = treecorr.Catalog(ra=ra, dec=dec, ra_units='deg', dec_units='deg', **extra)
    correlation = kind(min_sep=edges[0], max_sep=edges[-1], nbins=len(edges) - 1, sep_units='deg',
                       bin_slop=0, angle_slop=0, metric='Arc', num_threads=threads)
    start = time.perf_counter()
    correlation.process(catalogue, metric='Arc')
    return time.perf_counter() - start, correlation.npairs


def uniform(number):
    random = np.random.default_rng(1)
    return (random.uniform(0, 360, number),
            np.degrees(np.arcsin(random.uniform(-1, 1, number))))


def vectors(ra, dec):
    ra, dec = np.radians(ra), np.radians(dec)
    return np.cos(dec) * np.cos(ra), np.cos(dec) * np.sin(ra), np.sin(dec)


def row(name, mine, theirs, same):
    print('| %s | %.3f s | %.3f s | %.1f | %s |' % (name, mine, theirs, theirs / mine, same),
          flush=True)


def check_catalogue(arguments):
    from astropy.io import fits
    table = fits.getdata(arguments.catalogue, 1)
    ra, dec = (np.asarray(table[name], float) for name in ('RA', 'DEC'))
    edges = np.geomspace(0.01, 10, 21)
    seconds, counts = ours(arguments.build, arguments.threads, vectors(ra, dec), 0.01, 10, 20)
    if DDtheta_mocks:
        theirs, twice = corrfunc(arguments.threads, ra, dec, edges)
        row('catalogue, Corrfunc', seconds, theirs, np.array_equal(2 * counts, twice))
    if treecorr:
        theirs, other = tree(arguments.threads, ra, dec, edges)
        row('catalogue, TreeCorr NN', seconds, theirs, np.array_equal(counts, other))


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('build')
    parser.add_argument('--threads', type=int, default=2)
    parser.add_argument('--rounds', type=int, default=3)
    parser.add_argument('--catalogue')
    arguments = parser.parse_args()
    for name, module in (('Corrfunc', DDtheta_mocks), ('TreeCorr', treecorr)):
        if not module:
            print(f'{name} is not installed: left out', file=sys.stderr)
    if not DDtheta_mocks and not treecorr:
        return 1
    print('| %d threads | Armilla | peer | ratio | same counts |\n|---|---|---|---|---|'
          % arguments.threads)
    for number, first, last in CASES if DDtheta_mocks else []:
        ra, dec = uniform(number)
        edges = np.geomspace(first, last, 21)
        mine, theirs = np.inf, np.inf
        for _ in range(arguments.rounds):
            seconds, counts = ours(arguments.build, arguments.threads, vectors(ra, dec), first,
                                   last, 20)
            mine = min(mine, seconds)
            seconds, twice = corrfunc(arguments.threads, ra, dec, edges)
            theirs = min(theirs, seconds)
            same = np.array_equal(2 * counts, twice)
        row('%.0e, %g to %g deg, Corrfunc' % (number, first, last), mine, theirs, same)
    if treecorr:
        ra, dec = uniform(100000)
        random = np.random.default_rng(2)
        shears = random.normal(0, 0.2, (2, len(ra)))
        mine, theirs = np.inf, np.inf
        for _ in range(arguments.rounds):
            # sums, as TreeCorr's: separations, xi+, xi-
            mine = min(mine, ours(arguments.build, arguments.threads, vectors(ra, dec), 0.1, 10,
                                  20, 14)[0])
            theirs = min(theirs, tree(arguments.threads, ra, dec, np.geomspace(0.1, 10, 21),
                                      list(shears))[0])
        row('1e5, 0.1 to 10 deg, shears, TreeCorr GG', mine, theirs, '')
    if arguments.catalogue:
        check_catalogue(arguments)


if __name__ == '__main__':
    sys.exit(main())
