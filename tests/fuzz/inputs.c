/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/fuzz/inputs.h"

#include <armilla/table.h>
#include <glib/gstdio.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/printable.h"
#include "core/files/output.h"
#include "core/fits/fits.h"
#include "core/tables/table.h"
#include "plugins/builtin/builtin.h"
#include "tests/fuzz/cases.h"
#include "tests/fuzz/fits-mutate.h"
#include "workflows/file/load.h"
#include "workflows/program/commands.h"
#include "workflows/run/runner.h"

#define N_OBJECTS 20

const char fuzz_objects_text[]
  = "ra, dec, w, g1, g2, patch\n10, 20, 1, 0.1, 0.05, 0\n11.5, 21, 0.5, -0.02, 0.01, 1\n"
    "12, 19.25, 2, 0, 0.1, 0\n350, -89, 1, 0.2, 0, 2\n0, 90, 0, 0.1, 0.1, 1\n"
    "10, 20, 1, 0.1, 0.05, 0\n190, -20, 1, 0.3, -0.1, 2\n11, 20.5, 1.5, 0.01, 0.02, 1\n";
const char fuzz_cl_text[]
  = "# L TT EE BB TE\n0 1 0 0 0\n1 1 0 0 0\n2 1.5 2e-3 0 1e-3\n3 1.25 3D-3 0 2e-3\n"
    "4 1 4e-3 0 3e-3\n5 0.5 4e-3 1e-5 3e-3\n6 0.25 4e-3 1e-5 -3e-3\n7 0.1 4e-3 0 0\n8 0 0 0 0\n";
const char fuzz_profile_text[] = "0 1\n300 0.9\n600 0.5\n1200 0.1\n2400 0\n";

static double
value_of (int column, int i)
{
  switch (column)
    {
    case 0:
      return 17.0 * i;
    case 1:
      return 80 * sin (i);
    case 2:
      return 0.25 * (i % 5);
    case 5:
      return i % 3;
    default:
      return 0.1 * cos (column * i);
    }
}

GByteArray *
fuzz_objects_table (void)
{
  static const char *const names[] = { "RA", "DEC", "W", "G1", "G2", "PATCH" };
  g_autoptr (ArmillaTable) table = armilla_table_new ("OBJECTS", N_OBJECTS);
  static const char path[] = "objects.fits";
  g_autoptr (GError) error = NULL;
  g_autoptr (ArmillaOutput) output = armilla_output_new (path, TRUE, &error);
  char *text;
  gsize length;

  for (int c = 0; c < (int) G_N_ELEMENTS (names); c++)
    {
      ArmillaColumn *column = armilla_table_add (table, ARMILLA_COLUMN_DOUBLE, names[c],
                                                 c < 2 ? "deg" : "", "");

      for (int i = 0; i < N_OBJECTS; i++)
        column->doubles[i] = value_of (c, i);
    }
  if (output == NULL || !armilla_table_write (output, table, ARMILLA_TABLE_FITS, NULL, &error)
      || !armilla_output_finish (output, &error) || !armilla_output_commit (output, &error)
      || !g_file_get_contents (path, &text, &length, &error))
    g_error ("%s", error->message);
  g_remove (path);
  return g_byte_array_new_take ((guint8 *) text, length);
}

static void
put (const char *name, const void *bytes, gsize length)
{
  g_autofree char *path = g_build_filename (FUZZ_IN, name, NULL);

  if (!g_file_set_contents (path, bytes, (gssize) length, NULL))
    g_error ("cannot write %s", path);
}

/* What a file is, by who takes it. */
static const char *
kind_of (const char *path)
{
  g_autoptr (ArmillaMapReader) map = armilla_map_reader_open (path, 0, NULL);
  g_autoptr (ArmillaAlmReader) alm = map == NULL ? armilla_alm_reader_open (path, NULL) : NULL;

  return map != NULL ? "map" : alm != NULL ? "alm" : "cl";
}

void
fuzz_make_inputs (void)
{
  g_autoptr (GPtrArray) seeds = fits_seeds_new ();
  g_autoptr (GByteArray) objects = fuzz_objects_table ();
  g_autoptr (GHashTable) numbers = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < seeds->len; i++)
    {
      const GByteArray *seed = seeds->pdata[i];
      g_autofree char *name = NULL;
      const char *kind;
      int number;

      put ("seed", seed->data, seed->len);
      kind = kind_of (FUZZ_IN "/seed");
      number = GPOINTER_TO_INT (g_hash_table_lookup (numbers, kind));
      g_hash_table_insert (numbers, (gpointer) kind, GINT_TO_POINTER (number + 1));
      name = g_strdup_printf ("%s-%d.fits", kind, number);
      put (name, seed->data, seed->len);
    }
  g_remove (FUZZ_IN "/seed");
  put ("objects-0.fits", objects->data, objects->len);
  put ("objects-1.csv", fuzz_objects_text, strlen (fuzz_objects_text));
  put ("cl-text.txt", fuzz_cl_text, strlen (fuzz_cl_text));
  put ("profile-0.txt", fuzz_profile_text, strlen (fuzz_profile_text));
}

int
fuzz_compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

char *
fuzz_input (const char *kind, GRand *random)
{
  g_autoptr (GDir) dir = g_dir_open (FUZZ_IN, 0, NULL);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_prefix (name, kind))
      g_ptr_array_add (names, g_build_filename (FUZZ_IN, name, NULL));
  g_ptr_array_sort (names, fuzz_compare_names);
  return names->len == 0 ? g_strdup ("missing")
                         : g_strdup (names->pdata[fuzz_below (random, names->len)]);
}

ArmillaRegistry *
fuzz_registry (void)
{
  static ArmillaRegistry *registry;
  g_autoptr (GError) error = NULL;

  if (registry != NULL)
    return registry;
  registry = armilla_registry_new ();
  if (!armilla_registry_add_builtin (registry, &error)
      || !armilla_registry_load_folder (registry, g_getenv ("FUZZ_PLUGINS"), &error))
    g_error ("%s", error->message);
  return registry;
}

ArmillaWorkflow *
fuzz_load (const char *path)
{
  ArmillaOverrides overrides = { 0 };
  g_autoptr (ArmillaProblems) problems = armilla_problems_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  ArmillaWorkflow *workflow;
  gsize length;

  text = armilla_workflow_read (path, &length, &error);
  if (text == NULL)
    {
      armilla_say (error);
      return NULL;
    }
  workflow = armilla_workflow_parse (path, text, length, &overrides, problems);
  if (armilla_workflow_validate (workflow, fuzz_registry (), problems))
    return workflow;
  g_free (text);
  text = armilla_problems_text (problems);
  error = g_error_new_literal (ARMILLA_ERROR, ARMILLA_ERROR_PARSE, text);
  armilla_say (error);
  armilla_workflow_free (workflow);
  return NULL;
}

static ArmillaRuntime *runtime;

void
fuzz_begin (void)
{
  g_autoptr (GError) error = NULL;

  g_setenv ("ARMILLA_MEMORY", "64 MiB", TRUE);
  fuzz_registry ();
  runtime = armilla_runtime_start (&error);
  if (runtime == NULL)
    g_error ("%s", error->message);
}

void
fuzz_end (void)
{
  armilla_runtime_stop (runtime);
}

int
fuzz_run_file (const char *path)
{
  ArmillaRunOptions options = { .silent = FALSE };
  g_autoptr (ArmillaWorkflow) workflow = fuzz_load (path);
  g_autoptr (GError) error = NULL;

  if (workflow == NULL)
    return ARMILLA_EXIT_USAGE;
  if (armilla_run (workflow, runtime, &options, &error))
    return ARMILLA_EXIT_DONE;
  armilla_say (error);
  return ARMILLA_EXIT_FAILED;
}

int
fuzz_plan_file (const char *path)
{
  ArmillaRunOptions options = { .silent = FALSE };
  g_autoptr (ArmillaWorkflow) workflow = fuzz_load (path);
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  if (workflow == NULL)
    return ARMILLA_EXIT_USAGE;
  text = armilla_plan (workflow, &options, &error);
  if (text != NULL)
    armilla_print (stdout, "%s", text);
  else
    armilla_say (error);
  return text != NULL ? ARMILLA_EXIT_DONE : ARMILLA_EXIT_FAILED;
}

int
fuzz_plan_text (const char *path, const char *text)
{
  if (!g_file_set_contents (path, text, -1, NULL))
    g_error ("cannot write %s", path);
  return fuzz_plan_file (path);
}
