/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The stage render, of matrices: those that come block by block, and tables of covariances. */
#include <math.h>
#include <string.h>

#include "plugins/pictures/matrix-private.h"
#include "plugins/pictures/render-stage.h"

/* What the I/O threads hold while elements come in and are drawn. */
typedef struct {
  ArmillaGraph *graph;
  ArmillaFault *fault; /* of the node */
  ArmillaOutput *output;
  ArmillaPictureKind kind;
  ArmillaMatrix *matrix;           /* (nullable): what is drawn */
  ArmillaMatrixHeader *of_table;   /* (nullable): what a table is as matrices */
  char *field, *title, *unit, *x_label, *y_label; /* (nullable) */
  gboolean correlation, centred;
  double percentile;
  ArmillaMatrixPicture *elements;
  ArmillaMatrixStyle style;
  GMutex lock;
} Picture;

static void
picture_free (gpointer data)
{
  Picture *picture = data;

  armilla_matrix_picture_free (picture->elements);
  armilla_matrix_header_free (picture->of_table);
  g_clear_object (&picture->matrix);
  g_clear_pointer (&picture->output, armilla_output_free);
  g_free (picture->field);
  g_free (picture->title);
  g_free (picture->unit);
  g_free (picture->x_label);
  g_free (picture->y_label);
  g_mutex_clear (&picture->lock);
  g_free (picture);
}

static char *
given (ArmillaRender *self, const char *property, const char *value)
{
  return armilla_stage_given (self, property) ? g_strdup (value) : NULL;
}

static Picture *
picture_new (ArmillaRender *self, ArmillaData *const *inputs)
{
  Picture *picture = g_new0 (Picture, 1);

  if (inputs[ARMILLA_RENDER_MATRIX] != NULL)
    picture->matrix = ARMILLA_MATRIX (g_object_ref (inputs[ARMILLA_RENDER_MATRIX]));
  picture->kind = self->kind;
  picture->field = g_strdup (armilla_stage_given (self, "field") ? self->field : "all");
  picture->title = given (self, "title", self->title);
  picture->unit = given (self, "unit", self->unit);
  picture->x_label = given (self, "x-label", self->x_label);
  picture->y_label = given (self, "y-label", self->y_label);
  picture->correlation = self->correlation;
  picture->centred = armilla_render_is_centred (self);
  /* A diagonal is a small share of a matrix. */
  picture->percentile = armilla_stage_given (self, "percentile") ? self->percentile : 0;
  picture->style = (ArmillaMatrixStyle) { .width = self->width,
                                          .colours = armilla_render_colours (self) };
  g_mutex_init (&picture->lock);
  return picture;
}

static const ArmillaMatrixHeader *
header_of (const Picture *picture)
{
  return picture->of_table != NULL ? picture->of_table : armilla_matrix_header (picture->matrix);
}

static gboolean
check_count (const Picture *picture, guint n, GError **error)
{
  if (n <= ARMILLA_MOST_MATRICES)
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_VALUE,
                       "field = %s: there are %u matrices; a picture shows up to %d: choose them "
                       "by field", picture->field, n, ARMILLA_MOST_MATRICES);
}

/* Makes room for the elements; FALSE where what was asked for does not fit the matrices. */
static gboolean
begin (Picture *picture, GError **error)
{
  const ArmillaMatrixHeader *header = header_of (picture);
  ArmillaMatrixStyle *style = &picture->style;
  g_autoptr (GArray) fields
    = armilla_stage_columns (picture->field, (const char *const *) header->names, header->n_fields,
                             "field", "the matrix", error);
  ArmillaMatrixLayout layout;

  if (fields == NULL || !check_count (picture, fields->len, error))
    return FALSE;
  style->title = picture->title != NULL ? picture->title
                 : fields->len == 1     ? header->names[g_array_index (fields, int, 0)]
                                        : "";
  style->unit = picture->unit != NULL ? picture->unit : picture->correlation ? "" : header->unit;
  style->x_label = picture->x_label;
  style->y_label = picture->y_label;
  layout = armilla_matrix_layout (header, (int) fields->len, style->width, *style->title != '\0');
  picture->elements
    = armilla_matrix_picture_new (header, (const int *) (gpointer) fields->data, &layout);
  return !picture->correlation || armilla_matrix_picture_correlate (picture->elements, error);
}

static gboolean
draw_matrices (gpointer user, cairo_t *cr, GError **error)
{
  Picture *picture = user;

  (void) error;
  armilla_matrix_picture_draw (picture->elements, &picture->style, cr);
  return TRUE;
}

static gboolean
finish (Picture *picture, GError **error)
{
  ArmillaMatrixStyle *style = &picture->style;

  armilla_matrix_picture_colours (picture->elements, picture->percentile, &style->colours);
  if (picture->centred)
    armilla_colours_centre (&style->colours);
  return armilla_axis_check (&style->colours, "colour", error)
         && armilla_picture_write (picture->output, picture->kind, style->width,
                                   picture->elements->layout.total, draw_matrices, picture, error)
         && armilla_graph_commit (picture->graph, picture->fault,
                                  g_steal_pointer (&picture->output), error);
}

/* Room is made with the first block: in an I/O thread, and on rank 0 only. */
static gboolean
begin_once (Picture *picture, GError **error)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&picture->lock);

  return picture->elements != NULL || begin (picture, error);
}

static gboolean
take_block (gpointer user, int field, gint64 row, gint64 n_rows, gint64 column, gint64 n_columns,
            double *values, GError **error)
{
  Picture *picture = user;

  if (!begin_once (picture, error))
    return FALSE;
  armilla_matrix_picture_put (picture->elements, field, row, n_rows, column, n_columns, values);
  return TRUE;
}

static gboolean
matrix_done (gpointer user, GError **error)
{
  return begin_once (user, error) && finish (user, error);
}

static gboolean
is_element (const ArmillaColumn *column)
{
  return column->type == ARMILLA_COLUMN_DOUBLE && !g_str_has_suffix (column->name, "_error");
}

/* One unit for all, or none. */
static char *
unit_of (const ArmillaTable *table)
{
  const char *unit = NULL;

  for (int c = 0; c < table->n_columns; c++)
    if (is_element (&table->columns[c]))
      {
        if (unit != NULL && strcmp (unit, table->columns[c].unit) != 0)
          return g_strdup ("");
        unit = table->columns[c].unit;
      }
  return g_strdup (unit != NULL ? unit : "");
}

/* What a table of covariances is as matrices; NULL where it is none. */
static ArmillaMatrixHeader *
describe_table (const ArmillaTable *table, GError **error)
{
  const ArmillaColumn *first = armilla_table_find (table, "bin1");
  const ArmillaColumn *second = armilla_table_find (table, "bin2");
  const gint64 n = (gint64) lrint (sqrt ((double) table->n_rows));
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autofree double *bins = g_new (double, MAX (n, 1));
  const ArmillaMatrixAxis axis = { (char *) "bin", (char *) "", n, bins };
  ArmillaMatrixHeader *header;
  gboolean square = n > 0 && n * n == table->n_rows && first != NULL && second != NULL
                    && first->type == ARMILLA_COLUMN_INT64 && second->type == ARMILLA_COLUMN_INT64;

  for (gint64 k = 0; square && k < table->n_rows; k++)
    square = first->integers[k] == k / n && second->integers[k] == k % n;
  for (int c = 0; c < table->n_columns; c++)
    if (is_element (&table->columns[c]))
      g_ptr_array_add (names, table->columns[c].name);
  if (!square || names->len == 0)
    return armilla_fail_null (error, ARMILLA_ERROR_SHAPE,
                              "covariance takes a table of covariances, with a row for each pair "
                              "of bins, bin1 and bin2 from 0, and columns of numbers; %s is none",
                              table->name);
  for (gint64 i = 0; i < n; i++)
    bins[i] = (double) i;
  header = armilla_matrix_header_new (&axis, &axis, (const char *const *) names->pdata,
                                      (int) names->len);
  g_free (header->unit);
  header->unit = unit_of (table);
  return header;
}

static gboolean
take_table (gpointer user, const ArmillaTable *table, GError **error)
{
  Picture *picture = user;
  int field = 0;

  picture->of_table = describe_table (table, error);
  if (picture->of_table == NULL || !begin (picture, error))
    return FALSE;
  for (int c = 0; c < table->n_columns; c++)
    if (is_element (&table->columns[c]))
      armilla_matrix_picture_put (picture->elements, field++, 0, picture->of_table->rows.n, 0,
                                  picture->of_table->columns.n, table->columns[c].doubles);
  return finish (picture, error);
}

/* Whether what was asked for fits, as far as that can be known: what a table has is not known
 * before it is there. */
gboolean
armilla_render_matrix_check (ArmillaRender *self, ArmillaData *const *inputs, GError **error)
{
  double table[ARMILLA_PALETTE_SIZE][3];
  Picture *picture;
  gboolean ok;

  if (!armilla_render_palette (self, table, error))
    return FALSE;
  if (inputs[ARMILLA_RENDER_MATRIX] == NULL)
    return TRUE;
  picture = picture_new (self, inputs);
  ok = begin (picture, error);
  picture_free (picture);
  return ok;
}

/* Bytes of a picture of as many elements as it may show. */
double
armilla_render_matrix_bytes (const ArmillaRender *self)
{
  const double width = self->width;

  return (16 + 4 * 2) * width * width;
}

gboolean
armilla_render_matrix_build (ArmillaRender *self, ArmillaGraph *graph, ArmillaData *const *inputs,
                             GError **error)
{
  Picture *picture = picture_new (self, inputs);

  picture->graph = graph;
  picture->fault = armilla_graph_fault (graph);
  picture->output = g_steal_pointer (&self->output);
  if (!armilla_render_palette (self, picture->style.table, error))
    {
      picture_free (picture);
      return FALSE;
    }
  if (picture->matrix != NULL)
    return armilla_graph_drain_matrix (graph, picture->matrix, take_block, matrix_done, picture,
                                       picture_free, error);
  return armilla_graph_drain_table (graph,
                                    ARMILLA_TABLE_DATA (inputs[ARMILLA_RENDER_COVARIANCE]),
                                    take_table, picture, picture_free, error);
}
