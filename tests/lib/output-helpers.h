/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A folder with the name of an output, for the tests of outputs. */
#pragma once

#include <armilla/output.h>

#include <glib/gstdio.h>
#include <stdio.h>

typedef struct {
  char *folder;
  char *file; /* final name, not there yet */
} Fixture;

static inline void
fixture_init (Fixture *fixture, gconstpointer name)
{
  fixture->folder = g_dir_make_tmp ("armilla-output-XXXXXX", NULL);
  g_assert_nonnull (fixture->folder);
  fixture->file = g_build_filename (fixture->folder, name, NULL);
}

/* Every test removes what it put there; what is left would be a temporary file. */
static inline void
tear_down (Fixture *fixture, gconstpointer name)
{
  (void) name;
  g_unlink (fixture->file);
  g_assert_cmpint (g_rmdir (fixture->folder), ==, 0);
  g_free (fixture->folder);
  g_free (fixture->file);
}

/* Not g_file_set_contents (), which makes a temporary file of its own. */
static inline void
put (const char *path, const char *text)
{
  FILE *file = g_fopen (path, "wb");

  g_assert_nonnull (file);
  g_assert_cmpint (fputs (text, file), >=, 0);
  g_assert_cmpint (fclose (file), ==, 0);
}

static inline void
assert_holds (const char *path, const char *text)
{
  g_autofree char *found = NULL;

  g_assert_true (g_file_get_contents (path, &found, NULL, NULL));
  g_assert_cmpstr (found, ==, text);
}

static inline ArmillaOutput *
output_new (const char *path, gboolean overwrite)
{
  g_autoptr (GError) error = NULL;
  ArmillaOutput *output = armilla_output_new (path, overwrite, &error);

  g_assert_no_error (error);
  return output;
}
