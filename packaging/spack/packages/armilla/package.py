# SPDX-License-Identifier: GPL-3.0-or-later
"""Armilla for Spack: spack repo add packaging/spack; doc/packages.md says more."""

import os

try:
    from spack_repo.builtin.build_systems.autotools import AutotoolsPackage
except ImportError:  # Spack before 1.0 has it among what comes next
    pass
from spack.package import *


class Armilla(AutotoolsPackage):
    """Processes maps and catalogues on the sphere, described by workflow files, as task graphs on
    CPU cores, CUDA GPUs and clusters."""

    # make dist in the folder that Spack is called in.
    manual_download = True
    url = f"file://{os.getcwd()}/armilla-0.3.0.tar.xz"

    license("GPL-3.0-or-later", checked_by="the Armilla developers")

    version("0.3.0")

    variant("mpi", default=True, description="Runs on several machines")
    variant("cuda", default=False, description="Computes on NVIDIA GPUs")

    depends_on("c", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("perl", type="build")
    # A clone (spack develop) has no configure yet.
    depends_on("autoconf@2.71:", type="build")
    depends_on("automake@1.16:", type="build")
    depends_on("libtool", type="build")
    depends_on("m4", type="build")

    depends_on("glib@2.70:")
    depends_on("cfitsio")
    depends_on("lapack")
    depends_on("json-glib@1.4:")
    depends_on("fftw@3:")
    depends_on("cairo+ft+fc+pdf+png+svg")
    depends_on("muparser@2.3:")
    depends_on("random123", type="build")
    depends_on("zlib-api")
    depends_on("starpu@1.4:")
    depends_on("starpu+mpi", when="+mpi")
    depends_on("starpu~mpi", when="~mpi")
    depends_on("starpu+cuda", when="+cuda")
    depends_on("starpu~cuda", when="~cuda")
    # configure asks mpicc for its flags as Open MPI's understands it.
    depends_on("openmpi", when="+mpi")
    depends_on("cuda@12:", when="+cuda")

    def configure_args(self):
        spec = self.spec
        lapack = spec["lapack"]
        arguments = [
            # Not every LAPACK of Spack's has a file for pkg-config by that name.
            f"LAPACK_CFLAGS={lapack.headers.include_flags or '-I' + lapack.prefix.include}",
            f"LAPACK_LIBS={(lapack.libs + spec['blas'].libs).ld_flags}",
        ]
        arguments += self.with_or_without("mpi")
        if spec.satisfies("+cuda"):
            arguments.append(f"--with-cuda={spec['cuda'].prefix}")
        else:
            arguments.append("--without-cuda")
        return arguments
