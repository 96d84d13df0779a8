/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Performance model of a kind of machine, read from a file that users may write: kernels per
 * operation or byte, the network, the overhead of StarPU, and the peaks from which other times are
 * estimated. */
#include "config.h"

#include <armilla/quantity.h>
#include <math.h>
#include <string.h>

#include "codelets/peaks/node-model.h"
#include "core/base/quantity.h"
#include "core/files/regular-file.h"

#define MAX_FILE (1 << 20)

typedef struct {
  double fixed;              /* s per task */
  double per_flop, per_byte; /* s; at most one of the two */
} ArmillaNodeRate;

static const char *const sections[ARMILLA_NODE_WORKERS] = { "cpu", "cuda", "host" };

typedef struct {
  GKeyFile *keys;
  const char *path;
} Reader;

static gboolean
wrong (const Reader *reader, const char *group, const char *key, GError **error,
       const char *format, ...) G_GNUC_PRINTF (5, 6);

static gboolean
wrong (const Reader *reader, const char *group, const char *key, GError **error,
       const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  return armilla_fail (error, ARMILLA_ERROR_PARSE, "%s: [%s] %s %s", reader->path, group, key,
                       text);
}

/* Splits a text into a number, which must be above 0, and its unit. */
static gboolean
split (const char *text, double *value, const char **unit)
{
  char *end;

  *value = g_ascii_strtod (text, &end);
  if (end == text || !isfinite (*value) || *value <= 0)
    return FALSE;
  *unit = end + strspn (end, " ");
  return TRUE;
}

/* Parses work per time, as "5 Gflop/s". */
static gboolean
parse_speed (const char *text, ArmillaNodeRate *rate)
{
  static const struct {
    const char *unit;
    double flops, bytes;
  } units[] = { { "Gflop/s", 1e9, 0 }, { "Tflop/s", 1e12, 0 },
                { "MB/s", 0, 1e6 },    { "GB/s", 0, 1e9 },     { "TB/s", 0, 1e12 } };
  const char *unit;
  double value;

  if (!split (text, &value, &unit))
    return FALSE;
  for (gsize i = 0; i < G_N_ELEMENTS (units); i++)
    if (strcmp (unit, units[i].unit) == 0)
      {
        *rate = (ArmillaNodeRate) { 0, units[i].flops > 0 ? 1 / (value * units[i].flops) : 0,
                                    units[i].bytes > 0 ? 1 / (value * units[i].bytes) : 0 };
        return TRUE;
      }
  return FALSE;
}

/* Parses a speed, or "TIME us" (a fixed time per task), or "TIME us + SPEED". */
static gboolean
parse_rate (const char *text, ArmillaNodeRate *rate)
{
  const char *unit;
  double fixed;

  if (!split (text, &fixed, &unit) || !g_str_has_prefix (unit, "us"))
    return parse_speed (text, rate);
  unit += strlen ("us");
  unit += strspn (unit, " ");
  *rate = (ArmillaNodeRate) { 0 };
  if (*unit != '\0' && (*unit != '+' || !parse_speed (unit + 1, rate)))
    return FALSE;
  rate->fixed = 1e-6 * fixed;
  return TRUE;
}

static gboolean
read_rates (const Reader *reader, ArmillaNodeModel *self, GError **error)
{
  for (int w = 0; w < ARMILLA_NODE_WORKERS; w++)
    {
      g_auto (GStrv) names = g_key_file_get_keys (reader->keys, sections[w], NULL, NULL);

      for (gsize i = 0; names && names[i]; i++)
        {
          g_autofree char *text = g_key_file_get_value (reader->keys, sections[w], names[i], NULL);
          ArmillaNodeRate rate;

          if (!parse_rate (text, &rate))
            return wrong (reader, sections[w], names[i], error,
                          "is \"%s\"; must be a number above 0 with the unit Gflop/s, Tflop/s, "
                          "MB/s, GB/s or TB/s, optionally after \"TIME us +\"",
                          text);
          g_hash_table_insert (self->rates[w], g_strdup (names[i]),
                               g_memdup2 (&rate, sizeof rate));
        }
    }
  return TRUE;
}

typedef enum { NUMBER, SECONDS, RATE, FLOPS, BYTES } What;

/* Reads a key; a missing one gives @fallback, or is an error if @fallback is NAN. */
static gboolean
read_number (const Reader *reader, const char *group, const char *key, What what, double fallback,
             double *value, GError **error)
{
  g_autofree char *text = g_key_file_get_value (reader->keys, group, key, NULL);
  ArmillaNodeRate rate;
  const char *unit;
  gboolean good = FALSE;

  *value = fallback;
  if (!text)
    return !isnan (fallback) || wrong (reader, group, key, error, "is missing");
  if (what == NUMBER)
    good = split (text, value, &unit) && *unit == '\0';
  else if (what == RATE || what == FLOPS)
    {
      good = parse_speed (text, &rate) && (rate.per_byte > 0) == (what == RATE);
      *value = good ? 1 / (rate.per_byte + rate.per_flop) : 0;
    }
  else if (what == BYTES)
    good = armilla_quantity_parse (text, ARMILLA_DIMENSION_BYTES, value, NULL) && *value > 0;
  else if (split (text, value, &unit) && strcmp (unit, "us") == 0)
    {
      *value *= 1e-6;
      good = TRUE;
    }
  return good
         || wrong (reader, group, key, error, "is \"%s\"; must be a number above 0%s", text,
                   what == SECONDS ? " and us"
                   : what == RATE  ? " with the unit MB/s, GB/s or TB/s"
                   : what == FLOPS ? " with the unit Gflop/s or Tflop/s"
                   : what == BYTES ? " with a unit of bytes"
                                   : "");
}

static gboolean
read_counts (const Reader *reader, ArmillaNodeModel *self, GError **error)
{
  double workers, gpus, cores;

  if (!read_number (reader, "node", "workers", NUMBER, NAN, &workers, error)
      || !read_number (reader, "node", "gpus", NUMBER, 0, &gpus, error)
      || !read_number (reader, "node", "cores", NUMBER, 0, &cores, error))
    return FALSE;
  if (workers != floor (workers) || gpus != floor (gpus) || cores != floor (cores)
      || MAX (MAX (workers, gpus), cores) > 65536)
    return wrong (reader, "node", "workers", error, "gpus and cores must be integers");
  self->gpus = gpus > 0;
  self->workers = (int) (self->gpus ? gpus : workers);
  self->cores = (int) cores;
  return TRUE;
}

/* Reads the peak rates. The file must have either none, or those of all kinds of workers of the
 * machine. */
static gboolean
read_peaks (const Reader *reader, ArmillaNodeModel *self, GError **error)
{
  const double core = g_key_file_has_group (reader->keys, "peaks") ? NAN : 0;
  const double gpu = self->gpus ? core : 0;

  return read_number (reader, "peaks", "core-flops", FLOPS, core, &self->core_flops, error)
         && read_number (reader, "peaks", "core-bytes", RATE, core, &self->core_bytes, error)
         && read_number (reader, "peaks", "gpu-flops", FLOPS, gpu, &self->gpu_flops, error)
         && read_number (reader, "peaks", "gpu-bytes", RATE, gpu, &self->gpu_bytes, error);
}

static gboolean
read_all (const Reader *reader, ArmillaNodeModel *self, GError **error)
{
  self->title = g_key_file_get_value (reader->keys, "node", "title", NULL);
  if (!self->title)
    self->title = g_path_get_basename (reader->path);
  return read_counts (reader, self, error)
         && read_number (reader, "node", "speed", NUMBER, 1, &self->speed, error)
         && read_number (reader, "node", "memory", BYTES, G_MAXDOUBLE, &self->memory, error)
         && read_number (reader, "node", "gpu-memory", BYTES, self->gpus ? NAN : 0,
                         &self->gpu_memory, error)
         && read_number (reader, "network", "bandwidth", RATE, NAN, &self->bandwidth, error)
         && read_number (reader, "network", "latency", SECONDS, NAN, &self->latency, error)
         && read_number (reader, "network", "message", SECONDS, NAN, &self->message, error)
         && read_number (reader, "network", "device", RATE, self->gpus ? NAN : 0, &self->device,
                         error)
         && read_number (reader, "starpu", "own", SECONDS, NAN, &self->own, error)
         && read_number (reader, "starpu", "other", SECONDS, NAN, &self->other, error)
         && read_number (reader, "starpu", "task", SECONDS, NAN, &self->task, error)
         && read_number (reader, "starpu", "start", SECONDS, 0, &self->start, error)
         && read_peaks (reader, self, error) && read_rates (reader, self, error);
}

/* Rejects unknown keys, since the author of the file expects them to have an effect. */
static gboolean
check_keys (const Reader *reader, GError **error)
{
  static const struct {
    const char *group;
    const char *keys[8];
  } known[] = { { "node", { "title", "workers", "gpus", "cores", "speed", "memory", "gpu-memory",
                            NULL } },
                { "network", { "bandwidth", "latency", "message", "device", NULL } },
                { "starpu", { "own", "other", "task", "start", NULL } },
                { "peaks", { "core-flops", "core-bytes", "gpu-flops", "gpu-bytes", NULL } } };
  g_auto (GStrv) groups = g_key_file_get_groups (reader->keys, NULL);

  for (gsize g = 0; groups[g]; g++)
    {
      g_auto (GStrv) keys = g_key_file_get_keys (reader->keys, groups[g], NULL, NULL);
      gsize k = 0;

      if (strcmp (groups[g], "cpu") == 0 || strcmp (groups[g], "cuda") == 0
          || strcmp (groups[g], "host") == 0)
        continue;
      while (k < G_N_ELEMENTS (known) && strcmp (groups[g], known[k].group) != 0)
        k++;
      if (k == G_N_ELEMENTS (known))
        return armilla_fail (error, ARMILLA_ERROR_UNKNOWN,
                             "%s: unknown group [%s]; the groups are node, network, starpu, "
                             "peaks, cpu, cuda, host", reader->path, groups[g]);
      for (gsize i = 0; keys[i]; i++)
        if (!g_strv_contains (known[k].keys, keys[i]))
          return wrong (reader, groups[g], keys[i], error, "is not a known key");
    }
  return TRUE;
}

/* Returns the model that the file describes, or NULL with ARMILLA_ERROR_IO, ARMILLA_ERROR_PARSE or
 * ARMILLA_ERROR_UNKNOWN. */
ArmillaNodeModel *
armilla_node_model_read (const char *path, GError **error)
{
  g_autoptr (ArmillaNodeModel) self = g_new0 (ArmillaNodeModel, 1);
  g_autoptr (GKeyFile) keys = g_key_file_new ();
  g_autoptr (GError) local = NULL;
  g_autofree char *text = NULL;
  Reader reader = { keys, path };
  gsize length;

  self->refs = 1;
  self->path = g_strdup (path);
  for (int w = 0; w < ARMILLA_NODE_WORKERS; w++)
    self->rates[w] = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  text = armilla_regular_read (path, MAX_FILE, &length, &local);
  if (!text || !g_key_file_load_from_data (keys, text, length, G_KEY_FILE_NONE, &local))
    return armilla_fail_null (error, text ? ARMILLA_ERROR_PARSE : ARMILLA_ERROR_IO, "%s: %s", path,
                              local->message);
  if (!check_keys (&reader, error) || !read_all (&reader, self, error))
    return NULL;
  return g_steal_pointer (&self);
}

ArmillaNodeModel *
armilla_node_model_ref (ArmillaNodeModel *self)
{
  g_atomic_int_inc (&self->refs);
  return self;
}

void
armilla_node_model_unref (ArmillaNodeModel *self)
{
  if (!g_atomic_int_dec_and_test (&self->refs))
    return;
  for (int w = 0; w < ARMILLA_NODE_WORKERS; w++)
    g_hash_table_unref (self->rates[w]);
  g_free (self->path);
  g_free (self->title);
  g_free (self);
}

/* Returns the share of a core that the submitting thread gets. Idle workers poll for tasks, so the
 * thread has a core of its own only if there are more cores than workers. */
double
armilla_node_model_submit_share (const ArmillaNodeModel *self)
{
  return self->cores > 0 ? MIN (1, (double) self->cores / (self->workers + 1)) : 1;
}

/* Returns whether the file has a rate for this kernel, so that its time need not be estimated from
 * peaks. */
gboolean
armilla_node_model_has_rate (const ArmillaNodeModel *self, ArmillaNodeWorker worker,
                             const char *name)
{
  return g_hash_table_contains (self->rates[worker], name);
}

/* Sets @seconds to the time of a task. If the file has no rate for it, the task is assumed to take
 * as long as its operations or its bytes take at the peaks, whichever is longer: a lower bound.
 * Returns FALSE if the file has neither a rate for the task nor peaks. */
gboolean
armilla_node_model_seconds (const ArmillaNodeModel *self, ArmillaNodeWorker worker,
                            const char *name, double flops, double bytes, double *seconds,
                            GError **error)
{
  const ArmillaNodeRate *rate = g_hash_table_lookup (self->rates[worker], name);
  const gboolean gpu = worker == ARMILLA_NODE_CUDA;
  const double peak_flops = gpu ? self->gpu_flops : self->core_flops;
  const double peak_bytes = gpu ? self->gpu_bytes : self->core_bytes;

  *seconds = 0;
  if (rate)
    *seconds = rate->fixed + rate->per_flop * flops + rate->per_byte * bytes;
  else if (peak_flops > 0)
    *seconds = MAX (flops / peak_flops, bytes / peak_bytes);
  else
    g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_UNKNOWN,
                 "%s: [%s] has no rate for %s and no [peaks] to compute it from; armilla plan "
                 "--measure obtains both from the trace of a run with such tasks",
                 self->path, sections[worker], name);
  return rate || peak_flops > 0;
}

/* Appends the line of a rate to the text of a file, unless it takes no time or has neither
 * operations nor bytes. @fixed: s per task, however small; @flops: operations of all measured
 * tasks, or 0; @seconds: time of all of them beyond @fixed. */
void
armilla_node_model_print_rate (GString *text, const char *name, double fixed, double flops,
                               double bytes, double seconds)
{
  const gboolean has_speed = seconds > 0 && MAX (flops, bytes) > 0;

  if (!has_speed && fixed <= 0)
    return;
  g_string_append_printf (text, "%s = ", name);
  if (fixed > 0)
    g_string_append_printf (text, "%.4g us%s", 1e6 * fixed, has_speed ? " + " : "\n");
  if (has_speed)
    g_string_append_printf (text, "%.4g %s\n", 1e-9 * (flops > 0 ? flops : bytes) / seconds,
                            flops > 0 ? "Gflop/s" : "GB/s");
}
