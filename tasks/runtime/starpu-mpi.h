/* SPDX-License-Identifier: GPL-3.0-or-later */
/* StarPU's headers, with StarPU-MPI if configure found it. */
#pragma once

#include "config.h"

#include <starpu.h>

#ifdef HAVE_MPI
#include <mpi.h>
#include <starpu_mpi.h>

/* Fetches a buffer to @node; returns 0, or -errno if StarPU reports it (from 1.4 on). */
static inline int
armilla_mpi_bring (MPI_Comm comm, starpu_data_handle_t handle, int node)
{
#if STARPU_MAJOR_VERSION > 1 || STARPU_MINOR_VERSION >= 4
  return starpu_mpi_get_data_on_node_detached (comm, handle, node, NULL, NULL);
#else
  starpu_mpi_get_data_on_node_detached (comm, handle, node, NULL, NULL);
  return 0;
#endif
}
#endif
