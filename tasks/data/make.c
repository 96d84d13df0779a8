/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Host steps on rank 0 that compute data from others or only read them; and data that are filled
 * and read while the graph is submitted. */
#include "config.h"

#include "tasks/data/make.h"
#include "tasks/graph/jobs.h"
#include "tasks/graph/ledger.h"
#include "tasks/planning/forecast-private.h"

/* State of a step on the host. For inputs given as tiles (armilla_host_make()) the cut has no
 * verbs. */
typedef struct {
  /* division of inputs and output; n_tiles is 1 if the step gets a buffer for it, else 0 */
  ArmillaCut in[ARMILLA_JOB_INPUTS], out;
  int n;
  ArmillaHostMake make;
  ArmillaHostPiece on_piece; /* called for the only input or output, instead of @make */
  ArmillaHostDone done;      /* called after on_piece; may be NULL */
  gint64 n_objects;          /* number of objects of the catalogue that was created */
  gpointer user;
  GDestroyNotify destroy;
} Make;

/* Argument of make_output(). */
typedef struct {
  Make *make;
  const ArmillaPiece *in;
} Output;

static const ArmillaDataVerbs tile_verbs = { .pieces = armilla_whole_piece };

static Make *
make_new (int n, ArmillaHostMake make, gpointer user, GDestroyNotify destroy)
{
  Make *self = g_new0 (Make, 1);

  self->n = n;
  self->make = make;
  self->user = user;
  self->destroy = destroy;
  return self;
}

static void
make_free (gpointer pointer)
{
  Make *self = pointer;

  for (int i = 0; i < self->n; i++)
    armilla_cut_clear (&self->in[i]);
  armilla_cut_clear (&self->out);
  if (self->destroy)
    self->destroy (self->user);
  g_free (self);
}

static gboolean
keep_piece (gpointer user, ArmillaPiece *piece, GError **error)
{
  (void) error;
  *(ArmillaPiece *) user = *piece;
  return TRUE;
}

static gboolean
make_output (gpointer user, ArmillaPiece *piece, GError **error)
{
  const Output *output = user;
  Make *make = output->make;

  if (!(make->on_piece ? make->on_piece (make->user, piece, error)
                       : make->make (make->user, output->in, piece, error)))
    return FALSE;
  make->n_objects = piece->catalogue ? piece->catalogue->n : 0;
  return TRUE;
}

/* Runs the step, an #ArmillaHostStep: the buffers are the tile of the output, if it has one, and
 * those of the inputs. */
static gboolean
run_step (gpointer user, double *const *buffers, GError **error)
{
  Make *self = user;
  ArmillaPiece in[ARMILLA_JOB_INPUTS] = { { 0 } };
  Output output = { self, in };
  int b = self->out.n_tiles;

  for (int i = 0; i < self->n; i++)
    {
      const ArmillaCut *cut = &self->in[i];

      if (cut->verbs
          && !cut->verbs->pieces (cut, 0, cut->n_tiles > 0 ? buffers[b] : NULL, keep_piece, &in[i],
                                  error))
        return FALSE;
      b += cut->n_tiles;
    }
  if (self->on_piece && !self->out.verbs)
    return self->on_piece (self->user, &in[0], error)
           && (!self->done || self->done (self->user, error));
  if (!self->out.verbs)
    return self->make (self->user, in, NULL, error);
  return self->out.verbs->pieces (&self->out, 0, self->out.n_tiles > 0 ? buffers[0] : NULL,
                                  make_output, &output, error);
}

/* Submits the step and takes ownership of @self. @in: (nullable): the tile of each input */
static gboolean
submit (ArmillaGraph *graph, Make *self, const ArmillaTile *const *in, const ArmillaTile *out,
        GError **error)
{
  enum starpu_data_access_mode modes[1 + ARMILLA_JOB_INPUTS];
  ArmillaTile tiles[1 + ARMILLA_JOB_INPUTS];
  int n = 0;

  if (out)
    {
      tiles[n] = *out;
      modes[n++] = STARPU_W;
    }
  for (int i = 0; i < self->n; i++)
    if (in[i])
      {
        tiles[n] = *in[i];
        modes[n++] = STARPU_R;
      }
  return armilla_host_step (graph, 0, tiles, modes, n, run_step, self, make_free, error);
}

/* Returns whether the job is executed during submission, on every rank. */
static gboolean
is_everywhere (const ArmillaJob *job, int n)
{
  gboolean everywhere = FALSE;

  if (job->out)
    return armilla_data_verbs (job->out)->is_everywhere;
  for (int i = 0; i < n; i++)
    everywhere = everywhere || (job->in[i] && armilla_data_verbs (job->in[i])->is_everywhere);
  return everywhere;
}

static gboolean
find_cuts (ArmillaGraph *graph, const ArmillaJob *job, Make *self, GError **error)
{
  gboolean ok = TRUE;

  self->out.writes = TRUE;
  for (int i = 0; ok && i < self->n; i++)
    ok = !job->in[i] || armilla_data_cut (job->in[i], graph, &self->in[i], error);
  return ok && (!job->out || armilla_data_cut (job->out, graph, &self->out, error));
}

static gboolean
find_tile (ArmillaGraph *graph, ArmillaData *data, const ArmillaCut *cut, const ArmillaTile **tile,
           GError **error)
{
  if (cut->n_tiles == 0)
    return TRUE;
  *tile = armilla_data_tiles (data, graph, error);
  return *tile != NULL;
}

/* Executes a job during submission on every rank. If it fails on one rank (a missing file, too
 * little memory), it fails on all. */
static gboolean
run_everywhere (ArmillaGraph *graph, const ArmillaJob *job, Make *self, GError **error)
{
  const gint64 start = g_get_monotonic_time ();
  GError *local = NULL;
  double begin;

  find_cuts (graph, job, self, &local);
  begin = armilla_forecast_clock (graph);
  if (!local)
    run_step (self, NULL, &local);
  armilla_forecast_spend (graph, begin);
  if (!armilla_graph_agree (graph, local, error))
    return FALSE;
  if (!job->out)
    return TRUE;
  armilla_ledger_note_time (graph, job->label->node, start);
  armilla_ledger_note_objects (graph, job->label->node, self->n_objects);
  return TRUE;
}

static gboolean
run_make (ArmillaGraph *graph, ArmillaJob *job, GError **error)
{
  const ArmillaTile *in[ARMILLA_JOB_INPUTS] = { NULL }, *out = NULL;
  Make *self = job->user;
  gboolean ok;

  if (is_everywhere (job, self->n))
    return run_everywhere (graph, job, self, error);
  ok = find_cuts (graph, job, self, error)
       && (!job->out || find_tile (graph, job->out, &self->out, &out, error));
  for (int i = 0; ok && i < self->n; i++)
    ok = !job->in[i] || find_tile (graph, job->in[i], &self->in[i], &in[i], error);
  return ok && submit (graph, armilla_job_steal_user (job), in, out, error);
}

gboolean
armilla_graph_make (ArmillaGraph *graph, ArmillaData *const *in, int n, ArmillaData *out,
                    ArmillaHostMake make, gpointer user, GDestroyNotify destroy, GError **error)
{
  Make *self = make_new (MAX (n, 0), make, user, destroy);
  ArmillaJob job = { .run = run_make, .out = out, .user = self, .destroy = make_free };

  g_return_val_if_fail (!out || armilla_data_verbs (out)->is_whole, FALSE);
  if (n < 0 || n > ARMILLA_JOB_INPUTS)
    {
      self->n = 0;
      make_free (self);
      return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                           "%d inputs of one step; must be at most %d", n,
                           ARMILLA_JOB_INPUTS);
    }
  for (int i = 0; i < n; i++)
    {
      g_return_val_if_fail (!in[i] || armilla_data_verbs (in[i])->is_whole, FALSE);
      job.in[i] = in[i];
    }
  armilla_graph_defer (graph, &job);
  return TRUE;
}

/* Requests a call during submission, for data that every rank has: @in is passed to it, or it fills
 * @out. */
void
armilla_graph_visit (ArmillaGraph *graph, ArmillaData *in, ArmillaData *out,
                     ArmillaHostPiece on_piece, ArmillaHostDone done, gpointer user,
                     GDestroyNotify destroy)
{
  Make *self = make_new (in ? 1 : 0, NULL, user, destroy);
  const ArmillaJob job
    = { .run = run_make, .in = { in }, .out = out, .user = self, .destroy = make_free };

  self->on_piece = on_piece;
  self->done = graph->view.rank == 0 ? done : NULL;
  armilla_graph_defer (graph, &job);
}

/* Submits a step on the host of rank 0 that computes data from tiles, passed to it as pieces with
 * values and words. */
gboolean
armilla_host_make (ArmillaGraph *graph, const ArmillaTile *tiles, int n, ArmillaData *out,
                   ArmillaHostMake make, gpointer user, GDestroyNotify destroy, GError **error)
{
  const ArmillaTile *in[ARMILLA_JOB_INPUTS], *tile = NULL;
  Make *self = make_new (n, make, user, destroy);

  for (int i = 0; i < n; i++)
    {
      self->in[i] = (ArmillaCut) { .verbs = &tile_verbs, .n_tiles = 1, .n_rows = tiles[i].n };
      in[i] = &tiles[i];
    }
  self->out.writes = TRUE;
  if (armilla_data_cut (out, graph, &self->out, error)
      && find_tile (graph, out, &self->out, &tile, error))
    return submit (graph, self, in, tile, error);
  make_free (self);
  return FALSE;
}
