/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads a file and writes it again: fits-copy map|alm|cl IN OUT [single] [nested] [partial].
 * tests/reference/fits-healpy.py gives it files of healpy's, and healpy its files. */

#include "core/files/output.h"
#include "core/fits/fits.h"
#include "core/spectra/cl-table.h"

#include <stdio.h>
#include <string.h>

static gboolean
has_word (char **words, const char *word)
{
  return g_strv_contains ((const char *const *) words, word);
}

static gboolean
copy_map (const char *in, ArmillaOutput *output, char **words, GError **error)
{
  g_autoptr (ArmillaMapReader) reader = armilla_map_reader_open (in, 0, error);
  g_autoptr (ArmillaMapWriter) writer = NULL;
  g_autofree double *pixels = NULL;
  ArmillaMapHeader header;

  if (reader == NULL)
    return FALSE;
  header = *armilla_map_reader_header (reader);
  header.single = has_word (words, "single");
  header.partial = has_word (words, "partial");
  header.order = has_word (words, "nested") ? ARMILLA_ORDER_NESTED : ARMILLA_ORDER_RING;
  writer = armilla_map_writer_open (output, &header, error);
  if (writer == NULL)
    return FALSE;
  pixels = g_new (double, header.grid->n_pixels);
  for (int i = 0; i < header.fields.n; i++)
    if (!armilla_map_reader_read (reader, i, 0, header.grid->n_pixels, pixels, error)
        || !armilla_map_writer_write (writer, i, 0, header.grid->n_pixels, pixels, error))
      return FALSE;
  return armilla_map_writer_close (writer, error);
}

typedef struct {
  ArmillaAlmLayout layout;
  double *values;
} Target;

static void
store (gpointer user, gint64 n, const gint64 *l, const gint64 *m, const double *values)
{
  Target *target = user;

  for (gint64 i = 0; i < n; i++)
    memcpy (target->values + 2 * armilla_alm_index (target->layout.lmax, l[i], m[i]),
            values + 2 * i, 2 * sizeof *values);
}

static gboolean
copy_alm (const char *in, ArmillaOutput *output, char **words, GError **error)
{
  g_autoptr (ArmillaAlmReader) reader = armilla_alm_reader_open (in, error);
  g_autoptr (ArmillaAlmWriter) writer = NULL;
  g_autofree double *values = NULL;
  Target target;
  gint64 n;

  if (reader == NULL)
    return FALSE;
  target.layout = armilla_alm_reader_header (reader)->layout;
  n = armilla_alm_count (target.layout);
  values = target.values = g_new0 (double, 2 * n);
  writer = armilla_alm_writer_open (output, target.layout,
                                    armilla_alm_reader_header (reader)->n_fields, NULL,
                                    NULL, NULL, has_word (words, "single"), NULL, error);
  if (writer == NULL)
    return FALSE;
  for (int i = 0; i < armilla_alm_reader_header (reader)->n_fields; i++)
    if (!armilla_alm_reader_visit (reader, i, store, &target, error)
        || !armilla_alm_writer_write (writer, i, 0, n, values, error))
      return FALSE;
  return armilla_alm_writer_close (writer, error);
}

static gboolean
copy_cl (const char *in, ArmillaOutput *output, GError **error)
{
  g_autoptr (ArmillaClTable) table = armilla_cl_read (in, error);

  return table != NULL && armilla_cl_write (output, table, NULL, error);
}

int
main (int argc, char *argv[])
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ArmillaOutput) output = NULL;
  gboolean ok;

  if (argc < 4)
    {
      fputs ("usage: fits-copy map|alm|cl IN OUT [single] [nested] [partial]\n", stderr);
      return 2;
    }
  output = armilla_output_new (argv[3], TRUE, &error);
  if (output == NULL)
    ok = FALSE;
  else if (strcmp (argv[1], "map") == 0)
    ok = copy_map (argv[2], output, argv + 4, &error);
  else if (strcmp (argv[1], "alm") == 0)
    ok = copy_alm (argv[2], output, argv + 4, &error);
  else
    ok = copy_cl (argv[2], output, &error);
  if (ok && armilla_output_finish (output, &error) && armilla_output_commit (output, &error))
    return 0;
  fprintf (stderr, "%s\n", error->message);
  return 1;
}
