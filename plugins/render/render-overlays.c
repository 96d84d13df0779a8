/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The stage render: overlays of a map, which are the objects and names of catalogues, contours, and
 * their legend. */
#include <math.h>
#include <string.h>

#include "core/catalogues/catalogue.h"
#include "plugins/render/render-stage.h"

/* Dark, with distinct hues; their light rims separate them from most palettes. */
static const double colours[ARMILLA_SKY_CATALOGUES][3] = {
  { 0, 0, 0 }, { 0.75, 0.05, 0.6 }, { 0.05, 0.45, 0.15 },
};

static const ArmillaMark marks[ARMILLA_SKY_CATALOGUES] = {
  ARMILLA_MARK_CIRCLE, ARMILLA_MARK_SQUARE, ARMILLA_MARK_TRIANGLE,
};

/* Maximum number of levels listed in a legend. */
#define MAX_LISTED 6

static guint
count (ArmillaData *const *inputs)
{
  guint n = 0;

  for (int i = 0; i < ARMILLA_SKY_CATALOGUES; i++)
    n += inputs[ARMILLA_RENDER_CATALOGUE + i] != NULL;
  return n;
}

static gboolean
check_words (ArmillaRender *self, const char *property, char *const *words, guint n, GError **error)
{
  if (!armilla_stage_given (self, property) || g_strv_length ((char **) words) == n)
    return TRUE;
  if (n == 0)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "%s of a map requires a catalogue; connect one", property);
  return armilla_fail (error, ARMILLA_ERROR_VALUE,
                       "%s has %u entries; must be one per catalogue (%u)", property,
                       g_strv_length ((char **) words), n);
}

/* Checks the number of names and colours of the catalogues. */
gboolean
armilla_render_marks_check (ArmillaRender *self, ArmillaData *const *inputs, GError **error)
{
  g_auto (GStrv) words = armilla_stage_words (self->colours);
  g_auto (GStrv) names = armilla_stage_words (self->labels);
  double rgb[3];

  if (!check_words (self, "labels", names, count (inputs), error)
      || !check_words (self, "colours", words, count (inputs), error))
    return FALSE;
  for (char **word = words; *word != NULL; word++)
    if (!armilla_colour_parse (*word, rgb, error))
      return FALSE;
  return TRUE;
}

/* Adds a legend, and marks without objects for the catalogues (circles, squares, triangles), to the
 * style of a map. */
void
armilla_render_marks_new (ArmillaRender *self, ArmillaData *const *inputs, ArmillaSkyStyle *style)
{
  g_auto (GStrv) words = armilla_stage_words (self->colours);
  g_auto (GStrv) names = armilla_stage_words (self->labels);
  ArmillaSkyBox box;
  int k = 0;

  if (count (inputs) > 0)
    style->legend = armilla_legend_new ();
  for (int i = 0; i < ARMILLA_SKY_CATALOGUES; i++)
    {
      const int port = ARMILLA_RENDER_CATALOGUE + i;
      double colour[3] = { colours[i][0], colours[i][1], colours[i][2] };

      if (inputs[port] == NULL)
        continue;
      if (words[0] != NULL)
        armilla_colour_parse (words[k], colour, NULL);
      armilla_legend_add (style->legend, marks[i], FALSE, colour,
                          names[0] != NULL ? names[k] : self->sources[port]);
      box = armilla_sky_box (style);
      style->marks[i] = armilla_sky_marks_new (&style->projection, &box, marks[i], colour);
      k++;
    }
}

/* Adds the objects, rotated to the map's coordinates @coordsys if both coordinates are known. Fails
 * if memory is short, or there is no rotation between the coordinates. */
gboolean
armilla_render_marks_put (ArmillaSkyStyle *style, const char *coordsys,
                          ArmillaCatalogue *const *catalogues, GError **error)
{
  const char to = coordsys != NULL && strlen (coordsys) == 1 ? *coordsys : 0;

  for (int i = 0; i < ARMILLA_SKY_CATALOGUES; i++)
    {
      ArmillaCatalogue *catalogue = catalogues[i];
      g_autoptr (ArmillaCatalogue) turned = NULL;

      if (style->marks[i] == NULL || catalogue == NULL)
        continue;
      turned = to != 0 && catalogue->coordsys != 0
                 ? armilla_catalogue_rotate (catalogue, to, error)
                 : armilla_catalogue_ref (catalogue);
      if (turned == NULL)
        return FALSE;
      armilla_sky_marks_put (style->marks[i], turned->n, turned->x, turned->y, turned->z);
    }
  return TRUE;
}

/* Parses the levels of contours; ARMILLA_ERROR_VALUE if one is not a number, or there are too
 * many. */
GArray *
armilla_render_levels (ArmillaRender *self, GError **error)
{
  g_autoptr (GArray) levels = g_array_new (FALSE, FALSE, sizeof (double));
  g_auto (GStrv) words = armilla_stage_words (self->levels);

  for (char **word = words; *word != NULL; word++)
    {
      char *end = NULL;
      const double level = g_ascii_strtod (*word, &end);

      if (end == *word || *end != '\0' || !isfinite (level))
        return armilla_fail_null (error, ARMILLA_ERROR_VALUE,
                                  "levels: \"%s\" is not a number; must be values separated by "
                                  "commas, as in -0.1, 0, 0.1", *word);
      g_array_append_val (levels, level);
    }
  if (levels->len <= ARMILLA_MAX_LEVELS)
    return g_steal_pointer (&levels);
  return armilla_fail_null (error, ARMILLA_ERROR_VALUE,
                            "levels has %u values; must be at most %d",
                            levels->len, ARMILLA_MAX_LEVELS);
}

/* Returns a formula for a legend, such as "name at 0.1, 0.2 uK"; of many levels only the first and
 * the last are listed. */
char *
armilla_render_levels_name (const ArmillaContours *contours, const char *name, const char *unit)
{
  g_autoptr (GString) text = g_string_new (*name != '\0' ? name : "contours");
  g_autofree char *formula = armilla_unit_formula (unit);
  int n;
  const double *levels = armilla_contours_levels (contours, &n);

  for (int i = 0; i < n; i++)
    {
      g_autofree char *label = armilla_tick_label (levels[i]);

      if (n <= MAX_LISTED || i == 0 || i == n - 1)
        g_string_append_printf (text, "%s%s", i == 0 ? " at " : n <= MAX_LISTED ? ", " : " to ",
                                label);
    }
  if (n > 0 && *formula != '\0')
    g_string_append_printf (text, " %s", formula);
  return g_string_free (g_steal_pointer (&text), FALSE);
}
