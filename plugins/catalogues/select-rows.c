/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include <armilla/armilla.h>

#include "core/base/quantity.h"
#include "core/catalogues/catalogue.h"
#include "core/expressions/expression.h"
#include "plugins/base/stage-util.h"
#include "tasks/data/objects.h"

/* Number of objects processed at a time. */
#define CHUNK 4096

/* Variables that all catalogues have; they follow those of the further columns. */
typedef enum { LONGITUDE, LATITUDE, WEIGHT, G1, G2, PATCH, N_PARTS } Part;

struct _ArmillaSelectRows {
  ArmillaStage parent_instance;
  char *condition, *column, *edges;
  int bin;
  ArmillaExpression *expression;
  char *said; /* condition as shown in messages */
};

ARMILLA_DEFINE_STAGE (ArmillaSelectRows, armilla_select_rows, ARMILLA, SELECT_ROWS)

static const ArmillaPort ports[] = {
  { "catalogue", armilla_objects_get_type, ARMILLA_PORT_IN, "the objects" },
  { "out", armilla_objects_get_type, ARMILLA_PORT_OUT,
    "the objects for which the condition is true, in their order, with all columns" },
  { NULL, NULL, 0, NULL },
};

static void
clear_name (gpointer data)
{
  g_free (((ArmillaExpressionName *) data)->name);
}

/* Adds a variable. Converts its name to an identifier: characters other than letters and digits
 * become _. */
static void
call (GArray *names, int variable, const char *name)
{
  ArmillaExpressionName entry = { NULL, variable };
  g_autofree char *word = g_strdup (name);

  for (char *p = word; *p != 0; p++)
    if (!g_ascii_isalnum (*p))
      *p = '_';
  entry.name = g_strconcat (g_ascii_isdigit (*word) ? "_" : "", word, NULL);
  g_array_append_val (names, entry);
}

/* Parses @formula, the value of property @key. Names of further columns come first: a further
 * column "weight" hides the weights of objects. */
static ArmillaExpression *
parse (const char *key, const char *formula, const ArmillaCatalogue *like, GError **error)
{
  static const char *const parts[] = { "lon", "lat", "weight", "g1", "g2", "patch" };
  static const char *const angles[][2]
    = { { "RA", "DEC" }, { "GLON", "GLAT" }, { "ELON", "ELAT" } };
  const gboolean there[]
    = { TRUE, TRUE, like->weight != NULL, like->g1 != NULL, like->g2 != NULL, like->patch != NULL };
  const char *systems = "CGE";
  const char *letter = like->coordsys != 0 ? strchr (systems, like->coordsys) : NULL;
  g_autoptr (GArray) names = g_array_new (FALSE, FALSE, sizeof (ArmillaExpressionName));
  g_autofree const char **units = g_new0 (const char *, like->n_values + N_PARTS);
  ArmillaExpression *expression;

  g_array_set_clear_func (names, clear_name);
  for (int k = 0; k < like->n_values; k++)
    {
      units[k] = like->values[k].unit;
      call (names, k, like->values[k].name);
    }
  for (int part = 0; part < N_PARTS; part++)
    {
      units[like->n_values + part] = part <= LATITUDE ? "deg" : "";
      if (there[part])
        call (names, like->n_values + part, parts[part]);
    }
  for (int k = 0; letter != NULL && k < 2; k++)
    call (names, like->n_values + LONGITUDE + k, angles[letter - systems][k]);
  expression
    = armilla_expression_new (formula, (const ArmillaExpressionName *) (gpointer) names->data,
                              (int) names->len, units, like->n_values + N_PARTS, error);
  if (expression == NULL)
    g_prefix_error (error, "%s = %s: ", key, formula);
  return expression;
}

/* Parses the edges, and returns them as texts from which the same numbers are read. */
static char **
parse_edges (const char *text, GError **error)
{
  g_autoptr (GStrvBuilder) edges = g_strv_builder_new ();
  g_auto (GStrv) words = armilla_stage_words (text);
  double last = 0;

  for (char **word = words; *word != NULL; word++)
    {
      char digits[G_ASCII_DTOSTR_BUF_SIZE];
      double edge;

      if (!armilla_quantity_parse (*word, ARMILLA_DIMENSION_NONE, &edge, error))
        {
          g_prefix_error (error, "edges: ");
          return NULL;
        }
      if (word > words && !(edge > last))
        return armilla_fail_null (error, ARMILLA_ERROR_VALUE,
                                  "edges: %s comes after %s; must be in ascending order",
                                  *word, word[-1]);
      g_strv_builder_add (edges, g_ascii_dtostr (digits, sizeof digits, edge));
      last = edge;
    }
  if (g_strv_length (words) < 2)
    return armilla_fail_null (error, ARMILLA_ERROR_VALUE,
                              "edges: must have at least two values: the lower end of each bin and "
                              "the upper end of the last");
  return g_strv_builder_end (edges);
}

/* Returns the condition that an object is in the bin; NULL with an error if a property is
 * invalid. */
static char *
bin_condition (ArmillaSelectRows *self, const ArmillaCatalogue *like, GError **error)
{
  g_auto (GStrv) edges = NULL;
  g_autoptr (ArmillaExpression) column = NULL;
  int n;

  if (!armilla_stage_given (self, "column") || !armilla_stage_given (self, "edges")
      || !armilla_stage_given (self, "bin"))
    return armilla_fail_null (error, ARMILLA_ERROR_VALUE,
                              "column, edges and bin are required together: the quantity, the ends "
                              "of all bins, and the number of this bin, from 1");
  column = parse ("column", self->column, like, error);
  edges = column != NULL ? parse_edges (self->edges, error) : NULL;
  if (edges == NULL)
    return NULL;
  n = (int) g_strv_length (edges) - 1;
  if (self->bin > n)
    return armilla_fail_null (error, ARMILLA_ERROR_VALUE,
                              "bin = %d: edges define %d bin%s, numbered from 1", self->bin, n,
                              n == 1 ? "" : "s");
  return g_strdup_printf ("(%s) >= %s && (%s) < %s", self->column, edges[self->bin - 1],
                          self->column, edges[self->bin]);
}

/* Parses the conditions of all properties, joined by "and". @said: set to their text for
 * messages */
static ArmillaExpression *
parse_all (ArmillaSelectRows *self, const ArmillaCatalogue *like, char **said, GError **error)
{
  const gboolean binned = armilla_stage_given (self, "column")
                          || armilla_stage_given (self, "edges")
                          || armilla_stage_given (self, "bin");
  g_autoptr (ArmillaExpression) condition = NULL;
  g_autofree char *bin = NULL;
  g_autofree char *both = NULL;

  if (self->condition == NULL && !binned)
    return armilla_fail_null (error, ARMILLA_ERROR_VALUE,
                              "no selection; set condition, or column, edges and bin");
  if (self->condition != NULL)
    condition = parse ("condition", self->condition, like, error);
  if (self->condition != NULL && condition == NULL)
    return NULL;
  if (!binned)
    {
      *said = g_strdup_printf ("condition = %s", self->condition);
      return g_steal_pointer (&condition);
    }
  bin = bin_condition (self, like, error);
  if (bin == NULL)
    return NULL;
  both = condition != NULL ? g_strdup_printf ("%s && (%s)", bin, self->condition) : g_strdup (bin);
  *said = g_strdup_printf ("bin = %d, which is %s", self->bin, both);
  return parse ("bin", both, like, error);
}

/* Computes the variables that catalogues do not store as doubles, such as longitudes, for the
 * objects from @first on. */
static void
find_parts (const ArmillaCatalogue *c, const ArmillaExpression *expression, gint64 first, gint64 n,
            double *parts)
{
  double *longitude = parts + LONGITUDE * CHUNK, *latitude = parts + LATITUDE * CHUNK;
  const gboolean angles = armilla_expression_reads (expression, c->n_values + LONGITUDE)
                          || armilla_expression_reads (expression, c->n_values + LATITUDE);

  for (gint64 i = 0; angles && i < n; i++)
    {
      const double x = c->x[first + i], y = c->y[first + i];
      const double degrees = x != 0 || y != 0 ? atan2 (y, x) * (180 / G_PI) : 0;

      longitude[i] = degrees < 0 ? degrees + 360 : degrees;
      if (!(longitude[i] < 360))
        longitude[i] = 0;
      latitude[i] = atan2 (c->z[first + i], hypot (x, y)) * (180 / G_PI);
    }
  for (gint64 i = 0; c->patch != NULL && i < n; i++)
    parts[PATCH * CHUNK + i] = c->patch[first + i];
}

static void
point_at (const ArmillaCatalogue *c, gint64 first, const double *parts, const double **values)
{
  const double **own = values + c->n_values;

  for (int k = 0; k < c->n_values; k++)
    values[k] = c->values[k].value + first;
  for (int part = 0; part < N_PARTS; part++)
    own[part] = parts + part * CHUNK;
  if (c->weight != NULL)
    own[WEIGHT] = c->weight + first;
  if (c->g1 != NULL)
    own[G1] = c->g1 + first;
  if (c->g2 != NULL)
    own[G2] = c->g2 + first;
}

/* Finds the indices of the objects that fulfil the condition; @which has room for all objects. */
static gboolean
find_which (const ArmillaCatalogue *c, ArmillaExpression *expression, gint64 *which, gint64 *n,
            GError **error)
{
  g_autofree const double **values = g_new0 (const double *, c->n_values + N_PARTS);
  g_autofree double *parts = g_new0 (double, N_PARTS * CHUNK);
  g_autofree double *holds = g_new (double, CHUNK);

  *n = 0;
  for (gint64 first = 0; first < c->n; first += CHUNK)
    {
      const gint64 count = MIN (CHUNK, c->n - first);

      find_parts (c, expression, first, count, parts);
      point_at (c, first, parts, values);
      if (!armilla_expression_evaluate (expression, values, count, holds, error))
        return FALSE;
      for (gint64 i = 0; i < count; i++)
        if (isfinite (holds[i]) && holds[i] != 0)
          which[(*n)++] = first + i;
    }
  return TRUE;
}

static gboolean
choose (gpointer user, const ArmillaPiece *in, ArmillaPiece *out, GError **error)
{
  ArmillaSelectRows *self = user;
  const ArmillaCatalogue *all = in[0].catalogue;
  g_autofree gint64 *which = g_try_new (gint64, MAX (all->n, 1));
  gint64 n;

  if (which == NULL)
    return armilla_fail (error, ARMILLA_ERROR_MEMORY,
                         "out of memory: cannot choose from %" G_GINT64_FORMAT " objects", all->n);
  if (!find_which (all, self->expression, which, &n, error))
    return FALSE;
  if (n == 0)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "%s: holds for none of the %" G_GINT64_FORMAT " objects", self->said,
                         all->n);
  out->catalogue = armilla_catalogue_select (all, which, n, error);
  return out->catalogue != NULL;
}

static gboolean
select_rows_prepare (ArmillaStage *stage, const ArmillaStageContext *context,
                     ArmillaData *const *inputs, ArmillaData **outputs, GError **error)
{
  ArmillaSelectRows *self = ARMILLA_SELECT_ROWS (stage);
  const ArmillaCatalogue *like = armilla_objects_like (ARMILLA_OBJECTS (inputs[0]));
  g_autoptr (ArmillaCatalogue) mine = NULL;

  (void) context;
  self->expression = parse_all (self, like, &self->said, error);
  if (self->expression == NULL)
    return FALSE;
  mine = armilla_catalogue_select (like, NULL, 0, error);
  if (mine == NULL)
    return FALSE;
  outputs[0] = ARMILLA_DATA (armilla_objects_new_like (mine));
  armilla_stage_inherit (outputs[0], inputs[0]);
  armilla_stage_note (outputs[0], "select-rows: %s", self->said);
  return TRUE;
}

/* Returns the bytes of the indices; the selected objects need no more than the input. */
static double
select_rows_memory (ArmillaStage *stage, ArmillaData *const *inputs, ArmillaData *const *outputs)
{
  ArmillaObjects *objects = ARMILLA_OBJECTS (inputs[0]);
  const ArmillaCatalogue *like = armilla_objects_like (objects);

  (void) stage;
  (void) outputs;
  return (double) armilla_objects_expected (objects)
         * (sizeof (gint64) + 3 * sizeof (double)
            + (like->weight != NULL ? sizeof (double) : 0)
            + (like->g1 != NULL ? 2 * sizeof (double) : 0)
            + (like->patch != NULL ? sizeof (gint32) : 0)
            + (gsize) like->n_values * sizeof (double));
}

static gboolean
select_rows_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
                   ArmillaData *const *outputs, GError **error)
{
  return armilla_graph_make (graph, inputs, 1, outputs[0], choose, g_object_ref (stage),
                             g_object_unref, error);
}

static const ArmillaProperty properties[] = {
  { "condition", ARMILLA_TEXT (ArmillaSelectRows, condition, NULL),
    "an expression, such as z > 0.5 && z <= 0.9 && abs(GLAT) > 20" },
  { "column", ARMILLA_TEXT (ArmillaSelectRows, column, NULL),
    "quantity to be binned: a column, such as z, or an expression" },
  { "edges", ARMILLA_TEXT (ArmillaSelectRows, edges, NULL),
    "lower edges of the bins, and the upper edge of the last bin, in ascending order, separated "
    "by commas; a bin includes its lower edge" },
  { "bin", ARMILLA_INT (ArmillaSelectRows, bin, 1, 100000, 1),
    "number of the bin whose objects are kept, from 1" },
};

static void
armilla_select_rows_class_init (ArmillaSelectRowsClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  stage->nick = "select-rows";
  armilla_stage_set_example (stage, "condition = z > 1");
  stage->summary =
    "Keep the objects of a catalogue for which a condition is true, or those of a bin";
  stage->description =
    "A condition may use the columns listed in values of read-catalogue, with _ for characters "
    "other than letters and digits; lon and lat in degrees, also as RA and DEC, GLON and GLAT, or "
    "ELON and ELAT, according to the coordinates; and weight, g1, g2 and patch if the catalogue "
    "has them. Objects for which it is 0 or not finite are excluded. With column, edges and bin, "
    "the objects of one bin are kept (with a condition, those for which it is true); each = i: "
    "1..3 with bin = ${i} creates nodes for three bins. An empty result is an error. "
    "doc/expressions.md describes all expressions, doc/each.md describes each.";
  stage->ports = ports;
  stage->prepare = select_rows_prepare;
  stage->build = select_rows_build;
  stage->memory = select_rows_memory;
  armilla_stage_install (stage, 0, properties, G_N_ELEMENTS (properties));
  ARMILLA_STAGE_OWNS (stage, ArmillaSelectRows, expression, armilla_expression_free);
  ARMILLA_STAGE_OWNS (stage, ArmillaSelectRows, said, g_free);
}
