/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pairs counted by a graph against loops over all of them. */
#include "tests/correlation/pair-helpers.h"
#include "tests/lib/runtime-helpers.h"

typedef _Float128 Quad;

/* What a loop over all pairs gives: by the rule for bins in double, sums in extended precision. */
typedef struct {
  gint64 *count;       /* [1 + patches][bins] */
  Quad *weight, *size; /* [bins]: sum of the weights, of their absolute values */
} Brute;

static void
brute_clear (Brute *brute)
{
  g_free (brute->count);
  g_free (brute->weight);
  g_free (brute->size);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Brute, brute_clear)

static double
squared_chord (const ArmillaCatalogue *a, gint64 i, const ArmillaCatalogue *b, gint64 j)
{
  const double dx = a->x[i] - b->x[j], dy = a->y[i] - b->y[j], dz = a->z[i] - b->z[j];
  const double xx = dx * dx, yy = dy * dy, zz = dz * dz;

  return (xx + yy) + zz;
}

static int
bin_of (const ArmillaBins *bins, double s2)
{
  for (int k = 0; k < bins->n; k++)
    if (bins->s2[k] <= s2 && s2 < bins->s2[k + 1])
      return k;
  return -1;
}

static Brute
brute_count (const ArmillaCatalogue *a, const ArmillaCatalogue *b, const ArmillaBins *bins,
             int n_patches)
{
  const ArmillaCatalogue *other = b ? b : a;
  Brute brute = { g_new0 (gint64, (1 + n_patches) * bins->n), g_new0 (Quad, bins->n),
                  g_new0 (Quad, bins->n) };

  for (gint64 i = 0; i < a->n; i++)
    for (gint64 j = b ? 0 : i + 1; j < other->n; j++)
      {
        const int k = bin_of (bins, squared_chord (a, i, other, j));
        const Quad w = (a->weight ? (Quad) a->weight[i] : 1)
                       * (other->weight ? (Quad) other->weight[j] : 1);

        if (k < 0 || w == 0) /* objects of weight 0 do not count */
          continue;
        brute.count[k]++;
        brute.weight[k] += w;
        brute.size[k] += w < 0 ? -w : w;
        if (n_patches > 0)
          {
            brute.count[(1 + a->patch[i]) * bins->n + k]++;
            if (a->patch[i] != other->patch[j])
              brute.count[(1 + other->patch[j]) * bins->n + k]++;
          }
      }
  return brute;
}

static void
assert_counts (const Counted *counted, const Brute *brute)
{
  const int n = counted->shape.n_bins;

  for (int row = 0; row <= counted->shape.n_patches; row++)
    for (int k = 0; k < n; k++)
      g_assert_cmpint (armilla_histogram_count (&counted->shape, counted->words, row, k), ==,
                       brute->count[row * n + k]);
}

/* Weights of at least 1/300 of the greatest are rounded by up to 2^-57 of it: the product of two by
 * a part of 2 * 300 * 2^-57 = 4e-15; the sum is exact and rounded to a double at the end. */
static void
assert_weights (const Counted *counted, const Brute *brute)
{
  for (int k = 0; k < counted->shape.n_bins; k++)
    {
      const double sum = armilla_histogram_sum (&counted->shape, counted->words, 0,
                                                ARMILLA_SUM_WEIGHT, k);
      const Quad off = (Quad) sum - brute->weight[k];

      g_assert_true ((off < 0 ? -off : off) <= 1e-14 * brute->size[k]);
    }
}

/* Edges that many things meet: 0, tiny ones, 180 deg; more edges than are tested at once. */
static ArmillaBins *
wide_bins (void)
{
  static const double degrees[]
    = { 0, 1e-6, 1e-3, 0.01, 0.1, 0.5, 1, 2, 3, 5, 10, 20, 30, 45, 60, 90, 120, 150, 175, 180 };
  double edges[G_N_ELEMENTS (degrees)];

  for (gsize i = 0; i < G_N_ELEMENTS (degrees); i++)
    edges[i] = degrees[i] * DEGREE;
  return armilla_bins_new (edges, G_N_ELEMENTS (degrees) - 1, NULL);
}

static void
test_skies (void)
{
  g_autoptr (ArmillaBins) wide = wide_bins ();
  g_autoptr (ArmillaBins) narrow
    = armilla_bins_new_logarithmic (0.01 * DEGREE, 10 * DEGREE, 20, NULL);

  for (int sky = 0; sky < SKY_KINDS; sky++)
    for (int which = 0; which < 2; which++)
      {
        ArmillaBins *bins = which ? narrow : wide;
        g_autoptr (ArmillaCatalogue) a = sky_new (sky, 1501, 1, ARMILLA_CATALOGUE_WEIGHT);
        g_autoptr (ArmillaCatalogue) b = sky_new (sky, 903, 2, ARMILLA_CATALOGUE_WEIGHT);
        g_auto (Counted) within = sky_count (runtime, ARMILLA_HISTOGRAM_PAIRS, a, NULL, bins, 0,
                                             1 << ARMILLA_SUM_WEIGHT, NULL);
        g_auto (Counted) across = sky_count (runtime, ARMILLA_HISTOGRAM_PAIRS, a, b, bins, 0,
                                             1 << ARMILLA_SUM_WEIGHT, NULL);
        g_auto (Brute) brute_within = brute_count (a, NULL, bins, 0);
        g_auto (Brute) brute_across = brute_count (a, b, bins, 0);

        assert_counts (&within, &brute_within);
        assert_weights (&within, &brute_within);
        assert_counts (&across, &brute_across);
        assert_weights (&across, &brute_across);
      }
}

/* From nothing to a few leaves. */
static void
test_sizes (void)
{
  static const gint64 sizes[] = { 0, 1, 2, 3, 15, 16, 17, 33, 127, 128, 129, 145 };
  g_autoptr (ArmillaBins) bins = wide_bins ();

  for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++)
    for (gsize j = 0; j < G_N_ELEMENTS (sizes); j++)
      {
        g_autoptr (ArmillaCatalogue) a = sky_new (SKY_UNIFORM, sizes[i], 5, 0);
        g_autoptr (ArmillaCatalogue) b = j > 0 ? sky_new (SKY_UNIFORM, sizes[j - 1], 6, 0) : NULL;
        g_auto (Counted) counted
          = sky_count (runtime, ARMILLA_HISTOGRAM_PAIRS, a, b, bins, 0, 0, NULL);
        g_auto (Brute) brute = brute_count (a, b, bins, 0);

        assert_counts (&counted, &brute);
      }
}

/* The same words whatever the cut, the instruction set, and whether products are used. */
static void
test_cuts (void)
{
  static const gint64 tasks[] = { 1, 2, 7, 64, 1000, G_MAXINT32 };
  const int all = 1 << ARMILLA_SUM_WEIGHT | 1 << ARMILLA_SUM_SEPARATION
                  | 1 << ARMILLA_SUM_XI_PLUS | 1 << ARMILLA_SUM_XI_MINUS;
  g_autoptr (ArmillaBins) bins
    = armilla_bins_new_logarithmic (0.02 * DEGREE, 60 * DEGREE, 12, NULL);
  g_autoptr (ArmillaCatalogue) a
    = sky_new (SKY_CLUSTERED, 3000, 3,
               ARMILLA_CATALOGUE_WEIGHT | ARMILLA_CATALOGUE_SHEAR | ARMILLA_CATALOGUE_PATCH);
  const int sums[] = { 0, 1 << ARMILLA_SUM_WEIGHT, all };

  sky_patches (a, 7);
  for (gsize s = 0; s < G_N_ELEMENTS (sums); s++)
    {
      g_auto (Counted) first
        = sky_count (runtime, ARMILLA_HISTOGRAM_PAIRS, a, NULL, bins, 7, sums[s], NULL);

      for (gsize i = 0; i < G_N_ELEMENTS (tasks); i++)
        for (int brute = 0; brute < 2; brute++)
          {
            const ArmillaCountOptions options = { .tasks = tasks[i], .brute = brute };
            g_auto (Counted) counted = sky_count (runtime, ARMILLA_HISTOGRAM_PAIRS, a, NULL, bins,
                                                  7, sums[s], &options);
            const gsize n = sizeof (gint64) * (gsize) armilla_histogram_words (&first.shape);

            g_assert_cmpmem (counted.words, n, first.words, n);
          }
    }
}

static void
test_patches (void)
{
  const int n = 9;
  g_autoptr (ArmillaBins) bins = wide_bins ();
  g_autoptr (ArmillaCatalogue) a = sky_new (SKY_UNIFORM, 1200, 8, ARMILLA_CATALOGUE_PATCH);
  g_autoptr (ArmillaCatalogue) b = sky_new (SKY_POLAR, 700, 9, ARMILLA_CATALOGUE_PATCH);

  sky_patches (a, n);
  sky_patches (b, n);
  /* A patch that has no objects */
  for (gint64 i = 0; i < a->n; i++)
    a->patch[i] += a->patch[i] == 4;
  for (int cross = 0; cross < 2; cross++)
    {
      g_auto (Counted) counted = sky_count (runtime, ARMILLA_HISTOGRAM_PAIRS, a, cross ? b : NULL,
                                            bins, n, 0, NULL);
      g_auto (Brute) brute = brute_count (a, cross ? b : NULL, bins, n);

      assert_counts (&counted, &brute);
    }
}

/* Counts of one graph: which catalogues, and with which sums. */
typedef struct {
  int a, b; /* b < 0: within a */
  int n_patches, sums;
} Asked;

/* Who holds the catalogues while the graph is submitted. */
typedef struct {
  ArmillaCatalogue **catalogues;
  int refs[3];
} Holders;

static gboolean
look_at_holders (gpointer user, const ArmillaPiece *in, ArmillaPiece *out, GError **error)
{
  Holders *holders = user;

  (void) out, (void) error;
  for (int i = 0; i < 3; i++)
    {
      g_assert_true (in[i].catalogue == holders->catalogues[i]);
      holders->refs[i] = g_atomic_int_get (&holders->catalogues[i]->refs) - 1; /* the input's */
    }
  return TRUE;
}

/* How many kinds of cells of catalogue @i there are before count @k: of all patches together, and
 * of one each. Each kind holds the catalogue. */
static int
kinds_of_cells (const Asked *asked, int n, int k, int i)
{
  int kinds = 0;

  for (int patches = 0; patches < 2; patches++)
    {
      gboolean came = FALSE, comes = FALSE;

      for (int j = 0; j < n; j++)
        if ((asked[j].a == i || asked[j].b == i) && (asked[j].n_patches > 0) == patches)
          {
            came = came || j < k;
            comes = comes || j >= k;
          }
      kinds += came && comes;
    }
  return kinds;
}

/* Counts that share cells: some need weights, shears or patches of a catalogue that others do not,
 * and the first ones need least. Each has the words that it has alone in a graph. The cells stay
 * while some count is to come that needs them, no longer. */
static void
test_shared_cells (void)
{
  const int weight = 1 << ARMILLA_SUM_WEIGHT, separation = 1 << ARMILLA_SUM_SEPARATION;
  const int shears = 1 << ARMILLA_SUM_XI_PLUS | 1 << ARMILLA_SUM_XI_MINUS;
  const Asked asked[] = { { 0, -1, 0, 0 },      { 0, 1, 0, weight }, { 1, -1, 0, weight },
                          { 0, 0, 0, weight },  { 0, 1, 5, weight }, { 0, -1, 0, separation },
                          { 0, -1, 0, shears }, { 2, -1, 0, 0 },     { 1, 2, 0, weight },
                          { 2, -1, 5, 0 } };
  enum { N = G_N_ELEMENTS (asked) };
  const ArmillaCatalogueParts parts
    = ARMILLA_CATALOGUE_WEIGHT | ARMILLA_CATALOGUE_SHEAR | ARMILLA_CATALOGUE_PATCH;
  ArmillaCatalogue *catalogues[3];
  ArmillaObjects *objects[3];
  ArmillaHistogram *out[N];
  Counted together[N] = { 0 };
  Holders holders[N + 1] = { 0 };
  g_autoptr (ArmillaBins) bins = wide_bins ();
  g_autoptr (GError) error = NULL;
  ArmillaGraph *graph = armilla_graph_new (runtime, NULL, &error);
  int before[3];

  for (int i = 0; i < 3; i++)
    {
      catalogues[i] = sky_new (SKY_CLUSTERED, 900 - 200 * i, 11 + (guint32) i,
                               i < 2 ? parts : ARMILLA_CATALOGUE_PATCH);
      sky_patches (catalogues[i], 5);
      objects[i] = sky_objects (catalogues[i]);
      before[i] = catalogues[i]->refs;
    }
  for (int k = 0; k <= N; k++)
    {
      holders[k].catalogues = catalogues;
      g_assert_true (armilla_graph_make (graph, (ArmillaData **) objects, 3, NULL, look_at_holders,
                                         &holders[k], NULL, &error));
      if (k == N)
        break;
      out[k] = armilla_histogram_new (ARMILLA_HISTOGRAM_PAIRS, bins, asked[k].n_patches,
                                      asked[k].sums, &error);
      together[k].shape = *armilla_histogram_shape (out[k]);
      g_assert_true (armilla_graph_count_pairs (
        graph, objects[asked[k].a], asked[k].b < 0 ? NULL : objects[asked[k].b], NULL, out[k],
        &error));
      g_assert_true (armilla_graph_drain (graph, ARMILLA_DATA (out[k]), counted_take, NULL,
                                          &together[k], NULL, &error));
    }
  g_assert_true (armilla_graph_wait (graph, &error));
  g_assert_no_error (error);
  armilla_graph_free (graph);
  for (int k = 0; k < N; k++)
    {
      g_auto (Counted) alone
        = sky_count (runtime, ARMILLA_HISTOGRAM_PAIRS, catalogues[asked[k].a],
                     asked[k].b < 0 ? NULL : catalogues[asked[k].b], bins, asked[k].n_patches,
                     asked[k].sums, NULL);
      const gsize n = sizeof (gint64) * (gsize) armilla_histogram_words (&alone.shape);

      g_assert_cmpmem (together[k].words, n, alone.words, n);
      counted_clear (&together[k]);
      g_object_unref (out[k]);
    }
  for (int k = 0; k <= N; k++)
    for (int i = 0; i < 3; i++)
      g_assert_cmpint (holders[k].refs[i] - before[i], ==, kinds_of_cells (asked, N, k, i));
  for (int i = 0; i < 3; i++)
    {
      g_object_unref (objects[i]);
      g_assert_cmpint (catalogues[i]->refs, ==, 1);
      armilla_catalogue_unref (catalogues[i]);
    }
}

/* A count that fails leaves no cells behind, though others were to come. */
static void
test_cells_of_a_failure (void)
{
  g_autoptr (ArmillaBins) bins = wide_bins ();
  g_autoptr (ArmillaCatalogue) a = sky_new (SKY_UNIFORM, 100, 1, 0);
  g_autoptr (ArmillaObjects) objects = sky_objects (a), none = armilla_objects_new (0);
  g_autoptr (ArmillaHistogram) out
    = armilla_histogram_new (ARMILLA_HISTOGRAM_PAIRS, bins, 0, 0, NULL);
  g_autoptr (GError) error = NULL;
  ArmillaGraph *graph = armilla_graph_new (runtime, NULL, NULL);
  const int before = a->refs;

  g_assert_true (armilla_graph_count_pairs (graph, objects, NULL, NULL, out, NULL));
  g_assert_true (armilla_graph_count_pairs (graph, objects, none, NULL, out, NULL));
  g_assert_true (armilla_graph_count_pairs (graph, objects, NULL, NULL, out, NULL));
  g_assert_false (armilla_graph_wait (graph, &error));
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE);
  g_assert_cmpint (a->refs, ==, before);
  armilla_graph_free (graph);
}

int
main (int argc, char *argv[])
{
  start_tests (&argc, &argv);
  g_test_add_func ("/pairs/skies", test_skies);
  g_test_add_func ("/pairs/sizes", test_sizes);
  g_test_add_func ("/pairs/cuts", test_cuts);
  g_test_add_func ("/pairs/patches", test_patches);
  g_test_add_func ("/pairs/shared-cells", test_shared_cells);
  g_test_add_func ("/pairs/cells-of-a-failure", test_cells_of_a_failure);
  return run_tests ();
}
