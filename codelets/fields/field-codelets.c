/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "codelets/fields/field-codelets.h"

#define SLOTS ARMILLA_BUFFER_OF (const ArmillaRingSlot, 0)

/* Returns the cost of @flops operations and @words doubles read or written for each of @n
 * elements. */
static ArmillaCost
each (double n, double flops, double words)
{
  return (ArmillaCost) { flops * n, 8 * words * n };
}

ARMILLA_WRAPPERS (zero, ArmillaVectorArgs, armilla_vector_combine, args->n, 0, NULL, 0, NULL,
                  ARMILLA_BUFFER (0) + args->first)
ARMILLA_COST (zero, ArmillaVectorArgs, each ((double) args->n, 0, 1))
ArmillaCodelet armilla_zero_cl = ARMILLA_CODELET (zero, "1");

/* One multiplication per nonzero factor, and one addition if both are nonzero. */
static ArmillaCost
sum_cost (const ArmillaVectorArgs *args)
{
  const int terms = (args->alpha != 0) + (args->beta != 0);

  return each ((double) args->n, terms > 1 ? 3 : terms, terms + 1);
}

ARMILLA_WRAPPERS (combine, ArmillaVectorArgs, armilla_vector_combine, args->n, args->alpha,
                  ARMILLA_BUFFER (0), args->beta, ARMILLA_BUFFER (1), ARMILLA_BUFFER (1))
ARMILLA_COST (combine, ArmillaVectorArgs, sum_cost (args))
ArmillaCodelet armilla_combine_cl
  = ARMILLA_CODELET (combine, "1", .core_share = 0.45, .gpu_share = 0.9);

static ArmillaCost
collect_work (const ArmillaCollectArgs *args)
{
  const ArmillaCollectShape *shape = &args->shape;
  const double n = (double) shape->n, times = args->n_realisations;
  const int arrays = 1 + shape->squares + shape->minimum + shape->maximum;

  return (ArmillaCost) { times * n * (3 + 3 * shape->squares + shape->minimum + shape->maximum),
                         8 * n * (times + 2 * arrays) };
}

/* Returns the addresses of the values of each realisation in the task's buffers. */
#define REALISATIONS                                                                               \
  collect_values (args, buffers, g_newa (const double *, (gsize) args->n_realisations))

static const double *const *
collect_values (const ArmillaCollectArgs *args, void **buffers, const double **values)
{
  for (int r = 0; r < args->n_realisations; r++)
    values[r] = ARMILLA_BUFFER (1 + r);
  return values;
}

ARMILLA_WRAPPERS (collect, ArmillaCollectArgs, armilla_vector_collect, &args->shape,
                  args->n_realisations, REALISATIONS, ARMILLA_BUFFER (0))
ARMILLA_COST (collect, ArmillaCollectArgs, collect_work (args))
ArmillaCodelet armilla_collect_cl = ARMILLA_CODELET (collect, "2");

/* Returns the number of coefficients of all fields of a block. */
static double
count_alm (const ArmillaAlmShape *shape)
{
  return (double) shape->n_fields * (double) armilla_alm_shape_count (shape);
}

/* Number of doubles of one field of a block, and address of range r of fields in a buffer. */
#define ONE_FIELD (2 * armilla_alm_shape_count (&args->shape))
#define RANGE(buffer, r) (ARMILLA_BUFFER (buffer) + args->first[r] * ONE_FIELD)

static ArmillaAlmShape
shape_of_range (const ArmillaMemberArgs *args, int r)
{
  ArmillaAlmShape shape = args->shape;

  shape.n_fields = args->n[r];
  return shape;
}

/* Returns the cost of @flops operations and @words doubles for each double of a member's a_lm. */
static ArmillaCost
member_cost (const ArmillaMemberArgs *args, double flops, double words)
{
  gint64 n_fields = 0;

  for (int r = 0; r < args->n_ranges; r++)
    n_fields += args->n[r];
  return each ((double) (n_fields * ONE_FIELD), flops, words);
}

/* Arguments of the step kernels on range r: buffer 3 <- TO + sign numerator / denominator FROM. */
#define STEP(from, to, r)                                                                          \
  args->n[r] * ONE_FIELD, args->sign, ARMILLA_BUFFER (0) + args->member,                           \
    ARMILLA_BUFFER (1) + args->member, RANGE (from, r), RANGE (to, r), RANGE (3, r)

#define DOT(r) RANGE (0, r), RANGE (1, r), args->adds || r > 0, ARMILLA_BUFFER (2) + args->member

static void
step_on_cpu (const ArmillaMemberArgs *args, void **buffers, int from, int to)
{
  for (int r = 0; r < args->n_ranges; r++)
    armilla_vector_step_cpu (STEP (from, to, r));
}

static void
dot_on_cpu (const ArmillaMemberArgs *args, void **buffers)
{
  for (int r = 0; r < args->n_ranges; r++)
    {
      const ArmillaAlmShape shape = shape_of_range (args, r);

      armilla_alm_dot_cpu (&shape, DOT (r));
    }
}

ARMILLA_CPU_WRAPPER (step, ArmillaMemberArgs, step_on_cpu (args, buffers, 2, 3))
ARMILLA_CPU_WRAPPER (turn, ArmillaMemberArgs, step_on_cpu (args, buffers, 3, 2))
ARMILLA_CPU_WRAPPER (dot, ArmillaMemberArgs, dot_on_cpu (args, buffers))

#ifdef HAVE_CUDA
static int
step_on_gpu (const ArmillaMemberArgs *args, void **buffers, int from, int to, cudaStream_t stream)
{
  int status = 0;

  for (int r = 0; status == 0 && r < args->n_ranges; r++)
    status = armilla_vector_step_launch (STEP (from, to, r), stream);
  return status;
}

static int
dot_on_gpu (const ArmillaMemberArgs *args, void **buffers, cudaStream_t stream)
{
  int status = 0;

  for (int r = 0; status == 0 && r < args->n_ranges; r++)
    {
      const ArmillaAlmShape shape = shape_of_range (args, r);

      status = armilla_alm_dot_launch (&shape, &args->parts, DOT (r), ARMILLA_BUFFER (3), stream);
    }
  return status;
}

ARMILLA_CUDA_WRAPPER (step, ArmillaMemberArgs, step_on_gpu (args, buffers, 2, 3, stream))
ARMILLA_CUDA_WRAPPER (turn, ArmillaMemberArgs, step_on_gpu (args, buffers, 3, 2, stream))
ARMILLA_CUDA_WRAPPER (dot, ArmillaMemberArgs, dot_on_gpu (args, buffers, stream))
#endif

ARMILLA_COST (step, ArmillaMemberArgs, member_cost (args, 2, 3))
ArmillaCodelet armilla_step_cl = ARMILLA_CODELET (step, "1");
ARMILLA_COST (turn, ArmillaMemberArgs, member_cost (args, 2, 3))
ArmillaCodelet armilla_turn_cl = ARMILLA_CODELET (turn, "1");
ARMILLA_COST (dot, ArmillaMemberArgs, member_cost (args, 2, 2))
ArmillaCodelet armilla_dot_cl = ARMILLA_CODELET (dot, "1");

static ArmillaCost
window_cost (const ArmillaAlmArgs *args)
{
  const double count = count_alm (&args->shape);
  const double read = args->n_copies > 1 ? count / (double) args->n_copies : count;

  return (ArmillaCost) { 2 * count,
                         16 * (read + count)
                           + 8 * (double) args->n_windows * (double) (args->lmax_window + 1) };
}

ARMILLA_WRAPPERS (scale_alm, ArmillaAlmArgs, armilla_alm_scale, &args->shape, args->n_copies,
                  args->n_windows, args->lmax_window, ARMILLA_BUFFER (1), ARMILLA_BUFFER (0),
                  ARMILLA_BUFFER (2))
ARMILLA_COST (scale_alm, ArmillaAlmArgs, window_cost (args))
ArmillaCodelet armilla_scale_alm_cl = ARMILLA_CODELET (scale_alm, "1");

/* 5 operations per spectrum and coefficient. */
static ArmillaCost
sums_cost (const ArmillaSpectraArgs *args)
{
  const double spectra = (double) args->n_spectra;
  ArmillaCost cost = { 0, 8 * spectra * (double) (args->lmax + 1) };

  for (int b = 0; b < args->n_blocks; b++)
    {
      cost.flops += 5 * (double) armilla_alm_shape_count (&args->shapes[b]) * spectra;
      cost.bytes += 32 * count_alm (&args->shapes[b]);
    }
  return cost;
}

/* Arguments of the CPU kernel and the CUDA kernel for block b. */
#define SPECTRA_BUFFERS(b)                                                                         \
  args->n_spectra, args->lmax, ARMILLA_BUFFER (1 + b),                                             \
    ARMILLA_BUFFER (1 + b + (args->cross ? args->n_blocks : 0)), b > 0, ARMILLA_BUFFER (0)

static void
spectra_on_cpu (const ArmillaSpectraArgs *args, void **buffers)
{
  for (int b = 0; b < args->n_blocks; b++)
    armilla_alm_spectra_cpu (&args->shapes[b], SPECTRA_BUFFERS (b));
  if (args->finishes)
    armilla_spectra_finish_cpu (args->lmax, args->n_spectra, ARMILLA_BUFFER (0));
}

ARMILLA_CPU_WRAPPER (spectra, ArmillaSpectraArgs, spectra_on_cpu (args, buffers))

static void
spectra_sum_on_cpu (const ArmillaSumArgs *args, void **buffers)
{
  for (int p = 0; p < args->n_parts; p++)
    armilla_vector_combine_cpu (args->n_spectra * (args->lmax + 1), 1, ARMILLA_BUFFER (1 + p),
                                p > 0, ARMILLA_BUFFER (0), ARMILLA_BUFFER (0));
  armilla_spectra_finish_cpu (args->lmax, args->n_spectra, ARMILLA_BUFFER (0));
}

ARMILLA_CPU_WRAPPER (spectra_finish, ArmillaSumArgs, spectra_sum_on_cpu (args, buffers))

#ifdef HAVE_CUDA
static int
spectra_on_gpu (const ArmillaSpectraArgs *args, void **buffers, cudaStream_t stream)
{
  int status = 0;

  for (int b = 0; status == 0 && b < args->n_blocks; b++)
    status = armilla_alm_spectra_launch (&args->shapes[b], &args->parts[b], SPECTRA_BUFFERS (b),
                                         stream);
  return status == 0 && args->finishes
           ? armilla_spectra_finish_launch (args->lmax, args->n_spectra, ARMILLA_BUFFER (0), stream)
           : status;
}

ARMILLA_CUDA_WRAPPER (spectra, ArmillaSpectraArgs, spectra_on_gpu (args, buffers, stream))

static int
spectra_sum_on_gpu (const ArmillaSumArgs *args, void **buffers, cudaStream_t stream)
{
  int status = 0;

  for (int p = 0; status == 0 && p < args->n_parts; p++)
    status = armilla_vector_combine_launch (args->n_spectra * (args->lmax + 1), 1,
                                            ARMILLA_BUFFER (1 + p), p > 0, ARMILLA_BUFFER (0),
                                            ARMILLA_BUFFER (0), stream);
  return status == 0
           ? armilla_spectra_finish_launch (args->lmax, args->n_spectra, ARMILLA_BUFFER (0), stream)
           : status;
}

ARMILLA_CUDA_WRAPPER (spectra_finish, ArmillaSumArgs, spectra_sum_on_gpu (args, buffers, stream))
#endif

ARMILLA_COST (spectra, ArmillaSpectraArgs, sums_cost (args))
ArmillaCodelet armilla_spectra_cl
  = ARMILLA_CODELET (spectra, "2", .core_share = 0.4, .gpu_share = 0.29);

/* One addition per part, and one division, for each number. */
ARMILLA_COST (spectra_finish, ArmillaSumArgs,
              each ((double) args->n_spectra * (double) (args->lmax + 1), args->n_parts + 1.0,
                    args->n_parts + 1.0))
ArmillaCodelet armilla_spectra_finish_cl = ARMILLA_CODELET (spectra_finish, "2");

/* 20 operations per field and pixel: 6 for the azimuth and 14 for the sums. */
ARMILLA_CPU_WRAPPER (moments, ArmillaDipoleArgs,
                     armilla_dipole_moments_cpu (&args->shape, SLOTS, ARMILLA_BUFFER (1),
                                                 ARMILLA_BUFFER (2), ARMILLA_BUFFER (3)))
ARMILLA_CUDA_WRAPPER (moments, ArmillaDipoleArgs,
                      armilla_dipole_moments_launch (&args->shape, SLOTS, ARMILLA_BUFFER (1),
                                                     ARMILLA_BUFFER (2), ARMILLA_BUFFER (3),
                                                     ARMILLA_BUFFER (4), stream))
ARMILLA_COST (moments, ArmillaDipoleArgs,
              each ((double) args->shape.n_fields * (double) args->shape.n_pixels, 20, 1))
ArmillaCodelet armilla_moments_cl = ARMILLA_CODELET (moments, "1");

/* 6 operations for the azimuth of a pixel and 8 per field. */
static ArmillaCost
remove_cost (const ArmillaDipoleShape *shape)
{
  const double count = (double) shape->n_fields * (double) shape->n_pixels;

  return (ArmillaCost) { 6 * (double) shape->n_pixels + 8 * count, 16 * count };
}

ARMILLA_WRAPPERS (remove_dipole, ArmillaDipoleArgs, armilla_dipole_remove, &args->shape, SLOTS,
                  ARMILLA_BUFFER (1), ARMILLA_BUFFER (2), ARMILLA_BUFFER (3), ARMILLA_BUFFER (4))
ARMILLA_COST (remove_dipole, ArmillaDipoleArgs, remove_cost (&args->shape))
ArmillaCodelet armilla_remove_dipole_cl = ARMILLA_CODELET (remove_dipole, "1");
