/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tasks/data/data-private.h"
#include "tasks/ranks/balance.h"

struct _ArmillaAlm {
  ArmillaData parent_instance;
  ArmillaAlmLayout layout;
  int n_fields;
  int *spins;
  char *unit;
  char *coordsys;
  ArmillaTile *tiles;
  ArmillaMover *mover;
  int n_tiles;
};

G_DEFINE_FINAL_TYPE (ArmillaAlm, armilla_alm, ARMILLA_TYPE_DATA)

static void
armilla_alm_drop (ArmillaData *data)
{
  ArmillaAlm *self = ARMILLA_ALM (data);

  g_clear_pointer (&self->mover, armilla_mover_free);
  for (int b = 0; b < self->n_tiles; b++)
    armilla_tile_drop (&self->tiles[b]);
  g_clear_pointer (&self->tiles, g_free);
  self->n_tiles = 0;
}

static void
armilla_alm_finalize (GObject *object)
{
  ArmillaAlm *self = ARMILLA_ALM (object);

  g_free (self->spins);
  g_free (self->unit);
  g_free (self->coordsys);
  G_OBJECT_CLASS (armilla_alm_parent_class)->finalize (object);
}

static void
armilla_alm_class_init (ArmillaAlmClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = armilla_alm_finalize;
  ARMILLA_DATA_CLASS (klass)->drop = armilla_alm_drop;
}

static void
armilla_alm_init (ArmillaAlm *self)
{
  self->unit = g_strdup ("");
}

/**
 * armilla_alm_new:
 * @layout: lmax and mmax
 * @n_fields: number of fields, at least 1
 *
 * Describes a_lm of spin 0, without unit and coordinate system.
 *
 * Returns: (transfer full): the a_lm
 */
ArmillaAlm *
armilla_alm_new (ArmillaAlmLayout layout, int n_fields)
{
  ArmillaAlm *self = g_object_new (ARMILLA_TYPE_ALM, NULL);

  self->layout = layout;
  self->n_fields = n_fields;
  self->spins = g_new0 (int, (gsize) n_fields);
  return self;
}

/**
 * armilla_alm_layout:
 * @self: a_lm
 *
 * Returns: lmax and mmax
 */
ArmillaAlmLayout
armilla_alm_layout (ArmillaAlm *self)
{
  return self->layout;
}

/**
 * armilla_alm_n_fields:
 * @self: a_lm
 *
 * Returns: number of fields
 */
int
armilla_alm_n_fields (ArmillaAlm *self)
{
  return self->n_fields;
}

/**
 * armilla_alm_spins:
 * @self: a_lm
 *
 * Returns: (transfer none) (array): spin of each field, see armilla_fields_part()
 */
const int *
armilla_alm_spins (ArmillaAlm *self)
{
  return self->spins;
}

/**
 * armilla_alm_set_spins:
 * @self: a_lm
 * @spins: (array) (nullable): spin of each field, for which armilla_fields_check() holds; %NULL
 *   sets all to 0
 */
void
armilla_alm_set_spins (ArmillaAlm *self, const int *spins)
{
  g_return_if_fail (armilla_fields_check (spins, self->n_fields, NULL));
  for (int f = 0; f < self->n_fields; f++)
    self->spins[f] = spins ? spins[f] : 0;
}

/**
 * armilla_alm_unit:
 * @self: a_lm
 *
 * Returns: (transfer none): unit of the field, "" when unknown
 */
const char *
armilla_alm_unit (ArmillaAlm *self)
{
  return self->unit;
}

/**
 * armilla_alm_set_unit:
 * @self: a_lm
 * @unit: (nullable): unit of the field
 */
void
armilla_alm_set_unit (ArmillaAlm *self, const char *unit)
{
  char *copy = g_strdup (unit ? unit : "");

  g_free (self->unit);
  self->unit = copy;
}

/**
 * armilla_alm_coordsys:
 * @self: a_lm
 *
 * Returns: (transfer none) (nullable): coordinate system: G, E or C
 */
const char *
armilla_alm_coordsys (ArmillaAlm *self)
{
  return self->coordsys;
}

/**
 * armilla_alm_set_coordsys:
 * @self: a_lm
 * @coordsys: (nullable): coordinate system: G, E or C
 */
void
armilla_alm_set_coordsys (ArmillaAlm *self, const char *coordsys)
{
  char *copy = g_strdup (coordsys);

  g_free (self->coordsys);
  self->coordsys = copy;
}

/**
 * armilla_alm_order_blocks:
 * @self: a_lm
 * @graph: a graph
 *
 * Returns: (transfer none): its m-blocks
 */
ArmillaOrderBlocks *
armilla_alm_order_blocks (ArmillaAlm *self, ArmillaGraph *graph)
{
  return armilla_graph_order_blocks (graph, self->layout, self->n_fields);
}

/**
 * armilla_alm_tiles:
 * @self: a_lm
 * @graph: a graph
 * @error: return location
 *
 * Returns: (transfer none) (nullable): its tiles, one an m-block, registered at the first call
 */
const ArmillaTile *
armilla_alm_tiles (ArmillaAlm *self, ArmillaGraph *graph, GError **error)
{
  ArmillaOrderBlocks *blocks;

  if (self->tiles)
    return self->tiles;
  blocks = armilla_alm_order_blocks (self, graph);
  self->tiles = g_new0 (ArmillaTile, blocks->n);
  self->n_tiles = blocks->n;
  for (int b = 0; b < blocks->n; b++)
    if (!armilla_tile_new (graph, blocks->owner[b],
                           2 * armilla_order_block_count (blocks, b) * self->n_fields,
                           &self->tiles[b], error))
      {
        armilla_alm_drop (ARMILLA_DATA (self));
        return NULL;
      }
  self->mover = armilla_mover_new (graph, self->tiles, blocks, NULL);
  return self->tiles;
}
