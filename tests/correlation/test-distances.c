/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pairs by distance, in bins of one and of two coordinates, in open and periodic boxes: the kernels
 * of all instruction sets against the exact integers of all pairs. Positions are integers, so that
 * many pairs are on an edge, on a wall, half a box apart, at one place, or at the observer's. */
#include "codelets/correlation/pair-lookup.h"
#include "tests/correlation/pair-kernel-helpers.h"

#define N_A 241
#define N_B 150
/* the periodic box; rmax is half of it */
#define BOX 32
/* edges of mu are multiples of 1 / MU */
#define MU 8

typedef enum { SPREAD, LATTICE, CLUMPS, ONE_PLACE, N_PLACES } Places;

static ArmillaCatalogue *
places_new (Places places, gint64 n, guint32 seed, gboolean in_box)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  ArmillaCatalogue *c
    = armilla_catalogue_new (n, ARMILLA_CATALOGUE_WEIGHT | ARMILLA_CATALOGUE_PATCH, NULL);
  const int low = in_box ? 0 : -BOX / 2;

  c->n_patches = 3;
  for (gint64 i = 0; i < n; i++)
    {
      double *const to[3] = { &c->x[i], &c->y[i], &c->z[i] };

      for (int k = 0; k < 3; k++)
        {
          int at = 0;

          switch (places)
            {
            case SPREAD: at = low + g_rand_int_range (rand, 0, BOX + 1); break;
            /* the walls of a box, which are the same place, and its middle */
            case LATTICE: at = low + BOX / 4 * g_rand_int_range (rand, 0, 5); break;
            case CLUMPS: at = low + (i % 2 ? BOX - 2 : 0) + g_rand_int_range (rand, 0, 3); break;
            default: at = 5;
            }
          *to[k] = i == 0 ? 0 : at;
        }
      c->weight[i] = g_rand_int_range (rand, -3, 9);
      c->patch[i] = (gint32) (i % 3);
    }
  return c;
}

/* Returns the smallest difference of two coordinates of a box, or their difference. */
static gint64
difference (double a, double b, double period)
{
  const gint64 d = (gint64) (a - b);

  return period == 0 || ABS (d) <= BOX / 2 ? d : d > 0 ? d - BOX : d + BOX;
}

/* The number of the bin of a fraction, whose edges are squares of multiples of 1 / unit: -1 for
 * none. With closed, the last edge is included. */
static int
find_bin (const double *edge, int n, gint64 unit, gint64 above, gint64 below, gboolean closed)
{
  for (int k = 0; k < n; k++)
    {
      const gint64 low = llround (edge[k] * (double) unit);
      const gint64 high = llround (edge[k + 1] * (double) unit);
      const __int128 x = (__int128) above * unit * unit;

      if (x >= (__int128) low * low * below
          && (x < (__int128) high * high * below || (closed && k == n - 1)))
        return k;
    }
  return -1;
}

/* Returns the entry of a pair, -1 for none. */
static int
entry_of (const ArmillaBins *bins, const ArmillaCatalogue *a, gint64 i, const ArmillaCatalogue *b,
          gint64 j)
{
  const gint64 d[3] = { difference (a->x[i], b->x[j], bins->period[0]),
                        difference (a->y[i], b->y[j], bins->period[1]),
                        difference (a->z[i], b->z[j], bins->period[2]) };
  const gint64 of_a[3] = { (gint64) a->x[i], (gint64) a->y[i], (gint64) a->z[i] };
  const gint64 of_b[3] = { (gint64) b->x[j], (gint64) b->y[j], (gint64) b->z[j] };
  gint64 p = 0, l2 = 0, s2 = 0;
  int u, v = 0;

  for (int k = 0; k < 3; k++)
    {
      const gint64 l = bins->sight == ARMILLA_SIGHT_MIDPOINT     ? of_a[k] + of_b[k]
                       : bins->sight == ARMILLA_SIGHT_FIRSTPOINT ? of_a[k]
                       : bins->sight == ARMILLA_SIGHT_ENDPOINT
                         ? of_b[k]
                         : (int) bins->sight == ARMILLA_SIGHT_X + k;

      p += d[k] * l;
      l2 += l * l;
      s2 += d[k] * d[k];
    }
  if (l2 == 0)
    l2 = 1; /* p is 0 */
  if (bins->separation == ARMILLA_SEPARATION_RP_PI)
    {
      u = find_bin (bins->edge, bins->n, 1, s2 * l2 - p * p, l2, FALSE);
      v = find_bin (bins->edge2, bins->n2, 1, p * p, l2, FALSE);
    }
  else
    {
      u = find_bin (bins->edge, bins->n, 1, s2, 1, FALSE);
      if (bins->n2 > 0)
        v = find_bin (bins->edge2, bins->n2, MU, p * p, s2 > 0 ? s2 * l2 : 1,
                      bins->edge2[bins->n2] == 1);
    }
  return u < 0 || v < 0 ? -1 : u * MAX (bins->n2, 1) + v;
}

/* Compares one row with the exact numbers and weights. */
static void
check_row (const PairCase *p, const int64_t *words, int row, int n, const gint64 *count,
           const gint64 *weight)
{
  const ArmillaHistogramShape shape
    = { ARMILLA_HISTOGRAM_PAIRS, (int) p->shape.n_bins, (int) p->shape.n_patches, p->shape.sums,
        (int) p->shape.n_within, (int) p->shape.n2 };

  for (int k = 0; k < n; k++)
    {
      g_assert_cmpint (armilla_histogram_count (&shape, words, row, k), ==, count[k]);
      if (p->shape.sums)
        g_assert_cmpfloat (armilla_histogram_sum (&shape, words, row, ARMILLA_SUM_WEIGHT, k), ==,
                           (double) weight[k]);
    }
}

static void
check_case (const ArmillaBins *bins, const ArmillaCatalogue *a, const ArmillaCatalogue *b, int sums,
            int n_patches, gboolean brute, gint64 *total)
{
  g_auto (PairCase) p = pair_case_new (a, b, bins, n_patches, sums, brute, brute ? 1e9 : 1 << 11);
  const ArmillaCatalogue *other = b ? b : a;
  const int n = bins->n * MAX (bins->n2, 1), rows = 1 + 2 * n_patches;
  g_autofree gint64 *count = g_new0 (gint64, n * rows), *weight = g_new0 (gint64, n * rows);

  for (gint64 i = 0; i < a->n; i++)
    for (gint64 j = b ? 0 : i + 1; j < other->n; j++)
      {
        const int k = entry_of (bins, a, i, other, j);
        const int to[4] = { 0, 1 + a->patch[i], 1 + other->patch[j], 1 + n_patches + a->patch[i] };

        for (int r = 0; r < (n_patches > 0 ? 4 : 1) && k >= 0; r++)
          if (r < 2 || (r == 2) == (a->patch[i] != other->patch[j]))
            {
              count[to[r] * n + k]++;
              weight[to[r] * n + k] += (gint64) (a->weight[i] * other->weight[j]);
            }
      }
  for (int k = 0; k < n; k++)
    *total += count[k];
  for (p.shape.isa = 0; p.shape.isa <= (int) armilla_isa_detect (); p.shape.isa++)
    {
      g_autofree int64_t *words = pair_case_cpu (&p);

      for (int row = 0; row < rows; row++)
        check_row (&p, words, row, n, count + row * n, weight + row * n);
    }
}

/* All kinds of pairs of some places. */
static void
check_bins (const ArmillaBins *bins, Places places, gint64 *total)
{
  const gboolean in_box = bins->period[0] > 0 || bins->period[1] > 0;
  const gboolean ordered
    = bins->sight == ARMILLA_SIGHT_FIRSTPOINT || bins->sight == ARMILLA_SIGHT_ENDPOINT;
  g_autoptr (ArmillaCatalogue) a = places_new (places, N_A, 1, in_box);
  g_autoptr (ArmillaCatalogue) b = places_new (places, N_B, 2, in_box);

  for (int cross = ordered ? 1 : 0; cross < 2; cross++)
    {
      check_case (bins, a, cross ? b : NULL, 0, 0, FALSE, total);
      check_case (bins, a, cross ? b : NULL, 0, 0, TRUE, total);
      check_case (bins, a, cross ? b : NULL, 1 << ARMILLA_SUM_WEIGHT, 3, FALSE, total);
    }
}

static void
check_all (ArmillaBins *what)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ArmillaBins) bins = armilla_bins_new_distances (what, &error);
  gint64 total = 0;

  g_assert_no_error (error);
  for (int places = 0; places < N_PLACES; places++)
    check_bins (bins, (Places) places, &total);
  g_assert_cmpint (total, >, 10000);
}

static double from_zero[] = { 0, 1, 2, 3, 5, 8, 12, 16 };
static double from_two[] = { 2, 4, 16 };
static double of_mu[] = { 0, 0.125, 0.375, 0.5, 1 };
static double below_one[] = { 0.25, 0.5, 0.75 };
static const double periods[][3]
  = { { 0, 0, 0 }, { BOX, BOX, BOX }, { BOX, 0, 0 }, { 0, BOX, BOX } };

static void
test_one (void)
{
  for (gsize k = 0; k < G_N_ELEMENTS (periods); k++)
    {
      ArmillaBins zero = { .n = 7, .edge = from_zero, .separation = ARMILLA_SEPARATION_S };
      ArmillaBins two = { .n = 2, .edge = from_two, .separation = ARMILLA_SEPARATION_S };

      memcpy (zero.period, periods[k], sizeof zero.period);
      memcpy (two.period, periods[k], sizeof two.period);
      check_all (&zero);
      check_all (&two);
    }
}

static void
test_two (gconstpointer data)
{
  const ArmillaSeparation separation = GPOINTER_TO_INT (data);
  const gboolean mu = separation == ARMILLA_SEPARATION_S_MU;

  for (int sight = ARMILLA_SIGHT_MIDPOINT; sight <= ARMILLA_SIGHT_Z; sight++)
    for (gsize k = 0; k < (sight < ARMILLA_SIGHT_X ? 1 : G_N_ELEMENTS (periods)); k++)
      {
        ArmillaBins wide = { .n = 7, .edge = from_zero, .separation = separation,
                             .sight = (ArmillaSight) sight, .n2 = mu ? 4 : 7,
                             .edge2 = mu ? of_mu : from_zero };
        ArmillaBins narrow = { .n = 2, .edge = from_two, .separation = separation,
                               .sight = (ArmillaSight) sight, .n2 = 2,
                               .edge2 = mu ? below_one : from_two };

        memcpy (wide.period, periods[k], sizeof wide.period);
        memcpy (narrow.period, periods[k], sizeof narrow.period);
        check_all (&wide);
        check_all (&narrow);
      }
}

/* Edges that no table of a moderate size separates. */
static void
test_close_edges (void)
{
  double edge[] = { 0, 1e-9, 1, 1 + 1e-13, 1 + 2e-13, 1 + 3e-13, 7, 8 };
  const double at[] = { 0, 1e-9 - 1e-20, 1e-9, 0.5, 1, 1 + 1.5e-13, 1 + 3e-13, 2, 7, 7.9 };
  const int bin[] = { 0, 0, 1, 1, 2, 3, 5, 5, 6, 6 };
  int64_t words[ARMILLA_LOOKUP_WORDS];
  ArmillaLookup lookup;

  armilla_lookup_init (&lookup, edge, 7, 0, words);
  for (gsize k = 0; k < G_N_ELEMENTS (at); k++)
    g_assert_cmpint (armilla_lookup_bin (&lookup, MAX (at[k], lookup.low)), ==, bin[k]);
}

static void
refused (ArmillaBins what, const char *message)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (armilla_bins_new_distances (&what, &error));
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE);
  g_assert_nonnull (strstr (error->message, message));
}

static void
test_refused (void)
{
  double down[] = { 0, 2, 2 }, negative[] = { -1, 2, 3 }, nan[] = { 0, NAN, 3 };
  double beyond[] = { 0, 0.5, 1.5 };
  const ArmillaBins good = { .n = 2, .edge = from_two, .separation = ARMILLA_SEPARATION_RP_PI,
                             .sight = ARMILLA_SIGHT_Z, .n2 = 2, .edge2 = from_two };
  ArmillaBins bad = good;

  bad.edge = down;
  refused (bad, "edge 2 of the bins of rp, 2, must be above");
  bad.edge = negative;
  refused (bad, "edge 0 of the bins of rp is -1");
  bad.edge = nan;
  refused (bad, "edge 1 of the bins of rp is nan");
  bad = good;
  bad.period[0] = 30;
  refused (bad, "the last edge of the bins of rp, 16, must be at most half of side 1");
  bad.period[0] = 32;
  bad.period[2] = 31.9;
  refused (bad, "the last edge of the bins of pi, 16, must be at most half of side 3");
  bad.period[2] = 32;
  bad.sight = ARMILLA_SIGHT_MIDPOINT;
  refused (bad, "no observer");
  bad.period[1] = -1;
  bad.period[0] = 0;
  refused (bad, "box: side 2 is -1");
  bad = good;
  bad.separation = ARMILLA_SEPARATION_S_MU;
  bad.edge2 = beyond;
  refused (bad, "edge 2 of the bins of mu is 1.5");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/distances/s", test_one);
  g_test_add_data_func ("/distances/s-mu", GINT_TO_POINTER (ARMILLA_SEPARATION_S_MU), test_two);
  g_test_add_data_func ("/distances/rp-pi", GINT_TO_POINTER (ARMILLA_SEPARATION_RP_PI), test_two);
  g_test_add_func ("/distances/close-edges", test_close_edges);
  g_test_add_func ("/distances/refused", test_refused);
  return g_test_run ();
}
