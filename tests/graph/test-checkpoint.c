/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Maps, a_lm and spectra in files and back: the same bits, and what is said when a file is not
 * whole. */
#include <glib/gstdio.h>
#include <math.h>
#include <unistd.h>

#include "tasks/data/checkpoint.h"
#include "tasks/data/data.h"
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

static gint64 lmax = 37;

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
  return ARMILLA_DATA (armilla_cl_new (lmax, NULL, N_FIELDS));
}

static gboolean
fill (ArmillaGraph *graph, ArmillaData *data)
{
  if (G_OBJECT_TYPE (data) == ARMILLA_TYPE_MAP)
    return armilla_graph_fill (graph, data, fill_map, NULL, NULL, NULL);
  if (G_OBJECT_TYPE (data) == ARMILLA_TYPE_ALM)
    return armilla_graph_fill (graph, data, fill_alm, &lmax, NULL, NULL);
  return armilla_graph_fill (graph, data, fill_cl, &lmax, NULL, NULL);
}

static gboolean
check (ArmillaGraph *graph, ArmillaData *data)
{
  if (G_OBJECT_TYPE (data) == ARMILLA_TYPE_MAP)
    return armilla_graph_drain (graph, data, check_map, NULL, NULL, NULL, NULL);
  if (G_OBJECT_TYPE (data) == ARMILLA_TYPE_ALM)
    return armilla_graph_drain (graph, data, check_alm, NULL, &lmax, NULL, NULL);
  return armilla_graph_drain (graph, data, check_cl, NULL, &lmax, NULL, NULL);
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

/* What only shows other data is not kept, nor what has no way to files. */
static void
test_not_kept (void)
{
  g_autoptr (ArmillaMap) map = new_map ();
  g_autoptr (ArmillaMap) view = armilla_map_new_view (map, NULL);
  g_autoptr (ArmillaTableData) table = armilla_table_data_new ();

  g_assert_false (armilla_data_can_save (ARMILLA_DATA (view)));
  g_assert_false (armilla_data_can_save (ARMILLA_DATA (table)));
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
  g_test_add_func ("/checkpoint/no-folder", test_no_folder);
  g_test_add_func ("/checkpoint/not-kept", test_not_kept);
  status = run_tests ();
  g_rmdir (folder);
  g_free (path);
  g_free (folder);
  return status;
}
