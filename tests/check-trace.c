/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/check-trace FILE RANKS: what holds for every trace, looked at with json-glib alone. With a
 * third word, prints what the metadata have under that name and nothing else. */
#include <json-glib/json-glib.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REQUIRE(condition, event)                                                                  \
  do                                                                                               \
    if (!(condition))                                                                              \
      {                                                                                            \
        g_autofree char *text_ = json_to_string (event, FALSE);                                    \
                                                                                                   \
        printf ("%s does not hold for %s\n", #condition, text_);                                   \
        exit (1);                                                                                  \
      }                                                                                            \
  while (0)

/* What was seen so far. */
typedef struct {
  double end;             /* of the run, microseconds */
  int n_ranks;
  gint64 n_tasks;
  GHashTable *serials;    /* of tasks */
  GHashTable *tracks;     /* "pid tid" of thread_name */
  GHashTable *processes;  /* pid of process_name */
  GHashTable *copies;     /* ids that have begun */
  GHashTable *counters;   /* names of counters */
} Seen;

static double
number (JsonObject *object, const char *key)
{
  JsonNode *node = json_object_get_member (object, key);

  if (!node || !JSON_NODE_HOLDS_VALUE (node) || json_node_get_value_type (node) == G_TYPE_STRING)
    {
      printf ("%s is no number\n", key);
      exit (1);
    }
  return json_node_get_double (node);
}

/* A thousandth of a microsecond is what is written. */
#define EPSILON 0.002

static void
check_task (Seen *seen, JsonNode *node, JsonObject *event)
{
  JsonObject *args = json_object_get_object_member (event, "args");
  gint64 serial = json_object_get_int_member (args, "serial");
  double start = number (event, "ts"), end = start + number (event, "dur");
  gboolean host = strcmp (json_object_get_string_member (event, "cat"), "host") == 0;

  REQUIRE (g_hash_table_add (seen->serials, g_memdup2 (&serial, sizeof serial)), node);
  seen->n_tasks++;
  REQUIRE (number (event, "dur") >= 0, node);
  REQUIRE (start >= 0 && end <= seen->end + EPSILON, node);
  REQUIRE (number (args, "submitted") <= number (args, "ready") + EPSILON, node);
  REQUIRE (number (args, "ready") <= number (args, "taken") + EPSILON, node);
  REQUIRE (number (args, "taken") <= start + EPSILON, node);
  REQUIRE (number (args, "flops") >= 0 && number (args, "bytes") >= 0, node);
  REQUIRE (*json_object_get_string_member (args, "node") != '\0', node);
  REQUIRE (*json_object_get_string_member (args, "stage") != '\0', node);
  REQUIRE (strcmp (json_object_get_string_member (args, "kind"), host ? "host" : "CPU") == 0,
           node);
  REQUIRE (host || json_object_get_int_member (event, "tid") < 10000, node);
  if (!json_object_has_member (args, "late"))
    /* the end of what a rank writes has no tile */
    REQUIRE (number (args, "bytes") > (host ? -1 : 0), node);
}

static void
check_event (Seen *seen, JsonNode *node)
{
  JsonObject *event = json_node_get_object (node);
  const char *phase = json_object_get_string_member (event, "ph");
  const char *name = json_object_get_string_member (event, "name");
  gint64 pid = json_object_get_int_member (event, "pid");
  g_autofree char *track = g_strdup_printf ("%" G_GINT64_FORMAT " %" G_GINT64_FORMAT, pid,
                                            json_object_get_int_member (event, "tid"));

  REQUIRE (pid >= 0 && pid < seen->n_ranks, node);
  if (strcmp (phase, "M") == 0)
    {
      if (strcmp (name, "thread_name") == 0)
        REQUIRE (g_hash_table_add (seen->tracks, g_strdup (track)), node);
      if (strcmp (name, "process_name") == 0)
        REQUIRE (g_hash_table_add (seen->processes, GINT_TO_POINTER (pid + 1)), node);
      return;
    }
  REQUIRE (number (event, "ts") >= -EPSILON && number (event, "ts") <= seen->end + EPSILON, node);
  if (strcmp (phase, "C") == 0)
    {
      g_hash_table_add (seen->counters, g_strdup (name));
      return;
    }
  REQUIRE (g_hash_table_contains (seen->tracks, track), node);
  if (strcmp (phase, "X") == 0)
    {
      if (strcmp (json_object_get_string_member (event, "cat"), "submit") != 0)
        check_task (seen, node, event);
    }
  else if (strcmp (phase, "b") == 0)
    REQUIRE (g_hash_table_add (seen->copies,
                               GINT_TO_POINTER (json_object_get_int_member (event, "id") + 1)),
             node);
  else if (strcmp (phase, "i") == 0)
    REQUIRE (json_object_has_member (event, "s"), node);
  else
    {
      REQUIRE (strcmp (phase, "e") == 0, node);
      REQUIRE (g_hash_table_remove (seen->copies,
                                    GINT_TO_POINTER (json_object_get_int_member (event, "id")
                                                     + 1)),
               node);
    }
}

typedef struct {
  const char *track;
  double start, end;
} Slice;

static int
compare_slices (gconstpointer a, gconstpointer b)
{
  const Slice *x = a, *y = b;
  int order = strcmp (x->track, y->track);

  return order ? order : (x->start > y->start) - (x->start < y->start);
}

/* One thing at a time on a track; tasks of CPU workers and host steps never overlap. */
static void
check_tracks (JsonArray *events)
{
  g_autoptr (GArray) slices = g_array_new (FALSE, FALSE, sizeof (Slice));
  g_autoptr (GStringChunk) names = g_string_chunk_new (1024);

  for (guint i = 0; i < json_array_get_length (events); i++)
    {
      JsonObject *event = json_array_get_object_element (events, i);
      Slice slice;
      char track[64];

      if (strcmp (json_object_get_string_member (event, "ph"), "X") != 0)
        continue;
      g_snprintf (track, sizeof track, "%d %d", (int) json_object_get_int_member (event, "pid"),
                  (int) json_object_get_int_member (event, "tid"));
      slice.track = g_string_chunk_insert_const (names, track);
      slice.start = number (event, "ts");
      slice.end = slice.start + number (event, "dur");
      g_array_append_val (slices, slice);
    }
  g_array_sort (slices, compare_slices);
  for (guint i = 1; i < slices->len; i++)
    {
      const Slice *last = &g_array_index (slices, Slice, i - 1);
      const Slice *next = &g_array_index (slices, Slice, i);

      if (last->track == next->track && next->start < last->end - EPSILON)
        {
          printf ("track %s: %f to %f overlaps %f to %f\n", last->track, last->start, last->end,
                  next->start, next->end);
          exit (1);
        }
    }
}

/* Tasks have the numbers from 0 on, over all ranks: each that was submitted is there once. */
static void
check_serials (Seen *seen, JsonNode *root)
{
  for (gint64 i = 0; i < seen->n_tasks; i++)
    REQUIRE (g_hash_table_contains (seen->serials, &i), json_object_get_member (
                                                         json_node_get_object (root), "metadata"));
}

int
main (int argc, char *argv[])
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autoptr (GError) error = NULL;
  JsonObject *object, *metadata;
  JsonArray *events;
  Seen seen = { 0 };

  if (argc < 3 || !json_parser_load_from_file (parser, argv[1], &error))
    {
      printf ("%s\n", error ? error->message : "usage: check-trace FILE RANKS [NAME]");
      return 1;
    }
  object = json_node_get_object (json_parser_get_root (parser));
  metadata = json_object_get_object_member (object, "metadata");
  events = json_object_get_array_member (object, "traceEvents");
  if (argc > 3)
    {
      g_autofree char *text = json_to_string (json_object_get_member (metadata, argv[3]), FALSE);

      puts (text);
      return 0;
    }
  seen.n_ranks = atoi (argv[2]);
  seen.end = 1e6 * number (metadata, "seconds");
  seen.serials = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  seen.tracks = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  seen.counters = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  seen.processes = g_hash_table_new (NULL, NULL);
  seen.copies = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < json_array_get_length (events); i++)
    check_event (&seen, json_array_get_element (events, i));
  check_serials (&seen, json_parser_get_root (parser));
  check_tracks (events);
  REQUIRE (g_hash_table_size (seen.copies) == 0, json_parser_get_root (parser));
  REQUIRE ((int) g_hash_table_size (seen.processes) == seen.n_ranks,
           json_object_get_member (object, "metadata"));
  REQUIRE (seen.n_tasks == json_object_get_int_member (metadata, "tasks"),
           json_object_get_member (object, "metadata"));
  REQUIRE (g_hash_table_contains (seen.counters, "resident memory")
             && g_hash_table_contains (seen.counters, "ready tasks")
             && g_hash_table_contains (seen.counters, "submitted tasks"),
           json_object_get_member (object, "metadata"));
  g_hash_table_unref (seen.serials);
  g_hash_table_unref (seen.tracks);
  g_hash_table_unref (seen.counters);
  g_hash_table_unref (seen.processes);
  g_hash_table_unref (seen.copies);
  return 0;
}
