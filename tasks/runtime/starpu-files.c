/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Validates StarPU's files, since StarPU aborts when it reads one that was truncated by a full
 * disk, a crash, or another process that was writing it. The functions accept what the readers of
 * StarPU 1.3 and 1.4 (format 45) accept. */
#include "config.h"

#include <string.h>

#include "tasks/runtime/starpu-folder.h"

#define FORMAT 45          /* format of models; also the name of their folder */
#define MAX_COUNT 1000000  /* maximum of any count in a file; a larger one means damage */
#define N_SUMS 9           /* number of parameters of a linear regression */
#define N_EXPONENTIAL 3    /* number of parameters of a non-linear regression */

/* Skips blanks, ends of lines, and comments, which begin with # and end with their line. */
static const char *
skip (const char *text)
{
  for (;;)
    {
      text += strspn (text, " \t\r\n");
      if (*text != '#')
        return text;
      text += strcspn (text, "\n");
    }
}

static gboolean
read_numbers (const char **text, gint64 n)
{
  for (gint64 i = 0; i < n; i++)
    {
      const char *from = skip (*text);
      char *end;

      g_ascii_strtod (from, &end);
      if (end == from)
        return FALSE;
      *text = end;
    }
  return TRUE;
}

static gboolean
read_count (const char **text, gint64 *count)
{
  const char *from = skip (*text);
  char *end;

  *count = g_ascii_strtoll (from, &end, 10);
  if (end == from || *count < 0 || *count > MAX_COUNT)
    return FALSE;
  *text = end;
  return TRUE;
}

/* Returns the number of GPUs in the text of HOST.config; -1 if the text is damaged. */
gint64
armilla_starpu_config_devices (const char *text)
{
  gint64 cores, nodes, cuda, opencl;

  if (!read_count (&text, &cores) || !read_count (&text, &nodes) || !read_count (&text, &cuda)
      || !read_count (&text, &opencl))
    return -1;
  return cuda + opencl;
}

/* Checks one line per device: its number, and one number per NUMA node. */
static gboolean
affinity_is_whole (const char *text, gint64 n_devices)
{
  gint64 lines = 0;

  if (!g_str_has_prefix (text, "# GPU\t"))
    return FALSE;
  for (text = skip (text); *text != '\0'; text = skip (text))
    {
      const char *end = strchr (text, '\n');

      if (!end || !read_numbers (&text, 2) || text > end)
        return FALSE;
      text = end;
      lines++;
    }
  return lines >= n_devices;
}

/* Checks a matrix of memory nodes: lines of numbers or NaN. */
static gboolean
matrix_is_whole (const char *text)
{
  const gsize length = strlen (text);

  if (length == 0 || text[length - 1] != '\n' || !read_numbers (&text, 1))
    return FALSE;
  for (text = skip (text); *text != '\0'; text = skip (text))
    if (!read_numbers (&text, 1))
      return FALSE;
  return TRUE;
}

/* Returns whether StarPU can read a file of this kind ("config", "affinity", "latency",
 * "bandwidth") for n_devices GPUs. */
gboolean
armilla_starpu_bus_file_is_whole (const char *kind, const char *text, gint64 n_devices)
{
  if (strcmp (kind, "config") == 0)
    return armilla_starpu_config_devices (text) >= 0;
  if (strcmp (kind, "affinity") == 0)
    return affinity_is_whole (text, n_devices);
  return matrix_is_whole (text);
}

/* Reads a line of measurements: footprint, size, flops (not in old files), mean, deviation, sum,
 * sum of squares, number of samples; only flops may be NaN, and none may be negative. */
static gboolean
read_entry (const char **text)
{
  const char *line = skip (*text), *end = strchr (line, '\n');
  char *next;
  int n = 0;

  if (!end)
    return FALSE;
  g_ascii_strtoull (line, &next, 16);
  for (; next != line && n < 8; n++)
    {
      double value;

      line = next + strspn (next, " \t");
      if (line >= end)
        break;
      value = g_ascii_strtod (line, &next);
      if (next != line && n != 1 && !(value >= 0))
        return FALSE;
    }
  *text = end;
  return n == 6 || n == 7;
}

static gboolean
read_implementation (const char **text)
{
  gint64 n_entries, n_coefficients;

  if (!read_count (text, &n_entries) || !read_numbers (text, N_SUMS + N_EXPONENTIAL)
      || !read_count (text, &n_coefficients) || !read_numbers (text, n_coefficients))
    return FALSE;
  for (gint64 i = 0; i < n_entries; i++)
    if (!read_entry (text))
      return FALSE;
  return TRUE;
}

/* Returns whether StarPU can read a codelet's file; it skips empty ones. */
gboolean
armilla_starpu_model_file_is_whole (const char *text)
{
  gint64 format, n_kinds, n_devices, n_implementations;

  if (*text == '\0')
    return TRUE;
  if (!read_count (&text, &format) || format != FORMAT || !read_count (&text, &n_kinds))
    return FALSE;
  for (gint64 i = 0; i < n_kinds; i++)
    {
      if (!read_count (&text, &n_devices) || !read_numbers (&text, 3 * n_devices)
          || !read_count (&text, &n_implementations))
        return FALSE;
      for (gint64 j = 0; j < n_implementations; j++)
        if (!read_implementation (&text))
          return FALSE;
    }
  return TRUE;
}
