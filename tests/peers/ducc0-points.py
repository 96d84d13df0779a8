#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Times of values of a_lm at random points and of the adjoint: the stages alm2points and adjoint-alm2points
called from Python, with points as a catalogue of vectors, and ducc0's synthesis_general, taking turns."""
import times

parser = times.parser(__doc__)
parser.add_argument("lmax", type=int, nargs="?", default=1500)
parser.add_argument("points", type=float, nargs="?", default=4e6)
parser.add_argument("--spin", type=int, default=0)
parser.add_argument("--fields", type=int, default=1, help="fields, or pairs of them, on the same points")
parser.add_argument("--epsilon", type=float, default=1e-7)
parser.add_argument("--in-order", action="store_true", help="points sorted into rings, as a map's")
args = parser.parse_args()
times.start(args)
ducc0 = times.need("ducc0")
np = times.need("numpy")
armilla = times.need("armilla")

n, each = int(args.points), 1 if args.spin == 0 else 2
rng = np.random.default_rng(1)
theta, phi = np.arccos(rng.uniform(-1, 1, n)), rng.uniform(0, 2 * np.pi, n)
if args.in_order:
    order = np.lexsort((phi, np.floor(theta * args.lmax)))
    theta, phi = theta[order], phi[order]
loc = np.stack([theta, phi], axis=1)
vectors = {"x": np.sin(theta) * np.cos(phi), "y": np.sin(theta) * np.sin(phi), "z": np.cos(theta)}
alm = times.random_alm(np, args.lmax, args.fields * each)
degree = np.concatenate([np.arange(m, args.lmax + 1) for m in range(args.lmax + 1)])
alm *= degree >= args.spin
names = [f"f{i}" for i in range(len(alm))]
values = rng.normal(size=(len(alm), n))
known = armilla.Alm(alm, lmax=args.lmax, spin=args.spin)
catalogue = {**vectors, **dict(zip(names, values))}
common = dict(lmax=args.lmax, spin=args.spin, loc=loc, epsilon=args.epsilon, nthreads=args.threads)


class Ours:
    """Calls of ours, for times.alternate ()."""

    def __init__(self, function):
        self.call = lambda: [times.timed(function)]
        self.close = lambda: None


def at_points():
    armilla.stages.alm2points(known, vectors, columns=names, epsilon=args.epsilon)


def peer_at_points():
    for i in range(0, len(alm), each):
        ducc0.sht.synthesis_general(alm=alm[i:i + each], **common)


def adjoint():
    armilla.stages.adjoint_alm2points(catalogue, columns=names, spin=args.spin, lmax=args.lmax,
                                      epsilon=args.epsilon)


def peer_adjoint():
    for i in range(0, len(alm), each):
        ducc0.sht.adjoint_synthesis_general(map=values[i:i + each], **common)


for direction, name, ours, peer in (("alm2map", "alm2points", at_points, peer_at_points),
                                    ("map2alm", "adjoint-alm2points", adjoint, peer_adjoint)):
    if direction in times.directions(args):
        pairs = times.alternate(Ours(ours), [peer], args.repeats)[0]
        times.report(args, f"{name}, lmax {args.lmax}, {n:.3g} points, spin {args.spin}, {len(alm)} field(s), "
                     f"{args.threads} thread(s)", pairs, name=name, grid="points", size=n, lmax=args.lmax,
                     spin=str(args.spin), batch=len(alm), epsilon=args.epsilon, peer="ducc0",
                     version=ducc0.__version__)
