/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stages as functions of C: what they say of themselves, and calls whose results are known. */
#include "tests/arrays/array-helpers.h"

#include <glib/gstdio.h>
#include <math.h>

#define NSIDE 8
#define N_MAP (12 * NSIDE * NSIDE)

static const int scalar[] = { 0 };
static const ArmillaPlanShape shape = { .geometry = ARMILLA_GRID_HEALPIX, .nside = NSIDE,
                                        .spins = scalar, .n_spins = 1, .copies = 1 };

/* Maps that have the same value everywhere. */
typedef struct {
  double pixels[3][N_MAP];
  ArmillaArray arrays[3];
  ArmillaFlowInput inputs[3];
} Maps;

static Maps *
new_maps (double a, double b, double c)
{
  const double values[] = { a, b, c };
  Maps *maps = g_new0 (Maps, 1);

  for (int k = 0; k < 3; k++)
    {
      for (int i = 0; i < N_MAP; i++)
        maps->pixels[k][i] = values[k];
      maps->arrays[k] = plain (maps->pixels[k], 1, 1, N_MAP, FALSE);
      maps->inputs[k] = (ArmillaFlowInput) { .kind = ARMILLA_FLOW_MAP, .array = &maps->arrays[k],
                                             .shape = &shape, .unit = "K" };
    }
  return maps;
}

static void
test_description (void)
{
  ArmillaStages *stages;
  ArmillaFailure failure;
  const ArmillaStageInfo *info;
  int n = 0, n_short = 0;

  assert_ok (armilla_stages_new (&stages, &failure), &failure);
  for (; (info = armilla_stages_get (stages, n)); n++)
    {
      g_assert_true (armilla_stages_find (stages, info->name) == info);
      n_short += g_str_has_suffix (info->origin, ".workflow");
      for (int i = 1; i < info->n_parts; i++)
        g_assert_cmpint (info->parts[i].role, >=, info->parts[i - 1].role);
    }
  g_assert_cmpint (n, >=, 60);
  g_assert_cmpint (n_short, ==, 16);
  g_assert_null (armilla_stages_find (stages, "purifi"));
  info = armilla_stages_find (stages, "smooth-alm");
  g_assert_cmpstr (info->parts[0].name, ==, "alm");
  g_assert_cmpstr (info->parts[0].type, ==, "alm");
  g_assert_false (info->parts[0].optional);
  for (int i = 0; i < info->n_parts; i++)
    if (strcmp (info->parts[i].name, "fwhm") == 0)
      {
        g_assert_cmpstr (info->parts[i].type, ==, "angle");
        g_assert_cmpstr (info->parts[i].units, ==, "rad, deg, arcmin, arcsec");
        n = -1;
      }
  g_assert_cmpint (n, ==, -1);
  g_assert_true (armilla_stages_find (stages, "collect")->gathers);
  g_assert_true (armilla_stages_find (stages, "sweep-table")->joins);
  armilla_stages_free (stages);
}

/* a_00 of a map of 3 is 3 sqrt (4 pi), and C_0 its square up to the quadrature; one call
 * within another. */
static void
test_nested (void)
{
  g_autofree Maps *maps = new_maps (3, 0, 0);
  const ArmillaStageArgument of_map[] = { { .name = "map", .inputs = maps->inputs, .n_inputs = 1 },
                                          { .name = "lmax", .value = "2 * 4" } };
  const ArmillaStageCall analysis = { "map2alm", 2, of_map };
  const ArmillaStageArgument of_alm[] = { { .name = "alm", .call = &analysis } };
  const ArmillaStageCall spectra = { "alm2cl", 1, of_alm };
  ArmillaSession *session = armilla_session_new (NULL);
  ArmillaFailure failure;
  ArmillaResult *result;

  assert_ok (armilla_stage_call (session, &spectra, NULL, &result, &failure), &failure);
  g_assert_cmpint (result->kind, ==, ARMILLA_FLOW_CL);
  g_assert_cmpint (result->lmax, ==, 8);
  g_assert_cmpstr (result->units[0], ==, "K^2");
  g_assert_cmpfloat (fabs (((double *) result->array.data)[0] - 36 * G_PI), <, 1e-4);
  armilla_result_free (result);
  armilla_session_free (session);
}

/* Mean 2 and standard deviation 1 of 1, 2 and 3 in every pixel. */
static void
test_realisations (void)
{
  g_autofree Maps *maps = new_maps (1, 2, 3);
  const ArmillaStageArgument argument = { .name = "input", .inputs = maps->inputs, .n_inputs = 3 };
  const ArmillaStageCall call = { "collect", 1, &argument };
  const char *const outputs[] = { "error", "mean", "maximum", NULL };
  const double expected[] = { 1, 2, 3 };
  ArmillaSession *session = armilla_session_new (NULL);
  ArmillaFailure failure;
  ArmillaResult *results[3];

  assert_ok (armilla_stage_call (session, &call, outputs, results, &failure), &failure);
  for (int k = 0; k < 3; k++)
    {
      for (int i = 0; i < N_MAP; i++)
        g_assert_cmpfloat (fabs (((double *) results[k]->array.data)[i] - expected[k]), <, 1e-15);
      armilla_result_free (results[k]);
    }
  armilla_session_free (session);
}

/* A stage that takes one map runs for each of three, to the product with the same other one. */
static void
test_runs (void)
{
  g_autofree Maps *maps = new_maps (1, 2, 3), *factor = new_maps (5, 0, 0);
  ArmillaStageArgument arguments[]
    = { { .name = "map", .inputs = maps->inputs, .n_inputs = 3 },
        { .name = "mask", .inputs = factor->inputs, .n_inputs = 1 } };
  const ArmillaStageCall call = { "mask", 2, arguments };
  ArmillaSession *session = armilla_session_new (NULL);
  ArmillaFailure failure;
  ArmillaResult *results[3];

  assert_ok (armilla_stage_call (session, &call, NULL, results, &failure), &failure);
  for (int k = 0; k < 3; k++)
    {
      g_assert_cmpint (results[k]->realisation, ==, k);
      g_assert_cmpfloat (((double *) results[k]->array.data)[7], ==, 5 * (k + 1));
      armilla_result_free (results[k]);
    }
  arguments[1].n_inputs = 2;
  g_assert_cmpint (armilla_stage_call (session, &call, NULL, results, &failure), ==,
                   ARMILLA_STATUS_ARGUMENT);
  g_assert_cmpstr (failure.text, ==, "mask: mask: 2 arrays; must be one, or as many as "
                                     "other inputs have (3)");
  armilla_session_free (session);
}

/* Rows and columns of a file are those that were written. */
static void
test_matrix (void)
{
  g_autofree char *folder = g_dir_make_tmp ("stage-XXXXXX", NULL);
  g_autofree char *file = g_build_filename (folder, "$m\\ of.fits", NULL);
  double elements[2][3][4], where[3] = { 2, 4, 8 };
  const ArmillaArray array = plain (&elements[0][0][0], 2, 3, 4, FALSE);
  const ArmillaFlowAxis axes[2] = { { "l", NULL, 3, where }, { "bin", "deg", 4, NULL } };
  const char *const names[] = { "TT", "EE" };
  const ArmillaFlowInput input = { .kind = ARMILLA_FLOW_MATRIX, .array = &array, .axes = axes,
                                   .names = names, .unit = "K^2" };
  const ArmillaStageArgument written[] = { { .name = "matrix", .inputs = &input, .n_inputs = 1 },
                                           { .name = "file", .value = file } };
  const ArmillaStageArgument read[] = { { .name = "file", .value = file } };
  const ArmillaStageCall writer = { "write-matrix", 2, written };
  const ArmillaStageCall reader = { "read-matrix", 1, read };
  ArmillaSession *session = armilla_session_new (NULL);
  ArmillaFailure failure;
  ArmillaResult *result;

  for (int i = 0; i < 24; i++)
    (&elements[0][0][0])[i] = 1.0 / (i + 1);
  assert_ok (armilla_stage_call (session, &writer, NULL, NULL, &failure), &failure);
  g_assert_true (g_file_test (file, G_FILE_TEST_EXISTS));
  g_assert_cmpint (armilla_stage_call (session, &writer, NULL, NULL, &failure), ==,
                   ARMILLA_STATUS_FILE); /* which is there already */
  assert_ok (armilla_stage_call (session, &reader, NULL, &result, &failure), &failure);
  g_assert_cmpint (result->kind, ==, ARMILLA_FLOW_MATRIX);
  g_assert_cmpmem (result->array.data, sizeof elements, elements, sizeof elements);
  for (int i = 0; i < 3; i++)
    g_assert_cmpint (result->array.shape[i], ==, i + 2);
  g_assert_cmpstr (result->names[1], ==, "EE");
  g_assert_cmpstr (result->units[0], ==, "K^2");
  g_assert_cmpstr (result->axes[0].label, ==, "l");
  g_assert_cmpmem (result->axes[0].values, sizeof where, where, sizeof where);
  g_assert_cmpstr (result->axes[1].unit, ==, "deg");
  g_assert_cmpfloat (result->axes[1].values[3], ==, 3);
  armilla_result_free (result);
  elements[1][2][3] = NAN;
  g_assert_cmpint (armilla_stage_call (session, &writer, NULL, NULL, &failure), ==,
                   ARMILLA_STATUS_ARGUMENT);
  g_assert_cmpstr (failure.text, ==, "write-matrix: matrix: array: 1 elements are NaN or infinite, "
                                     "the first is number 23");
  armilla_session_free (session);
  g_remove (file);
  g_rmdir (folder);
}

static void
assert_wrong (const char *stage, const ArmillaStageArgument *argument, const char *const *outputs,
              const char *text)
{
  const ArmillaStageCall call = { stage, 1, argument };
  ArmillaSession *session = armilla_session_new (NULL);
  ArmillaResult *results[2] = { NULL };
  ArmillaFailure failure;

  g_assert_cmpint (armilla_stage_call (session, &call, outputs, results, &failure), ==,
                   ARMILLA_STATUS_ARGUMENT);
  if (!g_str_has_prefix (failure.text, text))
    g_assert_cmpstr (failure.text, ==, text);
  g_assert_null (results[0]);
  armilla_session_free (session);
}

static void
test_mistakes (void)
{
  g_autofree Maps *maps = new_maps (1, 2, 3);
  const ArmillaStageArgument map = { .name = "map", .inputs = maps->inputs, .n_inputs = 1 };
  const ArmillaStageArgument several = { .name = "map", .inputs = maps->inputs, .n_inputs = 0 };
  const ArmillaStageArgument text = { .name = "map", .value = "sky" };
  const ArmillaStageArgument data = { .name = "lmax", .inputs = maps->inputs, .n_inputs = 1 };
  const ArmillaStageArgument odd = { .name = "lmx", .value = "5" };
  const char *const none[] = { "sky", NULL };

  assert_wrong ("map2aml", &map, NULL, "unknown stage \"map2aml\"; did you mean \"map2alm\"?");
  assert_wrong ("map2alm", &several, NULL, "map2alm: map: 0 arrays; must be one");
  assert_wrong ("map2alm", &text, NULL, "map2alm: map: this is an input");
  assert_wrong ("map2alm", &data, NULL, "map2alm: lmax: this is a property");
  assert_wrong ("map2alm", &odd, NULL,
                "map2alm: lmx: no such argument; did you mean \"lmax\"?");
  assert_wrong ("map2alm", &map, none, "map2alm: sky: no such output");
  assert_wrong ("ud-grade", &map, NULL, "ud-grade: nside: ");
  maps->pixels[0][5] = INFINITY;
  assert_wrong ("map2alm", &map, NULL, "map2alm: map: array: 1 of 768 pixels");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/stage-call/description", test_description);
  g_test_add_func ("/stage-call/nested", test_nested);
  g_test_add_func ("/stage-call/realisations", test_realisations);
  g_test_add_func ("/stage-call/runs", test_runs);
  g_test_add_func ("/stage-call/matrix", test_matrix);
  g_test_add_func ("/stage-call/mistakes", test_mistakes);
  return g_test_run ();
}
