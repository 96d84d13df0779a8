/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "plugins/pictures/render-private.h"

/* Proportions of a picture, in parts of its width. */
#define MARGIN 0.03
#define TITLE 0.07
#define BAR_GAP 0.03
#define BAR_LENGTH 0.5
#define BAR_HEIGHT 0.025
#define FOOT 0.075
#define LETTER 0.022

/**
 * armilla_sky_height:
 * @width: width of a whole picture
 *
 * Returns: its height: title, ellipse, colour bar with numbers and unit
 */
int
armilla_sky_height (int width)
{
  int ellipse = (int) lrint (width * (1 - 2 * MARGIN)) / 2;

  return ellipse + (int) lrint (width * (TITLE + BAR_GAP + BAR_HEIGHT + FOOT));
}

static void
draw_parallel (cairo_t *cr, double latitude)
{
  double x, y;

  armilla_mollweide (G_PI, latitude, &x, &y);
  cairo_move_to (cr, x, -y);
  cairo_line_to (cr, -x, -y);
}

static void
draw_meridian (cairo_t *cr, double longitude)
{
  cairo_new_sub_path (cr);
  for (int i = 0; i <= 90; i++)
    {
      double x, y;

      armilla_mollweide (longitude, G_PI * i / 90 - G_PI / 2, &x, &y);
      cairo_line_to (cr, x, -y);
    }
}

/* Parallels every 30 degrees and meridians every 60 degrees of longitude on the sky. */
static void
draw_graticule (cairo_t *cr, double centre)
{
  for (int i = -2; i <= 2; i++)
    draw_parallel (cr, i * G_PI / 6);
  for (int i = 0; i < 6; i++)
    {
      double longitude = remainder (i * G_PI / 3 - centre, 2 * G_PI);

      if (fabs (fabs (longitude) - G_PI) > 1e-6)
        draw_meridian (cr, longitude);
    }
}

static void
draw_ellipse (ArmillaSky *self, const ArmillaSkyStyle *style, cairo_t *cr, double left, double top,
              double width)
{
  cairo_surface_t *picture = armilla_sky_paint (self, style->palette, style->low, style->high);

  cairo_set_source_surface (cr, picture, left, top);
  cairo_pattern_set_filter (cairo_get_source (cr), CAIRO_FILTER_NEAREST);
  cairo_paint (cr);
  cairo_surface_destroy (picture);
  cairo_save (cr);
  cairo_translate (cr, left + width / 2, top + width / 4);
  cairo_scale (cr, width / 4, width / 4);
  if (style->graticule)
    draw_graticule (cr, style->centre);
  cairo_restore (cr);
  cairo_set_source_rgba (cr, 0, 0, 0, 0.35);
  cairo_set_line_width (cr, style->width / 1600.0);
  cairo_stroke (cr);
  cairo_save (cr);
  cairo_translate (cr, left + width / 2, top + width / 4);
  cairo_scale (cr, width / 2, width / 4);
  cairo_arc (cr, 0, 0, 1, 0, 2 * G_PI);
  cairo_restore (cr);
  cairo_set_source_rgb (cr, 0.1, 0.1, 0.1);
  cairo_set_line_width (cr, style->width / 500.0);
  cairo_stroke (cr);
}

static void
draw_bar (const ArmillaSkyStyle *style, cairo_t *cr, double top)
{
  double width = style->width;
  double left = width * (1 - BAR_LENGTH) / 2, length = width * BAR_LENGTH;
  double bottom = top + width * BAR_HEIGHT, size = width * LETTER;
  double table[ARMILLA_PALETTE_SIZE][3];
  cairo_pattern_t *pattern = cairo_pattern_create_linear (left, 0, left + length, 0);
  g_autoptr (GArray) ticks = armilla_ticks (ARMILLA_SCALE_LINEAR, style->low, style->high, 5);
  g_autofree char *unit = armilla_unit_formula (style->unit);

  armilla_palette_fill (style->palette, table);
  for (int i = 0; i < ARMILLA_PALETTE_SIZE; i++)
    cairo_pattern_add_color_stop_rgb (pattern, (i + 0.5) / ARMILLA_PALETTE_SIZE, table[i][0],
                                      table[i][1], table[i][2]);
  cairo_rectangle (cr, left, top, length, bottom - top);
  cairo_set_source (cr, pattern);
  cairo_fill_preserve (cr);
  cairo_pattern_destroy (pattern);
  cairo_set_source_rgb (cr, 0.1, 0.1, 0.1);
  cairo_set_line_width (cr, width / 1000);
  cairo_stroke (cr);
  for (guint i = 0; i < ticks->len; i++)
    {
      double value = g_array_index (ticks, double, i);
      double x = left + length * (value - style->low) / (style->high - style->low);
      g_autofree char *label = armilla_tick_label (value);

      cairo_move_to (cr, x, bottom);
      cairo_line_to (cr, x, bottom + 0.3 * size);
      cairo_stroke (cr);
      armilla_text (cr, label, x, bottom + 0.55 * size, size, 0.5, 1);
    }
  armilla_formula (cr, unit, width / 2, bottom + 1.75 * size, size, 0.5, 1);
}

/**
 * armilla_sky_draw:
 * @self: a picture with its pixels, as wide as armilla_sky_new() was told
 * @style: what else to draw
 * @cr: where to draw, white and of size @style->width times armilla_sky_height()
 *
 * Draws title, ellipse, graticule and colour bar.
 */
void
armilla_sky_draw (ArmillaSky *self, const ArmillaSkyStyle *style, cairo_t *cr)
{
  double width = style->width;
  int ellipse = (int) lrint (width * (1 - 2 * MARGIN));
  double top = rint (width * TITLE);

  cairo_set_source_rgb (cr, 0, 0, 0);
  armilla_text (cr, style->title, width / 2, top / 2, 1.25 * width * LETTER, 0.5, 0.5);
  draw_ellipse (self, style, cr, rint ((width - ellipse) / 2), top, ellipse);
  draw_bar (style, cr, top + ellipse / 2 + width * BAR_GAP);
}
