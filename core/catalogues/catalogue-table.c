/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Converts catalogues to tables for output. */
#include "core/catalogues/binning.h"
#include "core/catalogues/catalogue.h"
#include "core/tables/table.h"

#include <math.h>
#include <string.h>

/* Adds a column, unless @values is NULL. */
static gboolean
add_column (ArmillaTable *table, const char *name, const char *unit, const char *blurb,
            const double *values, GError **error)
{
  ArmillaColumn *column;

  if (values == NULL)
    return TRUE;
  column = armilla_table_try_add (table, ARMILLA_COLUMN_DOUBLE, name, unit, blurb, error);
  if (column == NULL)
    return FALSE;
  memcpy (column->doubles, values, (gsize) table->n_rows * sizeof (double));
  return TRUE;
}

/* Returns a longitude from 0 up to 360 deg; 0 at a pole, where the basis of shears is that of
 * longitude 0. */
static double
longitude_of (double x, double y)
{
  double degrees = x != 0 || y != 0 ? atan2 (y, x) * (180 / G_PI) : 0;

  if (degrees < 0)
    degrees += 360;
  return degrees < 360 ? degrees : 0;
}

static gboolean
add_angles (ArmillaTable *table, const ArmillaCatalogue *c, GError **error)
{
  static const struct { char coordsys; const char *longitude, *latitude; } names[] = {
    { 'C', "RA", "DEC" }, { 'G', "GLON", "GLAT" }, { 'E', "ELON", "ELAT" },
    { 0, "LONGITUDE", "LATITUDE" } };
  ArmillaColumn *longitude, *latitude;
  int k = 0;

  while (names[k].coordsys != c->coordsys && names[k].coordsys != 0)
    k++;
  if (armilla_table_try_add (table, ARMILLA_COLUMN_DOUBLE, names[k].longitude, "deg", "longitude",
                             error) == NULL
      || armilla_table_try_add (table, ARMILLA_COLUMN_DOUBLE, names[k].latitude, "deg", "latitude",
                                error) == NULL)
    return FALSE;
  longitude = &table->columns[0];
  latitude = &table->columns[1];
  for (gint64 i = 0; i < c->n; i++)
    {
      longitude->doubles[i] = longitude_of (c->x[i], c->y[i]);
      latitude->doubles[i] = atan2 (c->z[i], hypot (c->x[i], c->y[i])) * (180 / G_PI);
    }
  return TRUE;
}

static gboolean
add_vectors (ArmillaTable *table, const ArmillaCatalogue *c, GError **error)
{
  return add_column (table, "X", "", "unit vector, towards longitude 0", c->x, error)
         && add_column (table, "Y", "", "unit vector, towards longitude 90 deg", c->y, error)
         && add_column (table, "Z", "", "unit vector, towards the north pole", c->z, error);
}

static gboolean
add_patches (ArmillaTable *table, const ArmillaCatalogue *c, GError **error)
{
  ArmillaColumn *column;

  if (c->patch == NULL)
    return TRUE;
  column = armilla_table_try_add (table, ARMILLA_COLUMN_INT64, "PATCH", "", "number of the patch",
                                  error);
  if (column == NULL)
    return FALSE;
  for (gint64 i = 0; i < c->n; i++)
    column->integers[i] = c->patch[i];
  armilla_table_set_integer (table, "NPATCH", c->n_patches, "number of patches");
  return TRUE;
}

/* Returns a table with a row per object: position (unit vectors or longitude and latitude in
 * degrees), WEIGHT, G1, G2, PATCH, then the further columns. Keywords: COORDSYS, NPATCH. */
ArmillaTable *
armilla_catalogue_columns_table (const ArmillaCatalogue *catalogue, gboolean vectors,
                                 GError **error)
{
  g_autoptr (ArmillaTable) table = armilla_table_new ("CATALOGUE", catalogue->n);
  const char system[2] = { catalogue->coordsys, 0 };

  if (!(vectors ? add_vectors (table, catalogue, error) : add_angles (table, catalogue, error))
      || !add_column (table, "WEIGHT", "", "weight", catalogue->weight, error)
      || !add_column (table, "G1", "", "shear, g1 + i g2 = |g| exp (2 i psi)", catalogue->g1, error)
      || !add_column (table, "G2", "", "psi from north to east", catalogue->g2, error)
      || !add_patches (table, catalogue, error))
    return NULL;
  if (catalogue->coordsys != 0)
    armilla_table_set_text (table, "COORDSYS", system, "coordinates: C, G or E");
  for (int k = 0; k < catalogue->n_values; k++)
    if (!add_column (table, catalogue->values[k].name, catalogue->values[k].unit, "",
                     catalogue->values[k].value, error))
      return NULL;
  return g_steal_pointer (&table);
}

/* Like armilla_catalogue_columns_table(), for a file, whose readers ignore the case of column
 * names. Returns the table; ARMILLA_ERROR_VALUE if a further column has the name of another,
 * ARMILLA_ERROR_MEMORY; NULL on error. */
ArmillaTable *
armilla_catalogue_table (const ArmillaCatalogue *catalogue, gboolean vectors, GError **error)
{
  g_autoptr (ArmillaTable) table = armilla_catalogue_columns_table (catalogue, vectors, error);

  if (table == NULL)
    return NULL;
  for (int i = table->n_columns - catalogue->n_values; i < table->n_columns; i++)
    for (int j = 0; j < i; j++)
      if (g_ascii_strcasecmp (table->columns[j].name, table->columns[i].name) == 0)
        return armilla_fail_null (error, ARMILLA_ERROR_VALUE,
                                  "values: the file would have two columns %s; read the catalogue "
                                  "without that one", table->columns[i].name);
  return g_steal_pointer (&table);
}
