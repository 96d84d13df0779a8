/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Copies the caller's columns to a table or a catalogue, since other stages keep them. */
#include "config.h"

#include "core/catalogues/catalogue.h"
#include "core/grids/grid.h"
#include "core/tables/table.h"
#include "workflows/arrays/columns.h"

#include <string.h>

#define PATCHES_MAX 4096 /* maximum number of patches, as in read-catalogue */

static const ArmillaResultColumn *
find (const ArmillaFlowInput *given, const char *name)
{
  for (int i = 0; i < given->n_columns; i++)
    if (strcmp (given->columns[i].name, name) == 0)
      return &given->columns[i];
  return NULL;
}

/* Returns whether these are objects whose coordinates are positions in a box. */
gboolean
armilla_columns_are_box (const ArmillaFlowInput *given)
{
  return given->kind == ARMILLA_FLOW_CATALOGUE && given->coordinates
         && g_ascii_strcasecmp (given->coordinates, "box") == 0;
}

static gboolean
has_angles (const ArmillaFlowInput *given)
{
  return find (given, "longitude") || find (given, "latitude");
}

/* Returns whether a catalogue stores the column in a member of its own. The first columns named x,
 * y and z are positions, unless longitude and latitude exist. */
static gboolean
has_place (const ArmillaFlowInput *given, const ArmillaResultColumn *column)
{
  static const char *const places[] = { "longitude", "latitude", "weight", "g1", "g2", "patch",
                                        NULL };
  static const char *const vector[] = { "x", "y", "z", NULL };

  return g_strv_contains (places, column->name)
         || (g_strv_contains (vector, column->name) && !has_angles (given)
             && find (given, column->name) == column);
}

static gboolean
check_columns (const ArmillaFlowInput *given, GError **error)
{
  g_autoptr (GHashTable) ordinary = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GHashTable) placed = g_hash_table_new (g_str_hash, g_str_equal);

  if (given->n_columns < 1 || !given->columns || given->n_rows < 0)
    return armilla_fail (error, ARMILLA_ERROR_SHAPE, "columns: must have at least one");
  for (int i = 0; i < given->n_columns; i++)
    {
      const ArmillaResultColumn *column = &given->columns[i];

      if (!column->name || !column->name[0])
        return armilla_fail (error, ARMILLA_ERROR_VALUE, "columns: number %d has no name", i);
      if (!g_hash_table_add (given->kind != ARMILLA_FLOW_TABLE && has_place (given, column)
                               ? placed : ordinary, (gpointer) column->name))
        return armilla_fail (error, ARMILLA_ERROR_VALUE, "%s: two columns have this name",
                             column->name);
      if (column->kind < ARMILLA_COLUMN_INT64 || column->kind > ARMILLA_COLUMN_STRING)
        return armilla_fail (error, ARMILLA_ERROR_VALUE, "%s: %d is not an ArmillaColumnType",
                             column->name, (int) column->kind);
      if (given->n_rows > 0 && !column->values)
        return armilla_fail (error, ARMILLA_ERROR_VALUE, "%s: values is NULL, but there are rows",
                             column->name);
    }
  return TRUE;
}

static void
copy_values (ArmillaColumn *to, const void *from, gint64 n_rows)
{
  const char *const *texts = from;
  const gsize n = (gsize) n_rows;

  if (n == 0)
    return;
  if (to->type == ARMILLA_COLUMN_INT64)
    memcpy (to->integers, from, n * sizeof *to->integers);
  else if (to->type == ARMILLA_COLUMN_INT128)
    memcpy (to->wide, from, n * sizeof *to->wide);
  else if (to->type == ARMILLA_COLUMN_DOUBLE)
    memcpy (to->doubles, from, n * sizeof *to->doubles);
  else
    for (gsize i = 0; i < n; i++)
      to->strings[i] = g_strdup (texts[i] ? texts[i] : "");
}

const void *
armilla_columns_values (const ArmillaColumn *column)
{
  switch (column->type)
    {
    case ARMILLA_COLUMN_INT64: return column->integers;
    case ARMILLA_COLUMN_INT128: return column->wide;
    case ARMILLA_COLUMN_DOUBLE: return column->doubles;
    default: return column->strings;
    }
}

ArmillaTable *
armilla_columns_copy (const ArmillaTable *table)
{
  ArmillaTable *copy = armilla_table_new (table->name, table->n_rows);

  for (int i = 0; i < table->n_columns; i++)
    armilla_table_add_copy (copy, &table->columns[i], NULL);
  return copy;
}

/* Returns a copy of the caller's columns. */
ArmillaTable *
armilla_columns_table (const ArmillaFlowInput *given, GError **error)
{
  ArmillaTable *table;

  if (!check_columns (given, error))
    return NULL;
  table = armilla_table_new ("TABLE", given->n_rows);
  for (int i = 0; i < given->n_columns; i++)
    {
      const ArmillaResultColumn *from = &given->columns[i];

      copy_values (armilla_table_add (table, from->kind, from->name,
                                      from->unit ? from->unit : "", ""),
                   from->values, given->n_rows);
    }
  return table;
}

static const double *
doubles (const ArmillaFlowInput *given, const ArmillaResultColumn *column, GError **error)
{
  static const double none;

  if (column->kind != ARMILLA_COLUMN_DOUBLE)
    return armilla_fail_null (error, ARMILLA_ERROR_VALUE, "%s: values must be of type double",
                                                          column->name);
  return given->n_rows > 0 ? column->values : &none;
}

/* Returns the numbers of a column that a catalogue stores in a member; %NULL if there is none, with
 * an error if it is needed. */
static const double *
find_doubles (const ArmillaFlowInput *given, const char *name, gboolean needed, GError **error)
{
  const ArmillaResultColumn *column = find (given, name);

  if (!column && needed)
    return armilla_fail_null (error, ARMILLA_ERROR_VALUE, "%s: no such column", name);
  return column ? doubles (given, column, error) : NULL;
}

static gboolean
set_patches (ArmillaCatalogue *self, const ArmillaResultColumn *column, GError **error)
{
  const gint64 *patch = column->values;

  if (column->kind != ARMILLA_COLUMN_INT64)
    return armilla_fail (error, ARMILLA_ERROR_VALUE, "patch: values must be integers");
  for (gint64 i = 0; i < self->n; i++)
    {
      if (patch[i] < 0 || patch[i] >= PATCHES_MAX)
        return armilla_fail (error, ARMILLA_ERROR_VALUE,
                             "object %" G_GINT64_FORMAT ": patch is %" G_GINT64_FORMAT "; it must "
                             "be from 0 to %d", i + 1, patch[i], PATCHES_MAX - 1);
      self->patch[i] = (gint32) patch[i];
      self->n_patches = MAX (self->n_patches, (int) patch[i] + 1);
    }
  return TRUE;
}

/* Finds the unit of a column of angles; degrees by default. */
static gboolean
unit_of (const ArmillaFlowInput *given, const char *name, ArmillaAngleUnit *unit, GError **error)
{
  const char *text = find (given, name)->unit;

  *unit = ARMILLA_ANGLE_DEG;
  if (!text || !text[0] || armilla_angle_unit_parse (text, unit, error))
    return TRUE;
  g_prefix_error (error, "%s: ", name);
  return FALSE;
}

/* Adds positions in a box as values x, y and z. */
static gboolean
set_box (ArmillaCatalogue *self, const double *const at[3], GError **error)
{
  static const char *const names[3] = { "x", "y", "z" };
  double *to[3];

  for (int k = 0; k < 3; k++)
    if (!(to[k] = armilla_catalogue_add_value (self, names[k], "", error)))
      return FALSE;
  return armilla_catalogue_set_box (self, 0, self->n, at[0], at[1], at[2], to, error);
}

static gboolean
set_positions (ArmillaCatalogue *self, const ArmillaFlowInput *given, GError **error)
{
  const gboolean angles = has_angles (given);
  static const char *const names[2][3] = { { "x", "y", "z" }, { "longitude", "latitude", NULL } };
  const double *values[3] = { NULL };
  ArmillaAngleUnit longitude, latitude;

  for (int i = 0; i < (angles ? 2 : 3); i++)
    if (!(values[i] = find_doubles (given, names[angles][i], TRUE, error)))
      return FALSE;
  if (armilla_columns_are_box (given))
    return !angles ? set_box (self, values, error)
                   : armilla_fail (error, ARMILLA_ERROR_VALUE,
                                   "coordinates: positions in a box are x, y and z, not angles");
  if (!angles)
    return armilla_catalogue_set_vectors (self, 0, self->n, values[0], values[1], values[2],
                                          error);
  return unit_of (given, "longitude", &longitude, error)
         && unit_of (given, "latitude", &latitude, error)
         && armilla_catalogue_set_angles (self, 0, self->n, values[0], longitude, values[1],
                                          latitude, error);
}

/* Adds the columns that have no member in the catalogue as further values. */
static gboolean
set_values (ArmillaCatalogue *self, const ArmillaFlowInput *given, GError **error)
{
  for (int i = 0; i < given->n_columns; i++)
    {
      const ArmillaResultColumn *column = &given->columns[i];
      const double *from;
      double *to;

      if (has_place (given, column))
        continue;
      from = doubles (given, column, error);
      to = from ? armilla_catalogue_add_value (self, column->name,
                                               column->unit ? column->unit : "", error)
                : NULL;
      if (!to)
        return FALSE;
      if (self->n > 0)
        memcpy (to, from, (gsize) self->n * sizeof *to);
    }
  return TRUE;
}

static gboolean
set_numbers (ArmillaCatalogue *self, const double *const *from)
{
  double *const to[] = { self->weight, self->g1, self->g2 };

  for (int i = 0; i < 3; i++)
    if (from[i] && self->n > 0)
      memcpy (to[i], from[i], (gsize) self->n * sizeof *to[i]);
  return TRUE;
}

/* Returns a catalogue of the caller's columns: positions (longitude and latitude, in degrees unless
 * their unit differs, or x, y and z), weight, g1, g2 and patch. Other columns become further
 * values; also x, y and z if they are repeated, or given in addition to angles. */
ArmillaCatalogue *
armilla_columns_catalogue (const ArmillaFlowInput *given, GError **error)
{
  static const char *const names[] = { "weight", "g1", "g2" };
  g_autoptr (ArmillaCatalogue) self = NULL;
  const ArmillaResultColumn *patch;
  const double *from[3];
  GError *wrong = NULL;

  if (!check_columns (given, error))
    return NULL;
  patch = find (given, "patch");
  for (int i = 0; i < 3 && !wrong; i++)
    from[i] = find_doubles (given, names[i], FALSE, &wrong);
  if (!wrong && !from[1] != !from[2])
    g_set_error (&wrong, ARMILLA_ERROR, ARMILLA_ERROR_VALUE, "g1, g2: shears require both");
  if (wrong)
    {
      g_propagate_error (error, wrong);
      return NULL;
    }
  self = armilla_catalogue_new (given->n_rows,
                                (from[0] ? ARMILLA_CATALOGUE_WEIGHT : 0)
                                | (from[1] ? ARMILLA_CATALOGUE_SHEAR : 0)
                                | (patch ? ARMILLA_CATALOGUE_PATCH : 0), error);
  if (!self)
    return NULL;
  self->coordsys
    = armilla_columns_are_box (given) ? 0 : armilla_coordinates_letter (given->coordinates);
  return set_numbers (self, from) && (!patch || set_patches (self, patch, error))
         && set_positions (self, given, error) && set_values (self, given, error)
         && armilla_catalogue_check (self, error) ? g_steal_pointer (&self) : NULL;
}
