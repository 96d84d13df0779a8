/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "codelets/fields/pixel-ops.h"

#include "codelets/fields/pixel-ops-math.h"

void
armilla_pixel_weights_cpu (int64_t n, int from_unseen, const double *mask, double *out)
{
  for (int64_t i = 0; i < n; i++)
    out[i] = armilla_pixel_weight (mask[i], from_unseen);
}

void
armilla_pixel_mask_cpu (int64_t n_fields, int64_t n_pixels, int64_t n_weights, int outside_unseen,
                        const double *in, const double *weights, double *out)
{
  for (int64_t field = 0; field < n_fields; field++)
    {
      const double *w = weights + (n_weights > 1 ? field * n_pixels : 0);
      const int64_t first = field * n_pixels;

      for (int64_t i = 0; i < n_pixels; i++)
        out[first + i] = armilla_pixel_masked (in[first + i], w[i], outside_unseen);
    }
}

void
armilla_pixel_scale_cpu (int64_t n, double alpha, const double *x, double *out)
{
  for (int64_t i = 0; i < n; i++)
    out[i] = armilla_pixel_sum (alpha, x[i], 0, 0);
}

void
armilla_pixel_combine_cpu (int64_t n, double alpha, const double *x, double beta, const double *y,
                           double *out)
{
  for (int64_t i = 0; i < n; i++)
    out[i] = armilla_pixel_sum (alpha, x[i], beta, y[i]);
}
