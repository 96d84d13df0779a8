/* SPDX-License-Identifier: GPL-3.0-or-later */
/* StarPU's headers, with StarPU-MPI where configure found it. */
#pragma once

#include "config.h"

#include <starpu.h>

#ifdef HAVE_MPI
#include <mpi.h>
#include <starpu_mpi.h>
#endif
