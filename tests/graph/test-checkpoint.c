/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Data of all kinds in files and back: the same bits, and what is said when a file is not whole. */
#include <glib/gstdio.h>
#include <math.h>
#include <unistd.h>

#include <armilla/correlation.h>
#include <armilla/matrix.h>

#include "core/catalogues/catalogue.h"
#include "core/tables/table.h"
#include "tasks/data/checkpoint.h"
#include "tasks/data/data.h"
#include "tasks/data/objects.h"
#include "tests/lib/graph-helpers.h"
#include "tests/lib/runtime-helpers.h"

#define N_FIELDS 3 /* of everything */

static char *folder, *path;

static gboolean
say (gpointer user)
{
  return GPOINTER_TO_INT (user);
}

/* Numbers that never repeat. */
static void
make_numbers (int field, gint64 first, gint64 n, double *values)
{
  for (gint64 i = 0; i < n; i++)
    values[i] = sin ((double) (first + i)) + 3 * field;
}

static void
check_numbers (const double *values, const double *expected, gint64 n)
{
  g_assert_cmpmem (values, (gsize) n * sizeof *values, expected, (gsize) n * sizeof *expected);
}

/* Sources, and sinks, which compare. */
static gboolean
fill_map (gpointer user, ArmillaPiece *piece, GError **error)
{
  (void) user, (void) error;
  make_numbers (piece->field, piece->first, piece->n, piece->values);
  return TRUE;
}

static gboolean
check_map (gpointer user, ArmillaPiece *piece, GError **error)
{
  g_autofree double *expected = g_new (double, piece->n);

  (void) user, (void) error;
  make_numbers (piece->field, piece->first, piece->n, expected);
  check_numbers (piece->values, expected, piece->n);
  return TRUE;
}

static void
find_orders (const ArmillaPiece *piece, gint64 lmax, gint64 *first, gint64 *n)
{
  *first = armilla_alm_index (lmax, piece->first, piece->first);
  *n = armilla_alm_index (lmax, lmax, piece->last) + 1 - *first;
}

static gboolean
fill_alm (gpointer user, ArmillaPiece *piece, GError **error)
{
  gint64 first, n;

  (void) error;
  find_orders (piece, *(const gint64 *) user, &first, &n);
  make_numbers (piece->field, 2 * first, 2 * n, piece->values);
  return TRUE;
}

static gboolean
check_alm (gpointer user, ArmillaPiece *piece, GError **error)
{
  gint64 lmax = *(const gint64 *) user, first, n;
  g_autofree double *expected = NULL;

  (void) error;
  find_orders (piece, lmax, &first, &n);
  expected = g_new (double, 2 * n);
  make_numbers (piece->field, 2 * first, 2 * n, expected);
  for (gint64 l = 0; piece->first == 0 && l <= lmax; l++)
    expected[2 * l + 1] = 0; /* a graph ignores the imaginary parts of m = 0 */
  check_numbers (piece->values, expected, 2 * n);
  return TRUE;
}

static gboolean
fill_cl (gpointer user, ArmillaPiece *piece, GError **error)
{
  (void) error;
  make_numbers (0, 0, N_FIELDS * (*(const gint64 *) user + 1), piece->values);
  return TRUE;
}

static gboolean
check_cl (gpointer user, ArmillaPiece *piece, GError **error)
{
  const gint64 n = N_FIELDS * (*(const gint64 *) user + 1);
  g_autofree double *expected = g_new (double, n);

  (void) error;
  make_numbers (0, 0, n, expected);
  check_numbers (piece->values, expected, n);
  return TRUE;
}

/* More rows than a block has. */
#define N_ROWS 300
#define N_COLUMNS 5

static gboolean
fill_matrix (gpointer user, ArmillaPiece *piece, GError **error)
{
  (void) user, (void) error;
  for (gint64 i = 0; i < piece->n; i++)
    make_numbers (piece->field, (piece->first + i) * N_COLUMNS + piece->first_column,
                  piece->n_columns, piece->values + i * piece->n_columns);
  return TRUE;
}

static gboolean
check_matrix (gpointer user, ArmillaPiece *piece, GError **error)
{
  ArmillaPiece expected = *piece;

  expected.values = g_new (double, piece->n * piece->n_columns);
  fill_matrix (user, &expected, error);
  check_numbers (piece->values, expected.values, piece->n * piece->n_columns);
  g_free (expected.values);
  return TRUE;
}

/* All types of columns, and keys. */
static gboolean
fill_table (gpointer user, ArmillaPiece *piece, GError **error)
{
  ArmillaTable *table = armilla_table_new ("KINDS", 2);
  ArmillaColumn *column = armilla_table_add (table, ARMILLA_COLUMN_INT64, "i", "", "integers");

  (void) user, (void) error;
  column->integers[0] = G_MININT64;
  column->integers[1] = 7;
  column = armilla_table_add (table, ARMILLA_COLUMN_INT128, "w", "", "wide");
  column->wide[0] = (ArmillaInt128) G_MAXINT64 * 1000;
  column->wide[1] = -1;
  column = armilla_table_add (table, ARMILLA_COLUMN_DOUBLE, "d", "deg", "doubles");
  column->doubles[0] = 1 / 3.0;
  column->doubles[1] = -0.0;
  column = armilla_table_add (table, ARMILLA_COLUMN_STRING, "s", "", "texts");
  column->strings[0] = g_strdup ("");
  column->strings[1] = g_strdup ("\xce\xbe+");
  armilla_table_set_text (table, "WHAT", "a test", "a text");
  armilla_table_set_integer (table, "MANY", -5, "an integer");
  piece->table = table;
  return TRUE;
}

static gboolean
check_table (gpointer user, ArmillaPiece *piece, GError **error)
{
  const ArmillaTable *table = piece->table;
  const ArmillaColumn *columns = table->columns;

  (void) user, (void) error;
  g_assert_cmpstr (table->name, ==, "KINDS");
  g_assert_cmpint (table->n_rows, ==, 2);
  g_assert_cmpint (table->n_columns, ==, 4);
  g_assert_cmpint (columns[0].integers[0], ==, G_MININT64);
  g_assert_cmpint (columns[0].integers[1], ==, 7);
  g_assert_true (columns[1].wide[0] == (ArmillaInt128) G_MAXINT64 * 1000);
  g_assert_true (columns[1].wide[1] == -1);
  g_assert_cmpfloat (columns[2].doubles[0], ==, 1 / 3.0);
  g_assert_true (signbit (columns[2].doubles[1]));
  g_assert_cmpstr (columns[2].unit, ==, "deg");
  g_assert_cmpstr (columns[3].strings[0], ==, "");
  g_assert_cmpstr (columns[3].strings[1], ==, "\xce\xbe+");
  g_assert_cmpstr (columns[3].blurb, ==, "texts");
  g_assert_cmpstr (armilla_table_key (table, "WHAT")->text, ==, "a test");
  g_assert_cmpint (armilla_table_key (table, "MANY")->integer, ==, -5);
  g_assert_cmpint (table->n_keys, ==, 2);
  return TRUE;
}

#define N_OBJECTS 41

/* With all that a catalogue can have. */
static ArmillaCatalogue *
new_catalogue (gint64 n)
{
  ArmillaCatalogue *c = armilla_catalogue_new (
    n, ARMILLA_CATALOGUE_WEIGHT | ARMILLA_CATALOGUE_SHEAR | ARMILLA_CATALOGUE_PATCH, NULL);
  double *const columns[] = { c->x, c->y, c->z, c->weight, c->g1, c->g2,
                              armilla_catalogue_add_value (c, "z phot", "", NULL),
                              armilla_catalogue_add_value (c, "mag", "mag", NULL) };

  for (gsize k = 0; k < G_N_ELEMENTS (columns); k++)
    make_numbers ((int) k, 0, n, columns[k]);
  for (gint64 i = 0; i < n; i++)
    c->patch[i] = (gint32) (i % 7);
  c->n_patches = 7;
  c->coordsys = 'G';
  return c;
}

static gboolean
fill_objects (gpointer user, ArmillaPiece *piece, GError **error)
{
  (void) user, (void) error;
  piece->catalogue = new_catalogue (N_OBJECTS);
  return TRUE;
}

static gboolean
check_objects (gpointer user, ArmillaPiece *piece, GError **error)
{
  g_autoptr (ArmillaCatalogue) expected = new_catalogue (N_OBJECTS);
  const ArmillaCatalogue *c = piece->catalogue;

  (void) user, (void) error;
  g_assert_cmpint (c->n, ==, N_OBJECTS);
  check_numbers (c->x, expected->x, c->n);
  check_numbers (c->y, expected->y, c->n);
  check_numbers (c->z, expected->z, c->n);
  check_numbers (c->weight, expected->weight, c->n);
  check_numbers (c->g1, expected->g1, c->n);
  check_numbers (c->g2, expected->g2, c->n);
  g_assert_cmpmem (c->patch, N_OBJECTS * sizeof *c->patch, expected->patch,
                   N_OBJECTS * sizeof *c->patch);
  g_assert_cmpint (c->n_patches, ==, 7);
  g_assert_cmpint (c->coordsys, ==, 'G');
  g_assert_cmpint (c->n_values, ==, 2);
  for (int k = 0; k < 2; k++)
    {
      g_assert_cmpstr (c->values[k].name, ==, expected->values[k].name);
      g_assert_cmpstr (c->values[k].unit, ==, expected->values[k].unit);
      check_numbers (c->values[k].value, expected->values[k].value, c->n);
    }
  return TRUE;
}

static gint64 lmax = 37;

static ArmillaMatrix *
new_matrix (void)
{
  g_autofree double *places = g_new0 (double, N_ROWS);
  const ArmillaMatrixAxis rows = { (char *) "l", (char *) "", N_ROWS, places };
  const ArmillaMatrixAxis columns = { (char *) "l", (char *) "", N_COLUMNS, places };
  const char *const names[] = { "a", "b", "c" };

  return armilla_matrix_new (armilla_matrix_header_new (&rows, &columns, names, N_FIELDS));
}

static ArmillaObjects *
new_objects (void)
{
  g_autoptr (ArmillaCatalogue) like = new_catalogue (0);

  return armilla_objects_new_like (like);
}

static ArmillaMap *
new_map (void)
{
  g_autoptr (ArmillaGrid) grid = armilla_grid_new_healpix (16, NULL);

  return armilla_map_new (grid, N_FIELDS);
}

static ArmillaData *
new_data (GType type)
{
  if (type == ARMILLA_TYPE_MAP)
    return ARMILLA_DATA (new_map ());
  if (type == ARMILLA_TYPE_ALM)
    return ARMILLA_DATA (armilla_alm_new ((ArmillaAlmLayout) { lmax, 30 }, N_FIELDS));
  if (type == ARMILLA_TYPE_MATRIX)
    return ARMILLA_DATA (new_matrix ());
  if (type == ARMILLA_TYPE_TABLE_DATA)
    return ARMILLA_DATA (armilla_table_data_new ());
  if (type == ARMILLA_TYPE_OBJECTS)
    return ARMILLA_DATA (new_objects ());
  return ARMILLA_DATA (armilla_cl_new (lmax, NULL, N_FIELDS));
}

typedef struct {
  GType (*type) (void);
  ArmillaHostPiece fill, check;
} Kind;

static const Kind kinds[]
  = { { armilla_map_get_type, fill_map, check_map },
      { armilla_alm_get_type, fill_alm, check_alm },
      { armilla_cl_get_type, fill_cl, check_cl },
      { armilla_matrix_get_type, fill_matrix, check_matrix },
      { armilla_table_data_get_type, fill_table, check_table },
      { armilla_objects_get_type, fill_objects, check_objects } };

static const Kind *
kind_of (ArmillaData *data)
{
  const Kind *kind = kinds;

  while (kind->type () != G_OBJECT_TYPE (data))
    kind++;
  return kind;
}

static gboolean
fill (ArmillaGraph *graph, ArmillaData *data)
{
  return armilla_graph_fill (graph, data, kind_of (data)->fill, &lmax, NULL, NULL);
}

static gboolean
check (ArmillaGraph *graph, ArmillaData *data)
{
  return armilla_graph_drain (graph, data, kind_of (data)->check, NULL, &lmax, NULL, NULL);
}

/* In a graph with tiles so small that there are several. */
static ArmillaGraph *
new_graph (void)
{
  const ArmillaTilingOptions tiling = { .ring_block = 5, .m_blocks = 4 };

  return armilla_graph_new (runtime, &tiling, NULL);
}

static gboolean
save (GType type, const char *where, gboolean due, GError **error)
{
  g_autoptr (ArmillaGraph) graph = new_graph ();
  g_autoptr (ArmillaData) data = new_data (type);
  ArmillaCheckpoint *file
    = armilla_checkpoint_new (graph, where, say, GINT_TO_POINTER (due), NULL);

  g_assert_true (armilla_data_can_save (data));
  return fill (graph, data) && ARMILLA_DATA_GET_CLASS (data)->save (data, graph, file, error)
         && armilla_graph_wait (graph, error);
}

static gboolean
load (GType type, GError **error)
{
  g_autoptr (ArmillaGraph) graph = new_graph ();
  g_autoptr (ArmillaData) data = new_data (type);
  ArmillaCheckpoint *file = armilla_checkpoint_open (path, error);

  return file != NULL && ARMILLA_DATA_GET_CLASS (data)->load (data, graph, file, error)
         && check (graph, data) && armilla_graph_wait (graph, error);
}

static void
assert_says (GError **error, const char *text)
{
  g_assert_error (*error, ARMILLA_ERROR, ARMILLA_ERROR_IO);
  g_assert_nonnull (strstr ((*error)->message, text));
  g_clear_error (error);
}

static void
test_type (gconstpointer user)
{
  GType type = ((GType (*) (void)) user) ();
  g_autoptr (ArmillaData) data = new_data (type);
  g_autoptr (GError) error = NULL;
  GStatBuf status;

  g_assert_true (save (type, path, FALSE, &error));
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
  g_assert_true (save (type, path, TRUE, &error));
  g_assert_no_error (error);
  g_assert_true (load (type, &error));
  g_assert_no_error (error);
  g_assert_cmpint (g_stat (path, &status), ==, 0);
  if (armilla_data_bytes (data) > 0) /* numbers, and nothing else */
    g_assert_cmpfloat ((double) status.st_size, ==, armilla_data_bytes (data));
  g_assert_cmpint (truncate (path, status.st_size - 1), ==, 0);
  g_assert_false (load (type, &error));
  assert_says (&error, "it is too short");
  g_unlink (path);
  g_assert_false (load (type, &error));
  assert_says (&error, "No such file");
}

static void
test_no_folder (void)
{
  g_autofree char *where = g_build_filename (folder, "none", "part", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_false (save (ARMILLA_TYPE_CL, where, TRUE, &error));
  assert_says (&error, "No such file");
}

typedef struct {
  ArmillaData parent_instance;
} Bare;
typedef struct {
  ArmillaDataClass parent_class;
} BareClass;

static GType bare_get_type (void);
G_DEFINE_FINAL_TYPE (Bare, bare, ARMILLA_TYPE_DATA)

static void
bare_class_init (BareClass *klass)
{
  (void) klass;
}

static void
bare_init (Bare *self)
{
  (void) self;
}

/* Views are not kept, nor data of a class that cannot save them. */
static void
test_not_kept (void)
{
  g_autoptr (ArmillaMap) map = new_map ();
  g_autoptr (ArmillaMap) view = armilla_map_new_view (map, NULL);
  g_autoptr (ArmillaData) bare = g_object_new (bare_get_type (), NULL);

  g_assert_false (armilla_data_can_save (ARMILLA_DATA (view)));
  g_assert_false (armilla_data_can_save (bare));
}

int
main (int argc, char *argv[])
{
  int status;

  start_tests (&argc, &argv);
  folder = g_dir_make_tmp ("armilla-XXXXXX", NULL);
  path = g_build_filename (folder, "part", NULL);
  g_test_add_data_func ("/checkpoint/map", (gconstpointer) armilla_map_get_type, test_type);
  g_test_add_data_func ("/checkpoint/alm", (gconstpointer) armilla_alm_get_type, test_type);
  g_test_add_data_func ("/checkpoint/cl", (gconstpointer) armilla_cl_get_type, test_type);
  g_test_add_data_func ("/checkpoint/matrix", (gconstpointer) armilla_matrix_get_type, test_type);
  g_test_add_data_func ("/checkpoint/table", (gconstpointer) armilla_table_data_get_type,
                        test_type);
  g_test_add_data_func ("/checkpoint/catalogue", (gconstpointer) armilla_objects_get_type,
                        test_type);
  g_test_add_func ("/checkpoint/no-folder", test_no_folder);
  g_test_add_func ("/checkpoint/not-kept", test_not_kept);
  status = run_tests ();
  g_rmdir (folder);
  g_free (path);
  g_free (folder);
  return status;
}
