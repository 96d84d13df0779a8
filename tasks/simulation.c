/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tasks/simulation.h"

#ifdef STARPU_SIMGRID

#include <glib/gstdio.h>
#include <sched.h>

#include "codelets/simulated-time.h"

#define NAME "armilla" /* of the machine, in the files that StarPU reads */
#define IO_THREADS 4

/* There is one simulated machine a process, as there is one StarPU. */
static struct {
  ArmillaNodeModel *node;
  char *folder; /* with the folder bus/ */
  starpu_sem_t io; /* I/O threads that have nothing to do */
} simulation;

typedef struct {
  void (*run) (gpointer);
  gpointer user;
} Job;

/* One line a memory node: the machine's memory, then that of each GPU. */
static char *
bus_matrix (int n_nodes, double value)
{
  GString *text = g_string_new ("# from the memory in the line to that in the column\n");

  for (int from = 0; from < STARPU_MAXNODES; from++)
    {
      for (int to = 0; to < STARPU_MAXNODES; to++)
        if (from >= n_nodes || to >= n_nodes)
          g_string_append_printf (text, "%snan", to > 0 ? "\t" : "");
        else
          g_string_append_printf (text, "%s%f", to > 0 ? "\t" : "", from == to ? 0 : value);
      g_string_append_c (text, '\n');
    }
  return g_string_free (text, FALSE);
}

static void
append_route (GString *text, const char *from, const char *to, const char *link)
{
  g_string_append_printf (text,
                          "<route src=\"%s\" dst=\"%s\" symmetrical=\"NO\"><link_ctn id=\"%s\"/>"
                          "</route>\n",
                          from, to, link);
}

static void
append_gpus (GString *text, int n, double device)
{
  for (int i = 0; i < n; i++)
    {
      g_autofree char *gpu = g_strdup_printf ("CUDA%d", i);
      g_autofree char *up = g_strdup_printf ("RAM-CUDA%d", i);
      g_autofree char *down = g_strdup_printf ("CUDA%d-RAM", i);

      g_string_append_printf (text,
                              "<link id=\"%s\" bandwidth=\"%.0fBps\" latency=\"10us\"/>\n"
                              "<link id=\"%s\" bandwidth=\"%.0fBps\" latency=\"10us\"/>\n",
                              up, device, down, device);
      append_route (text, "RAM", gpu, up);
      append_route (text, gpu, "RAM", down);
    }
}

static char *
platform (const ArmillaNodeModel *node)
{
  GString *text = g_string_new (
    "<?xml version='1.0'?>\n"
    "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n<platform version=\"4.1\">\n"
    "<config><prop id=\"network/TCP-gamma\" value=\"-1\"/>"
    "<prop id=\"network/latency-factor\" value=\"1\"/>"
    "<prop id=\"network/bandwidth-factor\" value=\"1\"/>"
    "<prop id=\"network/crosstraffic\" value=\"0\"/>"
    "<prop id=\"network/weight-S\" value=\"0.0\"/></config>\n"
    "<zone id=\"AS0\" routing=\"Full\">\n<host id=\"MAIN\" speed=\"1f\"/>\n"
    "<host id=\"RAM\" speed=\"1f\"/>\n");

  if (node->gpus) /* StarPU wants a core, even where it has no worker */
    g_string_append (text, "<host id=\"CPU0\" speed=\"2000000000f\"/>\n");
  for (int i = 0; i < node->workers; i++)
    if (node->gpus)
      g_string_append_printf (text,
                              "<host id=\"CUDA%d\" speed=\"2000000000f\"><prop id=\"model\" "
                              "value=\"%s\"/><prop id=\"memsize\" value=\"%.0f\"/></host>\n",
                              i, NAME, node->gpu_memory);
    else
      g_string_append_printf (text, "<host id=\"CPU%d\" speed=\"2000000000f\"/>\n", i);
  if (node->gpus)
    append_gpus (text, node->workers, node->device);
  g_string_append (text, "</zone>\n</platform>\n");
  return g_string_free (text, FALSE);
}

static gboolean
write_bus (const char *name, char *text, GError **error)
{
  g_autofree char *own = text;
  g_autofree char *path
    = g_strdup_printf ("%s/bus/%s.%s", simulation.folder, NAME, name);

  return g_file_set_contents (path, own, -1, error);
}

/* What StarPU would have measured. */
static gboolean
write_machine (const ArmillaNodeModel *node, GError **error)
{
  const int n_nodes = 1 + (node->gpus ? node->workers : 0);
  g_autofree char *bus = NULL;

  simulation.folder = g_dir_make_tmp ("armilla-simulation-XXXXXX", error);
  if (!simulation.folder)
    return FALSE;
  bus = g_build_filename (simulation.folder, "bus", NULL);
  if (g_mkdir (bus, 0700) != 0)
    {
      g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_IO, "%s cannot be made", bus);
      return FALSE;
    }
  return write_bus ("config", g_strdup ("# made by armilla\n"), error)
         && write_bus ("latency", bus_matrix (n_nodes, 10), error)
         && write_bus ("bandwidth", bus_matrix (n_nodes, 1e-6 * node->device), error)
         && write_bus ("platform.v4.xml", platform (node), error);
}

static void
set_number (const char *name, int n)
{
  g_autofree char *text = g_strdup_printf ("%d", n);

  g_setenv (name, text, TRUE);
}

/* Of all threads one runs at a time, and they take turns a hundred thousand times a second: ten
 * times as fast on one core as on several. */
static void
stay_on_one_core (void)
{
  int core = sched_getcpu ();
  cpu_set_t set;

  CPU_ZERO (&set);
  if (core < 0)
    return;
  CPU_SET (core, &set);
  if (sched_setaffinity (0, sizeof set, &set) != 0)
    g_debug ("the simulation is not bound to a core");
}

/**
 * armilla_simulation_start:
 * @error: return location
 *
 * Reads the file that ARMILLA_NODE names and lets StarPU, which does not run yet, simulate such a
 * machine; no other thread reads the environment yet.
 *
 * Returns: whether there is such a file; %ARMILLA_ERROR_NO_WORKER where ARMILLA_NODE is not set
 */
gboolean
armilla_simulation_start (GError **error)
{
  const char *path = g_getenv ("ARMILLA_NODE");

  if (!path)
    {
      g_set_error_literal (error, ARMILLA_ERROR, ARMILLA_ERROR_NO_WORKER,
                           "this StarPU simulates machines and has none of its own: ARMILLA_NODE "
                           "must name the file of one (doc/scaling.md)");
      return FALSE;
    }
  simulation.node = armilla_node_model_read (path, error);
  if (!simulation.node || !write_machine (simulation.node, error))
    {
      armilla_simulation_stop ();
      return FALSE;
    }
  armilla_simulated_time_set (simulation.node);
  stay_on_one_core ();
  g_setenv ("STARPU_PERF_MODEL_DIR", simulation.folder, TRUE);
  g_setenv ("STARPU_HOSTNAME", NAME, TRUE);
  set_number ("STARPU_NCPU", simulation.node->gpus ? 0 : simulation.node->workers);
  set_number ("STARPU_NCUDA", simulation.node->gpus ? simulation.node->workers : 0);
  return TRUE;
}

/**
 * armilla_simulation_begin:
 *
 * StarPU runs: tiles get addresses without memory.
 */
void
armilla_simulation_begin (void)
{
  for (unsigned node = 0; node < starpu_memory_nodes_get_count (); node++)
    starpu_malloc_on_node_set_default_flags (node, STARPU_MALLOC_PINNED | STARPU_MALLOC_COUNT
                                                     | STARPU_MALLOC_SIMULATION_FOLDED);
  starpu_sem_init (&simulation.io, 0, IO_THREADS);
}

/**
 * armilla_simulation_has_gpus:
 *
 * Returns: whether GPUs are simulated
 */
gboolean
armilla_simulation_has_gpus (void)
{
  return simulation.node->gpus;
}

static void *
run_io (void *data)
{
  Job *job = data;

  starpu_sem_wait (&simulation.io);
  job->run (job->user);
  starpu_sem_post (&simulation.io);
  g_free (job);
  return NULL;
}

/**
 * armilla_simulation_io:
 * @run: what to do
 * @user: for @run
 *
 * Runs @run in a simulated I/O thread, as soon as one has nothing else to do.
 */
void
armilla_simulation_io (void (*run) (gpointer), gpointer user)
{
  Job *job = g_new (Job, 1);
  starpu_pthread_t thread; /* goes when it ends; nobody joins it */

  *job = (Job) { run, user };
  starpu_pthread_create (&thread, NULL, run_io, job);
}

/**
 * armilla_simulation_host_step:
 * @stage: stage of a host step
 * @bytes: of its tiles
 * @error: return location
 *
 * Lets the time of a host step pass, in a simulated I/O thread.
 *
 * Returns: whether it is known; %ARMILLA_ERROR_UNKNOWN otherwise
 */
gboolean
armilla_simulation_host_step (const char *stage, double bytes, GError **error)
{
  double seconds;

  if (!armilla_node_model_seconds (simulation.node, ARMILLA_NODE_HOST, stage ? stage : "host", 0,
                                   bytes, &seconds, error))
    return FALSE;
  starpu_sleep ((float) seconds);
  return TRUE;
}

/* StarPU has made folders of its own beside ours. */
static void
remove_folder (const char *path)
{
  GDir *dir = g_dir_open (path, 0, NULL);
  const char *name;

  while (dir && (name = g_dir_read_name (dir)))
    {
      g_autofree char *inner = g_build_filename (path, name, NULL);

      if (g_file_test (inner, G_FILE_TEST_IS_DIR) && !g_file_test (inner, G_FILE_TEST_IS_SYMLINK))
        remove_folder (inner);
      else
        g_unlink (inner);
    }
  if (dir)
    g_dir_close (dir);
  g_rmdir (path);
}

/**
 * armilla_simulation_stop:
 *
 * StarPU is shut down, or was not started: forgets the machine.
 */
void
armilla_simulation_stop (void)
{
  if (simulation.folder)
    remove_folder (simulation.folder);
  g_clear_pointer (&simulation.folder, g_free);
  armilla_simulated_time_set (NULL);
  g_clear_pointer (&simulation.node, armilla_node_model_unref);
}

#endif
