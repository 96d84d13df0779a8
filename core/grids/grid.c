/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <armilla/grid.h>

#include <math.h>

#include "core/base/memory.h"
#include "core/grids/grid-private.h"
#include "core/grids/grid.h"

typedef struct {
  ArmillaGrid grid; /* the public part */
  gatomicrefcount references;
  ArmillaRing *rings;
  ArmillaRingPair *pairs;
  gint64 *by_offset; /* numbers of the rings in order of their offsets; NULL if they are in this
                      * order themselves */
  ArmillaGrid *whole; /* grid of which these are some rings; NULL if this grid is whole itself */
  gboolean weighted;  /* whether the user set the ring weights */
  ArmillaCar car;     /* the image of which these are the rings; n_x is 0 if there is none */
  gint64 car_first;   /* ring of its northernmost row */
} Grid;

static gboolean
check_memory (gint64 n_rings, GError **error)
{
  g_autofree char *what
    = g_strdup_printf ("a grid of %" G_GINT64_FORMAT " rings", n_rings);

  return armilla_memory_holds ((double) n_rings * (sizeof (ArmillaRing) + sizeof (ArmillaRingPair)),
                               what, "choose a coarser grid", error);
}

ArmillaRing *
armilla_rings_alloc (gint64 n_rings, GError **error)
{
  ArmillaRing *rings;

  if (!check_memory (n_rings, error))
    return NULL;
  rings = g_try_new0 (ArmillaRing, n_rings);
  if (rings == NULL)
    g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_MEMORY,
                 "out of memory: cannot allocate a grid of %" G_GINT64_FORMAT
                 " rings; choose a coarser grid",
                 n_rings);
  return rings;
}

gboolean
armilla_rings_check_size (const char *kind, gint64 n_theta, gint64 min_theta, gint64 n_phi,
                          GError **error)
{
  if (n_theta < min_theta || n_theta > ARMILLA_MAX_THETA)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "%s grid: the number of rings is %" G_GINT64_FORMAT "; it must be from %"
                         G_GINT64_FORMAT " to %" G_GINT64_FORMAT, kind, n_theta, min_theta,
                         ARMILLA_MAX_THETA);
  if (n_phi < 1 || n_phi > ARMILLA_MAX_N_PHI || n_phi > ARMILLA_MAX_PIXELS / n_theta)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "%s grid: the number of pixels per ring is %" G_GINT64_FORMAT "; it "
                         "must be from 1 to %" G_GINT64_FORMAT, kind, n_phi,
                         MIN (ARMILLA_MAX_N_PHI, ARMILLA_MAX_PIXELS / n_theta));
  return TRUE;
}

void
armilla_rings_set_mirrored (ArmillaRing *rings, gint64 n, gint64 i, gint64 n_phi, ArmillaDd cosine,
                            ArmillaDd sine, double weight)
{
  ArmillaRing ring = {
    .cos_theta = cosine.hi,
    .cos_lo = cosine.lo,
    .sin_theta = sine.hi,
    .sin_lo = sine.lo,
    .weight = weight * (2 * G_PI / (double) n_phi),
    .n_phi = n_phi,
    .offset = i * n_phi,
    .phi0_num = 0,
    .phi0_den = 1,
    .phi0 = 0,
  };

  rings[i] = ring;
  if (n - 1 - i == i)
    return;
  ring.cos_theta = -ring.cos_theta;
  ring.cos_lo = -ring.cos_lo;
  ring.offset = (n - 1 - i) * n_phi;
  rings[n - 1 - i] = ring;
}

/* Makes a grid of checked rings, from north to south, that cover pixels 0..n-1. Takes the array,
 * which it frees on failure too. */
ArmillaGrid *
armilla_grid_take (ArmillaGridKind kind, gint64 nside, ArmillaRing *rings, gint64 n_rings,
                   GError **error)
{
  Grid *grid;
  ArmillaRingPair *pairs = g_try_new (ArmillaRingPair, n_rings);
  gboolean in_order = TRUE;

  if (pairs == NULL)
    {
      g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_MEMORY,
                   "out of memory: cannot allocate a grid of %" G_GINT64_FORMAT
                   " rings; choose a coarser grid",
                   n_rings);
      g_free (rings);
      return NULL;
    }
  for (gint64 i = 1; i < n_rings; i++)
    in_order = in_order && rings[i].offset > rings[i - 1].offset;
  grid = g_new0 (Grid, 1);
  g_atomic_ref_count_init (&grid->references);
  grid->rings = rings;
  grid->pairs = pairs;
  if (!in_order)
    grid->by_offset = armilla_rings_by_offset (rings, n_rings);
  grid->grid.kind = kind;
  grid->grid.nside = nside;
  grid->grid.n_rings = n_rings;
  grid->grid.rings = rings;
  grid->grid.n_pairs = armilla_rings_find_pairs (rings, n_rings, pairs);
  grid->grid.pairs = pairs;
  for (gint64 i = 0; i < n_rings; i++)
    grid->grid.n_covered += rings[i].n_phi;
  grid->grid.n_pixels = grid->grid.n_covered;
  return &grid->grid;
}

/* Makes a grid of some rings of @whole, in their order, whose pixels keep their numbers. Takes the
 * array, which it frees on failure too. */
ArmillaGrid *
armilla_grid_take_part (ArmillaGrid *whole, ArmillaRing *rings, gint64 n_rings, GError **error)
{
  ArmillaGrid *part = armilla_grid_take (whole->kind, whole->nside, rings, n_rings, error);

  if (part == NULL)
    return NULL;
  part->n_pixels = whole->n_pixels;
  ((Grid *) part)->whole = armilla_grid_ref (whole);
  return part;
}

/* Returns the grid from which the rings were selected, or itself if it has all rings. */
ArmillaGrid *
armilla_grid_whole (ArmillaGrid *grid)
{
  Grid *self = (Grid *) grid;

  return self->whole != NULL ? self->whole : grid;
}

void
armilla_grid_set_weighted (ArmillaGrid *grid)
{
  ((Grid *) grid)->weighted = TRUE;
}

gboolean
armilla_grid_is_weighted (const ArmillaGrid *grid)
{
  return ((const Grid *) grid)->weighted;
}

void
armilla_grid_set_car (ArmillaGrid *grid, const ArmillaCar *car, gint64 first_ring)
{
  ((Grid *) grid)->car = *car;
  ((Grid *) grid)->car_first = first_ring;
}

gboolean
armilla_grid_get_car (const ArmillaGrid *grid, ArmillaCar *car, gint64 *first_ring)
{
  const Grid *self = (const Grid *) grid;

  *car = self->car;
  *first_ring = self->car_first;
  return self->car.n_x > 0;
}

ArmillaGrid *
armilla_grid_ref (ArmillaGrid *grid)
{
  g_atomic_ref_count_inc (&((Grid *) grid)->references);
  return grid;
}

void
armilla_grid_unref (ArmillaGrid *grid)
{
  Grid *self = (Grid *) grid;

  if (self == NULL || !g_atomic_ref_count_dec (&self->references))
    return;
  g_free (self->rings);
  g_free (self->pairs);
  g_free (self->by_offset);
  armilla_grid_unref (self->whole);
  g_free (self);
}

static gboolean
ring_equal (const ArmillaRing *a, const ArmillaRing *b)
{
  return a->cos_theta == b->cos_theta && a->cos_lo == b->cos_lo && a->sin_theta == b->sin_theta
         && a->sin_lo == b->sin_lo && a->weight == b->weight && a->n_phi == b->n_phi
         && a->offset == b->offset && a->phi0_num == b->phi0_num && a->phi0_den == b->phi0_den
         && a->phi0 == b->phi0;
}

gboolean
armilla_grid_equal (const ArmillaGrid *a, const ArmillaGrid *b)
{
  if (a == b)
    return TRUE;
  if (a->kind != b->kind || a->nside != b->nside || a->n_rings != b->n_rings
      || a->n_pixels != b->n_pixels)
    return FALSE;
  for (gint64 i = 0; i < a->n_rings; i++)
    if (!ring_equal (&a->rings[i], &b->rings[i]))
      return FALSE;
  return TRUE;
}

gboolean
armilla_grid_same_pixels (const ArmillaGrid *a, const ArmillaGrid *b)
{
  if (a == b)
    return TRUE;
  if (a->nside != b->nside || a->n_rings != b->n_rings || a->n_pixels != b->n_pixels)
    return FALSE;
  for (gint64 i = 0; i < a->n_rings; i++)
    {
      ArmillaRing ring = a->rings[i];

      ring.weight = b->rings[i].weight;
      if (!ring_equal (&ring, &b->rings[i]))
        return FALSE;
    }
  return TRUE;
}

char *
armilla_grid_describe (const ArmillaGrid *grid)
{
  const ArmillaGrid *whole = armilla_grid_whole ((ArmillaGrid *) grid);
  static const char *const names[] = {
    [ARMILLA_GRID_GAUSS_LEGENDRE] = "Gauss-Legendre",
    [ARMILLA_GRID_FEJER1] = "Fejer 1",
    [ARMILLA_GRID_CLENSHAW_CURTIS] = "Clenshaw-Curtis",
    [ARMILLA_GRID_DRISCOLL_HEALY] = "Driscoll-Healy",
  };

  if (whole != grid)
    {
      g_autofree char *what = armilla_grid_describe (whole);

      return g_strdup_printf ("%s (%" G_GINT64_FORMAT " of its %" G_GINT64_FORMAT " rings)", what,
                              grid->n_rings, whole->n_rings);
    }
  if (grid->kind == ARMILLA_GRID_HEALPIX)
    return g_strdup_printf ("HEALPix nside %" G_GINT64_FORMAT, grid->nside);
  if (grid->kind == ARMILLA_GRID_RINGS)
    return g_strdup_printf ("%" G_GINT64_FORMAT " rings, %" G_GINT64_FORMAT " pixels",
                            grid->n_rings, grid->n_pixels);
  return g_strdup_printf ("%s %" G_GINT64_FORMAT " x %" G_GINT64_FORMAT, names[grid->kind],
                          grid->n_rings, grid->rings[0].n_phi);
}

static const ArmillaRing *
find_ring (const Grid *grid, gint64 pixel)
{
  gint64 first = 0, last = grid->grid.n_rings - 1;

  while (first < last)
    {
      gint64 middle = first + (last - first + 1) / 2;
      gint64 i = grid->by_offset != NULL ? grid->by_offset[middle] : middle;

      if (grid->rings[i].offset <= pixel)
        first = middle;
      else
        last = middle - 1;
    }
  return &grid->rings[grid->by_offset != NULL ? grid->by_offset[first] : first];
}

/* Computes sin and cos of pi p / q, 0 <= p < 4 q: reduced with integers to |angle| <= pi / 4 */
static void
sincos_rational (gint64 p, gint64 q, double *sine, double *cosine)
{
  gint64 quarter = (4 * p + q) / (2 * q); /* nearest multiple of pi / 2 */
  double x = G_PI * (double) (2 * p - quarter * q) / (2.0 * (double) q);
  double s = sin (x), c = cos (x);

  *sine = (quarter & 1) ? c : s;
  *cosine = (quarter & 1) ? s : c;
  if ((quarter & 3) >= 2)
    *sine = -*sine;
  if (((quarter + 1) & 3) >= 2)
    *cosine = -*cosine;
}

/* Returns the index of the ring of a pixel; -1 if it is on none, which is possible only on a part
 * of a grid. @pixel: number of a pixel (HEALPix: in ring order), 0 <= @pixel < n_pixels. */
gint64
armilla_grid_ring_of (const ArmillaGrid *grid, gint64 pixel)
{
  const ArmillaRing *ring;

  g_return_val_if_fail (pixel >= 0 && pixel < grid->n_pixels, 0);
  ring = find_ring ((const Grid *) grid, pixel);
  return pixel >= ring->offset && pixel - ring->offset < ring->n_phi ? ring - grid->rings : -1;
}

void
armilla_grid_pixel_vector (const ArmillaGrid *grid, gint64 pixel, double vector[3])
{
  const ArmillaRing *ring;
  gint64 j;
  double s, c;

  g_return_if_fail (pixel >= 0 && pixel < grid->n_pixels);
  ring = find_ring ((const Grid *) armilla_grid_whole ((ArmillaGrid *) grid), pixel);
  j = pixel - ring->offset;
  if (ring->phi0_den > 0 && ring->n_phi % ring->phi0_den == 0)
    sincos_rational (ring->phi0_num * (ring->n_phi / ring->phi0_den) + 2 * j, ring->n_phi, &s, &c);
  else
    {
      double phi = ring->phi0 + 2 * G_PI * ((double) j / (double) ring->n_phi);

      s = sin (phi);
      c = cos (phi);
    }
  vector[0] = ring->sin_theta * c;
  vector[1] = ring->sin_theta * s;
  vector[2] = ring->cos_theta;
}
