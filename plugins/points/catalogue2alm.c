/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include <armilla/armilla.h>

#include "core/catalogues/catalogue.h"
#include "core/fits/fields.h"
#include "core/grids/grid.h"
#include "plugins/base/stage-util.h"
#include "plugins/points/catalogue-field.h"
#include "plugins/points/catalogue-templates.h"
#include "tasks/data/objects.h"
#include "tasks/harmonic/harmonic.h"
#include "tasks/pixels/pixels.h"
#include "tasks/points/points.h"

enum { CATALOGUE, RANDOM, MASK, TEMPLATES };
enum { ALM, MASK_ALM, NOISE, MASK_NOISE };

struct _ArmillaCatalogue2alm {
  ArmillaStage parent_instance;
  char *columns, *templates;
  gint64 lmax, mask_lmax, templates_lmax;
  int spin, iterations;
  double epsilon, tolerance;
  gboolean weighted;
  CatalogueField field, random_field; /* of the random objects: templates */
  GArray *found, *templates_found;    /* gint: columns of the field, of the templates */
  int n_templates;                    /* number of templates deprojected from a_lm */
  gint64 mask_analysed; /* resolved value of mask_lmax */
};

ARMILLA_DEFINE_STAGE (ArmillaCatalogue2alm, armilla_catalogue2alm, ARMILLA, CATALOGUE2ALM)

static const ArmillaPort ports[] = {
  { "catalogue", armilla_objects_get_type, ARMILLA_PORT_IN,
    "the objects, with weights, or with weight 1 each" },
  { "random", armilla_objects_get_type, ARMILLA_PORT_IN | ARMILLA_PORT_OPTIONAL,
    "random objects, which represent the region and the mean density of the catalogue" },
  { "mask", armilla_map_get_type, ARMILLA_PORT_IN | ARMILLA_PORT_OPTIONAL,
    "instead of random: the mean density as a map of one field, in any unit; UNSEEN counts as 0" },
  { "template-maps", armilla_map_get_type, ARMILLA_PORT_IN | ARMILLA_PORT_OPTIONAL,
    "with mask: templates on its pixels, one field for each, or pairs" },
  { "alm", armilla_alm_get_type, ARMILLA_PORT_OUT,
    "a_lm of the field times the mask: one field, or gradient and curl" },
  { "mask-alm", armilla_alm_get_type, ARMILLA_PORT_OUT,
    "a_lm of the mask: the weights of the catalogue, or of random, or the map" },
  { "noise", armilla_cl_get_type, ARMILLA_PORT_OUT,
    "noise bias of the auto spectra of alm, for noise of decouple; 0 for the other spectra" },
  { "mask-noise", armilla_cl_get_type, ARMILLA_PORT_OUT,
    "noise bias of the auto spectrum of mask-alm, for noise of coupling; 0 if mask is connected" },
  { NULL, NULL, 0, NULL },
};

static gboolean
has_mask (ArmillaData *const *inputs)
{
  return inputs[RANDOM] != NULL || inputs[MASK] != NULL;
}

/* Returns whether the field is the density of the objects, not a quantity measured at them. */
static gboolean
is_clustering (const ArmillaCatalogue2alm *self)
{
  return self->field.columns[0] == CATALOGUE_FIELD_ONE;
}

/* Finds the columns of the field. */
static gboolean
find_columns (ArmillaCatalogue2alm *self, ArmillaData *const *inputs, GError **error)
{
  const ArmillaCatalogue *like = armilla_objects_like (ARMILLA_OBJECTS (inputs[CATALOGUE]));
  g_auto (GStrv) names = armilla_stage_words (self->columns);
  static const int shears[] = { CATALOGUE_FIELD_Q, CATALOGUE_FIELD_U }, one = CATALOGUE_FIELD_ONE;
  GArray *found = self->found = armilla_stage_value_columns (like, names, "columns", error);
  const int n = self->spin == 0 ? 1 : 2;

  if (found == NULL)
    return FALSE;
  self->field = (CatalogueField) { .port = "catalogue", .n = n, .weighted = self->weighted,
                                   .tolerance = self->tolerance };
  if (found->len > 0 && (int) found->len != n)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "columns: %u name(s) given; must be %s for spin = %d", found->len,
                         n == 1 ? "one" : "two, of Q and U,", self->spin);
  self->field.columns = (const int *) (gconstpointer) found->data;
  if (found->len == 0 && self->spin == 2 && like->g1 != NULL)
    self->field.columns = shears;
  else if (found->len == 0 && self->spin == 0 && has_mask (inputs))
    self->field.columns = &one;
  else if (found->len == 0)
    return armilla_fail (error, ARMILLA_ERROR_VALUE, "columns is empty; %s",
                         self->spin == 0 ? "must name a column, or connect random or mask for the "
                                           "density of the objects"
                         : self->spin == 2 ? "must name Q and U, or the catalogue must have shears"
                                           : "must name two columns, of Q and U");
  return TRUE;
}

/* Fails unless the maps are templates of the field. */
static gboolean
check_template_maps (ArmillaCatalogue2alm *self, ArmillaData *const *inputs, GError **error)
{
  const ArmillaPort maps[] = { ports[MASK], ports[TEMPLATES], { NULL, NULL, 0, NULL } };
  const int *spins = armilla_map_spins (ARMILLA_MAP (inputs[TEMPLATES]));

  if (inputs[MASK] == NULL || *self->templates != '\0')
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "template-maps requires mask, and excludes templates, which are columns");
  self->n_templates = armilla_map_n_fields (ARMILLA_MAP (inputs[TEMPLATES])) / self->field.n;
  for (int f = 0; f < armilla_map_n_fields (ARMILLA_MAP (inputs[TEMPLATES])); f++)
    if (spins[f] != self->spin)
      return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                           "template-maps: field %d has the spin %d; must be %d, as spin", f,
                           spins[f], self->spin);
  return armilla_stage_agree (maps, inputs + MASK, ARMILLA_AGREE_SHAPE | ARMILLA_AGREE_COORDINATES,
                              error);
}

/* Finds the templates: columns of the catalogue, or of random; or maps. */
static gboolean
find_templates (ArmillaCatalogue2alm *self, ArmillaData *const *inputs, GError **error)
{
  ArmillaData *with = inputs[RANDOM] != NULL ? inputs[RANDOM] : inputs[CATALOGUE];
  g_auto (GStrv) names = armilla_stage_words (self->templates);
  GArray *found = self->templates_found
    = armilla_stage_value_columns (armilla_objects_like (ARMILLA_OBJECTS (with)), names,
                                   "templates", error);

  if (found == NULL)
    return FALSE;
  if (found->len % (guint) self->field.n != 0)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "templates: %u name(s) given; must be pairs (Q and U) if spin is above 0",
                         found->len);
  self->random_field = (CatalogueField) { .port = "random", .weighted = self->weighted };
  if (inputs[TEMPLATES] != NULL && !check_template_maps (self, inputs, error))
    return FALSE;
  if (found->len > 0 && inputs[MASK] != NULL)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "templates are columns of random; if mask is connected, connect "
                         "template-maps instead");
  if (inputs[RANDOM] != NULL)
    {
      self->random_field.n = (int) found->len;
      self->random_field.columns = (const int *) (gconstpointer) found->data;
      self->n_templates = (int) found->len / self->field.n;
    }
  else
    {
      self->field.n_templates = (int) found->len / self->field.n;
      self->field.templates = (const int *) (gconstpointer) found->data;
    }
  if (self->n_templates == 0 && armilla_stage_given (self, "templates-lmax"))
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "templates-lmax applies to templates of random, and to template-maps; "
                         "leave it out");
  if (self->templates_lmax > self->lmax)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "templates-lmax = %" G_GINT64_FORMAT ": must be at most lmax = %"
                         G_GINT64_FORMAT, self->templates_lmax, self->lmax);
  return !is_clustering (self) || !self->weighted || self->n_templates > 0
         || armilla_fail (error, ARMILLA_ERROR_VALUE,
                          "weighted applies to columns and templates, which are empty; leave it "
                          "out");
}

/* Fails if the coordinates are known and not those of the catalogue. */
static gboolean
check_coordinates (const char *port, char ours, char theirs, const char *cure, GError **error)
{
  return ours == 0 || theirs == 0 || ours == theirs
         || armilla_fail (error, ARMILLA_ERROR_VALUE,
                          "%s has the coordinates %c, but catalogue has %c; %s", port, theirs, ours,
                          cure);
}

static gboolean
check_mask (ArmillaCatalogue2alm *self, ArmillaData *const *inputs, GError **error)
{
  const char ours = armilla_objects_like (ARMILLA_OBJECTS (inputs[CATALOGUE]))->coordsys;
  const char *letter
    = inputs[MASK] != NULL ? armilla_data_fields (inputs[MASK])->coordsys : NULL;

  if (inputs[RANDOM] != NULL && inputs[MASK] != NULL)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "random and mask are both connected; disconnect one of them");
  if (inputs[MASK] == NULL && armilla_stage_given (self, "iterations"))
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "iterations applies to mask, which is not connected; leave it out");
  if (inputs[MASK] != NULL && armilla_map_n_fields (ARMILLA_MAP (inputs[MASK])) != 1)
    return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                         "mask has %d fields; must be one (read-map reads single columns)",
                         armilla_map_n_fields (ARMILLA_MAP (inputs[MASK])));
  if (letter != NULL && strlen (letter) == 1 && strchr ("CGE", *letter) != NULL
      && !check_coordinates ("mask", ours, *letter, "convert the mask with rotate-map", error))
    return FALSE;
  return inputs[RANDOM] == NULL
         || check_coordinates ("random", ours,
                               armilla_objects_like (ARMILLA_OBJECTS (inputs[RANDOM]))->coordsys,
                               "set coordinates of read-catalogue or random-catalogue", error);
}

/* Returns the common unit of the values, "" if they differ or have none. */
static const char *
unit_of (const ArmillaCatalogue2alm *self, const ArmillaCatalogue *like)
{
  const char *unit
    = self->field.columns[0] >= 0 ? like->values[self->field.columns[0]].unit : "";

  for (int f = 1; f < self->field.n && *unit != '\0'; f++)
    if (strcmp (like->values[self->field.columns[f]].unit, unit) != 0)
      return "";
  return unit;
}

static ArmillaAlm *
describe_alm (gint64 lmax, int n, int spin, const ArmillaCatalogue *like)
{
  const int spins[2] = { spin, spin };
  const char system[2] = { like->coordsys, 0 };
  ArmillaAlm *alm = armilla_alm_new ((ArmillaAlmLayout) { lmax, lmax }, n);

  armilla_alm_set_spins (alm, spins);
  armilla_alm_set_coordsys (alm, like->coordsys != 0 ? system : NULL);
  return alm;
}

static void
describe (ArmillaCatalogue2alm *self, const ArmillaStageContext *context,
          ArmillaData *const *inputs, ArmillaData **outputs)
{
  const ArmillaCatalogue *like = armilla_objects_like (ARMILLA_OBJECTS (inputs[CATALOGUE]));
  ArmillaAlm *alm = describe_alm (self->lmax, self->field.n, self->spin, like);
  ArmillaAlm *mask = describe_alm (self->mask_analysed, 1, 0, like);

  armilla_alm_set_unit (alm, unit_of (self, like));
  ArmillaData *const all[] = {
    [ALM] = ARMILLA_DATA (alm), [MASK_ALM] = ARMILLA_DATA (mask),
    [NOISE] = ARMILLA_DATA (armilla_stage_new_spectra (alm, alm, self->lmax)),
    [MASK_NOISE] = ARMILLA_DATA (armilla_stage_new_spectra (mask, mask, self->mask_analysed)),
  };

  for (int i = ALM; i <= MASK_NOISE; i++)
    {
      for (int in = CATALOGUE; in <= TEMPLATES; in++)
        armilla_stage_inherit (all[i], inputs[in]);
      armilla_stage_note (all[i], "catalogue2alm: epsilon %g", self->epsilon);
      if (context->used >> i & 1)
        outputs[i] = all[i];
      else
        g_object_unref (all[i]);
    }
}

static gboolean
catalogue2alm_prepare (ArmillaStage *stage, const ArmillaStageContext *context,
                       ArmillaData *const *inputs, ArmillaData **outputs, GError **error)
{
  ArmillaCatalogue2alm *self = ARMILLA_CATALOGUE2ALM (stage);

  self->mask_analysed
    = self->mask_lmax >= 0 ? self->mask_lmax
      : inputs[MASK] != NULL
        ? armilla_grid_mask_lmax (
            armilla_grid_whole (armilla_map_grid (ARMILLA_MAP (inputs[MASK]))), self->lmax)
        : self->lmax;
  if (!armilla_alm_layout_check ((ArmillaAlmLayout) { self->lmax, self->lmax }, error)
      || !armilla_alm_layout_check ((ArmillaAlmLayout) { self->mask_analysed, self->mask_analysed },
                                    error)
      || !find_columns (self, inputs, error) || !find_templates (self, inputs, error)
      || !check_mask (self, inputs, error))
    return FALSE;
  describe (self, context, inputs, outputs);
  return TRUE;
}

/* Adds the columns of weighted values and of templates to what the transforms need. */
static double
catalogue2alm_memory (ArmillaStage *stage, ArmillaData *const *inputs, ArmillaData *const *outputs)
{
  const ArmillaCatalogue2alm *self = ARMILLA_CATALOGUE2ALM (stage);
  const int n_columns = (self->field.n_templates + 1) * self->field.n + 1;
  const gint64 lmax = MAX (self->lmax, inputs[MASK] == NULL ? self->mask_analysed : 0);
  double bytes = 0;

  (void) outputs;
  for (int i = CATALOGUE; i <= RANDOM; i++)
    if (inputs[i] != NULL)
      {
        const gint64 n = armilla_objects_expected (ARMILLA_OBJECTS (inputs[i]));

        bytes += sizeof (double) * (double) n
                   * (i == CATALOGUE ? n_columns : self->random_field.n + 1)
                 + armilla_points_bytes ((ArmillaAlmLayout) { lmax, lmax }, self->epsilon,
                                         MAX (self->field.n, self->random_field.n), n);
      }
  return bytes;
}

/* Data that the steps of build share. */
typedef struct {
  ArmillaCatalogue2alm *stage;
  ArmillaGraph *graph;
  ArmillaMap *mask, *template_maps; /* NULL: none */
  ArmillaObjects *data, *random; /* weighted objects; random is NULL if there are none */
  ArmillaCl *scale;              /* 1 / alpha; NULL: 1 */
} Build;

/* Requests the a_lm of the mask. */
static gboolean
add_mask (const Build *self, ArmillaAlm *alm, GError **error)
{
  ArmillaCatalogue2alm *stage = self->stage;
  ArmillaObjects *objects = self->random != NULL ? self->random : self->data;
  const CatalogueField *field = self->random != NULL ? &stage->random_field : &stage->field;
  const int column = catalogue_field_column (objects, field, field->n);

  return self->mask != NULL
           ? armilla_graph_analysis (self->graph, self->mask, alm, stage->iterations, error)
           : armilla_graph_adjoint_points (self->graph, objects, &column, stage->epsilon, NULL, alm,
                                           error);
}

/* Requests 1 / alpha up to the lmax of the field. */
static gboolean
add_scale (Build *self, GError **error)
{
  g_autoptr (ArmillaAlm) alm = armilla_alm_new ((ArmillaAlmLayout) { 0, 0 }, 1);
  g_autoptr (ArmillaCl) integral = NULL;

  self->scale = armilla_cl_new (self->stage->lmax, NULL, 1);
  if (self->mask != NULL)
    {
      integral = armilla_cl_new (0, NULL, 1);
      if (!armilla_graph_analysis (self->graph, self->mask, alm, 0, error)
          || !armilla_graph_spectra (self->graph, alm, alm, integral, error))
        return FALSE;
    }
  return catalogue_field_scale (self->graph, self->data, self->random, integral, self->scale,
                                error);
}

/* Requests the a_lm of sum w f conj Y over alpha; less those of the mask, which are @mask_alm or
 * computed, if the field is the density of the objects. */
static gboolean
add_sum (const Build *self, ArmillaAlm *mask_alm, ArmillaAlm *alm, GError **error)
{
  static const double difference[] = { 1, -1 };
  ArmillaCatalogue2alm *stage = self->stage;
  const ArmillaAlmLayout layout = armilla_alm_layout (alm);
  const int n = stage->field.n;
  const int columns[2] = { catalogue_field_column (self->data, &stage->field, 0),
                           catalogue_field_column (self->data, &stage->field, 1) };
  g_autoptr (ArmillaAlm) sum = armilla_alm_new (layout, n), scaled = NULL, mask = NULL;

  armilla_alm_set_spins (sum, armilla_alm_spins (alm));
  if (self->scale == NULL)
    return armilla_graph_adjoint_points (self->graph, self->data, columns, stage->epsilon, NULL,
                                         alm, error);
  scaled = is_clustering (stage) ? armilla_alm_new (layout, n) : g_object_ref (alm);
  if (!armilla_graph_adjoint_points (self->graph, self->data, columns, stage->epsilon, NULL, sum,
                                     error)
      || !armilla_graph_scale_alm (self->graph, sum, self->scale, scaled, error))
    return FALSE;
  if (!is_clustering (stage))
    return TRUE;
  mask = mask_alm != NULL && stage->mask_analysed == layout.lmax ? g_object_ref (mask_alm)
                                                                : armilla_alm_new (layout, 1);
  if (mask != mask_alm && !add_mask (self, mask, error))
    return FALSE;
  ArmillaData *const both[] = { ARMILLA_DATA (scaled), ARMILLA_DATA (mask) };
  return armilla_graph_combine (self->graph, both, difference, 2, ARMILLA_DATA (alm), error);
}

/* Requests the a_lm of the templates times the mask. */
static gboolean
add_templates (const Build *self, ArmillaAlm *alm, GError **error)
{
  static const ArmillaMaskOptions options = { .outside_unseen = FALSE };
  ArmillaCatalogue2alm *stage = self->stage;
  const int n = armilla_alm_n_fields (alm);
  g_autofree int *columns = g_new (int, n);
  g_autoptr (ArmillaMap) product = NULL;

  if (self->random != NULL)
    {
      for (int i = 0; i < n; i++)
        columns[i] = catalogue_field_column (self->random, &stage->random_field, i);
      return armilla_graph_adjoint_points (self->graph, self->random, columns, stage->epsilon, NULL,
                                           alm, error);
    }
  if (stage->weighted)
    return armilla_graph_analysis (self->graph, self->template_maps, alm, stage->iterations,
                                   error);
  product = armilla_map_new (armilla_map_grid (self->template_maps), n);
  armilla_map_set_spins (product, armilla_alm_spins (alm));
  return armilla_graph_mask (self->graph, self->template_maps, self->mask, &options, product, error)
         && armilla_graph_analysis (self->graph, product, alm, stage->iterations, error);
}

/* Requests the a_lm of the field, without the templates. */
static gboolean
add_field (const Build *self, ArmillaAlm *mask_alm, ArmillaAlm *alm, GError **error)
{
  ArmillaCatalogue2alm *stage = self->stage;
  const ArmillaAlmLayout layout = armilla_alm_layout (alm);
  const int n = stage->field.n, n_all = stage->n_templates * n;
  CatalogueTemplates templates
    = { .n = stage->n_templates, .n_fields = n, .random = self->random,
        .subtracted = is_clustering (stage), .tolerance = stage->tolerance,
        .lmax = stage->templates_lmax >= 0 ? stage->templates_lmax : stage->lmax };
  g_autoptr (ArmillaAlm) sum = NULL, all = NULL;
  g_autofree int *spins = NULL;

  if (n_all == 0)
    return add_sum (self, mask_alm, alm, error);
  sum = armilla_alm_new (layout, n);
  armilla_alm_set_spins (sum, armilla_alm_spins (alm));
  all = armilla_alm_new (layout, n_all);
  spins = g_new (int, n_all);
  for (int i = 0; i < n_all; i++)
    spins[i] = stage->spin;
  armilla_alm_set_spins (all, spins);
  templates.alm = all;
  return add_sum (self, mask_alm, sum, error) && add_templates (self, all, error)
         && catalogue_templates_deproject (self->graph, &templates, sum, alm, error);
}

/* Requests the noise of both spectra; a map has none. */
static gboolean
add_noise (const Build *self, ArmillaCl *noise, ArmillaCl *mask_noise, GError **error)
{
  const ArmillaCatalogue2alm *stage = self->stage;
  ArmillaObjects *subtracted = is_clustering (stage) ? self->random : NULL;
  ArmillaObjects *weights = self->mask != NULL ? NULL
                            : self->random != NULL ? self->random : self->data;

  if (noise != NULL
      && !catalogue_field_noise (self->graph, self->data, stage->field.n, subtracted, self->scale,
                                 noise, error))
    return FALSE;
  return mask_noise == NULL
         || catalogue_field_noise (self->graph, weights, 0, NULL, NULL, mask_noise, error);
}

static gboolean
add_all (Build *self, ArmillaData *const *inputs, ArmillaData *const *outputs, GError **error)
{
  ArmillaAlm *mask_alm = (ArmillaAlm *) outputs[MASK_ALM];

  self->data = catalogue_field_weigh (self->graph, ARMILLA_OBJECTS (inputs[CATALOGUE]),
                                      &self->stage->field, error);
  if (self->data == NULL)
    return FALSE;
  if (inputs[RANDOM] != NULL)
    {
      self->random = catalogue_field_weigh (self->graph, ARMILLA_OBJECTS (inputs[RANDOM]),
                                            &self->stage->random_field, error);
      if (self->random == NULL)
        return FALSE;
    }
  if (has_mask (inputs) && !add_scale (self, error))
    return FALSE;
  return (mask_alm == NULL || add_mask (self, mask_alm, error))
         && (outputs[ALM] == NULL
             || add_field (self, mask_alm, ARMILLA_ALM (outputs[ALM]), error))
         && add_noise (self, (ArmillaCl *) outputs[NOISE], (ArmillaCl *) outputs[MASK_NOISE],
                       error);
}

static gboolean
catalogue2alm_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
                     ArmillaData *const *outputs, GError **error)
{
  Build build = { .stage = ARMILLA_CATALOGUE2ALM (stage), .graph = graph,
                  .mask = (ArmillaMap *) inputs[MASK],
                  .template_maps = (ArmillaMap *) inputs[TEMPLATES] };
  const gboolean ok = add_all (&build, inputs, outputs, error);

  g_clear_object (&build.data);
  g_clear_object (&build.random);
  g_clear_object (&build.scale);
  return ok;
}

static ArmillaTransforms
catalogue2alm_transforms (ArmillaStage *stage)
{
  return armilla_stage_given (stage, "iterations")
             && ARMILLA_CATALOGUE2ALM (stage)->iterations == 0
           ? ARMILLA_TRANSFORMS_ANALYSIS : ARMILLA_TRANSFORMS_BOTH;
}

static const ArmillaProperty properties[] = {
  { "lmax", ARMILLA_INT64 (ArmillaCatalogue2alm, lmax, 0, G_MAXINT32, 0),
    "highest multipole of alm", ARMILLA_PROPERTY_REQUIRED },
  { "columns", ARMILLA_TEXT (ArmillaCatalogue2alm, columns, ""),
    "column with the values, listed in values of read-catalogue; above spin 0 two, Q and U. Empty: "
    "for spin 2 the shears of the catalogue, for spin 0 the density of the objects, relative to "
    "that of random or mask" },
  { "spin", ARMILLA_INT (ArmillaCatalogue2alm, spin, 0, 3, 0), "spin of the field" },
  { "weighted", ARMILLA_BOOLEAN (ArmillaCatalogue2alm, weighted, FALSE),
    "whether the values, and templates, are already multiplied by the weights" },
  { "mask-lmax", ARMILLA_INT64 (ArmillaCatalogue2alm, mask_lmax, -1, G_MAXINT32, -1),
    "highest multipole of mask-alm, of which coupling uses those up to 2 lmax; -1: lmax, or, if "
    "mask is connected, 3 nside - 1 for HEALPix and the highest that other grids determine" },
  { "templates", ARMILLA_TEXT (ArmillaCatalogue2alm, templates, ""),
    "columns with the values of contaminants, such as stars or seeing; above spin 0 pairs. The "
    "best-fitting sum of them is subtracted from the values. If random is connected, columns of "
    "it, and the sum is subtracted from the a_lm" },
  { "templates-lmax", ARMILLA_INT64 (ArmillaCatalogue2alm, templates_lmax, -1, G_MAXINT32, -1),
    "highest multipole of the fit of templates of random, or of template-maps; -1: lmax" },
  { "tolerance", ARMILLA_DOUBLE (ArmillaCatalogue2alm, tolerance, 0, 1, 1e-10),
    "eigenvalues of the products of the templates below this fraction of the largest are taken as "
    "0, so that templates may depend on each other" },
  { "epsilon", ARMILLA_DOUBLE (ArmillaCatalogue2alm, epsilon, ARMILLA_POINTS_MIN_EPSILON,
                               ARMILLA_POINTS_MAX_EPSILON, 1e-7),
    "relative accuracy of the sums over objects, as in adjoint-alm2points" },
  { "iterations", ARMILLA_INT (ArmillaCatalogue2alm, iterations, 0, 1000, 3),
    "residual iterations of the analysis of mask, as in map2alm" },
};

static void
armilla_catalogue2alm_class_init (ArmillaCatalogue2almClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  stage->nick = "catalogue2alm";
  armilla_stage_set_example (stage, "columns = z; lmax = 32");
  stage->summary = "Compute the a_lm of a field known at objects, and of their weights";
  stage->description =
    "alm = sum over the objects of w f conj(Y_lm), with weight w and value f, and mask-alm = sum "
    "of w conj(Y_lm): the field is that of a sky times a mask with a peak at each object. "
    "coupling, from the spectrum of mask-alm less mask-noise, and decouple, from that of alm less "
    "noise, give its full-sky spectrum, which has no pixel window. noise is sum of w^2 f^2 / (4 "
    "pi), the mean of it for pairs; mask-noise is sum of w^2 / (4 pi). If random or mask is "
    "connected, it is the mask, and f is divided by alpha, the sum of the weights of catalogue "
    "over that of random, or over the integral of mask: for fields weighted by the density of the "
    "objects, such as a momentum. Without columns, alm is that of the overdensity: the sum of the "
    "weights over alpha, less mask-alm; noise then includes that of random. Cross spectra of "
    "different catalogues, or with maps, have no noise bias. Shears of the catalogue become Q = g1 "
    "and U = -g2.";
  stage->reference = "Baleato Lizancos and White (2024), Harmonic analysis of discrete tracers of "
                     "large-scale structure; Wolz, Alonso and Nicola (2025), Catalog-based "
                     "pseudo-C_l";
  stage->ports = ports;
  stage->prepare = catalogue2alm_prepare;
  stage->build = catalogue2alm_build;
  stage->memory = catalogue2alm_memory;
  stage->transforms = catalogue2alm_transforms;
  armilla_stage_install (stage, 0, properties, G_N_ELEMENTS (properties));
  ARMILLA_STAGE_OWNS (stage, ArmillaCatalogue2alm, found, g_array_unref);
  ARMILLA_STAGE_OWNS (stage, ArmillaCatalogue2alm, templates_found, g_array_unref);
}
