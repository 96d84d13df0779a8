/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "core/fits/fields.h"
#include "tasks/data/checkpoint.h"
#include "tasks/data/fields-private.h"


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

static gboolean
armilla_alm_cut (ArmillaData *data, ArmillaGraph *graph, GError **error)
{
  if (!armilla_alm_layout_check (ARMILLA_ALM (data)->layout, error))
    return FALSE;
  armilla_alm_order_blocks (ARMILLA_ALM (data), graph);
  return TRUE;
}

static void
armilla_alm_need (ArmillaData *data, ArmillaNeed *need)
{
  ArmillaAlmLayout layout = ARMILLA_ALM (data)->layout;
  int n_fields = ARMILLA_ALM (data)->fields.n;
  const ArmillaView *view = &need->graph->view;
  ArmillaOrderBlocks *blocks;
  gint64 most = 0;

  if (!armilla_alm_layout_check (layout, NULL))
    return; /* the stage's graph says why */
  blocks = armilla_order_blocks_new (layout, n_fields,
                                     armilla_graph_m_blocks (need->graph, layout, n_fields),
                                     view->n_ranks, view->speeds);
  for (int b = 0; b < blocks->n; b++)
    most = MAX (most, 2 * n_fields * armilla_order_block_count (blocks, b));
  need->alm += most;
  need->largest = MAX (need->largest, most);
  need->orders = MAX (need->orders, layout.mmax + 1);
  need->block_orders = MAX (need->block_orders, blocks->max_orders);
  need->alm_fields = n_fields;
  armilla_order_blocks_free (blocks);
}

/* Where the part of an m-block begins in the file, and how many bytes it has. */
static void
find_orders (const ArmillaCheckpoint *file, int field, gint64 m_first, gint64 m_last,
             gint64 *offset, gint64 *size)
{
  gint64 first = armilla_alm_index (file->lmax, m_first, m_first);

  *offset = 16 * (field * file->count + first);
  *size = 16 * (armilla_alm_index (file->lmax, file->lmax, m_last) + 1 - first);
}

static gboolean
save_orders (gpointer user, int field, gint64 m_first, gint64 m_last, double *values,
             GError **error)
{
  gint64 offset, size;

  find_orders (user, field, m_first, m_last, &offset, &size);
  return armilla_checkpoint_write (user, offset, values, size, error);
}

static gboolean
load_orders (gpointer user, int field, gint64 m_first, gint64 m_last, double *values,
             GError **error)
{
  gint64 offset, size;

  find_orders (user, field, m_first, m_last, &offset, &size);
  return armilla_checkpoint_read (user, offset, values, size, error);
}

static void
set_shape (ArmillaCheckpoint *file, const ArmillaAlm *self)
{
  file->lmax = self->layout.lmax;
  file->count = armilla_alm_count (self->layout);
}

/* [field][healpy's index] */
static gboolean
armilla_alm_save (ArmillaData *data, ArmillaGraph *graph, ArmillaCheckpoint *file, GError **error)
{
  set_shape (file, ARMILLA_ALM (data));
  return armilla_graph_drain_alm (graph, ARMILLA_ALM (data), save_orders, armilla_checkpoint_end,
                                  file, armilla_checkpoint_free, error);
}

static gboolean
armilla_alm_load (ArmillaData *data, ArmillaGraph *graph, ArmillaCheckpoint *file, GError **error)
{
  set_shape (file, ARMILLA_ALM (data));
  return armilla_graph_fill_alm (graph, ARMILLA_ALM (data), load_orders, file,
                                 armilla_checkpoint_free, error);
}

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
  data->cut = armilla_alm_cut;
  data->save = armilla_alm_save;
  data->load = armilla_alm_load;
  data->need = armilla_alm_need;
  data->new_like = armilla_alm_new_like;
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
