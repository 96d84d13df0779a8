/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stretch-codelets.h"

#include "stretch-math.h"

#include <armilla/codelet.h>

static void
extremes_cpu (const StretchArgs *args, const double *x, double *extremes)
{
  for (gint64 f = 0; f < args->n_fields; f++)
    {
      double low = args->first ? HUGE_VAL : extremes[2 * f];
      double high = args->first ? -HUGE_VAL : extremes[2 * f + 1];

      for (gint64 i = f * args->n_pixels; i < (f + 1) * args->n_pixels; i++)
        if (!stretch_unseen (x[i]))
          {
            low = fmin (low, x[i]);
            high = fmax (high, x[i]);
          }
      extremes[2 * f] = low;
      extremes[2 * f + 1] = high;
    }
}

static void
pixels_cpu (const StretchArgs *args, const double *x, const double *extremes, double *y)
{
  for (gint64 f = 0; f < args->n_fields; f++)
    for (gint64 i = f * args->n_pixels; i < (f + 1) * args->n_pixels; i++)
      if (stretch_unseen (x[i]))
        y[i] = x[i];
      else
        y[i] = (args->back ? stretch_back : stretch_there) (x[i], extremes[2 * f],
                                                            extremes[2 * f + 1], args->softness);
}

ARMILLA_CPU_WRAPPER (stretch_extremes, StretchArgs,
                     extremes_cpu (args, ARMILLA_BUFFER (0), ARMILLA_BUFFER (1)))
ARMILLA_CUDA_WRAPPER (stretch_extremes, StretchArgs,
                      stretch_extremes_launch (args, ARMILLA_BUFFER (0), ARMILLA_BUFFER (1),
                                               stream))
ARMILLA_COST (stretch_extremes, StretchArgs,
              (ArmillaCost) { 2.0 * (double) (args->n_fields * args->n_pixels),
                              8.0 * (double) (args->n_fields * args->n_pixels) })
ArmillaCodelet stretch_extremes_cl = ARMILLA_CODELET (stretch_extremes, "1");

/* Counts an asinh or sinh as 30 operations. */
ARMILLA_CPU_WRAPPER (stretch_pixels, StretchArgs,
                     pixels_cpu (args, ARMILLA_BUFFER (0), ARMILLA_BUFFER (1), ARMILLA_BUFFER (2)))
ARMILLA_CUDA_WRAPPER (stretch_pixels, StretchArgs,
                      stretch_pixels_launch (args, ARMILLA_BUFFER (0), ARMILLA_BUFFER (1),
                                             ARMILLA_BUFFER (2), stream))
ARMILLA_COST (stretch_pixels, StretchArgs,
              (ArmillaCost) { 65.0 * (double) (args->n_fields * args->n_pixels),
                              16.0 * (double) (args->n_fields * args->n_pixels) })
ArmillaCodelet stretch_pixels_cl = ARMILLA_CODELET (stretch_pixels, "1");
