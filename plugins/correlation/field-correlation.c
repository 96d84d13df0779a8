/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Correlations of numbers (N), values (K) and shears (G) of objects: a stage for each of NG, NK, KK
 * and KG. A stage counts pairs at most twice: with the weights, and with weights times values. */
#include <armilla/armilla.h>

#include "core/catalogues/catalogue.h"
#include "plugins/correlation/correlation-private.h"
#include "tasks/correlation/correlation.h"
#include "tasks/data/objects.h"

/* Indices of the ports. */
enum { FIRST, SECOND, RANDOM, N_INPUTS };

/* Histograms: of pairs, and of sums of values if these need a separate count; both also for random
 * objects. */
enum { PAIRS, SUMS, RANDOM_PAIRS, RANDOM_SUMS, N_HISTOGRAMS };

typedef enum { FROM_WEST, FROM_NORTH } ShearsFrom;

/* Differences between the stages. */
typedef struct {
  const char *nick, *summary, *description, *reference, *example;
  ArmillaCarries a, b;
  int n_inputs;
  const ArmillaPort *ports;
} FieldKind;

typedef struct {
  ArmillaStage parent_instance;
  CorrelationProperties common;
  gboolean mean_separation;
  ShearsFrom shears_from;
  char *columns[2]; /* properties column and column2 */
  char *unit;       /* unit of the functions */
  ArmillaBins *bins;
} ArmillaFieldCorrelation;

typedef struct {
  ArmillaStageClass parent_class;
  const FieldKind *kind;
} ArmillaFieldCorrelationClass;

G_DEFINE_ABSTRACT_TYPE (ArmillaFieldCorrelation, armilla_field_correlation, ARMILLA_TYPE_STAGE)

static void
armilla_field_correlation_init (ArmillaFieldCorrelation *self)
{
  (void) self;
}

static const FieldKind *
kind_of (gconstpointer stage)
{
  return ((const ArmillaFieldCorrelationClass *) G_OBJECT_GET_CLASS (stage))->kind;
}

/* Arguments of the I/O thread that computes the table. */
typedef struct {
  CorrelationCatalogues *catalogues;
  ArmillaHistogramShape shapes[N_HISTOGRAMS];
  gboolean counted[N_HISTOGRAMS];
  ArmillaFieldCounts counts; /* whether objects have values or shears, and the sign of shears */
  char *unit;
  gboolean within, match;
  ArmillaCorrelationTable which;
} FieldMaker;

static void
maker_free (gpointer data)
{
  FieldMaker *maker = data;

  armilla_correlation_unref (maker->catalogues);
  g_free (maker->unit);
  g_free (maker);
}

static gboolean
field_make (gpointer user, const ArmillaPiece *in, ArmillaPiece *out, GError **error)
{
  const FieldMaker *maker = user;
  ArmillaTotals *const *totals = maker->catalogues->totals;
  ArmillaCounted counted[N_HISTOGRAMS] = { { .words = NULL } };
  ArmillaFieldCounts counts = maker->counts;
  const double across = maker->match ? armilla_totals_match (totals[FIRST]) : 0;
  int at = 0;

  (void) error;
  for (int h = 0; h < N_HISTOGRAMS; h++)
    if (maker->counted[h])
      counted[h] = (ArmillaCounted) { maker->shapes[h], in[at++].words,
                                      totals[h >= RANDOM_PAIRS ? RANDOM : FIRST],
                                      maker->within ? NULL : totals[SECOND], across };
  counts.unit = maker->unit;
  counts.pairs = counted[PAIRS];
  counts.sums = counted[maker->counted[SUMS] ? SUMS : PAIRS];
  counts.random_pairs = counted[RANDOM_PAIRS];
  counts.random_sums = counted[maker->counted[RANDOM_SUMS] ? RANDOM_SUMS : RANDOM_PAIRS];
  out->table = armilla_field_table (maker->catalogues->bins, &counts, maker->which);
  if (maker->which == ARMILLA_CORRELATION_SAMPLES)
    armilla_correlation_tell_patches (maker->catalogues, out->table);
  return TRUE;
}

/* Finds the column of values of an input: the one that the property names, or the only one. */
static const ArmillaCatalogueValue *
find_column (ArmillaFieldCorrelation *self, ArmillaData *input, int which, GError **error)
{
  const ArmillaCatalogue *like = armilla_objects_like (ARMILLA_OBJECTS (input));
  const char *property = which == 1 && kind_of (self)->a == ARMILLA_CARRIES_VALUE ? "column2"
                                                                                  : "column";
  const char *name = self->columns[property[6] == '2'];
  const char *port = kind_of (self)->ports[which].name;
  const ArmillaCatalogueValue *found = NULL;
  g_autoptr (GString) known = g_string_new (NULL);

  if (*name == 0 && property[6] == '2')
    name = self->columns[0];
  if (*name != 0)
    found = armilla_catalogue_value (like, name);
  else if (like->n_values == 1)
    found = &like->values[0];
  if (found != NULL)
    return found;
  for (int k = 0; k < like->n_values; k++)
    g_string_append_printf (known, "%s%s", k > 0 ? ", " : "", like->values[k].name);
  if (like->n_values == 0)
    return armilla_fail_null (error, ARMILLA_ERROR_SHAPE,
                              "%s has no column of values; name one with values of read-catalogue",
                              port);
  return *name == 0
           ? armilla_fail_null (error, ARMILLA_ERROR_VALUE,
                                "%s is not set; choose one of the columns of %s: %s", property,
                                port, known->str)
           : armilla_fail_null (error, ARMILLA_ERROR_UNKNOWN,
                                "%s: %s has no column %s; it has %s", property, port, name,
                                known->str);
}

/* Checks that the objects of an input have the required values or shears. */
static gboolean
check_input (ArmillaFieldCorrelation *self, ArmillaData *input, int which, GError **error)
{
  const FieldKind *kind = kind_of (self);
  const ArmillaCarries carries = which == FIRST ? kind->a : kind->b;
  const ArmillaCatalogueValue *column;

  if (carries == ARMILLA_CARRIES_SHEAR
      && !(armilla_objects_parts (ARMILLA_OBJECTS (input)) & ARMILLA_CATALOGUE_SHEAR))
    return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                         "%s has no shears; name their columns with g1 and g2 of read-catalogue",
                         kind->ports[which].name);
  if (carries != ARMILLA_CARRIES_VALUE)
    return TRUE;
  column = find_column (self, input, which, error);
  if (column == NULL)
    return FALSE;
  self->common.columns[which] = column->name;
  if (*column->unit != 0)
    {
      g_autofree char *before = self->unit;

      self->unit = before == NULL ? g_strdup (column->unit)
                   : strcmp (before, column->unit) == 0
                     ? g_strdup_printf ("%s^2", before)
                     : g_strdup_printf ("%s %s", before, column->unit);
    }
  return TRUE;
}

/* Returns whether pairs are those within one catalogue, so that no object is paired with itself. */
static gboolean
is_within (ArmillaFieldCorrelation *self, ArmillaData *const *inputs)
{
  const char *const *columns = self->common.columns;

  return inputs[SECOND] == NULL
         || (inputs[SECOND] == inputs[FIRST] && columns[FIRST] != NULL && columns[SECOND] != NULL
             && strcmp (columns[FIRST], columns[SECOND]) == 0);
}

static gboolean
field_prepare (ArmillaStage *stage, const ArmillaStageContext *context, ArmillaData *const *inputs,
               ArmillaData **outputs, GError **error)
{
  ArmillaFieldCorrelation *self = (ArmillaFieldCorrelation *) stage;
  const FieldKind *kind = kind_of (self);

  (void) context;
  g_clear_pointer (&self->unit, g_free);
  memset (self->common.columns, 0, sizeof self->common.columns);
  for (int i = FIRST; i <= SECOND; i++)
    if (inputs[i] != NULL && !check_input (self, inputs[i], i, error))
      return FALSE;
  if (inputs[SECOND] == NULL && armilla_stage_given (stage, "column2"))
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "column2 requires catalogue2; connect it, or leave out column2");
  if (inputs[SECOND] == NULL && self->unit != NULL)
    {
      g_autofree char *once = self->unit;

      self->unit = g_strdup_printf ("%s^2", once);
    }
  if (self->unit == NULL)
    self->unit = g_strdup ("");
  if (!armilla_correlation_check_patches (stage, &self->common, inputs, kind->n_inputs, kind->ports,
                                          error))
    return FALSE;
  self->bins = armilla_correlation_bins (stage, &self->common, error);
  if (self->bins == NULL)
    return FALSE;
  armilla_stage_new_tables (outputs, ARMILLA_N_CORRELATION_TABLES, inputs, kind->n_inputs);
  return TRUE;
}

static int
shear_sums (const ArmillaFieldCorrelation *self)
{
  return kind_of (self)->b == ARMILLA_CARRIES_SHEAR
           ? 1 << ARMILLA_SUM_XI_PLUS | 1 << ARMILLA_SUM_XI_MINUS
           : 0;
}

static double
field_memory (ArmillaStage *stage, ArmillaData *const *inputs, ArmillaData *const *outputs)
{
  ArmillaFieldCorrelation *self = (ArmillaFieldCorrelation *) stage;
  const int mean = self->mean_separation ? 1 << ARMILLA_SUM_SEPARATION : 0;
  const int sums[N_INPUTS] = { mean, mean | shear_sums (self), shear_sums (self) };
  const int n_inputs = kind_of (self)->n_inputs;
  double bytes = armilla_correlation_memory (&self->common, self->bins, ARMILLA_HISTOGRAM_PAIRS,
                                             N_HISTOGRAMS, shear_sums (self) ? 2 : 1)
                 + armilla_correlation_cells (inputs, n_inputs, sums);

  (void) outputs;
  for (int i = 0; i < n_inputs; i++)
    if (inputs[i] != NULL && self->common.columns[i] != NULL)
      bytes += armilla_objects_count_bytes (ARMILLA_OBJECTS (inputs[i]), 1 << ARMILLA_SUM_WEIGHT);
  return bytes;
}

/* Requests a count of the first or the random objects with the second ones. */
static gboolean
count (const ArmillaFieldCorrelation *self, ArmillaGraph *graph, FieldMaker *maker, int which,
       int sums, ArmillaHistogram **histograms, int *n, GError **error)
{
  const CorrelationCatalogues *c = maker->catalogues;
  const ArmillaCountOptions options
    = { .tasks = self->common.tasks, .lens = (sums & shear_sums (self)) != 0 };
  const gboolean values = which == SUMS || which == RANDOM_SUMS;
  const int first = which >= RANDOM_PAIRS ? RANDOM : FIRST;
  ArmillaObjects *a = values && c->valued[first] != NULL ? c->valued[first] : c->objects[first];
  ArmillaObjects *b = maker->within ? NULL
                      : values && c->valued[SECOND] != NULL ? c->valued[SECOND]
                                                            : c->objects[SECOND];

  if (armilla_correlation_weighted (a, b))
    sums |= 1 << ARMILLA_SUM_WEIGHT;
  histograms[*n]
    = armilla_correlation_pairs (&self->common, self->bins, self->common.n_patches, sums, error);
  if (histograms[*n] == NULL)
    return FALSE;
  maker->counted[which] = TRUE;
  maker->shapes[which] = *armilla_histogram_shape (histograms[*n]);
  return armilla_graph_count_pairs (graph, a, b, &options, histograms[(*n)++], error);
}

static gboolean
count_all (const ArmillaFieldCorrelation *self, ArmillaGraph *graph, FieldMaker *maker,
           gboolean random, ArmillaHistogram **histograms, int *n, GError **error)
{
  const int mean = self->mean_separation ? 1 << ARMILLA_SUM_SEPARATION : 0;
  const gboolean values = maker->catalogues->valued[FIRST] != NULL
                          || maker->catalogues->valued[SECOND] != NULL;
  const int shears = shear_sums (self);

  return count (self, graph, maker, PAIRS, mean | (values ? 0 : shears), histograms, n, error)
         && (!values || count (self, graph, maker, SUMS, shears, histograms, n, error))
         && (!random
             || count (self, graph, maker, RANDOM_PAIRS, values ? 0 : shears, histograms, n, error))
         && (!random || !values
             || count (self, graph, maker, RANDOM_SUMS, shears, histograms, n, error));
}

static gboolean
field_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
             ArmillaData *const *outputs, GError **error)
{
  ArmillaFieldCorrelation *self = (ArmillaFieldCorrelation *) stage;
  const FieldKind *kind = kind_of (self);
  ArmillaHistogram *histograms[N_HISTOGRAMS] = { NULL };
  FieldMaker maker = { .counts = { .a = kind->a, .b = kind->b,
                                   .sign = self->shears_from == FROM_WEST ? 1 : -1 },
                       .within = is_within (self, inputs),
                       .match = self->common.across == ACROSS_MATCH };
  const gint64 min_objects[N_INPUTS] = { maker.within ? 2 : 1, 1, 1 };
  ArmillaData *own[N_INPUTS] = { NULL };
  gboolean good;
  int n = 0;

  for (int i = 0; i < kind->n_inputs; i++)
    own[i] = i == SECOND && maker.within ? NULL : inputs[i];
  maker.catalogues
    = armilla_correlation_catalogues (graph, &self->common, self->bins, own, kind->n_inputs,
                                      kind->ports, maker.within ? FIRST : SECOND, min_objects,
                                      error);
  if (maker.catalogues == NULL)
    return FALSE;
  good = count_all (self, graph, &maker, own[RANDOM] != NULL, histograms, &n, error);
  for (int out = 0; good && out < ARMILLA_N_CORRELATION_TABLES; out++)
    {
      FieldMaker *copy = g_memdup2 (&maker, sizeof maker);

      g_atomic_int_inc (&copy->catalogues->refs);
      copy->unit = g_strdup (self->unit);
      copy->which = (ArmillaCorrelationTable) out;
      good = armilla_graph_make (graph, (ArmillaData **) histograms, n, outputs[out], field_make,
                                 copy, maker_free, error);
    }
  for (int i = 0; i < n; i++)
    g_clear_object (&histograms[i]);
  armilla_correlation_unref (maker.catalogues);
  return good;
}

#define TABLES(functions, errors)                                                                  \
  { "table", armilla_table_data_get_type, ARMILLA_PORT_OUT,                                        \
    "one row per bin: theta_min, theta_max, theta, " functions ", " errors ", pairs" },            \
  { "covariance", armilla_table_data_get_type, ARMILLA_PORT_OUT,                                   \
    "one row for each pair of bins: bin1, bin2, their edges theta1_min .. theta2_max, and the "   \
    "covariance of each function" },                                                               \
  ARMILLA_CORRELATION_SAMPLES_PORT (functions),                                                    \
  { NULL, NULL, 0, NULL }
#define OPTIONAL (ARMILLA_PORT_IN | ARMILLA_PORT_OPTIONAL)

static const ArmillaPort ng_ports[] = {
  { "catalogue", armilla_objects_get_type, ARMILLA_PORT_IN, "the objects, such as lenses" },
  { "catalogue2", armilla_objects_get_type, ARMILLA_PORT_IN, "objects with shears" },
  { "random", armilla_objects_get_type, OPTIONAL,
    "random objects in the region of catalogue, whose mean shear is subtracted" },
  TABLES ("gamma_t, gamma_x", "error_t, error_x"),
};

static const ArmillaPort nk_ports[] = {
  { "catalogue", armilla_objects_get_type, ARMILLA_PORT_IN, "the objects" },
  { "catalogue2", armilla_objects_get_type, ARMILLA_PORT_IN, "objects with values" },
  { "random", armilla_objects_get_type, OPTIONAL,
    "random objects in the region of catalogue, whose mean value is subtracted" },
  TABLES ("xi", "error"),
};

static const ArmillaPort kk_ports[] = {
  { "catalogue", armilla_objects_get_type, ARMILLA_PORT_IN, "objects with values" },
  { "catalogue2", armilla_objects_get_type, OPTIONAL,
    "other objects with values: pairs have one object of each catalogue" },
  TABLES ("xi", "error"),
};

static const ArmillaPort kg_ports[] = {
  { "catalogue", armilla_objects_get_type, ARMILLA_PORT_IN, "objects with values" },
  { "catalogue2", armilla_objects_get_type, ARMILLA_PORT_IN, "objects with shears" },
  TABLES ("xi_t, xi_x", "error_t, error_x"),
};

#define BINS "min = 1 deg; max = 30 deg; bins = 5"
#define SUMS_ARE                                                                                   \
  " Means are over pairs, weighted by the product of the weights. A bin includes its lower edge "  \
  "and excludes its upper edge. Errors are jackknife errors over patches of the sky, or those of " \
  "the scatter of what the objects carry. Catalogues in other coordinates are converted to those " \
  "of the first."
#define TANGENTIAL                                                                                 \
  " A tangential shear is positive where an object is elongated across the great circle to the "  \
  "other; the cross shear is turned by 45 deg from it, counterclockwise on the sky."

static const FieldKind kinds[] = {
  { "ng-correlation", "Estimate the mean tangential shear around objects",
    "gamma_t is the mean tangential shear of the objects of catalogue2 around those of catalogue, "
    "less that around random objects: galaxy-galaxy lensing." TANGENTIAL SUMS_ARE,
    "Mandelbaum et al. (2005), Systematic errors in weak lensing: application to SDSS "
    "galaxy-galaxy weak lensing",
    "catalogue2 = shears; " BINS, ARMILLA_CARRIES_NUMBER, ARMILLA_CARRIES_SHEAR, 3, ng_ports },
  { "nk-correlation", "Estimate the mean of a value around objects",
    "xi is the mean of a column of catalogue2, such as a convergence or a temperature, around the "
    "objects of catalogue, less that around random objects." SUMS_ARE,
    "Jarvis et al. (2004), The skewness of the aperture mass statistic", BINS,
    ARMILLA_CARRIES_NUMBER, ARMILLA_CARRIES_VALUE, 3, nk_ports },
  { "kk-correlation", "Estimate the two-point correlation function of a value",
    "xi is the mean product of the values of two objects. The mean value is not subtracted. If "
    "catalogue2 is the same node as catalogue, and column2 is column, pairs are counted within it, "
    "as without catalogue2." SUMS_ARE,
    "Jarvis et al. (2004), The skewness of the aperture mass statistic", BINS,
    ARMILLA_CARRIES_VALUE, ARMILLA_CARRIES_VALUE, 2, kk_ports },
  { "kg-correlation", "Estimate the correlation function of a value and a shear",
    "xi_t is the mean of the value of an object of catalogue times the tangential shear of one of "
    "catalogue2." TANGENTIAL SUMS_ARE,
    "Jarvis et al. (2004), The skewness of the aperture mass statistic",
    "catalogue2 = shears; " BINS, ARMILLA_CARRIES_VALUE, ARMILLA_CARRIES_SHEAR, 2, kg_ports },
};

static const char *const directions[] = {
  [FROM_WEST] = "west", [FROM_NORTH] = "north", NULL,
};

static const ArmillaProperty mean_property[] = {
  { "mean-separation", ARMILLA_BOOLEAN (ArmillaFieldCorrelation, mean_separation, TRUE),
    "compute the mean separation of the pairs, which takes several times as long as counting" },
};

static const ArmillaProperty column_properties[] = {
  { "column", ARMILLA_TEXT (ArmillaFieldCorrelation, columns[0], ""),
    "column of the values; not needed if the catalogue has one further column" },
  { "column2", ARMILLA_TEXT (ArmillaFieldCorrelation, columns[1], ""),
    "column of the values of catalogue2; not given: column" },
};

static const ArmillaProperty shear_property[] = {
  { "shears-from", ARMILLA_ENUM (ArmillaFieldCorrelation, shears_from, directions, FROM_WEST),
    "direction from which the position angles of shears count: west, towards north, as in most "
    "shear catalogues, or north, towards east, as for polarisation" },
};

static void
armilla_field_correlation_class_init (ArmillaFieldCorrelationClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  stage->prepare = field_prepare;
  stage->build = field_build;
  stage->memory = field_memory;
  ARMILLA_STAGE_OWNS (stage, ArmillaFieldCorrelation, bins, armilla_bins_unref);
  ARMILLA_STAGE_OWNS (stage, ArmillaFieldCorrelation, unit, g_free);
}

/* Sets what differs between the stages. */
static void
kind_init (gpointer klass, gpointer data)
{
  const FieldKind *kind = data;
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);
  const int n_columns
    = (kind->a == ARMILLA_CARRIES_VALUE) + (kind->b == ARMILLA_CARRIES_VALUE);

  ((ArmillaFieldCorrelationClass *) klass)->kind = kind;
  stage->nick = kind->nick;
  stage->summary = kind->summary;
  stage->description = kind->description;
  stage->reference = kind->reference;
  stage->ports = kind->ports;
  armilla_stage_set_example (stage, kind->example);
  armilla_correlation_install (stage, G_STRUCT_OFFSET (ArmillaFieldCorrelation, common), 20, TRUE);
  armilla_stage_install (stage, 0, mean_property, G_N_ELEMENTS (mean_property));
  armilla_stage_install (stage, 0, column_properties, (gsize) n_columns);
  if (kind->b == ARMILLA_CARRIES_SHEAR)
    armilla_stage_install (stage, 0, shear_property, G_N_ELEMENTS (shear_property));
}

static GType
register_kind (const FieldKind *kind, const char *name)
{
  const GTypeInfo info = { .class_size = sizeof (ArmillaFieldCorrelationClass),
                           .class_init = kind_init,
                           .class_data = kind,
                           .instance_size = sizeof (ArmillaFieldCorrelation) };

  return g_type_register_static (armilla_field_correlation_get_type (), name, &info, 0);
}

#define FIELD_STAGE(function, name, i)                                                             \
  GType function (void);                                                                           \
  GType function (void)                                                                            \
  {                                                                                                \
    static gsize type;                                                                             \
                                                                                                   \
    if (g_once_init_enter (&type))                                                                 \
      g_once_init_leave (&type, register_kind (&kinds[i], name));                                  \
    return type;                                                                                   \
  }

FIELD_STAGE (armilla_ng_correlation_get_type, "ArmillaNgCorrelation", 0)
FIELD_STAGE (armilla_nk_correlation_get_type, "ArmillaNkCorrelation", 1)
FIELD_STAGE (armilla_kk_correlation_get_type, "ArmillaKkCorrelation", 2)
FIELD_STAGE (armilla_kg_correlation_get_type, "ArmillaKgCorrelation", 3)
