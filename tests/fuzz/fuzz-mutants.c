/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Mutates workflows: the shipped ones, those in the scripts of the tests, and small ones that can
 * run. Each is checked; what is right is planned with its inputs opened, and where all its numbers
 * are small, it is run. (fuzz-workflow holds what is accepted against the rules, with stages of its
 * own.) tests/fuzz/cases.h says how to repeat one. */
#include <stdio.h>
#include <string.h>

#include "tests/fuzz/cases.h"
#include "tests/fuzz/inputs.h"
#include "tests/fuzz/text-mutate.h"

enum { RUN, RUN_FAILED, PLANNED, PLAN_FAILED, REFUSED };

/* Of so many cases one is run, where it could be. */
#define RUNS 4

static const char *const small[] = {
  "[workflow]\ntitle = A sky\nrepeat = 2\nring-block = 2\n[variables]\nin = in\n[theory]\n"
  "stage = read-cl\nfile = ${in}/cl-text.txt\ncolumns = 0\n[primordial]\nstage = random-alm\n"
  "cl = theory\nseed = 1\nlmax = 8\n[beam]\nstage = smooth-alm\nalm = primordial\nfwhm = 20 deg\n"
  "[sky]\nstage = alm2map\nalm = beam\nnside = 4\n[out]\nstage = write-map\nmap = sky\n"
  "file = out${index}.fits\n[picture]\nstage = render\nmap = sky\nfile = out${index}.svg\n"
  "width = 200\n",
  "[sky]\nstage = read-map\nfile = in/map-1.fits\n[harmonics]\nstage = map2alm\nmap = sky\n"
  "lmax = 6\niterations = 1\n[spectrum]\nstage = alm2cl\nalm = harmonics\n[file]\n"
  "stage = write-cl\ncl = spectrum\nfile = out.fits\n[turned]\nstage = rotate\nalm = harmonics\n"
  "psi = 10 deg\n"
  "[alm]\nstage = write-alm\nalm = turned\nfile = alm.fits.gz\n[curve]\nstage = render\n"
  "cl = spectrum\nfile = curve.svg\ny-scale = log\n",
  "[objects]\nstage = read-catalogue\nfile = in/objects-1.csv\nlongitude = ra\nlatitude = dec\n"
  "longitude-unit = deg\nlatitude-unit = deg\nweight = w\n[random]\nstage = random-catalogue\n"
  "number = 40\nseed = 2\n[w]\nstage = pair-correlation\ncatalogue = objects\nrandom = random\n"
  "min = 1 deg\nmax = 60 deg\nbins = 4\npatches = 3\n[table]\nstage = write-table\n"
  "table = w.table\nfile = w.ecsv\n[covariance]\nstage = write-table\ntable = w.covariance\n"
  "file = c.fits\n",
  "[sky]\nstage = read-map\nfile = in/map-8.fits\n[ring]\nstage = convolve\nmap = sky\n"
  "method = ring\nfwhm = 60 deg\n[mask]\nstage = mask\nmap = ring\nmask = sky\n"
  "weights = seen\napodise = 20 deg\n[sum]\nstage = combine\ninput = mask\ninput2 = sky\n"
  "weights = 1, -1\nunit = K\n"
  "[coarse]\n"
  "stage = ud-grade\nmap = sum\nnside = 2\n[nested]\nstage = change-order\nmap = coarse\n"
  "order = nested\n[out]\nstage = write-map\nmap = nested\nfile = out.fits\ndtype = float32\n",
};

static const char *const tokens[] = {
  "${index}", "${in}", "[workflow]\n", "[variables]\n", "[sky]\n", "stage = ", "read-map",
  "alm2map", "map2alm", "map = ", "alm = ", "cl = ", "catalogue = ", "mask = sky\n", "file = ",
  "file = out.fits\n", "file = in/map-0.fits\n", "file = in/map-5.fits\n", "lmax = ", "nside = ",
  "nside = 16777216\n", "repeat = 3\n", "repeat = 1000000\n", "ring-block = 1\n", "m-blocks = 2\n",
  " arcmin", " rad", " MiB", "method = cg\n", "iterations = 2\n", "weights = ", "spin = 2\n",
  "fields = all\n", "overwrite = true\n", "checkpoint = 1 s\n", "memory = 1 GiB\n",
  "deal = blocks\n", NULL
};

static GPtrArray *seeds;

/* Takes the workflows out of a script: here-documents that name a stage. */
static void
take_script (const char *path)
{
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    return;
  lines = g_strsplit (text, "\n", -1);
  for (char **line = lines; *line != NULL; line++)
    {
      const char *mark = strstr (*line, "<< ");
      g_autofree char *end = mark != NULL ? g_strdup (mark + 3) : NULL;
      g_autoptr (GString) document = g_string_new (NULL);

      if (end == NULL)
        continue;
      g_strdelimit (end, "'\"\\ ", '\0');
      if (*end == '\0') /* it was quoted */
        end[0] = 'E', end[1] = 'N', end[2] = 'D';
      while (line[1] != NULL && strcmp (line[1], end) != 0)
        g_string_append_printf (document, "%s\n", *++line);
      if (strstr (document->str, "stage = ") != NULL)
        g_ptr_array_add (seeds, g_strdup (document->str));
      if (line[1] == NULL)
        break;
    }
}

static void
take_folder (const char *name, const char *end, gboolean scripts)
{
  g_autofree char *folder = g_build_filename (g_getenv ("FUZZ_SOURCE"), name, NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);

  for (const char *file; dir != NULL && (file = g_dir_read_name (dir)) != NULL;)
    if (g_str_has_suffix (file, end))
      g_ptr_array_add (names, g_build_filename (folder, file, NULL));
  g_ptr_array_sort (names, fuzz_compare_names);
  for (guint i = 0; i < names->len; i++)
    {
      char *text;

      if (scripts)
        take_script (names->pdata[i]);
      else if (g_file_get_contents (names->pdata[i], &text, NULL, NULL))
        g_ptr_array_add (seeds, text);
    }
}

/* Collects the files of all folders in @folder: tests have a folder per subject. */
static void
take_folders (const char *folder, const char *end)
{
  g_autofree char *path = g_build_filename (g_getenv ("FUZZ_SOURCE"), folder, NULL);
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  g_autoptr (GPtrArray) folders = g_ptr_array_new_with_free_func (g_free);

  for (const char *name; dir != NULL && (name = g_dir_read_name (dir)) != NULL;)
    g_ptr_array_add (folders, g_build_filename (folder, name, NULL));
  g_ptr_array_sort (folders, fuzz_compare_names);
  for (guint i = 0; i < folders->len; i++)
    take_folder (folders->pdata[i], end, TRUE);
}

static void
begin (void)
{
  seeds = g_ptr_array_new_with_free_func (g_free);
  take_folder ("workflows", ".workflow", FALSE);
  take_folders ("tests", ".sh");
  if (seeds->len < 20)
    g_error ("%u workflows were found in %s", seeds->len, g_getenv ("FUZZ_SOURCE"));
  fuzz_begin ();
}

/* Returns whether no number has more than two digits. */
static gboolean
is_small (const GByteArray *bytes)
{
  int digits = 0;

  for (guint i = 0; i < bytes->len; i++)
    {
      digits = g_ascii_isdigit (bytes->data[i]) ? digits + 1 : 0;
      if (digits > 2)
        return FALSE;
    }
  return TRUE;
}

static GByteArray *
make_text (GRand *random)
{
  GByteArray *bytes = g_byte_array_new ();
  const char *seed = fuzz_below (random, 2) == 0
                       ? small[fuzz_below (random, G_N_ELEMENTS (small))]
                       : seeds->pdata[fuzz_below (random, seeds->len)];

  g_byte_array_append (bytes, (const guint8 *) seed, strlen (seed));
  for (guint32 n = fuzz_below (random, 6); n > 0; n--)
    text_mutate (bytes, random, tokens);
  return bytes;
}

static char *
try_case (guint64 number, GRand *random)
{
  g_autoptr (GByteArray) bytes = make_text (random);
  g_autoptr (ArmillaWorkflow) workflow = NULL;
  int status;

  if (!g_file_set_contents ("case.workflow", (char *) bytes->data, bytes->len, NULL))
    return g_strdup ("cannot write the case");
  workflow = fuzz_load ("case.workflow");
  if (workflow == NULL || workflow->repeat > 99)
    {
      fuzz_add (REFUSED);
      return NULL;
    }
  status = fuzz_plan_file ("case.workflow");
  fuzz_add (status == 0 ? PLANNED : PLAN_FAILED);
  if (status == 0 && number % RUNS == 0 && is_small (bytes))
    {
      status = fuzz_run_file ("case.workflow");
      fuzz_add (status == 0 ? RUN : RUN_FAILED);
    }
  return NULL;
}

/* Names are mutated, too: what must not be left are temporary files. */
static gboolean
keeps (const char *name)
{
  return *name != '.' || !g_str_has_suffix (name, ".tmp");
}

int
main (void)
{
  static const FuzzCases cases = { .name = "mutants",
                                   .n = 2000,
                                   .batch = 5000,
                                   .seconds = 120,
                                   .set_up = fuzz_make_inputs,
                                   .begin = begin,
                                   .try_case = try_case,
                                   .keeps = keeps,
                                   .end = fuzz_end };
  int status;

  status = fuzz_run (&cases);
  printf ("# %" G_GUINT64_FORMAT " were refused, %" G_GUINT64_FORMAT " planned (%" G_GUINT64_FORMAT
          " failed), %" G_GUINT64_FORMAT " run (%" G_GUINT64_FORMAT " failed)\n",
          fuzz_count (REFUSED), fuzz_count (PLANNED) + fuzz_count (PLAN_FAILED),
          fuzz_count (PLAN_FAILED), fuzz_count (RUN) + fuzz_count (RUN_FAILED),
          fuzz_count (RUN_FAILED));
  return status;
}
