/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "workflows/trace/trace-reader.h"

#include <gio/gio.h>
#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>

#include "core/base/printable.h"
#include "core/files/regular-file.h"
#include "workflows/trace/json-pieces.h"

#define FORMAT "armilla-trace"
#define VERSION 1
#define MAX_RANKS 1000000
#define MAX_INFLATED (1u << 30) /* maximum bytes of a file after decompression */

typedef struct {
  ArmillaTraceFile *file;
  JsonParser *parser;
  gint64 n_tasks;  /* number of tasks that the metadata state */
  gboolean seen;   /* whether the file has metadata */
  GArray *first;   /* int: [rank]: index of the first worker; then the number of all workers */
} Reader;

static gboolean
wrong (GError **error, const char *what)
{
  return armilla_fail (error, ARMILLA_ERROR_PARSE, "%s", what);
}

static gboolean
get_string (Reader *reader, JsonObject *object, const char *key, const char **value,
            GError **error)
{
  JsonNode *node = json_object_get_member (object, key);
  g_autofree char *line = NULL;

  if (!node || json_node_get_value_type (node) != G_TYPE_STRING)
    return armilla_fail (error, ARMILLA_ERROR_PARSE, "%s is not a text", key);
  /* without line ends, since each name gets one row of a table */
  line = armilla_printable (json_node_get_string (node), FALSE);
  *value = g_string_chunk_insert_const (reader->file->strings, line);
  return TRUE;
}

static gboolean
get_number (JsonObject *object, const char *key, double *value, GError **error)
{
  JsonNode *node = json_object_get_member (object, key);
  GType type = node ? json_node_get_value_type (node) : G_TYPE_INVALID;

  if (type == G_TYPE_INT64 || type == G_TYPE_DOUBLE)
    {
      *value = json_node_get_double (node);
      if (isfinite (*value))
        return TRUE;
    }
  return armilla_fail (error, ARMILLA_ERROR_PARSE, "%s is not a number", key);
}

static gboolean
get_count (JsonObject *object, const char *key, gint64 max, gint64 *value, GError **error)
{
  double number;

  if (!get_number (object, key, &number, error))
    return FALSE;
  if (number >= 0 && number <= (double) max && number == floor (number))
    {
      *value = (gint64) number;
      return TRUE;
    }
  return armilla_fail (error, ARMILLA_ERROR_PARSE,
                       "%s = %g; must be a whole number from 0 to %" G_GINT64_FORMAT, key, number,
                       max);
}

/* Returns a number; 0 if it is missing. */
static double
get_optional (JsonObject *object, const char *key)
{
  double value = 0;

  return get_number (object, key, &value, NULL) && value > 0 ? value : 0;
}

static JsonObject *
get_object (JsonNode *node)
{
  return node && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
}

static JsonArray *
get_array (JsonObject *object, const char *key)
{
  JsonNode *node = json_object_get_member (object, key);

  return node && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
}

/* Parses a piece of the text that is an object. Returns it (transfer none), valid until the next
 * call. */
static JsonObject *
parse_object (Reader *reader, ArmillaJsonPiece piece, GError **error)
{
  g_autoptr (GError) local = NULL;
  JsonObject *object = NULL;

  if (json_parser_load_from_data (reader->parser, piece.start, (gssize) piece.length, &local))
    object = get_object (json_parser_get_root (reader->parser));
  if (!object)
    g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_PARSE, "%s",
                 local ? "no valid JSON" : "no object");
  return object;
}

static gboolean
read_workers (Reader *reader, JsonObject *rank, int number, GError **error)
{
  JsonArray *workers = get_array (rank, "workers");

  if (!workers)
    return wrong (error, "a rank has no workers");
  g_array_append_val (reader->first, reader->file->workers->len);
  for (guint i = 0; i < json_array_get_length (workers); i++)
    {
      JsonObject *object = get_object (json_array_get_element (workers, i));
      ArmillaTraceWorker worker = { .rank = number, .number = (int) i };

      if (!object)
        return wrong (error, "a worker is not an object");
      if (!get_string (reader, object, "name", &worker.name, error)
          || !get_string (reader, object, "kind", &worker.kind, error))
        return FALSE;
      g_array_append_val (reader->file->workers, worker);
    }
  return TRUE;
}

static gboolean
read_ranks (Reader *reader, JsonArray *ranks, GError **error)
{
  guint n = ranks ? json_array_get_length (ranks) : 0;

  if (n == 0 || n > MAX_RANKS)
    return wrong (error, "the metadata contain no ranks");
  for (guint r = 0; r < n; r++)
    {
      JsonObject *rank = get_object (json_array_get_element (ranks, r));

      if (!rank)
        return wrong (error, "a rank is not an object");
      if (!read_workers (reader, rank, (int) r, error))
        return FALSE;
    }
  g_array_append_val (reader->first, reader->file->workers->len);
  reader->file->n_ranks = (int) n;
  return TRUE;
}

static gboolean
read_metadata (Reader *reader, ArmillaJsonPiece piece, GError **error)
{
  ArmillaTraceFile *file = reader->file;
  JsonObject *object = parse_object (reader, piece, error), *machine;
  const char *format;
  gint64 version;

  if (!object)
    return FALSE;
  if (!get_string (reader, object, "format", &format, NULL) || strcmp (format, FORMAT) != 0
      || !get_count (object, "version", G_MAXINT32, &version, NULL))
    return wrong (error, "not a trace of armilla run --trace");
  if (version != VERSION)
    return armilla_fail (error, ARMILLA_ERROR_PARSE,
                         "the trace is of version %" G_GINT64_FORMAT "; this program reads version "
                         "%d", version, VERSION);
  if (!get_string (reader, object, "program", &file->program, error)
      || !get_string (reader, object, "workflow", &file->workflow, error)
      || !get_number (object, "seconds", &file->seconds, error)
      || !get_count (object, "tasks", G_MAXINT64 / 2, &reader->n_tasks, error)
      || !read_ranks (reader, get_array (object, "ranks"), error))
    return FALSE;
  if (!(file->seconds > 0))
    return wrong (error, "the duration of the run is 0");
  file->start = get_optional (object, "start");
  get_string (reader, object, "failure", &file->failure, NULL); /* null if the run succeeded */
  machine = get_object (json_object_get_member (object, "machine"));
  if (machine)
    {
      file->peak[0].flops = get_optional (machine, "core_flops");
      file->peak[0].bytes = get_optional (machine, "core_bytes");
      file->peak[1].flops = get_optional (machine, "gpu_flops");
      file->peak[1].bytes = get_optional (machine, "gpu_bytes");
      file->cores = get_optional (machine, "cores");
      file->memory = get_optional (machine, "memory");
      file->gpu_memory = get_optional (machine, "gpu_memory");
      file->device = get_optional (machine, "gpu_link");
    }
  reader->seen = TRUE;
  return TRUE;
}

static gboolean
get_time (JsonObject *object, const char *key, double *seconds, GError **error)
{
  if (!get_number (object, key, seconds, error))
    return FALSE;
  *seconds *= 1e-6;
  return TRUE;
}

static gboolean
read_task (Reader *reader, JsonObject *object, gboolean host, GError **error)
{
  JsonObject *args = get_object (json_object_get_member (object, "args"));
  ArmillaTraceEvent event = { 0 };
  gint64 rank, track;

  if (!args)
    return wrong (error, "a task has no args");
  if (!get_string (reader, object, "name", &event.name, error)
      || !get_string (reader, args, "node", &event.node, error)
      || !get_string (reader, args, "stage", &event.stage, error)
      || !get_string (reader, args, "kind", &event.kind, error)
      || !get_count (object, "pid", reader->file->n_ranks - 1, &rank, error)
      || !get_count (object, "tid", G_MAXINT32, &track, error)
      || !get_time (object, "ts", &event.start, error)
      || !get_time (object, "dur", &event.duration, error)
      || !get_time (args, "ready", &event.ready, error)
      || !get_time (args, "taken", &event.taken, error)
      || !get_number (args, "flops", &event.flops, error)
      || !get_number (args, "bytes", &event.bytes, error))
    return FALSE;
  if (json_object_has_member (args, "submitted")
      && !get_time (args, "submitted", &event.submit, error))
    return FALSE;
  if (json_object_has_member (args, "finish")
      && (!get_time (args, "finish", &event.finish, error)
          || !get_number (args, "finish_bytes", &event.finish_bytes, error)))
    return FALSE;
  if (event.duration < 0 || event.finish < 0 || event.finish_bytes < 0 || event.flops < 0
      || event.bytes < 0)
    return wrong (error, "negative duration, flops or bytes");
  event.finish = MIN (event.finish, event.duration);
  event.rank = (int) rank;
  event.worker = host ? -1 : (int) track;
  if (!host
      && track >= g_array_index (reader->first, int, rank + 1)
                    - g_array_index (reader->first, int, rank))
    return wrong (error, "a task of a worker that the metadata do not contain");
  g_array_append_val (reader->file->events, event);
  return TRUE;
}

static gboolean
read_copy (Reader *reader, JsonObject *object, gboolean message, GError **error)
{
  JsonObject *args = get_object (json_object_get_member (object, "args"));
  ArmillaTraceCopy copy = { .message = message };
  gint64 rank;

  if (!args)
    return wrong (error, "a transfer has no args");
  if (!get_string (reader, args, "from", &copy.from, error)
      || !get_string (reader, args, "to", &copy.to, error)
      || !get_number (args, "bytes", &copy.bytes, error)
      || !get_time (args, "dur", &copy.duration, error)
      || !get_time (object, "ts", &copy.start, error)
      || !get_count (object, "pid", reader->file->n_ranks - 1, &rank, error))
    return FALSE;
  if (copy.bytes < 0 || copy.duration < 0)
    return wrong (error, "negative duration or bytes");
  copy.rank = (int) rank;
  copy.asynchronous = json_object_has_member (args, "asynchronous");
  g_array_append_val (reader->file->copies, copy);
  return TRUE;
}

/* Reads an event; those that are for display only are ignored. */
static gboolean
read_event (Reader *reader, ArmillaJsonPiece piece, GError **error)
{
  JsonObject *object = parse_object (reader, piece, error);
  const char *phase, *category = "";

  if (!object)
    return FALSE;
  if (!get_string (reader, object, "ph", &phase, error))
    return FALSE;
  if (json_object_has_member (object, "cat")
      && !get_string (reader, object, "cat", &category, error))
    return FALSE;
  if (strcmp (phase, "X") == 0 && strcmp (category, "task") == 0)
    return read_task (reader, object, FALSE, error);
  if (strcmp (phase, "X") == 0 && strcmp (category, "host") == 0)
    return read_task (reader, object, TRUE, error);
  if (strcmp (phase, "b") == 0 && strcmp (category, "transfer") == 0)
    return read_copy (reader, object, FALSE, error);
  if (strcmp (phase, "b") == 0 && strcmp (category, "message") == 0)
    return read_copy (reader, object, TRUE, error);
  return TRUE;
}

static gboolean
read_events (Reader *reader, ArmillaJsonPiece list, gint64 line, GError **error)
{
  ArmillaJsonPieces walk;
  ArmillaJsonPiece event;
  GError *local = NULL;

  if (!armilla_json_pieces_enter (&walk, list, '[', line))
    return wrong (error, "traceEvents is not an array");
  while (armilla_json_pieces_next (&walk, NULL, &event, &line, &local))
    if (!read_event (reader, event, error))
      {
        g_prefix_error (error, "line %" G_GINT64_FORMAT ": ", line);
        return FALSE;
      }
  if (local)
    {
      g_propagate_error (error, local);
      return FALSE;
    }
  if (reader->file->events->len == reader->n_tasks)
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_PARSE,
                       "the trace is damaged: it has %u of %" G_GINT64_FORMAT
                       " tasks and host steps", reader->file->events->len, reader->n_tasks);
}

static int
compare_starts (gconstpointer a, gconstpointer b)
{
  const ArmillaTraceEvent *x = a, *y = b;

  return (x->start > y->start) - (x->start < y->start);
}

static gboolean
is_key (ArmillaJsonPiece key, const char *name)
{
  return key.length == strlen (name) && strncmp (key.start, name, key.length) == 0;
}

/* Reads metadata and events, which may have any order, since other programs may have rewritten the
 * file. */
static gboolean
read_document (Reader *reader, ArmillaJsonPiece text, GError **error)
{
  ArmillaJsonPiece key, value, events = { NULL, 0 };
  ArmillaJsonPieces walk;
  gint64 line, events_line = 0;
  GError *local = NULL;

  if (!armilla_json_pieces_enter (&walk, text, '{', 1))
    return wrong (error, "not a trace of armilla run --trace: not a JSON object");
  while (armilla_json_pieces_next (&walk, &key, &value, &line, &local))
    {
      if (is_key (key, "traceEvents"))
        {
          events = value;
          events_line = line;
        }
      else if (is_key (key, "metadata") && !reader->seen && !read_metadata (reader, value, error))
        return FALSE;
    }
  if (local)
    {
      g_propagate_error (error, local);
      return FALSE;
    }
  if (!reader->seen || !events.start)
    return wrong (error, "not a trace of armilla run --trace: metadata or traceEvents are missing");
  return read_events (reader, events, events_line, error);
}

/* Parses the text of a trace; ARMILLA_ERROR_PARSE if it is no trace, or is damaged. */
ArmillaTraceFile *
armilla_trace_file_parse (const char *text, gsize length, GError **error)
{
  g_autoptr (ArmillaTraceFile) file = g_new0 (ArmillaTraceFile, 1);
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autoptr (GArray) first = g_array_new (FALSE, FALSE, sizeof (int));
  Reader reader = { .file = file, .parser = parser, .first = first };
  ArmillaJsonPiece all = { text, length };

  file->workers = g_array_new (FALSE, FALSE, sizeof (ArmillaTraceWorker));
  file->events = g_array_new (FALSE, FALSE, sizeof (ArmillaTraceEvent));
  file->copies = g_array_new (FALSE, FALSE, sizeof (ArmillaTraceCopy));
  file->strings = g_string_chunk_new (4096);
  if (!g_utf8_validate_len (text, length, NULL))
    {
      wrong (error, "not a trace of armilla run --trace: not UTF-8 text");
      return NULL;
    }
  if (!read_document (&reader, all, error))
    return NULL;
  g_array_sort (file->events, compare_starts);
  return g_steal_pointer (&file);
}

static GBytes *
inflate (GBytes *bytes, GError **error)
{
  g_autoptr (GInputStream) memory = g_memory_input_stream_new_from_bytes (bytes);
  g_autoptr (GZlibDecompressor) zlib = g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP);
  g_autoptr (GInputStream) stream = g_converter_input_stream_new (memory, G_CONVERTER (zlib));
  g_autoptr (GByteArray) text = g_byte_array_new ();
  guint8 part[65536];
  gssize n;

  while ((n = g_input_stream_read (stream, part, sizeof part, NULL, error)) > 0)
    {
      if (text->len > MAX_INFLATED)
        {
          wrong (error, "the compressed file is too large");
          return NULL;
        }
      g_byte_array_append (text, part, (guint) n);
    }
  return n < 0 ? NULL : g_byte_array_free_to_bytes (g_steal_pointer (&text));
}

/* Reads a trace, which may be gzipped. */
ArmillaTraceFile *
armilla_trace_file_read (const char *path, GError **error)
{
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) local = NULL;
  ArmillaTraceFile *file = NULL;
  const guint8 *data;
  char *contents;
  gsize length;

  contents = armilla_regular_read (path, G_MAXSSIZE - 2, &length, &local);
  if (!contents)
    return armilla_fail_null (error, ARMILLA_ERROR_IO, "cannot read the trace %s: %s", path,
                              local->message);
  bytes = g_bytes_new_take (contents, length);
  data = g_bytes_get_data (bytes, &length);
  if (length > 2 && data[0] == 0x1f && data[1] == 0x8b)
    {
      GBytes *inflated = inflate (bytes, &local);

      g_bytes_unref (bytes);
      bytes = inflated;
      data = bytes ? g_bytes_get_data (bytes, &length) : NULL;
    }
  if (bytes)
    file = armilla_trace_file_parse (data ? (const char *) data : "", length, &local);
  if (!file)
    g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_PARSE, "%s: %s", path, local->message);
  return file;
}

void
armilla_trace_file_free (ArmillaTraceFile *self)
{
  g_array_unref (self->workers);
  g_array_unref (self->events);
  g_array_unref (self->copies);
  g_string_chunk_free (self->strings);
  g_free (self);
}
