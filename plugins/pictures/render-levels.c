/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The stage render, of contours: their levels, and what a legend says of them. */
#include <math.h>

#include "plugins/pictures/render-stage.h"

/* A legend says as many levels. */
#define MOST_SAID 6

/**
 * armilla_render_levels:
 * @self: the stage
 * @error: return location
 *
 * Returns: (transfer full) (element-type double): values of contours that were given;
 *   %ARMILLA_ERROR_VALUE if one is no number, or there are too many
 */
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
                                  "levels: \"%s\" is no number; give values separated by commas, "
                                  "as in -0.1, 0, 0.1", *word);
      g_array_append_val (levels, level);
    }
  if (levels->len <= ARMILLA_MOST_LEVELS)
    return g_steal_pointer (&levels);
  return armilla_fail_null (error, ARMILLA_ERROR_VALUE,
                            "levels has %u values; a picture has contours at up to %d",
                            levels->len, ARMILLA_MOST_LEVELS);
}

/**
 * armilla_render_levels_name:
 * @contours: contours that have ended
 * @name: what the map is called, or ""
 * @unit: its unit, or ""
 *
 * Returns: (transfer full): a formula for a legend: "name at 0.1, 0.2 uK"; of many levels, the
 *   first and the last
 */
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

      if (n <= MOST_SAID || i == 0 || i == n - 1)
        g_string_append_printf (text, "%s%s", i == 0 ? " at " : n <= MOST_SAID ? ", " : " to ",
                                label);
    }
  if (n > 0 && *formula != '\0')
    g_string_append_printf (text, " %s", formula);
  return g_string_free (g_steal_pointer (&text), FALSE);
}
