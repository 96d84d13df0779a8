/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/catalogues/distance-table.h"

#include <math.h>

#include "core/catalogues/correlation-columns.h"
#include "core/tables/table.h"

/* multipoles 0, 2 and 4, and wedges */
#define MULTIPOLES 3
#define MAX_FUNCTIONS (MULTIPOLES + ARMILLA_WEDGES_MAX)

static const char *const count_names[ARMILLA_N_COUNTS] = { "DD", "DR", "RD", "RR" };
static const char *const first_names[] = { [ARMILLA_SEPARATION_S] = "s",
                                           [ARMILLA_SEPARATION_S_MU] = "s",
                                           [ARMILLA_SEPARATION_RP_PI] = "rp" };
static const char *const second_names[] = { [ARMILLA_SEPARATION_S_MU] = "mu",
                                            [ARMILLA_SEPARATION_RP_PI] = "pi" };

/* Returns the number of bins of the second coordinate, 1 without one. */
static int
second_bins (const ArmillaBins *bins)
{
  return MAX (bins->n2, 1);
}

/* Returns the volume of the separations in a bin, of both signs of mu or pi. */
static double
bin_volume (const ArmillaBins *bins, gint64 entry)
{
  const int n2 = second_bins (bins);
  const double *edge = bins->edge + entry / n2, *second = bins->edge2 + entry % n2;

  if (bins->separation == ARMILLA_SEPARATION_RP_PI)
    return 2 * G_PI * (edge[1] - edge[0]) * (edge[1] + edge[0]) * (second[1] - second[0]);
  return 4 * G_PI / 3 * (edge[1] - edge[0])
         * (edge[1] * edge[1] + edge[1] * edge[0] + edge[0] * edge[0])
         * (bins->n2 > 0 ? second[1] - second[0] : 1);
}

/* Returns whether there is a function: random objects, or a volume to compute their counts in. */
static gboolean
has_function (const ArmillaDistanceCounts *c)
{
  return c->volume > 0 || c->counted[ARMILLA_COUNT_RR].words != NULL
         || c->counted[ARMILLA_COUNT_DR].words != NULL;
}

/* Returns the function in a bin, without a patch unless it is -1. */
static double
function (const ArmillaDistanceCounts *c, gint64 entry, int without)
{
  double counts[ARMILLA_N_COUNTS];

  for (int k = 0; k < ARMILLA_N_COUNTS; k++)
    counts[k] = c->counted[k].words != NULL
                  ? armilla_counted_share (&c->counted[k], entry, without)
                : c->volume > 0 ? bin_volume (c->bins, entry) / c->volume
                                : 0;
  if (c->volume == 0 && c->counted[ARMILLA_COUNT_RD].words == NULL)
    counts[ARMILLA_COUNT_RD] = counts[ARMILLA_COUNT_DR];
  return armilla_estimate_pairs (c->estimator, counts);
}

/* Adds the edges of the second coordinate, which varies fastest. */
static void
add_second_edges (ArmillaTable *table, const ArmillaBins *bins)
{
  const ArmillaBins second = { .n = bins->n2, .edge = bins->edge2,
                               .separation = bins->separation };

  if (bins->n2 > 0)
    armilla_table_add_edges (table, &second, second_names[bins->separation], 1);
}

static void
add_keys (ArmillaTable *table, const ArmillaDistanceCounts *c)
{
  static const char *const names[] = { "landy-szalay", "hamilton", "davis-peebles", "natural" };
  const ArmillaCounted *dd = &c->counted[ARMILLA_COUNT_DD];
  const ArmillaCounted *rr = &c->counted[ARMILLA_COUNT_RR], *dr = &c->counted[ARMILLA_COUNT_DR];

  armilla_table_set_integer (table, "NDATA", dd->a->n[0], "objects");
  if (dd->b != NULL)
    armilla_table_set_integer (table, "NDATA2", dd->b->n[0], "objects of the other catalogue");
  if (rr->words != NULL || dr->words != NULL)
    armilla_table_set_integer (table, "NRANDOM", rr->words != NULL ? rr->a->n[0] : dr->b->n[0],
                               "random objects");
  if (has_function (c))
    armilla_table_set_text (table, "ESTIMATR", c->volume > 0 ? "natural" : names[c->estimator],
                            "estimator");
}

/* Returns a table with one row per bin, or per bins of two coordinates, of which the second one
 * varies fastest: edges, the function, and the counts. In a periodic box RR is the number of pairs
 * that is expected of as many objects at random. */
ArmillaTable *
armilla_distance_table (const ArmillaDistanceCounts *c)
{
  const ArmillaBins *bins = c->bins;
  const ArmillaCounted *dd = &c->counted[ARMILLA_COUNT_DD];
  ArmillaTable *table = armilla_table_new ("DISTANCE-CORRELATION",
                                           (gint64) bins->n * second_bins (bins));
  ArmillaColumn *column;

  armilla_table_add_edges (table, bins, first_names[bins->separation], second_bins (bins));
  add_second_edges (table, bins);
  if (has_function (c))
    {
      column = armilla_table_add (table, ARMILLA_COLUMN_DOUBLE, "xi", "",
                                  "two-point correlation function");
      for (gint64 k = 0; k < table->n_rows; k++)
        column->doubles[k] = function (c, k, -1);
    }
  for (int k = 0; k < ARMILLA_N_COUNTS; k++)
    if (c->counted[k].words != NULL)
      armilla_table_add_pairs (table, count_names[k], &c->counted[k]);
  if (c->volume > 0)
    {
      column = armilla_table_add (table, ARMILLA_COLUMN_DOUBLE, "RR", "",
                                  "expected number of pairs at random, or of their weights");
      for (gint64 k = 0; k < table->n_rows; k++)
        column->doubles[k]
          = armilla_totals_pairs (dd->a, dd->b, -1) * bin_volume (bins, k) / c->volume;
    }
  add_keys (table, c);
  return table;
}

/* Weights of the bins of the second coordinate in the sums that are functions of the first. */
typedef struct {
  const ArmillaDistanceCounts *counts;
  int n;                 /* number of functions */
  const char *names[MAX_FUNCTIONS];
  char *wedges[ARMILLA_WEDGES_MAX]; /* names of the wedges */
  double *weights;       /* [n][n2] */
} Projection;

static void
projection_clear (Projection *self)
{
  for (int k = 0; k < ARMILLA_WEDGES_MAX; k++)
    g_free (self->wedges[k]);
  g_free (self->weights);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Projection, projection_clear)

/* Returns the integral of the Legendre polynomial of degree 0, 2 or 4 from 0 to mu. */
static double
legendre_integral (int degree, double mu)
{
  const double t = mu * mu;

  return degree == 0   ? mu
         : degree == 2 ? 0.5 * mu * (t - 1)
                       : 0.125 * mu * ((7 * t - 10) * t + 3);
}

static void
weigh_mu (Projection *self, const ArmillaBins *bins, int wedges)
{
  static const char *const names[MULTIPOLES] = { "xi0", "xi2", "xi4" };
  const int n2 = bins->n2;
  const double *mu = bins->edge2, first = mu[0], all = mu[n2] - first;

  self->n = MULTIPOLES + wedges;
  self->weights = g_new (double, (gsize) self->n * (gsize) n2);
  for (int f = 0; f < self->n; f++)
    {
      const double low = first + all * (f - MULTIPOLES) / MAX (wedges, 1);
      const double high = first + all * (f + 1 - MULTIPOLES) / MAX (wedges, 1);

      if (f >= MULTIPOLES)
        self->wedges[f - MULTIPOLES] = g_strdup_printf ("wedge%d", f - MULTIPOLES + 1);
      self->names[f] = f < MULTIPOLES ? names[f] : self->wedges[f - MULTIPOLES];
      for (int j = 0; j < n2; j++)
        self->weights[f * n2 + j]
          = f < MULTIPOLES ? (4 * f + 1)
                               * (legendre_integral (2 * f, mu[j + 1])
                                  - legendre_integral (2 * f, mu[j])) / all
                           : MAX (MIN (mu[j + 1], high) - MAX (mu[j], low), 0) / (high - low);
    }
}

static void
projection_init (Projection *self, const ArmillaDistanceCounts *counts)
{
  const ArmillaBins *bins = counts->bins;

  self->counts = counts;
  if (bins->separation == ARMILLA_SEPARATION_S_MU)
    {
      weigh_mu (self, bins, counts->wedges);
      return;
    }
  self->n = 1;
  self->names[0] = bins->n2 > 0 ? "wp" : "xi";
  self->weights = g_new (double, second_bins (bins));
  self->weights[0] = 1;
  for (int j = 0; j < bins->n2; j++)
    self->weights[j] = 2 * (bins->edge2[j + 1] - bins->edge2[j]);
}

/* Returns value @entry: all bins of the first function, then of the second one, and so on. */
static double
projected (gconstpointer user, gint64 entry, int without)
{
  const Projection *self = user;
  const ArmillaBins *bins = self->counts->bins;
  const int n2 = second_bins (bins);
  const double *weights = self->weights + entry / bins->n * n2;
  double sum = 0;

  for (int j = 0; j < n2; j++)
    if (weights[j] != 0)
      sum += weights[j] * function (self->counts, entry % bins->n * n2 + j, without);
  return sum;
}

/* Sets the Poisson errors: (1 + xi)^2 / DD in each bin of two coordinates. */
static void
poisson (const Projection *self, double *matrix)
{
  const ArmillaBins *bins = self->counts->bins;
  const ArmillaCounted *dd = &self->counts->counted[ARMILLA_COUNT_DD];
  const int n = self->n * bins->n, n2 = second_bins (bins);

  for (int i = 0; i < n; i++)
    for (int j = 0; j < n2; j++)
      {
        const gint64 entry = (gint64) (i % bins->n) * n2 + j;
        const double weight = self->weights[i / bins->n * n2 + j];
        const double pairs = (double) armilla_histogram_count (&dd->shape, dd->words, 0, entry);

        if (weight != 0)
          matrix[(gsize) i * (gsize) n + (gsize) i]
            += pairs > 0 ? pow (weight * (1 + function (self->counts, entry, -1)), 2) / pairs : NAN;
      }
}

static void
add_functions (ArmillaTable *table, const Projection *self, const double *matrix)
{
  static const char *const blurbs[] = { "function", "standard error of the function" };
  const int n = self->counts->bins->n, size = self->n * n;

  for (int f = 0; f < self->n; f++)
    for (int error = 0; error < 2; error++)
      {
        g_autofree char *name
          = error ? g_strconcat ("error_", self->names[f], NULL) : g_strdup (self->names[f]);
        ArmillaColumn *column
          = armilla_table_add (table, ARMILLA_COLUMN_DOUBLE, name, "", blurbs[error]);

        for (int k = 0; k < n; k++)
          {
            const gsize at = (gsize) f * (gsize) n + (gsize) k;

            column->doubles[k] = error ? sqrt (matrix[at * (gsize) size + at])
                                       : projected (self, (gint64) at, -1);
          }
      }
}

/* Adds the number of pairs of data in all bins of the second coordinate. */
static void
add_pairs (ArmillaTable *table, const ArmillaDistanceCounts *c)
{
  const ArmillaCounted *dd = &c->counted[ARMILLA_COUNT_DD];
  const int n2 = second_bins (c->bins);
  ArmillaColumn *column = armilla_table_add (table, ARMILLA_COLUMN_INT64, "DD", "",
                                             "number of pairs of data, each counted once");

  for (gint64 k = 0; k < table->n_rows * n2; k++)
    column->integers[k / n2] += armilla_histogram_count (&dd->shape, dd->words, 0, k);
}

/* Returns a table of functions of the first coordinate, with one row per bin: of s and mu the
 * multipoles xi_l = (2 l + 1) sum_j xi_j (integral of P_l over bin j) / (sum of their widths) and
 * wedges, means over parts of the range of mu; of rp and pi wp = 2 sum_j xi_j dpi_j; of s the
 * function itself. Errors are those of the jackknife or, with fewer than two patches, of the
 * numbers of pairs. Without random counts there is no function. */
ArmillaTable *
armilla_projection_table (const ArmillaDistanceCounts *c, ArmillaTable **covariance)
{
  const ArmillaBins *bins = c->bins;
  ArmillaTable *table = armilla_table_new ("PROJECTION", bins->n);
  const char *method = "jackknife";
  g_auto (Projection) self = { 0 };
  g_autofree double *matrix = NULL;

  projection_init (&self, c);
  if (!has_function (c))
    self.n = 0;
  matrix = g_new0 (double, (gsize) (self.n * bins->n) * (gsize) (self.n * bins->n) + 1);
  armilla_table_add_edges (table, bins, first_names[bins->separation], 1);
  if (self.n > 0
      && !armilla_counted_jackknife (c->counted[ARMILLA_COUNT_DD].a, self.n * bins->n, projected,
                                     &self, matrix))
    {
      method = "poisson";
      poisson (&self, matrix);
    }
  add_functions (table, &self, matrix);
  add_pairs (table, c);
  add_keys (table, c);
  if (self.n > 0)
    armilla_table_set_text (table, "ERRORS", method, "method of the error estimate");
  *covariance = armilla_covariance_table (bins, self.names, self.n, matrix, method);
  return table;
}
