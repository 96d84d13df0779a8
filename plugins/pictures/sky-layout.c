/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Layout of the picture of a map. */
#include <math.h>

#include "plugins/pictures/sky-private.h"

/* Lengths in units of the picture's width; they are larger in panels. */
#define LETTER 0.022
#define TITLE 0.07
#define LEGEND 0.035
#define AXES 0.06
#define BAR_GAP 0.03
#define BAR_HEIGHT 0.025
#define FOOT 0.075

/* Returns the width of the left and right margins, in which the labels of straight edges are
 * drawn. */
static double
margin (const ArmillaSkyStyle *style)
{
  const ArmillaProjection *projection = &style->projection;
  const double larger = 1 + style->larger;
  const double size = projection->size > 0 ? projection->size : projection->height;

  if (!armilla_projection_is_square (projection))
    return projection->kind == ARMILLA_PROJECTION_ORTHOGRAPHIC ? 0.16 : 0.03;
  if (size > 0 && size < G_PI / 2000)
    return 0.18 * larger;
  if (size > 0 && size < G_PI / 40)
    return 0.13 * larger;
  return projection->width > 0 ? 0.12 * larger : 0.1 * larger;
}

static double
part (const ArmillaSkyStyle *style, double share)
{
  return style->width * share * (1 + style->larger);
}

/* Returns the letter height. */
double
armilla_sky_letter (const ArmillaSkyStyle *style)
{
  return part (style, LETTER);
}

/* Returns the height of the title. @legend: height of the line with the legend */
double
armilla_sky_title (const ArmillaSkyStyle *style, double *legend)
{
  *legend = part (style, LEGEND);
  return part (style, TITLE);
}

/* Returns whether there is a legend, above the sky. */
gboolean
armilla_sky_has_legend (const ArmillaSkyStyle *style)
{
  return style->legend != NULL && style->legend->len > 0;
}

/* Returns the rectangle of the sky in the picture. */
ArmillaSkyBox
armilla_sky_box (const ArmillaSkyStyle *style)
{
  const int width = (int) lrint (style->width * (1 - 2 * margin (style)));
  const double head = part (style, TITLE + (armilla_sky_has_legend (style) ? LEGEND : 0));

  return (ArmillaSkyBox) {
    .left = rint ((style->width - width) / 2.0), .top = rint (head),
    .width = width, .height = armilla_projection_height (&style->projection, width),
  };
}

/* Returns the upper edge of the colour bar. */
double
armilla_sky_bar_top (const ArmillaSkyStyle *style)
{
  const ArmillaSkyBox box = armilla_sky_box (style);

  return box.top + box.height + part (style, BAR_GAP)
         + (armilla_projection_is_square (&style->projection) ? part (style, AXES) : 0);
}

/* Returns the total height: title, sky, colour bar with labels and unit. */
int
armilla_sky_height (const ArmillaSkyStyle *style)
{
  return (int) lrint (armilla_sky_bar_top (style) + part (style, BAR_HEIGHT + FOOT));
}
