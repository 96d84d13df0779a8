/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include <armilla/armilla.h>

#include "core/fits/fields.h"
#include "core/fits/fits.h"
#include "plugins/base/stage-util.h"
#include "tasks/data/parts.h"

struct _ArmillaReadAlm {
  ArmillaStage parent_instance;
  char *file;
  char *fields;
  char *unit;
  char *spin;
  ArmillaAlmReader *reader;
  GArray *chosen;
};

ARMILLA_DEFINE_STAGE (ArmillaReadAlm, armilla_read_alm, ARMILLA, READ_ALM)

static const ArmillaPort ports[] = {
  { "alm", armilla_alm_get_type, ARMILLA_PORT_OUT,
    "the selected fields, lmax and mmax of the file" },
  { NULL, NULL, 0, NULL },
};

/* Where to store the coefficients of one field: in the m-blocks owned by this rank. */
typedef struct {
  ArmillaAlmLayout layout;
  int field;
  const int *block_of_m;
  const gint64 *m_first;
  const gint64 *m_last;
  double *const *values;
  gint64 n_bad;
  gint64 first_l, first_m;
} AlmScatter;

/* Returns the number of coefficients of one field with m_first <= m <= m_last. */
static gint64
block_count (ArmillaAlmLayout layout, gint64 m_first, gint64 m_last)
{
  return armilla_alm_index (layout.lmax, layout.lmax, m_last)
    - armilla_alm_index (layout.lmax, m_first, m_first) + 1;
}

static void
scatter (gpointer user, gint64 n, const gint64 *l, const gint64 *m, const double *values)
{
  AlmScatter *to = user;

  for (gint64 i = 0; i < n; i++)
    {
      int b = to->block_of_m[m[i]];
      gint64 first = to->m_first[b];
      gint64 at = to->field * block_count (to->layout, first, to->m_last[b])
        + armilla_alm_index (to->layout.lmax, l[i], m[i])
        - armilla_alm_index (to->layout.lmax, first, first);

      if (!(isfinite (values[2 * i]) && isfinite (values[2 * i + 1])) && to->n_bad++ == 0)
        {
          to->first_l = l[i];
          to->first_m = m[i];
        }
      if (to->values[b] != NULL)
        memcpy (to->values[b] + 2 * at, values + 2 * i, 2 * sizeof (double));
    }
}

static gboolean
read_alm_fill (gpointer user, int n_blocks, const gint64 *m_first, const gint64 *m_last,
               double *const *values, GError **error)
{
  ArmillaReadAlm *self = user;
  const ArmillaAlmLayout layout = armilla_alm_reader_header (self->reader)->layout;
  g_autofree int *block_of_m = g_new0 (int, layout.mmax + 1);
  gsize n_fields = self->chosen->len;

  for (int b = 0; b < n_blocks; b++)
    {
      for (gint64 m = m_first[b]; m <= m_last[b]; m++)
        block_of_m[m] = b;
      if (values[b] != NULL)
        memset (values[b], 0, n_fields * 2 * sizeof (double)
                * (gsize) block_count (layout, m_first[b], m_last[b]));
    }
  for (gsize f = 0; f < n_fields; f++)
    {
      AlmScatter to = { .layout = layout, .field = (int) f, .block_of_m = block_of_m,
                        .m_first = m_first, .m_last = m_last, .values = values };
      int field = g_array_index (self->chosen, int, f);

      if (!armilla_alm_reader_visit (self->reader, field, scatter, &to, error))
        return FALSE;
      if (to.n_bad > 0)
        return armilla_fail (error, ARMILLA_ERROR_NUMERIC,
                             "%s: %" G_GINT64_FORMAT " coefficients of field %d are NaN or "
                             "infinite, the first is l = %" G_GINT64_FORMAT ", m = %"
                             G_GINT64_FORMAT, self->file, to.n_bad, field, to.first_l,
                             to.first_m);
    }
  return TRUE;
}

/* Finds the spins from the file; if it has none, three fields are T, E and B, as in HEALPix. */
static gboolean
find_spins (ArmillaReadAlm *self, ArmillaAlm *alm, GError **error)
{
  const ArmillaAlmField *fields = armilla_alm_reader_header (self->reader)->fields;
  int n_fields = armilla_alm_n_fields (alm);
  g_autofree int *spins = g_new0 (int, n_fields);
  gboolean known = TRUE;

  if (g_ascii_strcasecmp (self->spin, "auto") != 0)
    {
      if (!armilla_fields_parse (self->spin, n_fields, spins, error))
        return FALSE;
      armilla_alm_set_spins (alm, spins);
      return TRUE;
    }
  for (int i = 0; i < n_fields; i++)
    {
      spins[i] = fields[g_array_index (self->chosen, int, i)].spin;
      known &= spins[i] >= 0;
    }
  for (int i = 0; !known && i < n_fields; i++)
    spins[i] = n_fields == 3 && i > 0 ? 2 : 0;
  if (!armilla_fields_check (spins, n_fields, error))
    {
      g_prefix_error (error, "fields = %s: %s: ", self->fields, self->file);
      return FALSE;
    }
  armilla_alm_set_spins (alm, spins);
  return TRUE;
}

/* Finds unit and coordinates; the property unit overrides that of the file. */
static gboolean
find_header (ArmillaReadAlm *self, ArmillaAlm *alm, GError **error)
{
  const ArmillaAlmField *fields = armilla_alm_reader_header (self->reader)->fields;
  const int first = g_array_index (self->chosen, int, 0);
  const char *unit = fields[first].unit;
  const char *coordsys = fields[first].coordsys;

  for (guint i = 1; i < self->chosen->len; i++)
    {
      const int field = g_array_index (self->chosen, int, i);

      if (strcmp (fields[field].unit, unit) != 0)
        unit = "";
      if (g_strcmp0 (fields[field].coordsys, coordsys) == 0)
        continue;
      return armilla_fail (error, ARMILLA_ERROR_VALUE,
                           "fields = %s: %s: COORDSYS of extension %d differs from that of "
                           "extension %d; read them separately", self->fields, self->file,
                           field + 1, first + 1);
    }
  armilla_alm_set_unit (alm, self->unit[0] != '\0' ? self->unit : unit);
  armilla_alm_set_coordsys (alm, coordsys);
  return TRUE;
}

static gboolean
open_alm (ArmillaReadAlm *self, GError **error)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  int n_fields;

  if (!armilla_stage_need_file (self->file, error))
    return FALSE;
  self->reader = armilla_alm_reader_open (self->file, error);
  if (self->reader == NULL)
    return FALSE;
  n_fields = armilla_alm_reader_header (self->reader)->n_fields;
  for (int i = 0; i < n_fields; i++)
    g_ptr_array_add (names, g_strdup_printf ("(extension %d)", i + 1));
  self->chosen = armilla_stage_columns (self->fields, (const char *const *) names->pdata, n_fields,
                                        "fields", self->file, error);
  return self->chosen != NULL;
}

static gboolean
read_alm_prepare (ArmillaStage *stage, const ArmillaStageContext *context,
                  ArmillaData *const *inputs, ArmillaData **outputs, GError **error)
{
  ArmillaReadAlm *self = ARMILLA_READ_ALM (stage);
  g_autoptr (ArmillaAlm) alm = NULL;

  (void) context;
  (void) inputs;
  if (self->reader == NULL && !open_alm (self, error))
    return FALSE;
  alm = armilla_alm_new (armilla_alm_reader_header (self->reader)->layout, (int) self->chosen->len);
  if (!find_spins (self, alm, error) || !find_header (self, alm, error))
    return FALSE;
  outputs[0] = ARMILLA_DATA (g_steal_pointer (&alm));
  return TRUE;
}

static gboolean
read_alm_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
                ArmillaData *const *outputs, GError **error)
{
  const char *note = armilla_alm_reader_header (ARMILLA_READ_ALM (stage)->reader)->note;

  (void) inputs;
  if (note != NULL)
    armilla_graph_note (graph, NULL, "%s", note);
  return armilla_graph_fill_alm_at_once (graph, ARMILLA_ALM (outputs[0]), read_alm_fill,
                                         g_object_ref (stage), g_object_unref, error);
}

static const ArmillaProperty properties[] = {
  { "file", ARMILLA_TEXT (ArmillaReadAlm, file, NULL),
    "name of the file, opened literally; .gz is decompressed",
    ARMILLA_PROPERTY_REQUIRED | ARMILLA_PROPERTY_INPUT_FILE },
  { "fields", ARMILLA_TEXT (ArmillaReadAlm, fields, "0"),
    "fields to read: numbers from 0, separated by commas, or all" },
  { "unit", ARMILLA_TEXT (ArmillaReadAlm, unit, ""),
    "unit of the coefficients, e.g. uK; empty: TUNIT of the file" },
  { "spin", ARMILLA_TEXT (ArmillaReadAlm, spin, "auto"),
    "spin of the fields, separated by commas, or one for all; fields of a spin above 0 come in "
    "pairs of gradient and curl; auto: the keyword SPIN; without it, three fields are T, E and B, "
    "and any other number are scalars" },
};

static void
armilla_read_alm_class_init (ArmillaReadAlmClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  stage->nick = "read-alm";
  armilla_stage_set_example (stage, "[write-alm]; file = alm.fits; [read-alm]; file = alm.fits");
  stage->summary = "Read a_lm from a FITS file";
  stage->description =
    "Reads HEALPix's binary tables of index = l l + l + m + 1, real and imaginary part, one "
    "extension per field. Missing coefficients are 0, and so are imaginary parts of m = 0, "
    "whatever the file contains; NaN and infinity are errors. Three fields are T, E and B unless "
    "the keyword SPIN or the property spin differs. Coordinates are given by COORDSYS of the file.";
  stage->ports = ports;
  stage->prepare = read_alm_prepare;
  stage->build = read_alm_build;
  stage->reusable = TRUE;
  armilla_stage_install (stage, 0, properties, G_N_ELEMENTS (properties));
  ARMILLA_STAGE_OWNS (stage, ArmillaReadAlm, reader, armilla_alm_reader_free);
  ARMILLA_STAGE_OWNS (stage, ArmillaReadAlm, chosen, g_array_unref);
}
