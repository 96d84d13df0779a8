/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values of a_lm at points through the task graph, against sums in quadruple precision, and the
 * adjoint, by its definition. */
#include "core/catalogues/catalogue.h"
#include "tasks/data/objects.h"
#include "tasks/points/points.h"
#include "tests/legendre/spin-reference.h"
#include "tests/lib/transform-helpers.h"

#include <math.h>

#define MAX_FIELDS 5

typedef struct {
  int n;
  int spins[MAX_FIELDS];
} Fields;

static const Fields scalar = { 1, { 0 } }, vector = { 2, { 1, 1 } };
static const Fields mixed = { 5, { 2, 2, 0, 3, 3 } };

typedef struct {
  gint64 n;
  double *theta, *phi;
  ArmillaCatalogue *catalogue;
} Points;

/* Random points; the first are at the poles or close to them. */
static void
points_init (Points *p, gint64 n)
{
  static const double near[] = { 0, 1e-12, 1e-9, 1e-4 };
  g_autoptr (GRand) random = g_rand_new_with_seed (5);
  g_autoptr (GError) error = NULL;

  *p = (Points) { n, g_new (double, n + 1), g_new (double, n + 1),
                  armilla_catalogue_new (n, 0, &error) };
  g_assert_no_error (error);
  for (gint64 i = 0; i < n; i++)
    {
      const double angle = i < 24 ? near[i % 4] : acos (g_rand_double_range (random, -1, 1));
      const int south = i < 24 && i % 8 >= 4;

      p->phi[i] = i < 24 && i % 4 == 0 ? 0 : g_rand_double_range (random, -G_PI, G_PI);
      p->theta[i] = angle;
      p->catalogue->x[i] = sin (angle) * cos (p->phi[i]);
      p->catalogue->y[i] = sin (angle) * sin (p->phi[i]);
      p->catalogue->z[i] = south ? -cos (angle) : cos (angle);
      if (south)
        p->theta[i] = -angle; /* counted from the south pole */
    }
}

static void
points_clear (Points *p)
{
  g_free (p->theta);
  g_free (p->phi);
  armilla_catalogue_unref (p->catalogue);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Points, points_clear)

/* Random a_lm without multipoles below the spins. */
static double *
alm_new (ArmillaAlmLayout layout, const Fields *fields, guint32 seed)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);
  const gint64 count = armilla_alm_count (layout);
  double *alm = random_alm_array (random, layout, fields->n);

  for (int f = 0; f < fields->n; f++)
    for (gint64 m = 0; m <= layout.mmax; m++)
      for (gint64 l = m; l < MIN (fields->spins[f], layout.lmax + 1); l++)
        for (int i = 0; i < 2; i++)
          alm[2 * (f * count + armilla_alm_index (layout.lmax, l, m)) + i] = 0;
  return alm;
}

/* Adds an order to the values of one field or of a pair at all points. */
static void
add_order (const SpinDirect *d, const double *e, const double *b, const Points *p, double *values)
{
  for (gint64 i = 0; i < p->n; i++)
    {
      const Quad angle = fabs (p->theta[i]), small = 1e-16;
      const Quad sine = angle == 0 ? small : (Quad) sinl ((long double) angle);
      const Quad cosine = delta_sqrt (1 - sine * sine) * (angle > G_PI / 2 ? -1 : 1);
      const long double phi = (long double) d->m * p->phi[i];
      Quad modes[4];

      spin_direct_sum (d, e, b, signbit (p->theta[i]) ? -cosine : cosine, sine, modes);
      for (int part = 0; part < (d->s == 0 ? 1 : 2); part++)
        values[part * p->n + i]
          += (double) ((d->m ? 2 : 1) * (d->s == 0 ? -1 : 1)
                       * ((long double) modes[2 * part] * cosl (phi)
                          - (long double) modes[2 * part + 1] * sinl (phi)));
    }
}

static double *
direct_values (ArmillaAlmLayout layout, const double *alm, const Fields *fields, const Points *p)
{
  const gint64 count = armilla_alm_count (layout);
  g_autofree double *zero = g_new0 (double, 2 * (layout.lmax + 1));
  double *values = g_new0 (double, p->n * fields->n);

  for (int f = 0; f < fields->n; f += fields->spins[f] ? 2 : 1)
    for (gint64 m = 0; m <= layout.mmax; m++)
      {
        const double *e
          = alm + 2 * (f * count + armilla_alm_index (layout.lmax, m, m));
        g_auto (SpinDirect) d;

        spin_direct_init (&d, layout.lmax, m, fields->spins[f]);
        add_order (&d, e, fields->spins[f] ? e + 2 * count : zero, p, values + f * p->n);
      }
  return values;
}

/* Objects of a catalogue with @n columns, whose values are @values if they are given. */
static ArmillaObjects *
objects_new (const ArmillaCatalogue *points, int n, const double *values)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ArmillaCatalogue) like = armilla_catalogue_new (0, 0, &error);
  g_autoptr (ArmillaCatalogue) all = armilla_catalogue_copy (points, 0, &error);
  ArmillaObjects *objects;

  g_assert_no_error (error);
  for (int f = 0; f < n; f++)
    {
      g_autofree char *name = g_strdup_printf ("f%d", f);
      double *column = armilla_catalogue_add_value (all, name, "", &error);

      g_assert_nonnull (column);
      g_assert_nonnull (armilla_catalogue_add_value (like, name, "", &error));
      if (values)
        memcpy (column, values + f * points->n, sizeof *column * (gsize) points->n);
    }
  objects = armilla_objects_new_like (like);
  armilla_objects_set_catalogue (objects, all);
  return objects;
}

static double *
at_points (ArmillaAlmLayout layout, double *alm, const Fields *fields, const Points *p,
           double epsilon, const ArmillaTilingOptions *tiling)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ArmillaGraph) graph = armilla_graph_new (runtime, tiling, &error);
  g_autoptr (ArmillaAlm) in = armilla_alm_new (layout, fields->n);
  g_autoptr (ArmillaObjects) points = objects_new (p->catalogue, 0, NULL);
  g_autoptr (ArmillaObjects) out = objects_new (p->catalogue, fields->n, NULL);
  WholeAlm whole = { alm, layout };
  double *values = g_new (double, p->n * fields->n + 1);
  ArmillaCatalogue *made;

  armilla_alm_set_spins (in, fields->spins);
  armilla_graph_fill (graph, ARMILLA_DATA (in), whole_alm_fill, &whole, NULL, &error);
  armilla_graph_points (graph, in, points, epsilon, out, &error);
  g_assert_no_error (error);
  armilla_graph_wait (graph, &error);
  g_assert_no_error (error);
  made = armilla_objects_catalogue (out, &error);
  g_assert_cmpint (made->n_values, ==, fields->n);
  for (int f = 0; f < fields->n; f++)
    memcpy (values + f * p->n, made->values[f].value, sizeof *values * (gsize) p->n);
  return values;
}

static double *
adjoint (ArmillaAlmLayout layout, const double *values, const Fields *fields, const Points *p,
         double epsilon, const ArmillaTilingOptions *tiling)
{
  static const int columns[] = { 0, 1, 2, 3, 4 };
  g_autoptr (GError) error = NULL;
  g_autoptr (ArmillaGraph) graph = armilla_graph_new (runtime, tiling, &error);
  g_autoptr (ArmillaAlm) out = armilla_alm_new (layout, fields->n);
  g_autoptr (ArmillaObjects) points = objects_new (p->catalogue, fields->n, values);
  WholeAlm result = { g_new (double, 2 * armilla_alm_count (layout) * fields->n), layout };

  armilla_alm_set_spins (out, fields->spins);
  armilla_graph_adjoint_points (graph, points, columns, epsilon, NULL, out, &error);
  g_assert_no_error (error);
  armilla_graph_drain (graph, ARMILLA_DATA (out), whole_alm_take, NULL, &result, NULL, &error);
  armilla_graph_wait (graph, &error);
  g_assert_no_error (error);
  return result.values;
}

/* rms and maximum of the error of each field, relative to its rms, in units of epsilon */
static void
check_errors (const double *values, const double *expected, const Fields *fields, gint64 n,
              double epsilon)
{
  for (int f = 0; f < fields->n; f++)
    {
      double errors = 0, norm = 0, worst = 0;

      for (gint64 i = f * n; i < (f + 1) * n; i++)
        {
          const double error = fabs (values[i] - expected[i]);

          g_assert_true (isfinite (values[i]));
          errors += error * error;
          norm += expected[i] * expected[i];
          worst = MAX (worst, error);
        }
      norm = sqrt (norm / (double) n);
      errors = sqrt (errors / (double) n);
      g_test_message ("field %d, spin %d, epsilon %g: rms %.2g, max %.2g", f, fields->spins[f],
                      epsilon, errors / norm, worst / norm);
      g_assert_cmpfloat (errors, <=, epsilon * norm);
      g_assert_cmpfloat (worst, <=, 5 * epsilon * norm);
    }
}

static void
test_cases (void)
{
  static const struct {
    gint64 lmax, mmax, n;
    const Fields *fields;
    double epsilon[3];
  } cases[] = { { 2, 2, 60, &vector, { 1e-3, 1e-7, 2e-13 } },
                { 3, 1, 60, &mixed, { 1e-5, 1e-9, 2e-13 } },
                { 31, 31, 120, &mixed, { 1e-3, 1e-7, 2e-13 } },
                { 31, 12, 120, &vector, { 1e-5, 1e-11, 2e-13 } },
                { 200, 200, 60, &scalar, { 1e-3, 1e-7, 2e-13 } },
                { 200, 90, 40, &mixed, { 1e-5, 1e-9, 2e-13 } } };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const ArmillaAlmLayout layout = { cases[i].lmax, cases[i].mmax };
      g_autofree double *alm = alm_new (layout, cases[i].fields, 3 + (guint32) i);
      g_autofree double *expected = NULL;
      g_auto (Points) p = { 0 };

      points_init (&p, cases[i].n);
      expected = direct_values (layout, alm, cases[i].fields, &p);
      for (int k = 0; k < 3; k++)
        {
          g_autofree double *values
            = at_points (layout, alm, cases[i].fields, &p, cases[i].epsilon[k], NULL);

          g_test_message ("lmax %d, mmax %d", (int) layout.lmax, (int) layout.mmax);
          check_errors (values, expected, cases[i].fields, p.n, cases[i].epsilon[k]);
        }
    }
}

/* <A x, y> = <x, A' y>, for each field alone, and many cuts of rings and orders. */
static void
test_adjoint (void)
{
  static const ArmillaTilingOptions tilings[] = { { 0 }, { .ring_block = 3, .m_blocks = 5 } };
  const ArmillaAlmLayout layout = { 40, 33 };
  g_autoptr (GRand) random = g_rand_new_with_seed (8);
  g_auto (Points) p = { 0 };

  points_init (&p, 3000);
  for (gsize k = 0; k < G_N_ELEMENTS (tilings); k++)
    {
      g_autofree double *alm = alm_new (layout, &mixed, 6);
      g_autofree double *y = random_map_array (random, p.n * mixed.n);
      g_autofree double *forward = at_points (layout, alm, &mixed, &p, 1e-4, &tilings[k]);
      g_autofree double *back = adjoint (layout, y, &mixed, &p, 1e-4, &tilings[k]);
      long double left = 0, right = alm_inner_product (alm, back, layout, mixed.n);

      for (gint64 i = 0; i < p.n * mixed.n; i++)
        left += (long double) forward[i] * y[i];
      g_test_message ("%.15Lg, relative difference %.2Lg", left, (right - left) / left);
      g_assert_cmpfloat ((double) fabsl (right - left), <=, 1e-13 * (double) fabsl (left));
    }
}

/* The same bits again. */
static void
test_again (void)
{
  const ArmillaAlmLayout layout = { 100, 100 };
  g_autofree double *alm = alm_new (layout, &mixed, 6), *first = NULL, *back = NULL;
  g_auto (Points) p = { 0 };

  points_init (&p, 20000);
  first = at_points (layout, alm, &mixed, &p, 1e-7, NULL);
  back = adjoint (layout, first, &mixed, &p, 1e-7, NULL);
  for (int i = 0; i < 3; i++)
    {
      g_autofree double *values = at_points (layout, alm, &mixed, &p, 1e-7, NULL);
      g_autofree double *alm_again = adjoint (layout, values, &mixed, &p, 1e-7, NULL);
      const gsize size = sizeof (double) * 2 * (gsize) armilla_alm_count (layout) * mixed.n;

      g_assert_cmpmem (values, sizeof (double) * (gsize) (p.n * mixed.n), first,
                       sizeof (double) * (gsize) (p.n * mixed.n));
      g_assert_cmpmem (alm_again, size, back, size);
    }
}

/* Points that share a cell, one point, none. */
static void
test_few (void)
{
  const ArmillaAlmLayout layout = { 12, 12 };
  g_autofree double *alm = alm_new (layout, &vector, 6);

  for (gint64 n = 0; n <= 1; n++)
    {
      g_autofree double *expected = NULL, *values = NULL, *back = NULL;
      g_auto (Points) p = { 0 };

      points_init (&p, n);
      expected = direct_values (layout, alm, &vector, &p);
      values = at_points (layout, alm, &vector, &p, 1e-9, NULL);
      for (gint64 i = 0; i < 2 * n; i++)
        g_assert_cmpfloat (fabs (values[i] - expected[i]), <=, 1e-8);
      back = adjoint (layout, values, &vector, &p, 1e-9, NULL);
      for (gint64 i = 0; n == 0 && i < 4 * armilla_alm_count (layout); i++)
        g_assert_true (back[i] == 0);
    }
}

static void
expect_error (const Points *p, double epsilon, const double *values, ArmillaError code,
              const char *message)
{
  static const int columns[] = { 0, 1 };
  g_autoptr (GError) error = NULL;
  g_autoptr (ArmillaGraph) graph = armilla_graph_new (runtime, NULL, &error);
  g_autoptr (ArmillaAlm) alm = armilla_alm_new ((ArmillaAlmLayout) { 4, 4 }, 1);
  g_autoptr (ArmillaObjects) points = objects_new (p->catalogue, 1, values);

  if (armilla_graph_adjoint_points (graph, points, columns, epsilon, NULL, alm, &error))
    armilla_graph_wait (graph, &error);
  g_assert_error (error, ARMILLA_ERROR, (int) code);
  g_assert_nonnull (strstr (error->message, message));
}

static void
test_errors (void)
{
  g_auto (Points) p = { 0 };
  double values[30] = { 0 };

  points_init (&p, 30);
  expect_error (&p, 1e-2, values, ARMILLA_ERROR_VALUE, "epsilon");
  expect_error (&p, 1e-13, values, ARMILLA_ERROR_VALUE, "epsilon");
  expect_error (&p, NAN, values, ARMILLA_ERROR_VALUE, "epsilon");
  values[6] = NAN;
  expect_error (&p, 1e-7, values, ARMILLA_ERROR_NUMERIC, "object 7");
  values[6] = 0;
  p.catalogue->y[8] = NAN;
  expect_error (&p, 1e-7, values, ARMILLA_ERROR_NUMERIC, "object 9");
}

int
main (int argc, char *argv[])
{
  start_tests (&argc, &argv);
  g_test_add_func ("/points-graph/cases", test_cases);
  g_test_add_func ("/points-graph/adjoint", test_adjoint);
  g_test_add_func ("/points-graph/again", test_again);
  g_test_add_func ("/points-graph/few", test_few);
  g_test_add_func ("/points-graph/errors", test_errors);
  return run_tests ();
}
