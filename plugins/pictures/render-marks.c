/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The stage render, of catalogues on a map: what they are called, and where their objects are. */
#include <string.h>

#include "plugins/pictures/render-stage.h"

/* Dark, and apart in hue; seen beside the colours of most palettes by their light rims. */
static const double colours[ARMILLA_SKY_CATALOGUES][3] = {
  { 0, 0, 0 }, { 0.75, 0.05, 0.6 }, { 0.05, 0.45, 0.15 },
};

static const ArmillaMark marks[ARMILLA_SKY_CATALOGUES] = {
  ARMILLA_MARK_CIRCLE, ARMILLA_MARK_SQUARE, ARMILLA_MARK_TRIANGLE,
};

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
                         "%s of a map are those of its catalogues; connect one", property);
  return armilla_fail (error, ARMILLA_ERROR_VALUE,
                       "%s has %u entries; there are %u catalogues: give as many", property,
                       g_strv_length ((char **) words), n);
}

/* Whether names and colours are those of the catalogues. */
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

/**
 * armilla_render_marks_new:
 * @self: the stage, checked
 * @inputs: its inputs
 * @style: (inout): of a map; a legend and marks without objects are added
 *
 * Has a look at catalogues: circles, squares and triangles.
 */
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

/**
 * armilla_render_marks_put:
 * @style: of a map
 * @coordsys: (nullable): coordinates of the map, where they are known
 * @catalogues: (array): a catalogue for each of the marks
 * @error: return location
 *
 * Adds the objects, turned into the coordinates of the map where both are known.
 *
 * Returns: whether there was memory to turn them, and coordinates that are known
 */
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
