/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Markers, dash patterns, and colours. */
#include <math.h>
#include <string.h>

#include "plugins/pictures/plot-private.h"

/* Colours that differ in hue and lightness; the first is for theory. */
static const double colours[][3] = {
  { 0.10, 0.25, 0.60 }, { 0.80, 0.25, 0.10 }, { 0.15, 0.55, 0.25 },
  { 0.60, 0.20, 0.60 }, { 0.85, 0.60, 0.05 }, { 0.20, 0.60, 0.70 },
  { 0.92, 0.48, 0.65 }, { 0.42, 0.27, 0.12 }, { 0.55, 0.66, 0.15 },
  { 0.48, 0.58, 0.90 }, { 0.30, 0.30, 0.30 }, { 0.95, 0.58, 0.40 },
};

/* Returns red, green and blue of colour @number. Colours repeat, except that of number 0. */
const double *
armilla_plot_colour (int number)
{
  const int others = (int) G_N_ELEMENTS (colours) - 1;

  return colours[number == 0 ? 0 : 1 + (number - 1) % others];
}

static const struct {
  const char *name;
  guint32 rgb;
} names[] = {
  { "black", 0x000000 }, { "white", 0xffffff }, { "grey", 0x808080 }, { "gray", 0x808080 },
  { "silver", 0xc0c0c0 }, { "red", 0xd62020 }, { "maroon", 0x800000 }, { "green", 0x208040 },
  { "lime", 0x40c040 }, { "olive", 0x808000 }, { "blue", 0x2050c0 }, { "navy", 0x102060 },
  { "teal", 0x008080 }, { "cyan", 0x20b0c0 }, { "purple", 0x803090 }, { "magenta", 0xc030a0 },
  { "pink", 0xe890b0 }, { "orange", 0xe08010 }, { "gold", 0xd0a010 }, { "yellow", 0xe0d020 },
  { "brown", 0x8a5020 },
};

/* Converts a name or #RRGGBB to red, green and blue from 0 to 1. */
gboolean
armilla_colour_parse (const char *text, double rgb[3], GError **error)
{
  guint64 value = G_MAXUINT64;

  if (text[0] == '#' && strlen (text) == 7)
    {
      if (!g_ascii_string_to_unsigned (text + 1, 16, 0, 0xffffff, &value, NULL))
        value = G_MAXUINT64;
    }
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_ascii_strcasecmp (text, names[i].name) == 0)
      value = names[i].rgb;
  if (value == G_MAXUINT64)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "colours: \"%s\" is not a colour; must be names such as black, red, blue, "
                         "orange, or #RRGGBB", text);
  for (int i = 0; i < 3; i++)
    rgb[i] = (double) (value >> (16 - 8 * i) & 0xff) / 255;
  return TRUE;
}

gboolean
armilla_mark_is_line (ArmillaMark mark)
{
  return mark <= ARMILLA_MARK_STEPS;
}

/* Sets the dash pattern of a kind of line. */
void
armilla_mark_dash (cairo_t *cr, ArmillaMark mark, double size)
{
  static const double dashes[][4] = { { 0.55, 0.35 }, { 0.02, 0.3 }, { 0.6, 0.3, 0.02, 0.3 } };
  double scaled[4];

  if (mark == ARMILLA_MARK_LINE || mark > ARMILLA_MARK_DASH_DOTTED)
    {
      cairo_set_dash (cr, NULL, 0, 0);
      return;
    }
  for (int i = 0; i < 4; i++)
    scaled[i] = size * dashes[mark - ARMILLA_MARK_DASHED][i];
  cairo_set_dash (cr, scaled, mark == ARMILLA_MARK_DASH_DOTTED ? 4 : 2, 0);
}

/* Adds a regular polygon with the area of a circle of that radius. */
static void
polygon (cairo_t *cr, int corners, double turn, double x, double y, double radius)
{
  const double r = radius * sqrt (2 * G_PI / (corners * sin (2 * G_PI / corners)));

  for (int i = 0; i < corners; i++)
    {
      const double angle = turn + 2 * G_PI * i / corners;

      cairo_line_to (cr, x + r * cos (angle), y + r * sin (angle));
    }
  cairo_close_path (cr);
}

/* Adds the outline of a marker to the path. */
void
armilla_mark_path (cairo_t *cr, ArmillaMark mark, double x, double y, double radius)
{
  cairo_new_sub_path (cr);
  if (mark == ARMILLA_MARK_SQUARE)
    polygon (cr, 4, G_PI / 4, x, y, radius);
  else if (mark == ARMILLA_MARK_TRIANGLE)
    polygon (cr, 3, -G_PI / 2, x, y, radius);
  else if (mark == ARMILLA_MARK_DIAMOND)
    polygon (cr, 4, 0, x, y, radius);
  else
    {
      cairo_arc (cr, x, y, radius, 0, 2 * G_PI);
      cairo_close_path (cr);
    }
}

/* Draws a marker, white inside if hollow, in the current colour and line width. */
void
armilla_mark_draw (cairo_t *cr, ArmillaMark mark, gboolean hollow, double x, double y,
                   double radius)
{
  cairo_new_path (cr);
  armilla_mark_path (cr, mark, x, y, radius);
  if (hollow)
    {
      cairo_save (cr);
      cairo_set_source_rgb (cr, 1, 1, 1);
      cairo_fill_preserve (cr);
      cairo_restore (cr);
      cairo_stroke (cr);
    }
  else
    cairo_fill (cr);
}
