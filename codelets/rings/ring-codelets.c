/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "codelets/rings/ring-codelets.h"

#include <math.h>

#include "codelets/common/fault.h"

#define SLOTS ARMILLA_BUFFER_OF (const ArmillaRingSlot, 0)

/* A ring of n pixels takes, per field, 2.5 n log2 n operations for the real transform, as FFTW
 * counts, and 6 for the phase of each of the mmax + 1 modes. Without slots all rings are taken to
 * have one length. */
ArmillaCost
armilla_ring_cost (const ArmillaRingShape *shape, const ArmillaRingSlot *slots)
{
  const double n_modes = (double) (shape->mmax + 1), n_fields = (double) shape->n_fields;
  const int64_t end = armilla_ring_shape_end (shape);
  double flops = 0, pixels = 0;

  for (int64_t i = shape->first_slot; i < end; i++)
    {
      const double n = slots ? (double) slots[i].n_phi
                             : (double) shape->n_pixels / (double) shape->n_slots;

      pixels += n;
      if (n > 0)
        flops += 2.5 * n * log2 (n) + 6 * n_modes;
    }
  return (ArmillaCost) { n_fields * flops,
                         n_fields
                           * (8 * pixels + 16 * n_modes * (double) (end - shape->first_slot)) };
}

/* Returns the pieces of the modes: buffer @first and the buffers from @others on. @tile: room for
 * their addresses */
static ArmillaRingTiles
pieces (void *buffers[], const ArmillaRingArgs *args, int first, int others, double **tile)
{
  static const int64_t zero = 0;

  tile[0] = ARMILLA_BUFFER (first);
  for (int i = 1; i < args->n_tiles; i++)
    tile[i] = ARMILLA_BUFFER (others + i - 1);
  return (ArmillaRingTiles) { .n = MAX (args->n_tiles, 1),
                              .first = args->n_tiles > 1 ? args->first_orders : &zero,
                              .tile = tile };
}

/* Returns the maps of all realisations: buffer @first and the buffers after the pieces of the
 * modes, or a whole map outside the buffers. @tile: room for their addresses */
static ArmillaRingPixels
maps (void *buffers[], const ArmillaRingArgs *args, int first, double **tile)
{
  const int others = 3 + MAX (args->n_tiles, 1);

  if (args->in_place)
    return (ArmillaRingPixels) { .n_each = 1,
                                 .place = args->place,
                                 .tile = args->in_place,
                                 .first = ARMILLA_BUFFER_OF (const gint64, first) };
  tile[0] = ARMILLA_BUFFER (first);
  for (int sky = 1; sky < args->n_skies; sky++)
    tile[sky] = ARMILLA_BUFFER (others + sky - 1);
  return (ArmillaRingPixels) { .n_each = args->shape.n_fields / args->n_skies,
                               .place = args->place,
                               .tile = tile };
}

typedef enum { SYNTHESIS, ADJOINT, NORMAL } Form;

static const char *const codelets[] = { "ring_synthesis", "ring_adjoint", "ring_normal" };

static void
transform (void *buffers[], const ArmillaRingArgs *args, Form form)
{
  double **tile = g_newa (double *, (gsize) MAX (args->n_tiles, 1));
  double **map = g_newa (double *, (gsize) args->n_skies);
  const ArmillaRingTiles modes = form == NORMAL ? pieces (buffers, args, 1, 3, tile)
                                                : pieces (buffers, args, 1 + (int) form, 4, tile);
  const int64_t first = args->shape.first_slot, n = armilla_ring_shape_end (&args->shape) - first;
  ArmillaRingPixels pixels;
  int status;

  if (armilla_fft_plans_add (args->plans, SLOTS + first, n) != 0)
    {
      armilla_fault_set (args->fault, ARMILLA_ERROR_MEMORY,
                         "%s: out of memory: FFTW cannot plan a ring", codelets[form]);
      return;
    }
  if (form == NORMAL)
    status = armilla_ring_normal_cpu (&args->shape, SLOTS, args->plans, &modes,
                                      ARMILLA_BUFFER (2));
  else
    {
      pixels = maps (buffers, args, form == SYNTHESIS ? 2 : 1, map);
      status = form == SYNTHESIS
                 ? armilla_ring_synthesis_cpu (&args->shape, SLOTS, args->plans, &modes, &pixels,
                                               ARMILLA_BUFFER (3))
                 : armilla_ring_adjoint_cpu (&args->shape, SLOTS, args->plans, args->flags,
                                             &pixels, &modes, ARMILLA_BUFFER (3));
    }
  /* an error of the program: plans are made before tasks are submitted */
  if (status != 0)
    armilla_fault_set (args->fault, ARMILLA_ERROR_MEMORY, "internal error: %s: a ring has no FFT "
                       "plan", codelets[form]);
}

#ifdef HAVE_CUDA
static int
launch_form (void *buffers[], const ArmillaRingArgs *args, Form form, cudaStream_t stream,
             ArmillaCudaMessage *message)
{
  ArmillaCudaFftPlans *plans = armilla_worker_plans_mine (args->cuda_plans);
  ArmillaRingPixels pixels;
  double *map;

  if (form == NORMAL)
    return armilla_ring_normal_launch (plans, args->cuda_block, SLOTS, ARMILLA_BUFFER (1),
                                       ARMILLA_BUFFER (2), stream, message);
  pixels = maps (buffers, args, form == SYNTHESIS ? 2 : 1, &map);
  return form == SYNTHESIS
           ? armilla_ring_synthesis_launch (plans, args->cuda_block, SLOTS, ARMILLA_BUFFER (1),
                                            &pixels, ARMILLA_BUFFER (3), stream, message)
           : armilla_ring_adjoint_launch (plans, args->cuda_block, SLOTS, args->flags, &pixels,
                                          ARMILLA_BUFFER (2), ARMILLA_BUFFER (3), stream, message);
}

/* Launches the CUDA kernels, which need the modes in one piece. Latches their error message, which
 * is more specific than the status that the wrapper would latch afterwards. */
static int
launch (void *buffers[], const ArmillaRingArgs *args, Form form, cudaStream_t stream)
{
  ArmillaCudaMessage message = { "" };
  int status;

  if (args->n_tiles > 1)
    armilla_fault_set (args->fault, ARMILLA_ERROR_CUDA, "internal error: %s: modes in %d pieces on "
                       "a GPU", codelets[form], args->n_tiles);
  if (args->n_tiles > 1 || !armilla_fault_one_sky (args->fault, codelets[form], args->n_skies))
    return 0;
  status = launch_form (buffers, args, form, stream, &message);
  if (status != 0)
    armilla_fault_set (args->fault, ARMILLA_ERROR_CUDA, "%s: %s", codelets[form], message.text);
  return status;
}
#endif

ARMILLA_CPU_WRAPPER (ring_synthesis, ArmillaRingArgs, transform (buffers, args, SYNTHESIS))
ARMILLA_CUDA_WRAPPER (ring_synthesis, ArmillaRingArgs, launch (buffers, args, SYNTHESIS, stream))
ARMILLA_COST (ring_synthesis, ArmillaRingArgs,
              armilla_ring_cost (&args->shape, ARMILLA_TABLE (ArmillaRingSlot, 0)))
ArmillaCodelet armilla_ring_synthesis_cl
  = ARMILLA_CODELET (ring_synthesis, "3", .core_share = 0.07, .gpu_share = 0.12);

ARMILLA_CPU_WRAPPER (ring_adjoint, ArmillaRingArgs, transform (buffers, args, ADJOINT))
ARMILLA_CUDA_WRAPPER (ring_adjoint, ArmillaRingArgs, launch (buffers, args, ADJOINT, stream))
ARMILLA_COST (ring_adjoint, ArmillaRingArgs,
              armilla_ring_cost (&args->shape, ARMILLA_TABLE (ArmillaRingSlot, 0)))
ArmillaCodelet armilla_ring_adjoint_cl
  = ARMILLA_CODELET (ring_adjoint, "3", .core_share = 0.07, .gpu_share = 0.14);

/* Two phase factors per mode; each mode is read once and written once. */
static ArmillaCost
normal_cost (const ArmillaRingShape *shape)
{
  const int64_t end = armilla_ring_shape_end (shape);
  const double numbers = (double) (shape->mmax + 1) * (double) shape->n_fields
                         * (double) (end - shape->first_slot);

  return (ArmillaCost) { 12 * numbers, 32 * numbers };
}

ARMILLA_CPU_WRAPPER (ring_normal, ArmillaRingArgs, transform (buffers, args, NORMAL))
ARMILLA_CUDA_WRAPPER (ring_normal, ArmillaRingArgs, launch (buffers, args, NORMAL, stream))
ARMILLA_COST (ring_normal, ArmillaRingArgs, normal_cost (&args->shape))
ArmillaCodelet armilla_ring_normal_cl
  = ARMILLA_CODELET (ring_normal, "1", .core_share = 0.26, .gpu_share = 0.26);

ARMILLA_CPU_WRAPPER (ring_gate, ArmillaRingGateArgs, (void) buffers)
ARMILLA_COST (ring_gate, ArmillaRingGateArgs, ((void) args, (ArmillaCost) { 0, 0 }))
ArmillaCodelet armilla_ring_gate_cl = ARMILLA_CPU_CODELET (ring_gate, "1");

/* No operations: each number is read once and written once. */
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
ArmillaCodelet armilla_redistribute_forward_cl
  = ARMILLA_CODELET (redistribute_forward, "2", .core_share = 0.4, .gpu_share = 0.65);

ARMILLA_WRAPPERS (redistribute_backward, ArmillaRedistributeArgs, armilla_redistribute_backward,
                  &args->shape, SLOTS, ARMILLA_BUFFER (1), ARMILLA_BUFFER (2))
ARMILLA_COST (redistribute_backward, ArmillaRedistributeArgs, move_cost (&args->shape))
ArmillaCodelet armilla_redistribute_backward_cl
  = ARMILLA_CODELET (redistribute_backward, "2", .core_share = 0.5, .gpu_share = 0.65);
