/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "plugins/pictures/render-private.h"

/* A colour in CIE 1976 L*a*b* (D65). */
typedef struct {
  double at, l, a, b;
} Stop;

/* Blue through near-white to dark red; lightness peaks in the middle, for maps about zero. */
static const Stop sky_stops[] = {
  { 0.00, 18, 28, -58 }, { 0.20, 45, -2, -46 }, { 0.38, 74, -16, -20 }, { 0.50, 95, 0, 6 },
  { 0.64, 80, 14, 44 }, { 0.82, 54, 50, 54 }, { 1.00, 24, 42, 32 },
};

/* Night blue, violet, red, orange, pale yellow; lightness rises evenly. */
static const Stop thermal_stops[] = {
  { 0.00, 6, 10, -24 }, { 0.22, 26, 32, -44 }, { 0.45, 46, 54, -8 }, { 0.68, 66, 44, 40 },
  { 0.85, 81, 12, 56 }, { 1.00, 96, -6, 30 },
};

static const Stop grey_stops[] = { { 0, 5, 0, 0 }, { 1, 98, 0, 0 } };

static double
inverse_f (double t)
{
  return t > 6.0 / 29 ? t * t * t : 3 * (6.0 / 29) * (6.0 / 29) * (t - 4.0 / 29);
}

static double
companded (double linear)
{
  double x = CLAMP (linear, 0, 1);

  return x <= 0.0031308 ? 12.92 * x : 1.055 * pow (x, 1 / 2.4) - 0.055;
}

static void
lab_to_rgb (double l, double a, double b, double rgb[3])
{
  double f = (l + 16) / 116;
  double x = 0.95047 * inverse_f (f + a / 500);
  double y = inverse_f (f);
  double z = 1.08883 * inverse_f (f - b / 200);

  rgb[0] = companded (3.2404542 * x - 1.5371385 * y - 0.4985314 * z);
  rgb[1] = companded (-0.9692660 * x + 1.8760108 * y + 0.0415560 * z);
  rgb[2] = companded (0.0556434 * x - 0.2040259 * y + 1.0572252 * z);
}

static void
interpolate (const Stop *stops, gsize n, double t, double rgb[3])
{
  gsize i = 1;
  double u;

  while (i < n - 1 && stops[i].at < t)
    i++;
  u = (t - stops[i - 1].at) / (stops[i].at - stops[i - 1].at);
  lab_to_rgb (stops[i - 1].l + u * (stops[i].l - stops[i - 1].l),
              stops[i - 1].a + u * (stops[i].a - stops[i - 1].a),
              stops[i - 1].b + u * (stops[i].b - stops[i - 1].b), rgb);
}

/**
 * armilla_palette_fill:
 * @palette: which palette
 * @table: (out): red, green and blue from 0 to 1, from the lowest value to the highest
 *
 * Interpolates control points in L*a*b*, where equal steps look equally large.
 */
void
armilla_palette_fill (ArmillaPalette palette, double table[ARMILLA_PALETTE_SIZE][3])
{
  for (int i = 0; i < ARMILLA_PALETTE_SIZE; i++)
    {
      double t = i / (ARMILLA_PALETTE_SIZE - 1.0);

      if (palette == ARMILLA_PALETTE_SKY)
        interpolate (sky_stops, G_N_ELEMENTS (sky_stops), t, table[i]);
      else if (palette == ARMILLA_PALETTE_THERMAL)
        interpolate (thermal_stops, G_N_ELEMENTS (thermal_stops), t, table[i]);
      else
        interpolate (grey_stops, G_N_ELEMENTS (grey_stops), t, table[i]);
    }
}
