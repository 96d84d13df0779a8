/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The values of swept keys as columns of a table. */
#include <armilla/quantity.h>
#include <string.h>

#include "core/base/quantity.h"
#include "workflows/text/points.h"

/* Returns whether all values of a key are quantities of one dimension. */
static gboolean
have_dimension (const ArmillaSweepPoints *self, int key, ArmillaDimension dimension)
{
  const gint64 n = armilla_sweep_points_count (self);
  double value;

  for (gint64 point = 0; point < n; point++)
    if (!armilla_quantity_parse (armilla_sweep_points_text (self, key, point), dimension, &value,
                                 NULL))
      return FALSE;
  return TRUE;
}

static gboolean
are_whole (const ArmillaSweepPoints *self, int key)
{
  const gint64 n = armilla_sweep_points_count (self);
  gint64 value;

  for (gint64 point = 0; point < n; point++)
    if (!g_ascii_string_to_signed (armilla_sweep_points_text (self, key, point), 10, G_MININT64,
                                   G_MAXINT64, &value, NULL))
      return FALSE;
  return TRUE;
}

/* Returns a quantity as a number of @unit. If the text is in that unit, returns its number without
 * rounding, so that 0.1 stays 0.1. */
static double
number_in (const char *text, ArmillaDimension dimension, const char *unit)
{
  char *rest;
  const double number = g_ascii_strtod (text, &rest);
  double value = number;

  if (strcmp (rest, unit) == 0)
    return number;
  armilla_quantity_parse (text, dimension, &value, NULL);
  return value / armilla_quantity_in_unit (1, unit);
}

static void
add_numbers (const ArmillaSweepPoints *self, int key, ArmillaDimension dimension,
             ArmillaTable *table)
{
  const char *name = armilla_sweep_points_key (self, key), *unit;
  ArmillaColumn *column;

  g_ascii_strtod (armilla_sweep_points_text (self, key, 0), (char **) &unit);
  column = armilla_table_add (table, ARMILLA_COLUMN_DOUBLE, name, unit, "value that is swept");
  for (gint64 point = 0; point < table->n_rows; point++)
    column->doubles[point]
      = number_in (armilla_sweep_points_text (self, key, point), dimension, unit);
}

static void
add_whole (const ArmillaSweepPoints *self, int key, ArmillaTable *table)
{
  ArmillaColumn *column = armilla_table_add (table, ARMILLA_COLUMN_INT64,
                                             armilla_sweep_points_key (self, key), "",
                                             "value that is swept");

  for (gint64 point = 0; point < table->n_rows; point++)
    g_ascii_string_to_signed (armilla_sweep_points_text (self, key, point), 10, G_MININT64,
                              G_MAXINT64, &column->integers[point], NULL);
}

static void
add_texts (const ArmillaSweepPoints *self, int key, ArmillaTable *table)
{
  ArmillaColumn *column = armilla_table_add (table, ARMILLA_COLUMN_STRING,
                                             armilla_sweep_points_key (self, key), "",
                                             "value that is swept");

  for (gint64 point = 0; point < table->n_rows; point++)
    column->strings[point] = g_strdup (armilla_sweep_points_text (self, key, point));
}

/* Returns a table with a row for each point and a column for each swept key. A column contains
 * integers, doubles in the unit of its first value, or texts (e.g. expressions). */
ArmillaTable *
armilla_sweep_points_table (const ArmillaSweepPoints *self)
{
  ArmillaTable *table = armilla_table_new ("POINTS", armilla_sweep_points_count (self));

  for (int key = 0; key < armilla_sweep_points_n_keys (self); key++)
    {
      int dimension = ARMILLA_DIMENSION_NONE;

      while (dimension <= ARMILLA_DIMENSION_TIME
             && !have_dimension (self, key, (ArmillaDimension) dimension))
        dimension++;
      if (are_whole (self, key))
        add_whole (self, key, table);
      else if (dimension <= ARMILLA_DIMENSION_TIME)
        add_numbers (self, key, (ArmillaDimension) dimension, table);
      else
        add_texts (self, key, table);
    }
  return table;
}
