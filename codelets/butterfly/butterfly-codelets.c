/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "codelets/butterfly/butterfly-codelets.h"

#include <math.h>
#include <string.h>

#include "codelets/legendre/delta-math.h"

static void
compress (void *buffers[], const ArmillaButterflyCompressArgs *args)
{
  double *words = ARMILLA_BUFFER (1);
  const double start = starpu_timing_now ();
  const char *wrong = armilla_butterfly_compress_cpu (&args->shape, ARMILLA_BUFFER (0), words,
                                                      ARMILLA_BUFFER (2));

  if (wrong)
    armilla_fault_set (args->fault, ARMILLA_ERROR_NUMERIC,
                       "butterfly_compress: LAPACK's %s failed for order %" G_GINT64_FORMAT
                       "; was it built with 32-bit integers?",
                       wrong, args->shape.m);
  else
    words[armilla_butterfly_open (words).head[ARMILLA_BUTTERFLY_WORDS]]
      = 1e-6 * (starpu_timing_now () - start);
}

/* Generating an element takes 8 operations. A stage eliminates about half of the columns of two
 * chunks, at 6 operations per pivot for each row of each column; there are as many stages as the
 * chunks can be joined. The ranks depend on the tolerance: the estimate is for the middle of its
 * range. */
ArmillaCost
armilla_butterfly_compress_cost (const ArmillaButterflyShape *shape)
{
  const double n = (double) armilla_delta_steps (shape->lmax, shape->m);
  const double elements = n * (double) shape->n_pairs;
  const double stages = 1 + ceil (log2 (fmax (1, n / fmax (1, shape->chunk))));

  return (ArmillaCost) { elements * (8 + 6 * 1.5 * shape->chunk * stages),
                         8 * (elements + ARMILLA_PAIR_ROWS * (double) shape->n_pairs) };
}

/* Each element is multiplied with and added to four real numbers per field. The compressed orders,
 * the tile and the coefficients are read or written once. */
static ArmillaCost
apply_cost (const ArmillaButterflyBlock *block)
{
  const double n_orders = (double) (block->m_last - block->m_first + 1);
  const double f = (double) block->n_fields;
  const double steps
    = (double) armilla_delta_steps_before (block->lmax, block->m_first, block->m_last + 1);

  return (ArmillaCost) { 8 * f * (double) block->elements,
                         8 * (double) block->n_words + 32 * f * steps
                           + 32 * f * n_orders * (double) block->n_pairs };
}

ARMILLA_CPU_WRAPPER (butterfly_compress, ArmillaButterflyCompressArgs, compress (buffers, args))
ARMILLA_COST (butterfly_compress, ArmillaButterflyCompressArgs,
              armilla_butterfly_compress_cost (&args->shape))
ArmillaCodelet armilla_butterfly_compress_cl = ARMILLA_CPU_CODELET (butterfly_compress, "2");

#define OFFSETS ARMILLA_BUFFER_OF (const int64_t, 1)

ARMILLA_CPU_WRAPPER (butterfly_synthesis, ArmillaButterflyArgs,
                     armilla_butterfly_synthesis_cpu (&args->block, ARMILLA_BUFFER (0), OFFSETS,
                                               ARMILLA_BUFFER (2), ARMILLA_BUFFER (3),
                                               ARMILLA_BUFFER (4)))
ARMILLA_COST (butterfly_synthesis, ArmillaButterflyArgs, apply_cost (&args->block))
ArmillaCodelet armilla_butterfly_synthesis_cl = ARMILLA_CPU_CODELET (butterfly_synthesis, "1");

ARMILLA_CPU_WRAPPER (butterfly_adjoint, ArmillaButterflyArgs,
                     armilla_butterfly_adjoint_cpu (&args->block, ARMILLA_BUFFER (0), OFFSETS,
                                               ARMILLA_BUFFER (2), ARMILLA_BUFFER (3),
                                               ARMILLA_BUFFER (4)))
ARMILLA_COST (butterfly_adjoint, ArmillaButterflyArgs, apply_cost (&args->block))
ArmillaCodelet armilla_butterfly_adjoint_cl = ARMILLA_CPU_CODELET (butterfly_adjoint, "1");
