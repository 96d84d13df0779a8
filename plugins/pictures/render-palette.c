/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "plugins/pictures/render-private.h"

const char *const armilla_palette_names[] = {
  [ARMILLA_PALETTE_SKY] = "sky", [ARMILLA_PALETTE_THERMAL] = "thermal",
  [ARMILLA_PALETTE_GREY] = "grey", [ARMILLA_PALETTE_LEAF] = "leaf",
  [ARMILLA_PALETTE_OCEAN] = "ocean", [ARMILLA_PALETTE_BALANCE] = "balance",
  [ARMILLA_PALETTE_HEATHER] = "heather", [ARMILLA_PALETTE_PHASE] = "phase", NULL,
};

/* A colour in CIE 1976 L*a*b* (D65). */
typedef struct {
  double l, a, b;
} Stop;

#define MAX_STOPS 9

/* Control points of a palette ("stops"). Lightness changes in equal steps from the first stop to
 * the last, or to the peak and back. */
typedef struct {
  int n, peak; /* peak: index of the lightest stop; -1: none */
  gboolean diverging;
  Stop stops[MAX_STOPS];
} Palette;

static const Palette palettes[ARMILLA_PALETTES] = {
  /* blue through near-white to dark red */
  [ARMILLA_PALETTE_SKY] = { 7, 3, TRUE, {
    { 18, 26, -50 }, { 45, 2, -42 }, { 74, -16, -20 }, { 95, 0, 6 }, { 80, 14, 44 },
    { 54, 50, 54 }, { 24, 42, 32 } } },
  /* night blue, violet, red, orange, pale yellow */
  [ARMILLA_PALETTE_THERMAL] = { 6, -1, FALSE, {
    { 6, 10, -24 }, { 26, 32, -44 }, { 46, 54, -8 }, { 66, 44, 40 }, { 81, 12, 56 },
    { 96, -6, 30 } } },
  [ARMILLA_PALETTE_GREY] = { 2, -1, FALSE, { { 5, 0, 0 }, { 98, 0, 0 } } },
  /* violet, blue-green, green, yellow */
  [ARMILLA_PALETTE_LEAF] = { 6, -1, FALSE, {
    { 14, 34, -34 }, { 32, 14, -34 }, { 50, -18, -12 }, { 64, -34, 12 }, { 80, -34, 56 },
    { 92, -12, 66 } } },
  /* deep blue to pale sand */
  [ARMILLA_PALETTE_OCEAN] = { 6, -1, FALSE, {
    { 8, 14, -30 }, { 26, 8, -38 }, { 46, -8, -32 }, { 66, -26, -14 }, { 82, -24, 4 },
    { 96, -6, 12 } } },
  /* blue, white, red; both ends equally dark */
  [ARMILLA_PALETTE_BALANCE] = { 7, 3, TRUE, {
    { 26, 22, -52 }, { 50, 2, -44 }, { 76, -8, -20 }, { 96, 0, 0 }, { 76, 22, 16 },
    { 50, 52, 34 }, { 26, 44, 30 } } },
  /* purple, white, green */
  [ARMILLA_PALETTE_HEATHER] = { 7, 3, TRUE, {
    { 22, 40, -38 }, { 48, 36, -34 }, { 76, 18, -16 }, { 96, 0, 0 }, { 76, -22, 20 },
    { 48, -34, 30 }, { 22, -24, 20 } } },
  /* cyclic, for angles */
  [ARMILLA_PALETTE_PHASE] = { 9, 4, FALSE, {
    { 34, 30, -44 }, { 47, -8, -34 }, { 60, -32, -6 }, { 73, -34, 38 }, { 86, -8, 62 },
    { 73, 22, 58 }, { 60, 48, 42 }, { 47, 58, 4 }, { 34, 30, -44 } } },
};

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

/* Interpolates between the stops to the colour with lightness @l. */
static void
interpolate (const Stop *stops, int n, double l, double rgb[3])
{
  const double sign = stops[n - 1].l > stops[0].l ? 1 : -1;
  int i = 1;
  double u;

  while (i < n - 1 && sign * stops[i].l < sign * l)
    i++;
  u = (l - stops[i - 1].l) / (stops[i].l - stops[i - 1].l);
  lab_to_rgb (l, stops[i - 1].a + u * (stops[i].a - stops[i - 1].a),
              stops[i - 1].b + u * (stops[i].b - stops[i - 1].b), rgb);
}

static double
mix (double from, double to, double t)
{
  return from + t * (to - from);
}

/* Fills a table with the colours of a palette, interpolated in L*a*b* in equal steps of
 * lightness. */
void
armilla_palette_fill (ArmillaPalette palette, double table[ARMILLA_PALETTE_SIZE][3])
{
  const Palette *self = &palettes[palette];
  const Stop *stops = self->stops;
  const int peak = self->peak, last = self->n - 1;

  for (int i = 0; i < ARMILLA_PALETTE_SIZE; i++)
    {
      const double t = i / (ARMILLA_PALETTE_SIZE - 1.0);

      if (peak < 0)
        interpolate (stops, self->n, mix (stops[0].l, stops[last].l, t), table[i]);
      else if (t < 0.5)
        interpolate (stops, peak + 1, mix (stops[0].l, stops[peak].l, 2 * t), table[i]);
      else
        interpolate (stops + peak, last - peak + 1, mix (stops[peak].l, stops[last].l, 2 * t - 1),
                     table[i]);
    }
}

/* Returns whether the middle of the palette represents 0. */
gboolean
armilla_palette_is_diverging (ArmillaPalette palette)
{
  return palettes[palette].diverging;
}

/* Parses a colour: three numbers, or #RRGGBB. */
static gboolean
parse_colour (const char *line, double rgb[3])
{
  char *end = (char *) line;

  if (*line == '#')
    {
      const guint64 colour = g_ascii_strtoull (line + 1, &end, 16);

      for (int c = 0; c < 3; c++)
        rgb[c] = (double) (colour >> (16 - 8 * c) & 0xff);
      return g_ascii_isxdigit (line[1]) && end == line + 7 && *end == '\0';
    }
  for (int c = 0; c < 3; c++)
    {
      const char *start = end;

      rgb[c] = g_ascii_strtod (start, &end);
      if (end == start || !(rgb[c] >= 0 && rgb[c] <= 255))
        return FALSE;
      while (g_ascii_isspace (*end) || *end == ',')
        end++;
    }
  return *end == '\0';
}

/* Reads a text file with a colour per line, from the lowest value to the highest: three numbers
 * from 0 to 1, or to 255 if one exceeds 1, or #RRGGBB. Empty lines and lines beginning with "# "
 * are skipped; at least two colours are needed. */
gboolean
armilla_palette_read (const char *path, double table[ARMILLA_PALETTE_SIZE][3], GError **error)
{
  g_autofree char *text = NULL;
  g_autoptr (GError) failed = NULL;
  g_auto (GStrv) lines = NULL;
  g_autoptr (GArray) colours = g_array_new (FALSE, FALSE, 3 * sizeof (double));
  double largest = 0;

  if (g_file_test (path, G_FILE_TEST_EXISTS) && !g_file_test (path, G_FILE_TEST_IS_REGULAR))
    return armilla_fail (error, ARMILLA_ERROR_IO, "cannot read the palette %s: not a regular file",
                                                  path);
  if (!g_file_get_contents (path, &text, NULL, &failed))
    return armilla_fail (error, ARMILLA_ERROR_IO, "cannot read the palette %s: %s", path,
                         failed->message);
  lines = g_strsplit (text, "\n", -1);
  for (int i = 0; lines[i] != NULL; i++)
    {
      double rgb[3];

      if (*g_strstrip (lines[i]) == '\0' || g_str_has_prefix (lines[i], "# "))
        continue;
      if (!parse_colour (lines[i], rgb))
        return armilla_fail (error, ARMILLA_ERROR_PARSE,
                             "%s:%d: \"%s\" is not a colour; must be three numbers from 0 to 1 or "
                             "from 0 to 255, or #RRGGBB", path, i + 1, lines[i]);
      largest = *lines[i] == '#' ? 255 : MAX (largest, MAX (rgb[0], MAX (rgb[1], rgb[2])));
      g_array_append_val (colours, rgb);
    }
  if (colours->len < 2)
    return armilla_fail (error, ARMILLA_ERROR_PARSE, "%s has %u colours; must be two or more, one "
                                                     "per line", path, colours->len);
  for (int i = 0; i < ARMILLA_PALETTE_SIZE; i++)
    {
      const double at = (colours->len - 1) * (i / (ARMILLA_PALETTE_SIZE - 1.0));
      const guint k = MIN ((guint) at, colours->len - 2);
      const double *stop = (const double *) colours->data + 3 * k;

      for (int c = 0; c < 3; c++)
        table[i][c] = mix (stop[c], stop[c + 3], at - k) / (largest > 1 ? 255 : 1);
    }
  return TRUE;
}
