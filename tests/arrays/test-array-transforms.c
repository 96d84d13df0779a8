/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Transforms of arrays: against direct sums, by identities, and however the arrays lie. */
#include "tests/arrays/array-helpers.h"
#include "tests/harmonic/direct-synthesis.h"

#include <math.h>

static ArmillaSession *session;
static ArmillaFailure failure;

/* A plan, with arrays of its shape. */
typedef struct {
  ArmillaPlan *plan;
  ArmillaAlmLayout layout;
  int spins[8]; /* of the components */
  gint64 n_alm, n_map, n_rows; /* numbers of a component; components of all copies */
} Case;

static Case
make_case (ArmillaPlanShape shape)
{
  Case c = { .layout = { shape.lmax, shape.mmax } };
  int n = 0;

  assert_ok (armilla_plan_new (session, &shape, &c.plan, &failure), &failure);
  for (int copy = 0; copy < shape.copies; copy++)
    for (int i = 0; i < shape.n_spins; i++)
      for (int part = 0; part < (shape.spins[i] > 0 ? 2 : 1); part++)
        c.spins[n++] = shape.spins[i];
  c.n_alm = armilla_plan_n_alm (c.plan);
  c.n_map = armilla_plan_n_pixels (c.plan);
  c.n_rows = n;
  g_assert_cmpint (n, ==, shape.copies * armilla_plan_n_components (c.plan));
  return c;
}

static const int scalar[] = { 0 };

/* One ring after the other, by sums over l and m in long double. */
static void
test_direct (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  const ArmillaPlanShape shape = { .geometry = ARMILLA_GRID_HEALPIX, .nside = 4, .lmax = 11,
                                   .mmax = 9, .spins = scalar, .n_spins = 1, .copies = 2 };
  Case c = make_case (shape);
  g_autoptr (ArmillaGrid) grid = armilla_grid_new_healpix (4, NULL);
  g_autofree double *alm = random_alm (rand, c.layout, c.n_rows, c.spins);
  g_autofree double *map = g_new0 (double, c.n_map * c.n_rows);
  const ArmillaArray in = plain (alm, 2, 1, c.n_alm, TRUE), out = plain (map, 2, 1, c.n_map, FALSE);

  assert_ok (armilla_plan_synthesis (c.plan, &in, &out, &failure), &failure);
  for (int copy = 0; copy < 2; copy++)
    for (gint64 p = 0; p < grid->n_pairs; p++)
      {
        g_autofree DirectMode *modes
          = direct_modes (grid, c.layout, alm + 2 * copy * c.n_alm, &p, 1);
        const gint64 sides[] = { grid->pairs[p].north, grid->pairs[p].south };

        for (int side = 0; side < 2; side++)
          for (gint64 j = 0; sides[side] >= 0 && j < grid->rings[sides[side]].n_phi; j++)
            {
              const ArmillaRing *ring = &grid->rings[sides[side]];
              const long double value
                = direct_pixel (ring, c.layout.mmax, modes + side * (c.layout.mmax + 1), j);

              g_assert_cmpfloat (fabs (map[copy * c.n_map + ring->offset + j] - (double) value), <,
                                 1e-13);
            }
      }
  armilla_plan_free (c.plan);
}

typedef enum { SYNTHESIS, ANALYSIS, GRADIENT } Operation;

/* |<A x, y> - <x, A' y>| over the norms. */
static double
adjoint_error (Case *c, const ArmillaPlanShape *shape, Operation what, GRand *rand)
{
  const gint64 copies = shape->copies, alm_rows = what == GRADIENT ? copies : c->n_rows;
  const gint64 n_alm_parts = alm_rows / copies, n_parts = c->n_rows / copies;
  const int zeros[8] = { 0 };
  g_autofree double *x
    = random_alm (rand, c->layout, alm_rows, what == GRADIENT ? zeros : c->spins);
  g_autofree double *y = random_numbers (rand, c->n_map * c->n_rows);
  g_autofree double *ax = g_new0 (double, c->n_map * c->n_rows);
  g_autofree double *aty = g_new0 (double, 2 * c->n_alm * alm_rows);
  const ArmillaArray x_array = plain (x, copies, n_alm_parts, c->n_alm, TRUE),
                     aty_array = plain (aty, copies, n_alm_parts, c->n_alm, TRUE),
                     y_array = plain (y, copies, n_parts, c->n_map, FALSE),
                     ax_array = plain (ax, copies, n_parts, c->n_map, FALSE);
  long double left, right;

  if (what == SYNTHESIS)
    {
      assert_ok (armilla_plan_synthesis (c->plan, &x_array, &ax_array, &failure), &failure);
      assert_ok (armilla_plan_adjoint_synthesis (c->plan, &y_array, &aty_array, &failure),
                 &failure);
    }
  else if (what == ANALYSIS)
    {
      assert_ok (armilla_plan_adjoint_analysis (c->plan, &x_array, &ax_array, &failure), &failure);
      assert_ok (armilla_plan_analysis (c->plan, &y_array, &aty_array, NULL, &failure), &failure);
    }
  else
    {
      assert_ok (armilla_plan_gradient (c->plan, &x_array, &ax_array, &failure), &failure);
      assert_ok (armilla_plan_adjoint_gradient (c->plan, &y_array, &aty_array, &failure),
                 &failure);
    }
  left = product (ax, y, c->n_map * c->n_rows);
  right = alm_product (x, aty, c->layout, alm_rows);
  g_assert_cmpfloat (product (ax, ax, c->n_map * c->n_rows), >, 0);
  return (double) (fabsl (left - right)
                   / sqrtl (product (ax, ax, c->n_map * c->n_rows)
                            * product (y, y, c->n_map * c->n_rows)));
}

static void
test_adjoints (void)
{
  static const int spins[][2] = { { 0 }, { 1 }, { 2 }, { 3 }, { 0, 2 } };
  static const int n_spins[] = { 1, 1, 1, 1, 2 };
  static const double theta[] = { 0.3, 1.1, 2.0 }, phi0[] = { 0, 0.1, -0.2 },
                      weight[] = { 0.5, 0.25, 2 };
  static const gint64 n_phi[] = { 9, 20, 15 }, first[] = { 20, 0, 29 };
  static const ArmillaRings rings
    = { .n = 3, .theta = theta, .phi0 = phi0, .weight = weight, .n_phi = n_phi, .first = first };
  static const double ring_weights[] = { 1.01, 0.99, 1.02, 0.98, 1.03, 0.97, 1.04, 0.96,
                                         1.05, 0.95, 1.06, 0.94, 1.07, 0.93, 1.08, 0.92 };
  const ArmillaPlanShape shapes[] = {
    { .geometry = ARMILLA_GRID_HEALPIX, .nside = 8, .lmax = 23, .mmax = 23 },
    { .geometry = ARMILLA_GRID_HEALPIX, .nside = 8, .lmax = 20, .mmax = 11,
      .ring_weights = ring_weights, .n_ring_weights = G_N_ELEMENTS (ring_weights) },
    { .geometry = ARMILLA_GRID_GAUSS_LEGENDRE, .n_theta = 12, .n_phi = 24, .lmax = 11,
      .mmax = 11 },
    { .geometry = ARMILLA_GRID_FEJER1, .n_theta = 24, .n_phi = 23, .lmax = 11, .mmax = 10 },
    { .geometry = ARMILLA_GRID_FEJER1, .n_theta = 12, .n_phi = 23, .lmax = 11, .mmax = 10 },
    { .geometry = ARMILLA_GRID_CLENSHAW_CURTIS, .n_theta = 13, .n_phi = 24, .lmax = 11,
      .mmax = 11 },
    { .geometry = ARMILLA_GRID_CLENSHAW_CURTIS, .n_theta = 25, .n_phi = 24, .lmax = 12,
      .mmax = 0 },
    { .geometry = ARMILLA_GRID_DRISCOLL_HEALY, .n_theta = 24, .n_phi = 9, .lmax = 11,
      .mmax = 11 },
    { .geometry = ARMILLA_GRID_RINGS, .rings = &rings, .lmax = 6, .mmax = 4 },
  };
  g_autoptr (GRand) rand = g_rand_new_with_seed (2);

  for (gsize i = 0; i < G_N_ELEMENTS (shapes); i++)
    for (gsize s = 0; s < G_N_ELEMENTS (spins); s++)
      {
        ArmillaPlanShape shape = shapes[i];
        Case c;

        shape.spins = spins[s];
        shape.n_spins = n_spins[s];
        shape.copies = 1 + (int) s % 2;
        c = make_case (shape);
        for (Operation what = SYNTHESIS; what <= (spins[s][0] == 1 ? GRADIENT : ANALYSIS); what++)
          {
            double error = adjoint_error (&c, &shape, what, rand);

            g_test_message ("grid %d, spin %d, operation %d: %.2g", (int) i, spins[s][0],
                            (int) what, error);
            g_assert_cmpfloat (error, <, 1e-13);
          }
        armilla_plan_free (c.plan);
      }
}

/* A quadrature that is exact gives the a_lm back; conjugate gradients and iterations do, too. */
static void
test_round_trip (void)
{
  static const int iqu[] = { 0, 2 };
  static const ArmillaAnalysis ways[]
    = { { 0 }, { .iterations = 2 }, { .tolerance = 1e-14, .max_iterations = 50 } };
  const ArmillaPlanShape shape
    = { .geometry = ARMILLA_GRID_GAUSS_LEGENDRE, .n_theta = 33, .n_phi = 65, .lmax = 32,
        .mmax = 32, .spins = iqu, .n_spins = 2, .copies = 2 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);
  Case c = make_case (shape);
  g_autofree double *alm = random_alm (rand, c.layout, c.n_rows, c.spins);
  g_autofree double *map = g_new0 (double, c.n_map * c.n_rows);
  const ArmillaArray in = plain (alm, 2, 3, c.n_alm, TRUE),
                     pixels = plain (map, 2, 3, c.n_map, FALSE);

  assert_ok (armilla_plan_synthesis (c.plan, &in, &pixels, &failure), &failure);
  for (gsize i = 0; i < G_N_ELEMENTS (ways); i++)
    {
      g_autofree double *back = g_new0 (double, 2 * c.n_alm * c.n_rows);
      const ArmillaArray out = plain (back, 2, 3, c.n_alm, TRUE);

      assert_ok (armilla_plan_analysis (c.plan, &pixels, &out, &ways[i], &failure), &failure);
      for (gint64 k = 0; k < 2 * c.n_alm * c.n_rows; k++)
        g_assert_cmpfloat (fabs (back[k] - alm[k]), <, 1e-12);
    }
  armilla_plan_free (c.plan);
}

/* cos theta has the gradient (-sin theta, 0); sin theta cos phi (cos theta cos phi, -sin phi). */
static void
test_gradient (void)
{
  static const int one[] = { 1 };
  const ArmillaPlanShape shape = { .geometry = ARMILLA_GRID_HEALPIX, .nside = 4, .lmax = 3,
                                   .mmax = 3, .spins = one, .n_spins = 1, .copies = 2 };
  Case c = make_case (shape);
  g_autoptr (ArmillaGrid) grid = armilla_grid_new_healpix (4, NULL);
  g_autofree double *alm = g_new0 (double, 2 * 2 * c.n_alm);
  g_autofree double *map = g_new0 (double, c.n_map * c.n_rows);
  const ArmillaArray in = plain (alm, 2, 1, c.n_alm, TRUE), out = plain (map, 2, 2, c.n_map, FALSE);

  alm[2 * 1] = sqrt (4 * G_PI / 3);
  alm[2 * (c.n_alm + armilla_alm_index (3, 1, 1))] = -sqrt (2 * G_PI / 3);
  assert_ok (armilla_plan_gradient (c.plan, &in, &out, &failure), &failure);
  for (gint64 p = 0; p < c.n_map; p++)
    {
      double v[3], phi;

      armilla_grid_pixel_vector (grid, p, v);
      phi = atan2 (v[1], v[0]);
      g_assert_cmpfloat (fabs (map[p] + hypot (v[0], v[1])), <, 1e-13);
      g_assert_cmpfloat (fabs (map[c.n_map + p]), <, 1e-13);
      g_assert_cmpfloat (fabs (map[2 * c.n_map + p] - v[2] * cos (phi)), <, 1e-13);
      g_assert_cmpfloat (fabs (map[3 * c.n_map + p] + sin (phi)), <, 1e-13);
    }
  armilla_plan_free (c.plan);
}

/* A copy of an array elsewhere: of another type, with holes, backwards, copies innermost. */
typedef struct {
  ArmillaArrayType type;
  gboolean backwards, inside_out;
  int holes;
} Lie;

static ArmillaArray
lay (const ArmillaArray *from, gboolean complex, const Lie *lie, char **memory)
{
  const gint64 real = lie->type == ARMILLA_FLOAT64 ? 8 : 4, size = (complex ? 2 : 1) * real,
               n = from->shape[2], parts = from->shape[1], copies = from->shape[0];
  ArmillaArray to = *from;

  to.type = lie->type;
  if (lie->inside_out)
    {
      to.strides[0] = size * (1 + lie->holes);
      to.strides[1] = to.strides[0] * copies * n;
      to.strides[2] = to.strides[0] * copies;
    }
  else
    {
      to.strides[2] = size * (1 + lie->holes);
      to.strides[1] = to.strides[2] * n;
      to.strides[0] = to.strides[1] * parts;
    }
  *memory = g_malloc0 ((gsize) (size * (1 + lie->holes) * n * parts * copies));
  to.data = *memory;
  if (lie->backwards)
    {
      to.data = *memory + (n - 1) * to.strides[2];
      to.strides[2] = -to.strides[2];
    }
  return to;
}

static double
get (const ArmillaArray *array, gint64 copy, gint64 part, gint64 i, int re_im)
{
  const char *at = (const char *) array->data + copy * array->strides[0] + part * array->strides[1]
                   + i * array->strides[2];

  return array->type == ARMILLA_FLOAT64 ? ((const double *) at)[re_im]
                                        : (double) ((const float *) at)[re_im];
}

static void
set (const ArmillaArray *array, gint64 copy, gint64 part, gint64 i, int re_im, double value)
{
  char *at = (char *) array->data + copy * array->strides[0] + part * array->strides[1]
             + i * array->strides[2];

  if (array->type == ARMILLA_FLOAT64)
    ((double *) at)[re_im] = value;
  else
    ((float *) at)[re_im] = (float) value;
}

/* The largest difference, after the numbers of @from were put to @to where @put. */
static double
go_over (const ArmillaArray *from, const ArmillaArray *to, gboolean complex, gboolean put)
{
  double worst = 0;

  for (gint64 copy = 0; copy < from->shape[0]; copy++)
    for (gint64 part = 0; part < from->shape[1]; part++)
      for (gint64 i = 0; i < from->shape[2]; i++)
        for (int re_im = 0; re_im < (complex ? 2 : 1); re_im++)
          {
            double value = get (from, copy, part, i, re_im);

            if (put)
              set (to, copy, part, i, re_im, value);
            worst = MAX (worst, fabs (get (to, copy, part, i, re_im) - value));
          }
  return worst;
}

static void
test_lie (gconstpointer user)
{
  const Lie *lie = user;
  static const int iqu[] = { 0, 2 };
  const ArmillaPlanShape shape = { .geometry = ARMILLA_GRID_HEALPIX, .nside = 8, .lmax = 16,
                                   .mmax = 16, .spins = iqu, .n_spins = 2, .copies = 3 };
  const double bound = lie->type == ARMILLA_FLOAT64 ? 0 : 2e-5; /* of numbers up to about 20 */
  g_autoptr (GRand) rand = g_rand_new_with_seed (4);
  g_autofree double *alm = NULL, *map = NULL, *back = NULL;
  g_autofree char *alm_memory = NULL, *map_memory = NULL, *back_memory = NULL;
  int spins[9] = { 0, 2, 2, 0, 2, 2, 0, 2, 2 };
  ArmillaPlan *plan;
  const ArmillaAlmLayout layout = { 16, 16 };
  gint64 n_alm, n_map;

  assert_ok (armilla_plan_new (session, &shape, &plan, &failure), &failure);
  n_alm = armilla_plan_n_alm (plan);
  n_map = armilla_plan_n_pixels (plan);
  alm = random_alm (rand, layout, 9, spins);
  map = g_new0 (double, 9 * n_map);
  back = g_new0 (double, 18 * n_alm);
  const ArmillaArray in = plain (alm, 3, 3, n_alm, TRUE), out = plain (map, 3, 3, n_map, FALSE),
                     in_again = plain (back, 3, 3, n_alm, TRUE);
  const ArmillaArray in2 = lay (&in, TRUE, lie, &alm_memory),
                     out2 = lay (&out, FALSE, lie, &map_memory),
                     in_again2 = lay (&in, TRUE, lie, &back_memory);

  go_over (&in, &in2, TRUE, TRUE);
  go_over (&in2, &in, TRUE, TRUE); /* rounded alike */
  assert_ok (armilla_plan_synthesis (plan, &in, &out, &failure), &failure);
  assert_ok (armilla_plan_synthesis (plan, &in2, &out2, &failure), &failure);
  g_assert_cmpfloat (go_over (&out, &out2, FALSE, FALSE), <=, bound);
  go_over (&out2, &out, FALSE, TRUE);
  assert_ok (armilla_plan_analysis (plan, &out, &in_again, NULL, &failure), &failure);
  assert_ok (armilla_plan_analysis (plan, &out2, &in_again2, NULL, &failure), &failure);
  g_assert_cmpfloat (go_over (&in_again, &in_again2, TRUE, FALSE), <=, bound);
  g_assert_cmpfloat (product (back, back, 18 * n_alm), >, 1);
  armilla_plan_free (plan);
}

int
main (int argc, char **argv)
{
  static const Lie holes = { .holes = 2 }, backwards = { .backwards = TRUE },
                   inside_out = { .inside_out = TRUE, .backwards = TRUE, .holes = 1 },
                   single = { .type = ARMILLA_FLOAT32 },
                   single_apart = { .type = ARMILLA_FLOAT32, .inside_out = TRUE, .holes = 1 };
  int status;

  g_test_init (&argc, &argv, NULL);
  session = armilla_session_new (NULL);
  g_test_add_func ("/arrays/direct-sums", test_direct);
  g_test_add_func ("/arrays/adjoints", test_adjoints);
  g_test_add_func ("/arrays/round-trip", test_round_trip);
  g_test_add_func ("/arrays/gradient", test_gradient);
  g_test_add_data_func ("/arrays/holes", &holes, test_lie);
  g_test_add_data_func ("/arrays/backwards", &backwards, test_lie);
  g_test_add_data_func ("/arrays/copies-innermost", &inside_out, test_lie);
  g_test_add_data_func ("/arrays/float32", &single, test_lie);
  g_test_add_data_func ("/arrays/float32-copies-innermost", &single_apart, test_lie);
  status = g_test_run ();
  armilla_session_free (session);
  return status;
}
