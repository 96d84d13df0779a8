/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <armilla/memory.h>
#include <math.h>
#include <string.h>

#include "core/base/random-draw.h"
#include "tasks/points/stack.h"

static void
clear (gpointer data)
{
  ArmillaStack *self = data;

  g_free (self->mean);
  g_free (self->error);
}

/* Returns (transfer full) a stack of zeros; NULL on error. */
ArmillaStack *
armilla_stack_new (int n_fields, gint64 n_pixels, GError **error)
{
  ArmillaStack *self = g_atomic_rc_box_new0 (ArmillaStack);

  self->n_fields = n_fields;
  self->n_pixels = n_pixels;
  self->mean = armilla_try_new (double, n_fields * n_pixels, "stack", error);
  if (self->mean)
    self->error = armilla_try_new (double, n_fields * n_pixels, "stack", error);
  if (self->error)
    return self;
  armilla_stack_unref (self);
  return NULL;
}

ArmillaStack *
armilla_stack_ref (ArmillaStack *self)
{
  return g_atomic_rc_box_acquire (self);
}

void
armilla_stack_unref (gpointer self)
{
  g_atomic_rc_box_release_full (self, clear);
}

/* Sums of all groups at one pixel: sums of weighted values, and, @to_weight numbers later, sums of
 * weights. */
typedef struct {
  const double *first; /* of group 0 */
  gint64 stride;       /* distance to the same sum of the next group */
  gint64 to_weight;    /* distance from a sum of values to that of weights */
  int n;               /* number of groups */
} Groups;

static double
value_of (const Groups *g, int group)
{
  return g->first[group * g->stride];
}

static double
weight_of (const Groups *g, int group)
{
  return g->first[group * g->stride + g->to_weight];
}

/* Returns the square root of (n - 1) / n sum_k (m_k - m)^2, where m_k is the mean without group k,
 * and m the mean of all m_k. Groups without weight at the pixel are excluded. */
static double
jackknife (const Groups *g, double value, double weight)
{
  double sum = 0, squares = 0, mean;
  int n = 0;

  for (int pass = 0; pass < 2; pass++)
    {
      mean = n > 0 ? sum / n : 0;
      for (int k = 0; k < g->n; k++)
        {
          const double without = weight - weight_of (g, k);
          double m;

          if (weight_of (g, k) == 0)
            continue;
          if (!(without > 1e-12 * weight))
            return NAN; /* only one group has all the weight */
          m = (value - value_of (g, k)) / without;
          if (pass == 0)
            {
              sum += m;
              n++;
            }
          else
            squares += (m - mean) * (m - mean);
        }
    }
  return n > 1 ? sqrt ((n - 1.0) / n * squares) : NAN;
}

/* Returns the standard deviation of the means over @n_resamples random choices of groups. @times:
 * [resample][group]: how often the choice contains the group */
static double
bootstrap (const Groups *g, const guint16 *times, int n_resamples, double *means)
{
  double sum = 0, squares = 0, mean;
  int n = 0, n_seen = 0;

  for (int k = 0; k < g->n; k++)
    n_seen += weight_of (g, k) > 0;
  for (int b = 0; n_seen > 1 && b < n_resamples; b++)
    {
      double value = 0, weight = 0;

      for (int k = 0; k < g->n; k++)
        {
          value += times[b * g->n + k] * value_of (g, k);
          weight += times[b * g->n + k] * weight_of (g, k);
        }
      if (weight > 0)
        sum += means[n++] = value / weight;
    }
  mean = n > 0 ? sum / n : 0;
  for (int b = 0; b < n; b++)
    squares += (means[b] - mean) * (means[b] - mean);
  return n > 1 ? sqrt (squares / (n - 1)) : NAN;
}

/* Draws groups with replacement, among those that have objects of nonzero weight. */
static guint16 *
draw (const double *sums, gint64 stride, gint64 to_weight, int n_groups,
      const ArmillaStackOptions *options, GError **error)
{
  g_autofree guint16 *times
    = armilla_try_new (guint16, (gint64) options->n_resamples * n_groups, "resamples", error);
  g_autofree int *full = g_new (int, n_groups);
  const philox4x64_key_t key = { { options->seed, 0 } };
  int n = 0;

  for (int k = 0; k < n_groups; k++)
    {
      gboolean any = FALSE;

      for (gint64 i = 0; !any && i < to_weight; i++)
        any = sums[k * stride + to_weight + i] > 0;
      if (any)
        full[n++] = k;
    }
  for (int b = 0; times && b < options->n_resamples; b++)
    for (int i = 0; i < n; i++)
      {
        const philox4x64_ctr_t counter
          = { { (guint64) i, (guint64) b, 0, ARMILLA_RANDOM_STREAM_BOOTSTRAP } };
        const double u = (double) (philox4x64_R (10, counter, key).v[0] >> 11) * 0x1p-53;

        times[b * n_groups + full[(int) (u * n)]]++;
      }
  return g_steal_pointer (&times);
}

gboolean
armilla_stack_finish (ArmillaStack *self, const ArmillaStackOptions *options, const double *sums,
                      int n_groups, GError **error)
{
  const gint64 n = self->n_pixels, stride = 2 * self->n_fields * n;
  const gboolean draws = options->errors == ARMILLA_STACK_BOOTSTRAP;
  g_autofree double *means = g_new (double, MAX (options->n_resamples, 1));
  g_autofree guint16 *times
    = draws ? draw (sums, stride, n, n_groups, options, error) : NULL;

  if (draws && !times)
    return FALSE;
  for (gint64 i = 0; i < self->n_fields * n; i++)
    {
      const Groups groups = { sums + i / n * 2 * n + i % n, stride, n, n_groups };
      double value = 0, weight = 0;

      for (int k = 0; k < n_groups; k++)
        {
          value += value_of (&groups, k);
          weight += weight_of (&groups, k);
        }
      self->mean[i] = weight > 0 ? value / weight : NAN;
      self->error[i] = draws ? bootstrap (&groups, times, options->n_resamples, means)
                             : jackknife (&groups, value, weight);
    }
  return TRUE;
}
