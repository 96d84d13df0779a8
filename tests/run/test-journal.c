/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The journal of a run: what is noted is found again, and nothing that was not noted. */
#include <glib/gstdio.h>
#include <string.h>

#include "workflows/resume/journal.h"

static char *folder;

static char *
in_folder (const char *name)
{
  return g_build_filename (folder, name, NULL);
}

static void
add (ArmillaJournal *journal, const char *path, gint64 index, gint64 size)
{
  ArmillaRecord record = { (char *) path, index, (char *) "node", -1, (char *) "key", size, 17,
                           (char *) "-" };
  g_autoptr (GError) error = NULL;

  g_assert_true (armilla_journal_add (journal, &record, &error));
  g_assert_no_error (error);
}

static ArmillaJournal *
open_journal (const char *path)
{
  g_autoptr (GError) error = NULL;
  ArmillaJournal *journal = armilla_journal_open (path, &error);

  g_assert_no_error (error);
  return journal;
}

static void
test_again (void)
{
  g_autofree char *path = in_folder ("again.journal");
  ArmillaJournal *journal = open_journal (path);
  const ArmillaRecord *record;

  add (journal, "a\tb\nc.fits", 3, 100);
  add (journal, "b.fits", 4, 200);
  add (journal, "b.fits", 4, 300);
  armilla_journal_free (journal);
  journal = open_journal (path);
  record = armilla_journal_find (journal, "a\tb\nc.fits");
  g_assert_nonnull (record);
  g_assert_cmpint (record->index, ==, 3);
  g_assert_cmpint (record->port, ==, -1);
  g_assert_cmpint (record->size, ==, 100);
  g_assert_cmpint (record->mtime, ==, 17);
  g_assert_cmpstr (record->node, ==, "node");
  g_assert_cmpstr (record->key, ==, "key");
  g_assert_cmpint (armilla_journal_find (journal, "b.fits")->size, ==, 300);
  g_assert_null (armilla_journal_find (journal, "c.fits"));
  armilla_journal_free (journal);
  g_unlink (path);
}

/* Every bit of a journal, one at a time: refused, and never read as something else. */
static void
test_flipped (void)
{
  g_autofree char *path = in_folder ("flipped.journal");
  ArmillaJournal *journal = open_journal (path);
  g_autofree char *text = NULL;
  gsize length;

  add (journal, "a.fits", 0, 100);
  add (journal, "b.fits", 1, 200);
  armilla_journal_free (journal);
  g_assert_true (g_file_get_contents (path, &text, &length, NULL));
  for (gsize bit = 0; bit < 8 * length; bit++)
    {
      g_autoptr (GError) error = NULL;

      text[bit / 8] ^= (char) (1 << bit % 8);
      g_assert_true (g_file_set_contents (path, text, (gssize) length, NULL));
      g_assert_null (armilla_journal_open (path, &error));
      g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_IO);
      g_assert_nonnull (strstr (error->message, "is damaged"));
      text[bit / 8] ^= (char) (1 << bit % 8);
    }
  g_unlink (path);
}

/* Cut anywhere: the lines before the cut are there, and the journal can go on. */
static void
test_torn (void)
{
  g_autofree char *path = in_folder ("torn.journal");
  ArmillaJournal *journal = open_journal (path);
  g_autofree char *text = NULL;
  gsize length;

  add (journal, "a.fits", 0, 100);
  add (journal, "b.fits", 1, 200);
  armilla_journal_free (journal);
  g_assert_true (g_file_get_contents (path, &text, &length, NULL));
  for (gsize cut = 0; cut <= length; cut++)
    {
      g_autofree char *begin = g_strndup (text, cut);
      guint lines = 0;

      for (gsize i = 0; i < cut; i++)
        lines += text[i] == '\n';
      g_assert_true (g_file_set_contents (path, begin, (gssize) cut, NULL));
      journal = open_journal (path);
      g_assert_cmpint (armilla_journal_find (journal, "a.fits") != NULL, ==, lines >= 2);
      g_assert_cmpint (armilla_journal_find (journal, "b.fits") != NULL, ==, lines >= 3);
      add (journal, "c.fits", 2, 300);
      armilla_journal_free (journal);
      journal = open_journal (path);
      g_assert_nonnull (armilla_journal_find (journal, "c.fits"));
      armilla_journal_free (journal);
    }
  g_unlink (path);
}

static void
test_absorb (void)
{
  g_autofree char *path = in_folder ("all.journal");
  g_autofree char *of_rank = in_folder ("all.journal.3");
  g_autofree char *foreign = in_folder ("all.journal.x");
  g_autoptr (GError) error = NULL;
  ArmillaJournal *journal = open_journal (of_rank);
  g_autoptr (GPtrArray) records = NULL;

  g_assert_true (g_file_set_contents (foreign, "no journal", -1, NULL));
  add (journal, "a.fits", 0, 100);
  armilla_journal_free (journal);
  journal = open_journal (path);
  add (journal, "b.fits", 1, 200);
  g_assert_true (armilla_journal_absorb (journal, &error));
  g_assert_no_error (error);
  records = armilla_journal_records (journal);
  g_assert_cmpuint (records->len, ==, 2);
  armilla_journal_free (journal);
  g_assert_false (g_file_test (of_rank, G_FILE_TEST_EXISTS));
  g_assert_true (g_file_test (foreign, G_FILE_TEST_EXISTS));
  journal = open_journal (path);
  g_assert_nonnull (armilla_journal_find (journal, "a.fits"));
  armilla_journal_free (journal);
  g_unlink (path);
  g_unlink (foreign);
}

static void
test_no_folder (void)
{
  g_autofree char *path = in_folder ("none/a.journal");
  g_autoptr (GError) error = NULL;

  g_assert_null (armilla_journal_open (path, &error));
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_IO);
}

int
main (int argc, char *argv[])
{
  int status;

  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("armilla-journal-XXXXXX", NULL);
  g_assert_nonnull (folder);
  g_test_add_func ("/journal/again", test_again);
  g_test_add_func ("/journal/flipped", test_flipped);
  g_test_add_func ("/journal/torn", test_torn);
  g_test_add_func ("/journal/absorb", test_absorb);
  g_test_add_func ("/journal/no-folder", test_no_folder);
  status = g_test_run ();
  g_rmdir (folder);
  g_free (folder);
  return status;
}
