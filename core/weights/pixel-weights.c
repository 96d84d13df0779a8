/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/fits/fits-input.h"
#include "core/weights/weights.h"

#include <armilla/map-header.h>
#include <armilla/memory.h>
#include <math.h>

/* HEALPix's pixels are equivalent up to quarter turns and reflections of longitude and equator:
 * files hold one number per class, ring by ring from the north to the equator. */

/* Returns the number of pixels of a quarter of ring i, 0 being the northernmost. */
static gint64
quarter (gint64 nside, gint64 i)
{
  return MIN (nside, i + 1);
}

/* Returns whether the first pixel of ring i is half a pixel east of longitude 0. */
static gboolean
is_shifted (gint64 nside, gint64 i)
{
  return i < nside - 1 || (i + nside) % 2 != 0;
}

/* Returns the number of classes of ring i: half a quarter, plus an unpaired middle. */
static gint64
classes (gint64 nside, gint64 i)
{
  gint64 q = quarter (nside, i);

  return (q + 1) / 2 + (q % 2 == 0 && !is_shifted (nside, i) ? 1 : 0);
}

/* Returns the number of classes of equivalent pixels of a HEALPix map. */
gint64
armilla_pixel_weights_count (gint64 nside)
{
  return (3 * nside + 1) * (nside + 1) / 4;
}

/* Reads quadrature weights of all pixels in their compressed form. Files hold the weight minus 1; 1
 * is added here. Returns armilla_pixel_weights_count() factors of the quadrature weights, or NULL
 * with ARMILLA_ERROR_IO, ARMILLA_ERROR_SHAPE (another number) or ARMILLA_ERROR_NUMERIC. */
double *
armilla_pixel_weights_read (const char *path, gint64 nside, GError **error)
{
  g_autoptr (ArmillaFitsInput) input = armilla_fits_input_open (path, error);
  gint64 n = armilla_pixel_weights_count (nside), found = 0;
  g_autofree double *weights = NULL;
  const ArmillaFitsHdu *hdu = NULL;

  if (input == NULL)
    return NULL;
  for (int i = 1; i < (int) input->hdus->len && hdu == NULL; i++)
    if (armilla_fits_input_hdu (input, i)->kind == ARMILLA_HDU_TABLE
        && armilla_fits_input_hdu (input, i)->n_columns > 0)
      {
        if (!armilla_fits_input_select (input, i, error))
          return NULL;
        hdu = armilla_fits_input_hdu (input, i);
      }
  if (hdu != NULL && armilla_fits_column_is_number (&hdu->columns[0]))
    found = armilla_fits_column_count (hdu, &hdu->columns[0]);
  if (found != n)
    {
      armilla_fits_input_error (input, error, ARMILLA_ERROR_SHAPE,
                                "has %" G_GINT64_FORMAT " pixel weights; nside = %" G_GINT64_FORMAT
                                " needs %" G_GINT64_FORMAT " in the first column of a binary table",
                                found, nside, n);
      return NULL;
    }
  weights = armilla_try_new (double, n, "the pixel weights", error);
  if (weights == NULL
      || !armilla_fits_column_read (input, hdu, &hdu->columns[0], 0, n, weights, error))
    return NULL;
  for (gint64 i = 0; i < n; i++)
    {
      if (!isfinite (weights[i]) || armilla_is_unseen (weights[i]))
        {
          armilla_fits_input_error (input, error, ARMILLA_ERROR_NUMERIC,
                                    "weight %" G_GINT64_FORMAT " is %g; it must be finite", i,
                                    weights[i]);
          return NULL;
        }
      weights[i] += 1;
    }
  return g_steal_pointer (&weights);
}

/* Writes the weights of one ring. @ring: number of a ring, from the north, 0 <= @ring < 4 @nside
 * - 1. */
void
armilla_pixel_weights_expand (const double *weights, gint64 nside, gint64 ring, double *pixels)
{
  gint64 i = MIN (ring, 4 * nside - 2 - ring), q = quarter (nside, i);
  gint64 last = q - (is_shifted (nside, i) ? 1 : 0);

  for (gint64 k = 0; k < i; k++)
    weights += classes (nside, k);
  for (gint64 j = 0; j < 4 * q; j++)
    {
      gint64 k = j % q;

      pixels[j] = weights[MIN (k, last - k)];
    }
}

/* Returns the multipole up to which computed pixel weights are to be exact: 2.5 @nside, even. The
 * conditions are then nearly independent (eigenvalues 0.75 to 1.05 of the mean at nside 2 to 32),
 * and 9 iterations reach 1e-12. At 3 @nside, used for HEALPix's files, they are almost dependent:
 * 57 iterations at @nside 32, and many more above. */
gint64
armilla_pixel_weights_lmax (gint64 nside)
{
  return 5 * nside / 4 * 2;
}
