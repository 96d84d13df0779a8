#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Pair counts and shears: tests/correlation/bench-pairs against Corrfunc and TreeCorr, alternately.

    pairs.py BUILD [--threads N] [--rounds N] [--catalogue FILE.fits]

BUILD holds tests/correlation/bench-pairs (make tests/correlation/bench-pairs). All count the same points, in 20 logarithmic
bins; the best of the rounds counts, with sorting into cells on either side, without reading. Counts
must be equal, bin by bin: half of Corrfunc's, which has every pair twice; those of the shears are
TreeCorr's, whose xi+ and xi- must be ours to 1e-12 of the mean square of the shears. With a
catalogue (columns RA and DEC, degrees) counts are compared on it, too, also with TreeCorr's arc
metric and exact bins. Peers that are not installed are left out.

Exit status: 0 when all that was compared agrees, 1 when something differs, 2 when nothing could be
compared."""
import argparse
import os
import subprocess
import sys
import tempfile
import time

try:
    import numpy as np
except ImportError as missing:
    print(f'{sys.argv[0]}: needs the Python package numpy, which is not there ({missing}); this script'
          ' installs nothing', file=sys.stderr)
    sys.exit(2)
try:
    from Corrfunc.mocks import DDtheta_mocks
except ImportError:
    DDtheta_mocks = None
try:
    import treecorr
except ImportError:
    treecorr = None

CASES = [(100000, 0.01, 10), (1000000, 0.01, 1), (1000000, 0.01, 10)]
# Of the mean square of the shears. TreeCorr keeps each shear as a float and adds up in double, in an
# order of its own: shears that are floats are the same for both.
SHEAR_TOLERANCE = 1e-12
verdicts = []


def ours(build, threads, points, first, last, bins, sums=0):
    """Seconds, and of each bin the count (and, of five columns, the sums for xi+ and xi-)."""
    with tempfile.NamedTemporaryFile() as file:
        np.concatenate(points).tofile(file)
        file.flush()
        environment = dict(os.environ, STARPU_NCPU=str(threads), STARPU_SILENT='1')
        text = subprocess.run(
            [os.path.join(build, 'tests/correlation/bench-pairs'), str(len(points[0])), repr(first), repr(last),
             str(bins), str(sums), 'cells', file.name],
            env=environment, check=True, capture_output=True, text=True).stdout.split('\n')
    seconds = float(text[bins].split(' s, ')[0].split()[-1])
    table = [line.split() for line in text[:bins]]
    return (seconds, np.array([int(row[0]) for row in table]),
            np.array([[float(x) for x in row[1:]] for row in table]))


def corrfunc(threads, ra, dec, edges):
    """Seconds and ordered counts of Corrfunc."""
    start = time.perf_counter()
    result = DDtheta_mocks(1, threads, edges, ra, dec)
    return time.perf_counter() - start, result['npairs']


def tree(threads, ra, dec, edges, shears=None):
    """Seconds and results of TreeCorr, exact bins and the arc metric."""
    kind = treecorr.GGCorrelation if shears else treecorr.NNCorrelation
    extra = dict(g1=shears[0], g2=shears[1]) if shears else {}
    catalogue = treecorr.Catalog(ra=ra, dec=dec, ra_units='deg', dec_units='deg', **extra)
    correlation = kind(min_sep=edges[0], max_sep=edges[-1], nbins=len(edges) - 1, sep_units='deg',
                       bin_slop=0, angle_slop=0, metric='Arc', num_threads=threads)
    start = time.perf_counter()
    correlation.process(catalogue, metric='Arc')
    return time.perf_counter() - start, correlation


def uniform(number):
    random = np.random.default_rng(1)
    return (random.uniform(0, 360, number),
            np.degrees(np.arcsin(random.uniform(-1, 1, number))))


def vectors(ra, dec):
    ra, dec = np.radians(ra), np.radians(dec)
    return np.cos(dec) * np.cos(ra), np.cos(dec) * np.sin(ra), np.sin(dec)


def row(name, mine, theirs, same):
    """A line of the table; what it says of the counts is a verdict."""
    verdicts.append(bool(same))
    print('| %s | %.3f s | %.3f s | %.1f | %s |' % (name, mine, theirs, theirs / mine,
                                                    'yes' if same else 'NO'), flush=True)


def check_catalogue(arguments):
    from astropy.io import fits
    table = fits.getdata(arguments.catalogue, 1)
    ra, dec = (np.asarray(table[name], float) for name in ('RA', 'DEC'))
    edges = np.geomspace(0.01, 10, 21)
    seconds, counts, _ = ours(arguments.build, arguments.threads, vectors(ra, dec), 0.01, 10, 20)
    if DDtheta_mocks:
        theirs, twice = corrfunc(arguments.threads, ra, dec, edges)
        row('catalogue, Corrfunc', seconds, theirs, np.array_equal(2 * counts, twice))
    if treecorr:
        theirs, other = tree(arguments.threads, ra, dec, edges)
        row('catalogue, TreeCorr NN', seconds, theirs, np.array_equal(counts, other.npairs))


def check_points(arguments, number, first, last):
    ra, dec = uniform(number)
    edges = np.geomspace(first, last, 21)
    mine, theirs, same = np.inf, np.inf, True
    for _ in range(arguments.rounds):
        seconds, counts, _ = ours(arguments.build, arguments.threads, vectors(ra, dec), first, last,
                                  20)
        mine = min(mine, seconds)
        seconds, twice = corrfunc(arguments.threads, ra, dec, edges)
        theirs = min(theirs, seconds)
        same = same and np.array_equal(2 * counts, twice)
    row('%.0e, %g to %g deg, Corrfunc' % (number, first, last), mine, theirs, same)


def check_shears(arguments, number, first, last):
    ra, dec = uniform(number)
    shears = np.random.default_rng(2).normal(0, 0.2, (2, number)).astype(np.float32).astype(float)
    square = np.mean(shears ** 2) * 2
    mine, theirs, off, same = np.inf, np.inf, 0, True
    for _ in range(arguments.rounds):
        # sums, as TreeCorr's: separations, xi+, xi-
        seconds, counts, sums = ours(arguments.build, arguments.threads,
                                     (*vectors(ra, dec), *shears), first, last, 20, 14)
        mine = min(mine, seconds)
        seconds, other = tree(arguments.threads, ra, dec, np.geomspace(first, last, 21),
                              list(shears))
        theirs = min(theirs, seconds)
        filled = counts > 0
        for xi, peer in zip(sums.T, (other.xip, other.xim)):
            off = max(off, np.max(np.abs(xi[filled] / counts[filled] - peer[filled])))
        same = same and np.array_equal(counts, other.npairs)
    print('xi+ and xi- differ by at most %.2g of the mean square of the shears' % (off / square),
          file=sys.stderr)
    row('%.0e, %g to %g deg, shears, TreeCorr GG' % (number, first, last), mine, theirs,
        same and off <= SHEAR_TOLERANCE * square)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('build')
    parser.add_argument('--threads', type=int, default=2)
    parser.add_argument('--rounds', type=int, default=3)
    parser.add_argument('--objects', type=int, help='only as many, for a quick comparison')
    parser.add_argument('--catalogue')
    arguments = parser.parse_args()
    few = arguments.objects
    for name, module in (('Corrfunc', DDtheta_mocks), ('TreeCorr', treecorr)):
        if not module:
            print(f'{name} is not installed: left out', file=sys.stderr)
    if not DDtheta_mocks and not treecorr:
        return 2
    print('| %d threads | Armilla | peer | ratio | same |\n|---|---|---|---|---|'
          % arguments.threads)
    if DDtheta_mocks:
        for number, first, last in [(few, 0.01, 10)] if few else CASES:
            check_points(arguments, number, first, last)
    if treecorr:
        check_shears(arguments, few or 100000, 0.1, 10)
    if arguments.catalogue:
        check_catalogue(arguments)
    return 0 if all(verdicts) else 1


if __name__ == '__main__':
    sys.exit(main())
