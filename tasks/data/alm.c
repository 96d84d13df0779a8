/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "core/fits/fields.h"
#include "tasks/data/fields-private.h"
#include "tasks/data/store.h"

G_DEFINE_FINAL_TYPE (ArmillaAlm, armilla_alm, ARMILLA_TYPE_DATA)

static void
armilla_alm_finalize (GObject *object)
{
  armilla_fields_clear (&ARMILLA_ALM (object)->fields);
  G_OBJECT_CLASS (armilla_alm_parent_class)->finalize (object);
}

static char *
armilla_alm_describe (ArmillaData *data)
{
  const ArmillaAlm *self = ARMILLA_ALM (data);

  return g_strdup_printf ("alm: lmax %" G_GINT64_FORMAT ", mmax %" G_GINT64_FORMAT
                          ", %d field%s",
                          self->layout.lmax, self->layout.mmax, self->fields.n,
                          self->fields.n == 1 ? "" : "s");
}

static double
armilla_alm_bytes (ArmillaData *data)
{
  const ArmillaAlm *self = ARMILLA_ALM (data);

  return 16.0 * (double) armilla_alm_count (self->layout) * self->fields.n;
}

static void
armilla_alm_need (ArmillaData *data, ArmillaNeed *need)
{
  ArmillaAlmLayout layout = ARMILLA_ALM (data)->layout;
  int n_fields = ARMILLA_ALM (data)->fields.n;
  const ArmillaView *view = &need->graph->view;
  ArmillaOrderBlocks *blocks;
  gint64 max_values = 0;

  if (!armilla_alm_layout_check (layout, NULL))
    return; /* the graph of the stage will report the error */
  blocks = armilla_order_blocks_new (layout, n_fields,
                                     armilla_graph_m_blocks (need->graph, layout, n_fields),
                                     view->n_ranks, view->speeds);
  for (int b = 0; b < blocks->n; b++)
    max_values = MAX (max_values, 2 * n_fields * armilla_order_block_count (blocks, b));
  need->alm += max_values;
  need->largest = MAX (need->largest, max_values);
  need->lmax = MAX (need->lmax, layout.lmax);
  need->orders = MAX (need->orders, layout.mmax + 1);
  need->block_orders = MAX (need->block_orders, blocks->max_orders);
  need->alm_fields = n_fields;
  armilla_order_blocks_free (blocks);
}

/* Returns whether two a_lm have the same lmax and mmax. */
static gboolean
armilla_alm_same_shape (ArmillaData *a, const char *name_a, ArmillaData *b, const char *name_b,
                        GError **error)
{
  ArmillaAlmLayout first = ARMILLA_ALM (a)->layout, second = ARMILLA_ALM (b)->layout;

  if (first.lmax == second.lmax && first.mmax == second.mmax)
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                       "%s has lmax %" G_GINT64_FORMAT " and mmax %" G_GINT64_FORMAT
                       ", but %s lmax %" G_GINT64_FORMAT " and mmax %" G_GINT64_FORMAT
                       "; make them equal with resize-alm", name_a, first.lmax, first.mmax,
                       name_b, second.lmax, second.mmax);
}

static const ArmillaDataVerbs verbs = {
  .is_complex = TRUE,
  .need = armilla_alm_need,
  .cut = armilla_alm_cut,
  .pieces = armilla_alm_pieces,
  .tiles = armilla_alm_verb_tiles,
  .same_shape = armilla_alm_same_shape,
};

static ArmillaData *
armilla_alm_new_like (ArmillaData *data, int n_fields)
{
  return ARMILLA_DATA (armilla_alm_new (ARMILLA_ALM (data)->layout, n_fields));
}

static void
armilla_alm_class_init (ArmillaAlmClass *klass)
{
  ArmillaDataClass *data = ARMILLA_DATA_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = armilla_alm_finalize;
  data->gathers = TRUE;
  data->passes_names = TRUE;
  data->drop = armilla_alm_drop;
  data->describe = armilla_alm_describe;
  data->bytes = armilla_alm_bytes;
  data->save = armilla_numbers_save;
  data->load = armilla_numbers_load;
  data->new_like = armilla_alm_new_like;
  data->verbs = &verbs;
}

static void
armilla_alm_init (ArmillaAlm *self)
{
  armilla_data_set_fields (ARMILLA_DATA (self), &self->fields);
}

ArmillaAlm *
armilla_alm_new (ArmillaAlmLayout layout, int n_fields)
{
  ArmillaAlm *self = g_object_new (ARMILLA_TYPE_ALM, NULL);

  self->layout = layout;
  armilla_fields_init (&self->fields, n_fields);
  return self;
}

const int *
armilla_alm_spins (ArmillaAlm *self)
{
  return self->fields.spins;
}

void
armilla_alm_set_spins (ArmillaAlm *self, const int *spins)
{
  armilla_fields_set_spins (&self->fields, spins);
}

const char *
armilla_alm_unit (ArmillaAlm *self)
{
  return self->fields.units[0];
}

void
armilla_alm_set_unit (ArmillaAlm *self, const char *unit)
{
  armilla_fields_set_unit (&self->fields, unit);
}

const char *
armilla_alm_coordsys (ArmillaAlm *self)
{
  return self->fields.coordsys;
}

void
armilla_alm_set_coordsys (ArmillaAlm *self, const char *coordsys)
{
  armilla_fields_set_coordsys (&self->fields, coordsys);
}
