/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Workflows with arrays at their ends, as a C program has them: known maps have known spectra. */
#include "tests/arrays/array-helpers.h"

#include <math.h>

#define NSIDE 8
#define N_MAP (12 * NSIDE * NSIDE)
#define LMAX 8

static const int scalar[] = { 0 };
static const ArmillaPlanShape shape = { .geometry = ARMILLA_GRID_HEALPIX, .nside = NSIDE,
                                        .spins = scalar, .n_spins = 1, .copies = 1 };
static const char text[] = "[alm]\nstage = map2alm\nmap = sky\nlmax = 8\n"
                           "[cl]\nstage = alm2cl\nalm = alm\n";

static ArmillaFlow *
new_flow (const char *of)
{
  ArmillaFlow *flow;
  ArmillaFailure failure;

  assert_ok (armilla_flow_new (NULL, of, &flow, &failure), &failure);
  return flow;
}

static ArmillaStatus
give (ArmillaFlow *flow, const char *name, double *map, gint64 n, ArmillaFailure *failure)
{
  const ArmillaArray array = plain (map, 1, 1, n, FALSE);
  const ArmillaFlowInput input = { .kind = ARMILLA_FLOW_MAP, .array = &array, .shape = &shape,
                                   .unit = "K" };

  return armilla_flow_give (flow, name, &input, 1, failure);
}

static double *
constant (double value)
{
  double *map = g_new (double, N_MAP);

  for (int i = 0; i < N_MAP; i++)
    map[i] = value;
  return map;
}

/* A map that is 3 everywhere: a_00 = 3 sqrt (4 pi), and C_0 its square, up to the quadrature. */
static void
test_monopole (void)
{
  g_autofree double *map = constant (3);
  ArmillaSession *session = armilla_session_new (NULL);
  ArmillaFlow *flow = new_flow (text);
  ArmillaFailure failure;

  assert_ok (give (flow, "sky", map, N_MAP, &failure), &failure);
  armilla_flow_ask (flow, "alm");
  armilla_flow_ask (flow, NULL);
  for (int run = 0; run < 2; run++)
    {
      assert_ok (armilla_flow_run (flow, session, FALSE, &failure), &failure);
      g_assert_cmpint (armilla_flow_n_results (flow), ==, 2);
      for (int i = 0; i < 2; i++)
        {
          ArmillaResult *result = armilla_flow_result (flow, i);
          const double *values = result->array.data;

          g_assert_null (armilla_flow_result (flow, i));
          g_assert_cmpint (result->lmax, ==, LMAX);
          if (g_str_equal (result->name, "alm"))
            {
              g_assert_cmpint (result->kind, ==, ARMILLA_FLOW_ALM);
              g_assert_cmpstr (result->units[0], ==, "K");
              g_assert_cmpint (result->array.shape[2], ==, (LMAX + 1) * (LMAX + 2) / 2);
              g_assert_cmpfloat (fabs (values[0] - 3 * sqrt (4 * G_PI)), <, 1e-5);
            }
          else
            {
              g_assert_cmpstr (result->name, ==, "cl");
              g_assert_cmpint (result->kind, ==, ARMILLA_FLOW_CL);
              g_assert_cmpfloat (fabs (values[0] - 36 * G_PI), <, 1e-3);
              g_assert_cmpfloat (fabs (values[1]), <, 1e-20);
            }
          armilla_result_free (result);
        }
    }
  g_assert_null (armilla_flow_result (flow, 2));
  armilla_flow_free (flow);
  armilla_session_free (session);
}

/* What a short form stands for comes back by the name that the workflow has for it. */
static void
test_short_forms (void)
{
  static const char short_forms[] = "[smooth]\nstage = smoothing\nmap = sky\nfwhm = 20 deg\n"
                                    "[power]\nstage = anafast\nmap1 = sky\n";
  g_autofree double *map = constant (1);
  ArmillaSession *session = armilla_session_new (NULL);
  ArmillaFlow *flow = new_flow (short_forms);
  ArmillaFailure failure;

  assert_ok (give (flow, "sky", map, N_MAP, &failure), &failure);
  armilla_flow_ask (flow, NULL);
  assert_ok (armilla_flow_run (flow, session, FALSE, &failure), &failure);
  g_assert_cmpint (armilla_flow_n_results (flow), ==, 2);
  for (int i = 0; i < 2; i++)
    {
      ArmillaResult *result = armilla_flow_result (flow, i);

      g_assert_cmpstr (result->name, ==,
                       result->kind == ARMILLA_FLOW_MAP ? "smooth" : "power");
      armilla_result_free (result);
    }
  armilla_flow_free (flow);
  armilla_session_free (session);
}

/* What another thread sees of a run, and does about it. */
typedef struct {
  ArmillaSession *session;
  ArmillaFlow *flow;
  ArmillaFlowProgress last;
  int cores;
} Watcher;

/* Ends the run once it has begun. */
static gpointer
stop_thread (gpointer data)
{
  Watcher *watcher = data;

  do
    {
      g_usleep (1000);
      armilla_flow_progress (watcher->flow, &watcher->last);
    }
  while (watcher->last.share < 0);
  watcher->cores = armilla_session_cores (watcher->session);
  while (!armilla_session_cancel (watcher->session))
    g_usleep (1000);
  return NULL;
}

/* Ended by another thread; then another one, and a plan, with the same session. */
static void
test_stopped (void)
{
  g_autofree double *map = constant (1);
  Watcher watcher = { .session = armilla_session_new (NULL), .flow = new_flow (text) };
  ArmillaFlow *flow = watcher.flow;
  ArmillaFailure failure;
  GThread *thread;

  assert_ok (give (flow, "sky", map, N_MAP, &failure), &failure);
  armilla_flow_set (flow, "workflow.repeat=100000");
  armilla_flow_ask (flow, "cl");
  thread = g_thread_new ("stop", stop_thread, &watcher);
  g_assert_cmpint (armilla_flow_run (flow, watcher.session, FALSE, &failure), ==,
                   ARMILLA_STATUS_CANCELLED);
  g_thread_join (thread);
  g_assert_cmpint (watcher.cores, >, 0);
  g_assert_cmpint (watcher.last.n_realisations, ==, 100000);
  g_assert_cmpfloat (watcher.last.share, <=, 1);
  g_assert_nonnull (strstr (armilla_flow_problem (flow), "the caller"));
  g_assert_cmpint (armilla_flow_n_results (flow), ==, 0);
  armilla_flow_set (flow, "workflow.repeat=2");
  assert_ok (armilla_flow_run (flow, watcher.session, FALSE, &failure), &failure);
  g_assert_cmpint (armilla_flow_n_results (flow), ==, 2);
  armilla_flow_progress (flow, &watcher.last);
  g_assert_cmpfloat (watcher.last.share, ==, 1);
  g_assert_cmpint (watcher.last.n_done, >, 0);
  g_assert_cmpstr (armilla_flow_problem (flow), ==, "");
  armilla_flow_free (flow);
  armilla_session_free (watcher.session);
}

/* What it says begins with the name of what is wrong. */
static void
assert_says (ArmillaStatus status, ArmillaStatus wanted, const ArmillaFlow *flow,
             const char *begin, const char *part)
{
  const char *said = armilla_flow_problem (flow);

  g_assert_cmpint (status, ==, wanted);
  if (!g_str_has_prefix (said, begin) || !strstr (said, part))
    g_error ("\"%s\" does not begin with \"%s\", or has no \"%s\"", said, begin, part);
}

static void
test_wrong (void)
{
  g_autofree double *map = constant (1);
  ArmillaFlow *flow = new_flow (text), *none;
  ArmillaFailure failure;

  assert_says (armilla_flow_check (flow, &failure), ARMILLA_STATUS_ARGUMENT, flow, "(text):3:7: ",
               "no node \"sky\"");
  assert_says (give (flow, "sky", map, N_MAP - 1, &failure), ARMILLA_STATUS_ARGUMENT, flow,
               "sky: array: ", "767 numbers; it must have 768");
  assert_says (give (flow, "s.y", map, N_MAP, &failure), ARMILLA_STATUS_ARGUMENT, flow, "name: ",
               "letters");
  map[5] = NAN;
  assert_says (give (flow, "sky", map, N_MAP, &failure), ARMILLA_STATUS_ARGUMENT, flow, "sky: ",
               "1 of 768 pixels of field 0 are NaN or infinite, the first is number 5");
  map[5] = 1;
  assert_ok (give (flow, "sky", map, N_MAP, &failure), &failure);
  assert_ok (armilla_flow_check (flow, &failure), &failure);
  armilla_flow_ask (flow, "clx");
  assert_says (armilla_flow_check (flow, &failure), ARMILLA_STATUS_ARGUMENT, flow, "result clx: ",
               "did you mean \"cl\"");
  armilla_flow_free (flow);
  g_assert_cmpint (armilla_flow_new ("/nowhere/x.workflow", NULL, &none, &failure), ==,
                   ARMILLA_STATUS_FILE);
  g_assert_null (none);
  g_assert_nonnull (strstr (failure.text, "/nowhere/x.workflow: cannot open the workflow"));
  flow = new_flow ("[m]\nstage = read-map\nfile = /nowhere/x.fits\n");
  assert_says (armilla_flow_check (flow, &failure), ARMILLA_STATUS_FILE, flow, "(text):3:8: ",
               "/nowhere/x.fits: cannot be read");
  armilla_flow_free (flow);
}

/* Three objects in octants' middles; a table of all kinds of columns. */
static const double longitude[] = { 45, 135, 225 }, latitude[] = { 0, 0, 0 }, mag[] = { 3, 4, 5 };
static const gint64 patch[] = { 0, 2, 1 };
static const char *const texts[] = { "one", NULL, "three" };
#define LONGITUDE { "longitude", "deg", ARMILLA_COLUMN_DOUBLE, longitude }
#define LATITUDE { "latitude", NULL, ARMILLA_COLUMN_DOUBLE, latitude }
static const ArmillaResultColumn stars[] = {
  LONGITUDE,
  LATITUDE,
  { "patch", "", ARMILLA_COLUMN_INT64, patch },
  { "mag", "mag", ARMILLA_COLUMN_DOUBLE, mag },
};
static const ArmillaResultColumn rows[] = { { "number", "", ARMILLA_COLUMN_INT64, patch },
                                            { "mag", "mag", ARMILLA_COLUMN_DOUBLE, mag },
                                            { "name", "", ARMILLA_COLUMN_STRING, texts } };

static ArmillaResult *
result_of (ArmillaFlow *flow, const char *name)
{
  for (gint64 i = 0; i < armilla_flow_n_results (flow); i++)
    {
      ArmillaResult *result = armilla_flow_result (flow, i);

      if (g_str_equal (result->name, name))
        return result;
      armilla_result_free (result);
    }
  g_assert_not_reached ();
}

static void
test_columns (void)
{
  ArmillaFlowInput objects = { .kind = ARMILLA_FLOW_CATALOGUE, .coordinates = "G", .n_rows = 3,
                               .n_columns = 4, .columns = stars };
  ArmillaFlowInput table = { .kind = ARMILLA_FLOW_TABLE, .n_rows = 3, .n_columns = 3,
                             .columns = rows };
  ArmillaSession *session = armilla_session_new (NULL);
  ArmillaFlow *flow = new_flow ("[map]\nstage = bin-catalogue\ncatalogue = stars\nnside = 1\n");
  ArmillaFailure failure;
  ArmillaResult *result;

  assert_ok (armilla_flow_give (flow, "stars", &objects, 1, &failure), &failure);
  assert_ok (armilla_flow_give (flow, "rows", &table, 1, &failure), &failure);
  armilla_flow_ask (flow, "stars");
  armilla_flow_ask (flow, "rows");
  assert_ok (armilla_flow_run (flow, session, FALSE, &failure), &failure);
  result = result_of (flow, "stars");
  g_assert_cmpint (result->kind, ==, ARMILLA_FLOW_CATALOGUE);
  g_assert_cmpstr (result->coordinates, ==, "G");
  g_assert_cmpint (result->n_columns, ==, 5);
  g_assert_cmpint (result->n_rows, ==, 3);
  for (int i = 0; i < 3; i++)
    {
      const double *x = result->columns[0].values, *y = result->columns[1].values;
      const double *z = result->columns[2].values;

      g_assert_cmpfloat (fabs (x[i] - (i == 0 ? M_SQRT1_2 : -M_SQRT1_2)), <, 1e-15);
      g_assert_cmpfloat (fabs (y[i] - (i == 2 ? -M_SQRT1_2 : M_SQRT1_2)), <, 1e-15);
      g_assert_cmpfloat (z[i], ==, 0);
    }
  g_assert_cmpstr (result->columns[3].name, ==, "PATCH");
  g_assert_cmpmem (result->columns[3].values, sizeof patch, patch, sizeof patch);
  g_assert_cmpstr (result->columns[4].unit, ==, "mag");
  g_assert_cmpmem (result->columns[4].values, sizeof mag, mag, sizeof mag);
  g_assert_cmpint (result->n_places, ==, 4);
  armilla_result_free (result);
  assert_ok (armilla_flow_run (flow, session, FALSE, &failure), &failure);
  result = result_of (flow, "rows");
  g_assert_cmpint (result->kind, ==, ARMILLA_FLOW_TABLE);
  g_assert_cmpmem (result->columns[1].values, sizeof mag, mag, sizeof mag);
  g_assert_cmpstr (((const char *const *) result->columns[2].values)[2], ==, "three");
  g_assert_cmpstr (((const char *const *) result->columns[2].values)[1], ==, "");
  armilla_result_free (result);
  armilla_flow_free (flow);
  armilla_session_free (session);
}

static void
test_wrong_columns (void)
{
  static const struct { ArmillaResultColumn column; const char *begin, *part; } wrong[] = {
    { { "latitude", "", ARMILLA_COLUMN_DOUBLE, latitude }, "stars: longitude: ", "no such" },
    { { "x", "", ARMILLA_COLUMN_DOUBLE, latitude }, "stars: y: ", "no such" },
    { { "longitude", "", ARMILLA_COLUMN_INT64, patch }, "stars: longitude: ", "double" },
    { { "patch", "", ARMILLA_COLUMN_DOUBLE, mag }, "stars: patch: ", "integers" },
    { { "mag", "", ARMILLA_COLUMN_DOUBLE, NULL }, "stars: mag: ", "values is NULL" },
    { { "", "", ARMILLA_COLUMN_DOUBLE, mag }, "stars: columns: ", "no name" },
    { { "g1", "", ARMILLA_COLUMN_DOUBLE, mag }, "stars: g1, g2: ", "both" },
  };
  ArmillaFlow *flow = new_flow (text);
  ArmillaFlowInput input = { .kind = ARMILLA_FLOW_CATALOGUE, .n_rows = 3, .n_columns = 1 };
  ArmillaResultColumn columns[] = { stars[0], stars[1], stars[1] };
  ArmillaFailure failure;

  for (gsize i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      input.columns = &wrong[i].column;
      assert_says (armilla_flow_give (flow, "stars", &input, 1, &failure), ARMILLA_STATUS_ARGUMENT,
                   flow, wrong[i].begin, wrong[i].part);
    }
  input.columns = columns;
  input.n_columns = 3;
  assert_says (armilla_flow_give (flow, "stars", &input, 1, &failure), ARMILLA_STATUS_ARGUMENT,
               flow, "stars: latitude: ", "two columns");
  input.n_columns = 2;
  columns[0].unit = "parsec";
  assert_says (armilla_flow_give (flow, "stars", &input, 1, &failure), ARMILLA_STATUS_ARGUMENT,
               flow, "stars: longitude: ", "not a unit of angle");
  columns[0].unit = "rad";
  input.coordinates = "X";
  assert_says (armilla_flow_give (flow, "stars", &input, 1, &failure), ARMILLA_STATUS_ARGUMENT,
               flow, "stars: coordinates: ", "\"G\", \"E\" or \"C\"");
  armilla_flow_free (flow);
}

/* Beside angles, and as a second column of its name, z is a further column like any other. */
static void
test_redshift (void)
{
  static const double one[] = { 1, 1, 1 }, zero[] = { 0, 0, 0 }, nan[] = { 0, NAN, 0 };
  static const ArmillaResultColumn angles[] = { LONGITUDE, LATITUDE,
                                                { "z", "", ARMILLA_COLUMN_DOUBLE, mag } },
    vectors[] = { { "z", "", ARMILLA_COLUMN_DOUBLE, zero },
                  { "y", "", ARMILLA_COLUMN_DOUBLE, zero },
                  { "x", "", ARMILLA_COLUMN_DOUBLE, one },
                  { "z", "", ARMILLA_COLUMN_DOUBLE, mag },
                  { "z", "", ARMILLA_COLUMN_DOUBLE, mag } },
    weights[] = { LONGITUDE, LATITUDE, { "weight", "", ARMILLA_COLUMN_DOUBLE, nan } };
  ArmillaFlowInput given = { .kind = ARMILLA_FLOW_CATALOGUE, .n_rows = 3, .n_columns = 3,
                             .columns = angles };
  ArmillaSession *session = armilla_session_new (NULL);
  ArmillaFlow *flow = new_flow ("[map]\nstage = bin-catalogue\ncatalogue = stars\nnside = 1\n");
  ArmillaFailure failure;

  for (int i = 0; i < 2; i++)
    {
      ArmillaResult *result;

      assert_ok (armilla_flow_give (flow, "stars", &given, 1, &failure), &failure);
      armilla_flow_ask (flow, "stars");
      assert_ok (armilla_flow_run (flow, session, FALSE, &failure), &failure);
      result = result_of (flow, "stars");
      g_assert_cmpint (result->n_columns, ==, 4);
      g_assert_cmpint (result->n_places, ==, 3);
      g_assert_cmpmem (result->columns[2].values, sizeof zero, zero, sizeof zero);
      g_assert_cmpstr (result->columns[3].name, ==, "z");
      g_assert_cmpmem (result->columns[3].values, sizeof mag, mag, sizeof mag);
      armilla_result_free (result);
      given.columns = vectors;
      given.n_columns = 4;
    }
  given.n_columns = 5;
  assert_says (armilla_flow_give (flow, "stars", &given, 1, &failure), ARMILLA_STATUS_ARGUMENT,
               flow, "stars: z: ", "two columns");
  given.n_columns = 3;
  given.columns = weights;
  assert_says (armilla_flow_give (flow, "stars", &given, 1, &failure), ARMILLA_STATUS_ARGUMENT,
               flow, "stars: ", "weight");
  armilla_flow_free (flow);
  armilla_session_free (session);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/flow/monopole", test_monopole);
  g_test_add_func ("/flow/short-forms", test_short_forms);
  g_test_add_func ("/flow/stopped", test_stopped);
  g_test_add_func ("/flow/wrong", test_wrong);
  g_test_add_func ("/flow/columns", test_columns);
  g_test_add_func ("/flow/wrong-columns", test_wrong_columns);
  g_test_add_func ("/flow/redshift", test_redshift);
  return g_test_run ();
}
