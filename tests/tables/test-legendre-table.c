/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Table files: what is written is read; what is damaged, torn or for another grid is found. */
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <armilla/error.h>

#include "core/tables/legendre-table.h"

#define MMAX 6

typedef struct {
  char *folder, *path, *part;
  ArmillaLegendreKey key;
  ArmillaLegendreSpeed speed;
} Fixture;

static void
set_up (Fixture *f, gconstpointer data)
{
  const ArmillaAlmLayout layout = { 8, MMAX };
  g_autoptr (ArmillaGrid) grid = armilla_grid_new_healpix (4, NULL);

  (void) data;
  f->folder = g_dir_make_tmp ("armilla-table-XXXXXX", NULL);
  f->path = g_build_filename (f->folder, "table", NULL);
  f->part = g_strconcat (f->path, ".part", NULL);
  armilla_legendre_key_init (&f->key, grid, layout, 1e-8);
  f->speed = (ArmillaLegendreSpeed) { 1, 2, 3, 4, 5 };
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  (void) data;
  g_unlink (f->path);
  g_unlink (f->part);
  g_assert_cmpint (g_rmdir (f->folder), ==, 0);
  g_free (f->folder);
  g_free (f->path);
  g_free (f->part);
}

/* The words of an order: some orders have none. */
static gint64
order_words (gint64 m, double *words)
{
  const gint64 n = m == 4 ? 0 : 100 + 37 * m;

  for (gint64 i = 0; i < n; i++)
    words[i] = (double) (1000 * m + i) + 0.25;
  return n;
}

static gboolean
add_order (ArmillaLegendreWriter *writer, gint64 m, GError **error)
{
  double words[512];
  const gint64 n = order_words (m, words);

  return armilla_legendre_writer_add (writer, m, words, 8 * n, 10 * m, 20 * m, 0.5, error);
}

static ArmillaLegendreWriter *
begin (Fixture *f, gint64 *next)
{
  GError *error = NULL;
  ArmillaLegendreWriter *writer
    = armilla_legendre_writer_new (f->path, &f->key, &f->speed, next, &error);

  g_assert_no_error (error);
  return writer;
}

/* Makes what is missing of the table. Returns the first order that was. */
static gint64
write_table (Fixture *f)
{
  gint64 first;
  g_autoptr (ArmillaLegendreWriter) writer = begin (f, &first);
  GError *error = NULL;

  for (gint64 m = first; m <= MMAX; m++)
    {
      add_order (writer, m, &error);
      g_assert_no_error (error);
    }
  armilla_legendre_writer_finish (writer, &error);
  g_assert_no_error (error);
  g_assert_false (g_file_test (f->part, G_FILE_TEST_EXISTS));
  return first;
}

/* Returns whether the table can be opened and all its orders are as they were written. */
static gboolean
read_table (Fixture *f, GError **error)
{
  g_autoptr (ArmillaLegendreFile) file = armilla_legendre_file_open (f->path, error);

  if (!file)
    return FALSE;
  for (gint64 m = 0; m <= MMAX; m++)
    {
      const ArmillaLegendreEntry *entry = armilla_legendre_file_entry (file, m);
      const void *got = armilla_legendre_file_words (file, m);
      double words[512];
      const gint64 n = order_words (m, words);

      if (got && !armilla_legendre_file_verify (file, m, got, error))
        return FALSE;
      g_assert_cmpint (entry->size, ==, 8 * n);
      g_assert_cmpint (entry->elements, ==, 10 * m);
      g_assert_cmpint (entry->width, ==, 20 * m);
      if (n > 0)
        g_assert_cmpmem (got, entry->size, words, sizeof (double) * (gsize) n);
      else
        g_assert_null (got);
    }
  return TRUE;
}

static void
test_write_read (Fixture *f, gconstpointer data)
{
  g_autoptr (ArmillaLegendreFile) file = NULL;
  GError *error = NULL;

  (void) data;
  g_assert_cmpint (write_table (f), ==, 0);
  g_assert_true (read_table (f, &error));
  file = armilla_legendre_file_open (f->path, &error);
  g_assert_no_error (error);
  g_assert_true (armilla_legendre_file_fits (file, &f->key, &error));
  g_assert_cmpfloat (armilla_legendre_file_seconds (file), ==, 0.5 * (MMAX + 1));
  g_assert_cmpfloat (armilla_legendre_file_speed (file)->byte, ==, 4);
  /* A mapped table is aligned for vectors. */
  g_assert_cmpint ((gintptr) armilla_legendre_file_words (file, 3) % 64, ==, 0);
}

static void
set_byte (Fixture *f, gsize at, int value)
{
  FILE *file = g_fopen (f->path, "r+b");

  g_assert_nonnull (file);
  g_assert_cmpint (fseek (file, (long) at, SEEK_SET), ==, 0);
  g_assert_cmpint (fputc (value & 0xff, file), ==, value & 0xff);
  g_assert_cmpint (fclose (file), ==, 0);
}

/* A flipped bit anywhere is found, except in the padding between orders and before the first one,
 * where nothing is. */
static void
test_flipped_bits (Fixture *f, gconstpointer data)
{
  g_autofree char *whole = NULL;
  gsize size, n_found = 0, n_covered = 512 + 8;
  double words[512];

  (void) data;
  write_table (f);
  g_assert_true (g_file_get_contents (f->path, &whole, &size, NULL));
  n_covered += (MMAX + 1) * sizeof (ArmillaLegendreEntry);
  for (gint64 m = 0; m <= MMAX; m++)
    n_covered += 8 * (gsize) order_words (m, words);
  for (gsize byte = 0; byte < size; byte++)
    {
      g_autoptr (GError) error = NULL;

      set_byte (f, byte, whole[byte] ^ 1 << byte % 8);
      n_found += !read_table (f, &error);
      if (error)
        g_assert_nonnull (strstr (error->message, f->path));
      set_byte (f, byte, whole[byte]);
    }
  g_assert_cmpint (n_found, ==, n_covered);
}

static void
test_truncated (Fixture *f, gconstpointer data)
{
  g_autofree char *whole = NULL;
  gsize size;

  (void) data;
  write_table (f);
  g_assert_true (g_file_get_contents (f->path, &whole, &size, NULL));
  for (gsize n = 0; n < size; n += 97)
    {
      g_autoptr (GError) error = NULL;

      g_assert_true (g_file_set_contents (f->path, whole, (gssize) n, NULL));
      g_assert_false (read_table (f, &error));
      g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_IO);
    }
}

static void
test_other_grid (Fixture *f, gconstpointer data)
{
  const ArmillaAlmLayout layouts[] = { { 8, MMAX }, { 9, MMAX }, { 8, MMAX - 1 } };
  g_autoptr (ArmillaLegendreFile) file = NULL;
  GError *error = NULL;

  (void) data;
  write_table (f);
  file = armilla_legendre_file_open (f->path, &error);
  g_assert_no_error (error);
  for (int i = 0; i < 5; i++)
    {
      /* Another number of rings, as many rings elsewhere, another lmax, another mmax, closer */
      g_autoptr (ArmillaGrid) grid
        = i == 1 ? armilla_grid_new_gauss_legendre (15, 16, NULL)
                 : armilla_grid_new_healpix (i == 0 ? 5 : 4, NULL);
      g_autoptr (GError) refused = NULL;
      ArmillaLegendreKey key;

      armilla_legendre_key_init (&key, grid, layouts[i == 2 ? 1 : i == 3 ? 2 : 0],
                              i == 4 ? 1e-9 : 1e-8);
      g_assert_cmpint (armilla_legendre_file_key (file)->n_pairs, ==, 8);
      g_assert_false (armilla_legendre_file_fits (file, &key, &refused));
      g_assert_true (g_error_matches (refused, ARMILLA_ERROR,
                                      i == 4 ? ARMILLA_ERROR_VALUE : ARMILLA_ERROR_SHAPE));
      g_assert_nonnull (strstr (refused->message, f->path));
    }
}

static void
test_no_table (Fixture *f, gconstpointer data)
{
  char zeros[1000] = "SIMPLE  =                    T";
  g_autoptr (GError) missing = NULL, other = NULL, folder = NULL;

  (void) data;
  g_assert_false (read_table (f, &missing));
  g_assert_error (missing, ARMILLA_ERROR, ARMILLA_ERROR_IO);
  g_assert_nonnull (strstr (missing->message, "armilla precompute"));
  g_assert_true (g_file_set_contents (f->path, zeros, sizeof zeros, NULL));
  g_assert_false (read_table (f, &other));
  g_assert_nonnull (strstr (other->message, "not a Legendre table"));
  g_assert_null (armilla_legendre_file_open (f->folder, &folder));
  g_assert_error (folder, ARMILLA_ERROR, ARMILLA_ERROR_IO);
}

/* A process that is killed at any time: all its whole orders are taken over, nothing else. */
static void
test_killed (Fixture *f, gconstpointer data)
{
  (void) data;
  for (gint64 done = 0; done <= MMAX; done++)
    {
      g_autofree char *part = NULL;
      gsize size;
      int status;
      pid_t child = fork ();

      if (child == 0)
        {
          gint64 next;
          ArmillaLegendreWriter *writer = begin (f, &next);

          for (gint64 m = next; m < done; m++)
            if (!add_order (writer, m, NULL))
              _exit (1);
          raise (SIGKILL);
        }
      g_assert_cmpint (waitpid (child, &status, 0), ==, child);
      g_assert_true (WIFSIGNALED (status));
      g_assert_false (g_file_test (f->path, G_FILE_TEST_EXISTS));
      g_assert_true (g_file_get_contents (f->part, &part, &size, NULL));
      /* The last record is torn: not all of it has reached the disk. */
      if (done % 2 == 1)
        g_assert_true (g_file_set_contents (f->part, part, (gssize) size - 8, NULL));
      g_assert_cmpint (write_table (f), ==, done - done % 2);
      g_assert_true (read_table (f, NULL));
      g_unlink (f->path);
    }
}

/* A beginning that is damaged or for something else is not resumed. */
static void
test_bad_beginning (Fixture *f, gconstpointer data)
{
  g_autofree char *part = NULL;
  ArmillaLegendreWriter *writer;
  gint64 next;
  gsize size;

  (void) data;
  writer = begin (f, &next);
  for (gint64 m = 0; m < 3; m++)
    g_assert_true (add_order (writer, m, NULL));
  armilla_legendre_writer_free (writer);
  g_assert_true (g_file_get_contents (f->part, &part, &size, NULL));
  part[size - 100] ^= 1; /* in the last order */
  g_assert_true (g_file_set_contents (f->part, part, (gssize) size, NULL));
  armilla_legendre_writer_free (begin (f, &next));
  g_assert_cmpint (next, ==, 2);
  f->key.tolerance = 1e-9;
  armilla_legendre_writer_free (begin (f, &next));
  g_assert_cmpint (next, ==, 0);
}

static void
test_locked (Fixture *f, gconstpointer data)
{
  gint64 next;
  g_autoptr (ArmillaLegendreWriter) writer = begin (f, &next);
  g_autoptr (GError) error = NULL;

  (void) data;
  g_assert_null (armilla_legendre_writer_new (f->path, &f->key, &f->speed, &next, &error));
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_IO);
}

/* The disk is full after any number of bytes: there is an error and no table; with room again, what
 * was whole is kept. A limit on the size of files stands for the disk. */
static void
test_full_disk (Fixture *f, gconstpointer data)
{
  struct rlimit before, full;
  gint64 min_next = 0;

  (void) data;
  signal (SIGXFSZ, SIG_IGN);
  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &before), ==, 0);
  full = before;
  for (rlim_t limit = 4500; limit < 12000; limit += 700)
    {
      g_autoptr (ArmillaLegendreWriter) writer = NULL;
      g_autoptr (GError) error = NULL;
      gboolean ok = TRUE;
      gint64 next;

      full.rlim_cur = limit;
      g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &full), ==, 0);
      writer = armilla_legendre_writer_new (f->path, &f->key, &f->speed, &next, &error);
      for (gint64 m = writer ? next : 0; ok && writer && m <= MMAX; m++)
        ok = add_order (writer, m, &error);
      g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &before), ==, 0);
      g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_IO);
      g_assert_nonnull (strstr (error->message, f->part));
      g_assert_false (g_file_test (f->path, G_FILE_TEST_EXISTS));
      g_assert_cmpint (next, >=, min_next);
      min_next = next;
    }
  g_assert_cmpint (min_next, >, 1);
  g_assert_cmpint (write_table (f), >=, min_next);
  g_assert_true (read_table (f, NULL));
}

static void
test_no_folder (Fixture *f, gconstpointer data)
{
  g_autofree char *path = g_build_filename (f->folder, "missing", "table", NULL);
  g_autoptr (GError) error = NULL;
  gint64 next;

  (void) data;
  g_assert_null (armilla_legendre_writer_new (path, &f->key, &f->speed, &next, &error));
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_IO);
  g_assert_nonnull (strstr (error->message, "create the folder"));
}

#define ADD(name, function) \
  g_test_add ("/legendre-table/" name, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  ADD ("write-read", test_write_read);
  ADD ("flipped-bits", test_flipped_bits);
  ADD ("truncated", test_truncated);
  ADD ("other-grid", test_other_grid);
  ADD ("no-table", test_no_table);
  ADD ("killed", test_killed);
  ADD ("bad-beginning", test_bad_beginning);
  ADD ("locked", test_locked);
  ADD ("full-disk", test_full_disk);
  ADD ("no-folder", test_no_folder);
  return g_test_run ();
}
