/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that several processes write: here all of them are this one, which for files makes no
 * difference. */
#include "tests/lib/fits-fixture.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "core/files/output.h"
#include "core/fits/fits-source.h"
#include "core/grids/grid.h"

#define N_PARTS 3
#define BLOCK 100 /* values that go to one process after the other */

static GBytes *
offer (ArmillaOutput *output, gboolean named)
{
  g_autoptr (GError) error = NULL;
  GBytes *ticket = armilla_output_offer (output, named, &error);

  g_assert_no_error (error);
  g_assert_nonnull (ticket);
  return ticket;
}

static ArmillaOutput *
begin (const char *path)
{
  g_autoptr (GError) error = NULL;
  ArmillaOutput *output = armilla_output_new (path, TRUE, &error);

  g_assert_no_error (error);
  return output;
}

static guint
count_files (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  guint n = 0;

  while (g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

/* What a map or a_lm is written with. */
typedef struct {
  ArmillaOutput *output[N_PARTS];
  ArmillaMapWriter *map[N_PARTS];
  ArmillaAlmWriter *alm[N_PARTS];
} Parts;

static void
parts_open (Parts *parts, const char *path, gboolean named, const ArmillaMapHeader *header,
            ArmillaAlmLayout layout)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) ticket = NULL;

  memset (parts, 0, sizeof *parts);
  parts->output[0] = begin (path);
  ticket = offer (parts->output[0], named);
  for (int i = 1; i < N_PARTS; i++)
    {
      parts->output[i] = armilla_output_join (path, ticket, &error);
      g_assert_no_error (error);
      g_assert_true (armilla_output_is_joined (parts->output[i]));
    }
  g_assert_false (armilla_output_is_joined (parts->output[0]));
  /* The one that writes headers comes last: the others need not wait for it. */
  for (int i = N_PARTS - 1; i >= 0; i--)
    {
      if (header != NULL)
        parts->map[i] = armilla_map_writer_open (parts->output[i], header, &error);
      else
        parts->alm[i] = armilla_alm_writer_open (parts->output[i], layout, 2, NULL, NULL, NULL,
                                                 FALSE, NULL, &error);
      g_assert_no_error (error);
    }
}

static void
parts_write (Parts *parts, int part, int field, gint64 first, gint64 n, const double *values)
{
  g_autoptr (GError) error = NULL;

  if (parts->map[0] != NULL)
    armilla_map_writer_write (parts->map[part], field, first, n, values + first, &error);
  else
    armilla_alm_writer_write (parts->alm[part], field, first, n, values + 2 * first, &error);
  g_assert_no_error (error);
}

static gboolean
parts_join (Parts *parts, GError **error)
{
  gboolean ok = TRUE;

  for (int i = 0; ok && i < N_PARTS; i++)
    {
      g_autoptr (GByteArray) summary = g_byte_array_new ();

      if (parts->map[0] != NULL)
        ok = armilla_map_writer_end_part (parts->map[i], summary, error)
             && (i == 0
                 || armilla_map_writer_merge (parts->map[0], summary->data, summary->len, error));
      else
        ok = armilla_alm_writer_end_part (parts->alm[i], summary, error)
             && (i == 0
                 || armilla_alm_writer_merge (parts->alm[0], summary->data, summary->len, error));
    }
  if (ok)
    ok = parts->map[0] != NULL ? armilla_map_writer_close (parts->map[0], error)
                               : armilla_alm_writer_close (parts->alm[0], error);
  return ok;
}

static void
parts_clear (Parts *parts)
{
  for (int i = 0; i < N_PARTS; i++)
    {
      armilla_map_writer_free (parts->map[i]);
      armilla_alm_writer_free (parts->alm[i]);
      armilla_output_free (parts->output[i]);
    }
}

typedef struct {
  int nside, n_fields; /* nside 0: a_lm */
  gboolean single, rings, part, named;
} Variant;

static ArmillaGrid *
make_grid (const Variant *variant)
{
  g_autoptr (GError) error = NULL;
  ArmillaGrid *grid = armilla_grid_new_healpix (variant->nside, &error);
  gboolean *wanted;

  g_assert_no_error (error);
  if (variant->rings)
    {
      ArmillaGrid *rings = armilla_grid_new_rings (grid->rings, grid->n_rings, &error);

      g_assert_no_error (error);
      armilla_grid_unref (grid);
      grid = rings;
    }
  if (!variant->part)
    return grid;
  wanted = g_new0 (gboolean, grid->n_rings);
  for (gint64 r = 0; r < grid->n_rings; r++)
    wanted[r] = r % 5 != 2;
  ArmillaGrid *part = armilla_grid_select_rings (grid, wanted, &error);
  g_assert_no_error (error);
  armilla_grid_unref (grid);
  g_free (wanted);
  return part;
}

/* Values first.. that belong to the grid and to one process, from @at on; 0 at the end. */
static gint64
next_run (const ArmillaGrid *grid, gint64 n, gint64 *at)
{
  gint64 end;

  while (grid != NULL && *at < n && armilla_grid_ring_of (grid, *at) < 0)
    (*at)++;
  for (end = *at; end < n && end < (*at / BLOCK + 1) * BLOCK; end++)
    if (grid != NULL && armilla_grid_ring_of (grid, end) < 0)
      break;
  return end - *at;
}

/* The same bytes from several writers as from one. */
static void
test_same (Fixture *fixture, gconstpointer data)
{
  const Variant *variant = data;
  g_autoptr (ArmillaGrid) grid = variant->nside > 0 ? make_grid (variant) : NULL;
  ArmillaAlmLayout layout = { 40, 33 };
  ArmillaMapHeader header = { .grid = grid, .fields.n = variant->n_fields,
                              .single = variant->single };
  const gint64 n = grid != NULL ? armilla_grid_whole (grid)->n_pixels : armilla_alm_count (layout);
  g_autofree double *values = g_new (double, 2 * n);
  char *paths[2] = { fixture_path (fixture, "one.fits"), fixture_path (fixture, "many.fits") };
  guint8 *bytes[2];
  gsize sizes[2];

  for (gint64 i = 0; i < 2 * n; i++)
    values[i] = fixture_value (fixture);
  for (int many = 0; many < 2; many++)
    {
      g_autoptr (GError) error = NULL;
      Parts parts;

      parts_open (&parts, paths[many], variant->named, grid != NULL ? &header : NULL, layout);
      for (int field = 0; field < variant->n_fields; field++)
        for (gint64 at = 0, run; (run = next_run (grid, n, &at)) > 0; at += run)
          parts_write (&parts, many ? (int) (at / BLOCK % N_PARTS) : 0, field, at, run, values);
      parts_join (&parts, &error);
      g_assert_no_error (error);
      g_assert_true (armilla_output_commit (parts.output[0], &error));
      parts_clear (&parts);
      fixture_verify (paths[many]);
      fixture_load (paths[many], &bytes[many], &sizes[many]);
    }
  g_assert_cmpmem (bytes[0], sizes[0], bytes[1], sizes[1]);
  g_assert_cmpuint (count_files (fixture->folder), ==, 2);
  for (int many = 0; many < 2; many++)
    {
      g_free (bytes[many]);
      g_free (paths[many]);
    }
}

/* Writes all but some pixels of a map of one field, in two parts; the third has nothing. */
static void
open_two (Fixture *fixture, Parts *parts, gint64 until, gint64 from)
{
  g_autoptr (ArmillaGrid) grid = armilla_grid_new_healpix (4, NULL);
  g_autofree char *path = fixture_path (fixture, "map.fits");
  g_autofree double *values = g_new0 (double, grid->n_pixels);
  ArmillaMapHeader header = { .grid = grid, .fields.n = 1 };

  parts_open (parts, path, TRUE, &header, (ArmillaAlmLayout) { 0, 0 });
  parts_write (parts, 0, 0, 0, until, values);
  parts_write (parts, 1, 0, from, grid->n_pixels - from, values);
}

static void
assert_refused (Fixture *fixture, Parts *parts, int code, const char *say)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (parts_join (parts, &error));
  g_assert_error (error, ARMILLA_ERROR, code);
  if (strstr (error->message, say) == NULL || strstr (error->message, "map.fits") == NULL)
    g_error ("\"%s\" is not in: %s", say, error->message);
  parts_clear (parts);
  g_assert_cmpuint (count_files (fixture->folder), ==, 0);
}

static void
test_hole (Fixture *fixture, gconstpointer data)
{
  Parts parts;

  (void) data;
  open_two (fixture, &parts, 90, 100);
  assert_refused (fixture, &parts, ARMILLA_ERROR_VALUE, "10 of 192 pixels were never written");
}

static void
test_twice (Fixture *fixture, gconstpointer data)
{
  Parts parts;

  (void) data;
  open_two (fixture, &parts, 101, 100);
  assert_refused (fixture, &parts, ARMILLA_ERROR_VALUE, "written twice");
}

/* A process that reads another workflow would put its rows elsewhere. */
static void
test_other_header (Fixture *fixture, gconstpointer data)
{
  g_autoptr (ArmillaGrid) grid = armilla_grid_new_healpix (4, NULL);
  g_autofree double *values = g_new0 (double, grid->n_pixels);
  char *units[] = { (char *) "K", NULL };
  ArmillaMapHeader header = { .grid = grid, .fields.n = 1, .fields.units = units };
  Parts parts;

  (void) data;
  open_two (fixture, &parts, 100, 100);
  armilla_map_writer_free (parts.map[2]);
  parts.map[2] = armilla_map_writer_open (parts.output[2], &header, NULL);
  assert_refused (fixture, &parts, ARMILLA_ERROR_IO, "ranks would write different headers");
}

static void
test_damaged (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GByteArray) own = g_byte_array_new ();
  g_autoptr (GByteArray) summary = g_byte_array_new ();
  Parts parts;
  guint length;

  (void) data;
  open_two (fixture, &parts, 100, 100);
  g_assert_true (armilla_map_writer_end_part (parts.map[0], own, NULL));
  g_assert_true (armilla_map_writer_end_part (parts.map[1], summary, NULL));
  length = summary->len;
  g_byte_array_append (summary, own->data, 8);
  for (guint i = 0; i <= length; i += i == length - 8 ? 16 : 8)
    {
      g_autoptr (GError) error = NULL;

      /* too short, or too long; the numbers of pieces come last */
      g_assert_false (armilla_map_writer_merge (parts.map[0], summary->data, i, &error));
      g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_IO);
    }
  parts_clear (&parts);
}

static void
assert_no_join (const char *path, GBytes *ticket, const char *say)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (armilla_output_join (path, ticket, &error));
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_IO);
  if (strstr (error->message, say) == NULL || strstr (error->message, path) == NULL)
    g_error ("\"%s\" is not in: %s", say, error->message);
}

/* What a process on another machine finds in a folder of the same name. */
static void
test_not_found (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = fixture_path (fixture, "map.fits");
  g_autofree char *copy = NULL;
  g_autofree char *name = NULL;
  g_autoptr (ArmillaOutput) output = begin (path);
  g_autoptr (GBytes) ticket = offer (output, TRUE);
  g_autoptr (GBytes) again = NULL;
  g_autoptr (GBytes) odd = g_bytes_new ("short", 5);
  guint8 *bytes;
  gsize n;

  (void) data;
  name = g_strdup (armilla_output_temporary (output));
  g_assert_true (g_str_has_prefix (name, fixture->folder));
  fixture_load (name, &bytes, &n);
  again = offer (output, TRUE);
  assert_no_join (path, ticket, "Stale"); /* signed anew */
  assert_no_join (path, odd, "Invalid");
  g_assert_cmpint (g_unlink (name), ==, 0);
  assert_no_join (path, again, "No such file");
  fixture_store (name, "theirs", 6);
  assert_no_join (path, again, "Stale");
  g_assert_cmpint (g_unlink (name), ==, 0);
  g_assert_cmpint (g_mkdir (name, 0700), ==, 0);
  assert_no_join (path, again, "directory");
  g_assert_cmpint (g_rmdir (name), ==, 0);
  copy = g_strconcat (name, "-elsewhere", NULL);
  fixture_store (copy, bytes, n);
  g_assert_cmpint (symlink (copy, name), ==, 0);
  assert_no_join (path, again, "Stale"); /* the bytes of the first signature */
  g_free (bytes);
}

/* A rank that joined a file must not remove it. */
static void
test_leave (Fixture *fixture, gconstpointer data)
{
  for (int named = 0; named < 2; named++)
    {
      g_autofree char *path = fixture_path (fixture, "map.fits");
      g_autoptr (ArmillaOutput) output = begin (path);
      g_autoptr (GBytes) ticket = offer (output, named);
      ArmillaOutput *joined = armilla_output_join (path, ticket, NULL);

      (void) data;
      g_assert_nonnull (joined);
      armilla_output_free (joined);
      if (named)
        g_assert_cmpuint (count_files (fixture->folder), ==, 1);
      g_assert_true (armilla_output_commit (output, NULL));
      g_assert_cmpuint (count_files (fixture->folder), ==, 1);
      g_assert_cmpint (g_unlink (path), ==, 0);
    }
  g_assert_cmpuint (count_files (fixture->folder), ==, 0);
}

/* Sums of pieces cut anywhere add up to the sum of the whole. */
static void
test_sums (Fixture *fixture, gconstpointer data)
{
  guint8 bytes[240];

  (void) data;
  for (int round = 0; round < 200; round++)
    {
      guint32 whole, sum = 0;
      int first = 0;

      for (gsize i = 0; i < sizeof bytes; i++)
        bytes[i] = (guint8) (round == 0 ? 0 : round == 1 ? 255 : g_rand_int (fixture->random));
      whole = armilla_fits_sum (0, bytes, sizeof bytes);
      while (first < (int) sizeof bytes)
        {
          int n = g_rand_int_range (fixture->random, 1, (int) sizeof bytes - first + 1);

          n = MIN (n, 1 + round % 40);
          armilla_fits_sum_add (&sum, armilla_fits_sum_at (2880 + first, bytes + first, (gsize) n));
          first += n;
        }
      g_assert_cmpuint (sum, ==, whole);
    }
}

int
main (int argc, char **argv)
{
  static const Variant variants[] = {
    { 8, 1, FALSE, FALSE, FALSE, FALSE }, { 8, 1, TRUE, FALSE, FALSE, TRUE },
    { 16, 3, FALSE, FALSE, FALSE, FALSE }, { 16, 3, TRUE, FALSE, TRUE, FALSE },
    { 8, 2, FALSE, TRUE, FALSE, FALSE },  { 0, 2, FALSE, FALSE, FALSE, FALSE },
  };

  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (variants); i++)
    {
      g_autofree char *name
        = g_strdup_printf ("/output-share/same/%s-%d%s%s%s%s", variants[i].nside ? "map" : "alm",
                           variants[i].n_fields, variants[i].single ? "-single" : "",
                           variants[i].rings ? "-rings" : "", variants[i].part ? "-part" : "",
                           variants[i].named ? "-named" : "");

      FIXTURE_ADD (name, &variants[i], test_same);
    }
  FIXTURE_ADD ("/output-share/hole", NULL, test_hole);
  FIXTURE_ADD ("/output-share/twice", NULL, test_twice);
  FIXTURE_ADD ("/output-share/other-header", NULL, test_other_header);
  FIXTURE_ADD ("/output-share/damaged", NULL, test_damaged);
  FIXTURE_ADD ("/output-share/not-found", NULL, test_not_found);
  FIXTURE_ADD ("/output-share/leave", NULL, test_leave);
  FIXTURE_ADD ("/output-share/sums", NULL, test_sums);
  return g_test_run ();
}
