/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "core/fits/fields.h"
#include "core/tables/table.h"
#include "tasks/data/data-private.h"

/* State of data. Tiles exist while they are in use: by the workflow until it has built the last
 * consumer, by jobs until they have submitted their last reader, by sinks until they have read the
 * last tile. */
typedef struct {
  ArmillaData *base; /* owner of the tiles of a view, NULL if it has its own */
  int holds;
  gboolean released; /* whether the workflow no longer uses the data */
  ArmillaFields own; /* metadata of fields, for classes that do not store them */
  ArmillaFields *fields;
} ArmillaDataPrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (ArmillaData, armilla_data, G_TYPE_OBJECT)

#define PRIVATE(self) ((ArmillaDataPrivate *) armilla_data_get_instance_private (self))

static void
armilla_data_dispose (GObject *object)
{
  ArmillaData *self = ARMILLA_DATA (object);

  armilla_data_release (self);
  /* Tiles may exist here: the data may have been written after their last release, or submission
   * failed before their last sink. */
  ARMILLA_DATA_GET_CLASS (self)->drop (self);
  g_clear_object (&PRIVATE (self)->base);
  G_OBJECT_CLASS (armilla_data_parent_class)->dispose (object);
}

static void
armilla_data_finalize (GObject *object)
{
  armilla_fields_clear (&PRIVATE (ARMILLA_DATA (object))->own);
  G_OBJECT_CLASS (armilla_data_parent_class)->finalize (object);
}

static void
drop_nothing (ArmillaData *self)
{
  (void) self;
}

static char *
describe_type (ArmillaData *self)
{
  return g_strdup (G_OBJECT_TYPE_NAME (self));
}

static double
no_bytes (ArmillaData *self)
{
  (void) self;
  return 0;
}

static double
hold_nothing (ArmillaData *self, gboolean writes)
{
  (void) self, (void) writes;
  return 0;
}

/* Implements @need for data in one tile. */
void
armilla_need_whole (ArmillaData *self, ArmillaNeed *need)
{
  need->largest = MAX (need->largest, (gint64) (armilla_data_bytes (self) / sizeof (double)));
}

static const ArmillaDataVerbs no_verbs = { .need = armilla_need_whole };

static void
armilla_data_class_init (ArmillaDataClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = armilla_data_dispose;
  G_OBJECT_CLASS (klass)->finalize = armilla_data_finalize;
  klass->drop = drop_nothing;
  klass->describe = describe_type;
  klass->bytes = no_bytes;
  klass->held = hold_nothing;
  klass->verbs = &no_verbs;
}

static void
armilla_data_init (ArmillaData *self)
{
  PRIVATE (self)->holds = 1;
  PRIVATE (self)->fields = &PRIVATE (self)->own;
}

/* Declares that the class stores the metadata of fields at @fields, and clears them. */
void
armilla_data_set_fields (ArmillaData *self, ArmillaFields *fields)
{
  PRIVATE (self)->fields = fields;
}

/* documented in armilla/data.h */
ArmillaFields *
armilla_data_fields (ArmillaData *self)
{
  return PRIVATE (self)->fields;
}

/* Makes self, which must have no tiles, a view of base, and keeps base alive. */
void
armilla_data_set_base (ArmillaData *self, ArmillaData *base)
{
  PRIVATE (self)->base = g_object_ref (base);
  armilla_data_hold (base);
}

/* Returns the owner of the tiles: self, or the data of which it is a view. */
ArmillaData *
armilla_data_base (ArmillaData *self)
{
  return PRIVATE (self)->base ? PRIVATE (self)->base : self;
}

void
armilla_data_hold (ArmillaData *self)
{
  PRIVATE (armilla_data_base (self))->holds++;
}

void
armilla_data_unhold (ArmillaData *self)
{
  ArmillaData *base = armilla_data_base (self);

  if (--PRIVATE (base)->holds == 0)
    ARMILLA_DATA_GET_CLASS (base)->drop (base);
}

int
armilla_data_holds (ArmillaData *self)
{
  return PRIVATE (armilla_data_base (self))->holds;
}

void
armilla_data_release (ArmillaData *self)
{
  if (PRIVATE (self)->released)
    return;
  PRIVATE (self)->released = TRUE;
  armilla_data_unhold (self);
}

ArmillaData *
armilla_data_new_like (ArmillaData *like, int n_fields)
{
  const ArmillaDataClass *klass = ARMILLA_DATA_GET_CLASS (like);
  ArmillaData *data = klass->new_like ? klass->new_like (like, n_fields) : NULL;

  if (data)
    {
      const ArmillaFields *from = armilla_data_fields (like);

      armilla_fields_set_coordsys (armilla_data_fields (data), from->coordsys);
      armilla_fields_set_polcconv (armilla_data_fields (data), from->polcconv);
    }
  return data;
}

gboolean
armilla_data_is_view (ArmillaData *self)
{
  return PRIVATE (self)->base != NULL;
}

char *
armilla_data_describe (ArmillaData *self)
{
  return ARMILLA_DATA_GET_CLASS (self)->describe (self);
}

double
armilla_data_bytes (ArmillaData *self)
{
  return ARMILLA_DATA_GET_CLASS (self)->bytes (self);
}

/* Returns whether the class can save and load the data, and they have their own tiles. */
gboolean
armilla_data_can_save (ArmillaData *self)
{
  const ArmillaDataClass *klass = ARMILLA_DATA_GET_CLASS (self);

  return klass->save && klass->load && !armilla_data_is_view (self);
}

const ArmillaDataVerbs *
armilla_data_verbs (ArmillaData *self)
{
  return ARMILLA_DATA_GET_CLASS (self)->verbs;
}

/* Describes how the data are divided into tiles in the graph; armilla_cut_clear () must follow,
 * even on failure. */
gboolean
armilla_data_cut (ArmillaData *self, ArmillaGraph *graph, ArmillaCut *cut, GError **error)
{
  const ArmillaDataVerbs *verbs = armilla_data_verbs (self);
  const gboolean writes = cut->writes;

  *cut = (ArmillaCut) { .verbs = verbs, .writes = writes };
  return !verbs->cut || verbs->cut (self, graph, cut, error);
}

void
armilla_cut_clear (ArmillaCut *cut)
{
  if (cut->host && cut->release)
    cut->release (cut->host);
  cut->host = NULL;
}

gboolean
armilla_graph_cut (ArmillaGraph *graph, ArmillaData *data, GError **error)
{
  ArmillaCut cut = { .writes = TRUE };
  const gboolean ok = armilla_data_cut (data, graph, &cut, error);

  armilla_cut_clear (&cut);
  return ok;
}

const ArmillaTile *
armilla_data_tiles (ArmillaData *self, ArmillaGraph *graph, GError **error)
{
  return armilla_data_verbs (self)->tiles (self, graph, error);
}

gboolean
armilla_data_tile_begin (ArmillaData *self, ArmillaGraph *graph, int tile, GError **error)
{
  const ArmillaDataVerbs *verbs = armilla_data_verbs (self);

  return !verbs->begin || verbs->begin (self, graph, tile, error);
}

gboolean
armilla_data_tile_end (ArmillaData *self, ArmillaGraph *graph, int tile, GError **error)
{
  const ArmillaDataVerbs *verbs = armilla_data_verbs (self);

  return !verbs->end || verbs->end (self, graph, tile, error);
}

gboolean
armilla_data_tile_pass (ArmillaData *self, ArmillaGraph *graph, int tile, GError **error)
{
  const ArmillaDataVerbs *verbs = armilla_data_verbs (self);

  return !verbs->pass || verbs->pass (self, graph, tile, error);
}

gboolean
armilla_data_has_fields (ArmillaData *self)
{
  return ARMILLA_DATA_GET_CLASS (self)->new_like != NULL;
}

gboolean
armilla_data_is_complex (ArmillaData *self)
{
  return armilla_data_verbs (self)->is_complex;
}

gboolean
armilla_data_has_pixels (ArmillaData *self)
{
  return armilla_data_verbs (self)->has_pixels;
}

gboolean
armilla_data_is_whole (ArmillaData *self)
{
  return armilla_data_verbs (self)->is_whole;
}

gboolean
armilla_data_same_shape (ArmillaData *a, const char *name_a, ArmillaData *b, const char *name_b,
                         GError **error)
{
  return armilla_data_verbs (a)->same_shape (a, name_a, b, name_b, error);
}

ArmillaTable *
armilla_data_new_table (ArmillaData *self)
{
  return armilla_data_verbs (self)->new_table ? armilla_data_verbs (self)->new_table (self) : NULL;
}

/* Returns whether the table of the data has a name for each column; ARMILLA_ERROR_VALUE
 * otherwise. */
gboolean
armilla_data_check_columns (ArmillaData *self, GError **error)
{
  g_autoptr (ArmillaTable) table = armilla_data_new_table (self);

  if (!table || armilla_table_check_columns (table, error))
    return TRUE;
  g_prefix_error (error, "input: ");
  return FALSE;
}

void
armilla_data_need (ArmillaData *self, ArmillaNeed *need)
{
  armilla_data_verbs (self)->need (self, need);
}

/* Implements @pieces for data in one tile. */
gboolean
armilla_whole_piece (const ArmillaCut *cut, int tile, double *values, ArmillaHostPiece call,
                     gpointer user, GError **error)
{
  ArmillaPiece piece = { .n = cut->n_rows, .last = cut->n_rows - 1, .values = values,
                         .n_values = cut->n_rows,
                         .words = (const gint64 *) (gconstpointer) values };

  (void) tile;
  return call (user, &piece, error);
}
