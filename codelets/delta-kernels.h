/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Synthesis and its adjoint on the CPU: compiled once for each instruction set, by the file that
 * defines ARMILLA_DELTA_KERNELS as the name of the table of functions.
 *
 * One field: the recurrence and the sums share a loop. Several: q of a segment goes into a buffer
 * that every field reads. In the synthesis the order in which a lane's terms are added is the same
 * either way. */
#pragma once

#include "codelets/delta-adjoint.h"
#include "codelets/delta-synthesis.h"

const ArmillaDeltaKernels ARMILLA_DELTA_KERNELS = { delta_synthesis, delta_adjoint };
