/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rings and pixels of images in the projection CAR whose reference point is on the equator:
 * longitude and latitude are linear in the pixel coordinates. */
#include "core/grids/car.h"

#include <math.h>

#include "core/grids/grid-private.h"
#include "core/grids/grid.h"

/* Tolerance of positions, in pixels. Numbers in headers have 12 to 17 digits, and rings up to 1e5
 * pixels. */
#define TOLERANCE 1e-6
/* Relative tolerance of a resolution, which must divide half the circle into whole pixels. */
#define RESOLUTION_TOLERANCE 1e-9

/* The rings of an image. */
typedef struct {
  ArmillaGridKind kind;
  gint64 n_theta, n_phi; /* rings, and pixels per ring, of the whole sky */
  gint64 first;          /* ring of the northernmost row */
  double phi0;           /* longitude of the westernmost column, in pixels */
} Rings;

static gboolean
is_whole (double x)
{
  return fabs (x - rint (x)) < TOLERANCE;
}

static gboolean
check_numbers (const ArmillaCar *car, GError **error)
{
  if (car->n_x < 1 || car->n_y < 1)
    return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                         "the image has %" G_GINT64_FORMAT " columns and %" G_GINT64_FORMAT
                         " rows; must have at least one of each", car->n_x, car->n_y);
  for (int i = 0; i < 2; i++)
    if (!isfinite (car->crpix[i]) || !isfinite (car->cdelt[i]) || car->cdelt[i] == 0
        || fabs (car->crpix[i]) > 1e12 || fabs (car->cdelt[i]) > 360
        || fabs (car->cdelt[i]) < 360 / (double) ARMILLA_MAX_N_PHI)
      return armilla_fail (error, ARMILLA_ERROR_VALUE,
                           "CRPIX%d = %.15g and CDELT%d = %.15g: must be finite, and CDELT%d be "
                           "the size of a pixel in degrees", i + 1, car->crpix[i], i + 1,
                           car->cdelt[i], i + 1);
  if (!isfinite (car->crval) || fabs (car->crval) > 1e6)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "CRVAL1 = %g: must be a longitude in degrees", car->crval);
  return TRUE;
}

/* Finds the kind of rings from the positions of the poles, in rows from the northernmost one. */
static gboolean
find_kind (const ArmillaCar *car, double north, double south, Rings *rings, GError **error)
{
  const gboolean centre[2] = { is_whole (north), is_whole (south) };
  const gboolean edge[2] = { is_whole (north - 0.5), is_whole (south - 0.5) };
  const char *name = NULL;

  rings->kind = ARMILLA_GRID_CLENSHAW_CURTIS;
  rings->n_theta = (gint64) rint (south - north) + 1;
  rings->first = (gint64) rint (-north);
  if (edge[0] && edge[1])
    {
      rings->kind = ARMILLA_GRID_FEJER1;
      rings->n_theta--;
      rings->first = (gint64) rint (-north - 0.5);
    }
  else if (edge[0] && centre[1])
    name = "MW (a row on the south pole, none on the north pole)";
  else if (centre[0] && edge[1])
    name = "MWflip (a row on the north pole, none on the south pole)";
  else if (!centre[0] || !centre[1])
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "the poles are at rows %.6f and %.6f of the image; both must be in the "
                         "middle or at the edge of a row, as in Clenshaw-Curtis and Fejer 1 grids",
                         armilla_car_row (car, 0) + 1 + (car->cdelt[1] > 0 ? -north : north),
                         armilla_car_row (car, 0) + 1 + (car->cdelt[1] > 0 ? -south : south));
  else if (rings->first == 1 && car->n_y == rings->n_theta - 2)
    name = "Fejer 2 (all rows except those on the poles)";
  else if (rings->first == 0 && car->n_y == rings->n_theta - 1)
    {
      rings->kind = ARMILLA_GRID_DRISCOLL_HEALY;
      rings->n_theta--;
      if (rings->n_theta % 2 != 0)
        name = "Driscoll-Healy with an odd number of rings";
    }
  return name == NULL
         || armilla_fail (error, ARMILLA_ERROR_VALUE,
                          "the rows have the layout %s, which is not supported; regrid the map to "
                          "Clenshaw-Curtis or Fejer 1", name);
}

static gboolean
find_rings (const ArmillaCar *car, Rings *rings, GError **error)
{
  const double n_phi = 360 / fabs (car->cdelt[0]), quarter = 90 / fabs (car->cdelt[1]);
  double equator, west;

  if (!check_numbers (car, error))
    return FALSE;
  if (!is_whole (n_phi))
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "CDELT1 = %.15g: 360 degrees are %.6f pixels; must be a whole number",
                         car->cdelt[0], n_phi);
  rings->n_phi = (gint64) rint (n_phi);
  equator = car->cdelt[1] > 0 ? (double) car->n_y - car->crpix[1] : car->crpix[1] - 1;
  if (!find_kind (car, equator - quarter, equator + quarter, rings, error))
    return FALSE;
  if (rings->first < 0 || rings->n_theta - rings->first < car->n_y)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "%" G_GINT64_FORMAT " rows of %.15g degrees with CRPIX2 = %.15g extend "
                         "beyond a pole", car->n_y, fabs (car->cdelt[1]), car->crpix[1]);
  if (car->n_x > rings->n_phi)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "%" G_GINT64_FORMAT " columns of %.15g degrees exceed 360 degrees",
                         car->n_x, fabs (car->cdelt[0]));
  west = car->cdelt[0] < 0 ? (double) car->n_x : 1;
  rings->phi0 = (car->crval + (west - car->crpix[0]) * car->cdelt[0]) / fabs (car->cdelt[0]);
  return TRUE;
}

/* Sets the azimuth of the first pixels: a fraction of pi if it is a whole or half number of
 * pixels. */
static void
set_azimuth (ArmillaRing *ring, double pixels)
{
  const double turns = pixels - floor (pixels / (double) ring->n_phi) * (double) ring->n_phi;
  const double halves = rint (2 * turns);
  gint64 a, b;

  if (fabs (2 * turns - halves) >= 2 * TOLERANCE)
    {
      ring->phi0_den = 0;
      ring->phi0 = 2 * G_PI * turns / (double) ring->n_phi;
      return;
    }
  a = (gint64) halves % (2 * ring->n_phi);
  b = ring->n_phi;
  ring->phi0_num = a;
  ring->phi0_den = b;
  while (a != 0)
    {
      const gint64 rest = b % a;

      b = a;
      a = rest;
    }
  ring->phi0_num /= b;
  ring->phi0_den /= b;
  ring->phi0 = G_PI * ((double) ring->phi0_num / (double) ring->phi0_den);
}

/* Returns the grid of the rings on which the rows of an image are. Rings are complete: if the image
 * does not go round the sky, the pixels east of its last column are outside the image. */
ArmillaGrid *
armilla_grid_new_car (const ArmillaCar *car, GError **error)
{
  g_autoptr (ArmillaGrid) whole = NULL;
  g_autofree gboolean *wanted = NULL;
  Rings rings;

  if (!find_rings (car, &rings, error))
    return NULL;
  whole = armilla_grid_new_equiangular (rings.kind, rings.n_theta, rings.n_phi, error);
  if (whole == NULL)
    return NULL;
  armilla_grid_set_car (whole, car, rings.first);
  wanted = g_new0 (gboolean, rings.n_theta);
  for (gint64 i = 0; i < rings.n_theta; i++)
    {
      set_azimuth ((ArmillaRing *) &whole->rings[i], rings.phi0);
      wanted[i] = i >= rings.first && i - rings.first < car->n_y;
    }
  return armilla_grid_select_rings (whole, wanted, error);
}

/* Finds the grid of the whole sky of which the rows of an image are rings. */
gboolean
armilla_car_find_grid (const ArmillaCar *car, ArmillaGridKind *kind, gint64 *n_theta,
                       gint64 *n_phi, GError **error)
{
  Rings rings;

  if (!find_rings (car, &rings, error))
    return FALSE;
  *kind = rings.kind;
  *n_theta = rings.n_theta;
  *n_phi = rings.n_phi;
  return TRUE;
}

/* Finds the pixels that an array of the caller holds for a map on this grid: from the first ring to
 * the last if the grid was made from an image, otherwise all pixels of the whole grid. Returns
 * whether the grid was made from an image. */
gboolean
armilla_grid_array_pixels (const ArmillaGrid *grid, gint64 *first, gint64 *n)
{
  const ArmillaRing *last = &grid->rings[grid->n_rings - 1];
  ArmillaCar car;

  if (!armilla_grid_get_car (armilla_grid_whole ((ArmillaGrid *) grid), &car, first))
    {
      *first = 0;
      *n = grid->n_pixels;
      return FALSE;
    }
  *first = grid->rings[0].offset;
  *n = last->offset + last->n_phi - *first;
  return TRUE;
}

/* Sets @car to the image that contains the rings of a grid, and @first_ring to the ring of the
 * whole grid in its northernmost row; the image of a whole grid is that of the whole sky. For a
 * grid that was not made from an image, the first pixel of each ring is at the right edge. Returns
 * FALSE if the grid is not equiangular. */
gboolean
armilla_grid_car (const ArmillaGrid *grid, ArmillaCar *car, gint64 *first_ring)
{
  const ArmillaGrid *whole = armilla_grid_whole ((ArmillaGrid *) grid);
  const gint64 n_phi = whole->rings[0].n_phi, n = whole->n_rings;
  gint64 first = grid->rings[0].offset / n_phi, n_y;

  *car = (ArmillaCar) { 0 };
  *first_ring = 0;
  if (whole->kind != ARMILLA_GRID_FEJER1 && whole->kind != ARMILLA_GRID_CLENSHAW_CURTIS
      && whole->kind != ARMILLA_GRID_DRISCOLL_HEALY)
    return FALSE;
  if (!armilla_grid_get_car (whole, car, first_ring))
    {
      const gboolean both = whole->kind == ARMILLA_GRID_CLENSHAW_CURTIS; /* poles have rows */
      const double size = 180.0 / (double) (both ? n - 1 : n);

      *car = (ArmillaCar) { .n_x = n_phi, .n_y = n,
                            .crpix = { 0.5 * (double) (n_phi + 1), (double) n - 90 / size },
                            .cdelt = { -360.0 / (double) n_phi, size },
                            .crval = 180.0 * ((double) (n_phi - 1) / (double) n_phi) };
      if (whole->kind == ARMILLA_GRID_FEJER1)
        car->crpix[1] = 0.5 * (double) (n + 1);
    }
  if (grid == whole && car->n_y < n)
    { /* the grid has all rings, but its image only some of the rows: extend it to the whole sky */
      if (car->cdelt[0] < 0)
        car->crpix[0] += (double) (n_phi - car->n_x);
      car->n_x = n_phi;
    }
  n_y = grid->rings[grid->n_rings - 1].offset / n_phi + 1 - first;
  car->crpix[1] -= (double) (car->cdelt[1] > 0 ? *first_ring + car->n_y - first - n_y
                                               : first - *first_ring);
  car->n_y = n_y;
  *first_ring = first;
  return TRUE;
}

/* Sets the image of the whole sky that pixell's fullsky_geometry() describes: @kind
 * %ARMILLA_GRID_FEJER1 or %ARMILLA_GRID_CLENSHAW_CURTIS, @resolution in radian. */
gboolean
armilla_car_whole (ArmillaCar *car, ArmillaGridKind kind, double resolution, GError **error)
{
  const double n = rint (G_PI / resolution), n_phi = 2 * n;
  const double size = 180 / n;

  if (n < 1 || n > (double) ARMILLA_MAX_THETA
      || fabs (n * resolution - G_PI) > RESOLUTION_TOLERANCE * G_PI)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "resolution = %.12g deg: 180 degrees are %.6f pixels; must be a whole "
                         "number from 1 to %" G_GINT64_FORMAT, resolution * 180 / G_PI,
                         G_PI / resolution, ARMILLA_MAX_THETA);
  *car = (ArmillaCar) { .n_x = (gint64) n_phi,
                        .n_y = (gint64) n + (kind == ARMILLA_GRID_CLENSHAW_CURTIS),
                        .cdelt = { -size, size },
                        .crval = 0.5 * size };
  car->crpix[0] = n + 0.5;
  car->crpix[1] = 0.5 * (double) (car->n_y + 1);
  return TRUE;
}

/* Finds those of @n pixels whose centres are between @low and @high: @n_inside pixels from @first
 * on. Pixel i is at @start + i @step, @step > 0. Returns FALSE if there are none. */
static gboolean
find_between (double start, double step, gint64 n, double low, double high, gint64 *first,
              gint64 *n_inside)
{
  const double from = MAX (ceil ((low - start) / step - TOLERANCE), 0);
  const double to = MIN (floor ((high - start) / step + TOLERANCE), (double) (n - 1));

  *first = (gint64) from;
  *n_inside = (gint64) (to - from) + 1;
  return to >= from;
}

/* Reduces an image of the whole sky, with latitude upwards and longitude to the left, to the pixels
 * whose centres are in a box. */
gboolean
armilla_car_cut (ArmillaCar *car, const ArmillaCarBox *box, GError **error)
{
  const double size[2] = { -car->cdelt[0], car->cdelt[1] };
  const double south = (1 - car->crpix[1]) * size[1];
  const double width = MIN (box->ra[1] - box->ra[0], 360);
  double west, middle;
  gint64 first, n;

  if (!(box->dec[0] <= box->dec[1]) || !(box->ra[0] <= box->ra[1]) || fabs (box->ra[0]) > 360
      || fabs (box->ra[1]) > 720)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "latitudes from %g to %g and longitudes from %g to %g degrees: each range "
                         "must ascend; add 360 to the second longitude if the range contains 0",
                         box->dec[0], box->dec[1], box->ra[0], box->ra[1]);
  if (!find_between (south, size[1], car->n_y, box->dec[0], box->dec[1], &first, &n))
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "no pixel between latitudes %g and %g degrees", box->dec[0], box->dec[1]);
  car->crpix[1] -= (double) first;
  car->n_y = n;
  if (360 - width < 0.5 * size[0])
    return TRUE;
  /* pixel k from the last column, eastwards */
  west = car->crval - ((double) car->n_x - car->crpix[0]) * size[0];
  first = (gint64) ceil ((box->ra[0] - west) / size[0] - TOLERANCE);
  n = (gint64) floor ((box->ra[0] + width - west) / size[0] + TOLERANCE) - first + 1;
  if (n < 1)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "no pixel between longitudes %g and %g degrees", box->ra[0], box->ra[1]);
  if (n >= car->n_x)
    return TRUE;
  car->crpix[0] += (double) (n - car->n_x + first);
  /* the reference point in the middle: astropy searches within 180 degrees of it */
  middle = rint (car->crpix[0] - 0.5 * (double) (n + 1));
  car->crpix[0] -= middle;
  car->crval -= middle * car->cdelt[0];
  car->n_x = n;
  return TRUE;
}
