/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "codelets/fields/pixel-ops.h"

#include "codelets/fields/pixel-ops-math.h"

/* out <- the weights of a mask: 0 if it is UNSEEN; with from_unseen 1 otherwise, whatever its
 * value. */
void
armilla_pixel_weights_cpu (int64_t n, int from_unseen, const double *mask, double *out)
{
  for (int64_t i = 0; i < n; i++)
    out[i] = armilla_pixel_weight (mask[i], from_unseen);
}

/* out <- in * weights, [n_fields][n_pixels], with 1 or n_fields weights. With weight 0 a pixel
 * becomes UNSEEN (outside_unseen) or 0; otherwise UNSEEN stays UNSEEN. */
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

/* out <- alpha x; UNSEEN stays. */
void
armilla_pixel_scale_cpu (int64_t n, double alpha, const double *x, double *out)
{
  for (int64_t i = 0; i < n; i++)
    out[i] = armilla_pixel_sum (alpha, x[i], 0, 0);
}

/* out <- alpha x + beta y; UNSEEN if either is. */
void
armilla_pixel_combine_cpu (int64_t n, double alpha, const double *x, double beta, const double *y,
                           double *out)
{
  for (int64_t i = 0; i < n; i++)
    out[i] = armilla_pixel_sum (alpha, x[i], beta, y[i]);
}
