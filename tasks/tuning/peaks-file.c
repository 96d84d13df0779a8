/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tasks/tuning/peaks-file.h"

#include <starpu.h>

#include "codelets/common/rates.h"
#include "core/files/regular-file.h"
#include "tasks/tuning/tuning-file.h"

/* age from which peaks are measured again: clock rates and other load of the machine change */
#define DAYS_KEPT 7

#define GROUP "peaks"
#define RATES "rates"
#define MAX_FILE (1 << 20)
static const char *const keys[] = { "core-flops", "core-bytes", "gpu-flops", "gpu-bytes" };

/* Returns (transfer full) the file with the peaks of this host, in the user's cache folder, named
 * after the host, its processor, instruction set, cores and GPUs. */
static char *
peaks_path (void)
{
  g_autofree char *machine = armilla_tuning_machine ();
  g_autofree char *host = g_strconcat (g_get_host_name (), ", ", machine, NULL);
  g_autofree char *hash = g_compute_checksum_for_string (G_CHECKSUM_SHA256, host, -1);
  g_autofree char *name = g_strdup_printf ("peaks-%.12s.ini", hash);

  return g_build_filename (g_get_user_cache_dir (), "armilla", name, NULL);
}

/* Returns (transfer full) the contents of the file; empty if it does not exist or is damaged. */
static GKeyFile *
read_file (const char *path)
{
  GKeyFile *file = g_key_file_new ();
  g_autofree char *text = NULL;
  gsize length;

  text = armilla_regular_read (path, MAX_FILE, &length, NULL);
  if (text && !g_key_file_load_from_data (file, text, length, G_KEY_FILE_NONE, NULL))
    g_debug ("%s is damaged", path);
  return file;
}

/* The file is optional: if it cannot be written, the next run measures again. */
static void
write_file (const char *path, GKeyFile *file)
{
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *text = g_key_file_to_data (file, NULL, NULL);

  if (g_mkdir_with_parents (folder, 0700) == 0
      && !g_file_set_contents_full (path, text, -1, G_FILE_SET_CONTENTS_CONSISTENT, 0666, NULL))
    g_debug ("%s: cannot be written", path);
}

/* Reads the file of armilla_peaks_measure (); FALSE unless all are positive (0: no GPU) and
 * recent. */
gboolean
armilla_peaks_load (const char *path, ArmillaPeaks *peaks)
{
  g_autoptr (GKeyFile) file = read_file (path);
  const gint64 now = g_get_real_time () / G_USEC_PER_SEC;
  double value[G_N_ELEMENTS (keys)];
  gint64 measured = g_key_file_get_int64 (file, GROUP, "measured", NULL);

  if (measured > now || measured < now - DAYS_KEPT * 24 * 3600)
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      g_autoptr (GError) local = NULL;

      value[i] = g_key_file_get_double (file, GROUP, keys[i], &local);
      if (local || !(value[i] >= (i < 2 ? 1 : 0)) || value[i] > 1e18)
        return FALSE;
    }
  *peaks = (ArmillaPeaks) { value[0], value[1], value[2], value[3] };
  return TRUE;
}

static void
save (const char *path, const ArmillaPeaks *peaks)
{
  /* the file also contains the rates of codelets, which are kept */
  g_autoptr (GKeyFile) file = read_file (path);
  const double value[] = { peaks->core_flops, peaks->core_bytes, peaks->gpu_flops,
                           peaks->gpu_bytes };

  g_key_file_set_int64 (file, GROUP, "measured", g_get_real_time () / G_USEC_PER_SEC);
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    g_key_file_set_double (file, GROUP, keys[i], value[i]);
  write_file (path, file);
}

/* Measures a core and the first GPU (0 without one), in some tenths of a second, and saves the
 * result. */
void
armilla_peaks_measure (ArmillaPeaks *peaks)
{
  g_autofree char *path = peaks_path ();

  *peaks = (ArmillaPeaks) { 0 };
  starpu_pause (); /* workers that poll would disturb the measurement */
  armilla_peaks_measure_core (peaks);
#ifdef HAVE_CUDA
  if (starpu_cuda_worker_get_count () > 0 && armilla_peaks_measure_gpu (peaks, 0) != 0)
    peaks->gpu_flops = peaks->gpu_bytes = 0; /* 0 means unknown */
#endif
  starpu_resume ();
  save (path, peaks);
}

/* Reads the peaks of this host if they are at most a week old; otherwise measures them and returns
 * TRUE. */
gboolean
armilla_peaks_find (ArmillaPeaks *peaks)
{
  g_autofree char *path = peaks_path ();

  if (armilla_peaks_load (path, peaks)
      && (starpu_cuda_worker_get_count () == 0 || peaks->gpu_flops > 0))
    return FALSE;
  armilla_peaks_measure (peaks);
  return TRUE;
}

/* Reads the rates of codelets from a file that armilla_rates_save () has written, and passes them
 * to armilla_rates_put (). Ignores invalid lines. */
void
armilla_rates_read (const char *path)
{
  g_autoptr (GKeyFile) file = read_file (path);
  g_auto (GStrv) symbols = g_key_file_get_keys (file, RATES, NULL, NULL);

  for (char **symbol = symbols; symbol && *symbol; symbol++)
    {
      gsize n = 0;
      g_autofree double *value = g_key_file_get_double_list (file, RATES, *symbol, &n, NULL);
      ArmillaMeasuredRate rate = { { 0 }, { 0 } };
      gboolean good = value && n == 2 * ARMILLA_KINDS;

      for (gsize i = 0; good && i < n; i++)
        good = value[i] >= 0 && value[i] < 1e6;
      for (int kind = 0; good && kind < ARMILLA_KINDS; kind++)
        {
          rate.ideal[kind] = value[2 * kind];
          rate.took[kind] = value[2 * kind + 1];
        }
      if (good)
        armilla_rates_put (*symbol, &rate);
    }
}

/* Loads the rates that earlier runs measured on this host. */
void
armilla_rates_load (void)
{
  g_autofree char *path = peaks_path ();

  armilla_rates_read (path);
}

static void
save_rate (const char *symbol, const ArmillaMeasuredRate *rate, gpointer user)
{
  double value[2 * ARMILLA_KINDS];
  double any = 0;

  for (int kind = 0; kind < ARMILLA_KINDS; kind++)
    {
      value[2 * kind] = rate->ideal[kind];
      value[2 * kind + 1] = rate->took[kind];
      any += rate->ideal[kind];
    }
  if (any > 0)
    g_key_file_set_double_list (user, RATES, symbol, value, G_N_ELEMENTS (value));
}

/* Saves the rates of this run beside the peaks of this host: for each codelet the time at peak
 * speed and the time taken, on cores and on GPUs. */
void
armilla_rates_save (void)
{
  g_autofree char *path = peaks_path ();
  g_autoptr (GKeyFile) file = read_file (path);

  armilla_rates_each (save_rate, file);
  write_file (path, file);
}
