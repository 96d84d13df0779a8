/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "core/files/name-pattern.h"

#include <string.h>

/* Shortens prefix and suffix of @first to the parts that @name shares. */
static void
narrow (ArmillaNamePattern *self, const char *name, gsize prefix, gsize suffix)
{
  const gsize length = strlen (self->first), other = strlen (name);
  gsize n = 0;

  prefix = MIN (MIN (self->prefix, prefix), other);
  suffix = MIN (MIN (self->suffix, suffix), other);
  while (n < prefix && self->first[n] == name[n])
    n++;
  self->prefix = n;
  for (n = 0; n < suffix && self->first[length - n - 1] == name[other - n - 1];)
    n++;
  self->suffix = n;
}

/* Returns whether a byte is a continuation byte of UTF-8. */
static gboolean
is_inside (char byte)
{
  return ((guchar) byte & 0xc0) == 0x80;
}

/* Updates the pattern with one more name. */
void
armilla_name_pattern_add (ArmillaNamePattern *self, const char *name)
{
  const gsize length = strlen (name);
  const ArmillaNamePattern one = { 1, (char *) name, length, length, length, FALSE };

  armilla_name_pattern_merge (self, &one);
}

void
armilla_name_pattern_merge (ArmillaNamePattern *self, const ArmillaNamePattern *other)
{
  if (other->n == 0)
    return;
  if (self->n == 0)
    {
      *self = *other;
      self->first = g_strdup (other->first);
      return;
    }
  self->n += other->n;
  self->shortest = MIN (self->shortest, other->shortest);
  self->differ = self->differ || other->differ || strcmp (self->first, other->first) != 0;
  narrow (self, other->first, other->prefix, other->suffix);
}

/* Returns the name if all are equal, otherwise their common parts with a star in between. The
 * pattern does not split numbers: that of map10.fits and map11.fits is map*.fits. @self: at least
 * one name. */
char *
armilla_name_pattern_text (const ArmillaNamePattern *self)
{
  const char *first = self->first;
  const gsize length = strlen (first);
  gsize prefix = self->prefix, suffix = self->suffix; /* they may overlap in the shortest name */

  if (!self->differ)
    return g_strdup (first);
  while (prefix > 0 && g_ascii_isdigit (first[prefix - 1]))
    prefix--;
  while (prefix > 0 && is_inside (first[prefix]))
    prefix--;
  suffix = MIN (suffix, self->shortest - prefix);
  while (suffix > 0 && g_ascii_isdigit (first[length - suffix]))
    suffix--;
  while (suffix > 0 && is_inside (first[length - suffix]))
    suffix--;
  return g_strdup_printf ("%.*s*%s", (int) prefix, first, first + length - suffix);
}

void
armilla_name_pattern_clear (ArmillaNamePattern *self)
{
  g_free (self->first);
  *self = (ArmillaNamePattern) { 0 };
}
