/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gives damaged files to the readers that fuzz-fits, fuzz-trace and fuzz-workflow do not have:
 * catalogues as FITS tables and as text, spectra, kernels and weights, tables of Legendre matrices,
 * journals, traces, files of nodes, of tuning and of peaks, tables as FITS, CSV and ECSV, matrices,
 * and text of other programs to all readers of text; one in eight is compressed, and perhaps
 * damaged once more. One in four tables that are read is written in all formats and read again.
 * Case n has kind n % 15, or FUZZ_KIND. tests/fuzz/cases.h says how to repeat one. */
#include <armilla/armilla.h>
#include <armilla/matrix.h>
#include <glib/gstdio.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "codelets/peaks/node-model.h"
#include "core/base/printable.h"
#include "core/catalogues/catalogue.h"
#include "core/files/output.h"
#include "core/kernels/kernel.h"
#include "core/spectra/cl-table.h"
#include "core/tables/legendre-table.h"
#include "core/tables/matrix-file.h"
#include "core/tables/table.h"
#include "core/weights/weights.h"
#include "tasks/tuning/peaks-file.h"
#include "tasks/tuning/tuning.h"
#include "tests/fuzz/cases.h"
#include "tests/fuzz/fits-mutate.h"
#include "tests/fuzz/inputs.h"
#include "tests/fuzz/text-mutate.h"
#include "workflows/program/commands.h"
#include "workflows/resume/journal.h"
#include "workflows/trace/trace-reader.h"

#define FILE_NAME "case.file"
#define AGAIN "case.again"
#define MACHINE "A processor, portable, 3 cores"

typedef enum { OBJECTS_FITS, OBJECTS_TEXT, CL_TEXT, WEIGHTS, LEGENDRE, JOURNAL, TRACE, NODE, TUNING,
               TABLE_FITS, TABLE_CSV, TABLE_ECSV, MATRIX, TEXT, PEAKS, N_KINDS } Kind;
enum { TAKEN, REFUSED };

/* Of so many tables one is written. */
#define WRITES 4

static GByteArray *seeds[N_KINDS];
static gboolean writes; /* whether the case at hand is such a one */

static gboolean
read_objects (const char *const *columns, int n_patches, GError **error)
{
  ArmillaCatalogueColumns how = { .coordsys = 'C', .n_patches = n_patches };
  g_autoptr (ArmillaCatalogueReader) reader = NULL;
  g_autoptr (ArmillaCatalogue) catalogue = NULL;

  for (int i = 0; columns[i] != NULL; i++)
    how.column[i < 2 ? ARMILLA_ROLE_LONGITUDE + i : ARMILLA_ROLE_WEIGHT + i - 2] = columns[i];
  how.unit[0] = how.unit[1] = "deg";
  reader = armilla_catalogue_reader_open (FILE_NAME, -1, &how, error);
  catalogue = reader != NULL ? armilla_catalogue_reader_read (reader, error) : NULL;
  if (catalogue == NULL)
    return FALSE;
  for (gint64 i = 0; i < catalogue->n; i++)
    {
      double r = hypot (hypot (catalogue->x[i], catalogue->y[i]), catalogue->z[i]);

      if (!(fabs (r - 1) < 1e-12) || !(catalogue->weight[i] >= 0) || catalogue->patch[i] < 0
          || catalogue->patch[i] >= n_patches)
        g_error ("object %d is no object", (int) i);
    }
  return TRUE;
}

static gboolean
read_cl (GError **error)
{
  g_autoptr (ArmillaClTable) table = armilla_cl_read (FILE_NAME, error);
  g_autoptr (ArmillaKernel) kernel = NULL;

  if (table == NULL)
    return FALSE;
  /* as the profile of a kernel, which may be none */
  if (table->n_fields > 1 && table->lmax > 0)
    kernel = armilla_kernel_new_profile (table->values, table->values + table->lmax + 1,
                                         table->lmax + 1, NULL);
  return TRUE;
}

static gboolean
read_weights (GError **error)
{
  g_autofree double *weights = armilla_pixel_weights_read (FILE_NAME, 2, error);

  return weights != NULL;
}

static gboolean
read_legendre (GError **error)
{
  g_autoptr (ArmillaLegendreFile) file = armilla_legendre_file_open (FILE_NAME, error);

  for (gint64 m = 0; file != NULL && m <= armilla_legendre_file_key (file)->mmax; m++)
    if (!armilla_legendre_file_verify (file, m, armilla_legendre_file_words (file, m), error))
      return FALSE;
  return file != NULL;
}

static gboolean
read_journal (GError **error)
{
  g_autoptr (ArmillaJournal) journal = armilla_journal_open (FILE_NAME, error);

  if (journal == NULL)
    return FALSE;
  g_ptr_array_unref (armilla_journal_records (journal));
  armilla_journal_find (journal, "a.fits");
  return TRUE;
}

static gboolean
read_trace (GError **error)
{
  g_autoptr (ArmillaTraceFile) trace = armilla_trace_file_read (FILE_NAME, error);
  g_autofree char *table = trace != NULL ? armilla_trace_table (trace) : NULL;

  if (table != NULL)
    armilla_print (stdout, "%s", table);
  return trace != NULL;
}

static gboolean
read_node (GError **error)
{
  g_autoptr (ArmillaNodeModel) node = armilla_node_model_read (FILE_NAME, error);
  double seconds = 0;

  if (node == NULL)
    return FALSE;
  if (armilla_node_model_seconds (node, ARMILLA_NODE_CPU, "zero", 1e6, 1e6, &seconds, NULL)
      && !(seconds >= 0 && isfinite (seconds)))
    g_error ("a task takes %g s", seconds);
  return TRUE;
}

static gboolean
read_tuning (GError **error)
{
  g_autoptr (ArmillaTuning) tuning = NULL;
  g_autofree char *text = NULL;
  gsize n;

  if (!g_file_get_contents (FILE_NAME, &text, &n, NULL))
    g_error ("cannot read " FILE_NAME);
  tuning = armilla_tuning_parse (text, n, MACHINE, FILE_NAME, error);
  return tuning != NULL;
}

static void
check_table (const ArmillaTable *table)
{
  if (!g_utf8_validate (table->name, -1, NULL))
    g_error ("the name of the table is not UTF-8");
  for (int i = 0; i < table->n_columns; i++)
    {
      const ArmillaColumn *column = &table->columns[i];

      if (!g_utf8_validate (column->name, -1, NULL) || !g_utf8_validate (column->unit, -1, NULL)
          || !g_utf8_validate (column->blurb, -1, NULL))
        g_error ("column %d has words that are not UTF-8", i);
      for (gint64 row = 0; column->type == ARMILLA_COLUMN_STRING && row < table->n_rows; row++)
        if (!g_utf8_validate (column->strings[row], -1, NULL))
          g_error ("row %d of %s is not UTF-8", (int) row, column->name);
    }
  for (int i = 0; i < table->n_keys; i++)
    if (!g_utf8_validate (table->keys[i].keyword, -1, NULL)
        || (table->keys[i].text != NULL && !g_utf8_validate (table->keys[i].text, -1, NULL)))
      g_error ("key %d is not UTF-8", i);
}

/* What is written is read again, with the same rows and columns where the format says how. */
static void
write_and_read (const ArmillaTable *table, ArmillaTableFormat format)
{
  g_autoptr (ArmillaOutput) output = armilla_output_new (AGAIN, TRUE, NULL);
  g_autoptr (ArmillaTable) again = NULL;
  g_autoptr (GError) error = NULL;

  if (!armilla_table_write (output, table, format, NULL, &error))
    {
      armilla_say (error);
      return;
    }
  if (!armilla_output_finish (output, NULL) || !armilla_output_commit (output, NULL))
    g_error ("cannot write a table");
  again = armilla_table_read (AGAIN, -1, &error);
  g_remove (AGAIN);
  if (again == NULL && format != ARMILLA_TABLE_FITS && format != ARMILLA_TABLE_ECSV)
    return;
  if (again == NULL)
    g_error ("format %d is not read back: %s", format, error->message);
  check_table (again);
  if (format != ARMILLA_TABLE_FITS && format != ARMILLA_TABLE_ECSV)
    return;
  if (again->n_rows != table->n_rows || again->n_columns != table->n_columns)
    g_error ("format %d: %d rows of %d columns, not %d of %d", format, (int) again->n_rows,
             again->n_columns, (int) table->n_rows, table->n_columns);
  for (int i = 0; format == ARMILLA_TABLE_ECSV && i < table->n_keys; i++)
    {
      const ArmillaTableKey *key = &table->keys[i];
      const ArmillaTableKey *other = armilla_table_key (again, key->keyword);

      if (other == NULL || g_strcmp0 (key->text, other->text) != 0
          || key->integer != other->integer)
        g_error ("key \"%s\" is not read back", key->keyword);
    }
}

static gboolean
read_table (GError **error)
{
  g_autoptr (ArmillaTable) table = armilla_table_read (FILE_NAME, -1, error);

  if (table == NULL)
    return FALSE;
  check_table (table);
  for (int format = ARMILLA_TABLE_FITS; writes && format <= ARMILLA_TABLE_TEXT; format++)
    write_and_read (table, (ArmillaTableFormat) format);
  return TRUE;
}

/* With all readers of text. Returns whether one took it, the error is that of the last one. */
static gboolean
read_text (GError **error)
{
  static const char *const places[] = { "0", "1", NULL };
  static const char *const names[] = { "ra", "dec", NULL };
  gboolean taken = read_objects (places, 1, NULL);

  taken |= read_objects (names, 1, NULL);
  taken |= read_cl (NULL);
  taken |= read_table (error);
  if (taken)
    g_clear_error (error);
  return taken;
}

static gboolean
read_matrix (GError **error)
{
  g_autoptr (ArmillaMatrixReader) reader = armilla_matrix_reader_open (FILE_NAME, error);
  const ArmillaMatrixHeader *header;
  double values[9];

  if (reader == NULL)
    return FALSE;
  header = armilla_matrix_reader_header (reader);
  for (int field = 0; field < header->n_fields; field++)
    for (gint64 row = 0; row < header->rows.n; row += 3)
      if (!armilla_matrix_reader_get (reader, field, row, MIN (3, header->rows.n - row), 0,
                                      MIN (3, header->columns.n), values, error))
        return FALSE;
  return TRUE;
}

/* Its readers ignore what is damaged, and measure anew. */
static gboolean
read_peaks (GError **error)
{
  ArmillaPeaks peaks = { 0 };

  armilla_rates_read (FILE_NAME);
  if (!armilla_peaks_load (FILE_NAME, &peaks))
    return armilla_fail (error, ARMILLA_ERROR_PARSE, "it has no peaks");
  if (!(peaks.core_flops >= 1 && peaks.core_bytes >= 1 && peaks.gpu_flops >= 0))
    g_error ("peaks of 0");
  return TRUE;
}

static gboolean
read_kind (Kind kind, GError **error)
{
  static const char *const upper[] = { "RA", "DEC", "W", "G1", "G2", "PATCH", NULL };
  static const char *const lower[] = { "ra", "dec", "w", "g1", "g2", "patch", NULL };

  switch (kind)
    {
    case OBJECTS_FITS:
      return read_objects (upper, 3, error);
    case OBJECTS_TEXT:
      return read_objects (lower, 3, error);
    case CL_TEXT:
      return read_cl (error);
    case WEIGHTS:
      return read_weights (error);
    case LEGENDRE:
      return read_legendre (error);
    case JOURNAL:
      return read_journal (error);
    case TRACE:
      return read_trace (error);
    case NODE:
      return read_node (error);
    case TABLE_FITS:
    case TABLE_CSV:
    case TABLE_ECSV:
      return read_table (error);
    case MATRIX:
      return read_matrix (error);
    case TEXT:
      return read_text (error);
    case PEAKS:
      return read_peaks (error);
    default:
      return read_tuning (error);
    }
}

static void
take_file (Kind kind, const char *path)
{
  char *text;
  gsize n;

  if (!g_file_get_contents (path, &text, &n, NULL))
    g_error ("cannot read %s", path);
  seeds[kind] = g_byte_array_new_take ((guint8 *) text, n);
  g_remove (path);
}

static void
make_legendre (void)
{
  g_autoptr (ArmillaGrid) grid = armilla_grid_new_healpix (4, NULL);
  const ArmillaLegendreSpeed speed = { 1, 2, 3, 4, 5 };
  const double words[64] = { 1, 2, 3 };
  g_autoptr (ArmillaLegendreWriter) writer = NULL;
  ArmillaLegendreKey key;
  gint64 next = 0;

  armilla_legendre_key_init (&key, grid, (ArmillaAlmLayout) { 6, 4 }, 1e-8);
  writer = armilla_legendre_writer_new (FILE_NAME, &key, &speed, &next, NULL);
  for (gint64 m = 0; m <= 4; m++)
    armilla_legendre_writer_add (writer, m, words, 8 * (40 + m), 10, 20, 0.5, NULL);
  if (!armilla_legendre_writer_finish (writer, NULL))
    g_error ("cannot write a table");
  take_file (LEGENDRE, FILE_NAME);
}

static void
make_journal (void)
{
  g_autoptr (ArmillaJournal) journal = armilla_journal_open (FILE_NAME, NULL);
  ArmillaRecord record = { (char *) "a.fits", 0, (char *) "n", -1, (char *) "k", 9, 8,
                           (char *) "-" };

  for (int i = 0; i < 3; i++, record.path = (char *) "b\n.fits", record.index = i)
    if (!armilla_journal_add (journal, &record, NULL))
      g_error ("cannot write a journal");
  take_file (JOURNAL, FILE_NAME);
}

static void
make_tuning (void)
{
  static const ArmillaTuneClass klass = { "cpu", 64, 1, ARMILLA_TRANSFORMS_NONE };
  g_autoptr (ArmillaTuning) tuning = armilla_tuning_new ();
  ArmillaTuneChoice choice = { { 0 } };
  char *text;

  choice.value[ARMILLA_TUNE_RING_BLOCK] = 64;
  choice.value[ARMILLA_TUNE_M_BLOCKS] = 3;
  armilla_tuning_set (tuning, klass, &choice);
  text = armilla_tuning_to_text (tuning, MACHINE);
  seeds[TUNING] = g_byte_array_new_take ((guint8 *) text, strlen (text));
}

static void
take_text (Kind kind, const char *text)
{
  seeds[kind] = g_byte_array_new ();
  g_byte_array_append (seeds[kind], (const guint8 *) text, strlen (text));
}

/* The time is today's: what is a week old is not taken. */
static void
make_peaks (void)
{
  g_autofree char *text
    = g_strdup_printf ("[peaks]\nmeasured=%" G_GINT64_FORMAT "\ncore-flops=5e10\ncore-bytes=1e10\n"
                       "gpu-flops=0\ngpu-bytes=0\n[rates]\ndot=1;2.5;0;0;\n",
                       g_get_real_time () / G_USEC_PER_SEC);

  take_text (PEAKS, text);
}

/* A table of one column of as many rows as nside 2 has pixel weights. */
static GByteArray *
make_weights (void)
{
  g_autoptr (ArmillaTable) table
    = armilla_table_new ("WEIGHTS", armilla_pixel_weights_count (2));
  g_autoptr (ArmillaOutput) output = armilla_output_new ("weights.fits", TRUE, NULL);
  char *text;
  gsize n;

  armilla_table_add (table, ARMILLA_COLUMN_DOUBLE, "COMPRESSED PIXEL WEIGHTS", "", "");
  if (!armilla_table_write (output, table, ARMILLA_TABLE_FITS, NULL, NULL)
      || !armilla_output_finish (output, NULL) || !armilla_output_commit (output, NULL)
      || !g_file_get_contents ("weights.fits", &text, &n, NULL))
    g_error ("cannot write weights");
  g_remove ("weights.fits");
  return g_byte_array_new_take ((guint8 *) text, n);
}

/* Columns of all kinds. */
static void
make_table (Kind kind, ArmillaTableFormat format)
{
  g_autoptr (ArmillaTable) table = armilla_table_new ("THINGS", 5);
  g_autoptr (ArmillaOutput) output = armilla_output_new (FILE_NAME, TRUE, NULL);

  armilla_table_add (table, ARMILLA_COLUMN_INT64, "n", "", "a number");
  armilla_table_add (table, ARMILLA_COLUMN_INT128, "wide", "", "");
  armilla_table_add (table, ARMILLA_COLUMN_DOUBLE, "x", "K", "");
  armilla_table_add (table, ARMILLA_COLUMN_STRING, "name", "", "");
  for (int i = 0; i < 5; i++)
    {
      table->columns[0].integers[i] = i - 2;
      table->columns[1].wide[i] = (ArmillaInt128) i << 90;
      table->columns[2].doubles[i] = i == 3 ? NAN : 0.1 * i;
      table->columns[3].strings[i] = g_strdup (i == 2 ? "a \"b\", c" : i == 4 ? "" : "\316\261");
    }
  armilla_table_set_text (table, "COORDSYS", "G", "coordinates");
  if (!armilla_table_write (output, table, format, NULL, NULL)
      || !armilla_output_finish (output, NULL) || !armilla_output_commit (output, NULL))
    g_error ("cannot write a table");
  take_file (kind, FILE_NAME);
}

static void
make_matrix (void)
{
  double values[] = { 2, 3, 4, 5 };
  const ArmillaMatrixAxis axis = { (char *) "l", (char *) "", 4, values };
  const char *const names[] = { "TT", "EE" };
  g_autoptr (ArmillaMatrixHeader) header = armilla_matrix_header_new (&axis, &axis, names, 2);
  g_autoptr (ArmillaOutput) output = armilla_output_new (FILE_NAME, TRUE, NULL);
  g_autoptr (ArmillaMatrixWriter) writer = armilla_matrix_writer_new (output, header, NULL, NULL);

  for (int field = 0; field < 2; field++)
    for (gint64 row = 0; row < 4; row++)
      armilla_matrix_writer_put (writer, field, row, 1, 0, 4, values, NULL);
  if (!armilla_matrix_writer_end (writer, NULL) || !armilla_output_finish (output, NULL)
      || !armilla_output_commit (output, NULL))
    g_error ("cannot write matrices");
  take_file (MATRIX, FILE_NAME);
}

/* Checksums become comments, or hardly anything would get behind them. */
static void
drop_sums (GByteArray *bytes)
{
  for (guint i = 0; i + 80 <= bytes->len; i += 80)
    if (memcmp (bytes->data + i, "CHECKSUM", 8) == 0
        || memcmp (bytes->data + i, "DATASUM ", 8) == 0)
      memcpy (bytes->data + i, "COMMENT ", 8);
}

static gboolean
is_fits (Kind kind)
{
  return kind == OBJECTS_FITS || kind == WEIGHTS || kind == TABLE_FITS || kind == MATRIX;
}

static void
begin (void)
{
  seeds[OBJECTS_FITS] = fuzz_objects_table ();
  take_text (OBJECTS_TEXT, fuzz_objects_text);
  take_text (CL_TEXT, fuzz_cl_text);
  seeds[WEIGHTS] = make_weights ();
  make_legendre ();
  make_journal ();
  take_text (TRACE, fuzz_trace_text);
  take_text (NODE, fuzz_node_text);
  make_tuning ();
  make_table (TABLE_FITS, ARMILLA_TABLE_FITS);
  make_table (TABLE_CSV, ARMILLA_TABLE_CSV);
  make_table (TABLE_ECSV, ARMILLA_TABLE_ECSV);
  make_matrix ();
  take_text (TEXT, fuzz_text_seeds[0]);
  make_peaks ();
  for (int kind = 0; kind < N_KINDS; kind++)
    if (is_fits ((Kind) kind))
      drop_sums (seeds[kind]);
  for (int kind = 0; kind < N_KINDS; kind++)
    {
      g_autoptr (GError) error = NULL;

      if (!g_file_set_contents (FILE_NAME, (char *) seeds[kind]->data, seeds[kind]->len, NULL)
          || !read_kind (kind, &error))
        g_error ("kind %d: %s", kind, error != NULL ? error->message : "cannot write");
    }
}

/* (transfer full): half of them damaged */
static GByteArray *
compress (GByteArray *bytes, GRand *random)
{
  GByteArray *packed = fits_compress (bytes);

  g_byte_array_unref (bytes);
  if (fuzz_below (random, 2) == 0)
    packed->data[fuzz_below (random, packed->len)] ^= 1 << fuzz_below (random, 8);
  return packed;
}

static void
put (const GByteArray *bytes)
{
  FILE *file = g_fopen (FILE_NAME, "wb");

  if (file == NULL || fwrite (bytes->data, 1, bytes->len, file) != bytes->len || fclose (file) != 0)
    g_error ("cannot write " FILE_NAME);
}

/* A right file. */
static GByteArray *
make_file (Kind kind, GRand *random)
{
  const guint n_texts = g_strv_length ((char **) fuzz_text_seeds);
  const char *text = kind == TEXT ? fuzz_text_seeds[fuzz_below (random, n_texts)] : NULL;

  return g_byte_array_append (g_byte_array_new (),
                              text != NULL ? (const guint8 *) text : seeds[kind]->data,
                              text != NULL ? strlen (text) : seeds[kind]->len);
}

static char *
try_case (guint64 number, GRand *random)
{
  static const char *const tokens[]
    = { "ra", "patch", "\"ts\":", "\"pid\":7", "null", "\"dur\":-1", "[node]\n", "[cpu]\n",
        "# %ECSV 1.0\n", "# delimiter: ','\n", "#  datatype: ", "int64", "float64", "\"",
        ";", "\t", "\r", "#", "# - {", "}", "meta: !!omap\n", "\\x80",
        "\357\273\277", "nan", "1e400", "9223372036854775808", "workers = ",
        " Gflop/s", " us", "ring-block", "[", "cpu", "[[[[[[[[[[[[[[[[",
        "[rates]\n", "dot=", NULL };
  const char *only = g_getenv ("FUZZ_KIND");
  Kind kind = only != NULL ? (Kind) g_ascii_strtoull (only, NULL, 10) % N_KINDS
                           : (Kind) (number % N_KINDS);
  g_autoptr (GByteArray) bytes = make_file (kind, random);
  g_autoptr (GError) error = NULL;
  gboolean taken;

  for (guint32 n = fuzz_below (random, 6); n > 0 && bytes->len > 0; n--)
    if (is_fits (kind))
      fits_mutate (bytes, random);
    else
      text_mutate (bytes, random, tokens);
  if (fuzz_below (random, 8) == 0)
    bytes = compress (g_steal_pointer (&bytes), random);
  put (bytes);
  writes = number / N_KINDS % WRITES == 0;
  taken = read_kind (kind, &error);
  fuzz_add (taken ? TAKEN : REFUSED);
  if (taken != (error == NULL))
    return g_strdup ("refused without a word, or taken with one");
  /* what is wrong with a file of tuning is only told */
  if (!taken && error->domain != ARMILLA_ERROR && kind != TUNING)
    return g_strdup_printf ("the error is one of %s", g_quark_to_string (error->domain));
  if (error != NULL)
    armilla_say (error);
  return NULL;
}

static gboolean
keeps (const char *name)
{
  return strcmp (name, FILE_NAME) == 0;
}

int
main (void)
{
  static const FuzzCases cases = { .name = "files",
                                   .n = 30000,
                                   .batch = 30000,
                                   .seconds = 30,
                                   .begin = begin,
                                   .try_case = try_case,
                                   .keeps = keeps };
  int status;

  status = fuzz_run (&cases);
  printf ("# %" G_GUINT64_FORMAT " were read, %" G_GUINT64_FORMAT " refused\n", fuzz_count (TAKEN),
          fuzz_count (REFUSED));
  return status;
}
