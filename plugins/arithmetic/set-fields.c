/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Selects and reorders fields of maps, a_lm and spectra, and overrides their metadata. */
#include <armilla/armilla.h>

#include "core/fits/fields.h"
#include "plugins/base/stage-util.h"
#include "plugins/base/stage.h"
#include "tasks/data/data.h"
#include "tasks/harmonic/harmonic.h"

struct _ArmillaSetFields {
  ArmillaStage parent_instance;
  char *fields, *names, *spin, *unit;
  GArray *chosen; /* int: index of each selected field */
};

ARMILLA_DEFINE_STAGE (ArmillaSetFields, armilla_set_fields, ARMILLA, SET_FIELDS)

static const ArmillaPort ports[] = {
  { "input", armilla_data_get_type, ARMILLA_PORT_IN, "a map, a_lm or spectra, F fields" },
  { "out", armilla_data_get_type, ARMILLA_PORT_OUT | ARMILLA_PORT_AS_INPUT, "the selected fields" },
  { NULL, NULL, 0, NULL },
};

static gboolean
is_all (const GArray *chosen, int n_fields)
{
  gboolean all = (int) chosen->len == n_fields;

  for (int i = 0; all && i < n_fields; i++)
    all = g_array_index (chosen, int, i) == i;
  return all;
}

/* Returns whether selected field @i keeps its spin: it is a scalar, or both fields of its pair are
 * selected together. */
static gboolean
keeps_pair (const GArray *chosen, const int *spins, guint i)
{
  const int field = g_array_index (chosen, int, i);

  switch (armilla_fields_part (spins, field))
    {
    case 0: return TRUE;
    case 1: return i + 1 < chosen->len && g_array_index (chosen, int, i + 1) == field + 1;
    default: return i > 0 && g_array_index (chosen, int, i - 1) == field - 1;
    }
}

/* Finds the spins of the selected fields: those given by the user, otherwise those of the input. */
static int *
find_spins (const ArmillaSetFields *self, const int *spins, char **names, GError **error)
{
  const GArray *chosen = self->chosen;
  g_autofree int *found = g_new0 (int, chosen->len);

  if (self->spin[0] != '\0')
    {
      if (armilla_fields_parse (self->spin, (int) chosen->len, found, error))
        return g_steal_pointer (&found);
      g_prefix_error (error, "spin = %s: ", self->spin);
      return NULL;
    }
  for (guint i = 0; i < chosen->len; i++)
    {
      const int field = g_array_index (chosen, int, i);

      if (!keeps_pair (chosen, spins, i))
        return armilla_fail_null (error, ARMILLA_ERROR_VALUE,
                                  "fields = %s: %s is one of a pair of spin %d, whose other field "
                                  "is not next to it; select both, or set spin = 0 to use it as a "
                                  "scalar", self->fields, names[field],
                                  spins[field]);
      found[i] = spins != NULL ? spins[field] : 0;
    }
  return g_steal_pointer (&found);
}

/* Returns one word for each of @n fields; a single word is repeated if @one_for_all. NULL with an
 * error for other numbers of words. */
static char **
words_of (const char *text, guint n, gboolean one_for_all, const char *property, GError **error)
{
  g_auto (GStrv) words = armilla_stage_words (text);
  const guint found = g_strv_length (words);
  char **all;

  if (found != n && !(one_for_all && found == 1))
    return armilla_fail_null (error, ARMILLA_ERROR_VALUE,
                              "%s = %s lists %u, but there are %u fields", property, text, found,
                              n);
  all = g_new0 (char *, n + 1);
  for (guint i = 0; i < n; i++)
    all[i] = g_strdup (words[found == 1 ? 0 : i]);
  return all;
}

/* Returns the names of fields by which messages and the user refer to them. */
static char **
shown_names (ArmillaData *data)
{
  static const char *const teb[] = { "T", "E", "B" };
  const ArmillaFields *fields = armilla_data_fields (data);
  const gboolean is_teb = armilla_stage_is_teb (fields->spins, fields->n);
  char **names = g_strdupv (fields->names);

  for (int f = 0; armilla_data_is_complex (data) && f < fields->n; f++)
    if (is_teb || armilla_fields_known_names (fields) == NULL)
      {
        g_free (names[f]);
        names[f] = is_teb ? g_strdup (teb[f]) : g_strdup_printf ("field %d", f);
      }
  return names;
}

static gboolean
set_words (const ArmillaSetFields *self, ArmillaData *out, ArmillaData *input, GError **error)
{
  ArmillaFields *fields = armilla_data_fields (out);
  g_auto (GStrv) names = NULL, units = NULL;

  if (self->names[0] != '\0'
      && !(names = words_of (self->names, self->chosen->len, FALSE, "names", error)))
    return FALSE;
  if (self->unit[0] != '\0' && armilla_data_has_pixels (out)
      && !(units = words_of (self->unit, self->chosen->len, TRUE, "unit", error)))
    return FALSE;
  armilla_fields_choose (fields, armilla_data_fields (input),
                         (const int *) (gconstpointer) self->chosen->data);
  if (names != NULL)
    armilla_fields_set_names (fields, (const char *const *) names);
  if (units != NULL)
    armilla_fields_set_units (fields, (const char *const *) units);
  else if (self->unit[0] != '\0')
    armilla_fields_set_unit (fields, self->unit);
  return TRUE;
}

static gboolean
set_spins (const ArmillaSetFields *self, ArmillaData *out, ArmillaData *input, char **shown,
           GError **error)
{
  ArmillaFields *fields = armilla_data_fields (out);
  g_autofree int *spins
    = find_spins (self, armilla_data_fields (input)->spins, shown, error);

  if (spins == NULL)
    return FALSE;
  if (armilla_data_is_whole (out) && self->spin[0] != '\0')
    return armilla_fail (error, ARMILLA_ERROR_VALUE, "spin: does not apply to spectra; leave it "
                                                     "out");
  if (!armilla_fields_check_units (spins, (const char *const *) fields->names,
                                   (const char *const *) fields->units, fields->n, error))
    {
      g_prefix_error (error, "unit: ");
      return FALSE;
    }
  if (armilla_data_has_pixels (out) && armilla_fields_polarised (spins, fields->n))
    {
      if (g_strcmp0 (fields->polcconv, "IAU") == 0)
        return armilla_fail (error, ARMILLA_ERROR_VALUE,
                             "spin: the map has the convention IAU, in which U has the opposite "
                             "sign; set spin where the map is read, which converts it to COSMO");
      armilla_fields_set_polcconv (fields, "COSMO");
    }
  armilla_fields_set_spins (fields, spins);
  return TRUE;
}

static gboolean
set_fields_prepare (ArmillaStage *stage, const ArmillaStageContext *context,
                    ArmillaData *const *inputs, ArmillaData **outputs, GError **error)
{
  ArmillaSetFields *self = ARMILLA_SET_FIELDS (stage);
  g_auto (GStrv) shown = shown_names (inputs[0]);
  g_autoptr (ArmillaData) out = NULL;
  int n;

  (void) context;
  if (!armilla_stage_need_fields (ports, inputs, error))
    return FALSE;
  n = armilla_data_fields (inputs[0])->n;
  self->chosen = armilla_stage_columns (self->fields, (const char *const *) shown, n, "fields",
                                        "input", error);
  if (self->chosen == NULL)
    return FALSE;
  out = armilla_data_has_pixels (inputs[0]) && is_all (self->chosen, n)
          ? ARMILLA_DATA (armilla_map_new_view (ARMILLA_MAP (inputs[0]), NULL))
          : armilla_data_new_like (inputs[0], (int) self->chosen->len);
  if (!set_words (self, out, inputs[0], error) || !set_spins (self, out, inputs[0], shown, error))
    return FALSE;
  armilla_stage_inherit (out, inputs[0]);
  outputs[0] = g_steal_pointer (&out);
  return TRUE;
}

static gboolean
set_fields_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
                  ArmillaData *const *outputs, GError **error)
{
  const ArmillaSetFields *self = ARMILLA_SET_FIELDS (stage);
  const double one = 1;

  if (armilla_data_is_view (outputs[0]))
    return TRUE;
  /* A sum of one input copies all fields, and also runs on GPUs. */
  if (is_all (self->chosen, armilla_data_fields (inputs[0])->n))
    return armilla_graph_combine (graph, inputs, &one, 1, outputs[0], error);
  return armilla_graph_select_fields (graph, inputs[0],
                                      (const int *) (gconstpointer) self->chosen->data, outputs[0],
                                      error);
}

static const ArmillaProperty properties[] = {
  { "fields", ARMILLA_TEXT (ArmillaSetFields, fields, "all"),
    "fields to keep, in this order: names or numbers from 0, separated by commas, or all" },
  { "names", ARMILLA_TEXT (ArmillaSetFields, names, ""),
    "names of the selected fields, separated by commas; empty: unchanged" },
  { "spin", ARMILLA_TEXT (ArmillaSetFields, spin, ""),
    "spins of the selected fields, separated by commas, or one for all; fields of a spin above 0 "
    "come in pairs; empty: unchanged. Spectra have no spin" },
  { "unit", ARMILLA_TEXT (ArmillaSetFields, unit, ""),
    "unit of the selected fields; for maps also several, separated by commas; empty: unchanged. "
    "Values are not converted: use expression or combine for that" },
};

static void
armilla_set_fields_class_init (ArmillaSetFieldsClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  stage->nick = "set-fields";
  stage->summary
    = "Select and reorder fields of a map, a_lm or spectra; set their names, spins and units";
  stage->description =
    "Values do not change, and data are not copied if all fields of a map are kept in their "
    "order. With spin = 0, Q and U become two scalars; with spin = 0, 2, 2 they are a pair again. "
    "With spin = 0, a_lm of T, E and B become three scalars, from which alm2map computes maps of "
    "T, E and B; map2alm and spin = 0, 2, 2 are the inverse, after which alm2map computes I, Q "
    "and U. Fields of a_lm are referred to as T, E and B, by the names of the map from which they "
    "were computed, or by numbers.";
  stage->ports = ports;
  stage->prepare = set_fields_prepare;
  stage->build = set_fields_build;
  armilla_stage_install (stage, 0, properties, G_N_ELEMENTS (properties));
  ARMILLA_STAGE_OWNS (stage, ArmillaSetFields, chosen, g_array_unref);
}
