/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/tables/table.h"

#include <armilla/table.h>

#include <armilla/memory.h>
#include <string.h>

ArmillaTable *
armilla_table_new (const char *name, gint64 n_rows)
{
  ArmillaTable *self = g_atomic_rc_box_new0 (ArmillaTable);

  g_return_val_if_fail (n_rows >= 0, self);
  self->name = g_strdup (name);
  self->n_rows = n_rows;
  self->index = g_hash_table_new (g_str_hash, g_str_equal);
  return self;
}

static void
table_clear (gpointer data)
{
  ArmillaTable *self = data;

  g_clear_pointer (&self->index, g_hash_table_unref);
  for (int i = 0; i < self->n_columns; i++)
    {
      ArmillaColumn *column = &self->columns[i];

      for (gint64 row = 0; column->strings != NULL && row < self->n_rows; row++)
        g_free (column->strings[row]);
      g_free (column->strings);
      g_free (column->doubles);
      g_free (column->integers);
      g_free (column->wide);
      g_free (column->name);
      g_free (column->unit);
      g_free (column->blurb);
    }
  for (int i = 0; i < self->n_keys; i++)
    {
      g_free (self->keys[i].keyword);
      g_free (self->keys[i].text);
      g_free (self->keys[i].blurb);
    }
  g_free (self->columns);
  g_free (self->keys);
  g_free (self->name);
}

void
armilla_table_free (ArmillaTable *self)
{
  if (self != NULL)
    g_atomic_rc_box_release_full (self, table_clear);
}

/* Returns a new reference to the table, which must not be changed any more; each reference must be
 * freed. */
ArmillaTable *
armilla_table_ref (ArmillaTable *self)
{
  return g_atomic_rc_box_acquire (self);
}

ArmillaColumn *
armilla_table_add (ArmillaTable *self, ArmillaColumnType type, const char *name, const char *unit,
                   const char *blurb)
{
  g_autoptr (GError) error = NULL;
  ArmillaColumn *column = armilla_table_try_add (self, type, name, unit, blurb, &error);

  if (column == NULL)
    g_error ("%s", error->message);
  return column;
}

ArmillaColumn *
armilla_table_try_add (ArmillaTable *self, ArmillaColumnType type, const char *name,
                       const char *unit, const char *blurb, GError **error)
{
  static const gsize sizes[] = {
    [ARMILLA_COLUMN_INT64] = sizeof (gint64), [ARMILLA_COLUMN_INT128] = sizeof (ArmillaInt128),
    [ARMILLA_COLUMN_DOUBLE] = sizeof (double), [ARMILLA_COLUMN_STRING] = sizeof (char *) };
  g_autofree char *what = g_strdup_printf ("the column \"%s\"", name);
  gpointer values = armilla_memory_new (self->n_rows, sizes[type], what, error);
  ArmillaColumn *column;

  if (values == NULL)
    return NULL;
  self->columns = g_renew (ArmillaColumn, self->columns, self->n_columns + 1);
  column = &self->columns[self->n_columns++];
  *column = (ArmillaColumn) { .name = g_strdup (name), .unit = g_strdup (unit),
                              .blurb = g_strdup (blurb), .type = type };
  if (!g_hash_table_contains (self->index, name)) /* of equal names, the first one is found */
    g_hash_table_insert (self->index, column->name, GINT_TO_POINTER (self->n_columns));
  switch (type)
    {
    case ARMILLA_COLUMN_INT64: column->integers = values; break;
    case ARMILLA_COLUMN_INT128: column->wide = values; break;
    case ARMILLA_COLUMN_DOUBLE: column->doubles = values; break;
    default: column->strings = values; break;
    }
  return column;
}

/* Adds a column with the values of another one. Its name must be unique. Returns the column, valid
 * until another one is added. @rows: row of the source for each row of @self; NULL: the same. */
ArmillaColumn *
armilla_table_add_copy (ArmillaTable *self, const ArmillaColumn *column, const gint64 *rows)
{
  ArmillaColumn *copy
    = armilla_table_add (self, column->type, column->name, column->unit, column->blurb);

  for (gint64 row = 0; row < self->n_rows; row++)
    {
      const gint64 from = rows != NULL ? rows[row] : row;

      switch (column->type)
        {
        case ARMILLA_COLUMN_INT64: copy->integers[row] = column->integers[from]; break;
        case ARMILLA_COLUMN_INT128: copy->wide[row] = column->wide[from]; break;
        case ARMILLA_COLUMN_DOUBLE: copy->doubles[row] = column->doubles[from]; break;
        default: copy->strings[row] = g_strdup (column->strings[from]); break;
        }
    }
  return copy;
}

ArmillaColumn *
armilla_table_find (const ArmillaTable *self, const char *name)
{
  const int number = GPOINTER_TO_INT (g_hash_table_lookup (self->index, name));

  return number > 0 ? &self->columns[number - 1] : NULL;
}

/* Returns whether no two columns have one name; ARMILLA_ERROR_VALUE otherwise. */
gboolean
armilla_table_check_columns (const ArmillaTable *self, GError **error)
{
  for (int c = 0; c < self->n_columns; c++)
    if (armilla_table_find (self, self->columns[c].name) != &self->columns[c])
      return armilla_fail (error, ARMILLA_ERROR_VALUE,
                           "column %d of the table would be called \"%s\", like another column, "
                           "and other programs could not read the file; choose different names",
                           c + 1,
                           self->columns[c].name);
  return TRUE;
}

static ArmillaTableKey *
set_key (ArmillaTable *self, const char *keyword, const char *blurb)
{
  ArmillaTableKey *key = (ArmillaTableKey *) armilla_table_key (self, keyword);

  if (key == NULL)
    {
      self->keys = g_renew (ArmillaTableKey, self->keys, self->n_keys + 1);
      key = &self->keys[self->n_keys++];
      *key = (ArmillaTableKey) { .keyword = g_strdup (keyword) };
    }
  g_clear_pointer (&key->text, g_free);
  g_free (key->blurb);
  key->blurb = g_strdup (blurb);
  key->integer = 0;
  return key;
}

/* Sets a key of the whole table. @keyword: name of a key: at most 8 capitals, digits, - and _. */
void
armilla_table_set_text (ArmillaTable *self, const char *keyword, const char *value,
                        const char *blurb)
{
  set_key (self, keyword, blurb)->text = g_strdup (value);
}

/* Sets a key of the whole table. @keyword: name of a key: at most 8 capitals, digits, - and _. */
void
armilla_table_set_integer (ArmillaTable *self, const char *keyword, gint64 value,
                           const char *blurb)
{
  set_key (self, keyword, blurb)->integer = value;
}

/* Copies the keys of @from that apply to the whole table. */
void
armilla_table_copy_keys (ArmillaTable *self, const ArmillaTable *from)
{
  for (int i = 0; i < from->n_keys; i++)
    if (from->keys[i].text != NULL)
      armilla_table_set_text (self, from->keys[i].keyword, from->keys[i].text,
                              from->keys[i].blurb);
    else
      armilla_table_set_integer (self, from->keys[i].keyword, from->keys[i].integer,
                                 from->keys[i].blurb);
}

const ArmillaTableKey *
armilla_table_key (const ArmillaTable *self, const char *keyword)
{
  for (int i = 0; i < self->n_keys; i++)
    if (strcmp (self->keys[i].keyword, keyword) == 0)
      return &self->keys[i];
  return NULL;
}
