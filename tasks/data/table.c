/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables are small and may hold texts, so they live on the host of rank 0; a tile of one number
 * stands for them in the graph, and brings the order of writing and reading. */
#include "config.h"

#include "core/spectra/spectrum-roles.h"
#include "core/tables/table.h"
#include "tasks/data/histogram-private.h"
#include "tasks/data/host-table.h"
#include "tasks/graph/jobs.h"

struct _ArmillaTableData {
  ArmillaData parent_instance;
  ArmillaTile token;
  ArmillaTable *table; /* on rank 0, from the step that makes it to the last reference */
};

G_DEFINE_FINAL_TYPE (ArmillaTableData, armilla_table_data, ARMILLA_TYPE_DATA)

static void
armilla_table_data_drop (ArmillaData *data)
{
  armilla_tile_drop (&ARMILLA_TABLE_DATA (data)->token);
}

static void
armilla_table_data_finalize (GObject *object)
{
  g_clear_pointer (&ARMILLA_TABLE_DATA (object)->table, armilla_table_free);
  G_OBJECT_CLASS (armilla_table_data_parent_class)->finalize (object);
}

static char *
armilla_table_data_describe (ArmillaData *data)
{
  (void) data;
  return g_strdup ("table");
}

static void
armilla_table_data_class_init (ArmillaTableDataClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = armilla_table_data_finalize;
  ARMILLA_DATA_CLASS (klass)->drop = armilla_table_data_drop;
  ARMILLA_DATA_CLASS (klass)->describe = armilla_table_data_describe;
}

static void
armilla_table_data_init (ArmillaTableData *self)
{
  (void) self;
}

ArmillaTableData *
armilla_table_data_new (void)
{
  return g_object_new (ARMILLA_TYPE_TABLE_DATA, NULL);
}

/**
 * armilla_cl_to_table:
 * @cl: spectra
 *
 * Returns: (transfer full): a table for them: a column l of multipoles, and one of zeros for each,
 *   which has its name, or CL, CL1, .. if it has none
 */
ArmillaTable *
armilla_cl_to_table (ArmillaCl *cl)
{
  ArmillaTable *table = armilla_table_new ("SPECTRA", armilla_cl_lmax (cl) + 1);
  ArmillaColumn *l = armilla_table_add (table, ARMILLA_COLUMN_INT64, "l", "", "multipole");

  for (gint64 r = 0; r < table->n_rows; r++)
    l->integers[r] = r;
  for (int f = 0; f < armilla_cl_n_fields (cl); f++)
    {
      g_autofree char *number = f > 0 ? g_strdup_printf ("CL%d", f) : g_strdup ("CL");
      const char *name = armilla_spectrum_pair (armilla_cl_names (cl)[f]);

      armilla_table_add (table, ARMILLA_COLUMN_DOUBLE, *name != '\0' ? name : number,
                         armilla_cl_unit (cl), "spectrum");
    }
  return table;
}

/* Returns whether the table of spectra has a name for each of them; ARMILLA_ERROR_VALUE
 * otherwise. */
gboolean
armilla_cl_check_columns (ArmillaCl *cl, GError **error)
{
  g_autoptr (ArmillaTable) table = armilla_cl_to_table (cl);

  if (armilla_table_check_columns (table, error))
    return TRUE;
  g_prefix_error (error, "input: ");
  return FALSE;
}

/* The tile that stands for a table, owned by rank 0. */
static const ArmillaTile *
token_of (ArmillaTableData *self, ArmillaGraph *graph, GError **error)
{
  if (!self->token.handle && !armilla_tile_new (graph, 0, 1, &self->token, error))
    return NULL;
  return &self->token;
}

/* What a host step holds: the data, alive until the step is done, and what the caller gave. */
typedef struct {
  ArmillaTableData *data; /* (nullable) */
  ArmillaTableData *from[ARMILLA_JOB_INPUTS]; /* of convert */
  ArmillaHostMakeTable make;
  ArmillaHostConvertTable convert;
  ArmillaHostTable take;
  ArmillaHostReadNumbers read;
  gpointer user;
  GDestroyNotify destroy;
  int n_words;
} Step;

static void
step_free (gpointer pointer)
{
  Step *step = pointer;

  if (step->destroy)
    step->destroy (step->user);
  for (int i = 0; i < step->n_words; i++)
    g_clear_object (&step->from[i]);
  g_clear_object (&step->data);
  g_free (step);
}

static gboolean
make_step (gpointer user, double *const *buffers, GError **error)
{
  const gint64 *words[ARMILLA_JOB_INPUTS];
  const ArmillaTable *tables[ARMILLA_JOB_INPUTS];
  Step *step = user;
  ArmillaTable *table;

  for (int i = 0; i < step->n_words; i++)
    {
      words[i] = (const gint64 *) (gconstpointer) buffers[1 + i];
      tables[i] = step->convert ? step->from[i]->table : NULL;
    }
  table = step->convert ? step->convert (step->user, tables, error)
                        : step->make (step->user, words, error);
  g_clear_pointer (&step->data->table, armilla_table_free);
  step->data->table = table;
  buffers[0][0] = 0;
  return table != NULL;
}

static gboolean
read_step (gpointer user, double *const *buffers, GError **error)
{
  const ArmillaTable *tables[ARMILLA_JOB_INPUTS];
  const Step *step = user;

  for (int i = 0; i < step->n_words; i++)
    tables[i] = step->from[i]->table;
  return step->read (step->user, tables, buffers[0], error);
}

static gboolean
take_step (gpointer user, double *const *buffers, GError **error)
{
  const Step *step = user;

  (void) buffers;
  return step->take (step->user, step->data->table, error);
}

/* Takes over @step. */
static gboolean
submit_make (ArmillaGraph *graph, const ArmillaTile *from, Step *step, GError **error)
{
  enum starpu_data_access_mode modes[1 + ARMILLA_JOB_INPUTS] = { STARPU_W };
  const ArmillaTile *token = token_of (step->data, graph, error);
  ArmillaTile tiles[1 + ARMILLA_JOB_INPUTS];

  if (!token)
    {
      step_free (step);
      return FALSE;
    }
  tiles[0] = *token;
  for (int i = 0; i < step->n_words; i++)
    {
      tiles[1 + i] = from[i];
      modes[1 + i] = STARPU_R;
    }
  return armilla_host_step (graph, 0, tiles, modes, 1 + step->n_words, make_step, step, step_free,
                            error);
}

static gboolean
run_make (ArmillaGraph *graph, ArmillaJob *job, GError **error)
{
  ArmillaTile tiles[ARMILLA_JOB_INPUTS];
  const Step *step = job->user;

  for (int i = 0; i < step->n_words; i++)
    {
      const ArmillaTile *tile
        = armilla_histogram_tile (ARMILLA_HISTOGRAM (job->in[i]), graph, error);

      if (!tile)
        return FALSE;
      tiles[i] = *tile;
    }
  return submit_make (graph, tiles, armilla_job_steal_user (job), error);
}

static gboolean
run_convert (ArmillaGraph *graph, ArmillaJob *job, GError **error)
{
  ArmillaTile tiles[ARMILLA_JOB_INPUTS];
  const Step *step = job->user;

  for (int i = 0; i < step->n_words; i++)
    {
      const ArmillaTile *token = token_of (step->from[i], graph, error);

      if (!token)
        return FALSE;
      tiles[i] = *token;
    }
  return submit_make (graph, tiles, armilla_job_steal_user (job), error);
}

static gboolean
run_read (ArmillaGraph *graph, ArmillaJob *job, GError **error)
{
  enum starpu_data_access_mode modes[1 + ARMILLA_JOB_INPUTS] = { STARPU_W };
  const ArmillaTile *tile = armilla_cl_tile (ARMILLA_CL (job->out), graph, error);
  ArmillaTile tiles[1 + ARMILLA_JOB_INPUTS];
  const Step *step = job->user;
  const int n = step->n_words;

  for (int i = 0; tile && i < n; i++)
    {
      tiles[i] = *tile;
      tile = token_of (step->from[i], graph, error);
      modes[1 + i] = STARPU_R;
    }
  if (!tile)
    return FALSE;
  tiles[n] = *tile;
  return armilla_host_step (graph, 0, tiles, modes, 1 + n, read_step,
                            armilla_job_steal_user (job), step_free, error);
}

static gboolean
run_take (ArmillaGraph *graph, ArmillaJob *job, GError **error)
{
  static const enum starpu_data_access_mode mode = STARPU_R;
  const ArmillaTile *token = token_of (ARMILLA_TABLE_DATA (job->in[0]), graph, error);

  return token
         && armilla_host_step (graph, 0, token, &mode, 1, take_step, armilla_job_steal_user (job),
                               step_free, error);
}

static Step *
step_new (ArmillaTableData *data, gpointer user, GDestroyNotify destroy)
{
  Step *step = g_new0 (Step, 1);

  step->data = data ? g_object_ref (data) : NULL;
  step->user = user;
  step->destroy = destroy;
  return step;
}

/**
 * armilla_host_table:
 * @graph: a graph
 * @tiles: (array length=n): what the table is made from; the step only reads them
 * @n: how many, at most 8
 * @make: called once, on rank 0, in an I/O thread, with the numbers of each tile
 * @user: for @make
 * @destroy: (nullable): frees @user, on every rank
 * @table: a table without a source; written
 * @error: return location
 *
 * Submits a step on the host of rank 0 that makes a table from tiles, as armilla_host_step() does
 * any other.
 *
 * Returns: whether it was submitted
 */
gboolean
armilla_host_table (ArmillaGraph *graph, const ArmillaTile *tiles, int n,
                    ArmillaHostMakeTable make, gpointer user, GDestroyNotify destroy,
                    ArmillaTableData *table, GError **error)
{
  Step *step = step_new (table, user, destroy);

  step->make = make;
  step->n_words = n;
  return submit_make (graph, tiles, step, error);
}

/**
 * armilla_graph_make_table:
 * @graph: a graph
 * @histograms: (array length=n) (nullable): what the table is made from
 * @n: how many, at most 8
 * @make: called once, on rank 0, when all histograms are there
 * @user: for @make
 * @destroy: (nullable): frees @user, on every rank
 * @table: a table without a source; written
 * @error: return location
 *
 * Makes @make the source of a table.
 *
 * Returns: %TRUE
 */
gboolean
armilla_graph_make_table (ArmillaGraph *graph, ArmillaHistogram *const *histograms, int n,
                          ArmillaHostMakeTable make, gpointer user, GDestroyNotify destroy,
                          ArmillaTableData *table, GError **error)
{
  Step *step = step_new (table, user, destroy);
  ArmillaJob job
    = { .run = run_make, .out = ARMILLA_DATA (table), .user = step, .destroy = step_free };

  (void) error;
  g_return_val_if_fail (n >= 0 && n <= ARMILLA_JOB_INPUTS, FALSE);
  step->make = make;
  step->n_words = n;
  for (int i = 0; i < n; i++)
    job.in[i] = ARMILLA_DATA (histograms[i]);
  armilla_graph_defer (graph, &job);
  return TRUE;
}

gboolean
armilla_graph_convert_table (ArmillaGraph *graph, ArmillaTableData *const *in, int n,
                             ArmillaHostConvertTable convert, gpointer user,
                             GDestroyNotify destroy, ArmillaTableData *out, GError **error)
{
  Step *step = step_new (out, user, destroy);
  ArmillaJob job
    = { .run = run_convert, .out = ARMILLA_DATA (out), .user = step, .destroy = step_free };

  (void) error;
  g_return_val_if_fail (n > 0 && n <= ARMILLA_JOB_INPUTS, FALSE);
  step->convert = convert;
  step->n_words = n;
  for (int i = 0; i < n; i++)
    {
      step->from[i] = g_object_ref (in[i]);
      job.in[i] = ARMILLA_DATA (in[i]);
    }
  armilla_graph_defer (graph, &job);
  return TRUE;
}

/**
 * armilla_graph_read_numbers:
 * @graph: a graph
 * @tables: (array length=n): tables
 * @n: how many, 1 to 8
 * @read: called once, on rank 0, when they are there
 * @user: for @read
 * @destroy: (nullable): frees @user, on every rank
 * @numbers: spectra without a source; written
 * @error: return location
 *
 * Asks for numbers that a function takes from tables, for tasks that need them.
 *
 * Returns: %TRUE
 */
gboolean
armilla_graph_read_numbers (ArmillaGraph *graph, ArmillaTableData *const *tables, int n,
                            ArmillaHostReadNumbers read, gpointer user, GDestroyNotify destroy,
                            ArmillaCl *numbers, GError **error)
{
  Step *step = step_new (NULL, user, destroy);
  ArmillaJob job
    = { .run = run_read, .out = ARMILLA_DATA (numbers), .user = step, .destroy = step_free };

  (void) error;
  g_return_val_if_fail (n > 0 && n <= ARMILLA_JOB_INPUTS, FALSE);
  step->read = read;
  step->n_words = n;
  for (int i = 0; i < n; i++)
    {
      step->from[i] = g_object_ref (tables[i]);
      job.in[i] = ARMILLA_DATA (tables[i]);
    }
  armilla_graph_defer (graph, &job);
  return TRUE;
}

gboolean
armilla_graph_drain_table (ArmillaGraph *graph, ArmillaTableData *table, ArmillaHostTable take,
                           gpointer user, GDestroyNotify destroy, GError **error)
{
  Step *step = step_new (table, user, destroy);
  ArmillaJob job
    = { .run = run_take, .in = { ARMILLA_DATA (table) }, .user = step, .destroy = step_free };

  (void) error;
  step->take = take;
  armilla_graph_defer (graph, &job);
  return TRUE;
}
