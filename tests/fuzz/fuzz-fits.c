/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gives damaged files to every reader of core/. The same file is two programs:
 *
 * - a test of `make check`: 12000 inputs, always the same, made from right files by mutations that
 *   know what a header looks like. FUZZ_INPUTS and FUZZ_FIRST choose others: FUZZ_FIRST=n
 *   FUZZ_INPUTS=1 repeats input n, FUZZ_INPUTS=1000000 takes a while. FUZZ_CORPUS=folder only
 *   writes the files that the mutations start from.
 * - a libFuzzer target, when compiled with FUZZ_LIBFUZZER defined: `make fuzz-fits` builds it with
 *   clang, AddressSanitizer and UndefinedBehaviorSanitizer. Then
 *     mkdir corpus; FUZZ_CORPUS=corpus tests/fuzz/fuzz-fits
 *     tests/fuzz/fuzz-fits-libfuzzer -runs=1000000 -max_len=40000 corpus
 */
#include "config.h"

#include "core/fits/fits.h"
#include "core/spectra/cl-table.h"
#include "tests/fuzz/fits-mutate.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define LONGEST (1 << 20)
/* A damaged header can promise a large map whose pixels are mostly missing: its ends are enough. */
#define PIXELS 3000

typedef enum { MAP, ALM, CL, WEIGHTS, N_READERS } Reader;

static void
check_error (const char *path, const GError *error)
{
  if (error == NULL || error->domain != ARMILLA_ERROR || !g_utf8_validate (error->message, -1, NULL)
      || !g_str_has_prefix (error->message, path))
    {
      fprintf (stderr, "bad error: %s\n", error != NULL ? error->message : "none");
      abort ();
    }
}

static gboolean
read_map (const char *path, int hdu, GError **error)
{
  g_autoptr (ArmillaMapReader) reader = armilla_map_reader_open (path, hdu, error);
  const ArmillaMapHeader *header;
  static double pixels[PIXELS];

  if (reader == NULL)
    return FALSE;
  header = armilla_map_reader_header (reader);
  for (int i = 0; i < header->fields.n; i++)
    {
      gint64 n = MIN (PIXELS, header->grid->n_pixels);

      if (!armilla_map_reader_read (reader, i, header->grid->n_pixels - n, n, pixels, error)
          || !armilla_map_reader_read (reader, i, 0, n / 2, pixels, error)
          || !armilla_map_reader_read (reader, i, n / 2, n - n / 2, pixels, error))
        return FALSE;
    }
  return TRUE;
}

static void
visit (gpointer user, gint64 n, const gint64 *l, const gint64 *m,
       const double *values G_GNUC_UNUSED)
{
  const ArmillaAlmLayout *layout = user;

  for (gint64 i = 0; i < n; i++)
    if (l[i] < 0 || l[i] > layout->lmax || m[i] < 0 || m[i] > MIN (l[i], layout->mmax))
      abort ();
}

static gboolean
read_alm (const char *path, GError **error)
{
  g_autoptr (ArmillaAlmReader) reader = armilla_alm_reader_open (path, error);
  ArmillaAlmLayout layout;

  if (reader == NULL)
    return FALSE;
  layout = armilla_alm_reader_header (reader)->layout;
  for (int i = 0; i < armilla_alm_reader_header (reader)->n_fields; i++)
    if (!armilla_alm_reader_visit (reader, i, visit, &layout, error))
      return FALSE;
  return TRUE;
}

static gboolean
read_other (const char *path, Reader what, GError **error)
{
  g_autoptr (ArmillaClTable) table = NULL;
  g_autofree double *weights = NULL;
  gint64 n;

  if (what == CL)
    table = armilla_cl_read (path, error);
  else
    weights = armilla_ring_weights_read (path, 4, &n, error);
  return table != NULL || weights != NULL;
}

/* Lets all readers have a file; counts which of them took it. */
static void
read_all (const guint8 *bytes, gsize n, guint64 taken[N_READERS])
{
  int fd = memfd_create ("fits", MFD_CLOEXEC);
  char path[40];

  if (fd < 0 || write (fd, bytes, n) != (ssize_t) n)
    abort ();
  g_snprintf (path, sizeof path, "/proc/self/fd/%d", fd);
  for (int i = 0; i < N_READERS + 1; i++)
    {
      Reader what = i == N_READERS ? MAP : (Reader) i;
      g_autoptr (GError) error = NULL;
      gboolean ok;

      if (what == MAP)
        ok = read_map (path, i == MAP ? 0 : 2, &error);
      else
        ok = what == ALM ? read_alm (path, &error) : read_other (path, what, &error);
      if (!ok)
        check_error (path, error);
      taken[what] += ok;
    }
  close (fd);
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  guint64 taken[N_READERS] = { 0 };

  if (size <= LONGEST)
    read_all (data, size, taken);
  return 0;
}

#ifdef FUZZ_LIBFUZZER

size_t LLVMFuzzerMutate (uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator (uint8_t *data, size_t size, size_t max_size, unsigned seed);

/* Half of the mutations are libFuzzer's, half are ours. */
size_t
LLVMFuzzerCustomMutator (uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
  GByteArray *bytes;
  GRand *random;

  if (seed % 2 == 0)
    return LLVMFuzzerMutate (data, size, max_size);
  random = g_rand_new_with_seed (seed);
  bytes = g_byte_array_append (g_byte_array_new (), data, size);
  fits_mutate (bytes, random);
  size = MIN (bytes->len, max_size);
  memcpy (data, bytes->data, size);
  g_byte_array_unref (bytes);
  g_rand_free (random);
  return size;
}

#else

static guint64
from_environment (const char *name, guint64 otherwise)
{
  const char *text = g_getenv (name);

  return text != NULL ? g_ascii_strtoull (text, NULL, 10) : otherwise;
}

/* Input number i, which depends on nothing else. */
static GByteArray *
make_input (GPtrArray *seeds, guint64 i)
{
  const guint32 key[] = { 20260921, (guint32) i, (guint32) (i >> 32) };
  GRand *random = g_rand_new_with_seed_array (key, G_N_ELEMENTS (key));
  const GByteArray *seed = seeds->pdata[g_rand_int (random) % seeds->len];
  GByteArray *bytes = g_byte_array_append (g_byte_array_new (), seed->data, seed->len);

  for (guint32 n = g_rand_int (random) % 6; n > 0; n--)
    fits_mutate (bytes, random);
  if (g_rand_int (random) % 16 == 0)
    {
      GByteArray *packed = fits_compress (bytes);

      g_byte_array_unref (bytes);
      bytes = packed;
      if (g_rand_boolean (random) && bytes->len > 0)
        bytes->data[g_rand_int (random) % bytes->len] ^= 1 << g_rand_int (random) % 8;
    }
  g_rand_free (random);
  return bytes;
}

static void
test_mutations (void)
{
  guint64 first = from_environment ("FUZZ_FIRST", 0);
  guint64 n = from_environment ("FUZZ_INPUTS", 12000);
  g_autoptr (GPtrArray) seeds = fits_seeds_new ();
  guint64 taken[N_READERS] = { 0 };

  for (guint64 i = first; i < first + n; i++)
    {
      GByteArray *bytes = make_input (seeds, i);

      if ((i - first) % 1000 == 0)
        g_test_message ("from input %" G_GUINT64_FORMAT " on", i);
      read_all (bytes->data, bytes->len, taken);
      g_byte_array_unref (bytes);
    }
  g_test_message ("taken as map %" G_GUINT64_FORMAT ", a_lm %" G_GUINT64_FORMAT
                  ", spectra %" G_GUINT64_FORMAT ", weights %" G_GUINT64_FORMAT,
                  taken[MAP], taken[ALM], taken[CL], taken[WEIGHTS]);
  /* If next to nothing or next to everything is taken, the mutations test little. */
  if (n >= 1000)
    for (int i = MAP; i <= CL; i++)
      {
        g_assert_cmpuint (taken[i], >, n / 100);
        g_assert_cmpuint (taken[i], <, n * 9 / 10);
      }
}

/* What the mutations start from must be right. */
static void
test_seeds (void)
{
  g_autoptr (GPtrArray) seeds = fits_seeds_new ();
  const char *folder = g_getenv ("FUZZ_CORPUS");

  for (guint i = 0; i < seeds->len; i++)
    {
      const GByteArray *seed = seeds->pdata[i];
      guint64 taken[N_READERS] = { 0 };

      read_all (seed->data, seed->len, taken);
      g_assert_cmpuint (taken[MAP] + taken[ALM] + taken[CL], >, 0);
      if (folder != NULL)
        {
          g_autofree char *name = g_strdup_printf ("%s/seed-%02u", folder, i);

          g_assert_true (g_file_set_contents (name, (char *) seed->data, seed->len, NULL));
        }
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/fuzz-fits/seeds", test_seeds);
  if (g_getenv ("FUZZ_CORPUS") == NULL)
    g_test_add_func ("/fuzz-fits/mutations", test_mutations);
  return g_test_run ();
}

#endif
