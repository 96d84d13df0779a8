/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "codelets/rings/ring-codelets.h"

#include <math.h>

#include "codelets/common/fault.h"

#define SLOTS ARMILLA_BUFFER_OF (const ArmillaRingSlot, 0)

/**
 * armilla_ring_cost:
 * @shape: shape of the block
 * @slots: (nullable): the rings, [n_slots]; %NULL: as if all were of one length
 *
 * A ring of n pixels and its field takes 2.5 n log2 n operations for the real transform, as FFTW
 * counts, and 6 for the phase of each of the mmax + 1 modes.
 *
 * Returns: the work of armilla_ring_synthesis_cpu() or armilla_ring_adjoint_cpu()
 */
ArmillaCost
armilla_ring_cost (const ArmillaRingShape *shape, const ArmillaRingSlot *slots)
{
  const double n_modes = (double) (shape->mmax + 1), n_fields = (double) shape->n_fields;
  double flops = 0;

  for (int64_t i = 0; i < shape->n_slots; i++)
    {
      const double n = slots ? (double) slots[i].n_phi
                             : (double) shape->n_pixels / (double) shape->n_slots;

      if (n > 0)
        flops += 2.5 * n * log2 (n) + 6 * n_modes;
    }
  return (ArmillaCost) { n_fields * flops, n_fields
                                             * (8 * (double) shape->n_pixels
                                                + 16 * n_modes * (double) shape->n_slots) };
}

/* The pieces of the modes: buffer @first, and those from 4 on. @tile: room for them all */
static ArmillaRingTiles
pieces (void *buffers[], const ArmillaRingArgs *args, int first, double **tile)
{
  static const int64_t zero = 0;

  tile[0] = ARMILLA_BUFFER (first);
  for (int i = 1; i < args->n_tiles; i++)
    tile[i] = ARMILLA_BUFFER (3 + i);
  return (ArmillaRingTiles) { .n = MAX (args->n_tiles, 1),
                              .first = args->n_tiles > 1 ? args->first_orders : &zero,
                              .tile = tile };
}

/* The maps of all skies: buffer @first, and those after the pieces. @tile: room for them all */
static ArmillaRingPixels
maps (void *buffers[], const ArmillaRingArgs *args, int first, double **tile)
{
  const int others = 3 + MAX (args->n_tiles, 1);

  tile[0] = ARMILLA_BUFFER (first);
  for (int sky = 1; sky < args->n_skies; sky++)
    tile[sky] = ARMILLA_BUFFER (others + sky - 1);
  return (ArmillaRingPixels) { .n_each = args->shape.n_fields / args->n_skies,
                               .place = args->place,
                               .tile = tile };
}

static void
transform (void *buffers[], const ArmillaRingArgs *args, gboolean synthesis)
{
  double **tile = g_newa (double *, (gsize) MAX (args->n_tiles, 1));
  double **map = g_newa (double *, (gsize) args->n_skies);
  const ArmillaRingTiles modes = pieces (buffers, args, synthesis ? 1 : 2, tile);
  const ArmillaRingPixels pixels = maps (buffers, args, synthesis ? 2 : 1, map);
  const int status
    = synthesis ? armilla_ring_synthesis_cpu (&args->shape, SLOTS, args->plans, &modes, &pixels,
                                              ARMILLA_BUFFER (3))
                : armilla_ring_adjoint_cpu (&args->shape, SLOTS, args->plans, args->flags, &pixels,
                                            &modes, ARMILLA_BUFFER (3));

  /* The plans of all rings are made with their blocks, so this is a fault of the program. */
  if (status != 0)
    armilla_fault_set (args->fault, ARMILLA_ERROR_MEMORY, "%s: a ring has no plan",
                       synthesis ? "ring_synthesis" : "ring_adjoint");
}

#ifdef HAVE_CUDA
/* A GPU makes all orders at once, or has them redistributed: its modes are in one piece. A message
 * says more than the status that the wrapper would latch after it. */
static int
launch (void *buffers[], const ArmillaRingArgs *args, gboolean synthesis, cudaStream_t stream)
{
  const char *codelet = synthesis ? "ring_synthesis" : "ring_adjoint";
  ArmillaCudaMessage message = { "" };
  int status;

  if (args->n_tiles > 1)
    armilla_fault_set (args->fault, ARMILLA_ERROR_CUDA, "%s: modes in %d pieces", codelet,
                       args->n_tiles);
  if (args->n_tiles > 1 || !armilla_fault_one_sky (args->fault, codelet, args->n_skies))
    return 0;
  status = synthesis
             ? armilla_ring_synthesis_launch (armilla_worker_plans_mine (args->cuda_plans),
                                              args->cuda_block, SLOTS, ARMILLA_BUFFER (1),
                                              ARMILLA_BUFFER (2), ARMILLA_BUFFER (3), stream,
                                              &message)
             : armilla_ring_adjoint_launch (armilla_worker_plans_mine (args->cuda_plans),
                                            args->cuda_block, SLOTS, args->flags,
                                            ARMILLA_BUFFER (1), ARMILLA_BUFFER (2),
                                            ARMILLA_BUFFER (3), stream, &message);
  if (status != 0)
    armilla_fault_set (args->fault, ARMILLA_ERROR_CUDA, "%s: %s", codelet, message.text);
  return status;
}
#endif

ARMILLA_CPU_WRAPPER (ring_synthesis, ArmillaRingArgs, transform (buffers, args, TRUE))
ARMILLA_CUDA_WRAPPER (ring_synthesis, ArmillaRingArgs, launch (buffers, args, TRUE, stream))
ARMILLA_COST (ring_synthesis, ArmillaRingArgs,
              armilla_ring_cost (&args->shape, ARMILLA_TABLE (ArmillaRingSlot, 0)))
ArmillaCodelet armilla_ring_synthesis_cl = ARMILLA_CODELET (ring_synthesis, "3");

ARMILLA_CPU_WRAPPER (ring_adjoint, ArmillaRingArgs, transform (buffers, args, FALSE))
ARMILLA_CUDA_WRAPPER (ring_adjoint, ArmillaRingArgs, launch (buffers, args, FALSE, stream))
ARMILLA_COST (ring_adjoint, ArmillaRingArgs,
              armilla_ring_cost (&args->shape, ARMILLA_TABLE (ArmillaRingSlot, 0)))
ArmillaCodelet armilla_ring_adjoint_cl = ARMILLA_CODELET (ring_adjoint, "3");

/* No operations: every number is read once and written once. */
static ArmillaCost
move_cost (const ArmillaRedistributeShape *shape)
{
  const double numbers = 4.0 * (double) (shape->m_last - shape->m_first + 1)
                         * (double) shape->n_fields * (double) shape->n_pairs;

  return (ArmillaCost) { 0, 16 * numbers };
}

ARMILLA_WRAPPERS (redistribute_forward, ArmillaRedistributeArgs, armilla_redistribute_forward,
                  &args->shape, SLOTS, ARMILLA_BUFFER (1), ARMILLA_BUFFER (2))
ARMILLA_COST (redistribute_forward, ArmillaRedistributeArgs, move_cost (&args->shape))
ArmillaCodelet armilla_redistribute_forward_cl = ARMILLA_CODELET (redistribute_forward, "2");

ARMILLA_WRAPPERS (redistribute_backward, ArmillaRedistributeArgs, armilla_redistribute_backward,
                  &args->shape, SLOTS, ARMILLA_BUFFER (1), ARMILLA_BUFFER (2))
ARMILLA_COST (redistribute_backward, ArmillaRedistributeArgs, move_cost (&args->shape))
ArmillaCodelet armilla_redistribute_backward_cl = ARMILLA_CODELET (redistribute_backward, "2");
