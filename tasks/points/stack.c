/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums of patches. A task adds the patches of some objects next to a ring block, in the order of
 * the objects, to the sums of their groups; the submitting thread adds the sums of the tasks in the
 * order of the tasks. The grid and the objects alone determine which objects a task has, so bits do
 * not depend on ranks or workers. */
#include "config.h"

#include "tasks/points/stack.h"

#include <armilla/memory.h>
#include <math.h>
#include <string.h>

#include "codelets/fields/pixel-ops-math.h"
#include "core/catalogues/catalogue.h"
#include "core/fits/fields.h"
#include "tasks/data/data-private.h"
#include "tasks/data/objects.h"
#include "tasks/graph/jobs.h"
#include "tasks/points/block-values.h"
#include "tasks/points/map-objects.h"

/* Maximum number of objects of a task. */
#define MAX_IN_PART 256

/* Operations per pixel of a patch and field. */
#define FLOPS 200.0

/* A pixel of a patch, in polar coordinates about the centre of the patch. */
typedef struct {
  double cosine, sine; /* of the distance */
  double west, south; /* unit vector of the direction from the centre; south at the centre itself */
} Offset;

/* Patches of all objects; shared by the tasks. */
typedef struct {
  ArmillaMapObjects *objects;
  Offset *offsets; /* [pixel] */
  int *spins;      /* [field]; (nullable) */
  int n_fields, n_groups;
  ArmillaStackOptions options;
} Patches;

/* User data of a task. */
typedef struct {
  Patches *patches;
  int part;
} Step;

/* State of a request in progress. */
typedef struct {
  Patches *patches;
  double *sums; /* [group][field][2][pixel] */
} Work;

typedef struct {
  ArmillaStackOptions options;
  ArmillaStack *stack;
} Request;

static void
patches_clear (gpointer data)
{
  Patches *self = data;

  g_clear_pointer (&self->objects, armilla_map_objects_unref);
  g_free (self->offsets);
  g_free (self->spins);
}

static void
patches_unref (gpointer self)
{
  g_atomic_rc_box_release_full (self, patches_clear);
}

static gint64
patch_pixels (const ArmillaStackOptions *options)
{
  return options->n_side * options->n_side;
}

static gint64
sums_size (const Patches *self)
{
  return 2 * self->n_groups * self->n_fields * patch_pixels (&self->options);
}

/* Returns the positions of the pixels of a patch, in the azimuthal equidistant projection. */
static Offset *
offsets_new (const ArmillaStackOptions *options)
{
  const gint64 n = options->n_side;
  Offset *offsets = g_new (Offset, n * n);

  for (gint64 i = 0; i < n * n; i++)
    {
      const double south = ((double) (i / n) - (double) (n - 1) / 2) * options->resolution;
      const double west = ((double) (i % n) - (double) (n - 1) / 2) * options->resolution;
      const double r = hypot (south, west);

      offsets[i] = (Offset) { cos (r), sin (r), r > 0 ? west / r : 0, r > 0 ? south / r : 1 };
    }
  return offsets;
}

/* Sets unit vectors to the south and to the east of @v; at a pole those of longitude 0. */
static void
find_basis (const double v[3], double south[3], double east[3])
{
  const double r = hypot (v[0], v[1]);
  const double c = r > 0 ? v[0] / r : 1, s = r > 0 ? v[1] / r : 0;

  south[0] = v[2] * c;
  south[1] = v[2] * s;
  south[2] = -r;
  east[0] = -s;
  east[1] = c;
  east[2] = 0;
}

static double
product (const double a[3], const double b[3])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Multiplies Q + iU by exp (-i spin a), a being the angle, from south to east, of the direction
 * @along at @v; in the frame of the patch also by exp (i spin a) of that direction at the
 * centre. */
static void
turn (ArmillaStackFrame frame, const Offset *offset, const double v[3], const double along[3],
      int spin, double *q, double *u)
{
  double south[3], east[3], c, s, re = 1, im = 0;
  const double first = *q;

  find_basis (v, south, east);
  c = product (south, along);
  s = product (east, along);
  if (frame == ARMILLA_STACK_NORTH)
    {
      const double at_v = c;

      c = at_v * offset->south - s * offset->west;
      s = s * offset->south + at_v * offset->west;
    }
  for (int k = 0; k < spin; k++)
    {
      const double old = re;

      re = old * c + im * s;
      im = im * c - old * s;
    }
  *q = re * first - im * *u;
  *u = re * *u + im * first;
}

/* Computes the values of a pixel of a patch around @centre, with its basis. */
static void
sample (const Patches *self, const ArmillaGathered *in, const double centre[3],
        const double south[3], const double east[3], const Offset *offset, double *values)
{
  double v[3], along[3];

  for (int i = 0; i < 3; i++)
    {
      const double to = offset->south * south[i] - offset->west * east[i];

      v[i] = offset->cosine * centre[i] + offset->sine * to;
      along[i] = offset->cosine * to - offset->sine * centre[i];
    }
  armilla_sampler_values (&self->objects->sampler, in, self->options.sampling, v, NULL,
                          self->n_fields, values, 1);
  for (int f = 0; f < self->n_fields; f++)
    if (armilla_fields_part (self->spins, f) == 1)
      {
        if (armilla_is_unseen_value (values[f]) || armilla_is_unseen_value (values[f + 1]))
          values[f] = values[f + 1] = ARMILLA_UNSEEN_VALUE;
        else
          turn (self->options.frame, offset, v, along, self->spins[f], &values[f], &values[f + 1]);
      }
}

static void
add_patch (const Patches *self, const ArmillaGathered *in, gint64 object, double weight,
           double *sums)
{
  const ArmillaCatalogue *c = self->objects->catalogue;
  const double centre[3] = { c->x[object], c->y[object], c->z[object] };
  const gint64 n = patch_pixels (&self->options);
  double *values = g_newa (double, (gsize) self->n_fields);
  double south[3], east[3];

  find_basis (centre, south, east);
  for (gint64 i = 0; i < n; i++)
    {
      sample (self, in, centre, south, east, &self->offsets[i], values);
      for (int f = 0; f < self->n_fields; f++)
        if (!armilla_is_unseen_value (values[f]))
          {
            sums[2 * f * n + i] += weight * values[f];
            sums[(2 * f + 1) * n + i] += weight;
          }
    }
}

static void
stack_part (gpointer user, const ArmillaGathered *in, const ArmillaRingBlock *block, double *out)
{
  const Step *step = user;
  const Patches *self = step->patches;
  const ArmillaCatalogue *c = self->objects->catalogue;
  const gint64 of_group = sums_size (self) / self->n_groups;

  (void) block;
  memset (out, 0, sizeof *out * (gsize) sums_size (self));
  for (gint64 k = self->objects->start[step->part]; k < self->objects->start[step->part + 1]; k++)
    {
      const gint64 object = self->objects->order[k];
      const gint64 group = c->patch ? c->patch[object] : object % self->n_groups;
      const double weight = c->weight ? c->weight[object] : 1;

      if (weight > 0)
        add_patch (self, in, object, weight, out + group * of_group);
    }
}

static int
block_of (gpointer user, int part)
{
  return ((Work *) user)->patches->objects->block[part];
}

static gint64
part_size (gpointer user, int part)
{
  (void) part;
  return sums_size (((Work *) user)->patches);
}

static double
part_flops (gpointer user, int part)
{
  const Patches *patches = ((Work *) user)->patches;

  return FLOPS * (double) armilla_map_objects_count (patches->objects, part) * patches->n_fields
         * (double) patch_pixels (&patches->options);
}

static gpointer
begin_part (gpointer user, int part)
{
  Step *step = g_new (Step, 1);

  *step = (Step) { g_atomic_rc_box_acquire (((Work *) user)->patches), part };
  return step;
}

static void
step_free (gpointer data)
{
  Step *step = data;

  patches_unref (step->patches);
  g_free (step);
}

static gboolean
take_sums (gpointer user, int part, const double *values, GError **error)
{
  Work *work = user;

  (void) part, (void) error;
  for (gint64 i = 0; i < sums_size (work->patches); i++)
    work->sums[i] += values[i];
  return TRUE;
}

static const ArmillaBlockValues block_sums
  = { .block = block_of, .size = part_size, .begin = begin_part, .step = stack_part,
      .destroy = step_free, .flops = part_flops, .take = take_sums };

/* Returns the distance from a ring block within which all pixels for the patches of its objects
 * are. If the map has some rings only, objects outside of them are assigned to the nearest block,
 * if their patches reach it, which doubles the distance. */
static double
reach_of (const Patches *self)
{
  const ArmillaStackOptions *options = &self->options;
  const double radius = (double) (options->n_side - 1) / 2 * options->resolution * G_SQRT2;
  const ArmillaRingBlocks *rings = self->objects->rings;
  const gboolean part = rings->grid->n_covered < rings->grid->n_pixels;

  return (part ? 2 : 1) * radius + armilla_sampler_reach (&self->objects->sampler);
}

static gboolean
run_stack (ArmillaGraph *graph, ArmillaJob *job, GError **error)
{
  const Request *request = job->user;
  const ArmillaStackOptions *options = &request->options;
  ArmillaMap *map = ARMILLA_MAP (job->in[0]);
  ArmillaCatalogue *catalogue = armilla_objects_catalogue (ARMILLA_OBJECTS (job->in[1]), error);
  ArmillaRingBlocks *rings = catalogue ? armilla_map_ring_blocks (map, graph, error) : NULL;
  const ArmillaTile *in = rings ? armilla_map_tiles (map, graph, error) : NULL;
  Patches *self;
  Work work;
  gboolean ok;

  if (!in)
    return FALSE;
  if (catalogue->n == 0)
    return armilla_fail (error, ARMILLA_ERROR_VALUE, "the catalogue has no objects to stack");
  self = g_atomic_rc_box_new0 (Patches);
  self->n_fields = armilla_map_n_fields (map);
  self->n_groups = catalogue->patch ? catalogue->n_patches
                                    : (int) MIN (options->n_groups, catalogue->n);
  self->options = *options;
  self->offsets = offsets_new (options);
  self->spins = g_memdup2 (armilla_map_spins (map), sizeof (int) * (gsize) self->n_fields);
  self->objects = armilla_map_objects_new (graph, rings, armilla_map_header (map)->fields.coordsys,
                                           catalogue, MAX_IN_PART, error);
  work = (Work) { self, NULL };
  if (self->objects)
    work.sums = armilla_try_new (double, sums_size (self), "sums of patches", error);
  ok = work.sums
       && armilla_block_values (graph, rings, in, reach_of (self), self->objects->n_parts,
                                &block_sums, &work, error)
       && armilla_stack_finish (request->stack, options, work.sums, self->n_groups, error);
  g_free (work.sums);
  patches_unref (self);
  return ok;
}

static void
request_free (gpointer data)
{
  Request *self = data;

  armilla_stack_unref (self->stack);
  g_free (self);
}

/* Estimates the memory of a stack: sums of all groups, sums of tasks that are not yet added, and
 * for each object its number in the order of the blocks and a position in the coordinates of the
 * map. */
double
armilla_stack_bytes (const ArmillaStackOptions *options, int n_fields, int n_groups,
                     gint64 n_objects)
{
  const double n = (double) patch_pixels (options), sums = 2.0 * n_groups * n_fields * n;
  const double ahead = MAX (MIN (ARMILLA_PARTS_AHEAD * sums, (double) ARMILLA_PARTS_DOUBLES), sums);

  return sizeof (double) * (sums + ahead + 2.0 * n_fields * n + 6.0 * (double) n_objects);
}

/* Requests the weighted mean of the patches of a map around objects, which are converted to the
 * coordinates of the map. Pairs of Q and U of a spin are turned into the frame of the patch.
 * @stack: a new one of that shape; filled while the graph is submitted. */
gboolean
armilla_graph_stack (ArmillaGraph *graph, ArmillaMap *map, ArmillaObjects *objects,
                     const ArmillaStackOptions *options, ArmillaStack *stack, GError **error)
{
  ArmillaJob job = { .run = run_stack, .in = { ARMILLA_DATA (map), ARMILLA_DATA (objects) },
                     .destroy = request_free };
  Request *request;

  if (stack->n_fields != armilla_map_n_fields (map) || stack->n_pixels != patch_pixels (options))
    return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                         "a stack of %d fields and %" G_GINT64_FORMAT " pixels; they must be %d "
                         "and %" G_GINT64_FORMAT, stack->n_fields, stack->n_pixels,
                         armilla_map_n_fields (map), patch_pixels (options));
  request = g_new (Request, 1);
  *request = (Request) { *options, armilla_stack_ref (stack) };
  job.user = request;
  job.work = 100.0 * (double) patch_pixels (options)
             * (double) armilla_objects_expected (objects);
  armilla_graph_defer (graph, &job);
  return TRUE;
}
