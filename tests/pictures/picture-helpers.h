/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pictures in memory, for the tests of pictures. */
#pragma once

#include <math.h>
#include <string.h>

#include "plugins/pictures/plot-private.h"

typedef cairo_surface_t Surface;
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Surface, cairo_surface_destroy)

/* The colour of a pixel, 0xRRGGBB. */
static inline guint32
colour_at (Surface *surface, double x, double y)
{
  guint32 colour;

  memcpy (&colour, cairo_image_surface_get_data (surface)
          + (int) y * cairo_image_surface_get_stride (surface) + 4 * (int) x, 4);
  return colour & 0xffffff;
}

/* Whether a place is red, as points are to be. */
static inline gboolean
is_red (Surface *surface, double x, double y)
{
  const guint32 colour = colour_at (surface, x, y);

  return (colour >> 16 & 0xff) > (colour & 0xff) + 60;
}

/* Finds the axes of a plot, whose inputs have these names. */
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
  Surface *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, figure->width,
                                                 armilla_figure_height (figure));
  cairo_t *cr = cairo_create (surface);
  g_autoptr (GError) error = NULL;

  cairo_set_source_rgb (cr, 1, 1, 1);
  cairo_paint (cr);
  g_assert_true (armilla_figure_draw (figure, cr, &error));
  g_assert_no_error (error);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  return surface;
}
