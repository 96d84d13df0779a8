/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "plugins/pictures/sky-private.h"

/* Proportions of a picture, in parts of its width. */
#define TITLE 0.07
#define AXES 0.06
#define BAR_GAP 0.03
#define BAR_LENGTH 0.5
#define BAR_HEIGHT 0.025
#define FOOT 0.075

/* Margins on either side: numbers stand on the left of straight edges, in degrees, minutes and,
 * of small squares, seconds. */
static double
margin (const ArmillaProjection *projection)
{
  if (armilla_projection_is_square (projection))
    return projection->size > 0 && projection->size < G_PI / 2000   ? 0.18
           : projection->size > 0 && projection->size < G_PI / 40 ? 0.13
                                                                    : 0.1;
  return projection->kind == ARMILLA_PROJECTION_ORTHOGRAPHIC ? 0.16 : 0.03;
}

/**
 * armilla_sky_box:
 * @style: a style
 *
 * Returns: where the sky is in the picture
 */
ArmillaSkyBox
armilla_sky_box (const ArmillaSkyStyle *style)
{
  const int width = (int) lrint (style->width * (1 - 2 * margin (&style->projection)));

  return (ArmillaSkyBox) {
    .left = rint ((style->width - width) / 2.0), .top = rint (style->width * TITLE),
    .width = width, .height = armilla_projection_height (&style->projection, width),
  };
}

static double
bar_top (const ArmillaSkyStyle *style)
{
  const ArmillaSkyBox box = armilla_sky_box (style);

  return box.top + box.height + style->width * BAR_GAP
         + (armilla_projection_is_square (&style->projection) ? style->width * AXES : 0);
}

/**
 * armilla_sky_height:
 * @style: a style
 *
 * Returns: height of a whole picture: title, sky, colour bar with numbers and unit
 */
int
armilla_sky_height (const ArmillaSkyStyle *style)
{
  return (int) lrint (bar_top (style) + style->width * (BAR_HEIGHT + FOOT));
}

/**
 * armilla_sky_centre_range:
 * @low: (inout): lower end of the colours
 * @high: (inout): upper end of the colours
 *
 * Widens a range that contains 0 so that 0 is its middle.
 */
void
armilla_sky_centre_range (double *low, double *high)
{
  const double end = MAX (-*low, *high);

  if (!(*low < 0 && *high > 0))
    return;
  *low = -end;
  *high = end;
}

static void
draw_pixels (ArmillaSky *self, const ArmillaSkyStyle *style, const ArmillaSkyBox *box, cairo_t *cr)
{
  cairo_surface_t *picture
    = armilla_sky_paint_table (self, (const double (*)[3]) style->table, style->low, style->high);

  cairo_set_source_surface (cr, picture, box->left, box->top);
  cairo_pattern_set_filter (cairo_get_source (cr), CAIRO_FILTER_NEAREST);
  cairo_paint (cr);
  cairo_surface_destroy (picture);
  cairo_save (cr);
  armilla_sky_outline (style, box, cr);
  cairo_clip (cr);
  if (style->graticule)
    armilla_sky_graticule (style, box, cr);
  cairo_restore (cr);
  armilla_sky_outline (style, box, cr);
  cairo_set_source_rgb (cr, 0.1, 0.1, 0.1);
  cairo_set_line_width (cr, style->width / 500.0);
  cairo_stroke (cr);
  if (armilla_projection_is_square (&style->projection))
    armilla_sky_axes (style, box, cr);
  if (style->projection.kind == ARMILLA_PROJECTION_GNOMONIC)
    armilla_sky_scale_bar (style, box, cr);
}

static void
draw_bar (const ArmillaSkyStyle *style, cairo_t *cr, double top)
{
  double width = style->width;
  double left = width * (1 - BAR_LENGTH) / 2, length = width * BAR_LENGTH;
  double bottom = top + width * BAR_HEIGHT, size = width * ARMILLA_SKY_LETTER;
  const double (*table)[3] = (const double (*)[3]) style->table;
  cairo_pattern_t *pattern = cairo_pattern_create_linear (left, 0, left + length, 0);
  g_autoptr (GArray) ticks = armilla_ticks (ARMILLA_SCALE_LINEAR, style->low, style->high, 5);
  const int exponent = armilla_bar_exponent (style->low, style->high);
  g_autofree char *unit = armilla_bar_unit (exponent, style->unit);

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
      g_autofree char *label = armilla_tick_label (value / pow (10, exponent));

      cairo_move_to (cr, x, bottom);
      cairo_line_to (cr, x, bottom + 0.3 * size);
      cairo_stroke (cr);
      armilla_text (cr, label, x, bottom + 0.55 * size, size, 0.5, 1);
    }
  armilla_formula (cr, unit, width / 2, bottom + 1.75 * size, size, 0.5, 1);
}

/**
 * armilla_sky_draw:
 * @self: a picture with its pixels, as wide as armilla_sky_box() says
 * @style: what else to draw
 * @cr: where to draw, white and of size @style->width times armilla_sky_height()
 *
 * Draws title, sky, graticule, axes and colour bar.
 */
void
armilla_sky_draw (ArmillaSky *self, const ArmillaSkyStyle *style, cairo_t *cr)
{
  const double width = style->width;
  const ArmillaSkyBox box = armilla_sky_box (style);

  cairo_set_source_rgb (cr, 0, 0, 0);
  armilla_formula (cr, style->title, width / 2, box.top / 2, 1.25 * width * ARMILLA_SKY_LETTER,
                   0.5, 0.5);
  draw_pixels (self, style, &box, cr);
  draw_bar (style, cr, bar_top (style));
}
