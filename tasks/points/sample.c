/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values of maps at objects. The objects are known while the graph is submitted, and so are the
 * values: the submitting thread waits for them. */
#include "config.h"

#include "tasks/points/sample.h"

#include "core/catalogues/catalogue.h"
#include "tasks/data/data-private.h"
#include "tasks/data/objects.h"
#include "tasks/graph/jobs.h"
#include "tasks/graph/ledger.h"
#include "tasks/points/block-values.h"
#include "tasks/points/map-objects.h"

/* Maximum number of objects of a step. */
#define MAX_IN_PART 131072

/* Request for values; each step of an I/O thread has a copy. */
typedef struct {
  ArmillaMapObjects *objects; /* (nullable): in the copy of a step, a reference */
  int part;                   /* part of a step */
  ArmillaSampling how;
  int n_fields;
  int fields[];
} Sample;

/* State of a request in progress. */
typedef struct {
  const Sample *sample;
  ArmillaMapObjects *objects;
  double *const *columns; /* [field][object] */
} Work;

static Sample *
sample_copy (const Sample *self, ArmillaMapObjects *objects, int part)
{
  Sample *copy = g_memdup2 (self, sizeof *self + sizeof (int) * (gsize) self->n_fields);

  copy->objects = armilla_map_objects_ref (objects);
  copy->part = part;
  return copy;
}

static void
sample_free (gpointer data)
{
  Sample *self = data;

  g_clear_pointer (&self->objects, armilla_map_objects_unref);
  g_free (self);
}

/* Writes the values at the objects of a part, [field][object]. */
static void
sample_part (gpointer user, const ArmillaGathered *in, const ArmillaRingBlock *block, double *out)
{
  const Sample *self = user;
  const ArmillaMapObjects *objects = self->objects;
  const gint64 *order = objects->order + objects->start[self->part];
  const gint64 n = armilla_map_objects_count (objects, self->part);

  (void) block;
  for (gint64 i = 0; i < n; i++)
    {
      const ArmillaCatalogue *c = objects->catalogue;
      const double v[3] = { c->x[order[i]], c->y[order[i]], c->z[order[i]] };

      armilla_sampler_values (&objects->sampler, in, self->how, v, self->fields, self->n_fields,
                              out + i, n);
    }
}

static int
block_of (gpointer user, int part)
{
  return ((Work *) user)->objects->block[part];
}

static gint64
values_size (gpointer user, int part)
{
  const Work *work = user;

  return armilla_map_objects_count (work->objects, part) * work->sample->n_fields;
}

static gpointer
begin_part (gpointer user, int part)
{
  const Work *work = user;

  return sample_copy (work->sample, work->objects, part);
}

static gboolean
take_values (gpointer user, int part, const double *values, GError **error)
{
  const Work *work = user;
  const gint64 *order = work->objects->order + work->objects->start[part];
  const gint64 n = armilla_map_objects_count (work->objects, part);

  (void) error;
  for (int f = 0; f < work->sample->n_fields; f++)
    for (gint64 i = 0; i < n; i++)
      work->columns[f][order[i]] = values[f * n + i];
  return TRUE;
}

static const ArmillaBlockValues block_values
  = { .block = block_of, .size = values_size, .begin = begin_part, .step = sample_part,
      .destroy = sample_free, .take = take_values };

static gboolean
run_sample (ArmillaGraph *graph, ArmillaJob *job, GError **error)
{
  const Sample *self = job->user;
  Work work = { .sample = self };
  ArmillaMap *map = ARMILLA_MAP (job->in[0]);
  ArmillaObjects *out = ARMILLA_OBJECTS (job->out);
  ArmillaCatalogue *points = armilla_objects_catalogue (ARMILLA_OBJECTS (job->in[1]), error);
  ArmillaRingBlocks *rings = points ? armilla_map_ring_blocks (map, graph, error) : NULL;
  const ArmillaTile *in = rings ? armilla_map_tiles (map, graph, error) : NULL;
  g_autofree double **columns = g_new0 (double *, self->n_fields);
  g_autoptr (ArmillaMapObjects) objects
    = in ? armilla_map_objects_new (graph, rings, armilla_map_header (map)->fields.coordsys, points,
                                    MAX_IN_PART, error)
         : NULL;
  g_autoptr (ArmillaCatalogue) made
    = objects ? armilla_objects_with_columns (out, points, self->n_fields, columns, error) : NULL;

  work.objects = objects;
  work.columns = columns;
  if (!made
      || !armilla_block_values (graph, rings, in, armilla_sampler_reach (&objects->sampler),
                                objects->n_parts, &block_values, &work, error))
    return FALSE;
  armilla_objects_set_catalogue (out, made);
  armilla_ledger_note_objects (graph, job->label->node, made->n);
  return TRUE;
}

/* Requests the values of some fields of a map at objects, as the last columns of @out, which is
 * described like @points otherwise. The objects are converted to the coordinates of the map.
 * @fields: their numbers. Returns whether the shapes fit; ARMILLA_ERROR_SHAPE otherwise. */
gboolean
armilla_graph_sample (ArmillaGraph *graph, ArmillaMap *map, const int *fields, int n_fields,
                      ArmillaObjects *points, ArmillaSampling how, ArmillaObjects *out,
                      GError **error)
{
  ArmillaJob job = { .run = run_sample, .in = { ARMILLA_DATA (map), ARMILLA_DATA (points) },
                     .out = ARMILLA_DATA (out), .destroy = sample_free };
  const int more = armilla_objects_like (out)->n_values - armilla_objects_like (points)->n_values;
  Sample *self;

  if (more != n_fields)
    return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                         "the output has %d further column(s) for %d field(s); they must have the "
                         "same number", more, n_fields);
  self = g_malloc0 (sizeof *self + sizeof (int) * (gsize) n_fields);
  self->how = how;
  self->n_fields = n_fields;
  for (int f = 0; f < n_fields; f++)
    self->fields[f] = fields[f];
  job.user = self;
  job.work = 100.0 * n_fields * (double) armilla_objects_expected (points);
  armilla_graph_defer (graph, &job);
  return TRUE;
}
