/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include <armilla/armilla.h>

#include "core/fits/fits.h"
#include "core/spectra/spectrum-roles.h"
#include "plugins/base/stage-util.h"

typedef enum { SCALING_CL, SCALING_DL, SCALING_CAMB } Scaling;

struct _ArmillaReadCl {
  ArmillaStage parent_instance;
  char *file;
  char *columns;
  char *names;
  char *unit;
  gboolean interpolate;
  Scaling scaling;
  ArmillaClTable *table;
  GArray *chosen;
};

ARMILLA_DEFINE_STAGE (ArmillaReadCl, armilla_read_cl, ARMILLA, READ_CL)

static const ArmillaPort ports[] = {
  { "cl", armilla_cl_get_type, ARMILLA_PORT_OUT, "the selected columns, C_l for l = 0..lmax" },
  { NULL, NULL, 0, NULL },
};

static const char *const scalings[] = { [SCALING_CL] = "cl", [SCALING_DL] = "dl",
                                        [SCALING_CAMB] = "camb", NULL };

/* Returns C_l of a value in the file. CAMB multiplies a lensing potential P by sqrt (l (l + 1)) in
 * addition. */
static double
unscaled (const ArmillaReadCl *self, int column, gint64 l, double value)
{
  const double square = (double) l * (double) (l + 1);
  const char *pair = armilla_spectrum_pair (self->table->names[column]);

  if (self->scaling == SCALING_CL)
    return value;
  if (l == 0)
    return 0;
  value = value * (2 * G_PI) / square;
  for (int i = 0; self->scaling == SCALING_CAMB && strlen (pair) == 2 && i < 2; i++)
    value = pair[i] == 'P' ? value / sqrt (square) : value;
  return value;
}

static gboolean
read_cl_fill (gpointer user, ArmillaPiece *piece, GError **error)
{
  const ArmillaReadCl *self = user;
  const gsize n_l = (gsize) self->table->lmax + 1;

  (void) error;
  for (guint i = 0; i < self->chosen->len; i++)
    {
      const int number = g_array_index (self->chosen, int, i);
      const double *column = self->table->values + (gsize) number * n_l;

      for (gsize l = 0; l < n_l; l++)
        piece->values[i * n_l + l] = unscaled (self, number, (gint64) l, column[l]);
    }
  return TRUE;
}

/* Returns the common unit of the chosen columns; "" if they differ. */
static const char *
common_unit (const ArmillaReadCl *self)
{
  const char *first = self->table->units[g_array_index (self->chosen, int, 0)];

  for (guint i = 1; i < self->chosen->len; i++)
    if (strcmp (self->table->units[g_array_index (self->chosen, int, i)], first) != 0)
      return "";
  return first;
}

/* Names the columns that have no names in the file, from the property. */
static void
name_columns (ArmillaReadCl *self)
{
  g_auto (GStrv) words = armilla_stage_words (self->names);

  for (int i = 0; !self->table->named && i < self->table->n_fields && words[i] != NULL; i++)
    {
      g_free (self->table->names[i]);
      self->table->names[i] = g_steal_pointer (&words[i]);
      if (words[i + 1] == NULL)
        break;
    }
}

/* Finds columns by name, or by pair of fields: TT also selects TEMPERATURE, as healpy calls it. */
static GArray *
choose_columns (const ArmillaReadCl *self, GError **error)
{
  const ArmillaClTable *table = self->table;
  const char *const *names = (const char *const *) table->names;
  g_autofree const char **pairs = g_new (const char *, table->n_fields);
  g_autoptr (GError) unknown = NULL;
  GArray *chosen = armilla_stage_columns (self->columns, names, table->n_fields, "columns",
                                          self->file, &unknown);

  if (chosen != NULL)
    return chosen;
  for (int i = 0; i < table->n_fields; i++)
    pairs[i] = armilla_spectrum_pair (names[i]);
  chosen = armilla_stage_columns (self->columns, pairs, table->n_fields, "columns", self->file,
                                  NULL);
  if (chosen == NULL)
    g_propagate_error (error, g_steal_pointer (&unknown));
  return chosen;
}

static gboolean
open_cl (ArmillaReadCl *self, GError **error)
{
  if (!armilla_stage_need_file (self->file, error))
    return FALSE;
  self->table = armilla_cl_read_rows (self->file, self->interpolate ? ARMILLA_CL_INTERPOLATED
                                                                     : ARMILLA_CL_COMPLETE, error);
  if (self->table == NULL)
    return FALSE;
  name_columns (self);
  self->chosen = choose_columns (self, error);
  for (guint i = 0; self->chosen != NULL && i < self->chosen->len; i++)
    if (!armilla_cl_table_check (self->table, g_array_index (self->chosen, int, i),
                                 self->table->lmax, ARMILLA_CL_COMPLETE, self->file, error))
      return FALSE;
  return self->chosen != NULL;
}

static gboolean
read_cl_prepare (ArmillaStage *stage, const ArmillaStageContext *context,
                 ArmillaData *const *inputs, ArmillaData **outputs, GError **error)
{
  ArmillaReadCl *self = ARMILLA_READ_CL (stage);
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  ArmillaCl *cl;

  (void) context;
  (void) inputs;
  if (self->table == NULL && !open_cl (self, error))
    return FALSE;
  for (guint i = 0; i < self->chosen->len; i++)
    g_ptr_array_add (names, self->table->names[g_array_index (self->chosen, int, i)]);
  cl = armilla_cl_new (self->table->lmax, (const char *const *) names->pdata, (int) names->len);
  armilla_cl_set_unit (cl, *self->unit != '\0' ? self->unit : common_unit (self));
  armilla_cl_set_coordsys (cl, self->table->coordsys);
  outputs[0] = ARMILLA_DATA (cl);
  return TRUE;
}

static gboolean
read_cl_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
               ArmillaData *const *outputs, GError **error)
{
  (void) inputs;
  return armilla_graph_fill (graph, outputs[0], read_cl_fill, g_object_ref (stage), g_object_unref,
                             error);
}

static const ArmillaProperty properties[] = {
  { "file", ARMILLA_TEXT (ArmillaReadCl, file, NULL),
    "name of the file, opened literally; .gz is decompressed",
    ARMILLA_PROPERTY_REQUIRED | ARMILLA_PROPERTY_INPUT_FILE },
  { "columns", ARMILLA_TEXT (ArmillaReadCl, columns, "all"),
    "spectra to read, in this order: names or numbers from 0, separated by commas, or all; the "
    "column of l is not counted; TT, EE, BB, TE, EB and TB are also healpy's TEMPERATURE, "
    "GRADIENT, CURL, G-T, C-G and C-T" },
  { "names", ARMILLA_TEXT (ArmillaReadCl, names, ""),
    "names of the spectra of a file without column names, in their order, separated by commas" },
  { "interpolate", ARMILLA_BOOLEAN (ArmillaReadCl, interpolate, FALSE),
    "interpolate linearly between the rows if multipoles are missing or are not integers, as "
    "those of bandpowers; otherwise this is an error" },
  { "scaling", ARMILLA_ENUM (ArmillaReadCl, scaling, scalings, SCALING_CL),
    "scaling of the file: C_l; D_l = l (l + 1) C_l / 2 pi, which is divided by l (l + 1) / 2 pi "
    "(l = 0 becomes 0); or camb: D_l, and for a lensing potential P one further factor "
    "sqrt(l (l + 1)) for each P in the name of the spectrum: PP, TP and EP" },
  { "unit", ARMILLA_TEXT (ArmillaReadCl, unit, ""),
    "unit of the spectra, e.g. uK^2; empty: TUNIT of the file" },
};

static void
armilla_read_cl_class_init (ArmillaReadClClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  stage->nick = "read-cl";
  armilla_stage_set_example (stage, "[write-cl]; file = cl.fits; [read-cl]; file = cl.fits");
  stage->summary = "Read angular power spectra from a FITS table or a text file";
  stage->description =
    "Reads the tables of healpy.write_cl and of HEALPix's anafast, one row per multipole, and "
    "text: CSV, ECSV, or columns separated by blanks, with names in the first line or in a "
    "comment before it. A column called l, ell or multipole contains the multipoles, and so does "
    "a first column of consecutive integers in text; below its first multipole spectra are 0. A "
    "missing multipole is an error, and so is a missing value, NaN or infinity in a spectrum that "
    "is read. Unit and coordinates are those of TUNIT and COORDSYS of a FITS file, or the units "
    "of ECSV.";
  stage->ports = ports;
  stage->prepare = read_cl_prepare;
  stage->build = read_cl_build;
  stage->reusable = TRUE;
  armilla_stage_install (stage, 0, properties, G_N_ELEMENTS (properties));
  ARMILLA_STAGE_OWNS (stage, ArmillaReadCl, table, armilla_cl_table_free);
  ARMILLA_STAGE_OWNS (stage, ArmillaReadCl, chosen, g_array_unref);
}
