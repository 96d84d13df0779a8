/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What armilla tune keeps: read back, refused where it does not belong, used by graphs. */
#include <armilla/armilla.h>
#include <glib/gstdio.h>
#include <string.h>

#include "tasks/benchmark/tune.h"
#include "tasks/graph/graph.h"
#include "tasks/harmonic/harmonic.h"
#include "tasks/runtime/share.h"
#include "tasks/runtime/runtime.h"
#include "tasks/tuning/tuning-file.h"

#define MACHINE "A processor, portable, 3 cores"

static const ArmillaTuneClass klass = { "cpu", 64, 1, ARMILLA_TRANSFORMS_NONE };

static ArmillaTuning *
sample (gint64 ring_block, gint64 m_blocks)
{
  ArmillaTuning *tuning = armilla_tuning_new ();
  ArmillaTuneChoice choice = { { 0 } };

  choice.value[ARMILLA_TUNE_RING_BLOCK] = ring_block;
  choice.value[ARMILLA_TUNE_M_BLOCKS] = m_blocks;
  choice.value[ARMILLA_TUNE_VECTOR_LENGTH] = 2;
  choice.value[ARMILLA_TUNE_INTERPOLATION] = ARMILLA_INTERPOLATION_NEVER;
  armilla_tuning_set (tuning, klass, &choice);
  return tuning;
}

static void
test_classes (void)
{
  static const gint64 pairs[][2] = { { 1, 1 },       { 2, 2 },       { 3, 4 },      { 5, 4 },
                                     { 6, 8 },       { 1024, 1024 }, { 1448, 1024 }, { 1449, 2048 },
                                     { 2047, 2048 }, { 2897, 4096 } };

  /* 1024 sqrt(2) = 1448.15..., 2048 sqrt(2) = 2896.3... */
  for (gsize i = 0; i < G_N_ELEMENTS (pairs); i++)
    g_assert_cmpint (armilla_tune_class_of (pairs[i][0]), ==, pairs[i][1]);
  g_assert_cmpint (armilla_tune_class_of (G_MAXINT64), ==, G_GINT64_CONSTANT (1) << 60);
}

static void
test_parameters (void)
{
  for (int p = 0; p < ARMILLA_TUNE_COUNT; p++)
    {
      const ArmillaTuneParameter *parameter = armilla_tune_parameter (p);
      int i = 0;

      for (; parameter->candidates[i] > 0; i++)
        {
          g_assert_cmpint (parameter->candidates[i], <=, parameter->max);
          g_assert_true (i == 0 || parameter->candidates[i] > parameter->candidates[i - 1]);
        }
      /* what is measured, not tried, has none */
      g_assert_true (i > 0 || g_str_has_prefix (parameter->key, "convolve-"));
      g_assert_cmpint (i, <, ARMILLA_TUNE_CANDIDATES);
      for (int q = 0; q < p; q++)
        g_assert_cmpstr (parameter->key, !=, armilla_tune_parameter (q)->key);
    }
}

static void
test_round_trip (void)
{
  g_autoptr (ArmillaTuning) tuning = sample (32, 5);
  g_autofree char *text = armilla_tuning_to_text (tuning, MACHINE);
  g_autoptr (GError) error = NULL;
  g_autoptr (ArmillaTuning) back
    = armilla_tuning_parse (text, strlen (text), MACHINE, "/some/file", &error);
  const ArmillaTuneClass near = { "cpu", 80, 1, 0 }, far = { "cpu", 100, 1, 0 };
  const ArmillaTuneClass other = { "cuda", 64, 1, 0 }, many = { "cpu", 64, 8, 0 };

  g_assert_no_error (error);
  g_assert_cmpstr (armilla_tuning_origin (back), ==, "/some/file");
  g_assert_cmpint (armilla_tuning_get (back, klass, ARMILLA_TUNE_RING_BLOCK), ==, 32);
  g_assert_cmpint (armilla_tuning_get (back, klass, ARMILLA_TUNE_M_BLOCKS), ==, 5);
  g_assert_cmpint (armilla_tuning_get (back, near, ARMILLA_TUNE_M_BLOCKS), ==, 5);
  g_assert_cmpint (armilla_tuning_get (back, far, ARMILLA_TUNE_M_BLOCKS), ==, 0);
  g_assert_cmpint (armilla_tuning_get (back, other, ARMILLA_TUNE_M_BLOCKS), ==, 0);
  g_assert_cmpint (armilla_tuning_get (back, many, ARMILLA_TUNE_M_BLOCKS), ==, 0);
  g_assert_cmpint (armilla_tuning_get (NULL, klass, ARMILLA_TUNE_M_BLOCKS), ==, 0);
}

/* A direction has choices of its own, which are kept; a file of before there were any serves
 * both. */
static void
test_directions (void)
{
  const ArmillaTuneClass forth = { "cpu", 64, 1, ARMILLA_TRANSFORMS_SYNTHESIS };
  const ArmillaTuneClass back = { "cpu", 64, 1, ARMILLA_TRANSFORMS_ANALYSIS };
  const ArmillaTuneClass both = { "cpu", 64, 1, ARMILLA_TRANSFORMS_BOTH };
  g_autoptr (ArmillaTuning) tuning = sample (32, 5);
  g_autoptr (ArmillaTuning) read = NULL;
  g_autofree char *old = armilla_tuning_to_text (tuning, MACHINE);
  g_autofree char *new = NULL;
  g_autoptr (GError) error = NULL;
  ArmillaTuneChoice choice = { { 0 } };

  g_assert_nonnull (strstr (old, "\n[cpu size 64 batch 1]\n"));
  read = armilla_tuning_parse (old, strlen (old), MACHINE, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (armilla_tuning_get (read, forth, ARMILLA_TUNE_RING_BLOCK), ==, 32);
  g_assert_cmpint (armilla_tuning_get (read, back, ARMILLA_TUNE_RING_BLOCK), ==, 32);
  g_assert_cmpint (armilla_tuning_get (read, both, ARMILLA_TUNE_RING_BLOCK), ==, 32);
  armilla_tuning_set (tuning, forth, &choice);
  choice.value[ARMILLA_TUNE_RING_BLOCK] = 384;
  armilla_tuning_set (tuning, back, &choice);
  new = armilla_tuning_to_text (tuning, MACHINE);
  g_assert_nonnull (strstr (new, "\n[cpu alm2map size 64 batch 1]\n"));
  g_assert_nonnull (strstr (new, "\n[cpu map2alm size 64 batch 1]\n"));
  armilla_tuning_unref (read);
  read = armilla_tuning_parse (new, strlen (new), MACHINE, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (armilla_tuning_get (read, forth, ARMILLA_TUNE_RING_BLOCK), ==, 0);
  g_assert_cmpint (armilla_tuning_get (read, back, ARMILLA_TUNE_RING_BLOCK), ==, 384);
  g_assert_cmpint (armilla_tuning_get (read, both, ARMILLA_TUNE_RING_BLOCK), ==, 32);
  g_assert_cmpint (armilla_tuning_get (read, klass, ARMILLA_TUNE_RING_BLOCK), ==, 32);
}

static void
test_copy (void)
{
  g_autoptr (ArmillaTuning) tuning = sample (32, 5);
  g_autoptr (ArmillaTuning) copy = armilla_tuning_copy (tuning);
  ArmillaTuneChoice choice = { { 0 } };

  armilla_tuning_set (copy, klass, &choice);
  g_assert_cmpint (armilla_tuning_get (copy, klass, ARMILLA_TUNE_RING_BLOCK), ==, 0);
  g_assert_cmpint (armilla_tuning_get (tuning, klass, ARMILLA_TUNE_RING_BLOCK), ==, 32);
}

/* The text of a good file with one thing replaced. */
static void
assert_refused (const char *what, const char *with, const char *says)
{
  g_autoptr (ArmillaTuning) tuning = sample (32, 5);
  g_autofree char *good = armilla_tuning_to_text (tuning, MACHINE);
  g_auto (GStrv) parts = g_strsplit (good, what, 2);
  g_autofree char *bad = g_strjoinv (with, parts);
  g_autoptr (GError) error = NULL;

  g_assert_cmpuint (g_strv_length (parts), ==, 2);
  g_assert_null (armilla_tuning_parse (bad, strlen (bad), MACHINE, NULL, &error));
  g_assert_nonnull (error);
  if (!strstr (error->message, says))
    g_test_fail_printf ("\"%s\" does not say \"%s\"", error->message, says);
}

static void
test_refused (void)
{
  assert_refused ("format=1", "format=2", "do not fit this version");
  assert_refused ("format=1", "", "do not fit this version");
  assert_refused ("generation=", "generation=9", "do not fit this version");
  assert_refused ("generation=", "generation=x", "do not fit this version");
  assert_refused ("program=armilla", "program=armillary", "armillary");
  assert_refused ("program=", "programme=", "program");
  assert_refused ("3 cores", "4 cores", "another machine");
  assert_refused ("machine=", "machines=", "machine");
  assert_refused ("3 cores", "3 cores\\", "machine");
  assert_refused ("[armilla-tuning]", "[something]", "armilla-tuning");
  assert_refused ("[armilla-tuning]", "armilla-tuning", "");
  assert_refused ("ring-block=32", "ring-block=-1", "0 to 1048576 is allowed");
  assert_refused ("ring-block=32", "ring-block=1048577", "0 to 1048576 is allowed");
  assert_refused ("ring-block=32", "ring-block=many", "many");
  assert_refused ("ring-block=32", "ring-block=32x", "32x");
  assert_refused ("ring-block=32", "", "ring-block");
  assert_refused ("ring-block=32", "ring-block=99999999999999999999", "");
}

/* Every way of cutting a file short, and of losing a byte, is refused or leaves allowed values. */
static void
test_damaged (void)
{
  g_autoptr (ArmillaTuning) tuning = sample (32, 5);
  g_autofree char *good = armilla_tuning_to_text (tuning, MACHINE);
  gsize length = strlen (good);

  for (gsize i = 0; i < 2 * length; i++)
    {
      g_autofree char *bad = g_strdup (good);
      g_autoptr (ArmillaTuning) read = NULL;

      if (i < length)
        bad[i] = '\0';
      else
        bad[i - length] = (char) ('\x80' ^ (int) bad[i - length]);
      read = armilla_tuning_parse (bad, length, MACHINE, NULL, NULL);
      for (int p = 0; read && p < ARMILLA_TUNE_COUNT; p++)
        {
          g_assert_cmpint (armilla_tuning_get (read, klass, p), >=, 0);
          g_assert_cmpint (armilla_tuning_get (read, klass, p), <=,
                           armilla_tune_parameter (p)->max);
        }
    }
}

static void
remove_folder (const char *folder)
{
  g_autofree char *remove = g_strdup_printf ("rm -rf '%s'", folder);

  g_assert_true (g_spawn_command_line_sync (remove, NULL, NULL, NULL, NULL));
}

static void
test_save (void)
{
  g_autofree char *room = g_dir_make_tmp ("armilla-tuning-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (room, "new", "folder", "tuning.ini", NULL);
  g_autofree char *inside = g_build_filename (path, "tuning.ini", NULL);
  g_autofree char *machine = armilla_tuning_machine ();
  g_autoptr (ArmillaTuning) tuning = sample (32, 5);
  g_autoptr (ArmillaTuning) other = sample (16, 7);
  g_autoptr (ArmillaTuning) back = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  g_assert_true (armilla_tuning_save (tuning, path, &error));
  g_assert_true (armilla_tuning_save (other, path, &error));
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  back = armilla_tuning_parse (text, strlen (text), machine, path, &error);
  g_assert_no_error (error);
  g_assert_cmpint (armilla_tuning_get (back, klass, ARMILLA_TUNE_M_BLOCKS), ==, 7);
  g_assert_false (armilla_tuning_save (tuning, inside, &error));
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_IO);
  g_assert_nonnull (strstr (error->message, path));
  remove_folder (room);
}

static gboolean
fill_zero (gpointer user, ArmillaPiece *piece, GError **error)
{
  const ArmillaAlmLayout *layout = user;
  gint64 n = armilla_alm_index (layout->lmax, layout->lmax, piece->last)
             - armilla_alm_index (layout->lmax, piece->first, piece->first) + 1;

  (void) error;
  memset (piece->values, 0, 2 * sizeof *piece->values * (gsize) n);
  return TRUE;
}

/* How a graph that expects @which cuts a synthesis at nside 32 (64 ring pairs) and lmax 64. */
static char *
cuts (ArmillaRuntime *runtime, ArmillaTransforms which, const ArmillaTilingOptions *tiling)
{
  ArmillaAlmLayout layout = { 64, 64 };
  g_autoptr (GError) error = NULL;
  g_autoptr (ArmillaGraph) graph = armilla_graph_new (runtime, tiling, &error);
  g_autoptr (ArmillaGrid) grid = armilla_grid_new_healpix (32, &error);
  g_autoptr (ArmillaAlm) alm = armilla_alm_new (layout, 1);
  g_autoptr (ArmillaMap) map = armilla_map_new (grid, 1);

  armilla_graph_expect_transforms (graph, which);
  g_assert_true (armilla_graph_fill (graph, ARMILLA_DATA (alm), fill_zero, &layout, NULL, &error));
  g_assert_true (armilla_graph_synthesis (graph, alm, map, &error));
  g_assert_true (armilla_graph_wait (graph, &error));
  g_assert_no_error (error);
  return armilla_graph_cuts (graph);
}

static void
assert_cuts (ArmillaRuntime *runtime, ArmillaTransforms which, const ArmillaTilingOptions *tiling,
             const char *rings, const char *orders)
{
  g_autofree char *text = cuts (runtime, which, tiling);

  if (!strstr (text, rings) || !strstr (text, orders))
    g_test_fail_printf ("\"%s\" or \"%s\" is missing in: %s", rings, orders, text);
}

static void
assert_says (ArmillaRuntime *runtime, const ArmillaTilingOptions *tiling, const char *rings,
             const char *orders)
{
  assert_cuts (runtime, ARMILLA_TRANSFORMS_NONE, tiling, rings, orders);
}

/* A graph of one direction is cut for it, and all others for both. */
static void
test_graph_directions (void)
{
  g_autoptr (GError) error = NULL;
  ArmillaRuntime *runtime = armilla_runtime_start (&error);
  g_autoptr (ArmillaTuning) tuning = armilla_tuning_new ();
  ArmillaTuneClass here = { armilla_tuning_workers (), 64, 1, ARMILLA_TRANSFORMS_NONE };
  ArmillaTuneChoice choice = { { 0 } };

  g_assert_no_error (error);
  choice.value[ARMILLA_TUNE_RING_BLOCK] = 16;
  choice.value[ARMILLA_TUNE_M_BLOCKS] = 2;
  armilla_tuning_set (tuning, here, &choice);
  here.which = ARMILLA_TRANSFORMS_SYNTHESIS;
  choice.value[ARMILLA_TUNE_RING_BLOCK] = 20;
  choice.value[ARMILLA_TUNE_M_BLOCKS] = 3;
  choice.value[ARMILLA_TUNE_INTERPOLATION] = ARMILLA_INTERPOLATION_NEVER;
  armilla_tuning_set (tuning, here, &choice);
  here.which = ARMILLA_TRANSFORMS_ANALYSIS;
  choice.value[ARMILLA_TUNE_RING_BLOCK] = 30;
  choice.value[ARMILLA_TUNE_M_BLOCKS] = 4;
  choice.value[ARMILLA_TUNE_VECTOR_LENGTH] = 2;
  armilla_tuning_set (tuning, here, &choice);
  armilla_runtime_set_tuning (runtime, tuning, here.workers);
  assert_cuts (runtime, ARMILLA_TRANSFORMS_NONE, NULL, "blocks of up to 16 ring pairs (tuned",
               "2 blocks of orders (tuned");
  assert_cuts (runtime, ARMILLA_TRANSFORMS_BOTH, NULL, "blocks of up to 16 ring pairs (tuned",
               "lmax 64, map2alm: vectors of 2 numbers at most (tuned");
  assert_cuts (runtime, ARMILLA_TRANSFORMS_SYNTHESIS, NULL, "blocks of up to 20 ring pairs (tuned",
               "3 blocks of orders (tuned");
  assert_cuts (runtime, ARMILLA_TRANSFORMS_SYNTHESIS, NULL, "blocks of up to 20 ring pairs (tuned",
               "lmax 64, alm2map: no interpolation in theta (tuned");
  assert_cuts (runtime, ARMILLA_TRANSFORMS_ANALYSIS, NULL, "blocks of up to 30 ring pairs (tuned",
               "4 blocks of orders (tuned");
  armilla_runtime_set_tuning (runtime, NULL, here.workers);
  armilla_runtime_stop (runtime);
}

/* What a resumed run must have in common with the one before says nothing of when it was. */
static void
test_kind (void)
{
  g_autoptr (GError) error = NULL;
  ArmillaRuntime *runtime = armilla_runtime_start (&error);
  g_autoptr (ArmillaTuning) tuning = sample (16, 3);
  g_autoptr (ArmillaTuning) other = sample (16, 2);
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;
  g_autofree char *third = NULL;

  g_assert_no_error (error);
  armilla_runtime_set_tuning (runtime, tuning, "cpu");
  first = armilla_runtime_kind (runtime);
  g_usleep (1100000); /* a file's date has seconds */
  second = armilla_runtime_kind (runtime);
  armilla_runtime_set_tuning (runtime, other, "cpu");
  third = armilla_runtime_kind (runtime);
  g_assert_cmpstr (first, ==, second);
  g_assert_cmpstr (first, !=, third);
  armilla_runtime_set_tuning (runtime, NULL, "cpu");
  armilla_runtime_stop (runtime);
}

static void
test_graph (void)
{
  g_autoptr (GError) error = NULL;
  ArmillaRuntime *runtime = armilla_runtime_start (&error);
  g_autofree char *path = NULL;
  g_autofree char *remark = NULL;
  g_autofree char *broken = NULL;
  g_autofree char *by_file = NULL;
  g_autoptr (ArmillaTuning) tuning = sample (16, 3);
  ArmillaTilingOptions given = { .m_blocks = 2 };
  const char *workers = armilla_tuning_workers ();

  g_assert_no_error (error);
  path = armilla_tuning_path ();
  if (!g_str_equal (workers, "cpu"))
    {
      ArmillaTuneClass here = { workers, klass.size, klass.batch, ARMILLA_TRANSFORMS_NONE };
      ArmillaTuneChoice choice = { { 0 } };

      for (int p = 0; p < ARMILLA_TUNE_COUNT; p++)
        choice.value[p] = armilla_tuning_get (tuning, klass, p);
      armilla_tuning_set (tuning, here, &choice);
    }
  g_remove (path);
  g_assert_true (armilla_runtime_load_tuning (runtime, &remark, &error));
  g_assert_null (remark);
  assert_says (runtime, NULL, "1 block of up to 64 ring pairs (default)",
               " of orders (default)");
  g_assert_true (armilla_tuning_save (tuning, path, &error));
  g_assert_true (armilla_runtime_load_tuning (runtime, &remark, &error));
  g_assert_null (remark);
  by_file = g_strdup_printf ("lmax 64: 3 blocks of orders (tuned, %s)", path);
  assert_says (runtime, NULL, "4 blocks of up to 16 ring pairs (tuned, ", by_file);
  assert_says (runtime, &given, "4 blocks of up to 16 ring pairs (tuned, ",
               "2 blocks of orders (given)");
  assert_says (runtime, NULL, "lmax 64: vectors of 2 numbers at most (tuned, ",
               "lmax 64: no interpolation in theta (tuned, ");
  g_assert_true (g_file_set_contents (path, "[armilla-tuning]\nformat=1\n", -1, &error));
  g_assert_true (armilla_runtime_load_tuning (runtime, &broken, &error));
  g_assert_nonnull (strstr (broken, path));
  g_assert_nonnull (strstr (broken, "is ignored"));
  assert_says (runtime, NULL, "ring pairs (default)", "orders (default)");
  g_assert_cmpint (g_remove (path), ==, 0);
  armilla_runtime_stop (runtime);
}

static void
count_trials (gpointer user, double share, const char *what)
{
  int *n = user;

  g_assert_cmpfloat (share, >=, 0);
  g_assert_cmpfloat (share, <=, 1);
  g_assert_nonnull (strstr (what, "lmax 8: "));
  ++*n;
}

static void
test_tune (void)
{
  g_autoptr (GError) error = NULL;
  ArmillaRuntime *runtime = armilla_runtime_start (&error);
  g_autofree char *path = NULL;
  g_autofree char *report = NULL;
  g_autofree char *remark = NULL;
  g_autofree char *text = NULL;
  int n = 0;
  /* So many seconds that a busy machine does not leave out trials. */
  ArmillaTuneOptions options
    = { 3600, (gint64[]) { 8 }, 1, count_trials, &n, (gint64[]) { 1, 2 }, 2 };

  g_assert_no_error (error);
  path = armilla_tuning_path ();
  g_remove (path);
  g_assert_true (armilla_runtime_tune (runtime, &options, &report, &error));
  g_assert_no_error (error);
  /* convolutions, and for each number of maps and direction: the defaults, and one, two, four and
   * eight blocks of orders; ring blocks begin at 32 pairs; two lengths of vectors, and
   * interpolation never and always. Where the directions want other cuts both together are tried */
  g_assert_cmpint (n, >=, 1 + 2 * 2 * 9);
  g_assert_cmpint (n, <=, 1 + 2 * (2 * 9 + 7));
  g_assert_nonnull (strstr (report, "lmax 8, alm2map: "));
  g_assert_nonnull (strstr (report, "lmax 8, map2alm: "));
  g_assert_nonnull (strstr (report, "lmax 8, 2 maps, map2alm: "));
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_nonnull (strstr (text, " alm2map size 8 batch 1]"));
  g_assert_nonnull (strstr (text, " map2alm size 8 batch 2]"));
  g_assert_nonnull (strstr (text, " size 8 batch 2]"));
  g_assert_true (armilla_runtime_load_tuning (runtime, &remark, &error));
  g_assert_null (remark);
  g_assert_cmpint (g_remove (path), ==, 0);
  armilla_runtime_stop (runtime);
}

int
main (int argc, char *argv[])
{
  g_autofree char *data = g_dir_make_tmp ("armilla-tuning-XXXXXX", NULL);
  int status;

  g_setenv ("XDG_DATA_HOME", data, TRUE); /* what the user has tuned stays */
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/tuning/classes", test_classes);
  g_test_add_func ("/tuning/parameters", test_parameters);
  g_test_add_func ("/tuning/round-trip", test_round_trip);
  g_test_add_func ("/tuning/directions", test_directions);
  g_test_add_func ("/tuning/copy", test_copy);
  g_test_add_func ("/tuning/refused", test_refused);
  g_test_add_func ("/tuning/damaged", test_damaged);
  g_test_add_func ("/tuning/save", test_save);
  g_test_add_func ("/tuning/graph", test_graph);
  g_test_add_func ("/tuning/graph-directions", test_graph_directions);
  g_test_add_func ("/tuning/kind", test_kind);
  g_test_add_func ("/tuning/tune", test_tune);
  status = g_test_run ();
  remove_folder (data);
  return status;
}
