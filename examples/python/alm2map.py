# SPDX-License-Identifier: GPL-3.0-or-later
import armilla, numpy

alm = numpy.zeros(armilla.alm_size(lmax=128), complex)
alm[2] = 1  # l = 2, m = 0
map = armilla.alm2map(alm, nside=64)
print(f"north pole {map[0]:.6f}, equator {map[map.size // 2]:.6f}")
