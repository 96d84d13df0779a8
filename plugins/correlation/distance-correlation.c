/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <armilla/armilla.h>

#include "core/base/quantity.h"
#include "core/catalogues/cosmology.h"
#include "core/catalogues/distance-table.h"
#include "plugins/correlation/correlation-private.h"
#include "tasks/correlation/correlation.h"
#include "tasks/data/objects.h"

/* Outputs, in the order of their ports. */
enum { TABLE, PROJECTION, COVARIANCE, N_OUTPUTS };

/* Values of separation. */
typedef enum { S, S_MU, RP_PI } Coordinates;

struct _ArmillaDistanceCorrelation {
  ArmillaStage parent_instance;
  CorrelationProperties common;
  Coordinates coordinates;
  double min, max, mu_max, pi_max;
  int n_bins, mu_bins, pi_bins, wedges;
  CorrelationSpacing spacing;
  char *edges, *edges2, *box;
  ArmillaSight sight;
  ArmillaEstimator estimator;
  double volume; /* of a box whose random counts are computed; 0: none */
  ArmillaBins *bins;
};

ARMILLA_DEFINE_STAGE (ArmillaDistanceCorrelation, armilla_distance_correlation, ARMILLA,
                      DISTANCE_CORRELATION)

static const ArmillaPort ports[] = {
  { "catalogue", armilla_objects_get_type, ARMILLA_PORT_IN,
    "objects with a column of distances, or with positions in a box" },
  { "random", armilla_objects_get_type, ARMILLA_PORT_IN | ARMILLA_PORT_OPTIONAL,
    "random objects in the same volume, many more than objects; none: the counts of a periodic box "
    "are computed, otherwise only pairs of objects are counted" },
  { "catalogue2", armilla_objects_get_type, ARMILLA_PORT_IN | ARMILLA_PORT_OPTIONAL,
    "other objects: pairs have one object of each catalogue" },
  { "random2", armilla_objects_get_type, ARMILLA_PORT_IN | ARMILLA_PORT_OPTIONAL,
    "random objects in the volume of catalogue2, required with it if there is random" },
  { "table", armilla_table_data_get_type, ARMILLA_PORT_OUT,
    "one row per bin, or per two bins: s_min, s_max, (mu_min, mu_max,) or rp_min, rp_max, pi_min, "
    "pi_max; xi, DD, (DR, RD,) RR" },
  { "projection", armilla_table_data_get_type, ARMILLA_PORT_OUT,
    "one row per bin of s or rp: edges, xi or multipoles xi0, xi2, xi4 and wedges, or wp; errors, "
    "DD" },
  { "covariance", armilla_table_data_get_type, ARMILLA_PORT_OUT,
    "one row for each pair of bins of s or rp: bin1, bin2, their edges, a column for each "
    "function of projection" },
  { NULL, NULL, 0, NULL },
};

static const char *const separations[] = { [S] = "s", [S_MU] = "s-mu", [RP_PI] = "rp-pi", NULL };

static const char *const sights[]
  = { [ARMILLA_SIGHT_MIDPOINT] = "midpoint", [ARMILLA_SIGHT_FIRSTPOINT] = "firstpoint",
      [ARMILLA_SIGHT_ENDPOINT] = "endpoint", [ARMILLA_SIGHT_X] = "x", [ARMILLA_SIGHT_Y] = "y",
      [ARMILLA_SIGHT_Z] = "z", NULL };

static const char *const spacings[]
  = { [SPACING_LOG] = "log", [SPACING_LINEAR] = "linear", NULL };

/* Arguments of the I/O thread that computes the tables. */
typedef struct {
  CorrelationCounts counts;
  ArmillaEstimator estimator;
  double volume;
  int wedges, output;
} DistanceMaker;

static void
maker_free (gpointer data)
{
  armilla_correlation_unref (((DistanceMaker *) data)->counts.catalogues);
  g_free (data);
}

static gboolean
distance_make (gpointer user, const ArmillaPiece *in, ArmillaPiece *out, GError **error)
{
  const DistanceMaker *maker = user;
  ArmillaCounted counted[ARMILLA_N_COUNTS];
  const ArmillaDistanceCounts counts = { maker->estimator, maker->counts.catalogues->bins, counted,
                                         maker->volume, maker->wedges };
  g_autoptr (ArmillaTable) projection = NULL;
  g_autoptr (ArmillaTable) covariance = NULL;

  (void) error;
  armilla_correlation_counted (&maker->counts, in, counted);
  if (maker->output == TABLE)
    {
      out->table = armilla_distance_table (&counts);
      return TRUE;
    }
  projection = armilla_projection_table (&counts, &covariance);
  out->table = maker->output == PROJECTION ? g_steal_pointer (&projection)
                                           : g_steal_pointer (&covariance);
  return TRUE;
}

/* Fails if any of the named properties is set, since it would have no effect. */
static gboolean
refuse (ArmillaStage *stage, const char *const *names, const char *why, GError **error)
{
  for (int i = 0; names[i] != NULL; i++)
    if (armilla_stage_given (stage, names[i]))
      return armilla_fail (error, ARMILLA_ERROR_VALUE, "%s and %s are both set: leave out one of "
                           "them", why, names[i]);
  return TRUE;
}

/* Returns the numbers of a list; NULL with ARMILLA_ERROR_VALUE if there are not enough. */
static double *
parse_numbers (const char *property, const char *text, int min, int *n, GError **error)
{
  g_auto (GStrv) words = armilla_stage_words (text);
  g_autofree double *numbers = NULL;

  *n = (int) g_strv_length (words);
  numbers = g_new (double, *n + 1);
  for (int i = 0; i < *n; i++)
    if (!armilla_quantity_parse (words[i], ARMILLA_DIMENSION_NONE, &numbers[i], error))
      {
        g_prefix_error (error, "%s: ", property);
        return NULL;
      }
  if (*n >= min)
    return g_steal_pointer (&numbers);
  return armilla_fail_null (error, ARMILLA_ERROR_VALUE, "%s = %s: must have at least %d numbers",
                            property, text, min);
}

/* Returns the edges of the first coordinate. */
static double *
first_edges (ArmillaDistanceCorrelation *self, int *n, GError **error)
{
  static const char *const others[] = { "min", "max", "bins", "spacing", NULL };
  double *edges;

  if (*self->edges != 0)
    {
      if (!refuse (ARMILLA_STAGE (self), others, "edges", error))
        return NULL;
      edges = parse_numbers ("edges", self->edges, 2, n, error);
      (*n)--;
      return edges;
    }
  if (!(self->min < self->max))
    return armilla_fail_null (error, ARMILLA_ERROR_VALUE,
                              "max = %.10g must be greater than min = %.10g; set both, or edges",
                              self->max, self->min);
  if (self->spacing == SPACING_LOG && self->min == 0)
    return armilla_fail_null (error, ARMILLA_ERROR_VALUE,
                              "min must be greater than 0 for spacing = log");
  *n = self->n_bins;
  edges = g_new (double, *n + 1);
  armilla_bins_space (self->min, self->max, *n, self->spacing == SPACING_LOG, edges);
  return edges;
}

/* Returns the edges of the second coordinate. */
static double *
second_edges (ArmillaDistanceCorrelation *self, int *n, GError **error)
{
  static const char *const of_mu[] = { "mu-max", "mu-bins", NULL };
  static const char *const of_pi[] = { "pi-max", "pi-bins", NULL };
  const gboolean mu = self->coordinates == S_MU;
  const double max = mu ? self->mu_max : self->pi_max;
  double *edges;

  if (!refuse (ARMILLA_STAGE (self), mu ? of_pi : of_mu,
               mu ? "separation = s-mu" : "separation = rp-pi", error))
    return NULL;
  if (*self->edges2 != 0)
    {
      if (!refuse (ARMILLA_STAGE (self), mu ? of_mu : of_pi, "edges2", error))
        return NULL;
      edges = parse_numbers ("edges2", self->edges2, 2, n, error);
      (*n)--;
      return edges;
    }
  if (!(max > 0))
    return armilla_fail_null (error, ARMILLA_ERROR_VALUE,
                              "pi-max must be set, to the upper edge of the last bin of pi");
  *n = mu ? self->mu_bins : self->pi_bins;
  edges = g_new (double, *n + 1);
  armilla_bins_space (0, max, *n, FALSE, edges);
  return edges;
}

/* Reads the sides of the box: one for all axes, or three. */
static gboolean
read_box (ArmillaDistanceCorrelation *self, double period[3], GError **error)
{
  g_autofree double *sides = NULL;
  int n;

  if (*self->box == 0)
    return TRUE;
  sides = parse_numbers ("box", self->box, 1, &n, error);
  if (sides == NULL)
    return FALSE;
  for (int k = 0; k < 3; k++)
    period[k] = sides[n == 1 ? 0 : MIN (k, n - 1)];
  if (n == 1 || n == 3)
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_VALUE,
                       "box = %s: must have one side, or three", self->box);
}

static gboolean
make_bins (ArmillaDistanceCorrelation *self, GError **error)
{
  static const char *const second[] = { "mu-max", "mu-bins", "pi-max", "pi-bins", "edges2",
                                        "line-of-sight", NULL };
  static const char *const wedges[] = { "wedges", NULL };
  g_autofree double *edges = NULL, *edges2 = NULL;
  static const ArmillaSeparation kinds[] = { [S] = ARMILLA_SEPARATION_S,
                                             [S_MU] = ARMILLA_SEPARATION_S_MU,
                                             [RP_PI] = ARMILLA_SEPARATION_RP_PI };
  ArmillaBins bins = { .separation = kinds[self->coordinates], .sight = self->sight };

  if (self->coordinates != S_MU
      && !refuse (ARMILLA_STAGE (self), wedges, "another separation than s-mu", error))
    return FALSE;
  edges = first_edges (self, &bins.n, error);
  if (edges == NULL || !read_box (self, bins.period, error))
    return FALSE;
  bins.edge = edges;
  if (self->coordinates == S)
    {
      if (!refuse (ARMILLA_STAGE (self), second, "separation = s", error))
        return FALSE;
    }
  else
    {
      edges2 = second_edges (self, &bins.n2, error);
      if (edges2 == NULL)
        return FALSE;
      bins.edge2 = edges2;
    }
  self->bins = armilla_bins_new_distances (&bins, error);
  return self->bins != NULL;
}

/* Checks positions and patches of the inputs. */
static gboolean
check_inputs (ArmillaDistanceCorrelation *self, ArmillaData *const *inputs, GError **error)
{
  const double *period = self->bins->period;
  const gboolean periodic = period[0] > 0 || period[1] > 0 || period[2] > 0;

  for (int i = 0; i < CORRELATION_CATALOGUES; i++)
    {
      const ArmillaCatalogue *like
        = inputs[i] != NULL ? armilla_objects_like (ARMILLA_OBJECTS (inputs[i])) : NULL;
      const gboolean is_box = like != NULL && armilla_catalogue_is_box (like);

      if (like == NULL)
        continue;
      if (!armilla_catalogue_has_positions (like))
        return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                             "%s has no distances; set distance or redshift of read-catalogue, or "
                             "coordinates = box for positions x, y and z", ports[i].name);
      if (is_box != armilla_catalogue_is_box (armilla_objects_like (ARMILLA_OBJECTS (inputs[0]))))
        return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                             "%s has positions in a box, and %s has distances; all catalogues must "
                             "be alike", ports[is_box ? i : 0].name, ports[is_box ? 0 : i].name);
      if (periodic && !is_box)
        return armilla_fail (error, ARMILLA_ERROR_VALUE,
                             "box: the objects of %s have distances from an observer, not "
                             "positions in a box; leave it out, or read x, y and z with "
                             "coordinates = box", ports[i].name);
      if (is_box && self->common.n_patches > 0 && like->patch == NULL)
        return armilla_fail (error, ARMILLA_ERROR_VALUE,
                             "patches: objects in a box are not divided by directions; name a "
                             "column of patches of %s with patch and patches of read-catalogue",
                             ports[i].name);
    }
  return TRUE;
}

static gboolean
distance_prepare (ArmillaStage *stage, const ArmillaStageContext *context,
                  ArmillaData *const *inputs, ArmillaData **outputs, GError **error)
{
  ArmillaDistanceCorrelation *self = ARMILLA_DISTANCE_CORRELATION (stage);
  const double *period;

  (void) context;
  if (inputs[CORRELATION_RANDOM] == NULL && inputs[CORRELATION_RANDOM2] != NULL)
    return armilla_fail (error, ARMILLA_ERROR_VALUE, "random2 requires random; connect both");
  if (inputs[CORRELATION_RANDOM] != NULL && !armilla_correlation_check_inputs (inputs, error))
    return FALSE;
  if (!armilla_correlation_check_patches (stage, &self->common, inputs, 4, ports, error)
      || !make_bins (self, error) || !check_inputs (self, inputs, error))
    return FALSE;
  period = self->bins->period;
  self->volume
    = inputs[CORRELATION_RANDOM] == NULL ? period[0] * period[1] * period[2] : 0;
  if (self->volume > 0 && self->common.n_patches > 0)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "patches: a jackknife needs random objects; connect random, or set "
                         "patches = 0");
  if (inputs[CORRELATION_RANDOM] == NULL && armilla_stage_given (stage, "estimator"))
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "estimator: without random objects there is no choice; connect random, or "
                         "leave it out");
  armilla_stage_new_tables (outputs, N_OUTPUTS, inputs, 4);
  return TRUE;
}

static double
distance_memory (ArmillaStage *stage, ArmillaData *const *inputs, ArmillaData *const *outputs)
{
  ArmillaDistanceCorrelation *self = ARMILLA_DISTANCE_CORRELATION (stage);
  const int sums[4] = { 0 };

  (void) outputs;
  return armilla_correlation_memory (&self->common, self->bins, ARMILLA_HISTOGRAM_PAIRS, 4, 1)
         + armilla_correlation_cells (inputs, 4, sums);
}

static gboolean
distance_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
                ArmillaData *const *outputs, GError **error)
{
  ArmillaDistanceCorrelation *self = ARMILLA_DISTANCE_CORRELATION (stage);
  ArmillaHistogram *histograms[ARMILLA_N_COUNTS] = { NULL };
  DistanceMaker maker = { .counts.match = self->common.across == ACROSS_MATCH,
                          .estimator = self->estimator, .volume = self->volume,
                          .wedges = self->wedges };
  CorrelationCounts *counts = &maker.counts;
  gint64 min_objects[4] = { 0 };
  ArmillaData *own[4];
  gboolean good;
  int n = 0;

  armilla_correlation_distinct (inputs, own);
  counts->cross = own[CORRELATION_DATA2] != NULL;
  counts->cross_random = own[CORRELATION_RANDOM2] != NULL;
  counts->needs = own[CORRELATION_RANDOM] != NULL
                    ? armilla_estimator_needs (self->estimator, counts->cross)
                    : 1 << ARMILLA_COUNT_DD;
  if (own[CORRELATION_RANDOM] != NULL || self->volume > 0)
    {
      /* a pair within a catalogue needs two objects */
      min_objects[CORRELATION_DATA] = counts->cross ? 1 : 2;
      min_objects[CORRELATION_RANDOM] = counts->cross_random ? 1 : 2;
      min_objects[CORRELATION_DATA2] = min_objects[CORRELATION_RANDOM2] = 1;
    }
  counts->catalogues
    = armilla_correlation_catalogues (graph, &self->common, self->bins, own, 4, ports,
                                      own[CORRELATION_RANDOM] != NULL ? CORRELATION_RANDOM
                                                                      : CORRELATION_DATA,
                                      min_objects, error);
  if (counts->catalogues == NULL)
    return FALSE;
  good = armilla_correlation_count (counts, graph, &self->common, 0, histograms, &n, error);
  for (int out = 0; good && out < N_OUTPUTS; out++)
    {
      DistanceMaker *copy = g_memdup2 (&maker, sizeof maker);

      g_atomic_int_inc (&copy->counts.catalogues->refs);
      copy->output = out;
      good = armilla_graph_make (graph, (ArmillaData **) histograms, n, outputs[out],
                                 distance_make, copy, maker_free, error);
    }
  for (int i = 0; i < ARMILLA_N_COUNTS; i++)
    g_clear_object (&histograms[i]);
  armilla_correlation_unref (counts->catalogues);
  return good;
}

#define NUMBER(member, low, high, initial)                                                         \
  ARMILLA_DOUBLE (ArmillaDistanceCorrelation, member, low, high, initial)
#define WHOLE(member, low, high, initial)                                                          \
  ARMILLA_INT (ArmillaDistanceCorrelation, member, low, high, initial)
#define WORD(member, words, initial)                                                               \
  ARMILLA_ENUM (ArmillaDistanceCorrelation, member, words, initial)
#define LIST(member) ARMILLA_TEXT (ArmillaDistanceCorrelation, member, "")

static const ArmillaProperty properties[] = {
  { "separation", WORD (coordinates, separations, S),
    "coordinates of the bins: the distance s; s and mu, the cosine of its angle to the line of "
    "sight; or rp and pi, the distances across and along the line of sight. mu and pi are taken "
    "without sign" },
  { "min", NUMBER (min, 0, 1e60, 0), "lower edge of the first bin of s or rp, in the unit of the "
                                     "distances" },
  { "max", NUMBER (max, 0, 1e60, 0), "upper edge of the last bin of s or rp" },
  { "bins", WHOLE (n_bins, 1, ARMILLA_BINS_MAX, 20), "number of bins of s or rp" },
  { "spacing", WORD (spacing, spacings, SPACING_LOG),
    "bins of s or rp of equal ratio of their edges, or of equal width" },
  { "edges", LIST (edges),
    "edges of all bins of s or rp, ascending, separated by commas; instead of min, max, bins and "
    "spacing" },
  { "mu-max", NUMBER (mu_max, 0, 1, 1), "separation = s-mu: upper edge of the last bin of mu; 1 "
                                        "includes mu = 1" },
  { "mu-bins", WHOLE (mu_bins, 1, ARMILLA_BINS_MAX, 100),
    "separation = s-mu: number of bins of mu, of equal width" },
  { "pi-max", NUMBER (pi_max, 0, 1e60, 0),
    "separation = rp-pi: upper edge of the last bin of pi" },
  { "pi-bins", WHOLE (pi_bins, 1, ARMILLA_BINS_MAX, 40),
    "separation = rp-pi: number of bins of pi, of equal width" },
  { "edges2", LIST (edges2),
    "edges of all bins of mu or pi, ascending; instead of their number and last edge" },
  { "line-of-sight", WORD (sight, sights, ARMILLA_SIGHT_MIDPOINT),
    "line of sight of a pair: from the observer to its middle, or to its object of catalogue "
    "(firstpoint) or catalogue2 (endpoint), or the x, y or z axis" },
  { "box", LIST (box),
    "sides of a periodic box, in which pairs are counted across opposite walls: one for all axes, "
    "or three separated by commas, 0 for an axis that is not periodic. Distances up to half of a "
    "side can be counted" },
  { "estimator", WORD (estimator, armilla_correlation_estimators, ARMILLA_ESTIMATOR_LANDY_SZALAY),
    "estimator of the function from pairs of data and random objects" },
  { "wedges", WHOLE (wedges, 0, ARMILLA_WEDGES_MAX, 0),
    "separation = s-mu: number of wedges, equal parts of the range of mu, in projection" },
};

static void
armilla_distance_correlation_class_init (ArmillaDistanceCorrelationClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  stage->nick = "distance-correlation";
  armilla_stage_set_example (stage, "catalogue = galaxies; spacing = linear; max = 50; bins = 5; "
                                    "box = 100");
  stage->summary = "Estimate the two-point correlation function of objects with distances";
  stage->description =
    "Counts pairs by their distance s, by s and mu, or by rp and pi, exactly, in a survey or in a "
    "periodic box. Estimators are those of pair-correlation. In a box with three sides, without "
    "random objects, the function is DD / RR - 1 with the expected RR. Without random objects and "
    "such a box only DD is counted. A bin includes its lower edge and excludes its upper edge; "
    "pairs at the same place have mu = 0. projection has the multipoles xi_l = (2 l + 1) times the "
    "integral of xi P_l (mu) over mu, wedges, or wp = 2 times the integral of xi over pi, and "
    "errors of the jackknife over patches, or those of the numbers of pairs. Only cores count. If "
    "catalogue2 is the same node as catalogue, pairs are counted within it, as without catalogue2.";
  stage->reference = "Landy and Szalay (1993), Bias and variance of angular correlation functions";
  stage->ports = ports;
  stage->prepare = distance_prepare;
  stage->build = distance_build;
  stage->memory = distance_memory;
  armilla_stage_install (stage, 0, properties, G_N_ELEMENTS (properties));
  armilla_correlation_install_patches (stage,
                                       G_STRUCT_OFFSET (ArmillaDistanceCorrelation, common));
  ARMILLA_STAGE_OWNS (stage, ArmillaDistanceCorrelation, bins, armilla_bins_unref);
}
