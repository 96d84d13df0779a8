/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fields of maps and of a_lm chosen, ordered, and said to be something else: two stages that differ
 * in what flows. */
#include <string.h>

#include <armilla/armilla.h>

#include "core/fits/fields.h"
#include "plugins/base/stage-util.h"
#include "plugins/base/stage.h"
#include "tasks/data/data.h"
#include "tasks/harmonic/harmonic.h"

typedef struct {
  char *fields, *names, *spin, *unit;
} Texts;

struct _ArmillaSetFields {
  ArmillaStage parent_instance;
  Texts texts;
  GArray *chosen; /* int */
};

struct _ArmillaSetFieldsAlm {
  ArmillaStage parent_instance;
  Texts texts;
  GArray *chosen;
};

ARMILLA_DEFINE_STAGE (ArmillaSetFields, armilla_set_fields, ARMILLA, SET_FIELDS)
ARMILLA_DEFINE_STAGE (ArmillaSetFieldsAlm, armilla_set_fields_alm, ARMILLA, SET_FIELDS_ALM)

static const ArmillaPort map_ports[] = {
  { "map", armilla_map_get_type, ARMILLA_PORT_IN, "a map, F fields" },
  { "out", armilla_map_get_type, ARMILLA_PORT_OUT, "the fields chosen" },
  { NULL, NULL, 0, NULL },
};

static const ArmillaPort alm_ports[] = {
  { "alm", armilla_alm_get_type, ARMILLA_PORT_IN, "a_lm, F fields" },
  { "out", armilla_alm_get_type, ARMILLA_PORT_OUT, "the fields chosen" },
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

/* Whether field @i of those chosen is what it was: a scalar, or in its pair. */
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

/* Spins of the fields chosen: those that the user says, or those that they have. */
static int *
find_spins (const Texts *texts, const GArray *chosen, const int *spins, const char *const *names,
            GError **error)
{
  g_autofree int *found = g_new0 (int, chosen->len);

  if (texts->spin[0] != '\0')
    {
      if (armilla_fields_parse (texts->spin, (int) chosen->len, found, error))
        return g_steal_pointer (&found);
      g_prefix_error (error, "spin = %s: ", texts->spin);
      return NULL;
    }
  for (guint i = 0; i < chosen->len; i++)
    {
      const int field = g_array_index (chosen, int, i);

      if (!keeps_pair (chosen, spins, i))
        return armilla_fail_null (error, ARMILLA_ERROR_VALUE,
                                  "fields = %s: %s is half of a pair of spin %d, whose other half "
                                  "does not stand beside it; choose both, or say spin = 0 where "
                                  "it is to be taken as a scalar", texts->fields, names[field],
                                  spins[field]);
      found[i] = spins != NULL ? spins[field] : 0;
    }
  return g_steal_pointer (&found);
}

/* A word for each field, or one for all; NULL with an error where they are too few. */
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

static gboolean
set_header (const Texts *texts, ArmillaMap *out, ArmillaMap *map, const GArray *chosen,
            GError **error)
{
  const ArmillaMapHeader *from = armilla_map_header (map);
  ArmillaMapHeader *header = armilla_map_header (out);
  g_auto (GStrv) names = NULL, units = NULL;

  if (texts->names[0] != '\0'
      && !(names = words_of (texts->names, chosen->len, FALSE, "names", error)))
    return FALSE;
  if (texts->unit[0] != '\0'
      && !(units = words_of (texts->unit, chosen->len, TRUE, "unit", error)))
    return FALSE;
  for (guint i = 0; i < chosen->len; i++)
    {
      const int field = g_array_index (chosen, int, i);

      g_free (header->fields.names[i]);
      g_free (header->fields.units[i]);
      header->fields.names[i] = g_strdup (names != NULL ? names[i] : from->fields.names[field]);
      header->fields.units[i] = g_strdup (units != NULL ? units[i] : from->fields.units[field]);
    }
  return TRUE;
}

static gboolean
set_spins (const Texts *texts, ArmillaMap *out, ArmillaMap *map, const GArray *chosen,
           GError **error)
{
  ArmillaMapHeader *header = armilla_map_header (out);
  const int n = (int) chosen->len;
  g_autofree int *spins
    = find_spins (texts, chosen, armilla_map_spins (map),
                  (const char *const *) armilla_map_header (map)->fields.names, error);

  if (spins == NULL)
    return FALSE;
  if (!armilla_fields_check_units (spins, (const char *const *) header->fields.names,
                                   (const char *const *) header->fields.units, n, error))
    {
      g_prefix_error (error, "unit: ");
      return FALSE;
    }
  if (armilla_fields_polarised (spins, n))
    {
      if (g_strcmp0 (header->fields.polcconv, "IAU") == 0)
        return armilla_fail (error, ARMILLA_ERROR_VALUE,
                             "spin: map is in the convention IAU, whose U has the other sign; read "
                             "it with its spin, and it becomes COSMO");
      g_free (header->fields.polcconv);
      header->fields.polcconv = g_strdup ("COSMO");
    }
  armilla_map_set_spins (out, spins);
  return TRUE;
}

static gboolean
set_fields_prepare (ArmillaStage *stage, const ArmillaStageContext *context,
                    ArmillaData *const *inputs, ArmillaData **outputs, GError **error)
{
  ArmillaSetFields *self = ARMILLA_SET_FIELDS (stage);
  ArmillaMap *map = ARMILLA_MAP (inputs[0]);
  const ArmillaMapHeader *header = armilla_map_header (map);
  g_autoptr (ArmillaMap) out = NULL;

  (void) context;
  self->chosen = armilla_stage_columns (self->texts.fields,
                                        (const char *const *) header->fields.names,
                                        header->fields.n, "fields", "map", error);
  if (self->chosen == NULL)
    return FALSE;
  if (is_all (self->chosen, header->fields.n))
    out = armilla_map_new_view (map, NULL);
  else
    {
      out = armilla_map_new (armilla_map_grid (map), (int) self->chosen->len);
      armilla_map_header (out)->order = header->order;
      armilla_map_header (out)->fields.coordsys = g_strdup (header->fields.coordsys);
      armilla_map_header (out)->fields.polcconv = g_strdup (header->fields.polcconv);
    }
  if (!set_header (&self->texts, out, map, self->chosen, error)
      || !set_spins (&self->texts, out, map, self->chosen, error))
    return FALSE;
  armilla_stage_inherit (ARMILLA_DATA (out), inputs[0]);
  outputs[0] = ARMILLA_DATA (g_steal_pointer (&out));
  return TRUE;
}

/* Runs in workers. */
static gboolean
copy_fields (const ArmillaPixels *pixels, gpointer user, GError **error)
{
  const GArray *chosen = user;

  (void) error;
  for (int f = 0; f < pixels->n_out; f++)
    memcpy (pixels->out[f], pixels->in[g_array_index (chosen, int, f)],
            (gsize) pixels->n * sizeof (double));
  return TRUE;
}

static gboolean
set_fields_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
                  ArmillaData *const *outputs, GError **error)
{
  ArmillaSetFields *self = ARMILLA_SET_FIELDS (stage);
  ArmillaMap *map = ARMILLA_MAP (inputs[0]);

  if (armilla_data_is_view (outputs[0]))
    return TRUE;
  return armilla_graph_apply_pixels (graph, &map, 1, copy_fields, 0, g_array_ref (self->chosen),
                                     (GDestroyNotify) g_array_unref, ARMILLA_MAP (outputs[0]),
                                     error);
}

/* a_lm have names only where a map gave them some. */
static gboolean
set_alm_names (const Texts *texts, ArmillaData *out, const char *const *names,
               const GArray *chosen, GError **error)
{
  g_auto (GStrv) words = NULL;

  if (texts->names[0] != '\0')
    {
      words = words_of (texts->names, chosen->len, FALSE, "names", error);
      if (words == NULL)
        return FALSE;
    }
  else if (names != NULL)
    {
      words = g_new0 (char *, chosen->len + 1);
      for (guint i = 0; i < chosen->len; i++)
        words[i] = g_strdup (names[g_array_index (chosen, int, i)]);
    }
  armilla_fields_set_names (armilla_data_fields (out), (const char *const *) words);
  return TRUE;
}

/* What the fields are called in messages and by the user. */
static char **
names_of_alm (ArmillaAlm *alm)
{
  static const char *const teb[] = { "T", "E", "B" };
  const char *const *carried
    = armilla_fields_known_names (armilla_data_fields (ARMILLA_DATA (alm)));
  const int n = armilla_alm_n_fields (alm);
  char **names = g_new0 (char *, n + 1);

  for (int f = 0; f < n; f++)
    names[f] = armilla_stage_is_teb (armilla_alm_spins (alm), n) ? g_strdup (teb[f])
               : carried != NULL ? g_strdup (carried[f]) : g_strdup_printf ("field %d", f);
  return names;
}

static gboolean
set_fields_alm_prepare (ArmillaStage *stage, const ArmillaStageContext *context,
                        ArmillaData *const *inputs, ArmillaData **outputs, GError **error)
{
  ArmillaSetFieldsAlm *self = ARMILLA_SET_FIELDS_ALM (stage);
  ArmillaAlm *alm = ARMILLA_ALM (inputs[0]);
  g_auto (GStrv) names = names_of_alm (alm);
  g_autoptr (ArmillaAlm) out = NULL;
  g_autofree int *spins = NULL;

  (void) context;
  self->chosen = armilla_stage_columns (self->texts.fields, (const char *const *) names,
                                        armilla_alm_n_fields (alm), "fields", "alm", error);
  if (self->chosen == NULL)
    return FALSE;
  spins = find_spins (&self->texts, self->chosen, armilla_alm_spins (alm),
                      (const char *const *) names, error);
  if (spins == NULL)
    return FALSE;
  out = armilla_alm_new (armilla_alm_layout (alm), (int) self->chosen->len);
  armilla_alm_set_spins (out, spins);
  armilla_alm_set_unit (out, self->texts.unit[0] != '\0' ? self->texts.unit
                                                         : armilla_alm_unit (alm));
  armilla_alm_set_coordsys (out, armilla_alm_coordsys (alm));
  if (!set_alm_names (&self->texts, ARMILLA_DATA (out),
                      armilla_fields_known_names (armilla_data_fields (inputs[0])), self->chosen,
                      error))
    return FALSE;
  armilla_stage_inherit (ARMILLA_DATA (out), inputs[0]);
  outputs[0] = ARMILLA_DATA (g_steal_pointer (&out));
  return TRUE;
}

static gboolean
set_fields_alm_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
                      ArmillaData *const *outputs, GError **error)
{
  const GArray *chosen = ARMILLA_SET_FIELDS_ALM (stage)->chosen;
  ArmillaAlm *alm = ARMILLA_ALM (inputs[0]), *out = ARMILLA_ALM (outputs[0]);
  const double one = 1;

  /* A sum of one runs on GPUs, too. */
  if (is_all (chosen, armilla_alm_n_fields (alm)))
    return armilla_graph_combine_alm (graph, &alm, &one, 1, out, error);
  return armilla_graph_select_alm (graph, alm, (const int *) (gconstpointer) chosen->data, out,
                                   error);
}

static const ArmillaProperty properties[] = {
  { "fields", ARMILLA_TEXT (Texts, fields, "all"),
    "fields to keep, in this order: names or numbers from 0, separated by commas, or all" },
  { "names", ARMILLA_TEXT (Texts, names, ""),
    "names of those that are kept, separated by commas; empty: they keep theirs" },
  { "spin", ARMILLA_TEXT (Texts, spin, ""),
    "spin of those that are kept, separated by commas, or one for all; fields of a spin above 0 "
    "come in pairs; empty: they keep theirs" },
};

static const ArmillaProperty map_properties[] = {
  { "unit", ARMILLA_TEXT (Texts, unit, ""),
    "unit of those that are kept, separated by commas, or one for all; empty: they keep theirs. No "
    "value changes: expression does that" },
};

static const ArmillaProperty alm_properties[] = {
  { "unit", ARMILLA_TEXT (Texts, unit, ""),
    "unit of the a_lm; empty: they keep theirs. No value changes: combine-alm does that" },
};

static void
armilla_set_fields_class_init (ArmillaSetFieldsClass *klass)
{
  const gsize texts = G_STRUCT_OFFSET (ArmillaSetFields, texts);
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  stage->nick = "set-fields";
  stage->summary = "Choose and order the fields of a map; say their names, spins and units";
  stage->description =
    "No value changes: where all fields are kept in their order, the map is not even copied. With "
    "spin = 0 Q and U are two scalars; with spin = 0, 2, 2 they are a pair again.";
  stage->ports = map_ports;
  stage->prepare = set_fields_prepare;
  stage->build = set_fields_build;
  armilla_stage_install (stage, texts, properties, G_N_ELEMENTS (properties));
  armilla_stage_install (stage, texts, map_properties, G_N_ELEMENTS (map_properties));
  ARMILLA_STAGE_OWNS (stage, ArmillaSetFields, chosen, g_array_unref);
}

static void
armilla_set_fields_alm_class_init (ArmillaSetFieldsAlmClass *klass)
{
  const gsize texts = G_STRUCT_OFFSET (ArmillaSetFieldsAlm, texts);
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  stage->nick = "set-fields-alm";
  stage->summary = "Choose and order the fields of a_lm; say their names, spins and unit";
  stage->description =
    "No value changes. With spin = 0, a_lm of T, E and B are three scalars, and alm2map makes maps "
    "of T, E and B; map2alm of these and spin = 0, 2, 2 lead back, and alm2map makes I, Q and U. "
    "Fields go by T, E and B, by the names of the map that they were made of, or by numbers.";
  stage->ports = alm_ports;
  stage->prepare = set_fields_alm_prepare;
  stage->build = set_fields_alm_build;
  armilla_stage_install (stage, texts, properties, G_N_ELEMENTS (properties));
  armilla_stage_install (stage, texts, alm_properties, G_N_ELEMENTS (alm_properties));
  ARMILLA_STAGE_OWNS (stage, ArmillaSetFieldsAlm, chosen, g_array_unref);
}
