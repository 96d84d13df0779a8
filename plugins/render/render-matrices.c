/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The stage render for matrices: those that are data of a run, and covariances in tables. */
#include <math.h>
#include <string.h>

#include "plugins/pictures/matrix-private.h"
#include "plugins/render/render-stage.h"

/* Maximum bytes of the name of an axis. */
#define MAX_LABEL 64

/* A picture that waits for its data, shared with the I/O threads. */
typedef struct {
  ArmillaDrawing drawing;
  ArmillaMatrix *matrix;           /* (nullable): the matrix to draw */
  ArmillaMatrixHeader *of_table;   /* (nullable): metadata of a table's matrices */
  ArmillaMatrixPicture *elements;
  ArmillaMatrixStyle style;
} Picture;

static void
clear (Picture *picture)
{
  armilla_matrix_picture_free (picture->elements);
  armilla_matrix_header_free (picture->of_table);
  g_clear_object (&picture->matrix);
}

static void
picture_free (ArmillaDrawing *drawing)
{
  clear ((Picture *) drawing);
  g_free (drawing);
}

/* Sets title, labels and axes from the properties and the inputs. */
static void
describe (Picture *picture, ArmillaData *const *inputs)
{
  ArmillaRender *self = picture->drawing.stage;

  if (inputs[ARMILLA_RENDER_MATRIX] != NULL)
    picture->matrix = ARMILLA_MATRIX (g_object_ref (inputs[ARMILLA_RENDER_MATRIX]));
  picture->style = (ArmillaMatrixStyle) {
    .width = picture->drawing.cell.width, .colours = armilla_render_colours (self),
    .x_label = armilla_render_given (self, "x-label", self->x_label),
    .y_label = armilla_render_given (self, "y-label", self->y_label),
  };
}

static const ArmillaMatrixHeader *
header_of (const Picture *picture)
{
  return picture->of_table != NULL ? picture->of_table : armilla_matrix_header (picture->matrix);
}

static gboolean
check_count (const char *field, guint n, GError **error)
{
  if (n <= ARMILLA_MAX_MATRICES)
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_VALUE,
                       "field = %s: there are %u matrices; must be at most %d: select them by "
                       "field", field, n, ARMILLA_MAX_MATRICES);
}

/* Creates the picture's elements when the matrix is known. FALSE if the properties do not fit the
 * matrix. */
static gboolean
begin (Picture *picture, GError **error)
{
  ArmillaRender *self = picture->drawing.stage;
  const ArmillaMatrixHeader *header = header_of (picture);
  ArmillaMatrixStyle *style = &picture->style;
  const char *field = armilla_stage_given (self, "field") ? self->field : "all";
  g_autoptr (GArray) fields
    = armilla_stage_columns (field, (const char *const *) header->names, header->n_fields,
                             "field", "the matrix", error);
  ArmillaMatrixLayout layout;

  if (fields == NULL || !check_count (field, fields->len, error))
    return FALSE;
  style->title = armilla_stage_given (self, "title") ? self->title
                 : fields->len == 1 ? header->names[g_array_index (fields, int, 0)] : "";
  style->unit = armilla_stage_given (self, "unit") ? self->unit
                : self->correlation ? "" : header->unit;
  layout = armilla_matrix_layout (header, (int) fields->len, style->width,
                                  picture->drawing.cell.columns, *style->title != '\0');
  picture->elements
    = armilla_matrix_picture_new (header, (const int *) (gpointer) fields->data, &layout);
  return !self->correlation || armilla_matrix_picture_correlate (picture->elements, error);
}

static int
height_of (ArmillaDrawing *drawing, int room)
{
  (void) room;
  return ((Picture *) drawing)->elements->layout.total;
}

static gboolean
draw_matrices (ArmillaDrawing *drawing, cairo_t *cr, GError **error)
{
  Picture *picture = (Picture *) drawing;

  (void) error;
  armilla_matrix_picture_draw (picture->elements, &picture->style, cr);
  return TRUE;
}

/* Creates the picture's elements when the first block arrives, or at the end if there is none: in
 * an I/O thread, on rank 0 only. */
static gboolean
begin_once (Picture *picture, GError **error)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (armilla_drawing_lock (&picture->drawing));

  return picture->elements != NULL || begin (picture, error);
}

static gboolean
finish (ArmillaDrawing *drawing, GError **error)
{
  Picture *picture = (Picture *) drawing;
  ArmillaRender *self = drawing->stage;
  ArmillaMatrixStyle *style = &picture->style;
  /* Without the property all elements are in the range: a percentile would cut off the diagonal. */
  const double percentile = armilla_stage_given (self, "percentile") ? self->percentile : 0;

  if (!begin_once (picture, error))
    return FALSE;
  armilla_matrix_picture_colours (picture->elements, percentile, &style->colours);
  if (armilla_render_is_centred (self))
    armilla_colours_centre (&style->colours);
  return armilla_axis_check (&style->colours, "colour", error);
}

static gboolean
take_block (gpointer user, ArmillaPiece *piece, GError **error)
{
  Picture *picture = user;

  if (!begin_once (picture, error))
    return FALSE;
  armilla_matrix_picture_put (picture->elements, piece->field, piece->first, piece->n,
                              piece->first_column, piece->n_columns, piece->values);
  return TRUE;
}

static gboolean
matrix_done (gpointer user, GError **error)
{
  return armilla_drawing_part_done (user, error);
}

/* Returns whether a column contains edges of bins, as NAME1_min does. */
static gboolean
is_edge (const char *name)
{
  return g_str_has_suffix (name, "1_min") || g_str_has_suffix (name, "1_max")
         || g_str_has_suffix (name, "2_min") || g_str_has_suffix (name, "2_max");
}

static gboolean
is_element (const ArmillaColumn *column)
{
  return column->type == ARMILLA_COLUMN_DOUBLE && !g_str_has_suffix (column->name, "_error")
         && !is_edge (column->name);
}

/* Returns the common unit of the columns; "" if they differ. */
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

/* Returns the axis of rows and columns: centres of bins, if the columns NAME1_min and NAME1_max
 * contain their edges; otherwise numbers of bins. @values has room for @n numbers. */
static ArmillaMatrixAxis
axis_of (const ArmillaTable *table, gint64 n, double *values, char *label)
{
  ArmillaMatrixAxis axis = { (char *) "bin", (char *) "", n, values };

  for (gint64 i = 0; i < n; i++)
    values[i] = (double) i;
  for (int c = 0; c < table->n_columns; c++)
    {
      const ArmillaColumn *low = &table->columns[c], *high;
      g_autofree char *name = g_strdup (low->name);

      if (low->type != ARMILLA_COLUMN_DOUBLE || !g_str_has_suffix (name, "1_min"))
        continue;
      memcpy (name + strlen (name) - 3, "max", 3);
      high = armilla_table_find (table, name);
      if (high == NULL || high->type != ARMILLA_COLUMN_DOUBLE)
        continue;
      name[strlen (name) - strlen ("1_max")] = '\0';
      g_strlcpy (label, strcmp (name, "theta") == 0 ? "\316\270" : name, MAX_LABEL);
      axis.label = label;
      axis.unit = low->unit;
      for (gint64 i = 0; i < n; i++)
        values[i] = low->doubles[0] > 0 ? sqrt (low->doubles[i * n] * high->doubles[i * n])
                                        : (low->doubles[i * n] + high->doubles[i * n]) / 2;
      break;
    }
  return axis;
}

/* Describes a table of covariances as matrices; NULL with an error if the table has none. */
static ArmillaMatrixHeader *
describe_table (const ArmillaTable *table, GError **error)
{
  const ArmillaColumn *first = armilla_table_find (table, "bin1");
  const ArmillaColumn *second = armilla_table_find (table, "bin2");
  const gint64 n = (gint64) lrint (sqrt ((double) table->n_rows));
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autofree double *bins = g_new (double, MAX (n, 1));
  char label[MAX_LABEL];
  ArmillaMatrixAxis axis;
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
                              "covariance: must be a table of covariances, with a row for each "
                              "pair of bins, bin1 and bin2 from 0, and numeric columns; %s is not "
                              "one",
                              table->name);
  axis = axis_of (table, n, bins, label);
  header = armilla_matrix_header_new (&axis, &axis, (const char *const *) names->pdata,
                                      (int) names->len);
  g_free (header->unit);
  header->unit = unit_of (table);
  return header;
}

static gboolean
take_table (gpointer user, ArmillaPiece *piece, GError **error)
{
  Picture *picture = user;
  int field = 0;

  picture->of_table = describe_table (piece->table, error);
  if (picture->of_table == NULL || !begin (picture, error))
    return FALSE;
  for (int c = 0; c < piece->table->n_columns; c++)
    if (is_element (&piece->table->columns[c]))
      armilla_matrix_picture_put (picture->elements, field++, 0, picture->of_table->rows.n, 0,
                                  picture->of_table->columns.n, piece->table->columns[c].doubles);
  return armilla_drawing_part_done (&picture->drawing, error);
}

/* Checks the properties as far as possible: the contents of a table are unknown before it is
 * read. */
gboolean
armilla_render_matrix_check (ArmillaRender *self, ArmillaData *const *inputs, GError **error)
{
  double table[ARMILLA_PALETTE_SIZE][3];
  Picture picture = { .drawing = { .stage = self, .cell = { 1000, 1 } } };
  gboolean ok;

  if (!armilla_render_palette (self, table, error))
    return FALSE;
  if (inputs[ARMILLA_RENDER_MATRIX] == NULL)
    return TRUE;
  describe (&picture, inputs);
  ok = begin (&picture, error);
  clear (&picture);
  return ok;
}

/* Estimates the bytes of a picture with the maximum number of elements. */
double
armilla_render_matrix_bytes (ArmillaRender *self, ArmillaData *const *inputs, ArmillaCell cell)
{
  const double width = cell.width;

  (void) self, (void) inputs;
  return (16 + 4 * 2) * width * width;
}

ArmillaDrawing *
armilla_render_matrix_new (void)
{
  Picture *picture = g_new0 (Picture, 1);

  picture->drawing = (ArmillaDrawing) { .finish = finish, .height = height_of,
                                        .draw = draw_matrices, .free = picture_free };
  return &picture->drawing;
}

/* Requests the elements of a picture of matrices. */
gboolean
armilla_render_matrix_build (ArmillaDrawing *drawing, ArmillaGraph *graph,
                             ArmillaData *const *inputs, GError **error)
{
  Picture *picture = (Picture *) drawing;

  describe (picture, inputs);
  if (!armilla_render_palette (drawing->stage, picture->style.table, error))
    return FALSE;
  armilla_drawing_expect (drawing);
  if (picture->matrix != NULL)
    return armilla_graph_drain (graph, ARMILLA_DATA (picture->matrix), take_block, matrix_done,
                                picture, armilla_drawing_unref, error);
  return armilla_graph_drain (graph, inputs[ARMILLA_RENDER_COVARIANCE], take_table, NULL, picture,
                              armilla_drawing_unref, error);
}
