/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "plugins/pictures/sky-private.h"

/* Lengths in units of the picture's width. */
#define BAR_LENGTH 0.5

/* Draws large catalogues first, so that their markers do not hide those of small ones. */
static void
draw_marks (const ArmillaSkyStyle *style, const ArmillaSkyBox *box, cairo_t *cr)
{
  const ArmillaSkyMarks *sorted[ARMILLA_SKY_CATALOGUES];
  int n = 0;

  for (int i = 0; i < ARMILLA_SKY_CATALOGUES; i++)
    if (style->marks[i] != NULL)
      {
        int k = n++;

        for (; k > 0 && armilla_sky_marks_count (sorted[k - 1])
                          < armilla_sky_marks_count (style->marks[i]); k--)
          sorted[k] = sorted[k - 1];
        sorted[k] = style->marks[i];
      }
  for (int i = 0; i < n; i++)
    armilla_sky_marks_draw (sorted[i], box, style->width, cr);
}

static void
draw_pixels (ArmillaSky *self, const ArmillaSkyStyle *style, const ArmillaSkyBox *box, cairo_t *cr)
{
  cairo_surface_t *picture
    = armilla_sky_paint_table (self, (const double (*)[3]) style->table, &style->colours);

  cairo_set_source_surface (cr, picture, box->left, box->top);
  cairo_pattern_set_filter (cairo_get_source (cr), CAIRO_FILTER_NEAREST);
  cairo_paint (cr);
  cairo_surface_destroy (picture);
  cairo_save (cr);
  armilla_sky_outline (style, box, cr);
  cairo_clip (cr);
  if (style->graticule)
    armilla_sky_graticule (style, box, cr);
  if (style->contours != NULL)
    armilla_contours_draw (style->contours, box, style->width, cr);
  draw_marks (style, box, cr);
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

/* Draws the legend on one line between title and sky, in smaller letters if it is long. */
static void
draw_legend (const ArmillaSkyStyle *style, const ArmillaSkyBox *box, cairo_t *cr)
{
  double height, size = armilla_sky_letter (style);
  const double width = style->width;

  armilla_sky_title (style, &height);
  while (armilla_legend_place_above (style->legend, cr, size, width / 2,
                                     box->top - 1.15 * height, 0.96 * width) > height)
    size *= 0.9;
  armilla_legend_draw (style->legend, cr);
}

/* Draws title, sky, graticule, axes and colour bar on a white surface of style->width times
 * armilla_sky_height (); the picture has the width of armilla_sky_box (). */
void
armilla_sky_draw (ArmillaSky *self, const ArmillaSkyStyle *style, cairo_t *cr)
{
  const double width = style->width, size = armilla_sky_letter (style);
  const ArmillaSkyBox box = armilla_sky_box (style);
  double legend;

  cairo_set_source_rgb (cr, 0, 0, 0);
  armilla_formula (cr, style->title, width / 2, armilla_sky_title (style, &legend) / 2,
                   1.25 * size, 0.5, 0.5);
  if (armilla_sky_has_legend (style))
    draw_legend (style, &box, cr);
  draw_pixels (self, style, &box, cr);
  armilla_colours_bar ((const double (*)[3]) style->table, &style->colours, style->unit,
                       width * (1 - BAR_LENGTH) / 2, armilla_sky_bar_top (style),
                       width * BAR_LENGTH, size, cr);
}
