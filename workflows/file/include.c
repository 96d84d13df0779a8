/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads workflow files and the files that they include. */
#include "workflows/file/workflow.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/files/regular-file.h"
#include "workflows/text/expand.h"

#define MAX_FILE (4 * 1024 * 1024)
#define MAX_DEPTH 16
#define MAX_FILES 256

/* Opens a workflow file. A name such as /dev/fd/63, which a shell substitutes for <(COMMAND), means
 * a pipe that is open already. Other pipes and devices are rejected, since reading them might never
 * end. */
static FILE *
open_workflow (const char *path, GError **error)
{
  const gboolean is_open = strcmp (path, "/dev/stdin") == 0 || g_str_has_prefix (path, "/dev/fd/");
  g_autoptr (GError) why = NULL;
  int fd = is_open ? open (path, O_RDONLY | O_CLOEXEC)
                   : armilla_regular_open (path, O_RDONLY, &why);
  FILE *file = fd >= 0 ? fdopen (fd, "rb") : NULL;

  if (file != NULL)
    return file;
  g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_IO, "%s: cannot open the workflow: %s", path,
               why != NULL ? why->message : g_strerror (errno));
  if (fd >= 0)
    close (fd);
  return NULL;
}

/* Reads a file of this name ("-": standard input). Files above 4 MiB are rejected, since a map
 * named by mistake would fill the memory; so are devices, and pipes that are not open already. */
char *
armilla_workflow_read (const char *path, gsize *length, GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);
  gboolean named = strcmp (path, "-") != 0, failed;
  FILE *file = named ? open_workflow (path, error) : stdin;
  char piece[4096];
  gsize n;

  if (file == NULL)
    return NULL;
  if (!named)
    path = ARMILLA_STANDARD_INPUT;
  errno = 0;
  while (text->len <= MAX_FILE && (n = fread (piece, 1, sizeof piece, file)) > 0)
    g_string_append_len (text, piece, (gssize) n);
  failed = ferror (file);
  if (failed)
    g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_IO, "%s: cannot read the workflow: %s", path,
                 g_strerror (errno));
  if (named)
    fclose (file);
  if (!failed && text->len > MAX_FILE)
    {
      g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_IO,
                   "%s: longer than 4 MiB; not a workflow file", path);
      failed = TRUE;
    }
  if (failed)
    return NULL;
  *length = text->len;
  return g_string_free (g_steal_pointer (&text), FALSE);
}

typedef struct _Reading Reading;
struct _Reading {
  const Reading *by; /* file that includes this one; NULL for the user's file */
  const char *path;  /* name of the file, for messages */
  char *real;        /* canonical path; NULL: not a regular file */
};

typedef struct {
  ArmillaDocument *document;
  GString *whole; /* text of all files */
  ArmillaProblems *problems;
  GHashTable *done; /* canonical paths of all files read so far */
} Includer;

/* Returns "a includes b includes c", beginning with the user's file. */
static char *
describe_chain (const Reading *reading)
{
  char *text = g_strdup (reading->path);

  for (reading = reading->by; reading != NULL; reading = reading->by)
    {
      char *longer = g_strdup_printf ("%s includes %s", reading->path, text);

      g_free (text);
      text = longer;
    }
  return text;
}

static void
complain (Includer *x, const Reading *reading, const ArmillaEntry *entry, const char *message)
{
  g_autofree char *chain = describe_chain (reading);

  armilla_problems_add (x->problems, entry->value_place, "workflow", entry->key, "%s%s%s%s",
                        message, reading->by != NULL ? " (" : "", reading->by != NULL ? chain : "",
                        reading->by != NULL ? ")" : "");
}

static gboolean
is_open (const Reading *reading, const char *real)
{
  for (; reading != NULL; reading = reading->by)
    if (g_strcmp0 (reading->real, real) == 0)
      return TRUE;
  return FALSE;
}

static void read_includes (Includer *x, const Reading *reading, int depth);

/* Adds an included file, and the files that it includes. @path: name of the file, relative to the
 * working directory */
static void
include_file (Includer *x, const Reading *by, const ArmillaEntry *entry, const char *path,
              int depth)
{
  Reading reading = { by, path, realpath (path, NULL) };
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  gsize length;

  if (reading.real != NULL && is_open (by, reading.real))
    {
      g_autofree char *chain = describe_chain (&reading);
      g_autofree char *message = g_strdup_printf ("files include each other in a circle: %s; leave "
                                                  "one of these out", chain);

      armilla_problems_add (x->problems, entry->value_place, "workflow", entry->key, "%s", message);
    }
  else if (depth > MAX_DEPTH)
    complain (x, &reading, entry, "files are included more than 16 deep");
  else if (reading.real != NULL && g_hash_table_contains (x->done, reading.real))
    ; /* another file has included it before */
  else if (g_hash_table_size (x->done) >= MAX_FILES)
    complain (x, by, entry, "more than 256 files are included");
  else if ((text = armilla_workflow_read (path, &length, &error)) == NULL)
    complain (x, by, entry, error->message);
  else
    {
      if (reading.real != NULL)
        g_hash_table_add (x->done, g_strdup (reading.real));
      if (x->whole->len > 0 && x->whole->str[x->whole->len - 1] != '\n')
        g_string_append_c (x->whole, '\n');
      g_string_append_printf (x->whole, "# included: %s\n", path);
      g_string_append_len (x->whole, text, (gssize) length);
      armilla_document_add (x->document, path, text, length, x->problems);
      read_includes (x, &reading, depth);
    }
  free (reading.real);
}

static void
read_list (Includer *x, const Reading *reading, const ArmillaEntry *entry, int depth)
{
  g_autofree char *folder = reading->real != NULL || reading->by != NULL
                              ? g_path_get_dirname (reading->path) : g_strdup (".");
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) names = NULL;

  if (strchr (entry->value, '$') != NULL)
    {
      complain (x, reading, entry, "files are included before variables are known; write the name "
                                   "without variables");
      return;
    }
  names = armilla_split (entry->value, &error);
  if (names == NULL || names[0] == NULL)
    complain (x, reading, entry, error != NULL ? error->message : "name a file");
  for (char **name = names; name != NULL && *name != NULL; name++)
    {
      g_autofree char *path = g_path_is_absolute (*name) || strcmp (folder, ".") == 0
                                ? g_strdup (*name) : g_build_filename (folder, *name, NULL);

      include_file (x, reading, entry, path, depth + 1);
    }
}

/* Reads the files that the file added last includes. */
static void
read_includes (Includer *x, const Reading *reading, int depth)
{
  ArmillaGroup *group = armilla_document_group (x->document, "workflow");

  for (guint i = 0; group != NULL && i < group->entries->len; i++)
    {
      ArmillaEntry *entry = g_ptr_array_index (group->entries, i);

      if (strcmp (entry->key, ARMILLA_INCLUDE) == 0
          && strcmp (entry->key_place.source, reading->path) == 0)
        {
          entry = g_ptr_array_steal_index (group->entries, i);
          read_list (x, reading, entry, depth);
          g_free (entry);
          return;
        }
    }
}

/* Parses a workflow and the files that it includes, recursively. Appends the text of all files to
 * @whole. */
ArmillaDocument *
armilla_include_parse (const char *path, const char *text, gsize length, GString *whole,
                       ArmillaProblems *problems)
{
  g_autoptr (GHashTable) done = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  Includer x = { armilla_document_parse (path, text, length, problems), whole, problems, done };
  Reading reading = { NULL, path, realpath (path, NULL) };

  g_string_append_len (whole, text, (gssize) length);
  if (reading.real != NULL)
    g_hash_table_add (done, g_strdup (reading.real));
  read_includes (&x, &reading, 0);
  free (reading.real);
  return x.document;
}
