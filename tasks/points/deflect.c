/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Deflected pixels as objects, and values at them as a map. The submitting thread waits for the map
 * of the deflection; then all cores compute. */
#include "config.h"

#include <math.h>

#include "codelets/fields/pixel-ops-math.h"
#include "codelets/points/deflect-math.h"
#include "core/catalogues/catalogue.h"
#include "core/grids/grid.h"
#include "tasks/data/data-private.h"
#include "tasks/data/objects.h"
#include "tasks/graph/jobs.h"
#include "tasks/graph/ledger.h"
#include "tasks/points/deflect.h"

/* Columns of the cosine and sine of the angle by which the basis turns; they precede the columns of
 * the fields, and are 0 where the deflection is UNSEEN. */
enum { COSINE, SINE };

/* A ring of a block. */
typedef struct {
  const ArmillaRing *ring;
  gint64 start; /* index of its first pixel in the tile */
  gint64 first; /* number of the object of its first pixel */
} BlockRing;

/* A block that all cores compute. */
typedef struct {
  const ArmillaRingBlock *block;
  GArray *rings;            /* BlockRing */
  const double *deflection; /* [2][pixel of the block]; NULL in a forecast */
  const double *pixels;     /* [field][pixel of the block]; may be NULL */
  const int *spins;         /* spins of the fields of @pixels */
  int n_fields;
  ArmillaCatalogue *out;
  gint too_far;             /* whether a deflection exceeds a right angle, or is NaN */
} Work;

/* Returns a pixel; 0 if it is UNSEEN or @pixels is NULL. */
static double
seen (const double *pixels, gint64 i)
{
  return !pixels || armilla_is_unseen_value (pixels[i]) ? 0 : pixels[i];
}

static void
deflect_pixel (Work *work, const BlockRing *at, gint64 j, double cosine, double sine)
{
  const gint64 i = at->start + j, n = work->block->n_pixels, object = at->first + j;
  const gboolean unseen = work->deflection
                          && (armilla_is_unseen_value (work->deflection[i])
                              || armilla_is_unseen_value (work->deflection[n + i]));
  const double d_theta = unseen ? 0 : seen (work->deflection, i);
  const double d_phi = unseen ? 0 : seen (work->deflection, n + i);
  const ArmillaCatalogueValue *columns = work->out->values + ARMILLA_DEFLECT_COLUMNS;
  double place[3], turn[2];

  if (!(hypot (d_theta, d_phi) <= G_PI_2))
    g_atomic_int_set (&work->too_far, 1);
  armilla_deflect (at->ring->cos_theta, at->ring->sin_theta, cosine, sine, d_theta, d_phi, place,
                   turn);
  work->out->x[object] = place[0];
  work->out->y[object] = place[1];
  work->out->z[object] = place[2];
  if (unseen)
    turn[0] = turn[1] = 0;
  work->out->values[COSINE].value[object] = turn[0];
  work->out->values[SINE].value[object] = turn[1];
  for (int f = 0; f < work->n_fields; f++)
    {
      const double q = unseen ? 0 : seen (work->pixels, f * n + i);
      double u = 0;

      columns[f].value[object] = q;
      if (work->spins[f] == 0)
        continue;
      u = unseen ? 0 : seen (work->pixels, (f + 1) * n + i);
      armilla_turn (turn, work->spins[f], TRUE, &columns[f].value[object], &u);
      columns[++f].value[object] = u;
    }
}

/* #ArmillaTeamRun */
static void
deflect_ring (gpointer user, gint64 number, int member)
{
  Work *work = user;
  const BlockRing *at = &g_array_index (work->rings, BlockRing, number);
  const ArmillaRing *ring = at->ring;

  (void) member;
  for (gint64 j = 0; j < ring->n_phi; j++)
    {
      const double phi = ring->phi0 + 2 * G_PI * (double) j / (double) ring->n_phi;

      deflect_pixel (work, at, j, cos (phi), sin (phi));
    }
}

/* Finds the rings of the block; objects are numbered along the rings of the grid. */
static GArray *
find_rings (const ArmillaRingBlocks *rings, const gint64 *before, int b)
{
  const ArmillaRingBlock *block = &rings->block[b];
  GArray *found = g_array_new (FALSE, FALSE, sizeof (BlockRing));

  for (gint64 slot = 0; slot < 2 * block->n_pairs; slot++)
    if (block->slots[slot].n_phi > 0)
      {
        const gint64 r = armilla_grid_ring_of (rings->grid, block->first_pixel[slot]);
        const BlockRing ring = { &rings->grid->rings[r], block->slots[slot].offset, before[r] };

        g_array_append_val (found, ring);
      }
  return found;
}

/* Returns the number of covered pixels before each ring. */
static gint64 *
count_before (const ArmillaGrid *grid)
{
  gint64 *before = g_new (gint64, grid->n_rings + 1);

  before[0] = 0;
  for (gint64 r = 0; r < grid->n_rings; r++)
    before[r + 1] = before[r] + grid->rings[r].n_phi;
  return before;
}

/* Computes a block on all cores. @tiles: that of the deflection and that of the map; either may be
 * NULL. */
static gboolean
deflect_block (ArmillaGraph *graph, Work *work, const ArmillaTile *tiles[2], GError **error)
{
  const double *values[2] = { NULL };
  gboolean ok = TRUE;

  for (int i = 0; ok && i < 2; i++)
    if (tiles[i])
      ok = (values[i] = armilla_graph_hold (graph, tiles[i], error)) != NULL;
  work->deflection = values[0];
  work->pixels = values[1];
  if (ok)
    armilla_runtime_use_cores (graph->runtime, work->rings->len, deflect_ring, work);
  for (int i = 0; i < 2; i++)
    if (values[i])
      starpu_data_release (tiles[i]->handle);
  return ok;
}

static ArmillaCatalogue *
new_catalogue (const ArmillaCatalogue *like, gint64 n, GError **error)
{
  g_autoptr (ArmillaCatalogue) c = armilla_catalogue_new (n, 0, error);

  if (!c)
    return NULL;
  c->coordsys = like->coordsys;
  for (int i = 0; i < like->n_values; i++)
    if (!armilla_catalogue_add_value (c, like->values[i].name, like->values[i].unit, error))
      return NULL;
  return g_steal_pointer (&c);
}

static gboolean
run_blocks (ArmillaGraph *graph, ArmillaMap *deflection, ArmillaMap *map, Work *work,
            GError **error)
{
  ArmillaMap *const maps[2] = { deflection, map };
  ArmillaRingBlocks *rings = armilla_map_ring_blocks (deflection, graph, error);
  g_autofree gint64 *before = rings ? count_before (rings->grid) : NULL;
  const ArmillaTile *all[2] = { NULL };
  gboolean ok = rings != NULL;

  for (int i = 0; ok && i < 2; i++)
    if (maps[i])
      ok = (all[i] = armilla_map_tiles (maps[i], graph, error)) != NULL;
  for (int b = 0; ok && b < rings->n; b++)
    {
      const ArmillaTile *tiles[2] = { NULL };

      work->block = &rings->block[b];
      work->rings = find_rings (rings, before, b);
      for (int i = 0; ok && i < 2; i++)
        if (maps[i])
          ok = armilla_data_tile_begin (ARMILLA_DATA (maps[i]), graph, b, error);
      for (int i = 0; i < 2; i++)
        tiles[i] = all[i] && !graph->taker.kind ? &all[i][b] : NULL;
      ok = ok && deflect_block (graph, work, tiles, error);
      for (int i = 0; ok && i < 2; i++)
        if (maps[i])
          ok = armilla_data_tile_end (ARMILLA_DATA (maps[i]), graph, b, error);
      g_clear_pointer (&work->rings, g_array_unref);
    }
  return ok;
}

static gboolean
run_deflect (ArmillaGraph *graph, ArmillaJob *job, GError **error)
{
  ArmillaMap *deflection = ARMILLA_MAP (job->in[0]);
  ArmillaMap *map = job->in[1] ? ARMILLA_MAP (job->in[1]) : NULL;
  ArmillaObjects *out = ARMILLA_OBJECTS (job->out);
  g_autoptr (ArmillaCatalogue) made
    = new_catalogue (armilla_objects_like (out), armilla_map_grid (deflection)->n_covered, error);
  Work work = { .n_fields = map ? armilla_map_n_fields (map) : 0,
                .spins = map ? armilla_map_spins (map) : NULL,
                .out = made };

  if (!made || !run_blocks (graph, deflection, map, &work, error))
    return FALSE;
  if (work.too_far)
    return armilla_fail (error, ARMILLA_ERROR_NUMERIC,
                         "the deflection of a pixel is above 90 deg, or not a number; it must be "
                         "in radian: check the unit and the low multipoles of the potential");
  armilla_objects_set_catalogue (out, made);
  armilla_ledger_note_objects (graph, job->label->node, made->n);
  return TRUE;
}

gboolean
armilla_graph_deflect (ArmillaGraph *graph, ArmillaMap *deflection, ArmillaMap *map,
                       ArmillaObjects *out, GError **error)
{
  const ArmillaJob job = { .run = run_deflect, .in = { ARMILLA_DATA (deflection),
                                                       map ? ARMILLA_DATA (map) : NULL },
                           .out = ARMILLA_DATA (out) };
  const int n = armilla_map_n_fields (deflection);
  const int n_values = armilla_objects_like (out)->n_values;

  if (n != 2 || armilla_map_spins (deflection)[0] != 1)
    return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                         "the deflection has %d field(s) of spin %d; must be one pair of spin 1", n,
                         armilla_map_spins (deflection)[0]);
  if (n_values != ARMILLA_DEFLECT_COLUMNS + (map ? armilla_map_n_fields (map) : 0)
      || (map && !armilla_grid_equal (armilla_map_grid (map), armilla_map_grid (deflection))))
    return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                         "the map has another grid than the deflection, or the objects have %d "
                         "further columns", n_values);
  armilla_graph_defer (graph, &job);
  return TRUE;
}

/* Values at deflected pixels, for the I/O threads that fill the map. */
typedef struct {
  ArmillaCatalogue *values; /* held once they are known */
  ArmillaGrid *grid;
  gint64 *before;           /* number of objects before each ring */
  int *spins;               /* of the fields of the map */
  int n_fields;
  gint refs;
} Back;

static void
back_unref (gpointer data)
{
  Back *self = data;

  if (!g_atomic_int_dec_and_test (&self->refs))
    return;
  g_clear_pointer (&self->values, armilla_catalogue_unref);
  armilla_grid_unref (self->grid);
  g_free (self->before);
  g_free (self->spins);
  g_free (self);
}

/* #ArmillaHostPiece */
static gboolean
take_values (gpointer user, ArmillaPiece *piece, GError **error)
{
  (void) error;
  ((Back *) user)->values = armilla_catalogue_ref (piece->catalogue);
  return TRUE;
}

/* #ArmillaHostPiece: turns the values of a field. */
static gboolean
fill_pixels (gpointer user, ArmillaPiece *piece, GError **error)
{
  const Back *self = user;
  const ArmillaCatalogueValue *turn = self->values->values;
  const ArmillaCatalogueValue *fields = turn + self->values->n_values - self->n_fields;
  const int spin = self->spins[piece->field];
  int first = 0; /* first field of the pair */

  (void) error;
  for (int f = 0; f <= piece->field; f += self->spins[f] > 0 ? 2 : 1)
    first = f;
  for (gint64 i = 0, ring = -1, end = -1, object = 0; i < piece->n; i++, object++)
    {
      if (piece->first + i >= end)
        {
          ring = armilla_grid_ring_of (self->grid, piece->first + i);
          object = self->before[ring] + piece->first + i - self->grid->rings[ring].offset;
          end = self->grid->rings[ring].offset + self->grid->rings[ring].n_phi;
        }
      if (turn[COSINE].value[object] == 0 && turn[SINE].value[object] == 0)
        piece->values[i] = ARMILLA_UNSEEN;
      else if (spin == 0)
        piece->values[i] = fields[piece->field].value[object];
      else
        {
          const double by[2] = { turn[COSINE].value[object], turn[SINE].value[object] };
          double q = fields[first].value[object], u = fields[first + 1].value[object];

          armilla_turn (by, spin, FALSE, &q, &u);
          piece->values[i] = piece->field == first ? q : u;
        }
    }
  return TRUE;
}

gboolean
armilla_graph_turn_back (ArmillaGraph *graph, ArmillaObjects *values, ArmillaMap *out,
                         GError **error)
{
  const int n_fields = armilla_map_n_fields (out);
  const int n_values = armilla_objects_like (values)->n_values;
  Back *self;

  if (n_values != ARMILLA_DEFLECT_COLUMNS + n_fields)
    return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                         "the objects have %d further columns; must have %d for a map of %d fields",
                         n_values, ARMILLA_DEFLECT_COLUMNS + n_fields, n_fields);
  self = g_new0 (Back, 1);
  self->refs = 2;
  self->grid = armilla_grid_ref (armilla_map_grid (out));
  self->before = count_before (self->grid);
  self->n_fields = n_fields;
  self->spins = g_memdup2 (armilla_map_spins (out), sizeof (int) * (gsize) n_fields);
  if (armilla_graph_drain (graph, ARMILLA_DATA (values), take_values, NULL, self, back_unref,
                           error))
    return armilla_graph_fill (graph, ARMILLA_DATA (out), fill_pixels, self, back_unref, error);
  back_unref (self);
  return FALSE;
}
