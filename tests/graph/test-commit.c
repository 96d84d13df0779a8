/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Many files that get their names in groups, from several threads. */
#include <armilla/armilla.h>

#include <glib/gstdio.h>
#include <string.h>

#include "tasks/graph/graph.h"
#include "tests/lib/runtime-helpers.h"

#define THREADS 6
#define EACH 60

/* What a thread writes: EACH files in @folder. */
typedef struct {
  ArmillaGraph *graph;
  ArmillaFault *fault;
  const char *folder;
  int number;
} Writer;

static char *
path_of (const char *folder, int number)
{
  g_autofree char *name = g_strdup_printf (number % 7 ? "%d" : "%d.gz", number);

  return g_build_filename (folder, name, NULL);
}

static ArmillaOutput *
new_output (const char *path, const char *text)
{
  ArmillaOutput *output = armilla_output_new (path, FALSE, NULL);
  FILE *file;

  g_assert_nonnull (output);
  file = fopen (armilla_output_temporary (output), "wb");
  g_assert_nonnull (file);
  g_assert_cmpint (fputs (text, file), >=, 0);
  g_assert_cmpint (fclose (file), ==, 0);
  return output;
}

static gpointer
write_files (gpointer user)
{
  const Writer *w = user;

  for (int i = w->number * EACH; i < (w->number + 1) * EACH; i++)
    {
      g_autofree char *path = path_of (w->folder, i);

      g_assert_true (armilla_graph_commit (w->graph, w->fault, new_output (path, path), NULL));
    }
  return NULL;
}

static void
write_all (ArmillaGraph *graph, const char *folder)
{
  GThread *threads[THREADS];
  Writer writers[THREADS];

  armilla_graph_set_label (graph, "out", "write-cl", 0);
  for (int t = 0; t < THREADS; t++)
    {
      writers[t] = (Writer) { graph, armilla_graph_fault (graph), folder, t };
      threads[t] = g_thread_new ("write", write_files, &writers[t]);
    }
  for (int t = 0; t < THREADS; t++)
    g_thread_join (threads[t]);
}

/* What is in them, and removes them. */
static int
count_files (const char *folder)
{
  int n = 0;

  for (int i = 0; i < THREADS * EACH; i++)
    {
      g_autofree char *path = path_of (folder, i), *text = NULL;

      if (!g_file_get_contents (path, &text, NULL, NULL))
        continue;
      g_assert_true (g_str_has_suffix (path, ".gz") || strcmp (text, path) == 0);
      g_unlink (path);
      n++;
    }
  return n;
}

static void
test_all (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ArmillaGraph) graph = armilla_graph_new (runtime, NULL, &error);
  g_autofree char *folder = g_dir_make_tmp ("armilla-XXXXXX", NULL);

  write_all (graph, folder);
  g_assert_true (armilla_graph_wait (graph, &error));
  g_assert_no_error (error);
  g_assert_cmpint (count_files (folder), ==, THREADS * EACH);
  g_assert_cmpint (g_rmdir (folder), ==, 0); /* no temporary file */
}

/* Another process takes the name of one of them; then none of the others is committed. */
static void
test_taken (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ArmillaGraph) graph = armilla_graph_new (runtime, NULL, &error);
  g_autofree char *folder = g_dir_make_tmp ("armilla-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "mine", NULL);
  ArmillaOutput *output = new_output (path, "ours");

  g_assert_true (g_file_set_contents (path, "theirs", -1, NULL));
  armilla_graph_set_label (graph, "first", "write-cl", 3);
  g_assert_true (armilla_graph_commit (graph, armilla_graph_fault (graph), output, NULL));
  g_assert_true (armilla_graph_failed (graph));
  write_all (graph, folder);
  g_assert_false (armilla_graph_wait (graph, &error));
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_IO);
  g_assert_nonnull (strstr (error->message, "exists already"));
  g_assert_cmpint (count_files (folder), ==, 0);
  g_unlink (path);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

int
main (int argc, char *argv[])
{
  start_tests (&argc, &argv);
  g_test_add_func ("/commit/all", test_all);
  g_test_add_func ("/commit/taken", test_taken);
  return run_tests ();
}
