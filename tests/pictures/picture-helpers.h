/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pictures in memory, for the tests of pictures. */
#pragma once

#include <math.h>
#include <string.h>

#include "plugins/pictures/plot-private.h"
#include "plugins/pictures/sky-private.h"

typedef cairo_surface_t Surface;
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Surface, cairo_surface_destroy)

/* A point of a picture, 0xAARRGGBB. */
static inline guint32
point_at (Surface *surface, double x, double y)
{
  guint32 colour;

  memcpy (&colour, cairo_image_surface_get_data (surface)
          + (int) y * cairo_image_surface_get_stride (surface) + 4 * (int) x, 4);
  return colour;
}

/* Its colour, 0xRRGGBB. */
static inline guint32
colour_at (Surface *surface, double x, double y)
{
  return point_at (surface, x, y) & 0xffffff;
}

/* How far a colour is from grey: frames, ticks and their numbers are grey. */
static inline int
chroma (guint32 colour)
{
  const int red = colour >> 16 & 0xff, green = colour >> 8 & 0xff, blue = colour & 0xff;

  return MAX (red, MAX (green, blue)) - MIN (red, MIN (green, blue));
}

/* Returns whether a place is red, as points are to be. */
static inline gboolean
is_red (Surface *surface, double x, double y)
{
  const guint32 colour = colour_at (surface, x, y);

  return (colour >> 16 & 0xff) > (colour & 0xff) + 60;
}

/* A white picture, and what draws on it, which finish() ends. */
static inline Surface *
white (int width, int height, cairo_t **cr)
{
  Surface *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, width, height);

  *cr = cairo_create (surface);
  cairo_set_source_rgb (*cr, 1, 1, 1);
  cairo_paint (*cr);
  return surface;
}

static inline void
finish (cairo_t *cr)
{
  g_assert_cmpint (cairo_status (cr), ==, CAIRO_STATUS_SUCCESS);
  cairo_surface_flush (cairo_get_target (cr));
  cairo_destroy (cr);
}

/* A plot whose axes follow its curves. */
static inline ArmillaFigure
figure_new (int width, ArmillaScale x_scale, ArmillaScale y_scale)
{
  return (ArmillaFigure) { .title = "", .width = width, .x = { x_scale, NAN, NAN, 30 },
                           .y = { y_scale, NAN, NAN, 1 }, .curves = armilla_curves_new () };
}

/* Finds the axes of a plot, whose inputs have these names, or none. */
static inline void
arrange_inputs (ArmillaFigure *figure, ArmillaPlotStyle style, const char *const *inputs)
{
  g_autoptr (GError) error = NULL;

  style.inputs = inputs;
  g_assert_true (armilla_figure_arrange (figure, &style, &error));
  g_assert_no_error (error);
}

/* A plot on white. */
static inline Surface *
draw_figure (ArmillaFigure *figure)
{
  cairo_t *cr;
  Surface *surface = white (figure->width, armilla_figure_height (figure), &cr);
  g_autoptr (GError) error = NULL;

  g_assert_true (armilla_figure_draw (figure, cr, &error));
  g_assert_no_error (error);
  finish (cr);
  return surface;
}

/* A picture of a map of one value, with what @style has over it. */
static inline Surface *
draw_sky (const ArmillaSkyStyle *style, double value)
{
  g_autoptr (ArmillaGrid) grid = armilla_grid_new_healpix (4, NULL);
  g_autofree double *pixels = g_new (double, grid->n_pixels);
  cairo_t *cr;
  Surface *surface = white (style->width, armilla_sky_height (style), &cr);
  ArmillaSky *sky
    = armilla_sky_new_projection (grid, &style->projection, armilla_sky_box (style).width, NULL);

  for (gint64 i = 0; i < grid->n_pixels; i++)
    pixels[i] = value;
  armilla_sky_put (sky, 0, grid->n_pixels, pixels);
  armilla_sky_draw (sky, style, cr);
  armilla_sky_free (sky);
  finish (cr);
  return surface;
}

/* A map of one component, 0 to 2, of the unit vectors of its pixels. */
static inline double *
component_map (ArmillaGrid *grid, int component)
{
  double *pixels = g_new (double, grid->n_pixels);

  for (gint64 i = 0; i < grid->n_pixels; i++)
    {
      double vector[3];

      armilla_grid_pixel_vector (grid, i, vector);
      pixels[i] = vector[component];
    }
  return pixels;
}

static inline int
compare_doubles (gconstpointer a, gconstpointer b)
{
  const double x = *(const double *) a, y = *(const double *) b;

  return x < y ? -1 : x > y;
}
