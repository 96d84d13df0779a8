/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What differs between the kinds of data that callers exchange with workflows. */
#include "config.h"

#include "workflows/arrays/kinds.h"

#include <armilla/armilla.h>
#include <armilla/correlation.h>
#include <string.h>

#include "core/catalogues/catalogue.h"
#include "core/fits/fields.h"
#include "core/grids/car.h"
#include "core/grids/grid.h"
#include "tasks/data/objects.h"
#include "workflows/arrays/columns.h"

/* Sets names, units and coordinates of the fields of @data from the input. */
static ArmillaData *
set_fields (ArmillaData *data, const ArmillaInput *input)
{
  ArmillaFields *fields = armilla_data_fields (data);

  armilla_fields_set_names (fields, (const char *const *) input->names);
  armilla_fields_set_unit (fields, input->unit);
  armilla_fields_set_spins (fields, input->spins);
  armilla_fields_set_coordsys (fields, input->coordinates);
  return data;
}

static ArmillaData *
make_map (const ArmillaInput *input, GError **error)
{
  ArmillaData *map = ARMILLA_DATA (armilla_map_new (input->grid, input->n_fields));

  (void) error;
  if (armilla_fields_polarised (input->spins, input->n_fields))
    armilla_fields_set_polcconv (armilla_data_fields (map), "COSMO");
  return set_fields (map, input);
}

static ArmillaData *
make_alm (const ArmillaInput *input, GError **error)
{
  (void) error;
  return set_fields (ARMILLA_DATA (armilla_alm_new (input->layout, input->n_fields)), input);
}

static ArmillaData *
make_cl (const ArmillaInput *input, GError **error)
{
  (void) error;
  return set_fields (ARMILLA_DATA (armilla_cl_new (input->n - 1, NULL, input->n_fields)), input);
}

static ArmillaData *
make_table (const ArmillaInput *input, GError **error)
{
  (void) input, (void) error;
  return ARMILLA_DATA (armilla_table_data_new ());
}

static ArmillaData *
make_objects (const ArmillaInput *input, GError **error)
{
  g_autoptr (ArmillaCatalogue) like = armilla_catalogue_select (input->catalogue, NULL, 0, error);
  ArmillaObjects *objects;

  if (!like)
    return NULL;
  objects = armilla_objects_new_like (like);
  armilla_objects_expect (objects, input->catalogue->n);
  return ARMILLA_DATA (objects);
}

static ArmillaData *
make_matrix (const ArmillaInput *input, GError **error)
{
  ArmillaMatrixHeader *header
    = armilla_matrix_header_new (&input->matrix->rows, &input->matrix->columns,
                                 (const char *const *) input->names, input->n_fields);

  (void) error;
  g_free (header->unit);
  header->unit = g_strdup (input->matrix->unit);
  return ARMILLA_DATA (armilla_matrix_new (header));
}

static gboolean
give_table (gpointer user, ArmillaPiece *piece, GError **error)
{
  const ArmillaInput *input = user;

  (void) error;
  piece->table = armilla_columns_copy (input->table);
  return TRUE;
}

static gboolean
give_objects (gpointer user, ArmillaPiece *piece, GError **error)
{
  const ArmillaInput *input = user;

  (void) error;
  piece->catalogue = armilla_catalogue_ref (input->catalogue);
  return TRUE;
}

static gboolean
give_elements (gpointer user, ArmillaPiece *piece, GError **error)
{
  const ArmillaInput *input = user;
  const gint64 width = input->matrix->columns.n;

  (void) error;
  for (gint64 i = 0; i < piece->n; i++)
    memcpy (piece->values + i * piece->n_columns,
            input->elements + piece->field * input->n + (piece->first + i) * width
                + piece->first_column,
            (gsize) piece->n_columns * sizeof *piece->values);
  return TRUE;
}

/* Sets names, units and coordinates of a result from the fields of @data. Returns their number. */
static int
show_fields (ArmillaResult *self, ArmillaData *data)
{
  const ArmillaFields *fields = armilla_data_fields (data);

  self->names = (const char *const *) g_strdupv (fields->names);
  self->units = (const char *const *) g_strdupv (fields->units);
  self->coordinates = g_strdup (fields->coordsys);
  return fields->n;
}

static gboolean
show_map (ArmillaResult *self, ArmillaData *data, GError **error)
{
  const ArmillaGrid *grid = armilla_map_grid (ARMILLA_MAP (data));
  const int n = show_fields (self, data);
  gint64 *first = &((ArmillaFlowResult *) self)->first, n_pixels, ring;
  ArmillaCar car;

  self->geometry = grid->kind;
  self->nside = grid->nside;
  self->n_theta = grid->n_rings;
  self->n_phi = grid->n_rings > 0 ? grid->rings[0].n_phi : 0;
  self->spins = g_memdup2 (armilla_map_spins (ARMILLA_MAP (data)), sizeof (int) * (gsize) n);
  if (armilla_grid_array_pixels (grid, first, &n_pixels) && armilla_grid_car (grid, &car, &ring))
    {
      self->car = g_memdup2 (&car, sizeof car);
      self->n_theta = armilla_grid_whole ((ArmillaGrid *) grid)->n_rings;
    }
  if (!armilla_result_allocate (self, n, n_pixels, sizeof (double), error))
    return FALSE;
  for (gint64 i = 0; grid->n_covered < n_pixels && i < n * n_pixels; i++)
    ((double *) self->array.data)[i] = ARMILLA_UNSEEN;
  return TRUE;
}

static gboolean
show_alm (ArmillaResult *self, ArmillaData *data, GError **error)
{
  const ArmillaAlmLayout layout = armilla_alm_layout (ARMILLA_ALM (data));
  const int n = show_fields (self, data);

  self->lmax = layout.lmax;
  self->mmax = layout.mmax;
  self->spins = g_memdup2 (armilla_alm_spins (ARMILLA_ALM (data)), sizeof (int) * (gsize) n);
  return armilla_result_allocate (self, n, armilla_alm_count (layout), 2 * sizeof (double), error);
}

static gboolean
show_cl (ArmillaResult *self, ArmillaData *data, GError **error)
{
  self->lmax = armilla_cl_lmax (ARMILLA_CL (data));
  return armilla_result_allocate (self, show_fields (self, data), self->lmax + 1, sizeof (double),
                                  error);
}

static void
show_axis (ArmillaFlowAxis *to, const ArmillaMatrixAxis *from)
{
  *to = (ArmillaFlowAxis) { g_strdup (from->label), g_strdup (from->unit), from->n,
                            g_memdup2 (from->values, sizeof (double) * (gsize) from->n) };
}

static gboolean
show_matrix (ArmillaResult *self, ArmillaData *data, GError **error)
{
  const ArmillaMatrixHeader *header = armilla_matrix_header (ARMILLA_MATRIX (data));
  const gint64 n_rows = header->rows.n, n_columns = header->columns.n;
  const int n = header->n_fields;
  char **units = g_new0 (char *, (gsize) n + 1);

  for (int i = 0; i < n; i++)
    units[i] = g_strdup (header->unit);
  self->names = (const char *const *) g_strdupv (header->names);
  self->units = (const char *const *) units;
  show_axis (&self->axes[0], &header->rows);
  show_axis (&self->axes[1], &header->columns);
  if (!armilla_result_allocate (self, n, n_rows * n_columns, sizeof (double), error))
    return FALSE;
  self->array.shape[0] = n;
  self->array.shape[1] = n_rows;
  self->array.shape[2] = n_columns;
  self->array.strides[0] = 8 * n_rows * n_columns;
  self->array.strides[1] = 8 * n_columns;
  return TRUE;
}

static gboolean
take_table (gpointer user, ArmillaPiece *piece, GError **error)
{
  (void) error;
  armilla_result_take_table (user, armilla_columns_copy (piece->table));
  return TRUE;
}

static gboolean
take_objects (gpointer user, ArmillaPiece *piece, GError **error)
{
  ArmillaTable *table = armilla_catalogue_columns_table (piece->catalogue, TRUE, error);
  ArmillaResult *result = user;

  if (table == NULL)
    return FALSE;
  armilla_result_take_table (result, table);
  result->n_places = table->n_columns - piece->catalogue->n_values;
  return TRUE;
}

static gboolean
take_elements (gpointer user, ArmillaPiece *piece, GError **error)
{
  const ArmillaResult *result = user;
  const gint64 height = result->axes[0].n, width = result->axes[1].n;
  double *to = (double *) result->array.data + (piece->field * height + piece->first) * width
               + piece->first_column;

  (void) error;
  for (gint64 i = 0; i < piece->n; i++)
    memcpy (to + i * width, piece->values + i * piece->n_columns,
            (gsize) piece->n_columns * sizeof *to);
  return TRUE;
}

static double
map_bytes (ArmillaData *data)
{
  gint64 first, n;

  armilla_grid_array_pixels (armilla_map_grid (ARMILLA_MAP (data)), &first, &n);
  return 8.0 * (double) n * armilla_map_n_fields (ARMILLA_MAP (data));
}

static double
objects_bytes (ArmillaData *data)
{
  const ArmillaCatalogue *like = armilla_objects_like (ARMILLA_OBJECTS (data));

  return 8.0 * (double) armilla_objects_expected (ARMILLA_OBJECTS (data))
         * (3 + (like->weight != NULL) + 2 * (like->g1 != NULL) + (like->patch != NULL)
            + like->n_values);
}

const ArmillaArrayKind armilla_array_kinds[] = {
  [ARMILLA_FLOW_MAP] = { "array-map", armilla_map_get_type, map_bytes, make_map, show_map,
                         NULL, NULL },
  [ARMILLA_FLOW_ALM] = { "array-alm", armilla_alm_get_type, armilla_data_bytes, make_alm, show_alm,
                         NULL, NULL },
  [ARMILLA_FLOW_CL] = { "array-cl", armilla_cl_get_type, armilla_data_bytes, make_cl, show_cl,
                        NULL, NULL },
  [ARMILLA_FLOW_TABLE] = { "array-table", armilla_table_data_get_type, armilla_data_bytes,
                           make_table, NULL, give_table, take_table },
  [ARMILLA_FLOW_CATALOGUE] = { "array-catalogue", armilla_objects_get_type, objects_bytes,
                               make_objects, NULL, give_objects, take_objects },
  [ARMILLA_FLOW_MATRIX] = { "array-matrix", armilla_matrix_get_type, armilla_data_bytes,
                            make_matrix, show_matrix, give_elements, take_elements },
};

/* Returns the kind of data of a type; -1 if programs cannot exchange such data. */
int
armilla_array_kind_find (GType type)
{
  for (int kind = 0; kind < ARMILLA_ARRAY_KINDS; kind++)
    if (armilla_array_kinds[kind].type () == type)
      return kind;
  return -1;
}
