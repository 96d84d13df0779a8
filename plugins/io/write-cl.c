/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include <armilla/armilla.h>

#include "core/spectra/spectrum-roles.h"
#include "plugins/base/stage-util.h"

typedef enum { SCALING_CL, SCALING_DL } Scaling;

struct _ArmillaWriteCl {
  ArmillaStage parent_instance;
  char *file;
  Scaling scaling;
  ArmillaTableFormat format;
  ArmillaStageOutput *output;
  ArmillaClTable *table;
};

ARMILLA_DEFINE_STAGE (ArmillaWriteCl, armilla_write_cl, ARMILLA, WRITE_CL)

static const ArmillaPort ports[] = {
  { "cl", armilla_cl_get_type, ARMILLA_PORT_IN, "the spectra to write" },
  { NULL, NULL, 0, NULL },
};

static const char *const scalings[] = { [SCALING_CL] = "cl", [SCALING_DL] = "dl", NULL };

/* Returns the first multipole in a text file: 2 for D_l, as in CAMB's files. */
static gint64
first_row (const ArmillaWriteCl *self)
{
  return self->scaling == SCALING_DL ? 2 : 0;
}

static gboolean
write_text (const ArmillaWriteCl *self, GError **error)
{
  const ArmillaClTable *cl = self->table;
  const gint64 first = first_row (self), n = cl->lmax + 1 - first;
  const char *what = self->scaling == SCALING_DL ? "D_l = l (l + 1) C_l / 2 pi" : "C_l";
  g_autoptr (ArmillaTable) table = armilla_table_new ("SPECTRA", n);
  ArmillaColumn *column
    = armilla_table_add (table, ARMILLA_COLUMN_INT64, "L", "", "multipole");

  for (gint64 i = 0; i < n; i++)
    column->integers[i] = first + i;
  for (int f = 0; f < cl->n_fields; f++)
    {
      column
        = armilla_table_add (table, ARMILLA_COLUMN_DOUBLE, armilla_spectrum_pair (cl->names[f]),
                             cl->units[f], what);
      memcpy (column->doubles, cl->values + f * (cl->lmax + 1) + first,
              (gsize) n * sizeof (double));
    }
  return armilla_table_write (self->output->output, table, self->format, self->output->history,
                              error);
}

static gboolean
write_cl_take (gpointer user, ArmillaPiece *piece, GError **error)
{
  ArmillaWriteCl *self = user;
  ArmillaClTable *table = self->table;
  const gint64 n_l = table->lmax + 1;

  for (gint64 i = 0; i < table->n_fields * n_l; i++)
    {
      const double l = (double) (i % n_l);

      table->values[i] =
          piece->values[i] * (self->scaling == SCALING_DL ? l * (l + 1) / (2 * G_PI) : 1);
    }
  if (self->format != ARMILLA_TABLE_FITS)
    return write_text (self, error);
  return armilla_cl_write (self->output->output, table, self->output->history, error);
}

static gboolean
write_cl_done (gpointer user, GError **error)
{
  return armilla_stage_output_commit (((ArmillaWriteCl *) user)->output, error);
}

/* Checks the names of spectra, by which readers find columns. In text files they must be pairs of
 * fields such as TE. */
static gboolean
check_names (const ArmillaWriteCl *self, ArmillaCl *cl, GError **error)
{
  const gboolean text = self->format != ARMILLA_TABLE_FITS;
  const char *const *names = armilla_cl_names (cl);
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  if (text)
    g_hash_table_add (seen, (gpointer) "L");
  for (int f = 0; f < armilla_cl_n_fields (cl); f++)
    {
      const char *name = text ? armilla_spectrum_pair (names[f]) : names[f];

      if (name[0] != '\0' && !g_hash_table_add (seen, (gpointer) name))
        return armilla_fail (error, ARMILLA_ERROR_VALUE,
                             "column %d would be called \"%s\", like another column, and other "
                             "programs could not read the file; choose different names for the "
                             "fields", f, name);
    }
  return TRUE;
}

static gboolean
write_cl_prepare (ArmillaStage *stage, const ArmillaStageContext *context,
                  ArmillaData *const *inputs, ArmillaData **outputs, GError **error)
{
  ArmillaWriteCl *self = ARMILLA_WRITE_CL (stage);

  const gint64 lmax = armilla_cl_lmax (ARMILLA_CL (inputs[0]));

  (void) outputs;
  self->format = ARMILLA_TABLE_FITS;
  if (!armilla_stage_need_file (self->file, error)
      || (!armilla_table_format (self->file, &self->format, NULL)
          && !armilla_stage_need_fits (self->file, "spectra are", error)))
    return FALSE;
  if (self->format != ARMILLA_TABLE_FITS && lmax < first_row (self))
    return armilla_fail (
      error, ARMILLA_ERROR_VALUE,
      "scaling = dl: text with D_l begins at l = 2, but lmax = %" G_GINT64_FORMAT, lmax);
  if (!check_names (self, ARMILLA_CL (inputs[0]), error))
    return FALSE;
  self->output = armilla_stage_output_new (self->file, context, inputs[0], error);
  return self->output != NULL;
}

static gboolean
write_cl_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
                ArmillaData *const *outputs, GError **error)
{
  ArmillaWriteCl *self = ARMILLA_WRITE_CL (stage);
  ArmillaCl *cl = ARMILLA_CL (inputs[0]);

  (void) outputs;
  armilla_stage_output_begin (self->output, graph);
  self->table = armilla_cl_table_new (armilla_cl_lmax (cl), armilla_cl_n_fields (cl));
  self->table->coordsys = g_strdup (armilla_cl_coordsys (cl));
  for (int i = 0; i < self->table->n_fields; i++)
    {
      g_free (self->table->names[i]);
      self->table->names[i] = g_strdup (armilla_cl_names (cl)[i]);
      g_free (self->table->units[i]);
      self->table->units[i] = g_strdup (armilla_cl_unit (cl));
    }
  return armilla_graph_drain (graph, ARMILLA_DATA (cl), write_cl_take, write_cl_done,
                              g_object_ref (self), g_object_unref, error);
}

static const ArmillaProperty properties[] = {
  { "file", ARMILLA_TEXT (ArmillaWriteCl, file, NULL),
    "name of the file: ends in .fits, .ecsv, .csv, .txt or .dat, or in these and .gz, which is "
    "compressed; any other ending, except those of other formats, means FITS",
    ARMILLA_PROPERTY_REQUIRED },
  { "scaling", ARMILLA_ENUM (ArmillaWriteCl, scaling, scalings, SCALING_CL),
    "scaling of the spectra: C_l, or D_l = l (l + 1) C_l / 2 pi, in text from l = 2 on, as CAMB "
    "writes them; read-cl needs the same scaling, and read-camb reads D_l" },
};

static void
armilla_write_cl_class_init (ArmillaWriteClClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  stage->nick = "write-cl";
  armilla_stage_set_example (stage, "file = cl.fits");
  stage->summary = "Write angular power spectra to a FITS or a text file";
  stage->description =
    "Writes one row per multipole and one column per spectrum, as healpy.write_cl does, with unit "
    "and coordinates if known. Text has the multipoles in its first column, L, and the spectra as "
    "TT, EE and so on: ECSV with units and HISTORY, CSV, or (.txt, .dat) columns separated by "
    "blanks with names in a comment, as in files of CAMB. The file is renamed to its final name "
    "when it is complete. HISTORY contains the program's version, the seeds and the workflow.";
  stage->ports = ports;
  stage->prepare = write_cl_prepare;
  stage->build = write_cl_build;
  armilla_stage_install (stage, 0, properties, G_N_ELEMENTS (properties));
  ARMILLA_STAGE_OWNS (stage, ArmillaWriteCl, output, armilla_stage_output_free);
  ARMILLA_STAGE_OWNS (stage, ArmillaWriteCl, table, armilla_cl_table_free);
}
