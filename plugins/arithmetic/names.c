/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of the variables that the inputs of a stage define in its formulas. */
#include "core/fits/fields.h"
#include "core/spectra/spectrum-roles.h"
#include "plugins/arithmetic/formulas.h"

static void
clear_name (gpointer data)
{
  g_free (((ArmillaExpressionName *) data)->name);
}

ArmillaNames *
armilla_names_new (void)
{
  ArmillaNames *self = g_new0 (ArmillaNames, 1);

  self->names = g_array_new (FALSE, FALSE, sizeof (ArmillaExpressionName));
  g_array_set_clear_func (self->names, clear_name);
  self->own = g_ptr_array_new_with_free_func (g_free);
  self->units = g_ptr_array_new_with_free_func (g_free);
  self->others = g_array_new (FALSE, FALSE, sizeof (ArmillaOtherName));
  self->tables = g_ptr_array_new_with_free_func (g_free);
  return self;
}

void
armilla_names_free (ArmillaNames *self)
{
  for (guint i = 0; i < self->others->len; i++)
    g_free (g_array_index (self->others, ArmillaOtherName, i).name);
  g_array_unref (self->names);
  g_array_unref (self->others);
  g_ptr_array_unref (self->own);
  g_ptr_array_unref (self->units);
  g_ptr_array_unref (self->tables);
  g_free (self);
}

/* Adds a variable that has no name in formulas yet. @own: its name in the input */
int
armilla_names_add (ArmillaNames *self, const char *own, const char *unit)
{
  g_ptr_array_add (self->own, g_strdup (own));
  g_ptr_array_add (self->units, g_strdup (unit != NULL ? unit : ""));
  return (int) self->own->len - 1;
}

/* Converts a name from a file to an identifier: characters other than letters and digits become
 * _. */
char *
armilla_names_word (const char *name)
{
  char *word = g_strdup (name);

  for (char *p = word; *p != 0; p++)
    if (!g_ascii_isalnum (*p))
      *p = '_';
  return word;
}

/* Lets formulas use a variable by a name from a file, as identifier, unless an earlier variable has
 * that name. */
void
armilla_names_call (ArmillaNames *self, int variable, const char *prefix, const char *name)
{
  ArmillaExpressionName entry = { NULL, variable };
  g_autofree char *word = armilla_names_word (name);

  if (*word == 0)
    return;
  entry.name = prefix != NULL ? g_strconcat (prefix, ".", word, NULL)
               : g_ascii_isdigit (*word) ? g_strconcat ("_", word, NULL) : g_strdup (word);
  if (self->other != NULL && prefix == NULL)
    {
      ArmillaOtherName other = { entry.name, self->other };

      g_array_append_val (self->others, other);
    }
  else
    g_array_append_val (self->names, entry);
}

/* Lets formulas use the field of a map by its name, and by its usual short name such as T, Q or
 * hits. */
void
armilla_names_call_field (ArmillaNames *self, int variable, const char *prefix, const char *name)
{
  static const char *const intensities[]
    = { "I_STOKES", "TEMPERATURE", "INTENSITY", "I", "T", "I_MAP", "I_POLARISATION" };
  static const char *const hits[] = { "N_OBS", "HITS", "N_HITS", "NHITS", "NOBS" };
  const char stokes[2] = { armilla_fields_stokes (name), 0 };

  armilla_names_call (self, variable, prefix, name);
  if (stokes[0] != 0)
    armilla_names_call (self, variable, prefix, stokes);
  for (gsize i = 0; i < G_N_ELEMENTS (intensities); i++)
    if (g_ascii_strcasecmp (name, intensities[i]) == 0)
      {
        armilla_names_call (self, variable, prefix, "T");
        armilla_names_call (self, variable, prefix, "I");
      }
  for (gsize i = 0; i < G_N_ELEMENTS (hits); i++)
    if (g_ascii_strcasecmp (name, hits[i]) == 0)
      armilla_names_call (self, variable, prefix, "hits");
}

/* Lets formulas use a spectrum by its name and, if that is a word of HEALPix or healpy
 * (TEMPERATURE), by its pair of fields (TT). */
void
armilla_names_call_spectrum (ArmillaNames *self, int variable, const char *prefix,
                             const char *name)
{
  const char *pair = armilla_spectrum_pair (name);

  armilla_names_call (self, variable, prefix, name);
  if (pair != name)
    armilla_names_call (self, variable, prefix, pair);
}

/* Adds the variables of all inputs. A name without port means the first input; such names of later
 * inputs are kept for error messages. Names without port come first, so that messages list them
 * first. */
void
armilla_names_add_inputs (ArmillaNames *self, const ArmillaNamesInput *inputs, int n,
                          ArmillaNamesCall call)
{
  int variable = (int) self->own->len;

  self->first = n > 0 ? inputs[0].port : NULL;
  self->n_first = n > 0 ? inputs[0].n : 0;
  for (int i = 0; i < n; i++)
    {
      self->other = i > 0 ? inputs[i].port : NULL;
      for (int f = 0; f < inputs[i].n; f++)
        call (self,
              armilla_names_add (self, inputs[i].names[f],
                                 inputs[i].units != NULL ? inputs[i].units[f] : NULL),
              NULL, inputs[i].names[f]);
    }
  self->other = NULL;
  for (int i = 0; i < n; i++)
    {
      if (inputs[i].numbered && inputs[i].n == 1)
        armilla_names_call (self, variable, NULL, inputs[i].port);
      for (int f = 0; f < inputs[i].n; f++, variable++)
        {
          g_autofree char *number = g_strdup_printf ("%d", f);

          call (self, variable, inputs[i].port, inputs[i].names[f]);
          if (inputs[i].numbered)
            armilla_names_call (self, variable, inputs[i].port, number);
        }
    }
}

/* Adds a table whose values formulas may use: PORT.COLUMN, PORT.ROW.COLUMN. */
void
armilla_names_add_table (ArmillaNames *self, const char *port)
{
  g_ptr_array_add (self->tables, g_strdup (port));
}
