/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <armilla/armilla.h>
#include <armilla/task.h>

#include "scale.h"

struct _StretchScale {
  ArmillaData parent_instance;
  int n_fields;
  double softness;
  ArmillaTile tile;
};

G_DEFINE_FINAL_TYPE (StretchScale, stretch_scale, ARMILLA_TYPE_DATA)

static void
stretch_scale_drop (ArmillaData *data)
{
  armilla_tile_drop (&STRETCH_SCALE (data)->tile);
}

/* Returns the tile, owned by rank 0; allocated by the first call. */
const ArmillaTile *
stretch_scale_tile (StretchScale *self, ArmillaGraph *graph, GError **error)
{
  if (!self->tile.handle && !armilla_tile_new (graph, 0, 2 * self->n_fields, &self->tile, error))
    return NULL;
  return &self->tile;
}

/* Returns the description for dry runs and progress messages. */
static char *
stretch_scale_describe (ArmillaData *data)
{
  int n = STRETCH_SCALE (data)->n_fields;

  return g_strdup_printf ("scale: %d field%s", n, n == 1 ? "" : "s");
}

/* Returns the size in memory. */
static double
stretch_scale_bytes (ArmillaData *data)
{
  return 16.0 * STRETCH_SCALE (data)->n_fields;
}

/* The values on their way to or from a file. The step that moves them owns the file; until it is
 * submitted, the request owns it. */
typedef struct {
  StretchScale *scale; /* NULL in the step: I/O threads must not drop references to data */
  ArmillaCheckpoint *file;
  gint64 size;
  gboolean save;
} Move;

static void
move_free (gpointer user)
{
  Move *move = user;

  g_clear_object (&move->scale);
  g_clear_pointer (&move->file, armilla_checkpoint_free);
  g_free (move);
}

/* Runs in an I/O thread of the rank that owns the tile. */
static gboolean
move_values (gpointer user, double *const *buffers, GError **error)
{
  Move *move = user;

  if (!move->save)
    return armilla_checkpoint_read (move->file, 0, buffers[0], move->size, error);
  return armilla_checkpoint_write (move->file, 0, buffers[0], move->size, error)
         && armilla_checkpoint_end (move->file, error);
}

static gboolean
submit_move (ArmillaGraph *graph, gpointer user, GError **error)
{
  Move *move = user, *step;
  const ArmillaTile *tile = stretch_scale_tile (move->scale, graph, error);
  enum starpu_data_access_mode mode = move->save ? STARPU_R : STARPU_W;

  if (!tile)
    return FALSE;
  step = g_new (Move, 1);
  *step = (Move) { NULL, g_steal_pointer (&move->file), 8 * tile->n, move->save };
  return armilla_host_step (graph, tile->owner, tile, &mode, 1, move_values, step, move_free,
                            error);
}

static gboolean
ask_for_move (ArmillaData *data, ArmillaGraph *graph, ArmillaCheckpoint *file, gboolean save)
{
  Move *move = g_new0 (Move, 1);

  move->scale = STRETCH_SCALE (g_object_ref (data));
  move->file = file;
  move->save = save;
  armilla_graph_later (graph, &data, save ? 1 : 0, submit_move, move, move_free);
  return TRUE;
}

/* Saves and loads the scale for runs that are resumed. */
static gboolean
stretch_scale_save (ArmillaData *data, ArmillaGraph *graph, ArmillaCheckpoint *file,
                    GError **error)
{
  (void) error;
  return ask_for_move (data, graph, file, TRUE);
}

static gboolean
stretch_scale_load (ArmillaData *data, ArmillaGraph *graph, ArmillaCheckpoint *file,
                    GError **error)
{
  (void) error;
  return ask_for_move (data, graph, file, FALSE);
}

static void
stretch_scale_class_init (StretchScaleClass *klass)
{
  ArmillaDataClass *data = ARMILLA_DATA_CLASS (klass);

  data->drop = stretch_scale_drop;
  data->describe = stretch_scale_describe;
  data->bytes = stretch_scale_bytes;
  data->save = stretch_scale_save;
  data->load = stretch_scale_load;
}

static void
stretch_scale_init (StretchScale *self)
{
  (void) self;
}

StretchScale *
stretch_scale_new (int n_fields, double softness)
{
  StretchScale *self = g_object_new (STRETCH_TYPE_SCALE, NULL);

  self->n_fields = n_fields;
  self->softness = softness;
  return self;
}

int
stretch_scale_n_fields (StretchScale *self)
{
  return self->n_fields;
}

double
stretch_scale_softness (StretchScale *self)
{
  return self->softness;
}
