/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A program that is host to the library and knows its public headers alone:
 *
 *   guest alone|world|half TIMES FILE
 *
 * starts and stops it so often and computes the same map each time, whose bits go to FILE. "world"
 * is for ranks that start MPI themselves; of "half" one half of them each computes on a
 * communicator of its own, and writes FILE.0 or FILE.1. After each stop the process must be as it
 * was before. */
#include "config.h"

#include <armilla/armilla.h>

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#ifdef HAVE_MPI
# include <mpi.h>
#endif

#define NSIDE 16
#define LMAX 32
#define PATIENCE 500 /* hundredths of a second */

/* What belongs to the process. Threads and open files are counted: StarPU and hwloc keep some of
 * the first start, so counts are those after it. */
typedef struct {
  struct sigaction actions[NSIG];
  sigset_t blocked;
  int threads, files;
} Process;

static int messages;

static GLogWriterOutput
hear (GLogLevelFlags level, const GLogField *fields, gsize n_fields, gpointer user)
{
  (void) level;
  (void) fields;
  (void) n_fields;
  (void) user;
  messages++;
  return G_LOG_WRITER_HANDLED;
}

static int
count (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  int n = 0;

  while (dir && g_dir_read_name (dir))
    n++;
  return n;
}

static void
look (Process *process)
{
  memset (process, 0, sizeof *process);
  for (int i = 1; i < NSIG; i++)
    sigaction (i, NULL, &process->actions[i]);
  sigemptyset (&process->blocked);
  pthread_sigmask (SIG_SETMASK, NULL, &process->blocked);
  process->threads = count ("/proc/self/task");
  process->files = count ("/proc/self/fd");
}

/* Returns whether signals are as they were, and messages of GLib still come to this program. */
static gboolean
is_ours (const Process *before, const char *when)
{
  Process now;
  int heard = messages;

  look (&now);
  for (int i = 1; i < NSIG; i++)
    if (now.actions[i].sa_handler != before->actions[i].sa_handler
        || sigismember (&now.blocked, i) != sigismember (&before->blocked, i))
      {
        fprintf (stderr, "signal %d is not as it was %s\n", i, when);
        return FALSE;
      }
  g_message ("for this program");
  if (messages == heard + 1)
    return TRUE;
  fprintf (stderr, "the log writer is not ours %s\n", when);
  return FALSE;
}

/* Returns whether nothing of the library is left but what the first start has made once and for
 * all. */
static gboolean
is_gone (int time)
{
  static Process first;
  Process now;

  look (&now);
  if (time == 0)
    first = now;
  /* A thread is in /proc for a moment after it was joined. */
  for (int i = 0; i < PATIENCE && now.threads > first.threads; i++)
    {
      g_usleep (G_USEC_PER_SEC / 100);
      look (&now);
    }
  if (now.threads <= first.threads && now.files <= first.files)
    return TRUE;
  fprintf (stderr, "stopped %d times: %d threads and %d files, not %d and %d\n", time + 1,
           now.threads, now.files, first.threads, first.files);
  return FALSE;
}

static gboolean
fill (gpointer user, ArmillaPiece *piece, GError **error)
{
  (void) user;
  (void) error;
  for (gint64 m = piece->first; m <= piece->last; m++)
    for (gint64 l = m; l <= LMAX; l++, piece->values += 2)
      {
        piece->values[0] = 1.0 / (double) (1 + l + m);
        piece->values[1] = m > 0 ? 0.5 / (double) (1 + l) : 0;
      }
  return TRUE;
}

static gboolean
take (gpointer user, ArmillaPiece *piece, GError **error)
{
  (void) error;
  memcpy ((double *) user + piece->first, piece->values, sizeof (double) * (gsize) piece->n);
  return TRUE;
}

static gboolean
compute (ArmillaRuntime *runtime, ArmillaGrid *grid, double *pixels, GError **error)
{
  const ArmillaTilingOptions tiling = { 8, 3, ARMILLA_INTERPOLATION_AUTO };
  const ArmillaAlmLayout layout = { LMAX, LMAX };
  g_autoptr (ArmillaGraph) graph = armilla_graph_new (runtime, &tiling, error);
  g_autoptr (ArmillaAlm) alm = armilla_alm_new (layout, 1);
  g_autoptr (ArmillaMap) map = armilla_map_new (grid, 1);

  return graph && armilla_graph_fill (graph, ARMILLA_DATA (alm), fill, NULL, NULL, error)
         && armilla_graph_synthesis (graph, alm, map, error)
         && armilla_graph_drain (graph, ARMILLA_DATA (map), take, NULL, pixels, NULL, error)
         && armilla_graph_wait (graph, error);
}

/* One life of the library; FALSE where something was wrong, which it says. */
static gboolean
live (const ArmillaRuntimeOptions *options, const char *path, int time)
{
  g_autoptr (ArmillaGrid) grid = armilla_grid_new_healpix (NSIDE, NULL);
  g_autofree double *pixels = g_new0 (double, grid->n_pixels);
  const gsize size = sizeof (double) * (gsize) grid->n_pixels;
  g_autofree char *before = NULL;
  g_autoptr (GError) error = NULL;
  Process host;
  ArmillaRuntime *runtime;
  gboolean good = TRUE;
  gsize length = 0;

  look (&host);
  runtime = armilla_runtime_start_with (options, &error);
  if (runtime)
    {
      good = is_ours (&host, "while the library runs")
             && compute (runtime, grid, pixels, &error);
      if (good && armilla_runtime_rank (runtime) == 0)
        good = time == 0 ? g_file_set_contents (path, (char *) pixels, (gssize) size, &error)
                         : g_file_get_contents (path, &before, &length, &error);
      armilla_runtime_stop (runtime);
    }
  if (error)
    fprintf (stderr, "guest: %s\n", error->message);
  if (error || !good)
    return FALSE;
  if (before && (length != size || memcmp (before, pixels, size) != 0))
    {
      fprintf (stderr, "start %d computes something else\n", time + 1);
      return FALSE;
    }
  return is_ours (&host, "after the library was stopped") && is_gone (time);
}

#ifdef HAVE_MPI
/* MPI is this program's own: it begins before the library and ends after it. */
static gboolean
live_among_ranks (gboolean half, int times, const char *path)
{
  ArmillaRuntimeOptions options = { 0 };
  int provided, rank, n_ranks, good = TRUE;
  g_autofree char *own = NULL;
  MPI_Comm comm;

  MPI_Init_thread (NULL, NULL, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank (MPI_COMM_WORLD, &rank);
  MPI_Comm_size (MPI_COMM_WORLD, &n_ranks);
  MPI_Comm_split (MPI_COMM_WORLD, rank % 2, -rank, &comm);
  if (half)
    {
      options.communicator = &comm;
      own = g_strdup_printf ("%s.%d", path, rank % 2);
    }
  for (int i = 0; good && i < times; i++)
    {
      good = live (&options, half ? own : path, i);
      MPI_Allreduce (MPI_IN_PLACE, &good, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    }
  MPI_Comm_free (&comm); /* still the caller's */
  MPI_Finalize ();
  return good;
}
#endif

int
main (int argc, char *argv[])
{
  const ArmillaRuntimeOptions options = { 0 };
  gboolean good = TRUE;

  if (argc != 4)
    {
      fputs ("usage: guest alone|world|half TIMES FILE\n", stderr);
      return 2;
    }
  g_log_set_writer_func (hear, NULL, NULL);
  if (strcmp (argv[1], "alone") == 0)
    for (int i = 0; good && i < (int) g_ascii_strtoll (argv[2], NULL, 10); i++)
      good = live (&options, argv[3], i);
#ifdef HAVE_MPI
  else
    good = live_among_ranks (strcmp (argv[1], "half") == 0,
                             (int) g_ascii_strtoll (argv[2], NULL, 10), argv[3]);
#endif
  return good ? 0 : 1;
}
