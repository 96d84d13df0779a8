/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tasks/tuning/tuning.h"

#include <string.h>

#define FORMAT 1
#define HEAD "armilla-tuning"
#define MAX_GROUPS 4096 /* maximum number of classes in a file; more indicate a damaged file */

struct _ArmillaTuning {
  int references;
  /* "WORKERS [DIRECTION ]size N batch N", the name of a group of the file -> ArmillaTuneChoice */
  GHashTable *choices;
  char *origin;
};

#define PARAMETER(name, key, max, ...) [ARMILLA_TUNE_##name] = { key, max, { __VA_ARGS__ } },
static const ArmillaTuneParameter parameters[] = { ARMILLA_TUNE_PARAMETERS (PARAMETER) };
#undef PARAMETER

/* Returns the key, the maximum and the candidates. */
const ArmillaTuneParameter *
armilla_tune_parameter (ArmillaTuneName name)
{
  return &parameters[name];
}

/* Returns whether the parameter determines sizes of tiles: maps and a_lm are divided once per
 * graph, for both directions. Other parameters are chosen per transform. */
gboolean
armilla_tune_is_cut (ArmillaTuneName name)
{
  return name == ARMILLA_TUNE_RING_BLOCK || name == ARMILLA_TUNE_M_BLOCKS;
}

/* Returns the power of two that represents all sizes between it times 1/sqrt(2) and sqrt(2). */
gint64
armilla_tune_class_of (gint64 size)
{
  gint64 klass = 1;

  while (klass < size && klass < G_GINT64_CONSTANT (1) << 60
         && (double) klass * (double) klass * 2 <= (double) size * (double) size)
    klass *= 2;
  return klass;
}

ArmillaTuning *
armilla_tuning_new (void)
{
  ArmillaTuning *tuning = g_new0 (ArmillaTuning, 1);

  tuning->references = 1;
  tuning->choices = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  return tuning;
}

/* Returns an unshared copy. */
ArmillaTuning *
armilla_tuning_copy (const ArmillaTuning *tuning)
{
  ArmillaTuning *copy = armilla_tuning_new ();
  GHashTableIter iter;
  gpointer name, choice;

  if (!tuning)
    return copy;
  copy->origin = g_strdup (tuning->origin);
  g_hash_table_iter_init (&iter, tuning->choices);
  while (g_hash_table_iter_next (&iter, &name, &choice))
    g_hash_table_insert (copy->choices, g_strdup (name),
                         g_memdup2 (choice, sizeof (ArmillaTuneChoice)));
  return copy;
}

ArmillaTuning *
armilla_tuning_ref (ArmillaTuning *tuning)
{
  if (tuning)
    g_atomic_int_inc (&tuning->references);
  return tuning;
}

void
armilla_tuning_unref (ArmillaTuning *tuning)
{
  if (!tuning || !g_atomic_int_dec_and_test (&tuning->references))
    return;
  g_hash_table_unref (tuning->choices);
  g_free (tuning->origin);
  g_free (tuning);
}

static char *
group_name (ArmillaTuneClass klass)
{
  static const char *const directions[] = { "", "alm2map ", "map2alm ", "" };

  return g_strdup_printf ("%s %ssize %" G_GINT64_FORMAT " batch %" G_GINT64_FORMAT, klass.workers,
                          directions[klass.which & ARMILLA_TRANSFORMS_BOTH],
                          armilla_tune_class_of (klass.size), armilla_tune_class_of (klass.batch));
}

static const ArmillaTuneChoice *
look_up (const ArmillaTuning *tuning, ArmillaTuneClass klass)
{
  g_autofree char *group = group_name (klass);

  return g_hash_table_lookup (tuning->choices, group);
}

/* Sets the choice (copied) of a class. The tuning must not be shared yet. */
void
armilla_tuning_set (ArmillaTuning *tuning, ArmillaTuneClass klass, const ArmillaTuneChoice *choice)
{
  g_hash_table_replace (tuning->choices, group_name (klass), g_memdup2 (choice, sizeof *choice));
}

/* Returns the choice for a class of any size and batch, 0 for the default. A direction without
 * choices of its own uses those for both, as in old files. */
gint64
armilla_tuning_get (const ArmillaTuning *tuning, ArmillaTuneClass klass, ArmillaTuneName name)
{
  const ArmillaTuneChoice *choice = tuning ? look_up (tuning, klass) : NULL;

  if (tuning && !choice)
    {
      klass.which = ARMILLA_TRANSFORMS_NONE;
      choice = look_up (tuning, klass);
    }
  return choice ? choice->value[name] : 0;
}

/* Returns the name of the file it was read from, or NULL. */
const char *
armilla_tuning_origin (const ArmillaTuning *tuning)
{
  return tuning->origin;
}

static void
add_choices (const ArmillaTuning *tuning, GKeyFile *file)
{
  g_autoptr (GList) names = g_hash_table_get_keys (tuning->choices);

  names = g_list_sort (names, (GCompareFunc) strcmp);
  for (GList *i = names; i; i = i->next)
    {
      const ArmillaTuneChoice *choice = g_hash_table_lookup (tuning->choices, i->data);

      for (int p = 0; p < ARMILLA_TUNE_COUNT; p++)
        g_key_file_set_int64 (file, i->data, parameters[p].key, choice->value[p]);
    }
}

/* Returns the choices as text; equal choices give equal text. */
char *
armilla_tuning_choices (const ArmillaTuning *tuning)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();

  add_choices (tuning, file);
  return g_key_file_to_data (file, NULL, NULL);
}

/* Returns the contents of a file for armilla_tuning_parse (). */
char *
armilla_tuning_to_text (const ArmillaTuning *tuning, const char *machine)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();
  g_autofree char *date = g_date_time_format_iso8601 (now);

  g_key_file_set_integer (file, HEAD, "format", FORMAT);
  g_key_file_set_integer (file, HEAD, "generation", ARMILLA_TUNE_GENERATION);
  g_key_file_set_string (file, HEAD, "program", PACKAGE_STRING);
  g_key_file_set_string (file, HEAD, "machine", machine);
  g_key_file_set_string (file, HEAD, "date", date);
  add_choices (tuning, file);
  return g_key_file_to_data (file, NULL, NULL);
}

/* For a wrong escape sequence GLib returns a text and also an error. */
static char *
head_text (GKeyFile *file, const char *key, GError **error)
{
  GError *local = NULL;
  char *text = g_key_file_get_string (file, HEAD, key, &local);

  if (local == NULL)
    return text;
  g_propagate_error (error, local);
  g_free (text);
  return NULL;
}

static gboolean
check_head (GKeyFile *file, const char *machine, GError **error)
{
  g_autofree char *program = head_text (file, "program", error);
  g_autofree char *made_on = program ? head_text (file, "machine", error) : NULL;

  if (!made_on)
    return FALSE;
  /* GLib returns 0 for a missing or invalid number. */
  if (g_key_file_get_integer (file, HEAD, "format", NULL) != FORMAT
      || g_key_file_get_integer (file, HEAD, "generation", NULL) != ARMILLA_TUNE_GENERATION
      || !g_str_equal (program, PACKAGE_STRING))
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "was created by %s, whose choices do not fit this version", program);
  if (!g_str_equal (made_on, machine))
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "was created on another machine (%s; this one: %s)", made_on, machine);
  return TRUE;
}

static gboolean
read_choice (GKeyFile *file, const char *group, ArmillaTuneChoice *choice, GError **error)
{
  for (int p = 0; p < ARMILLA_TUNE_COUNT; p++)
    {
      GError *local = NULL;

      choice->value[p] = g_key_file_get_int64 (file, group, parameters[p].key, &local);
      if (local)
        {
          g_propagate_error (error, local);
          return FALSE;
        }
      if (choice->value[p] < 0 || choice->value[p] > parameters[p].max)
        return armilla_fail (error, ARMILLA_ERROR_VALUE,
                             "%s of [%s] is %" G_GINT64_FORMAT ", and 0 to %" G_GINT64_FORMAT
                             " is allowed", parameters[p].key, group, choice->value[p],
                             parameters[p].max);
    }
  return TRUE;
}

/* Fails if the file is damaged, of another version, or of another machine; path (may be NULL) is
 * for messages. */
ArmillaTuning *
armilla_tuning_parse (const char *text, gsize length, const char *machine, const char *path,
                      GError **error)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autoptr (ArmillaTuning) tuning = armilla_tuning_new ();
  g_auto (GStrv) groups = NULL;
  gsize n;

  if (!g_key_file_load_from_data (file, text, length, G_KEY_FILE_NONE, error)
      || !check_head (file, machine, error))
    return NULL;
  groups = g_key_file_get_groups (file, &n);
  if (n > MAX_GROUPS)
    return armilla_fail_null (error, ARMILLA_ERROR_VALUE, "has too many groups");
  for (gsize i = 0; i < n; i++)
    {
      ArmillaTuneChoice choice;

      if (g_str_equal (groups[i], HEAD))
        continue;
      if (!read_choice (file, groups[i], &choice, error))
        return NULL;
      g_hash_table_replace (tuning->choices, g_strdup (groups[i]),
                            g_memdup2 (&choice, sizeof choice));
    }
  tuning->origin = g_strdup (path);
  return g_steal_pointer (&tuning);
}
