/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Columns of values of fields at objects. */
#include <armilla/armilla.h>

#include "core/catalogues/catalogue.h"
#include "core/fits/fields.h"
#include "core/grids/interpolation.h"
#include "plugins/base/stage-util.h"
#include "plugins/points/points-private.h"

const char *const armilla_points_methods[] = {
  [ARMILLA_SAMPLING_NEAREST] = "nearest", [ARMILLA_SAMPLING_BILINEAR] = "bilinear", NULL,
};

/* Returns the names of the columns of fields: those of @columns, the property of that name; or,
 * without any, the names of the fields, or VALUE, or VALUE_1 and so on. NULL on error. */
char **
armilla_points_names (const char *columns, const ArmillaFields *fields, GError **error)
{
  const char *const *known = armilla_fields_known_names (fields);
  const int n = fields->n;
  g_auto (GStrv) words = armilla_stage_words (columns);
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();
  const int n_words = (int) g_strv_length (words);

  if (n_words == n)
    return g_steal_pointer (&words);
  if (n_words > 0)
    return armilla_fail_null (error, ARMILLA_ERROR_VALUE,
                              "columns: %d name(s) given; must be as many as the fields, which are "
                              "%d", n_words, n);
  for (int f = 0; f < n; f++)
    {
      g_autofree char *numbered = g_strdup_printf ("VALUE_%d", f + 1);

      g_strv_builder_add (names, known != NULL ? known[f] : n == 1 ? "VALUE" : numbered);
    }
  return g_strv_builder_end (names);
}

/* Describes the objects with columns of these names, in the units of the fields; NULL on error. */
ArmillaObjects *
armilla_points_add (ArmillaObjects *points, char *const *names, const ArmillaFields *fields,
                    GError **error)
{
  g_autoptr (ArmillaCatalogue) like
    = armilla_catalogue_select (armilla_objects_like (points), NULL, 0, error);
  ArmillaObjects *out;

  for (int f = 0; like != NULL && names[f] != NULL; f++)
    {
      if (armilla_catalogue_value (like, names[f]) != NULL)
        return armilla_fail_null (error, ARMILLA_ERROR_VALUE,
                                  "columns: there already is a column %s; set columns to other "
                                  "names", names[f]);
      if (armilla_catalogue_add_value (like, names[f],
                                       fields->units != NULL ? fields->units[f] : "",
                                       error) == NULL)
        return NULL;
    }
  if (like == NULL)
    return NULL;
  out = armilla_objects_new_like (like);
  armilla_objects_expect (out, armilla_objects_expected (points));
  armilla_stage_inherit (ARMILLA_DATA (out), ARMILLA_DATA (points));
  return out;
}
