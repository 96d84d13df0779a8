/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds fewer rings for iterations, which only need A'W A, a linear map from a_lm to a_lm (A:
 * synthesis, W: quadrature weights).
 *
 * If orders do not alias, the elements of A'W A are sums over rings of products of two P_lm:
 * polynomials in cos theta of degree 2 lmax at most. A Gauss quadrature for the discrete measure of
 * the rings and their weights gives the same sums with about lmax / 2 ring pairs. On rings where
 * orders alias, near the poles, the new grid has in addition the original ring, and a copy of it
 * with the opposite weight and so many pixels that nothing aliases: both together add the aliases
 * only. */
#include "config.h"

#include <math.h>

#include "codelets/legendre/delta-math.h"
#include "codelets/rings/ring-fft-math.h"
#include "core/grids/gauss-of-rings.h"
#include "tasks/harmonic/analysis-private.h"

/* A product of two P_lm below exp (-NEGLIGIBLE) = 4e-18 is negligible. The estimate of their decay
 * omits a factor, but rings near a pole have a small weight. */
#define NEGLIGIBLE 40
/* relative size below which the sum of aliases over rings is negligible */
#define CANCELLED 1e-15L
/* maximum cost of the new rings, relative to the present recurrence */
#define PAYS 0.85

/* Replacement of a map's rings for one kind of a_lm; found once per graph. */
typedef struct {
  const ArmillaRingBlocks *rings;
  ArmillaAlmLayout layout;
  int spin;     /* highest spin */
  int n_fields; /* fields per realisation */
  ArmillaGrid *grid; /* grid of fewer rings; NULL if it is not faster */
} Normal;

static void
free_normal (gpointer data)
{
  Normal *self = data;

  g_clear_pointer (&self->grid, armilla_grid_unref);
  g_free (self);
}

static const ArmillaExtraKind normals_kind = { .free = free_normal };

/* Returns cos (n phi0) of a ring of n pixels. */
static long double
cosine_of_start (const ArmillaRing *ring)
{
  const gint64 period = 2 * ring->phi0_den;
  const gint64 turned = (gint64) ((__int128) ring->n_phi * ring->phi0_num % period);

  return cosl ((long double) M_PI * (long double) turned / (long double) ring->phi0_den);
}

/* Returns whether the aliases of the order lmax cancel between rings of 2 lmax pixels, where no
 * other order aliases: its P_lm are powers of sine and cotangent, and the aliases of neighbouring
 * rings have opposite signs if their azimuths differ by half a pixel. */
static gboolean
last_order_cancels (const ArmillaGrid *grid, gint64 lmax, int power)
{
  long double sum = 0, scale = 0;

  for (gint64 i = 0; i < grid->n_rings; i++)
    {
      const ArmillaRing *ring = &grid->rings[i];
      const long double sine = (long double) ring->sin_theta + ring->sin_lo;
      const long double cotangent = (1 + (long double) ring->cos_theta) / sine;
      long double value;

      if (ring->n_phi != 2 * lmax)
        continue;
      if (ring->phi0_den == 0)
        return FALSE;
      value = ring->weight * powl (sine, (long double) (2 * lmax)) * powl (cotangent, power);
      scale += value;
      sum += value * cosine_of_start (ring);
    }
  return fabsl (sum) <= CANCELLED * scale;
}

/* Returns whether the aliases of orders on a ring are not negligible. Two orders alias on n pixels
 * if their sum or difference is a multiple of n, so the higher one is at least n / 2. */
static gboolean
aliases (const Normal *self, const ArmillaRing *ring, gboolean last_cancels)
{
  const gint64 n = ring->n_phi, m = n / 2 - self->spin;

  if (n > 2 * self->layout.mmax)
    return FALSE;
  if (n == 2 * self->layout.mmax && last_cancels)
    return FALSE;
  return m <= 0
         || 2 * armilla_delta_decay (self->layout.lmax + self->spin, m, ring->sin_theta,
                                     ring->cos_theta) < NEGLIGIBLE;
}

static gboolean
find_last_cancels (const Normal *self, const ArmillaGrid *grid)
{
  return self->layout.lmax == self->layout.mmax
         && last_order_cancels (grid, self->layout.lmax, 0)
         && (self->spin == 0
             || (last_order_cancels (grid, self->layout.lmax, 2 * self->spin)
                 && last_order_cancels (grid, self->layout.lmax, -2 * self->spin)));
}

/* Returns the number of non-negligible steps of the recurrence on a ring pair: those of orders up
 * to l sin theta. */
static double
cost_of_pair (const Normal *self, double sine)
{
  const double lmax = (double) self->layout.lmax;
  const double orders = MIN ((double) self->layout.mmax, lmax * sine + sqrt (lmax));

  return orders * (lmax + 1 - 0.5 * orders);
}

/* Returns whether fewer rings are faster. @share: cost of the present transform (which may
 * interpolate rings), as a fraction of the recurrence on all rings. The nodes of the Gauss
 * quadrature are nearly equidistant in theta. */
static gboolean
pays (const Normal *self, const ArmillaGrid *grid, gboolean last_cancels, double share)
{
  const gint64 n = armilla_gauss_of_rings_count (2 * self->layout.lmax);
  double cost = 0, whole = 0;

  for (gint64 j = 0; j < n; j++)
    cost += cost_of_pair (self, sin (G_PI * ((double) j + 0.75) / (2 * (double) n)));
  for (gint64 i = 0; i < grid->n_rings; i++)
    {
      const double ring = 0.5 * cost_of_pair (self, grid->rings[i].sin_theta);

      whole += ring;
      if (aliases (self, &grid->rings[i], last_cancels))
        cost += 2 * ring;
    }
  return cost < PAYS * share * whole;
}

/* Appends a copy of the ring with n_phi pixels and the weight @weight. */
static void
add_ring (GArray *list, ArmillaRing ring, gint64 n_phi, double weight)
{
  const ArmillaRing *last
    = list->len > 0 ? &g_array_index (list, ArmillaRing, list->len - 1) : NULL;

  ring.offset = last ? last->offset + last->n_phi : 0;
  ring.n_phi = n_phi;
  ring.weight = weight;
  g_array_append_val (list, ring);
}

static gint64
pixels_without_aliases (gint64 mmax)
{
  gint64 n = 2 * mmax + 2;

  while (!armilla_is_smooth (n))
    n += 2;
  return n;
}

static void
add_gauss (GArray *list, const ArmillaRing *north, gint64 n, gint64 n_phi)
{
  for (gint64 j = 0; j < n; j++)
    {
      ArmillaRing south = north[j];

      south.cos_theta = -south.cos_theta;
      south.cos_lo = -south.cos_lo;
      add_ring (list, north[j], n_phi, north[j].weight / (double) n_phi);
      add_ring (list, south, n_phi, south.weight / (double) n_phi);
    }
}

static void
add_aliasing (GArray *list, const Normal *self, const ArmillaGrid *grid, gboolean last_cancels,
              gint64 n_phi)
{
  for (gint64 i = 0; i < grid->n_rings; i++)
    {
      const ArmillaRing *ring = &grid->rings[i];
      ArmillaRing whole = *ring;

      if (!aliases (self, ring, last_cancels))
        continue;
      whole.phi0_num = 0;
      whole.phi0_den = 1;
      whole.phi0 = 0;
      add_ring (list, *ring, ring->n_phi, ring->weight);
      add_ring (list, whole, n_phi, -ring->weight * (double) ring->n_phi / (double) n_phi);
    }
}

static ArmillaGrid *
make_grid (const Normal *self, const ArmillaGrid *grid, double share)
{
  const gint64 n_phi = pixels_without_aliases (self->layout.mmax);
  const gboolean last_cancels = find_last_cancels (self, grid);
  g_autofree ArmillaRing *north = NULL;
  g_autoptr (GArray) list = g_array_new (FALSE, FALSE, sizeof (ArmillaRing));

  if (!pays (self, grid, last_cancels, share))
    return NULL;
  north = armilla_gauss_of_rings (grid, 2 * self->layout.lmax);
  if (!north)
    return NULL;
  add_gauss (list, north, armilla_gauss_of_rings_count (2 * self->layout.lmax), n_phi);
  add_aliasing (list, self, grid, last_cancels, n_phi);
  return armilla_grid_new_rings ((const ArmillaRing *) list->data, list->len, NULL);
}

static const Normal *
find_normal (const ArmillaTransform *t, int spin)
{
  GPtrArray *all = armilla_extras_get (t->graph->extras, &normals_kind);
  const ArmillaAlmLayout layout = t->orders->layout;
  const int n_fields = armilla_graph_fields_of_one (t->graph, t->n_fields / t->n_skies);
  Normal *self;

  for (guint i = 0; i < all->len; i++)
    {
      self = g_ptr_array_index (all, i);
      if (self->rings == t->rings && self->layout.lmax == layout.lmax
          && self->layout.mmax == layout.mmax && self->spin == spin
          && self->n_fields == n_fields)
        return self;
    }
  self = g_new0 (Normal, 1);
  *self = (Normal) { .rings = t->rings, .layout = layout, .spin = spin,
                      .n_fields = n_fields };
  self->grid
    = make_grid (self, t->rings->grid,
                 t->theta ? armilla_theta_grid_share (t->theta, n_fields, t->n_groups) : 1);
  g_ptr_array_add (all, self);
  return self;
}

/* If it is faster, replaces the rings of an analysis, which from now on only computes A'W A, by
 * fewer rings with the same A'W A. Does so only in graphs with several equal transforms, since
 * finding the rings takes one core long, and neither for GPUs nor for tables, which contain the
 * rings of the map. */
gboolean
armilla_analysis_thin (ArmillaTransform *t, GError **error)
{
  const ArmillaHarmonicState *state = armilla_harmonic_state (t->graph);
  ArmillaTransform old = *t;
  g_autofree int *spins = NULL;
  const Normal *normal;
  int spin = 0;
  gboolean ok;

  if (!(state->many_calls || state->many_skies) || t->graph->view.gpus || t->legendre->table)
    return TRUE;
  for (int i = 0; i < t->n_groups; i++)
    spin = MAX (spin, t->groups[i].spin);
  normal = find_normal (t, spin);
  if (!normal->grid)
    return TRUE;
  spins = g_memdup2 (t->spins, sizeof (int) * (gsize) (t->n_fields / t->n_skies));
  armilla_transform_end (t);
  ok = armilla_transform_begin (t, old.graph, ARMILLA_TRANSFORMS_ANALYSIS, old.orders->layout,
                                normal->grid, spins, old.n_fields / old.n_skies, old.n_skies,
                                FALSE, error);
  return ok;
}
