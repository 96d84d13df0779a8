/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "workflows/run/describe.h"

#include <armilla/correlation.h>

static char *
describe_map (ArmillaMap *map)
{
  const ArmillaMapHeader *header = armilla_map_header (map);
  g_autofree char *grid = armilla_grid_describe (armilla_map_grid (map));
  int n = armilla_map_n_fields (map);
  g_autoptr (GString) fields = g_string_new (NULL);

  for (int i = 0; header->names != NULL && i < n && header->names[i] != NULL; i++)
    {
      const char *unit = header->units != NULL ? header->units[i] : NULL;

      g_string_append_printf (fields, "%s%s%s%s%s", i > 0 ? ", " : " (", header->names[i],
                              unit != NULL && *unit != '\0' ? " [" : "",
                              unit != NULL ? unit : "",
                              unit != NULL && *unit != '\0' ? "]" : "");
    }
  return g_strdup_printf ("map: %s, %d field%s%s%s", grid, n, n == 1 ? "" : "s", fields->str,
                          fields->len > 0 ? ")" : "");
}

static char *
describe_alm (ArmillaAlm *alm)
{
  ArmillaAlmLayout layout = armilla_alm_layout (alm);
  int n = armilla_alm_n_fields (alm);

  return g_strdup_printf ("alm: lmax %" G_GINT64_FORMAT ", mmax %" G_GINT64_FORMAT
                          ", %d field%s",
                          layout.lmax, layout.mmax, n, n == 1 ? "" : "s");
}

static char *
describe_cl (ArmillaCl *cl)
{
  int n = armilla_cl_n_fields (cl);

  return g_strdup_printf ("cl: lmax %" G_GINT64_FORMAT ", %d spectr%s", armilla_cl_lmax (cl), n,
                          n == 1 ? "um" : "a");
}

static char *
describe_objects (ArmillaObjects *objects)
{
  ArmillaCatalogueParts parts = armilla_objects_parts (objects);

  return g_strdup_printf ("catalogue: positions%s%s%s",
                          parts & ARMILLA_CATALOGUE_WEIGHT ? ", weights" : "",
                          parts & ARMILLA_CATALOGUE_SHEAR ? ", shears" : "",
                          parts & ARMILLA_CATALOGUE_PATCH ? ", patches" : "");
}

/**
 * armilla_describe_data:
 * @data: data that a stage described while it was prepared
 *
 * Returns: (transfer full): kind and shape in one line
 */
char *
armilla_describe_data (ArmillaData *data)
{
  if (ARMILLA_IS_MAP (data))
    return describe_map (ARMILLA_MAP (data));
  if (ARMILLA_IS_ALM (data))
    return describe_alm (ARMILLA_ALM (data));
  if (ARMILLA_IS_CL (data))
    return describe_cl (ARMILLA_CL (data));
  if (ARMILLA_IS_OBJECTS (data))
    return describe_objects (ARMILLA_OBJECTS (data));
  if (ARMILLA_IS_TABLE_DATA (data))
    return g_strdup ("table");
  return g_strdup (G_OBJECT_TYPE_NAME (data));
}
