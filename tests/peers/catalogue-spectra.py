#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Times of bandpowers of shears of a catalogue, from arrays: the short form catalogue-spectra called from Python,
and NaMaster's NmtFieldCatalog, coupling matrix and decoupling, taking turns. First they are compared. With --field
only the a_lm of the field and of the mask, which NaMaster sums by ducc0."""
import times

parser = times.parser(__doc__)
parser.add_argument("lmax", type=int, nargs="?", default=1500)
parser.add_argument("objects", type=float, nargs="?", default=1e6)
parser.add_argument("--epsilon", type=float, default=1e-5, help="error of the sums; NaMaster's is 1e-5")
parser.add_argument("--field", action="store_true")
args = parser.parse_args()
times.start(args)
nmt = times.need("pymaster")
np = times.need("numpy")
armilla = times.need("armilla")

n = int(args.objects)
rng = np.random.default_rng(1)
places = np.array([rng.uniform(0, 360, n), np.degrees(np.arcsin(rng.uniform(0.2, 1, n)))])
values = rng.normal(0, 0.3, (2, n))
weights = rng.uniform(0.5, 1, n)
catalogue = {"ra": places[0], "dec": places[1], "weight": weights, "q": values[0], "u": values[1]}
common = dict(columns="q, u", spin=2, lmax=args.lmax, mask_lmax=args.lmax, epsilon=args.epsilon)
bins = nmt.NmtBin.from_lmax_linear(args.lmax, 30)


class Ours:
    """Calls of ours, for times.alternate ()."""

    def __init__(self, function):
        self.call = lambda: [times.timed(function)]
        self.close = lambda: None


def field():
    return armilla.stages.catalogue2alm(catalogue, **common, outputs=["alm", "mask_alm"])


def peer_field():
    return nmt.NmtFieldCatalog(places, weights, values, args.lmax, lonlat=True)


def powers():
    return armilla.stages.catalogue_spectra(catalogue, **common, delta_l=30)


def peer_powers():
    one = peer_field()
    work = nmt.NmtWorkspace.from_fields(one, one, bins)
    return work.decouple_cell(nmt.compute_coupled_cell(one, one))


name, ours, peer = ("field", field, peer_field) if args.field else ("bandpowers", powers, peer_powers)
if not args.field:
    mine, theirs = powers(), peer_powers()
    for column, their in zip(("EE", "BB"), (theirs[0], theirs[3])):
        print(f"# {column}: {np.max(np.abs(np.asarray(mine[column]) - their)) / np.max(np.abs(their)):.1g}")
pairs = times.alternate(Ours(ours), [peer], args.repeats)[0]
times.report(args, f"catalogue, {name}, lmax {args.lmax}, {n:.3g} objects, {args.threads} thread(s)", pairs,
             name="catalogue-spectra", grid="points", size=n, lmax=args.lmax, peer="NaMaster",
             version=nmt.__version__)
