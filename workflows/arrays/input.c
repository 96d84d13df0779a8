/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks the caller's arrays before a run. */
#include "config.h"

#include "workflows/arrays/input.h"

#include <string.h>

#include "core/fits/fields.h"
#include "core/fits/fits.h"
#include "core/grids/car.h"
#include "core/grids/grid.h"
#include "tasks/arrays/caller-array.h"
#include "tasks/arrays/plan.h"
#include "workflows/arrays/columns.h"

#define PIECE 65536 /* numbers of a field that are checked at a time */

void
armilla_input_free (ArmillaInput *self)
{
  if (!self)
    return;
  g_clear_pointer (&self->grid, armilla_grid_unref);
  g_strfreev (self->names);
  g_free (self->spins);
  g_clear_pointer (&self->rows, armilla_array_rows_free);
  armilla_table_free (self->table);
  g_clear_pointer (&self->catalogue, armilla_catalogue_unref);
  armilla_matrix_header_free (self->matrix);
  g_clear_pointer (&self->others, g_ptr_array_unref);
  g_free (self->number);
  g_free (self->unit);
  g_free (self->coordinates);
  g_free (self->name);
  g_free (self);
}

/* Sets the spins of the fields: one field for each spin 0, and two for each other spin. */
static gboolean
set_spins (ArmillaInput *self, const ArmillaPlanShape *shape, GError **error)
{
  int n = 0;

  if (!shape || !shape->spins || shape->n_spins < 1)
    return armilla_fail (error, ARMILLA_ERROR_VALUE, "spins: must have at least one");
  for (int i = 0; i < shape->n_spins; i++)
    for (int part = 0; part < (shape->spins[i] > 0 ? 2 : 1); part++, n++)
      if (n < self->n_fields)
        self->spins[n] = shape->spins[i];
  if (n == self->n_fields)
    return armilla_fields_check (self->spins, n, error);
  return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                       "array: has %d fields, but its spins describe %d (one for spin 0, two for "
                       "any other)", self->n_fields, n);
}

/* Sets the pixelisation or layout, and the number of values per field. */
static gboolean
set_shape (ArmillaInput *self, const ArmillaPlanShape *shape, gint64 *n, GError **error)
{
  if (self->kind == ARMILLA_FLOW_CL)
    return TRUE;
  if (!set_spins (self, shape, error))
    return FALSE;
  if (self->kind == ARMILLA_FLOW_MAP)
    {
      self->grid = armilla_plan_shape_grid (shape, error);
      if (self->grid)
        armilla_grid_array_pixels (self->grid, &self->first, n);
      return self->grid != NULL;
    }
  self->layout = (ArmillaAlmLayout) { shape->lmax, shape->mmax };
  if (!armilla_alm_layout_check (self->layout, error))
    return FALSE;
  *n = armilla_alm_count (self->layout);
  return TRUE;
}

static char *
usual_name (const ArmillaInput *self, int field)
{
  static const char *const teb[] = { "TEMPERATURE", "GRADIENT", "CURL", "G-T", "C-G", "C-T" };
  const int n = self->n_fields, first = n == 3 ? 1 : 0;

  if (self->kind == ARMILLA_FLOW_CL && (n == 1 || n == 4 || n == 6))
    return g_strdup (teb[field]);
  if (self->kind != ARMILLA_FLOW_CL && n - first == 2 && field >= first
      && self->spins[field] == 2)
    return g_strdup (field == first ? "Q_POLARISATION" : "U_POLARISATION");
  if (self->kind != ARMILLA_FLOW_CL && field == 0 && self->spins[0] == 0)
    return g_strdup ("TEMPERATURE");
  return g_strdup_printf ("FIELD%d", field + 1);
}

static gboolean
set_coordinates (ArmillaInput *self, const ArmillaFlowInput *given, GError **error)
{
  const char letter = armilla_coordinates_letter (given->coordinates);

  self->coordinates = letter != 0 ? g_strndup (&letter, 1) : NULL;
  if (!given->coordinates || letter != 0 || armilla_columns_are_box (given))
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_VALUE,
                       "coordinates: unknown value \"%s\"; must be \"G\", \"E\" or \"C\", or "
                       "words: GALACTIC, ECLIPTIC, CELESTIAL, EQUATORIAL, ICRS, FK5, J2000",
                       given->coordinates);
}

static gboolean
set_words (ArmillaInput *self, const ArmillaFlowInput *given, GError **error)
{
  self->names = g_new0 (char *, (gsize) self->n_fields + 1);
  for (int i = 0; i < self->n_fields; i++)
    {
      const char *name = given->names ? given->names[i] : NULL;

      self->names[i] = name ? g_strdup (name) : usual_name (self, i);
    }
  self->unit = g_strdup (given->unit);
  return set_coordinates (self, given, error);
}

static gint64
count_bad (const ArmillaInput *self, int field, gint64 *first_bad)
{
  const ArmillaArrayRow *row = &self->rows->rows[field];
  g_autofree double *values = NULL;
  gint64 n_bad = 0;

  if (self->rows->fields)
    {
      armilla_pixels_check_finite (self->rows->fields[field] + self->first,
                                   self->n * row->n_reals, 0, &n_bad, first_bad);
      return n_bad;
    }
  values = g_new (double, PIECE * row->n_reals);
  for (gint64 first = 0; first < self->n; first += PIECE)
    {
      const gint64 n = MIN (PIECE, self->n - first);

      armilla_array_read_cpu (row, 1, self->first + first, n, values);
      armilla_pixels_check_finite (values, n * row->n_reals, first * row->n_reals, &n_bad,
                                   first_bad);
    }
  return n_bad;
}

/* Rejects NaN and infinities, as stages that read files do; other stages assume finite values. */
static gboolean
check_finite (ArmillaInput *self, GError **error)
{
  const int n_reals = self->rows->rows[0].n_reals;
  const char *what = self->kind == ARMILLA_FLOW_MAP ? "pixels" : "numbers";

  for (int field = 0; field < self->n_fields; field++)
    {
      gint64 first_bad = 0;
      const gint64 n_bad = count_bad (self, field, &first_bad);

      if (n_bad > 0)
        return armilla_fail (error, ARMILLA_ERROR_VALUE,
                             "array: %" G_GINT64_FORMAT " of %" G_GINT64_FORMAT " %s of field %d "
                             "are NaN or infinite, the first is number %" G_GINT64_FORMAT "%s",
                             n_bad, self->n * n_reals, what, field, first_bad / n_reals,
                             self->kind == ARMILLA_FLOW_MAP
                               ? "; mark pixels without data with -1.6375e30" : "");
    }
  return TRUE;
}

/* Sets the address of each field in the caller's array. */
static gboolean
set_rows (ArmillaInput *self, const ArmillaArray *array)
{
  g_autofree int *copy = g_new0 (int, self->n_fields), *component = g_new (int, self->n_fields);

  for (int i = 0; i < self->n_fields; i++)
    component[i] = i;
  self->rows = armilla_array_rows_new (array, self->kind == ARMILLA_FLOW_ALM, self->n_fields,
                                       self->first, copy, component);
  return TRUE;
}

/* Sets everything of the input except its name. */
static gboolean
fill (ArmillaInput *self, const ArmillaFlowInput *given, GError **error)
{
  self->n = given->array->shape[2];
  self->spins = g_new0 (int, self->n_fields);
  return set_shape (self, given->shape, &self->n, error)
         && armilla_array_check ("array", given->array, self->kind == ARMILLA_FLOW_ALM, 1,
                                 self->n_fields, self->n, error)
         && set_words (self, given, error) && set_rows (self, given->array)
         && (given->any_numbers || check_finite (self, error));
}

static gboolean
fill_columns (ArmillaInput *self, const ArmillaFlowInput *given, GError **error)
{
  if (!set_coordinates (self, given, error))
    return FALSE;
  if (self->kind == ARMILLA_FLOW_TABLE)
    self->table = armilla_columns_table (given, error);
  else
    self->catalogue = armilla_columns_catalogue (given, error);
  return self->table || self->catalogue;
}

/* Sets an axis of a matrix. @values: allocated numbers of the elements if the caller gives none, to
 * be freed */
static gboolean
set_axis (ArmillaMatrixAxis *to, const ArmillaFlowAxis *from, const char *what, double **values,
          GError **error)
{
  gint64 n_bad = 0, first_bad = 0;

  if (from->n < 1)
    return armilla_fail (error, ARMILLA_ERROR_SHAPE, "axes: no %s", what);
  if (!from->values)
    {
      *values = g_new (double, from->n);
      for (gint64 i = 0; i < from->n; i++)
        (*values)[i] = (double) i;
    }
  *to = (ArmillaMatrixAxis) { .label = (char *) (from->label ? from->label : ""),
                              .unit = (char *) (from->unit ? from->unit : ""),
                              .n = from->n,
                              .values = from->values ? (double *) from->values : *values };
  armilla_pixels_check_finite (to->values, to->n, 0, &n_bad, &first_bad);
  return n_bad == 0 || armilla_fail (error, ARMILLA_ERROR_VALUE,
                                     "axes: value %" G_GINT64_FORMAT " of the %s is not finite",
                                     first_bad, what);
}

static gboolean
fill_matrix (ArmillaInput *self, const ArmillaFlowInput *given, GError **error)
{
  const ArmillaArray *array = given->array;
  g_autofree double *row_values = NULL, *column_values = NULL;
  ArmillaMatrixAxis rows, columns;
  gint64 n_bad = 0, first_bad = 0;

  if (!given->axes)
    return armilla_fail (error, ARMILLA_ERROR_VALUE, "axes: matrices require two");
  if (!set_axis (&rows, &given->axes[0], "rows", &row_values, error)
      || !set_axis (&columns, &given->axes[1], "columns", &column_values, error))
    return FALSE;
  if (!array || !array->data || array->device != ARMILLA_HOST || array->type != ARMILLA_FLOAT64)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "array: matrices must be double, in the memory of the host");
  if (array->shape[0] < 1 || array->shape[0] > 999 || array->shape[1] != rows.n
      || array->shape[2] != columns.n || array->strides[2] != (gint64) sizeof (double)
      || array->strides[1] != array->strides[2] * columns.n
      || (array->shape[0] > 1 && array->strides[0] != array->strides[1] * rows.n))
    return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                         "array: must be [field][row][column], contiguous, with 1 to 999 fields of "
                         "%" G_GINT64_FORMAT " rows and %" G_GINT64_FORMAT " columns", rows.n,
                         columns.n);
  self->n = rows.n * columns.n;
  self->n_fields = (int) array->shape[0];
  self->elements = array->data;
  armilla_pixels_check_finite (self->elements, self->n * self->n_fields, 0, &n_bad, &first_bad);
  if (n_bad > 0)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "array: %" G_GINT64_FORMAT " elements are NaN or infinite, the first is "
                         "number %" G_GINT64_FORMAT, n_bad, first_bad);
  self->names = g_new0 (char *, (gsize) self->n_fields + 1);
  for (int i = 0; i < self->n_fields; i++)
    self->names[i] = given->names ? g_strdup (given->names[i]) : g_strdup_printf ("FIELD%d", i + 1);
  self->matrix = armilla_matrix_header_new (&rows, &columns, (const char *const *) self->names,
                                            self->n_fields);
  g_free (self->matrix->unit);
  self->matrix->unit = g_strdup (given->unit ? given->unit : "");
  return TRUE;
}

/* Returns a checked input; it reads the whole array to reject NaN and infinities. Errors begin with
 * @name, the node that the array replaces. */
ArmillaInput *
armilla_input_new (const char *name, const ArmillaFlowInput *given, GError **error)
{
  g_autoptr (ArmillaInput) self = g_new0 (ArmillaInput, 1);
  const ArmillaArray *array = given->array;
  gboolean good;

  self->name = g_strdup (name);
  self->kind = given->kind;
  self->others = g_ptr_array_new_with_free_func ((GDestroyNotify) armilla_input_free);
  if (given->kind > ARMILLA_FLOW_MATRIX)
    good = armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "kind: unknown value %d; must be a map, a_lm, spectra, a table, a "
                         "catalogue or matrices",
                         given->kind);
  else if (given->kind == ARMILLA_FLOW_MATRIX)
    good = fill_matrix (self, given, error);
  else if (given->kind >= ARMILLA_FLOW_TABLE)
    good = fill_columns (self, given, error);
  else if (!array || !array->data)
    good = armilla_fail (error, ARMILLA_ERROR_VALUE, "array: is NULL");
  else if (array->device != ARMILLA_HOST)
    good = armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "array: is in the memory of a GPU; must be in that of the host");
  else if (array->shape[1] < 1 || array->shape[1] > G_MAXINT16 || array->shape[2] < 1)
    good = armilla_fail (error, ARMILLA_ERROR_SHAPE,
                         "array: must not be empty, and have at most %d fields", G_MAXINT16);
  else
    {
      self->n_fields = (int) array->shape[1];
      good = fill (self, given, error);
    }
  if (good)
    return g_steal_pointer (&self);
  g_prefix_error (error, "%s: ", name);
  return NULL;
}
