/* SPDX-License-Identifier: GPL-3.0-or-later */
/* HEALPix pixel numbers (Gorski et al. 2005). A pixel is found through its base pixel (face) and
 * its column and row (x to the north-east, y to the north-west) in it. */
#include <armilla/grid.h>

#include <math.h>

#include "core/grids/interpolation.h"

#define NSIDE_LIMIT (G_GINT64_CONSTANT (1) << 29)

typedef struct {
  int face;
  gint64 x, y;
} Position;

/* Southernmost corner of each face: its ring in units of nside, its azimuth in units of pi / 4. */
static const gint8 corner_ring[12] = { 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4 };
static const gint8 corner_azimuth[12] = { 1, 3, 5, 7, 0, 2, 4, 6, 1, 3, 5, 7 };

static gint64
integer_sqrt (gint64 n)
{
  gint64 r = (gint64) sqrt ((double) n);

  while (r * r > n)
    r--;
  while ((r + 1) * (r + 1) <= n)
    r++;
  return r;
}

/* Moves bit k of the lower 32 to bit 2k. */
static guint64
spread_bits (guint64 v)
{
  v &= 0xffffffff;
  v = (v | v << 16) & G_GUINT64_CONSTANT (0x0000ffff0000ffff);
  v = (v | v << 8) & G_GUINT64_CONSTANT (0x00ff00ff00ff00ff);
  v = (v | v << 4) & G_GUINT64_CONSTANT (0x0f0f0f0f0f0f0f0f);
  v = (v | v << 2) & G_GUINT64_CONSTANT (0x3333333333333333);
  return (v | v << 1) & G_GUINT64_CONSTANT (0x5555555555555555);
}

static guint64
gather_bits (guint64 v)
{
  v &= G_GUINT64_CONSTANT (0x5555555555555555);
  v = (v | v >> 1) & G_GUINT64_CONSTANT (0x3333333333333333);
  v = (v | v >> 2) & G_GUINT64_CONSTANT (0x0f0f0f0f0f0f0f0f);
  v = (v | v >> 4) & G_GUINT64_CONSTANT (0x00ff00ff00ff00ff);
  v = (v | v >> 8) & G_GUINT64_CONSTANT (0x0000ffff0000ffff);
  return (v | v >> 16) & 0xffffffff;
}

/* A ring of the map: i = 1..4 nside - 1 */
typedef struct {
  gint64 i;
  gint64 quarter; /* a quarter of its pixels */
  gint64 first;   /* number of its first pixel */
  gint64 shift;   /* 1: the first pixel is at azimuth 0; 0: it is half a pixel east of it */
} Ring;

static Ring
get_ring (gint64 nside, gint64 i)
{
  if (i < nside)
    return (Ring){ i, i, 2 * i * (i - 1), 0 };
  if (i <= 3 * nside)
    return (Ring){ i, nside, 2 * nside * (nside - 1) + (i - nside) * 4 * nside, (i - nside) & 1 };
  i = 4 * nside - i;
  return (Ring){ 4 * nside - i, i, 12 * nside * nside - 2 * i * (i + 1), 0 };
}

static Ring
ring_of_pixel (gint64 nside, gint64 pixel)
{
  gint64 cap = 2 * nside * (nside - 1), n_pixels = 12 * nside * nside;

  if (pixel < cap)
    return get_ring (nside, (1 + integer_sqrt (1 + 2 * pixel)) / 2);
  if (pixel < n_pixels - cap)
    return get_ring (nside, nside + (pixel - cap) / (4 * nside));
  return get_ring (nside, 4 * nside - (1 + integer_sqrt (2 * (n_pixels - pixel) - 1)) / 2);
}

static Position
position_of_ring_pixel (gint64 nside, gint64 pixel)
{
  Ring ring = ring_of_pixel (nside, pixel);
  gint64 j = pixel - ring.first;
  gint64 down, east;
  Position p;

  if (ring.i < nside)
    p.face = (int) (j / ring.quarter);
  else if (ring.i > 3 * nside)
    p.face = 8 + (int) (j / ring.quarter);
  else
    {
      /* index of the descending and of the ascending diagonal strip of the pixel */
      gint64 from = ring.i - nside + 1, to = 2 * nside + 2 - from;
      gint64 descending = (j - from / 2 + nside) / nside;
      gint64 ascending = (j - to / 2 + nside) / nside;

      if (ascending == descending)
        p.face = 4 + (int) (ascending & 3);
      else
        p.face = (int) (ascending < descending ? ascending : descending + 8);
    }
  down = ring.i - corner_ring[p.face] * nside + 1;
  east = 2 * j + 1 - corner_azimuth[p.face] * ring.quarter - ring.shift;
  if (east >= 2 * nside) /* face 4 is on both sides of azimuth 0 */
    east -= 8 * nside;
  p.x = (east - down) / 2;
  p.y = (-east - down) / 2;
  return p;
}

static gint64
ring_pixel_of_position (gint64 nside, Position p)
{
  Ring ring = get_ring (nside, corner_ring[p.face] * nside - p.x - p.y - 1);
  gint64 n = 4 * ring.quarter;
  gint64 j = (corner_azimuth[p.face] * ring.quarter + p.x - p.y - 1 + ring.shift) / 2;

  return ring.first + (j + n) % n; /* face 4 is on both sides of azimuth 0 */
}

static gboolean
has_nested (gint64 nside, gint64 pixel)
{
  return nside >= 1 && nside <= NSIDE_LIMIT && (nside & (nside - 1)) == 0 && pixel >= 0
         && pixel < 12 * nside * nside;
}

gint64
armilla_healpix_ring_to_nest (gint64 nside, gint64 pixel)
{
  Position p;

  if (!has_nested (nside, pixel))
    return -1;
  p = position_of_ring_pixel (nside, pixel);
  return p.face * nside * nside + (gint64) (spread_bits (p.x) | spread_bits (p.y) << 1);
}

gint64
armilla_healpix_nest_to_ring (gint64 nside, gint64 pixel)
{
  guint64 inside;
  Position p;

  if (!has_nested (nside, pixel))
    return -1;
  p.face = (int) (pixel / (nside * nside));
  inside = (guint64) (pixel % (nside * nside));
  p.x = (gint64) gather_bits (inside);
  p.y = (gint64) gather_bits (inside >> 1);
  return ring_pixel_of_position (nside, p);
}

/* Belt: between z = 2/3 and z = -2/3 pixels are squares in (azimuth, z), rotated by 45 degrees. */
static gint64
belt_pixel (gint64 nside, double z, double azimuth)
{
  double n = (double) nside;
  gint64 ascending = (gint64) floor (n * (0.5 + azimuth) - n * z * 0.75);
  gint64 descending = (gint64) floor (n * (0.5 + azimuth) + n * z * 0.75);
  gint64 i = CLAMP (2 * nside + ascending - descending, nside, 3 * nside);
  Ring ring = get_ring (nside, i);
  gint64 twice = ascending + descending - nside + ring.shift + 1;

  return ring.first + (twice + 8 * nside) / 2 % (4 * nside);
}

/* Cap: the distance from the pole in units of a ring, @depth, is sqrt (3 (1 - |z|)) nside. */
static gint64
cap_pixel (gint64 nside, double depth, double azimuth, gboolean north)
{
  double quarter = floor (azimuth), rest = azimuth - quarter;
  gint64 east = (gint64) floor (rest * depth);
  gint64 west = (gint64) floor ((1 - rest) * depth);
  gint64 i = MIN (east + west + 1, nside);
  Ring ring = get_ring (nside, north ? i : 4 * nside - i);
  gint64 j = MIN ((gint64) floor (azimuth * (double) i), 4 * i - 1);

  return ring.first + j;
}

gint64
armilla_healpix_vector_to_pixel (gint64 nside, const double vector[3])
{
  double across = hypot (vector[0], vector[1]);
  double length = hypot (across, vector[2]);
  double z, azimuth, depth;

  if (nside < 1 || nside > NSIDE_LIMIT || !isfinite (length) || !(length > 0))
    return -1;
  z = vector[2] / length;
  azimuth = atan2 (vector[1], vector[0]) / G_PI_2; /* in quarter turns, [0, 4) */
  if (azimuth < 0)
    azimuth += 4;
  if (azimuth >= 4)
    azimuth = 0;
  if (fabs (z) <= 2.0 / 3.0)
    return belt_pixel (nside, z, azimuth);
  /* 1 - |z| = sin^2 / (1 + |z|) avoids cancellation */
  depth = (double) nside * (across / length) * sqrt (3 / (1 + fabs (z)));
  return cap_pixel (nside, depth, azimuth, z > 0);
}

/* Steps to the neighbours, in the order south-west, west, north-west, north, north-east, east,
 * south-east, south. */
static const gint8 step_x[8] = { -1, -1, 0, 1, 1, 1, 0, -1 };
static const gint8 step_y[8] = { 0, 1, 1, 1, 0, -1, -1, -1 };

/* Moves a position beyond the edges of a northern base pixel to the base pixel there; FALSE if no
 * pixel is there. */
static gboolean
leave_north (gint64 n, Position *p)
{
  const int quarter = p->face;
  const gint64 x = p->x, y = p->y;

  if (x >= n && y >= n)
    *p = (Position) { (quarter + 2) % 4, 2 * n - 1 - x, 2 * n - 1 - y };
  else if (x >= n && y >= 0)
    *p = (Position) { (quarter + 1) % 4, y, 2 * n - 1 - x };
  else if (y >= n && x >= 0)
    *p = (Position) { (quarter + 3) % 4, 2 * n - 1 - y, x };
  else if (x >= 0 && x < n)
    *p = (Position) { 4 + (quarter + 1) % 4, x, y + n };
  else if (y >= 0 && y < n)
    *p = (Position) { 4 + quarter, x + n, y };
  else if (x < 0 && y < 0)
    *p = (Position) { 8 + quarter, x + n, y + n };
  else
    return FALSE; /* three base pixels meet in the east and in the west */
  return TRUE;
}

static gboolean
leave_belt (gint64 n, Position *p)
{
  const int quarter = p->face - 4;
  const int face_x = p->x >= n ? quarter : 8 + (quarter + 3) % 4;
  const int face_y = p->y >= n ? (quarter + 3) % 4 : 8 + quarter;
  const gboolean out_x = p->x < 0 || p->x >= n, out_y = p->y < 0 || p->y >= n;

  if (out_x && out_y)
    {
      if ((p->x < 0) == (p->y < 0))
        return FALSE; /* three base pixels meet in the north and in the south */
      p->face = 4 + (p->x >= n ? quarter + 1 : quarter + 3) % 4;
    }
  else
    p->face = out_x ? face_x : face_y;
  p->x = (p->x + n) % n;
  p->y = (p->y + n) % n;
  return TRUE;
}

/* Moves a position beyond the edges of a southern base pixel, the mirror image of a northern
 * one. */
static gboolean
leave_south (gint64 n, Position *p)
{
  Position mirror = { p->face - 8, n - 1 - p->y, n - 1 - p->x };
  gboolean found = leave_north (n, &mirror);

  *p = (Position) { mirror.face < 4 ? 8 + mirror.face : mirror.face < 8 ? mirror.face
                                                                        : mirror.face - 8,
                    n - 1 - mirror.y, n - 1 - mirror.x };
  return found;
}

/* Returns the pixels (in ring order) that share an edge or a corner with @pixel; -1 for a missing
 * one. */
void
armilla_healpix_neighbours (gint64 nside, gint64 pixel, gint64 neighbours[8])
{
  const Position p = position_of_ring_pixel (nside, pixel);

  for (int i = 0; i < 8; i++)
    {
      Position q = { p.face, p.x + step_x[i], p.y + step_y[i] };
      gboolean found = TRUE;

      if (q.x < 0 || q.y < 0 || q.x >= nside || q.y >= nside)
        found = q.face < 4   ? leave_north (nside, &q)
                : q.face < 8 ? leave_belt (nside, &q)
                             : leave_south (nside, &q);
      neighbours[i] = found ? ring_pixel_of_position (nside, q) : -1;
    }
}

gint64
armilla_healpix_ring_of (gint64 nside, gint64 pixel)
{
  return ring_of_pixel (nside, pixel).i - 1;
}
