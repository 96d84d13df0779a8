/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "core/fits/fields.h"
#include "core/spectra/spectrum-roles.h"
#include "core/tables/table.h"
#include "tasks/data/fields-private.h"
#include "tasks/data/store.h"

G_DEFINE_FINAL_TYPE (ArmillaCl, armilla_cl, ARMILLA_TYPE_DATA)

static void
armilla_cl_drop (ArmillaData *data)
{
  ArmillaCl *self = ARMILLA_CL (data);

  armilla_tile_drop (&self->tile);
  armilla_tile_drop (&self->derived);
  g_clear_pointer (&self->derived_by, g_bytes_unref);
}

static void
armilla_cl_finalize (GObject *object)
{
  ArmillaCl *self = ARMILLA_CL (object);

  armilla_fields_clear (&self->fields);
  g_clear_pointer (&self->derived_by, g_bytes_unref);
  G_OBJECT_CLASS (armilla_cl_parent_class)->finalize (object);
}

static char *
armilla_cl_describe (ArmillaData *data)
{
  const ArmillaCl *self = ARMILLA_CL (data);

  return g_strdup_printf ("cl: lmax %" G_GINT64_FORMAT ", %d spectr%s", self->lmax,
                          self->fields.n, self->fields.n == 1 ? "um" : "a");
}

static double
armilla_cl_bytes (ArmillaData *data)
{
  const ArmillaCl *self = ARMILLA_CL (data);

  return 8.0 * ((double) self->lmax + 1) * self->fields.n;
}

static gboolean
armilla_cl_cut (ArmillaData *data, ArmillaGraph *graph, ArmillaCut *cut, GError **error)
{
  (void) graph, (void) error;
  cut->n_tiles = 1;
  cut->n_fields = ARMILLA_CL (data)->fields.n;
  cut->n_rows = (ARMILLA_CL (data)->lmax + 1) * ARMILLA_CL (data)->fields.n;
  return TRUE;
}

static const ArmillaTile *
armilla_cl_verb_tiles (ArmillaData *data, ArmillaGraph *graph, GError **error)
{
  return armilla_cl_tile (ARMILLA_CL (data), graph, error);
}

/* Returns whether two spectra have the same lmax. */
static gboolean
armilla_cl_same_shape (ArmillaData *a, const char *name_a, ArmillaData *b, const char *name_b,
                       GError **error)
{
  const gint64 first = ARMILLA_CL (a)->lmax, second = ARMILLA_CL (b)->lmax;

  if (first == second)
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                       "%s has lmax %" G_GINT64_FORMAT ", but %s lmax %" G_GINT64_FORMAT
                       "; make lmax of the a_lm from which they are computed equal with resize-alm",
                       name_a,
                       first, name_b, second);
}

/* Returns a table with a column l of multipoles, and a zeroed column for each spectrum, named after
 * it or CL, CL1, .. if it has no name. */
static ArmillaTable *
armilla_cl_new_table (ArmillaData *data)
{
  const ArmillaCl *self = ARMILLA_CL (data);
  ArmillaTable *table = armilla_table_new ("SPECTRA", self->lmax + 1);
  ArmillaColumn *l = armilla_table_add (table, ARMILLA_COLUMN_INT64, "l", "", "multipole");

  for (gint64 r = 0; r < table->n_rows; r++)
    l->integers[r] = r;
  for (int f = 0; f < self->fields.n; f++)
    {
      g_autofree char *number = f > 0 ? g_strdup_printf ("CL%d", f) : g_strdup ("CL");
      const char *name = armilla_spectrum_pair (self->fields.names[f]);

      armilla_table_add (table, ARMILLA_COLUMN_DOUBLE, *name != '\0' ? name : number,
                         self->fields.units[0], "spectrum");
    }
  return table;
}

static const ArmillaDataVerbs verbs = {
  .is_whole = TRUE,
  .need = armilla_need_whole,
  .cut = armilla_cl_cut,
  .pieces = armilla_whole_piece,
  .tiles = armilla_cl_verb_tiles,
  .same_shape = armilla_cl_same_shape,
  .new_table = armilla_cl_new_table,
};

static ArmillaData *
armilla_cl_new_like (ArmillaData *data, int n_fields)
{
  return ARMILLA_DATA (armilla_cl_new (ARMILLA_CL (data)->lmax, NULL, n_fields));
}

static void
armilla_cl_class_init (ArmillaClClass *klass)
{
  ArmillaDataClass *data = ARMILLA_DATA_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = armilla_cl_finalize;
  data->drop = armilla_cl_drop;
  data->describe = armilla_cl_describe;
  data->bytes = armilla_cl_bytes;
  data->save = armilla_numbers_save;
  data->load = armilla_numbers_load;
  data->new_like = armilla_cl_new_like;
  data->verbs = &verbs;
}

static void
armilla_cl_init (ArmillaCl *self)
{
  armilla_data_set_fields (ARMILLA_DATA (self), &self->fields);
}

ArmillaCl *
armilla_cl_new (gint64 lmax, const char *const *names, int n_fields)
{
  ArmillaCl *self = g_object_new (ARMILLA_TYPE_CL, NULL);

  self->lmax = lmax;
  armilla_fields_init (&self->fields, n_fields);
  armilla_fields_set_names (&self->fields, names);
  return self;
}

gint64
armilla_cl_lmax (ArmillaCl *self)
{
  return self->lmax;
}

const char *const *
armilla_cl_names (ArmillaCl *self)
{
  return (const char *const *) self->fields.names;
}

const char *
armilla_cl_unit (ArmillaCl *self)
{
  return self->fields.units[0];
}

void
armilla_cl_set_unit (ArmillaCl *self, const char *unit)
{
  armilla_fields_set_unit (&self->fields, unit);
}

const char *
armilla_cl_coordsys (ArmillaCl *self)
{
  return self->fields.coordsys;
}

void
armilla_cl_set_coordsys (ArmillaCl *self, const char *coordsys)
{
  armilla_fields_set_coordsys (&self->fields, coordsys);
}
