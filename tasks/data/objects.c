/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <armilla/correlation.h>

#include "core/catalogues/catalogue.h"
#include "tasks/data/data-private.h"
#include "tasks/data/objects.h"
#include "tasks/graph/jobs.h"
#include "tasks/graph/ledger.h"
#include "tasks/planning/forecast-private.h"

struct _ArmillaObjects {
  ArmillaData parent_instance;
  ArmillaCatalogue *like;      /* of no objects: what they have */
  gint64 expected;             /* how many there will be; 0: unknown */
  ArmillaCatalogue *catalogue; /* NULL: not made yet, or not needed any more */
};

G_DEFINE_FINAL_TYPE (ArmillaObjects, armilla_objects, ARMILLA_TYPE_DATA)

static void
armilla_objects_drop (ArmillaData *data)
{
  g_clear_pointer (&ARMILLA_OBJECTS (data)->catalogue, armilla_catalogue_unref);
}

static void
armilla_objects_finalize (GObject *object)
{
  g_clear_pointer (&ARMILLA_OBJECTS (object)->like, armilla_catalogue_unref);
  G_OBJECT_CLASS (armilla_objects_parent_class)->finalize (object);
}

static char *
armilla_objects_describe (ArmillaData *data)
{
  ArmillaCatalogueParts parts = armilla_objects_parts (ARMILLA_OBJECTS (data));

  return g_strdup_printf ("catalogue: positions%s%s%s",
                          parts & ARMILLA_CATALOGUE_WEIGHT ? ", weights" : "",
                          parts & ARMILLA_CATALOGUE_SHEAR ? ", shears" : "",
                          parts & ARMILLA_CATALOGUE_PATCH ? ", patches" : "");
}

static void
armilla_objects_class_init (ArmillaObjectsClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = armilla_objects_finalize;
  ARMILLA_DATA_CLASS (klass)->drop = armilla_objects_drop;
  ARMILLA_DATA_CLASS (klass)->describe = armilla_objects_describe;
}

static void
armilla_objects_init (ArmillaObjects *self)
{
  (void) self;
}

ArmillaObjects *
armilla_objects_new (ArmillaCatalogueParts parts)
{
  g_autoptr (ArmillaCatalogue) like = armilla_catalogue_new (0, parts, NULL);

  return like != NULL ? armilla_objects_new_like (like) : NULL;
}

/**
 * armilla_objects_new_like:
 * @like: a catalogue of no objects that has their parts, coordinates, number of patches, and the
 *   names and units of further columns; not changed any more
 *
 * Describes objects.
 *
 * Returns: (transfer full): the objects, without a catalogue
 */
ArmillaObjects *
armilla_objects_new_like (ArmillaCatalogue *like)
{
  ArmillaObjects *self = g_object_new (ARMILLA_TYPE_OBJECTS, NULL);

  self->like = armilla_catalogue_ref (like);
  return self;
}

/**
 * armilla_objects_like:
 * @self: objects
 *
 * Returns: (transfer none): a catalogue of no objects that has what they have
 */
const ArmillaCatalogue *
armilla_objects_like (ArmillaObjects *self)
{
  return self->like;
}

/**
 * armilla_objects_parts:
 * @self: objects
 *
 * Returns: what they have beyond positions
 */
ArmillaCatalogueParts
armilla_objects_parts (ArmillaObjects *self)
{
  return armilla_catalogue_parts (self->like);
}

/**
 * armilla_objects_expect:
 * @self: objects
 * @n: how many there will be, as far as is known while they are described
 *
 * Lets stages that read the objects reckon what memory they will need.
 */
void
armilla_objects_expect (ArmillaObjects *self, gint64 n)
{
  self->expected = n;
}

/**
 * armilla_objects_expected:
 * @self: objects
 *
 * Returns: how many there will be; 0 where that is not known
 */
gint64
armilla_objects_expected (ArmillaObjects *self)
{
  return self->expected;
}

void
armilla_objects_set_catalogue (ArmillaObjects *self, ArmillaCatalogue *catalogue)
{
  armilla_catalogue_ref (catalogue);
  g_clear_pointer (&self->catalogue, armilla_catalogue_unref);
  self->catalogue = catalogue;
}

/**
 * armilla_objects_catalogue:
 * @self: objects
 * @error: return location
 *
 * Returns: (transfer none) (nullable): what they are; %ARMILLA_ERROR_VALUE when nobody has given
 *   them
 */
ArmillaCatalogue *
armilla_objects_catalogue (ArmillaObjects *self, GError **error)
{
  if (!self->catalogue)
    g_set_error_literal (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE,
                         "there are no objects: nothing has filled the catalogue before it is "
                         "counted");
  return self->catalogue;
}

static gboolean
run_fill (ArmillaGraph *graph, ArmillaJob *job, GError **error)
{
  const ArmillaCall *call = job->user;
  g_autoptr (ArmillaCatalogue) catalogue = NULL;
  const double begin = armilla_forecast_clock (graph);
  const gint64 start = g_get_monotonic_time ();
  GError *local = NULL;

  catalogue = ((ArmillaHostObjects) call->function) (call->user, &local);
  armilla_forecast_spend (graph, begin);
  /* A file may be there for one rank and not for another: all go on, or none. */
  if (!armilla_graph_agree (graph, local, error))
    return FALSE;
  armilla_objects_set_catalogue (ARMILLA_OBJECTS (job->out), catalogue);
  armilla_ledger_note_time (graph, job->label->node, start);
  armilla_ledger_note_objects (graph, job->label->node, catalogue->n);
  return TRUE;
}

gboolean
armilla_graph_fill_objects (ArmillaGraph *graph, ArmillaObjects *objects, ArmillaHostObjects fill,
                            gpointer user, GDestroyNotify destroy, GError **error)
{
  const ArmillaJob job = { .run = run_fill, .out = ARMILLA_DATA (objects) };
  const ArmillaCall call = { 0, G_CALLBACK (fill), user, destroy };

  return armilla_graph_defer_call (graph, &job, NULL, &call, NULL, error);
}
