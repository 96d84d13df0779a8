/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bins of degrees, what spectra are for their coupling, and files of matrices. */
#include "core/files/output.h"
#include "core/spectra/degree-bins.h"
#include "core/spectra/spectrum-roles.h"
#include "core/tables/matrix-file.h"

#include <glib/gstdio.h>
#include <string.h>

static void
test_bins (void)
{
  const gint64 edges[] = { 1, 2, 5, 10 };
  double cl[11], out[3];

  for (int modes = 0; modes < 2; modes++)
    for (int dl = 0; dl < 2; dl++)
      {
        g_autoptr (GError) error = NULL;
        g_autoptr (ArmillaDegreeBins) bins
          = armilla_degree_bins_new (edges, 4, 10, (ArmillaDegreeWeights) modes, dl, &error);

        g_assert_no_error (error);
        g_assert_cmpint (bins->n, ==, 3);
        for (int l = 0; l <= 10; l++)
          cl[l] = 1.0 / (l + 1);
        armilla_degree_bins_average (bins, cl, out);
        for (int b = 0; b < 3; b++)
          {
            long double sum = 0, weights = 0, mean = 0;

            g_assert_cmpint (bins->first[b], ==, edges[b]);
            g_assert_cmpint (bins->last[b], ==, edges[b + 1] - 1);
            for (gint64 l = edges[b]; l < edges[b + 1]; l++)
              {
                const long double w = modes ? 2 * l + 1 : 1;

                weights += w;
                mean += w * l;
                sum += w * cl[l] * (dl ? l * (l + 1) / (2 * (long double) G_PI) : 1);
              }
            g_assert_cmpfloat_with_epsilon (out[b], (double) (sum / weights), 1e-15);
            g_assert_cmpfloat_with_epsilon (bins->effective[b], (double) (mean / weights), 1e-14);
          }
        g_assert_cmpfloat (bins->weights[0], ==, 0);
        g_assert_cmpfloat (bins->weights[10], ==, 0);
      }
}

static void
test_wrong_bins (void)
{
  static const struct {
    gint64 edges[3];
    gint64 n;
    gboolean dl;
    const char *says;
  } cases[] = {
    { { 2, 0, 0 }, 1, FALSE, "a bin needs two" },
    { { 5, 5, 9 }, 3, FALSE, "must increase" },
    { { 5, 9, 7 }, 3, FALSE, "7 comes after 9" },
    { { -1, 4, 9 }, 3, FALSE, "below 0" },
    { { 0, 4, 9 }, 3, TRUE, "the first bin must begin at l = 1" },
    { { 2, 4, 12 }, 3, FALSE, "ends at l = 11, beyond the highest multipole of the spectra, 10" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (armilla_degree_bins_new (cases[i].edges, cases[i].n, 10,
                                              ARMILLA_DEGREE_WEIGHTS_UNIFORM, cases[i].dl,
                                              &error));
      g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE);
      g_assert_nonnull (strstr (error->message, cases[i].says));
    }
}

/* Names of spectra, and for each what it is, with its partner. */
static void
test_roles (void)
{
  static const struct {
    const char *names[7];
    gboolean exchanged;
    ArmillaPure pure;
    const char *expected, *windows;
  } cases[] = {
    { { "TEMPERATURE", "GRADIENT", "CURL", "G-T", "C-G", "C-T" }, FALSE,
      ARMILLA_PURE_NONE, "TT1+0-1 EE4+12 BB4+11 TE2+0-1 EB4-1-1 TB2+0-1 ",
      "TT of TT,EE of EE,EE of BB,BB of BB,BB of EE,TE of TE,EB of EB,TB of TB" },
    { { "EE", "BB", "EB" }, TRUE, ARMILLA_PURE_NONE, "EE4+11 BB4+10 EB4-13 BE4-12 ",
      "EE of EE,EE of BB,BB of BB,BB of EE,EB of EB,EB of BE,BE of BE,BE of EB" },
    { { "KK", "-", "KE" }, TRUE, ARMILLA_PURE_B, "KK1+0-1 KE2+0-1 EK2+0-1 ",
      "KK of KK,KE of KE,EK of EK" },
    { { "EE", "BB", "EB", "TB" }, FALSE, ARMILLA_PURE_B, "EE4+11 BB64+0-1 EB32+0-1 TB16+0-1 ",
      "EE of EE,EE of BB,BB of BB,EB of EB,TB of TB" },
    { { "BB" }, FALSE, ARMILLA_PURE_B, "BB64+0-1 ", "BB of BB" },
    { { "EE", "EB", "TE" }, TRUE, ARMILLA_PURE_EB,
      "EE64+0-1 EB64+0-1 TE16+0-1 BE64+0-1 ET16+0-1 ",
      "EE of EE,EB of EB,TE of TE,BE of BE,ET of ET" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      const char *const *names = cases[i].names;
      g_autoptr (GArray) roles
        = armilla_spectra_roles (names, (int) g_strv_length ((char **) names),
                                 cases[i].exchanged, cases[i].pure, &error);
      g_autoptr (GString) found = g_string_new (NULL);
      g_auto (GStrv) windows = NULL;
      g_autofree char *joined = NULL;

      g_assert_no_error (error);
      for (guint k = 0; k < roles->len; k++)
        {
          const ArmillaSpectrum *one = &g_array_index (roles, ArmillaSpectrum, k);

          g_string_append_printf (found, "%s%d%+d%d ", one->name, (int) one->own, one->mixed,
                                  one->partner);
        }
      g_assert_cmpstr (found->str, ==, cases[i].expected);
      windows = armilla_spectra_window_names (roles);
      joined = g_strjoinv (",", windows);
      g_assert_cmpstr (joined, ==, cases[i].windows);
    }
}

static void
test_wrong_names (void)
{
  static const struct {
    const char *names[4], *says;
  } cases[] = {
    { { "EE", "TT" }, "EE cannot be computed without BB" },
    { { "TT", "BB" }, "BB cannot be computed without EE" },
    { { "TT", "TT" }, "TT occurs twice" },
    { { "-", "-" }, "all of them are skipped" },
    { { "TT", "FIELD1xFIELD2" }, "'FIELD1xFIELD2' is not a pair of fields" },
    { { "T" }, "'T' is not a pair" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      const char *const *names = cases[i].names;

      g_assert_null (armilla_spectra_roles (names, (int) g_strv_length ((char **) names), FALSE,
                                            ARMILLA_PURE_NONE, &error));
      g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE);
      g_assert_nonnull (strstr (error->message, cases[i].says));
    }
}

/* By blocks in some order to a file, and by others from it. */
static void
test_file (void)
{
  g_autofree char *folder = g_dir_make_tmp ("armilla-matrix-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "matrix.fits", NULL);
  double rows[] = { 3.5, 7, 9.25 }, columns[] = { 0, 1, 2, 3, 4 }, values[2][3][5], got[2][2];
  const ArmillaMatrixAxis down = { (char *) "l", (char *) "", 3, rows };
  const ArmillaMatrixAxis across = { (char *) "theta", (char *) "deg", 5, columns };
  const char *const names[] = { "++", "it's" };
  g_autoptr (ArmillaMatrixHeader) header = armilla_matrix_header_new (&down, &across, names, 2);
  g_autoptr (GError) error = NULL;
  g_autoptr (ArmillaOutput) output = armilla_output_new (path, FALSE, &error);
  g_autoptr (ArmillaMatrixWriter) writer = NULL;
  g_autoptr (ArmillaMatrixReader) reader = NULL;
  const ArmillaMatrixHeader *read;

  g_assert_no_error (error);
  g_free (header->unit);
  header->unit = g_strdup ("uK^2");
  for (int i = 0; i < 30; i++)
    (&values[0][0][0])[i] = 1.0 / (i - 13.5);
  writer = armilla_matrix_writer_new (output, header, NULL, &error);
  g_assert_no_error (error);
  for (int f = 1; f >= 0; f--)
    {
      double right[9];

      for (int i = 0; i < 3; i++)
        memcpy (right + 3 * i, &values[f][i][2], sizeof (double) * 3);
      g_assert_true (armilla_matrix_writer_put (writer, f, 0, 3, 2, 3, right, &error));
      for (int i = 0; i < 3; i++)
        g_assert_true (armilla_matrix_writer_put (writer, f, i, 1, 0, 2, values[f][i], &error));
    }
  g_assert_true (armilla_matrix_writer_end (writer, &error));
  g_assert_true (armilla_output_finish (output, &error));
  g_assert_true (armilla_output_commit (output, &error));
  reader = armilla_matrix_reader_open (path, &error);
  g_assert_no_error (error);
  read = armilla_matrix_reader_header (reader);
  g_assert_cmpint (read->n_fields, ==, 2);
  g_assert_cmpstr (read->names[0], ==, "++");
  g_assert_cmpstr (read->names[1], ==, "it's");
  g_assert_cmpstr (read->unit, ==, "uK^2");
  g_assert_cmpstr (read->columns.label, ==, "theta");
  g_assert_cmpstr (read->columns.unit, ==, "deg");
  g_assert_cmpmem (read->rows.values, sizeof (double) * (gsize) read->rows.n, rows, sizeof rows);
  g_assert_cmpmem (read->columns.values, sizeof (double) * (gsize) read->columns.n, columns,
                   sizeof columns);
  g_assert_true (armilla_matrix_reader_get (reader, 1, 1, 2, 3, 2, &got[0][0], &error));
  for (int i = 0; i < 4; i++)
    g_assert_cmpfloat (got[i / 2][i % 2], ==, values[1][1 + i / 2][3 + i % 2]);
  g_assert_cmpint (g_remove (path), ==, 0);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/degree-bins/means", test_bins);
  g_test_add_func ("/degree-bins/wrong", test_wrong_bins);
  g_test_add_func ("/degree-bins/roles", test_roles);
  g_test_add_func ("/degree-bins/wrong-names", test_wrong_names);
  g_test_add_func ("/degree-bins/matrix-file", test_file);
  return g_test_run ();
}
