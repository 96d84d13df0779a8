/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "codelets/common/cost.h"

/**
 * armilla_vector_combine_cost:
 * @n: number of doubles
 * @alpha: factor of x
 * @beta: factor of y
 *
 * A multiplication for each factor that is not 0, and an addition where both are not.
 *
 * Returns: the work of armilla_vector_combine_cpu()
 */
ArmillaCost
armilla_vector_combine_cost (int64_t n, double alpha, double beta)
{
  const double terms = (alpha != 0) + (beta != 0), count = (double) n;

  return (ArmillaCost) { count * (terms > 1 ? 3 : terms), 8 * count * (terms + 1) };
}

/**
 * armilla_vector_step_cost:
 * @n: number of doubles
 *
 * Returns: the work of armilla_vector_step_cpu(): a multiplication and an addition a number
 */
ArmillaCost
armilla_vector_step_cost (int64_t n)
{
  return (ArmillaCost) { 2 * (double) n, 24 * (double) n };
}

/**
 * armilla_vector_residual_cost:
 * @n: number of doubles
 *
 * Returns: the work of armilla_vector_residual_cpu(): a subtraction a number
 */
ArmillaCost
armilla_vector_residual_cost (int64_t n)
{
  return (ArmillaCost) { (double) n, 24 * (double) n };
}

static double
count_alm (const ArmillaAlmShape *shape)
{
  return (double) armilla_alm_shape_count (shape);
}

/**
 * armilla_alm_dot_cost:
 * @shape: shape of the blocks
 *
 * Returns: the work of armilla_alm_dot_cpu(): 4 operations a coefficient
 */
ArmillaCost
armilla_alm_dot_cost (const ArmillaAlmShape *shape)
{
  const double count = count_alm (shape) * (double) shape->n_fields;

  return (ArmillaCost) { 4 * count, 32 * count + 8 };
}

/**
 * armilla_alm_scale_cost:
 * @shape: shape of the block
 * @n_copies: fields that are made of each
 * @n_windows: number of windows
 * @lmax_window: last degree of the windows
 *
 * Returns: the work of armilla_alm_scale_cpu(): 2 multiplications a coefficient
 */
ArmillaCost
armilla_alm_scale_cost (const ArmillaAlmShape *shape, int64_t n_copies, int64_t n_windows,
                        int64_t lmax_window)
{
  const double count = count_alm (shape) * (double) shape->n_fields;
  const double read = n_copies > 1 ? count / (double) n_copies : count;

  return (ArmillaCost) { 2 * count,
                         16 * (read + count)
                           + 8 * (double) n_windows * (double) (lmax_window + 1) };
}

/**
 * armilla_alm_spectra_cost:
 * @shape: shape of the blocks
 * @n_spectra: number of spectra
 *
 * Returns: the work of armilla_alm_spectra_cpu(): 5 operations a spectrum and coefficient
 */
ArmillaCost
armilla_alm_spectra_cost (const ArmillaAlmShape *shape, int64_t n_spectra)
{
  const double count = count_alm (shape), spectra = (double) n_spectra;

  return (ArmillaCost) { 5 * count * spectra, 32 * count * (double) shape->n_fields
                                                + 8 * spectra * (double) (shape->lmax + 1) };
}

/**
 * armilla_spectra_finish_cost:
 * @lmax: last degree
 * @n_spectra: number of spectra
 *
 * Returns: the work of armilla_spectra_finish_cpu(): a division a number
 */
ArmillaCost
armilla_spectra_finish_cost (int64_t lmax, int64_t n_spectra)
{
  const double count = (double) n_spectra * (double) (lmax + 1);

  return (ArmillaCost) { count, 16 * count };
}

/**
 * armilla_dipole_moments_cost:
 * @shape: shape of the block
 *
 * Returns: the work of armilla_dipole_moments_cpu(): 6 operations for the azimuth and 14 for the
 * sums, a field and pixel
 */
ArmillaCost
armilla_dipole_moments_cost (const ArmillaDipoleShape *shape)
{
  const double count = (double) shape->n_fields * (double) shape->n_pixels;

  return (ArmillaCost) { 20 * count, 8 * count };
}

/**
 * armilla_dipole_remove_cost:
 * @shape: shape of the block
 *
 * Returns: the work of armilla_dipole_remove_cpu(): 6 operations for the azimuth of a pixel and 8
 * for each field
 */
ArmillaCost
armilla_dipole_remove_cost (const ArmillaDipoleShape *shape)
{
  const double count = (double) shape->n_fields * (double) shape->n_pixels;

  return (ArmillaCost) { 6 * (double) shape->n_pixels + 8 * count, 16 * count };
}
