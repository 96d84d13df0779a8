/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sampling of the elements of a matrix plot, and division by the diagonal for correlations. */
#include <math.h>
#include <string.h>

#include "plugins/pictures/matrix-private.h"

/* Returns the index of the element, out of @n, in the middle of point @i out of @n_points. */
static gint64
element_at (int i, int n_points, gint64 n)
{
  return MIN ((gint64) ((i + 0.5) * (double) n / n_points), n - 1);
}

static int
points_of (gint64 n, int max_points)
{
  return (int) MIN (n, max_points);
}

/* Returns a picture without elements, with a panel for each of @fields, layout.n in number. @header
 * must outlive it. */
ArmillaMatrixPicture *
armilla_matrix_picture_new (const ArmillaMatrixHeader *header, const int *fields,
                            const ArmillaMatrixLayout *layout)
{
  ArmillaMatrixPicture *self = g_new0 (ArmillaMatrixPicture, 1);
  gsize n;

  self->header = header;
  self->layout = *layout;
  self->n_down = points_of (header->rows.n, layout->height);
  self->n_across = points_of (header->columns.n, layout->width);
  memcpy (self->fields, fields, sizeof *fields * (gsize) layout->n);
  n = (gsize) layout->n * (gsize) self->n_down * (gsize) self->n_across;
  self->values = g_new (double, n);
  for (gsize i = 0; i < n; i++)
    self->values[i] = NAN;
  return self;
}

static int
find_field (const ArmillaMatrixHeader *header, const char *name)
{
  for (int f = 0; f < header->n_fields; f++)
    if (strcmp (header->names[f], name) == 0)
      return f;
  return -1;
}

/* Finds the fields with the variances of A and B. The first @n letters of @name are A, the rest
 * after a separator is B. @twice: the variance of A is named "A A", not "A". */
static gboolean
find_halves (const ArmillaMatrixHeader *header, const char *name, gsize n, gboolean twice,
             int variances[2])
{
  g_autofree char *first = g_strndup (name, n);
  const char *const words[2] = { first, name + n + 1 };

  for (int side = 0; side < 2; side++)
    {
      g_autofree char *field = twice ? g_strconcat (words[side], " ", words[side], NULL)
                                     : g_strdup (words[side]);

      variances[side] = find_field (header, field);
    }
  return variances[0] >= 0 && variances[1] >= 0;
}

/* Finds the fields whose diagonals are the variances of the rows and columns of each field. For a
 * covariance "A B" these are "A A" and "B B"; for "A_B", "A" and "B". */
static gboolean
find_variances (const ArmillaMatrixHeader *header, int field, int variances[2])
{
  const char *name = header->names[field], *blank = strchr (name, ' ');

  if (blank != NULL)
    return find_halves (header, name, (gsize) (blank - name), TRUE, variances);
  for (const char *at = strchr (name, '_'); at != NULL; at = strchr (at + 1, '_'))
    if (find_halves (header, name, (gsize) (at - name), FALSE, variances))
      return TRUE;
  variances[0] = variances[1] = field;
  return TRUE;
}

/* Makes the picture show correlations: each element is divided by the square roots of the variances
 * of its row and column. Must be called before elements are stored. ARMILLA_ERROR_SHAPE if the
 * matrices have no variances. */
gboolean
armilla_matrix_picture_correlate (ArmillaMatrixPicture *self, GError **error)
{
  const ArmillaMatrixHeader *header = self->header;

  if (header->rows.n != header->columns.n)
    return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                         "correlation = true: the matrix has %" G_GINT64_FORMAT " rows and %"
                         G_GINT64_FORMAT " columns; a covariance must have equal numbers of both",
                         header->rows.n, header->columns.n);
  for (int panel = 0; panel < self->layout.n; panel++)
    if (!find_variances (header, self->fields[panel], self->variances[panel]))
      return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                           "correlation = true: the matrix has no variances for its field \"%s\"; "
                           "must have a field for each of the two words with itself",
                           header->names[self->fields[panel]]);
  self->diagonals = g_new0 (double *, header->n_fields);
  for (int panel = 0; panel < self->layout.n; panel++)
    for (int side = 0; side < 2; side++)
      {
        double **diagonal = &self->diagonals[self->variances[panel][side]];

        if (*diagonal == NULL)
          *diagonal = g_new0 (double, header->rows.n);
      }
  return TRUE;
}

static void
put_panel (ArmillaMatrixPicture *self, int panel, gint64 row, gint64 n_rows, gint64 column,
           gint64 n_columns, const double *values)
{
  const int down = self->n_down, across = self->n_across;
  const gint64 rows = self->header->rows.n, columns = self->header->columns.n;
  double *to = self->values + (gsize) panel * (gsize) down * (gsize) across;

  for (int y = (int) (row * down / rows); y < down; y++)
    {
      const gint64 r = element_at (y, down, rows) - row;

      if (r >= n_rows)
        break;
      for (int x = (int) (column * across / columns); r >= 0 && x < across; x++)
        {
          const gint64 c = element_at (x, across, columns) - column;

          if (c >= n_columns)
            break;
          if (c >= 0)
            to[(gsize) y * (gsize) across + (gsize) x] = values[r * n_columns + c];
        }
    }
}

/* Stores those of the elements [row][column] that are sampled. Thread-safe for different
 * elements. */
void
armilla_matrix_picture_put (ArmillaMatrixPicture *self, int field, gint64 row, gint64 n_rows,
                            gint64 column, gint64 n_columns, const double *values)
{
  double *diagonal = self->diagonals != NULL ? self->diagonals[field] : NULL;

  for (int panel = 0; panel < self->layout.n; panel++)
    if (self->fields[panel] == field)
      put_panel (self, panel, row, n_rows, column, n_columns, values);
  for (gint64 r = row; diagonal != NULL && r < row + n_rows; r++)
    if (r >= column && r < column + n_columns)
      diagonal[r] = values[(r - row) * n_columns + r - column];
}

static void
divide (ArmillaMatrixPicture *self, int panel)
{
  const int down = self->n_down, across = self->n_across;
  const double *row = self->diagonals[self->variances[panel][0]];
  const double *column = self->diagonals[self->variances[panel][1]];
  double *value = self->values + (gsize) panel * (gsize) down * (gsize) across;

  for (int y = 0; y < down; y++)
    for (int x = 0; x < across; x++, value++)
      {
        const double of_row = row[element_at (y, down, self->header->rows.n)];
        const double of_column = column[element_at (x, across, self->header->columns.n)];

        *value = of_row > 0 && of_column > 0 ? *value / sqrt (of_row) / sqrt (of_column) : NAN;
      }
}

/* Sets ends of the colour axis that are NaN as armilla_colours_range () does, or to -1 and 1 for
 * correlations. Called once, after all elements are stored. */
void
armilla_matrix_picture_colours (ArmillaMatrixPicture *self, double percentile,
                                ArmillaAxis *colours)
{
  const gsize n = (gsize) self->layout.n * (gsize) self->n_down * (gsize) self->n_across;
  g_autofree double *values = NULL;

  for (int panel = 0; self->diagonals != NULL && panel < self->layout.n; panel++)
    divide (self, panel);
  if (self->diagonals != NULL && colours->scale != ARMILLA_SCALE_LOG)
    {
      colours->low = isnan (colours->low) ? -1 : colours->low;
      colours->high = isnan (colours->high) ? 1 : colours->high;
    }
  values = g_memdup2 (self->values, n * sizeof *values);
  armilla_colours_range (colours, values, n, percentile);
}

void
armilla_matrix_picture_free (ArmillaMatrixPicture *self)
{
  if (self == NULL)
    return;
  for (int f = 0; self->diagonals != NULL && f < self->header->n_fields; f++)
    g_free (self->diagonals[f]);
  g_free (self->diagonals);
  g_free (self->values);
  g_free (self);
}
